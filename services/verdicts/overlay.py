"""What a picture of both graphs shows of a verdict: states of nodes and edges, and which nodes are one.

Of a judge there is only what this person was shown before: items they compared, what they saw elsewhere, and the
whole verdict once they asked for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from core.errors import Refused
from core.people import May, Viewer
from core.verdicts.counterparts import NodeLink, Pair, links_of, maybe, of_edge, of_node, same_names
from core.verdicts.labels import PRECISION, Section
from core.verdicts.overlay import MatchState, states_of
from core.verdicts.review import DrawnBy
from core.verdicts.verdict import VerdictItem
from protocols.recite.judge.numbered import JudgedGraphs
from protocols.replies.quotes import COUNTERPARTS
from services.acting import Reading, consulting
from services.queue.work import get_own
from services.runs.judge_looks import OPEN_SHEET, look_key, withheld
from services.verdicts.acts import OwnSheet, sheet_of
from services.verdicts.judge_items import judge_item, section_of, seen_by
from services.verdicts.reviewed import reviewed_verdict
from services.verdicts.work_kind import SHEETS
from store.runs import reviewed_verdicts as stored
from store.runs.reviewed_verdicts import JudgeItem


@dataclass(frozen=True, slots=True)
class VerdictOverlay:
    """As `SheetView` has them."""

    states: Mapping[Section, Mapping[int, MatchState]]
    links: tuple[NodeLink, ...]
    near: tuple[Pair, ...]
    is_whole: bool


def overlay_of(
    r: Reading, mine: OwnSheet, item: JudgeItem, graphs: JudgedGraphs, shown: Collection[int]
) -> VerdictOverlay:
    """`shown`: numbers of the sheet's section of which the judge's labels are shown on it."""
    sheet = mine.sheet
    states: dict[Section, Mapping[int, MatchState]] = {}
    judged: list[Pair] = []
    visible = _visible(r, mine, item, shown)
    for each, numbers in visible:
        section = section_of(each)
        rows = stored.overrides(r.session, [each.item_id]).get(each.item_id, [])
        found = reviewed_verdict(each, rows).by_number
        left = found if numbers is None else {number: found[number] for number in sorted(found) if number in numbers}
        states[section] = states_of(section, left.values())
        judged += _pairs(each, graphs, left)
    near = _near(graphs.truth.nodes, graphs.answer.nodes)
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


def _visible(
    r: Reading, mine: OwnSheet, item: JudgeItem, shown: Collection[int]
) -> list[tuple[JudgeItem, Collection[int] | None]]:
    """Sections of the answer by this judge, each with the numbers that may be shown; None: all."""
    sheet, facts = mine.sheet, item.facts
    wanted: dict[str, Collection[int] | None] = {}
    for section in Section:
        seen = seen_by(r, r.viewer.person_id, sheet.answer, section.value)
        numbers = seen if seen is None or section is not mine.section else {*seen, *shown}
        if numbers is None or numbers:
            wanted[section.value] = numbers
    if set(wanted) <= {mine.section.value}:
        there = [item] if wanted else []
    else:
        keys = [f"{facts['answer']}/{section}" for section in wanted]
        found = stored.sections_of(r.session, item.run_id, keys, item.model, item.repeat)
        there = [each for each in found if each.status == "answered"]
    return [(each, wanted[each.facts["section"]]) for each in there]


def may_show_whole(mine: OwnSheet, numbers_shown: Collection[int]) -> bool:
    """Whether nothing of the sheet is left to be labelled blind."""
    return mine.sheet.drawn_by == DrawnBy.CHOSEN or set(mine.sheet.numbers) <= set(numbers_shown)


def show_whole(viewer: Viewer, assignment_id: str) -> None:
    """See all that judges said of the answer of one's own sheet, on its picture, from now on: a look at its four
    sections, so that labels of them are no blind ones any more. Raises Missing, or Refused for somebody else's,
    while items of the sheet are not compared, and while another open sheet is about this answer."""
    with consulting(viewer, May.VERDICT) as r:
        mine = sheet_of(r, get_own(r, SHEETS, assignment_id))
        compared = [number for number in mine.sheet.numbers if mine.is_compared(number)]
        if not may_show_whole(mine, compared):
            raise Refused("Compare every item of this sheet first; then the whole verdict can be shown.")
        refuse_other_sheets(r, mine, judge_item(r.session, mine.sheet.item_id), Section)
        for section in Section:
            r.look_at(look_key(mine.sheet.answer, section.value), "verdict")


def refuse_other_sheets(r: Reading, mine: OwnSheet, item: JudgeItem, shown: Iterable[Section]) -> None:
    """Raises Refused where another open sheet of the viewer is about one of these sections of the same answer."""
    keys = [look_key(mine.sheet.answer, section.value) for section in shown]
    there = stored.sections_of(r.session, item.run_id, keys, item.model, item.repeat)
    if not withheld(r).samples.isdisjoint(each.sample_id for each in there):
        raise Refused(OPEN_SHEET)


def _pairs(item: JudgeItem, graphs: JudgedGraphs, items: Mapping[int, VerdictItem]) -> list[Pair]:
    section = section_of(item)
    raw = {each[section.number_key]: each.get(COUNTERPARTS, ()) for each in reversed(item.parsed["items"])}
    other = graphs.truth if section in PRECISION else graphs.answer
    found: list[Pair] = []
    for number, said in items.items():
        counterparts = raw.get(number, ())
        if section.is_of_nodes:
            found += of_node(section, number, counterparts, len(other.nodes))
        elif number <= len(graphs.edges_of(section)):
            edge = graphs.edges_of(section)[number - 1]
            names = graphs.truth.nodes, graphs.answer.nodes
            found += of_edge(section, edge, counterparts, said.labels, other.edges, names)
    return found


@lru_cache(maxsize=16)  # every act draws the same graphs again
def _near(truth: tuple[str, ...], answer: tuple[str, ...]) -> tuple[Pair, ...]:
    return tuple(maybe(truth, answer))
