"""Answers that are graphs: good ones are read as written, bad ones end as they should; nothing is added."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidName
from core.graphs.names import clean_name
from core.runs.states import ItemStatus
from protocols.replies.graphs import (
    DUPLICATES,
    EMPTY,
    MOST_CHARACTERS,
    MOST_RELATIONS,
    NAMES_FOR_IDS,
    NODE_COUNT,
    SELF_LOOPS,
    SEVERAL_ANSWERS,
    UNUSED_IDS,
    ParsedGraph,
    read_graph,
)
from protocols.replies.relations import MOST_FAULTS

NAMES = ("Area", "GDP", "Rain")
AB = (("A", "B"),)


def read(text: str | None, **how: Any) -> ParsedGraph:
    return read_graph(text, finish_reason=how.pop("finish_reason", "stop"), **how)


def answer(*pairs: tuple[Any, Any], sink: str = "sink", key: str = "relationships") -> str:
    return json.dumps({key: [{"source": one, sink: other} for one, other in pairs]}, ensure_ascii=False)


ONE = answer(("A", "B"))
OTHER = answer(("C", "D"))
LIST = '[{"source": "A", "sink": "B"}]'
LONG = tuple((f"variable {number}", f"variable {number + 1}") for number in range(205))
CHINESE = "根据文本，县域耕地面积影响粮食总产量。最终答案如下：\n"

READ: dict[str, tuple[str, tuple[tuple[str, str], ...], str]] = {
    # the whole text
    "the object alone": (ONE, AB, "strict"),
    "blanks and a byte order mark": (f"\ufeff\r\n {ONE}\n", AB, "strict"),
    "target for sink": (answer(("A", "B"), sink="target"), AB, "strict"),
    "both, saying the same": ('{"relationships": [{"source": "A", "sink": "B", "target": "B"}]}', AB, "strict"),
    "keys of its own beside them": (
        '{"n": 2, "relationships": [{"source": "A", "sink": "B", "sign": "+", "why": {"a": [1]}}]}',
        AB,
        "strict",
    ),
    "keys in another case": ('{"Relationships": [{"Source": "A", " SINK ": "B"}]}', AB, "unwrapped"),
    "205 edges": (answer(*LONG), LONG, "strict"),
    "names with blanks to fold": (answer(("  A\u00a0 one ", "B\n two")), (("A one", "B two"),), "strict"),
    "names of letters outside ASCII": (answer(("耕地面积", "Größe")), (("耕地面积", "Größe"),), "strict"),
    "names as escapes": (json.dumps({"relationships": [{"source": "é", "sink": "B"}]}), (("é", "B"),), "strict"),
    "names that are hostile": (
        answer(("<script>alert(1)</script>", "'; DROP TABLE node; --")),
        (("<script>alert(1)</script>", "'; DROP TABLE node; --"),),
        "strict",
    ),
    "names with braces and brackets": (answer(("A {b} [c]", "B }")), (("A {b} [c]", "B }"),), "strict"),
    "a name of 300 characters": (answer(("x" * 300, "B")), (("x" * 300, "B"),), "strict"),
    # found in something larger
    "prose before": (f"The text says so.\n{ONE}", AB, "unwrapped"),
    "prose around": (f"Here: {ONE} That is all.", AB, "unwrapped"),
    "a fence": (f"```\n{ONE}\n```", AB, "unwrapped"),
    "a fence of JSON": (f"Reasons.\n```json\n{ONE}\n```\nDone.", AB, "unwrapped"),
    "a fence that is never closed": (f"```json\n{ONE}", AB, "unwrapped"),
    "an indented fence": (f"1. Answer\n   ```json\n   {ONE}\n   ```", AB, "unwrapped"),
    "a fence with carriage returns": (f"```json\r\n{ONE}\r\n```\r\n", AB, "unwrapped"),
    "a fence of other code before": (f"```python\nprint('{{x}}')\n```\n```json\n{ONE}\n```", AB, "unwrapped"),
    "a fence of other code after": (f"```json\n{ONE}\n```\n```text\nA to B\n```", AB, "unwrapped"),
    "a list alone": (LIST, AB, "unwrapped"),
    "a list in a fence": (f"```json\n{LIST}\n```", AB, "unwrapped"),
    "a list in prose with brackets": (f"As in [3], the answer is {LIST} (see [4]).", AB, "unwrapped"),
    "a wrapper": (f'{{"graph": {ONE}}}', AB, "unwrapped"),
    "three wrappers": (f'{{"a": {{"b": {{"c": {ONE}}}}}}}', AB, "unwrapped"),
    "a wrapper around a list": (f'{{"edges": {LIST}}}', AB, "unwrapped"),
    "JSON in a JSON text": (json.dumps(ONE), AB, "unwrapped"),
    "JSON in the text of a wrapper": (json.dumps({"answer": ONE}), AB, "unwrapped"),
    "a think block": (f"<think>perhaps {OTHER}</think>{ONE}", AB, "unwrapped"),
    "a think block with a fence in it": (f"<think>```json\n{OTHER}\n```</think>\n{ONE}", AB, "unwrapped"),
    "a think block without its opening": (f"perhaps {OTHER}</think>{ONE}", AB, "unwrapped"),
    "two think blocks": (f"<think>a</think><think>{OTHER}</think>{ONE}", AB, "unwrapped"),
    "Chinese prose": (CHINESE + answer(("耕地面积", "粮食总产量")), (("耕地面积", "粮食总产量"),), "unwrapped"),
    "a brace in prose that never closes": (f"Let V = {{A, B. Then {ONE}", AB, "unwrapped"),
    "a quotation mark in prose": (f'He said "yes. {ONE}', AB, "unwrapped"),
    "the form repeated before": (
        f'I answer as {{"relationships": [{{"source": ..., "sink": ...}}]}}.\n{ONE}',
        AB,
        "unwrapped",
    ),
    "another object after": (f'{ONE}\n{{"confidence": 0.9}}', AB, "unwrapped"),
    "the word relationships in an object after": (f'{ONE} {{"note": "relationships as in the text"}}', AB, "unwrapped"),
    # repaired
    "a trailing comma": ('{"relationships": [{"source": "A", "sink": "B",},],}', AB, "repaired"),
    "no comma between": (
        '{"relationships": [{"source": "A", "sink": "B"} {"source": "B", "sink": "C"}]}',
        (("A", "B"), ("B", "C")),
        "repaired",
    ),
    "single quotes": ("{'relationships': [{'source': 'A', 'sink': 'B'}]}", AB, "repaired"),
    "curly quotes": ("{“relationships”: [{“source”: “A”, “sink”: “B”}]}", AB, "repaired"),
    "keys without quotes": ('{relationships: [{source: "A", sink: "B"}]}', AB, "repaired"),
    "an apostrophe in single quotes": (
        "{'relationships': [{'source': 'County's land', 'sink': 'B'}]}",
        (("County's land", "B"),),
        "repaired",
    ),
    "a faulty list alone": ("[{'source': 'A', 'sink': 'B'},]", AB, "repaired"),
    "205 edges with trailing commas": (answer(*LONG).replace('"}', '",}'), LONG, "repaired"),
    "a fence with a trailing comma": (
        '```json\n{"relationships": [{"source": "A", "sink": "B"},]}\n```',
        AB,
        "repaired",
    ),
}

CUT = '{"relationships": [{"source": "A", "sink": "B"}, {"source": "B", "si'

UNPARSABLE: dict[str, tuple[str | None, str]] = {
    "nothing": (None, "the reply is empty"),
    "blanks": (" \n\t", "the reply is empty"),
    "prose": ("A causes B.", "there is no JSON object with relationships"),
    "arrows": ("A -> B\nB -> C", "there is no JSON object with relationships"),
    "only a think block": (f"<think>{ONE}</think>", "the reply has no answer after its reasoning"),
    "a think block that is never closed": (f"<think>so {ONE}", "the reply has no answer after its reasoning"),
    "another object": ('{"sign": "+"}', "there is no JSON object with relationships"),
    "a number": ("42", "there is no JSON object with relationships"),
    "null": ("null", "there is no JSON object with relationships"),
    "a list of names": ('["A", "B"]', "there is no JSON object with relationships"),
    "cut off within a relation": (CUT, "the JSON of the answer is malformed"),
    "cut off behind a relation": (CUT[: CUT.index("}") + 1], "the JSON of the answer is malformed"),
    "cut off behind the list": (
        '{"relationships": [{"source": "A", "sink": "B"}]',
        "the JSON of the answer is malformed",
    ),
    "cut off in a fence": (f"```json\n{CUT}", "the JSON of the answer is malformed"),
    "the last of two cut off": (f"{ONE}\n{CUT}", "the JSON of the answer is malformed"),
    "a key twice": (
        '{"relationships": [], "relationships": [{"source": "A", "sink": "B"}]}',
        'the answer has the key "relationships" twice; right would be each key once',
    ),
    "a source twice": (
        '{"relationships": [{"source": "A", "source": "B", "sink": "C"}]}',
        'relationship 1 has the key "source" twice; right would be each key once',
    ),
    "an object of relationships": ('{"relationships": {"A": "B"}}', "relationships is an object"),
    "relationships as a text": ('{"relationships": "A -> B"}', 'relationships is "A -> B"'),
    "relationships null": ('{"relationships": null}', "relationships is null"),
    "pairs for relations": (
        '{"relationships": [["A", "B"]]}',
        "relationship 1 is a list of 2; right would be an object with source and sink",
    ),
    "no sink": (
        '{"relationships": [{"source": "A", "sink": "B"}, {"source": "A", "effect": "B"}]}',
        "relationship 2 has neither sink nor target",
    ),
    "no source": ('{"relationships": [{"sink": "B"}]}', "relationship 1 has no source"),
    "sink and another target": (
        '{"relationships": [{"source": "A", "sink": "B", "target": "C"}]}',
        "relationship 1 has a sink and another target",
    ),
    "a name that is a number": (answer(("A", 7)), "the sink of relationship 1 is 7; right would be a name"),
    "a name that is null": (answer((None, "B")), "the source of relationship 1 is null; right would be a name"),
    "a name that is a list": (answer((["A"], "B")), "the source of relationship 1 is a list of 1"),
    "an empty name": (answer((" ", "B")), 'the source of relationship 1 is " "; right would be a name of 1 to 300'),
    "a name of 301 characters": (answer(("x" * 301, "B")), "right would be a name of 1 to 300 characters"),
    "a name with a control character": (answer(("A\u0007", "B")), "right would be a name of 1 to 300 characters"),
    "a name not closed": ('{"relationships": [{"source": "A, "sink": "B"}]}', "the JSON of the answer is malformed"),
    "NaN": ('{"relationships": [{"source": "A", "sink": NaN}]}', "the sink of relationship 1 is NaN"),
    "an ellipsis for the rest": (
        '{"relationships": [{"source": "A", "sink": "B"}, ...]}',
        "the JSON of the answer is malformed",
    ),
    "a comment for the rest": (
        '{"relationships": [{"source": "A", "sink": "B"} // and so on\n]}',
        "the JSON of the answer is malformed",
    ),
    "too many": (answer(*[("A", "B")] * (MOST_RELATIONS + 1)), "the answer has 10,001 relationships"),
    "four wrappers": (f'{{"a": {{"b": {{"c": {{"d": {ONE}}}}}}}}}', "relationships is"),
    "nested beyond reading": ("[" * 100_000, "there is no JSON object with relationships"),
    "a tag for an answer": ("<Answer>A, B</Answer>", "there is no JSON object with relationships"),
}


@pytest.mark.parametrize("name", READ)
def test_an_answer_is_read_wherever_it_stands(name: str) -> None:
    text, relations, stage = READ[name]
    found = read(text)
    assert (found.status, found.relations, found.stage) == (ItemStatus.ANSWERED, relations, stage)
    assert found.faults == ()


@pytest.mark.parametrize("name", UNPARSABLE)
def test_what_is_no_graph_says_why_and_gives_nothing(name: str) -> None:
    text, fault = UNPARSABLE[name]
    found = read(text)
    assert (found.status, found.relations, found.nodes, found.flags) == (ItemStatus.UNPARSABLE, (), (), ())
    assert fault in found.faults[0]


FLAGGED: dict[str, tuple[str, dict[str, int]]] = {
    "as many nodes as asked for": (answer(("A", "B"), ("B", "C")), {}),
    "fewer nodes": (ONE, {NODE_COUNT: 2}),
    "more nodes": (answer(("A", "B"), ("C", "D")), {NODE_COUNT: 4}),
    "a relation twice": (answer(("A", "B"), ("B", "C"), ("A", "B"), ("A", "B")), {DUPLICATES: 2}),
    "twice but for blanks": (answer(("A", "B"), (" A", "B "), ("B", "C")), {DUPLICATES: 1}),
    "a self-loop": (answer(("A", "A"), ("B", "C")), {SELF_LOOPS: 1}),
    "nothing in it": (answer(), {NODE_COUNT: 0, EMPTY: 0}),
    "two different answers": (f"{ONE} or {answer(('A', 'B'), ('B', 'C'))}", {SEVERAL_ANSWERS: 2}),
    "the same answer twice": (
        f"{answer(('A', 'B'), ('B', 'C'))} so {answer(('A', 'B'), ('B', 'C'), sink='target')}",
        {},
    ),
    "prose before a block": (f"{OTHER}\n```json\n{answer(('A', 'B'), ('B', 'C'))}\n```", {SEVERAL_ANSWERS: 2}),
    "an empty list in prose": ("There are no relations: [].", {NODE_COUNT: 0, EMPTY: 0}),
}


@pytest.mark.parametrize("name", FLAGGED)
def test_what_is_odd_is_flagged_and_counts_as_it_is(name: str) -> None:
    text, counts = FLAGGED[name]
    found = read(text, asked=3)
    assert found.status is ItemStatus.ANSWERED
    assert dict(found.counts) == counts
    assert set(found.flags) == set(counts)


def test_of_several_answers_the_last_counts_and_one_in_a_block_before_any_other() -> None:
    assert read(f"{OTHER} no, {ONE}").relations == AB
    assert read(f"```json\n{ONE}\n```\nnot {OTHER}").relations == AB
    assert read(f"```json\n{OTHER}\n```\nbetter:\n```json\n{ONE}\n```").relations == AB


NUMBERED: dict[str, tuple[str, tuple[tuple[str, str], ...], dict[str, int]]] = {
    "numbers": (answer((1, 2), (3, 2)), (("Area", "GDP"), ("Rain", "GDP")), {}),
    "digits": (answer(("1", " 2 "), ("3", "2")), (("Area", "GDP"), ("Rain", "GDP")), {}),
    "one unused": (answer((1, 2)), (("Area", "GDP"),), {UNUSED_IDS: 1}),
    "names for numbers": (answer(("area", "GDP"), (3, 2)), (("Area", "GDP"), ("Rain", "GDP")), {NAMES_FOR_IDS: 2}),
    "a self-loop": (answer((1, 1), (2, 3)), (("Area", "Area"), ("GDP", "Rain")), {SELF_LOOPS: 1}),
    "nothing in it": (answer(), (), {UNUSED_IDS: 3, EMPTY: 0}),
}


@pytest.mark.parametrize("name", NUMBERED)
def test_numbers_stand_for_the_given_names(name: str) -> None:
    text, relations, counts = NUMBERED[name]
    found = read(text, given=NAMES, asked=3)
    assert (found.status, found.relations, dict(found.counts)) == (ItemStatus.ANSWERED, relations, counts)


@pytest.mark.parametrize("said", [0, 4, -1, 10**40, 1.0, 1.5, True, None, "0", "1.0", "one", "Wind", [1], {"id": 1}])
def test_what_is_no_number_of_a_given_name_is_told(said: Any) -> None:
    found = read(answer((1, 2), (said, 3)), given=NAMES)
    assert found.status is ItemStatus.UNPARSABLE
    assert found.faults[0].startswith("the source of relationship 2 is ")
    assert found.faults[0].endswith("; right would be a number from 1 to 3")


def test_a_name_that_two_given_names_are_after_folding_is_none_of_them() -> None:
    assert read(answer(("gdp", "Rain")), given=["GDP", "Gdp", "Rain"]).status is ItemStatus.UNPARSABLE
    assert read(answer(("Gdp", "Rain")), given=["GDP", "Gdp", "Rain"]).relations == (("Gdp", "Rain"),)


def test_a_given_name_of_digits_is_no_number_of_another() -> None:
    """Digits are a number first: the prompt asks for numbers."""
    assert read(answer(("2", 1)), given=["2", "B"]).relations == (("B", "2"),)


@pytest.mark.parametrize(
    ("how", "status"),
    [
        ({"finish_reason": "length"}, ItemStatus.TRUNCATED),
        ({"finish_reason": "content_filter"}, ItemStatus.REFUSED),
        ({"refusal": "No."}, ItemStatus.REFUSED),
    ],
)
def test_a_reply_that_was_cut_off_or_declined_gives_no_graph(how: dict[str, str], status: ItemStatus) -> None:
    found = read(ONE, **how)
    assert (found.status, found.relations) == (status, ())


def test_every_fault_is_told_up_to_a_bound() -> None:
    found = read(answer(*[("A", number) for number in range(MOST_FAULTS + 5)]))
    assert len(found.faults) == MOST_FAULTS + 1
    assert found.faults[-1] == "and 5 more faults"


def test_reasoning_is_kept_apart() -> None:
    found = read(f"<think>First A,\nthen B.</think>\n{ONE}")
    assert found.reasoning == "First A,\nthen B."


def test_the_end_of_a_very_long_answer_is_looked_at() -> None:
    reasons = "A leads to B, and so on. " * (MOST_CHARACTERS // 24)
    assert read(f"{reasons}{ONE}").relations == AB
    assert read(f"{ONE}{reasons}").status is ItemStatus.UNPARSABLE


@pytest.mark.parametrize("piece", ['{"relationships": [', '{"a":[', "```\n", "<think>", '{"source": "', "[{]}", "\\"])
def test_hostile_repetition_ends_in_a_status(piece: str) -> None:
    assert read(piece * 4_000).status is ItemStatus.UNPARSABLE


def test_no_relation_is_read_that_the_text_does_not_hold() -> None:
    """Good answers damaged at random: whatever is read of one stands in it, in its order."""
    draw = random.Random(7)
    good = [text for text, _, _ in READ.values() if len(text) < 2_000]
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
        at = 0
        for name in (name for pair in read(text).relations for name in pair):
            said = _place(text, name, at)
            assert said >= 0, (text, name)


def _place(text: str, name: str, start: int) -> int:
    """Where a name is said: as it is, with JSON's escapes, or with the blanks that cleaning folds."""
    for written in (name, json.dumps(name)[1:-1], json.dumps(name, ensure_ascii=False)[1:-1]):
        if (found := text.find(written, start)) >= 0:
            return found
    folded = " ".join(json.loads(f'"{text}"').split()) if '"' not in text and "\\" in text else " ".join(text.split())
    for said in (folded, folded.replace("\\n", " ").replace('\\"', '"')):
        if (found := " ".join(said.replace("\u00a0", " ").split()).find(name)) >= 0:
            return found
    return -1


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
