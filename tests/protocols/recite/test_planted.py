"""Planted answers, as the protocol reads and scores them: each as its row says, with no relation that its text does not
hold."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidName
from core.graphs.names import clean_name
from core.runs.states import ItemStatus
from protocols.exchanges import Reading
from protocols.recite.benchmark import PROTOCOL
from protocols.samples import Sample
from tests.everything import usual
from tests.protocols.recite.parts import FIRST_ONLY, answered, made
from tests.protocols.recite.planted import PLANTED, READ, Planted, answer

_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})|\\n")


def sample_of(row: Planted) -> Sample:
    if row.given is not None:
        return made("names", nodes=row.given, edges=())
    told = {name for pair in row.relations for name in pair}
    many = len(told) if row.asked is None else row.asked
    return made("standard", nodes=[f"node {number}" for number in range(many)], edges=())


def read(sample: Sample, text: str | None, finish: str = "stop", refusal: str | None = None) -> Reading:
    found = PROTOCOL.next(sample, FIRST_ONLY, [answered(text, sample, finish, refusal)])
    assert isinstance(found, Reading)
    return found


def pairs(found: Reading) -> tuple[tuple[str, str], ...]:
    return () if found.value is None else tuple((source, sink) for source, sink in found.value["relations"])


def test_there_are_120_of_them() -> None:
    assert len(PLANTED) >= 120


@pytest.mark.parametrize("name", usual(list(PLANTED), "5 MB of thought before", "5 MB of reasons behind"))
def test_a_planted_answer_ends_as_its_row_says(name: str) -> None:
    row = PLANTED[name]
    sample = sample_of(row)
    found = read(sample, row.text, row.finish, row.refusal)
    assert (found.status, found.parse_stage, pairs(found)) == (row.status, row.stage, row.relations)
    assert set(found.flags) == set(row.counts)
    assert (found.value or {"counts": {}})["counts"] == row.counts
    assert (PROTOCOL.score(sample, found) is None) == (row.status in (ItemStatus.TRUNCATED, ItemStatus.REFUSED))
    assert bool(found.faults) == (row.status is not ItemStatus.ANSWERED)
    assert row.fault in "".join(found.faults[:1])
    assert not unheld(row.text or "", pairs(found), row.given or ())


def unheld(text: str, found: Iterable[tuple[str, str]], numbered: tuple[str, ...] = ()) -> list[str]:
    """Names of relations that the raw text does not hold, each behind the one before it: with JSON's escapes read and
    blanks folded, or as their numbers."""
    read_out = _ESCAPED.sub(lambda each: chr(int(each[1], 16)) if each[1] else " ", text).replace('\\"', '"')
    folded = " ".join(read_out.split())
    missing: list[str] = []
    at = 0
    for name in (name for pair in found for name in pair):
        said = [name, *([str(numbered.index(name) + 1)] if name in numbered else [])]
        places = [(place, each) for each in said if (place := _place(folded, each, at)) >= 0]
        if not places:
            missing.append(name)
            continue
        place, each = min(places)
        at = place + len(each)
    return missing


def _place(text: str, name: str, start: int) -> int:
    found = text.find(name, start)
    return found if found >= 0 else text.casefold().find(name.casefold(), start)


def test_what_the_text_does_not_hold_is_noticed() -> None:
    text = answer(("A", "B"), ("C", "D"))
    assert unheld(text, [("A", "B"), ("C", "D")]) == []
    assert unheld(text, [("A", "X")]) == ["X"]
    assert unheld(text, [("C", "D"), ("A", "B")]) == ["A", "B"]


def test_no_relation_is_read_that_a_damaged_text_does_not_hold() -> None:
    """Good answers damaged at random: whatever is read of one stands in it, in its order."""
    draw = random.Random(7)
    good = [text for text, _, _ in READ.values() if len(text) < 2_000]
    sample = made()
    for _ in range(150):
        letters = list(draw.choice(good))
        for _ in range(draw.randint(1, 4)):
            place = draw.randrange(len(letters))
            match draw.randrange(3):
                case 0:
                    del letters[place]
                case 1:
                    letters.insert(place, draw.choice("{}[]\"',: \\\nA"))
                case _:
                    letters[place] = draw.choice("{}[]\"',: \\\nA")
            letters = letters or [" "]
        text = "".join(letters)
        assert not unheld(text, pairs(read(sample, text))), text


def is_a_name(text: str) -> bool:
    try:
        return clean_name(text) == text
    except InvalidName:
        return False


GRAPHS = st.lists(st.text(min_size=1, max_size=12).filter(is_a_name), min_size=1, max_size=6, unique=True).flatmap(
    lambda names: st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), min_size=1, unique=True)
)


@given(
    GRAPHS,
    st.sampled_from(["standard", "names"]),
    st.sampled_from(["{}", "So:\n```json\n{}\n```", "<think>?</think>{}"]),
)
def test_a_written_graph_is_read_back_and_is_the_truth(edges: list[tuple[str, str]], variant: str, around: str) -> None:
    sample = made(variant, edges=edges)
    numbers = {name: number for number, name in enumerate(sample.truth["nodes"], 1)}
    told = [(numbers[a], numbers[b]) for a, b in edges] if variant == "names" else edges
    found = read(sample, around.replace("{}", answer(*told)))
    assert (pairs(found), [flag for flag in found.flags if flag != "self-loops"]) == (tuple(edges), [])
    score = PROTOCOL.score(sample, found)
    assert score is not None and (score.value, score.parts["shd"]["twice"]) == (1.0, 0)
