"""Marks beside a graph: folded from their changes, taken back by the same changes inverted, fallen with the graph."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidGraph
from core.graphs import edits
from core.graphs.record import Change, EdgeRecord, GraphRecord, NodeRecord
from core.transcription.marks import MARK_KINDS, MarkChange, MarkKind, Marks, fallen, invert_marks, key_of

TRIANGLE = GraphRecord(
    {name.lower(): NodeRecord(id=name.lower(), name=name) for name in "ABC"},
    {
        "ab": EdgeRecord(id="ab", source_id="a", sink_id="b", place=1),
        "bc": EdgeRecord(id="bc", source_id="b", sink_id="c", place=2),
    },
)
ALL_SWEPT = Marks({("swept", node): {} for node in "abc"})


def swept_after(changes: tuple[Change, ...], *, is_fold: bool = False) -> list[str]:
    return sorted(ALL_SWEPT.apply(fallen(changes, ALL_SWEPT, is_fold=is_fold)).swept)


def test_a_mark_is_set_changed_and_taken_away() -> None:
    marks = Marks()
    marks = marks.apply(marks.setting("swept", "a", {}))
    assert marks.swept == {"a"}
    assert marks.setting("swept", "a", {}) == ()  # stands so already
    marks = marks.apply(marks.setting("proposal", "p", {"answer": "refused", "edge": ""}))
    marks = marks.apply(marks.setting("proposal", "p", {"answer": "accepted", "edge": "ab"}))
    assert marks.get("proposal", "p") == {"answer": "accepted", "edge": "ab"}
    marks = marks.apply(marks.setting("swept", "a", None))
    assert marks.swept == frozenset()
    assert list(marks.of("proposal")) == ["p"]


def test_a_change_made_to_other_marks_is_refused() -> None:
    with pytest.raises(InvalidGraph, match="older state"):
        Marks().apply([MarkChange("swept", "a", {}, None)])
    with pytest.raises(InvalidGraph, match="older state"):
        ALL_SWEPT.apply([MarkChange("swept", "a", None, {})])


def test_distinct_and_merged_names_are_read_back_by_name() -> None:
    marks = Marks()
    marks = marks.apply(marks.setting("distinct", key_of("GDP", "GNP"), {"names": ["GDP", "GNP"]}))
    marks = marks.apply(marks.setting("same", key_of("Trees"), {"name": "Trees", "into": "Tree"}))
    assert marks.distinct == {frozenset(("GDP", "GNP"))}
    assert marks.merged == {"Trees": "Tree"}


def test_the_key_of_two_names_tells_their_border() -> None:
    assert key_of("ab", "c") != key_of("a", "bc")
    assert len(key_of("x" * 300, "y" * 300)) == 32


def test_an_attestation_falls_with_a_lost_turned_or_moved_edge_and_stays_with_a_new_one() -> None:
    ids = iter("xyz")
    remove = edits.remove_edge(TRIANGLE, "bc")
    assert swept_after(remove) == ["a"]  # B lost its edge, and C left with it
    moved = edits.edit_edge(TRIANGLE, "ab", "sink", "C", new_id=lambda: next(ids))
    assert swept_after(moved) == ["b", "c"]
    added, _ = edits.add_edges(TRIANGLE, [("A", "C", None)], [], new_id=lambda: next(ids))
    assert swept_after(added) == ["a", "b", "c"]
    signed = edits.edit_edge(TRIANGLE, "ab", "sign", "+", new_id=lambda: next(ids))
    assert swept_after(signed) == ["a", "b", "c"]


def test_an_attestation_falls_with_another_name_but_not_with_another_place() -> None:
    assert swept_after(edits.rename_node(TRIANGLE, "a", "Alpha")) == ["b", "c"]
    node = TRIANGLE.nodes["a"]
    moved = (Change(node, NodeRecord(id="a", name="A", x=3.0, y=4.0)),)
    assert swept_after(moved) == ["a", "b", "c"]


def test_two_names_made_one_lose_only_the_one_that_left() -> None:
    fold = edits.rename_node(TRIANGLE, "c", "A")
    assert swept_after(fold, is_fold=True) == ["a", "b"]


def test_an_accepted_proposal_is_refused_once_its_edge_is_removed() -> None:
    marks = Marks({("proposal", "p"): {"answer": "accepted", "edge": "ab"}, ("proposal", "q"): {"answer": "refused"}})
    fell = fallen(edits.remove_edge(TRIANGLE, "ab"), marks)
    assert marks.apply(fell).get("proposal", "p") == {"answer": "refused", "edge": "ab"}
    assert fallen(edits.remove_edge(TRIANGLE, "bc"), marks) == ()


def test_an_accepted_proposal_keeps_its_course_when_its_edge_is_mended() -> None:
    marks = Marks({("proposal", "p"): {"answer": "accepted", "edge": "ab", "path": [[0.0, 1.0], [2.0, 3.0]]}})
    signed = edits.edit_edge(TRIANGLE, "ab", "sign", "-", new_id=str)
    assert fallen(signed, marks) == ()
    moved = edits.edit_edge(TRIANGLE, "ab", "sink", "C", new_id=str)
    mended = {"answer": "accepted", "edge": "ab", "mended": True}
    now = marks.apply(fallen(moved, marks))
    assert now.get("proposal", "p") == {**mended, "path": [[0.0, 1.0], [2.0, 3.0]]}
    assert fallen(moved, now) == ()
    turned = marks.apply(fallen(edits.reverse_edge(TRIANGLE, "ab"), marks))
    assert turned.get("proposal", "p") == {**mended, "path": [[2.0, 3.0], [0.0, 1.0]]}


Step = tuple[MarkKind, str, dict[str, int] | None]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(MARK_KINDS),
        st.sampled_from("abc"),
        st.none() | st.dictionaries(st.sampled_from("xy"), st.integers(0, 2), max_size=2),
    ),
    max_size=12,
)


@given(STEPS)
def test_changes_survive_json_and_inverted_bring_back_every_earlier_state(steps: list[Step]) -> None:
    states, made = [Marks()], []
    for kind, key, value in steps:
        change = states[-1].setting(kind, key, value)
        change = tuple(MarkChange.from_json(json.loads(json.dumps(each.as_json()))) for each in change)
        made.append(change)
        states.append(states[-1].apply(change))
    for before, change in zip(reversed(states[:-1]), reversed(made), strict=True):
        assert states.pop().apply(invert_marks(change)) == before
