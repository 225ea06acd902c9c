"""Ids of what an act makes: the same numbers as in the browser, and no more than an id has room for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.act_ids import MOST_MADE, id_within, ids_within, is_uuid7
from core.errors import BadInput
from core.graphs import edits
from core.graphs.record import GraphRecord

# Read by tests/components/desk/uuid7.test.js and tests/components/canvas/graph.test.js too.
EXAMPLES: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "components/desk/act_ids.json").read_text(encoding="utf-8")
)
ACT = "0198c0de-0000-7000-8000-0000000a0000"


def test_what_an_act_makes_is_numbered_as_in_the_browser() -> None:
    for example in EXAMPLES["numbered"]:
        assert id_within(example["act"], example["number"]) == example["id"]


@pytest.mark.parametrize("number", EXAMPLES["too_many"])
def test_an_act_that_makes_too_much_is_refused_with_what_would_be_right(number: int) -> None:
    with pytest.raises(BadInput, match="at most 65,535 "):
        id_within(ACT, number)


def test_the_last_number_is_given_and_the_next_refused() -> None:
    new_id = ids_within(ACT, MOST_MADE)
    assert new_id() == "0198c0de-0000-7000-8000-0000000affff"
    with pytest.raises(BadInput):
        new_id()


def test_an_act_may_give_as_many_edges_as_there_are_numbers_and_their_ends_count() -> None:
    pairs = [("A", "B", None)] * (MOST_MADE // 3)
    changes, _notices = edits.add_edges(GraphRecord(), pairs, [], new_id=ids_within(ACT, 1))
    assert [change.element.id for change in changes] == [id_within(ACT, number) for number in (21_846, 21_847, 1)]
    with pytest.raises(BadInput, match="at most 65,535"):
        edits.add_edges(GraphRecord(), [*pairs, ("A", "B", None)], [], new_id=ids_within(ACT, 1))


def test_a_uuid7_is_known_by_its_form_as_in_the_browser() -> None:
    assert all(is_uuid7(text) for text in EXAMPLES["is_uuid7"])
    assert not any(is_uuid7(text) for text in EXAMPLES["is_none"])
    assert not is_uuid7(EXAMPLES["is_uuid7"][0] + "\n")


@given(first=st.integers(0, MOST_MADE - 20), count=st.integers(1, 20))
def test_ids_of_one_act_are_uuids_that_sort_by_their_numbers_and_none_comes_twice(first: int, count: int) -> None:
    new_id = ids_within(ACT, first)
    ids = [new_id() for _ in range(count)]
    assert ids == sorted(set(ids))
    assert all(is_uuid7(each) and id_within(each, 0) == ACT for each in ids)
