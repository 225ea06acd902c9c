"""Steps come in an order in which each finds what it takes, or it is said why there is none."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.steps import GroupState, Span, Step, StepKind, in_order, may_begin


def step(name: str, *takes: str, kind: StepKind = StepKind.MAKE, rounds: int = 1) -> Step:
    return Step(name=name, title=name.title(), kind=kind, takes=takes, rounds=rounds)


def names(steps: tuple[Step, ...] | list[Step]) -> list[str]:
    return [each.name for each in steps]


PIPELINE = [
    step("raw", "files"),
    step("markdown", "raw"),
    step("guards", "raw", "markdown"),
    step("normalise", "markdown", "guards", "figures"),
    step("explicitness", "normalise"),
]


def test_steps_come_after_what_they_take() -> None:
    assert in_order(PIPELINE, sources=["files", "figures"]) == tuple(PIPELINE)
    assert names(in_order(PIPELINE[::-1], sources=["files", "figures"])) == names(PIPELINE)
    assert in_order([]) == ()


def test_steps_that_are_free_keep_their_order() -> None:
    assert names(in_order([step("d", "b"), step("c"), step("b"), step("a")])) == ["c", "b", "d", "a"]


def test_a_name_taken_twice_is_waited_for_once() -> None:
    assert names(in_order([step("b", "a", "a"), step("a")])) == ["a", "b"]


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([step("a"), step("b"), step("a")], "The name “a” is that of two steps; each step needs a name of its own."),
        ([step("files")], "The name “files” is that of a source; each step needs a name of its own."),
        ([step("a", "c"), step("b")], "Step “a” takes “c”, which is none of a, b, files."),
        ([step("a", "a")], "Steps take each other's values in a circle: a → a."),
        ([step("x", "files"), step("a", "x", "b"), step("b", "c"), step("c", "a")], "in a circle: a → b → c → a."),
        ([step("z", "a"), step("a", "b"), step("b", "a")], "in a circle: a → b → a."),
    ],
)
def test_steps_without_an_order_are_refused_by_name(steps: list[Step], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        in_order(steps, sources=["files"])


def test_a_step_has_a_name_and_rounds_that_its_kind_can_have() -> None:
    assert step("a", kind=StepKind.ASK, rounds=6).span is Span.EACH
    with pytest.raises(ValueError, match="A step needs a name; the one titled “Answers” has none"):
        Step(name="", title="Answers", kind=StepKind.ASK)
    for kind, rounds in ((StepKind.MAKE, 2), (StepKind.EMBED, 2), (StepKind.DECIDE, 3), (StepKind.ASK, 0)):
        with pytest.raises(ValueError, match=f"Step “a” has {rounds} rounds; expected 1"):
            step("a", kind=kind, rounds=rounds)


@pytest.mark.parametrize("state", GroupState)
def test_a_group_begins_when_all_that_it_takes_is_done(state: GroupState) -> None:
    taking = step("b", "a", "files")
    assert may_begin(taking, {"a": [GroupState.DONE, state], "files": ()}) is (state is GroupState.DONE)


def test_a_group_waits_for_a_step_that_is_not_laid_out_yet() -> None:
    assert not may_begin(step("b", "a", "files"), {"files": ()})
    assert may_begin(step("b", "a"), {"a": ()})
    assert may_begin(step("b"), {})


@st.composite
def shuffled(draw: st.DrawFn) -> list[Step]:
    """Steps that take earlier ones and sources, in any order."""
    made: list[Step] = []
    for number in range(draw(st.integers(0, 8))):
        known = [*names(made), "files"]
        made.append(step(f"s{number}", *draw(st.lists(st.sampled_from(known), max_size=4))))
    return draw(st.permutations(made))


@given(shuffled())
def test_each_step_comes_after_what_it_takes_and_no_earlier_than_it_must(steps: list[Step]) -> None:
    ordered = in_order(steps, sources={"files"})
    assert sorted(names(ordered)) == sorted(names(steps))
    for place, each in enumerate(ordered):
        before = {*names(ordered[:place]), "files"}
        assert set(each.takes) <= before
        # Of those that could come here, the first of the order given does.
        could = [other for other in steps if other.name not in before and set(other.takes) <= before]
        assert each is could[0]
    assert in_order(ordered, sources={"files"}) == ordered


@given(shuffled().filter(bool), st.data())
def test_every_cycle_is_found_and_named(steps: list[Step], data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(steps), min_size=1, unique=True))
    following = {each.name: other.name for each, other in zip(chosen, [*chosen[1:], chosen[0]], strict=True)}
    spoilt = [step(each.name, *each.takes, following[each.name]) if each.name in following else each for each in steps]
    with pytest.raises(ValueError, match="in a circle") as error:
        in_order(spoilt, sources={"files"})
    way = str(error.value).rpartition(": ")[2].removesuffix(".").split(" → ")
    takes = {each.name: each.takes for each in spoilt}
    assert way[0] == way[-1]
    assert len(set(way)) == len(way) - 1
    assert all(after in takes[before] for before, after in pairwise(way))
