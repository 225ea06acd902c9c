"""Which groups can be laid out and may begin: each key goes its own way, and the whole run waits for all."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from core.runs.flow import Flow, Group, numbered, part_taken, parted
from core.steps import GroupState, Span, Step, StepKind, in_order

ASK = Step(name="ask", title="", kind=StepKind.ASK, takes=("texts",), span=Span.GROUP)
EACH = Step(name="each", title="", kind=StepKind.ASK, takes=("ask",))
JOIN = Step(name="join", title="", kind=StepKind.MAKE, takes=("ask", "each"), span=Span.GROUP)
WHOLE = Step(name="whole", title="", kind=StepKind.MAKE, takes=("join",), span=Span.ALL)
AFTER = Step(name="after", title="", kind=StepKind.ASK, takes=("whole",), span=Span.GROUP)
STEPS = (ASK, EACH, JOIN, WHOLE, AFTER)


def flow(said: Mapping[tuple[str, str], GroupState], gives: Mapping[tuple[str, str], Sequence[str]]) -> Flow:
    """Groups by (step, key), and the keys of what they give; without a word, one value of their own key."""
    groups = [Group(f"{step}|{key}", step, key, state) for (step, key), state in said.items()]

    def slot_keys(ids: Collection[str]) -> dict[str, Sequence[str]]:
        found = {}
        for each in ids:
            step, _, key = each.partition("|")
            found[each] = gives.get((step, key), (parted(key, Span.EACH)[0],))
        return found

    return Flow(STEPS, groups, slot_keys)


TEXTS = {("texts", "p"): GroupState.DONE, ("texts", "q"): GroupState.DONE}


def test_keys_of_values_and_groups_can_be_told_apart() -> None:
    for key in ("p", "p#2", "p#2#1", "", "#", "a#b", "10.1000/x#12"):
        names = [numbered(key, number) for number in range(1, 4)]
        assert [parted(name, Span.EACH) for name in names] == [(key, 1), (key, 2), (key, 3)]
    assert len({numbered(key, number) for key in ("p", "p#1", "p#2") for number in range(1, 9)}) == 24


def test_a_step_is_laid_out_by_the_keys_of_what_it_takes() -> None:
    assert flow(TEXTS, {}).new_groups() == [("ask", "p"), ("ask", "q")]


def test_one_key_goes_on_while_another_is_open() -> None:
    said = {**TEXTS, ("ask", "p"): GroupState.DONE, ("ask", "q"): GroupState.OPEN}
    found = flow(said, {("ask", "p"): ("p", "p", "p")})
    assert found.new_groups() == [("each", "p"), ("each", "p#2"), ("each", "p#3")]


def test_a_group_of_two_steps_waits_for_every_group_of_its_key_and_a_blocked_one_holds_up_its_own_only() -> None:
    done, blocked = GroupState.DONE, GroupState.BLOCKED
    said = {**TEXTS, **{("ask", key): done for key in "pq"}, ("each", "p"): done, ("each", "p#2"): GroupState.OPEN}
    gives = {("ask", "p"): ("p", "p"), ("ask", "q"): ("q", "q")}
    assert flow({**said, ("each", "q"): done, ("each", "q#2"): done}, gives).new_groups() == [("join", "q")]
    assert flow({**said, ("each", "q"): blocked, ("each", "q#2"): done, ("each", "p#2"): done}, gives).new_groups() == [
        ("join", "p")
    ]


def test_what_is_over_the_whole_run_waits_for_all_of_it_and_what_was_laid_out_is_not_again() -> None:
    done = GroupState.DONE
    said = {**TEXTS, **{(step, key): done for step in ("ask", "each", "join") for key in "pq"}}
    assert flow(said, {}).new_groups() == [("whole", "")]
    assert flow({**said, ("join", "q"): GroupState.BLOCKED}, {}).new_groups() == []
    del said["join", "q"]  # not laid out yet, though what it takes is there
    assert flow(said, {}).new_groups() == [("join", "q")]


def test_a_step_that_made_nothing_of_a_key_is_waited_for_no_longer() -> None:
    done = GroupState.DONE
    said = {**TEXTS, **{(step, "p"): done for step in ("ask", "each", "join")}, ("ask", "q"): done}
    assert flow(said, {("ask", "q"): ()}).new_groups() == [("whole", "")]


def test_the_whole_run_gives_to_any_key_and_the_empty_key_is_everybodys() -> None:
    done = GroupState.DONE
    said = {**TEXTS, **{(step, key): done for step in ("ask", "each", "join") for key in "pq"}, ("whole", ""): done}
    assert flow(said, {("whole", ""): ("new", "p", "p")}).new_groups() == [("after", "new"), ("after", "p")]
    assert flow(said, {("whole", ""): ("", "p")}).new_groups() == [("after", "p")]
    assert flow(said, {("whole", ""): ("",)}).new_groups() == [("after", "")]
    assert flow(said, {("whole", ""): ()}).new_groups() == []


def test_takers_of_a_group_are_those_of_its_key_and_of_the_whole_run() -> None:
    blocked = GroupState.BLOCKED
    said = {**TEXTS, ("join", "p"): blocked, ("join", "q"): blocked, ("each", "p#2"): blocked, ("whole", ""): blocked}
    takers = flow(said, {}).takers(Group("", "ask", "p", GroupState.DONE))
    assert [(each.step, each.key) for each in takers] == [("each", "p#2"), ("join", "p")]
    whole = flow(said, {}).takers(Group("", "join", "q", GroupState.DONE))
    assert [(each.step, each.key) for each in whole] == [("whole", "")]


CANDIDATES = Step(name="find", title="", kind=StepKind.MAKE, takes=("texts",), span=Span.GROUP)
PEOPLE = Step(name="people", title="", kind=StepKind.DECIDE, takes=("find",), asks_of=("tie",))
PAPER = Step(name="paper", title="", kind=StepKind.ASK, takes=("texts",))
LOCAL = Step(name="local", title="", kind=StepKind.ASK, takes=("people", "paper"), beside=("people",))
LAST = Step(name="last", title="", kind=StepKind.MAKE, takes=("local", "people"), beside=("local", "people"))


def beside(said: Mapping[tuple[str, str], GroupState], gives: Mapping[tuple[str, str], Sequence[str]]) -> Flow:
    found = flow(said, gives)
    groups = [each for some in found._groups.values() for of in some.values() for each in of]
    return Flow((CANDIDATES, PEOPLE, PAPER, LOCAL, LAST), groups, found._slot_keys)


THREE = {
    ("texts", "p"): GroupState.DONE,
    ("find", "p"): GroupState.DONE,
    **{("people", key): GroupState.DONE for key in ("p", "p#3")},
    ("people", "p#2"): GroupState.DECIDING,
}
GIVES = {("find", "p"): ("p", "p", "p")}


def test_a_group_beside_another_is_laid_out_when_that_one_is_done_whatever_the_others_wait_for() -> None:
    paper = {**THREE, ("paper", "p"): GroupState.DONE}
    assert beside(paper, GIVES).new_groups() == [("local", "p"), ("local", "p#3")]
    said = {**paper, ("local", "p"): GroupState.DONE, ("local", "p#3"): GroupState.OPEN}
    assert beside(said, GIVES).new_groups() == [("last", "p")]
    assert beside({**said, ("people", "p#2"): GroupState.DONE}, GIVES).new_groups() == [("local", "p#2"), ("last", "p")]
    found = beside(said, GIVES)
    local = Group("local|p#3", "local", "p#3", GroupState.OPEN)
    assert [[each.key for each in found.given_to(local)[name]] for name in LOCAL.takes] == [["p#3"], ["p"]]


def test_what_stands_beside_others_waits_for_the_rest_of_what_it_takes() -> None:
    assert beside({**THREE, ("paper", "p"): GroupState.OPEN}, GIVES).new_groups() == []
    assert beside(THREE, GIVES).new_groups() == [("paper", "p")]


def test_a_group_beside_two_steps_begins_when_both_of_its_own_are_done() -> None:
    paper = {**THREE, ("paper", "p"): GroupState.DONE, ("local", "p"): GroupState.DONE}
    said = {**paper, ("local", "p#2"): GroupState.WAITING, ("local", "p#3"): GroupState.OPEN}
    last = {("last", key): GroupState.WAITING for key in ("p", "p#2", "p#3")}
    found = beside({**said, **last}, GIVES)
    may = [found.may_begin(Group("", "last", key, GroupState.WAITING)) for key in ("p", "p#2", "p#3")]
    assert may == [True, False, False]
    assert part_taken(LAST, "p#2", "local") == (frozenset({"p", ""}), slice(None))


@pytest.mark.parametrize(
    "said",
    [
        {"takes": ("a", "b"), "beside": ("b",)},
        {"takes": ("a",), "beside": ("a", "c")},
        {"takes": ("a",), "beside": ("a",), "span": Span.GROUP},
        {"takes": ("a",), "asks_of": ("tie",)},
        {"takes": ("a",), "asks_of": ("tie",), "kind": StepKind.DECIDE, "span": Span.ALL},
    ],
)
def test_a_step_beside_others_takes_them_first_and_over_each(said: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="Step “s”"):
        Step(**{"name": "s", "title": "", "kind": StepKind.MAKE, **said})
    with pytest.raises(ValueError, match="which is no step over EACH"):
        in_order([CANDIDATES, replace(LOCAL, takes=("find",), beside=("find",))], ["texts"])
