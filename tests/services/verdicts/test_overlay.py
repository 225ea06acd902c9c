"""The picture of both graphs: which nodes are one, and what of a judge it may show."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlmodel import select

from core.errors import BadInput, Refused
from core.verdicts.counterparts import LinkedBy, NodeLink
from core.verdicts.labels import Section
from core.verdicts.review import DrawnBy
from services.queue.work import resume, skip
from services.study import Study
from services.verdicts import acts, claims, overlay, reading, samples
from services.verdicts.reading import SheetView
from services.verdicts.work_kind import SHEETS
from store.runs import reviewed_verdicts as stored
from store.tables import EventRow
from tests.services.run_parts import act
from tests.services.verdicts.handmade import MILL, Case, bring_case
from tests.services.verdicts.reviewing import again, compare, label, rule, take

QINBA = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "cld" / "recite_qinba_case.json"
NODES, FOUND = (Section.NODE_PRECISION, Section.NODE_RECALL), ("matched", "missed", "spurious")


def draw(people: SimpleNamespace, run_id: str) -> None:
    samples.draw(people.researcher, run_id, DrawnBy.RANDOM, 100, 1, **act())


def take_section(viewer: Any, section: Section) -> SheetView:
    """Take sheets until one is of this section."""
    while (view := take(viewer)).section is not section:
        skip(viewer, SHEETS, view.assignment_id, "another section", seen=view.version, **act())
    return view


def chosen(study: Study, viewer: Any, run_id: str, section: Section) -> SheetView:
    with study.store.reading() as session:
        item = next(
            each for each in stored.judge_items(session, run_id, "judge") if each.facts["section"] == section.value
        )
    return reading.sheet(viewer, claims.choose(viewer, item.item_id, 1, **act()).subject_id)


def counts(view: SheetView) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """(matched, missed, spurious) of nodes and of edges; missed is of the truth, the others of the prediction."""
    found = []
    for precision, recall in (NODES, (Section.EDGE_PRECISION, Section.EDGE_RECALL)):
        many = Counter(state.value for state in view.states[precision].values())
        missed = Counter(state.value for state in view.states[recall].values())
        assert many["matched"] == missed["matched"]
        found.append((many["matched"], missed["missed"], many["spurious"]))
    return found[0], found[1]


def link(who: Any, view: SheetView, truth: int, answer: int, is_one: bool = True) -> SheetView:
    acts.counterpart(who, view.assignment_id, truth, answer, is_one, seen=again(who, view).version, **act())
    return again(who, view)


def test_a_judges_counterparts_and_states_are_shown_when_their_item_is_compared(
    study: Study, people: SimpleNamespace
) -> None:
    draw(people, bring_case(people.owner, MILL))
    view = take_section(people.reviewer, Section.NODE_PRECISION)
    maybe = NodeLink(2, 3, LinkedBy.MAYBE, False)
    assert (view.states, view.links) == ({}, (maybe,))
    seen = compare(people.reviewer, label(people.reviewer, view, 1), 1)
    assert {number: state.value for number, state in seen.states[view.section].items()} == {1: "spurious"}
    assert seen.links == (maybe,)
    last = compare(people.reviewer, label(people.reviewer, view, 3), 3)
    assert {number: state.value for number, state in last.states[view.section].items()} == {1: "spurious", 3: "matched"}
    assert last.links == (NodeLink(2, 3, LinkedBy.JUDGE, True),)
    assert list(last.states) == [view.section], "nothing of the other sections"


@pytest.mark.both(usually=False)
def test_a_counterpart_is_ones_own_goes_before_the_judges_and_is_taken_back(
    study: Study, people: SimpleNamespace
) -> None:
    run_id = bring_case(people.owner, MILL)
    mine, theirs = (chosen(study, who, run_id, Section.NODE_RECALL) for who in (people.reviewer, people.researcher))
    seen = link(people.reviewer, mine, 2, 1)
    assert NodeLink(2, 1, LinkedBy.YOU, True) in seen.links
    assert again(people.researcher, theirs).links == theirs.links
    other = chosen(study, people.reviewer, run_id, Section.EDGE_RECALL)
    assert NodeLink(2, 1, LinkedBy.YOU, True) in other.links, "it holds for the answer, not for one sheet"
    assert link(people.reviewer, mine, 2, 1, is_one=False).links == mine.links
    for truth, answer in ((5, 1), (0, 1), (1, 4)):
        with pytest.raises(BadInput, match="there is no node"):
            link(people.reviewer, mine, truth, answer)
    with pytest.raises(Refused, match="someone else"):
        link(people.researcher, mine, 1, 1)
    with study.store.reading() as session:
        told = session.exec(select(EventRow).where(EventRow.act == "verdict.counterpart")).all()
    assert [(each.payload["before"], each.payload["after"]) for each in told] == [(False, True), (True, False)]


def test_the_whole_verdict_is_shown_when_asked_for_and_ends_blindness(study: Study, people: SimpleNamespace) -> None:
    run_id = bring_case(people.owner, MILL)
    draw(people, run_id)
    blind = take_section(people.reviewer, Section.EDGE_PRECISION)
    with pytest.raises(Refused, match="Compare every item"):
        overlay.show_whole(people.reviewer, blind.assignment_id)
    view = chosen(study, people.reviewer, run_id, Section.EDGE_RECALL)
    assert view.may_show_whole and not view.is_whole
    assert list(again(people.reviewer, blind).states) == [Section.EDGE_RECALL], "of what was looked at, item 1 alone"
    with pytest.raises(Refused, match="You are labelling a sheet"):  # the other one, of the same answer
        overlay.show_whole(people.reviewer, view.assignment_id)
    skip(people.reviewer, SHEETS, blind.assignment_id, "later", seen=again(people.reviewer, blind).version, **act())
    overlay.show_whole(people.reviewer, view.assignment_id)
    whole = again(people.reviewer, view)
    assert whole.is_whole and not whole.may_show_whole
    assert counts(whole) == ((1, 3, 2), (0, 3, 2))
    assert whole.links == (NodeLink(2, 3, LinkedBy.JUDGE, True),)
    with pytest.raises(Refused, match="a judge said"):
        resume(people.reviewer, SHEETS, blind.assignment_id, **act())


def test_an_override_changes_the_state_on_the_picture(study: Study, people: SimpleNamespace) -> None:
    view = chosen(study, people.reviewer, bring_case(people.owner, MILL), Section.EDGE_RECALL)
    assert view.states[view.section][1].value == "missed"
    said = {"item.presence_label": "PRESENCE_WEAK_MATCH", "item.directionality_label": "DIRECTION_REVERSED"}
    label(people.reviewer, view, 1, said)
    assert rule(people.reviewer, view, acts.keep_mine, 1, "too harsh").states[view.section][1].value == "reversed"


def test_the_published_case_gives_its_three_figures(study: Study, people: SimpleNamespace) -> None:
    """ReCITE, figure 5 of the later text: nodes 1 matched, 3 missed, 2 spurious; edges 0, 3, 2."""
    if not QINBA.exists():
        pytest.skip(f"{QINBA} is not on this machine")
    said = json.loads(QINBA.read_text(encoding="utf-8"))
    truth = [
        (each["source"], each["sink"]) for each in said["ground_truth"]["edges"] if "County GDP" not in each.values()
    ]
    answer = [(each["source"], each["sink"]) for each in said["prediction_r1"]["edges"]]
    nodes = [sorted({name for pair in pairs for name in pair}) for pairs in (truth, answer)]
    ((mine, meant),) = said["alignment_r1"].items()
    here, there = nodes[1].index(mine) + 1, nodes[0].index(meant) + 1
    case = Case(
        truth=truth,
        answer=answer,
        matches={(Section.NODE_PRECISION, here): [there], (Section.NODE_RECALL, there): [here]},
    )
    view = chosen(study, people.reviewer, bring_case(people.owner, case), Section.NODE_RECALL)
    assert NodeLink(there, here, LinkedBy.MAYBE, False) in view.links, "the names are alike"
    overlay.show_whole(people.reviewer, view.assignment_id)
    whole = again(people.reviewer, view)
    assert counts(whole) == ((1, 3, 2), (0, 3, 2))
    assert NodeLink(there, here, LinkedBy.JUDGE, True) in whole.links
