"""Items behind a number of an audit. Viewing them exposes the viewer to their labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.people import Permission, Viewer
from core.verdicts.agreement import Place, has_earlier_meaning
from core.verdicts.judged import AnswerVariant
from protocols.recite.judge.samples import ANSWER_VARIANTS
from protocols.recite.judge.tasks import JUDGE, wording_of
from services.acting import ReadContext, consulting
from services.protocols.recite.judged import judge_names
from services.runs.judge_exposure import look_key, withheld
from services.runs.reading import find_run
from services.verdicts.audit import blind_labels
from services.verdicts.corrections import AuditKey
from services.verdicts.judge_items import graphs_of, is_control, section_of, verdict_of
from store.runs import reviewed_verdicts as stored
from store.runs.reviewed_verdicts import JudgeItem

LabelPair = tuple[str, str]
"""Labels of one field: the judge's and the person's, or the first judge's and the second's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemBehind:
    """An item behind a number."""

    item_id: str
    number: int  # on the sheet
    title: str
    name: str  # of the node, or of the edge


def judge_and_people(
    viewer: Viewer, run_id: str, key: AuditKey, place: Place, labels: LabelPair
) -> tuple[ItemBehind, ...]:
    """Return the items of the random draw, labelled blind, to which judge and person gave these labels in a field. One
    entry per person, without items that the viewer is labelling blind. Each is recorded as an exposure. `run_id` may
    be its number. Raises Missing without such a run."""
    section, block, field = place
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
        items = [
            (item, each.judge.number)
            for each, item in blind_labels(r, row).items.get(key, ())
            if each.section is section
            and (each.judge.label(block, field), each.person.label(block, field)) == labels
            and not has_earlier_meaning(place, each.judge, each.person)
        ]
        return _record_and_show(r, items)


def judge_and_judge(
    viewer: Viewer, run_id: str, variant: AnswerVariant, judges: tuple[str, str], place: Place, labels: LabelPair
) -> tuple[ItemBehind, ...]:
    """Return the items of a variant's answers to which two judges gave these labels in a field, without repeats.
    Otherwise like `judge_and_people`."""
    section, block, field = place
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
        names = judge_names(row)
        items = [
            (names[each.model, each.variant], str(each.facts["answer"]), each)
            for each in stored.judge_items(r.session, row.id, JUDGE)
            if not each.repeat and not is_control(each.facts) and section_of(each) is section
            if ANSWER_VARIANTS[each.facts["asked"]] == variant
        ]
        wording = wording_of(row.manifest)
        other = {
            answer: verdict_of(each, wording=wording).by_number for name, answer, each in items if name == judges[1]
        }
        matching = [
            (each, number)
            for name, answer, each in items
            if name == judges[0]
            for number, first in verdict_of(each, wording=wording).by_number.items()
            for second in [other.get(answer, {}).get(number)]
            if second is not None
            and (first.label(block, field), second.label(block, field)) == labels
            and not has_earlier_meaning(place, first, second)
        ]
        return _record_and_show(r, matching)


def _record_and_show(r: ReadContext, items: Iterable[tuple[JudgeItem, int | None]]) -> tuple[ItemBehind, ...]:
    shown = []
    hidden = withheld(r).samples
    for item, number in items:
        if item.sample_id in hidden:
            continue
        assert number is not None, "only numbered items are labelled"
        section = section_of(item)
        r.record_exposure(look_key(str(item.facts["answer"]), section.value, number), "verdict")
        shown.append(
            ItemBehind(
                item_id=item.item_id,
                number=number,
                title=str(item.facts.get("title") or item.facts["paper"]),
                name=" → ".join(graphs_of(item).names_of(section)[number - 1]),
            )
        )
    return tuple(shown)
