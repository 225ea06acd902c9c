"""Quality of a run's judges, measured on a random draw that people labelled blind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.people import Permission, Viewer
from core.verdicts.agreement import FieldAgreement, Place
from core.verdicts.audit import AuditedItem, JudgeAudit, audit, is_whole, people_against_people
from core.verdicts.judged import AnswerVariant, by_variant
from core.verdicts.labels import ABSTRACTION, WORDING, LabelBlock, Section
from core.verdicts.review import DrawnBy, VerdictRuling
from core.verdicts.settings import VerdictSettings
from core.verdicts.verdict import VerdictItem
from core.verdicts.whole_answers import WholeAnswers, whole_answers
from protocols.recite.judge.samples import ANSWER_VARIANTS
from protocols.recite.judge.tasks import wording_of
from services.acting import ReadContext, consulting
from services.protocols.recite.judged import JudgeNames, judge_names
from services.runs.judge_exposure import settings_in
from services.runs.reading import find_run
from services.verdicts.corrections import HOW, AuditKey, ModelScores, corrections_of
from services.verdicts.judge_items import judge_item, verdict_of
from services.verdicts.reviewed import in_force
from store.runs import reviewed_verdicts as stored
from store.runs.reviewed_verdicts import JudgeItem
from store.tables import AssignmentRow, PersonLabelRow, VerdictSheetRow
from store.tables.runs import RunRow


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAudit:
    """Audit of the judges of a run.

    Attributes:
        judges: audits by variant of the judged answers and judge
        corrected: scores of the judged models, and of all, measured and corrected by people's labels
        answers: the same on answers that people labelled completely
        people: two people on the same items, by variant
        left_out: items of the random draw that are in no number, by reason
        other_items: items labelled on sheets of other draws, never pooled
        settings: determine what reviewers see first"""

    number: int
    title: str
    judges: Mapping[AuditKey, JudgeAudit]
    corrected: Mapping[AuditKey, ModelScores]
    answers: Mapping[AuditKey, WholeAnswers]
    people: Mapping[AnswerVariant, Mapping[Place, FieldAgreement]]
    raters: int
    left_out: Mapping[str, int]
    other_items: int
    settings: VerdictSettings


@dataclass(frozen=True, slots=True)
class BlindLabels:
    """Items that people labelled blind, for an audit."""

    # By variant and judge: items of the random draw, each with the judge's item.
    items: dict[AuditKey, list[tuple[AuditedItem, JudgeItem]]] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)  # reason → items
    others: list[int] = field(default_factory=list)  # labelled items of each sheet of another draw


def audit_run(viewer: Viewer, run_id: str) -> RunAudit:
    """Return the audit of a run's judges. `run_id` may be its number. Raises Missing if there is none."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
        blind = blind_labels(r, row)
        items = {key: [each for each, _ in pairs] for key, pairs in sorted(blind.items.items())}
        corrected, sizes = corrections_of(r, row, items)
        settings = settings_in(r.session)
    of_people = by_variant(items.items(), lambda each: each[0][0])
    return RunAudit(
        number=row.number,
        title=row.title,
        judges={key: audit(pairs, HOW) for key, pairs in items.items()},
        corrected=corrected,
        answers={key: whole_answers(pairs, sizes, HOW) for key, pairs in items.items()},
        people={variant: people_against_people(pairs[0][1], HOW) for variant, pairs in of_people.items()},
        raters=len({each.rater for pairs in items.values() for each in pairs}),
        left_out=blind.left_out,
        other_items=sum(blind.others),
        settings=settings,
    )


def blind_labels(r: ReadContext, row: RunRow) -> BlindLabels:
    blind, names, wording = BlindLabels(), judge_names(row), wording_of(row.manifest)
    for sheet, work in stored.labelled_sheets(r.session, [row.id]):
        labels = stored.labels_of(r.session, [work.id]).get(work.id, [])
        if sheet.drawn_by == DrawnBy.RANDOM:
            _add(r, blind, names, sheet, work, labels, wording)
        else:
            blind.others.append(len({each.number for each in labels}))
    return blind


def _add(
    r: ReadContext,
    blind: BlindLabels,
    names: JudgeNames,
    sheet: VerdictSheetRow,
    work: AssignmentRow,
    labels: list[PersonLabelRow],
    wording: int,
) -> None:
    """Add the labels of a sheet to each judge whose own labels of it are complete. `wording`: the judges'."""
    section, item = Section(sheet.section), judge_item(r.session, sheet.item_id)
    flagged = {
        row.number
        for row in in_force(stored.overrides(r.session, [item.item_id]).get(item.item_id, []))
        if row.ruling == VerdictRuling.FLAGGED and row.by == work.person_id
    }
    people: dict[int, VerdictItem] = {}
    by_number: dict[int, list[PersonLabelRow]] = {}
    for row in labels:
        by_number.setdefault(row.number, []).append(row)
    for number, rows in sorted(by_number.items()):
        person = VerdictItem(
            number,
            {(LabelBlock(row.block), row.field): row.label for row in rows},
            min((row.wording for row in rows if row.field == ABSTRACTION), default=WORDING),
        )
        why = ""
        if number in flagged:
            why = "cannot be judged"
        elif any(row.saw_verdict for row in rows):
            why = "a judge's label had been seen before"
        elif not is_whole(section, person):
            why = "labels are still to come"
        else:
            people[number] = person
        if why:
            blind.left_out[why] = blind.left_out.get(why, 0) + 1
    for judged in stored.verdicts_of_section(r.session, item.sample_id):
        if judged.repeat:
            continue
        verdict_items = verdict_of(judged, wording=wording).by_number
        shared = [number for number in people if number in verdict_items and is_whole(section, verdict_items[number])]
        is_all = {*shared, *flagged} >= set(sheet.numbers)
        for number in shared:
            audited = AuditedItem(
                section=section,
                sample=str(item.facts["paper"]),
                key=f"{sheet.answer}/{number}",
                rater=work.person_id,
                judge=verdict_items[number],
                person=people[number],
                answer=sheet.answer,
                is_on_whole_sheet=is_all,
            )
            key = ANSWER_VARIANTS[judged.facts["asked"]], names[judged.model, judged.variant]
            blind.items.setdefault(key, []).append((audited, judged))
