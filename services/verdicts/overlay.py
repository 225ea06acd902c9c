"""States of nodes and edges by a verdict, and pairs of matching nodes, for the picture of both graphs.

Contains only the judge's labels that the viewer was shown: items they compared, exposures elsewhere, and the whole
verdict once they requested it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from core.errors import Refused
from core.people import Permission, Viewer
from core.verdicts.counterparts import NodeLink, Pair, links_of, maybe, of_edge, of_node, same_names
from core.verdicts.labels import PRECISION, Section
from core.verdicts.overlay import MatchState, states_of
from core.verdicts.review import DrawnBy
from core.verdicts.verdict import VerdictItem
from protocols.recite.judge.numbered import JudgedGraphs
from protocols.replies.quotes import COUNTERPARTS
from services.acting import ReadContext, consulting
from services.queue.work import get_own
from services.runs.judge_exposure import OPEN_SHEET, look_key, withheld
from services.verdicts.acts import OwnSheet, sheet_of
from services.verdicts.judge_items import judge_item, section_of, seen_in
from services.verdicts.reviewed import reviewed_verdict
from services.verdicts.work_kind import SHEETS
from store.graphs import exposures
from store.runs import reviewed_verdicts as stored
from store.runs.reviewed_verdicts import JudgeItem


@dataclass(frozen=True, slots=True)
class VerdictOverlay:
    """Fields of a `SheetView`."""

    states: Mapping[Section, Mapping[int, MatchState]]
    links: tuple[NodeLink, ...]
    near: tuple[Pair, ...]
    is_whole: bool


def overlay_of(
    r: ReadContext, own_sheet: OwnSheet, item: JudgeItem, graphs: JudgedGraphs, shown: Collection[int]
) -> VerdictOverlay:
    """Return the overlay. `shown`: numbers of the sheet's section whose judge's labels are shown on it."""
    sheet = own_sheet.sheet
    states: dict[Section, Mapping[int, MatchState]] = {}
    judged: list[Pair] = []
    visible = _visible_sections(r, own_sheet, item, shown)
    for each, numbers in visible:
        section = section_of(each)
        rows = stored.overrides(r.session, [each.item_id]).get(each.item_id, [])
        verdict_items = reviewed_verdict(each, rows).by_number
        left = (
            verdict_items
            if numbers is None
            else {number: verdict_items[number] for number in sorted(verdict_items) if number in numbers}
        )
        states[section] = states_of(section, left.values())
        judged += _pairs(each, graphs, left)
    near = _similar_names(graphs.truth.nodes, graphs.answer.nodes)
    truths = {name: number for number, name in enumerate(graphs.truth.nodes, 1)}
    answers = {name: number for number, name in enumerate(graphs.answer.nodes, 1)}
    own_pairs = [
        (truths[truth], answers[answer])
        for truth, answer in stored.counterparts(r.session, sheet.answer, r.viewer.person_id)
        if truth in truths and answer in answers
    ]
    same = [(truth, answer) for answer, truth in same_names(graphs.truth.nodes, graphs.answer.nodes).items()]
    is_whole = len(visible) == len(Section) and all(numbers is None for _, numbers in visible)
    return VerdictOverlay(states, tuple(links_of(own_pairs, judged, near, same)), near, is_whole)


def _visible_sections(
    r: ReadContext, own_sheet: OwnSheet, item: JudgeItem, shown: Collection[int]
) -> list[tuple[JudgeItem, Collection[int] | None]]:
    """Return the judge's sections of the answer, each with the numbers that may be shown; None means all."""
    sheet, facts = own_sheet.sheet, item.facts
    looked = exposures.looked_at(r.session, r.viewer.person_id, "verdict")
    numbers_of: dict[str, Collection[int] | None] = {}
    for section in Section:
        seen = seen_in(r.session, looked, sheet.answer, section.value)
        numbers = seen if seen is None or section is not own_sheet.section else {*seen, *shown}
        if numbers is None or numbers:
            numbers_of[section.value] = numbers
    if set(numbers_of) <= {own_sheet.section.value}:
        items = [item] if numbers_of else []
    else:
        keys = [f"{facts['answer']}/{section}" for section in numbers_of]
        section_items = stored.sections_of(r.session, item.run_id, keys, item.model, item.repeat)
        items = [each for each in section_items if each.status == "answered"]
    return [(each, numbers_of[each.facts["section"]]) for each in items]


def may_show_whole(own_sheet: OwnSheet, numbers_shown: Collection[int]) -> bool:
    """Return whether no item of the sheet is left to be labelled blind."""
    return own_sheet.sheet.drawn_by == DrawnBy.CHOSEN or set(own_sheet.sheet.numbers) <= set(numbers_shown)


def show_whole(viewer: Viewer, assignment_id: str) -> None:
    """Show all that the judge said of the answer on its picture, from now on. Recorded as an exposure to its four
    sections, so that labels of them are no longer blind. Raises Missing, Refused for another person's sheet, while
    items are not compared, and while another open sheet is about this answer."""
    with consulting(viewer, Permission.VERDICT) as r:
        own_sheet = sheet_of(r, get_own(r, SHEETS, assignment_id))
        compared = [number for number in own_sheet.sheet.numbers if own_sheet.is_compared(number)]
        if not may_show_whole(own_sheet, compared):
            raise Refused("Compare every item of this sheet first; then the whole verdict can be shown.")
        refuse_other_sheets(r, own_sheet, judge_item(r.session, own_sheet.sheet.item_id), Section)
        for section in Section:
            r.record_exposure(look_key(own_sheet.sheet.answer, section.value), "verdict")


def refuse_other_sheets(r: ReadContext, own_sheet: OwnSheet, item: JudgeItem, shown: Iterable[Section]) -> None:
    """Raise Refused if another open sheet of the viewer is about one of these sections of the same answer."""
    keys = [look_key(own_sheet.sheet.answer, section.value) for section in shown]
    section_items = stored.sections_of(r.session, item.run_id, keys, item.model, item.repeat)
    if not withheld(r).samples.isdisjoint(each.sample_id for each in section_items):
        raise Refused(OPEN_SHEET)


def _pairs(item: JudgeItem, graphs: JudgedGraphs, items: Mapping[int, VerdictItem]) -> list[Pair]:
    section = section_of(item)
    raw = {each[section.number_key]: each.get(COUNTERPARTS, ()) for each in reversed(item.parsed["items"])}
    other = graphs.truth if section in PRECISION else graphs.answer
    pairs: list[Pair] = []
    for number, verdict_item in items.items():
        counterparts = raw.get(number, ())
        if section.is_of_nodes:
            pairs += of_node(section, number, counterparts, len(other.nodes))
        elif number <= len(graphs.edges_of(section)):
            edge = graphs.edges_of(section)[number - 1]
            names = graphs.truth.nodes, graphs.answer.nodes
            pairs += of_edge(section, edge, counterparts, verdict_item.labels, other.edges, names)
    return pairs


@lru_cache(maxsize=16)  # every act draws the same graphs again
def _similar_names(truth: tuple[str, ...], answer: tuple[str, ...]) -> tuple[Pair, ...]:
    return tuple(maybe(truth, answer))
