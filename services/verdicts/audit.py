"""How good the judges of a run are, from labels that people gave blind on what was drawn at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.people import May, Viewer
from core.scoring.interval import Resampling
from core.verdicts.agreement import FieldAgreement, Place
from core.verdicts.audit import AuditedItem, JudgeAudit, MeasuredSection, audit, is_whole, people_against_people
from core.verdicts.labels import Block, Section
from core.verdicts.review import DrawnBy, Ruling
from core.verdicts.tallies import read_tally
from core.verdicts.verdict import VerdictItem
from protocols.recite.judge.tasks import JUDGE
from services.acting import Reading, consulting
from services.runs.reading import find_run
from services.verdicts.judge_items import judge_item, verdict_of
from services.verdicts.reviewed import in_force
from services.verdicts.settings import VerdictSettings, settings_in
from store.runs import reviewed_verdicts as stored
from store.runs import verdicts as run_sections
from store.tables import AssignmentRow, PersonLabelRow, VerdictSheetRow

HOW = Resampling(seed=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAudit:
    """`judges`: judge → what was found; `people`: two people on the same items; `left_out`: items of the random draw
    that are in no number, by reason; `other_items`: labelled on sheets that were drawn otherwise, never pooled;
    `settings`: what reviewers see first."""

    number: int
    title: str
    judges: Mapping[str, JudgeAudit]
    people: Mapping[Place, FieldAgreement]
    raters: int
    left_out: Mapping[str, int]
    other_items: int
    settings: VerdictSettings


def audit_run(viewer: Viewer, run_id: str) -> RunAudit:
    """The audit of a run's judges. `run_id` may be its number. Raises Missing if there is none."""
    with consulting(viewer, May.REVIEW) as r:
        row = find_run(r.session, run_id)
        left_out: dict[str, int] = {}
        items: dict[str, list[AuditedItem]] = {}
        others = 0
        for sheet, work in stored.labelled_sheets(r.session, [row.id]):
            labels = stored.labels_of(r.session, [work.id]).get(work.id, [])
            if sheet.drawn_by != DrawnBy.RANDOM:
                others += len({each.number for each in labels})
                continue
            for judge, each in _audited(r, sheet, work, labels, left_out):
                items.setdefault(judge, []).append(each)
        measured = _measured(r, row.id)
        settings = settings_in(r.session)
        raters = {each.rater for those in items.values() for each in those}
    judges = {judge: audit(those, measured.get(judge, {}), HOW) for judge, those in sorted(items.items())}
    first = next(iter(sorted(items.items())), ("", []))[1]
    return RunAudit(
        number=row.number,
        title=row.title,
        judges=judges,
        people=people_against_people(first, HOW),
        raters=len(raters),
        left_out=left_out,
        other_items=others,
        settings=settings,
    )


def _audited(
    r: Reading,
    sheet: VerdictSheetRow,
    work: AssignmentRow,
    labels: list[PersonLabelRow],
    left_out: dict[str, int],
) -> Iterator[tuple[str, AuditedItem]]:
    section, item = Section(sheet.section), judge_item(r.session, sheet.item_id)
    flagged = {
        row.number
        for row in in_force(stored.overrides(r.session, [item.item_id]).get(item.item_id, []))
        if row.ruling == Ruling.FLAGGED and row.by == work.person_id
    }
    by_number: dict[int, list[PersonLabelRow]] = {}
    for row in labels:
        by_number.setdefault(row.number, []).append(row)
    beside = [(each.model, verdict_of(each)) for each in stored.beside(r.session, item.sample_id) if each.repeat == 0]
    for number, rows in sorted(by_number.items()):
        person = VerdictItem(number, {(Block(row.block), row.field): row.label for row in rows})
        why = ""
        if number in flagged:
            why = "cannot be judged"
        elif any(row.saw_verdict for row in rows):
            why = "a judge's label had been seen before"
        elif not is_whole(section, person):
            why = "labels are still to come"
        if why:
            left_out[why] = left_out.get(why, 0) + 1
            continue
        for judge, verdict in beside:
            said = next((each for each in verdict.items if each.number == number), None)
            if said is not None and is_whole(section, said):
                yield (
                    judge,
                    AuditedItem(
                        section=section,
                        sample=str(item.facts["paper"]),
                        key=f"{sheet.answer}/{number}",
                        rater=work.person_id,
                        judge=said,
                        person=person,
                    ),
                )


def _measured(r: Reading, run_id: str) -> dict[str, dict[Section, MeasuredSection]]:
    """Judge → its sections over the run, controls left out: Σ weight × score ÷ Σ weight, and numbers of items."""
    sums: dict[tuple[str, Section], list[float]] = {}
    for each in run_sections.sections(r.session, run_id, JUDGE):
        tally = (each.parts or {}).get("tally")
        if tally is None or each.facts.get("control"):
            continue
        found = read_tally(tally).default
        if not found.problem:
            into = sums.setdefault((each.model, Section(each.facts["section"])), [0.0, 0.0, 0.0])
            into[0], into[1], into[2] = into[0] + found.total, into[1] + found.weight, into[2] + found.items
    said: dict[str, dict[Section, MeasuredSection]] = {}
    for (judge, section), (total, weight, items) in sums.items():
        if weight:
            said.setdefault(judge, {})[section] = MeasuredSection(min(1.0, total / weight), int(items))
    return said
