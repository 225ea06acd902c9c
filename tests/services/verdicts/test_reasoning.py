"""What a judge wrote: never of an item that its reviewer has not compared, and quotes only where they stand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from sqlmodel import select

from core.errors import BadInput, Refused
from core.verdicts.labels import Section
from core.verdicts.marks import MarkKind
from services.study import Study
from services.verdicts.reasoning import NOTHING_OF_IT, reasoning
from store.tables.runs import ReplyRow
from tests.services.verdicts.handmade import MILL, bring_case
from tests.services.verdicts.reviewing import again, compare, label, of
from tests.services.verdicts.test_overlay import chosen, draw, take_section

SECOND = "Node 2: the truth has no carts, and the text says “Nobody counts the carts”."
THIRD = "Node 3 is the grain, as in “Grain delivered to the mill” and in “grain by the cartload of old”."
CASE = replace(
    MILL,
    reasoning=f"Node precision\nNode 1: not there.\n{SECOND}\n{THIRD}\nNodes 1 and 2 are alike.\n\n"
    "Node recall\nNode 2: yes.",
    more={(Section.NODE_PRECISION, 3): {"evidence": ["Grain delivered to the mill", "a quote of nothing"]}},
)


def test_what_a_judge_wrote_is_shown_with_its_item_and_whole_at_the_end(study: Study, people: SimpleNamespace) -> None:
    draw(people, bring_case(people.owner, CASE))
    view = take_section(people.reviewer, Section.NODE_PRECISION)
    for number in (2, None):
        with pytest.raises(Refused, match="compared"):
            reasoning(people.reviewer, view.assignment_id, number)
    assert [each.evidence for each in view.items] == [(), (), ()]
    compare(people.reviewer, label(people.reviewer, view, 2), 2)
    assert reasoning(people.reviewer, view.assignment_id, 2) == SECOND
    assert [number for number in (1, 3) if of(again(people.reviewer, view), number).evidence] == []
    with pytest.raises(Refused, match="item 3"):
        reasoning(people.reviewer, view.assignment_id, 3)
    with pytest.raises(BadInput, match="no item 4"):
        reasoning(people.reviewer, view.assignment_id, 4)
    with pytest.raises(Refused, match="someone else"):
        reasoning(people.researcher, view.assignment_id, 2)
    for number in (1, 3):
        compare(people.reviewer, label(people.reviewer, view, number), number)
    whole = reasoning(people.reviewer, view.assignment_id)
    assert CASE.reasoning is not None
    assert CASE.reasoning in whole and "PRESENCE_STRONG_MATCH" in whole
    # The reply held all four sections, so labels of the others are no blind ones after that.
    other = take_section(people.researcher, Section.NODE_RECALL)
    assert other.states == {}
    assert len(again(people.reviewer, view).states) == len(Section)


def test_a_thought_that_stands_in_the_reply_too_is_said_once(sqlite_study: Study, people: SimpleNamespace) -> None:
    draw(people, bring_case(people.owner, CASE))
    with sqlite_study.store.writing() as session:
        (reply,) = [each for each in session.exec(select(ReplyRow)) if each.reasoning]
        reply.text = f"[THINK]{reply.reasoning}[/THINK]\n{reply.text}"
        session.add(reply)
    view = take_section(people.reviewer, Section.NODE_PRECISION)
    for number in (1, 2, 3):
        compare(people.reviewer, label(people.reviewer, view, number), number)
    assert reasoning(people.reviewer, view.assignment_id, 2) == SECOND
    whole = reasoning(people.reviewer, view.assignment_id)
    assert whole.count(SECOND) == 1 and "PRESENCE_STRONG_MATCH" in whole and "THINK" not in whole


def test_quotes_of_evidence_and_reasoning_are_marked_and_those_of_nothing_are_told(
    study: Study, people: SimpleNamespace
) -> None:
    draw(people, bring_case(people.owner, CASE))
    view = take_section(people.reviewer, Section.NODE_PRECISION)
    seen = of(compare(people.reviewer, label(people.reviewer, view, 3), 3), 3)
    found = {quote: None if place is None else (place.kind, place.start) for quote, place in seen.evidence}
    assert found == {
        "Grain delivered to the mill": (MarkKind.QUOTE, CASE.text.index("Grain delivered")),
        "a quote of nothing": None,
        "grain by the cartload of old": None,
    }
    other = of(compare(people.reviewer, label(people.reviewer, view, 2), 2), 2)
    ((quote, place),) = other.evidence
    assert place is not None and (quote, place.kind) == ("Nobody counts the carts", MarkKind.REASONED)


def test_a_judge_that_wrote_nothing_says_so(study: Study, people: SimpleNamespace) -> None:
    view = chosen(study, people.reviewer, bring_case(people.owner, MILL), Section.EDGE_RECALL)
    assert reasoning(people.reviewer, view.assignment_id, 1) == NOTHING_OF_IT
