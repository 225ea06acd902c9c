"""The bounds and laws of reading graphs; what single answers come to is in `tests/protocols/recite/planted.py`."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidName
from core.graphs.names import clean_name
from core.runs.states import ItemStatus
from protocols.replies.graphs import MOST_CHARACTERS, ParsedGraph, read_graph
from protocols.replies.relations import MOST_FAULTS
from tests.protocols.recite.planted import AB, ONE, answer


def read(text: str | None, **how: Any) -> ParsedGraph:
    return read_graph(text, finish_reason=how.pop("finish_reason", "stop"), **how)


def test_every_fault_is_told_up_to_a_bound() -> None:
    found = read(answer(*[("A", number) for number in range(MOST_FAULTS + 5)]))
    assert len(found.faults) == MOST_FAULTS + 1
    assert found.faults[-1] == "and 5 more faults"


def test_reasoning_is_kept_apart() -> None:
    found = read(f"<think>First A,\nthen B.</think>\n{ONE}")
    assert found.reasoning == "First A,\nthen B."
    assert (found.status, found.relations) == (read(ONE).status, read(ONE).relations)


def test_the_end_of_a_very_long_answer_is_looked_at() -> None:
    reasons = "A leads to B, and so on. " * (MOST_CHARACTERS // 24)
    assert read(f"{reasons}{ONE}").relations == AB
    assert read(f"{ONE}{reasons}").status is ItemStatus.UNPARSABLE


@pytest.mark.parametrize("piece", ['{"relationships": [', '{"a":[', "```\n", "<think>", '{"source": "', "[{]}", "\\"])
def test_hostile_repetition_ends_in_a_status(piece: str) -> None:
    assert read(piece * 4_000).status is ItemStatus.UNPARSABLE


def is_a_name(text: str) -> bool:
    try:
        return clean_name(text) == text
    except InvalidName:
        return False


NAME = st.text(min_size=1, max_size=30).filter(is_a_name)


@given(st.lists(st.tuples(NAME, NAME), max_size=12, unique=True), st.sampled_from(["sink", "target"]), st.booleans())
def test_reading_a_written_graph_gives_it_back(pairs: list[tuple[str, str]], sink: str, is_in_prose: bool) -> None:
    text = answer(*pairs, sink=sink)
    found = read(f"The graph:\n```json\n{text}\n```\n" if is_in_prose else text)
    assert found.relations == tuple(pairs)


@given(st.text(max_size=300))
def test_any_text_ends_in_a_status(text: str) -> None:
    assert read(text).status in (ItemStatus.ANSWERED, ItemStatus.UNPARSABLE, ItemStatus.REFUSED)
