"""Answers planted for the reader: each with the status, parse stage, relations, flags and fault that it has to get."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.runs.states import ItemStatus
from protocols.replies.graphs import (
    DUPLICATES,
    EMPTY,
    MOST_RELATIONS,
    NAMES_FOR_IDS,
    NODE_COUNT,
    SELF_LOOPS,
    SEVERAL_ANSWERS,
    UNUSED_IDS,
)

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Planted:
    """A reply and what becomes of it. `counts`: of each flag, and no others; `fault`: words of the first. `given`: the
    names that are told, None where the answer names its nodes; `asked`: how many nodes, of an answer without a stated
    number as many as it has."""

    text: str | None
    status: ItemStatus = ItemStatus.ANSWERED
    stage: str = ""
    relations: Pairs = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    fault: str = ""
    given: tuple[str, ...] | None = None
    asked: int | None = None
    finish: str = "stop"
    refusal: str | None = None


def answer(*pairs: tuple[Any, Any], sink: str = "sink") -> str:
    return json.dumps({"relationships": [{"source": one, sink: other} for one, other in pairs]}, ensure_ascii=False)


AB = (("A", "B"),)
ABC = (("A", "B"), ("B", "C"))
ONE = answer(("A", "B"))
OTHER = answer(("C", "D"))
LIST = '[{"source": "A", "sink": "B"}]'
LONG = tuple((f"variable {number}", f"variable {number + 1}") for number in range(205))
CHINESE = "根据文本，县域耕地面积影响粮食总产量。最终答案如下：\n"

READ: dict[str, tuple[str, Pairs, str]] = {
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

UNPARSABLE: dict[str, tuple[str | None, str, str]] = {
    "nothing": (None, "the reply is empty", ""),
    "blanks": (" \n\t", "the reply is empty", ""),
    "prose": ("A causes B.", "there is no JSON object with relationships", ""),
    "arrows": ("A -> B\nB -> C", "there is no JSON object with relationships", ""),
    "only a think block": (f"<think>{ONE}</think>", "the reply has no answer after its reasoning", ""),
    "a think block that is never closed": (f"<think>so {ONE}", "the reply has no answer after its reasoning", ""),
    "another object": ('{"sign": "+"}', "there is no JSON object with relationships", ""),
    "a number": ("42", "there is no JSON object with relationships", ""),
    "null": ("null", "there is no JSON object with relationships", ""),
    "a list of names": ('["A", "B"]', "there is no JSON object with relationships", ""),
    "cut off within a relation": (CUT, "the JSON of the answer is malformed", ""),
    "cut off behind a relation": (CUT[: CUT.index("}") + 1], "the JSON of the answer is malformed", ""),
    "cut off behind the list": (
        '{"relationships": [{"source": "A", "sink": "B"}]',
        "the JSON of the answer is malformed",
        "",
    ),
    "cut off in a fence": (f"```json\n{CUT}", "the JSON of the answer is malformed", ""),
    "the last of two cut off": (f"{ONE}\n{CUT}", "the JSON of the answer is malformed", ""),
    "a key twice": (
        '{"relationships": [], "relationships": [{"source": "A", "sink": "B"}]}',
        'the answer has the key "relationships" twice; right would be each key once',
        "unwrapped",
    ),
    "a source twice": (
        '{"relationships": [{"source": "A", "source": "B", "sink": "C"}]}',
        'relationship 1 has the key "source" twice; right would be each key once',
        "strict",
    ),
    "an object of relationships": ('{"relationships": {"A": "B"}}', "relationships is an object", "unwrapped"),
    "relationships as a text": ('{"relationships": "A -> B"}', 'relationships is "A -> B"', "unwrapped"),
    "relationships null": ('{"relationships": null}', "relationships is null", "unwrapped"),
    "pairs for relations": (
        '{"relationships": [["A", "B"]]}',
        "relationship 1 is a list of 2; right would be an object with source and sink",
        "strict",
    ),
    "no sink": (
        '{"relationships": [{"source": "A", "sink": "B"}, {"source": "A", "effect": "B"}]}',
        "relationship 2 has neither sink nor target",
        "strict",
    ),
    "no source": ('{"relationships": [{"sink": "B"}]}', "relationship 1 has no source", "strict"),
    "sink and another target": (
        '{"relationships": [{"source": "A", "sink": "B", "target": "C"}]}',
        "relationship 1 has a sink and another target",
        "strict",
    ),
    "a name that is a number": (answer(("A", 7)), "the sink of relationship 1 is 7; right would be a name", "strict"),
    "a name that is null": (
        answer((None, "B")),
        "the source of relationship 1 is null; right would be a name",
        "strict",
    ),
    "a name that is a list": (answer((["A"], "B")), "the source of relationship 1 is a list of 1", "strict"),
    "an empty name": (
        answer((" ", "B")),
        'the source of relationship 1 is " "; right would be a name of 1 to 300',
        "strict",
    ),
    "a name of 301 characters": (answer(("x" * 301, "B")), "right would be a name of 1 to 300 characters", "strict"),
    "a name with a control character": (
        answer(("A\u0007", "B")),
        "right would be a name of 1 to 300 characters",
        "strict",
    ),
    "a name not closed": (
        '{"relationships": [{"source": "A, "sink": "B"}]}',
        "the JSON of the answer is malformed",
        "",
    ),
    "NaN": ('{"relationships": [{"source": "A", "sink": NaN}]}', "the sink of relationship 1 is NaN", "strict"),
    "an ellipsis for the rest": (
        '{"relationships": [{"source": "A", "sink": "B"}, ...]}',
        "the JSON of the answer is malformed",
        "",
    ),
    "a comment for the rest": (
        '{"relationships": [{"source": "A", "sink": "B"} // and so on\n]}',
        "the JSON of the answer is malformed",
        "",
    ),
    "too many": (answer(*[("A", "B")] * (MOST_RELATIONS + 1)), "the answer has 10,001 relationships", ""),
    "four wrappers": (f'{{"a": {{"b": {{"c": {{"d": {ONE}}}}}}}}}', "relationships is", "unwrapped"),
    "nested beyond reading": ("[" * 100_000, "there is no JSON object with relationships", ""),
    "a tag for an answer": ("<Answer>A, B</Answer>", "there is no JSON object with relationships", ""),
}

FLAGGED: dict[str, tuple[str, Pairs, str, dict[str, int]]] = {
    "as many nodes as asked for": (answer(*ABC), ABC, "strict", {}),
    "fewer nodes": (ONE, AB, "strict", {NODE_COUNT: 2}),
    "more nodes": (answer(("A", "B"), ("C", "D")), (("A", "B"), ("C", "D")), "strict", {NODE_COUNT: 4}),
    "a relation twice": (answer(*ABC, ("A", "B"), ("A", "B")), ABC, "strict", {DUPLICATES: 2}),
    "twice but for blanks": (answer(("A", "B"), (" A", "B "), ("B", "C")), ABC, "strict", {DUPLICATES: 1}),
    "a self-loop": (answer(("A", "A"), ("B", "C")), (("A", "A"), ("B", "C")), "strict", {SELF_LOOPS: 1}),
    "nothing in it": (answer(), (), "strict", {NODE_COUNT: 0, EMPTY: 0}),
    "an empty list in prose": ("There are no relations: [].", (), "unwrapped", {NODE_COUNT: 0, EMPTY: 0}),
    "two different answers": (f"{ONE} or {answer(*ABC)}", ABC, "unwrapped", {SEVERAL_ANSWERS: 2}),
    "three different answers": (f"{ONE} or {OTHER}, no: {answer(*ABC)}", ABC, "unwrapped", {SEVERAL_ANSWERS: 3}),
    "the same answer twice": (f"{answer(*ABC)} so {answer(*ABC, sink='target')}", ABC, "unwrapped", {}),
    "prose before a block": (f"{OTHER}\n```json\n{answer(*ABC)}\n```", ABC, "unwrapped", {SEVERAL_ANSWERS: 2}),
    "prose behind a block": (f"```json\n{answer(*ABC)}\n```\nnot {OTHER}", ABC, "unwrapped", {SEVERAL_ANSWERS: 2}),
    "two blocks": (
        f"```json\n{OTHER}\n```\nbetter:\n```json\n{answer(*ABC)}\n```",
        ABC,
        "unwrapped",
        {SEVERAL_ANSWERS: 2},
    ),
}
"""Of answers that were asked for three nodes."""

GIVEN = ("Area", "GDP", "Rain")
ALL = (("Area", "GDP"), ("Rain", "GDP"))
NUMBERED: dict[str, tuple[str, tuple[str, ...], Pairs, dict[str, int]]] = {
    "numbers": (answer((1, 2), (3, 2)), GIVEN, ALL, {}),
    "digits": (answer(("1", " 2 "), ("3", "2")), GIVEN, ALL, {}),
    "a number unused": (answer((1, 2)), GIVEN, ALL[:1], {UNUSED_IDS: 1}),
    "names for numbers": (answer(("area", "GDP"), (3, 2)), GIVEN, ALL, {NAMES_FOR_IDS: 2}),
    "a self-loop of numbers": (answer((1, 1), (2, 3)), GIVEN, (("Area", "Area"), ("GDP", "Rain")), {SELF_LOOPS: 1}),
    "numbers twice": (answer((1, 2), (3, 2), ("1", "2")), GIVEN, ALL, {DUPLICATES: 1}),
    "no numbers": (answer(), GIVEN, (), {UNUSED_IDS: 3, EMPTY: 0}),
    "one of two names that fold alike": (
        answer(("Gdp", "Rain")),
        ("GDP", "Gdp", "Rain"),
        (("Gdp", "Rain"),),
        {UNUSED_IDS: 1, NAMES_FOR_IDS: 2},
    ),
    "digits that are a name": (answer(("2", 1)), ("2", "B"), (("B", "2"),), {}),  # the prompt asks for numbers
}

NO_NUMBERS: dict[str, Any] = {
    "zero": 0,
    "one more than names": 4,
    "less than zero": -1,
    "a very large number": 10**40,
    "1.0": 1.0,
    "1.5": 1.5,
    "true for a number": True,
    "null for a number": None,
    "zero as digits": "0",
    "1.0 as a text": "1.0",
    "a number in words": "one",
    "another name": "Wind",
    "a list of a number": [1],
    "an object of a number": {"id": 1},
}
"""What stands where a number should, as the source of the second relationship."""

REASONS = "Water leads to growth, 水 too, and so on. " * 125_000
"""Over 5 MB."""

PLANTED: dict[str, Planted] = {}


def _plant(name: str, planted: Planted) -> None:
    assert name not in PLANTED, name
    PLANTED[name] = planted


for _name, (_text, _pairs, _stage) in READ.items():
    _plant(_name, Planted(text=_text, stage=_stage, relations=_pairs))
for _name, (_reply, _fault, _stage) in UNPARSABLE.items():
    _plant(_name, Planted(text=_reply, status=ItemStatus.UNPARSABLE, stage=_stage, fault=_fault))
for _name, (_text, _pairs, _stage, _counts) in FLAGGED.items():
    _plant(_name, Planted(text=_text, stage=_stage, relations=_pairs, counts=_counts, asked=3))
for _name, (_text, _given, _pairs, _counts) in NUMBERED.items():
    _plant(_name, Planted(text=_text, stage="strict", relations=_pairs, counts=_counts, given=_given))
for _name, _said in NO_NUMBERS.items():
    _fault = "; right would be a number from 1 to 3"
    _planted = Planted(
        text=answer((1, 2), (_said, 3)), status=ItemStatus.UNPARSABLE, stage="strict", fault=_fault, given=GIVEN
    )
    _plant(_name, _planted)
for _name, _planted in {
    "a name that two names are after folding": Planted(
        text=answer(("gdp", "Rain")),
        status=ItemStatus.UNPARSABLE,
        stage="strict",
        fault='the source of relationship 1 is "gdp"; right would be a number from 1 to 3',
        given=("GDP", "Gdp", "Rain"),
    ),
    "cut off by its limit": Planted(text=CUT, status=ItemStatus.TRUNCATED, finish="length"),
    "whole, and cut off by its limit": Planted(text=ONE, status=ItemStatus.TRUNCATED, finish="length"),
    "stopped by a filter": Planted(text=ONE, status=ItemStatus.REFUSED, finish="content_filter"),
    "declined": Planted(text=ONE, status=ItemStatus.REFUSED, refusal="No."),
    "5 MB of reasons before": Planted(text=REASONS + ONE, stage="unwrapped", relations=AB),
    "5 MB of thought before": Planted(text=f"<think>{REASONS}</think>{ONE}", stage="unwrapped", relations=AB),
    "5 MB of reasons behind": Planted(
        text=ONE + REASONS, status=ItemStatus.UNPARSABLE, fault="there is no JSON object with relationships"
    ),
}.items():
    _plant(_name, _planted)
