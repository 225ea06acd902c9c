"""Answers that are objects: each good one is read as it was written, each bad one ends as it should, fault by fault."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.labels import SIGN
from core.runs.states import ItemStatus
from protocols.replies.before_reading import MOST_CHARACTERS
from protocols.replies.checking import MOST_DEPTH, MOST_FAULTS, MOST_NOTES
from protocols.replies.objects import ParsedObject, read_object
from protocols.replies.shapes import (
    BooleanShape,
    ChoiceShape,
    Key,
    LabelShape,
    ListShape,
    NumberShape,
    ObjectShape,
    Shape,
    TextShape,
)

RELATION = ObjectShape(
    (
        Key("treatment", TextShape(60, fewest=1)),
        Key("outcome", TextShape(60, fewest=1)),
        Key("sign", LabelShape(SIGN)),
        Key("presence_label", ChoiceShape(("STRONG_MATCH", "NO_MATCH")), is_required=False),
        Key("score", NumberShape(0, 3, is_whole=True), is_required=False, is_nullable=True),
        Key("is_causal", BooleanShape(), is_required=False),
        Key("evidence", ListShape(TextShape(200), 3), is_required=False),
        Key("context", ObjectShape((Key("place", TextShape(60)),)), is_required=False),
    )
)
RELATIONS = ObjectShape((Key("causal_relations", ListShape(RELATION, most=50)),))


def read(text: str | None, shape: ObjectShape | ListShape = RELATIONS, **how: str) -> ParsedObject:
    return read_object(text, shape=shape, finish_reason=how.pop("finish_reason", "stop"), **how)


def relation(**more: Any) -> dict[str, Any]:
    return {"treatment": "tariffs", "outcome": "prices", "sign": "+", **more}


def answer(*relations: Any) -> str:
    return json.dumps({"causal_relations": list(relations) or [relation()]}, ensure_ascii=False)


ONE = {"causal_relations": [relation()]}
PLAIN = answer()
TAIL = ', "outcome": "prices", "sign": "+"}]}'

READ = {
    "the object alone": (PLAIN, ONE, "strict"),
    "blanks and a byte order mark": (f"\ufeff\n {PLAIN}\r\n", ONE, "strict"),
    "an empty list": ('{"causal_relations": []}', {"causal_relations": []}, "strict"),
    "every key": (
        answer(
            full := relation(
                presence_label="NO_MATCH", score=3, is_causal=False, evidence=["a", "b"], context={"place": "Peru"}
            )
        ),
        {"causal_relations": [full]},
        "strict",
    ),
    "null where it may stand": (
        answer(relation(score=None)),
        {"causal_relations": [relation(score=None)]},
        "strict",
    ),
    "an alias of a label": (answer(relation(sign=" Negative ")), {"causal_relations": [relation(sign="-")]}, "strict"),
    "keys in another case": (PLAIN.replace("sign", "Sign ").replace("causal", "Causal"), ONE, "strict"),
    "a text with NUL": (
        answer(relation(treatment="a\x00b")),
        {"causal_relations": [relation(treatment="a\N{REPLACEMENT CHARACTER}b")]},
        "strict",
    ),
    "a fence": (f"```json\n{PLAIN}\n```", ONE, "unwrapped"),
    "prose around": (f"In [1] and {{2}}: {PLAIN} Done.", ONE, "unwrapped"),
    "a think block with another": (f"<think>{answer(relation(sign='-'))}</think>\n{PLAIN}", ONE, "unwrapped"),
    "think of 400,000 characters": (f"<think>{'so ' * 140_000}</think>{PLAIN}", ONE, "unwrapped"),
    "a wrapper": (f'{{"answer": {PLAIN}}}', ONE, "unwrapped"),
    "a wrapper around a list of one": (f'{{"answers": [{PLAIN}]}}', ONE, "unwrapped"),
    "a list of one": (f"[{PLAIN}]", ONE, "unwrapped"),
    "JSON in a JSON text": (json.dumps(PLAIN), ONE, "unwrapped"),
    "the same answer twice": (f"{PLAIN}\n{PLAIN}", ONE, "unwrapped"),
    "the same answer in two forms": (f"{PLAIN}\n{json.dumps(ONE, indent=1)}", ONE, "unwrapped"),
    "another object before it": (f'{{"analysis": "trade"}}\n{PLAIN}', ONE, "unwrapped"),
    "a comma too many": (PLAIN.replace("}]", ",}]"), ONE, "repaired"),
    "single quotes": (PLAIN.replace('"', "'"), ONE, "repaired"),
    "curly quotes": (
        "{“causal_relations”: [{“treatment”: “tariffs”, “outcome”: “prices”, “sign”: “+”}]}",
        ONE,
        "repaired",
    ),
    "no comma between two keys": (PLAIN.replace('"tariffs", ', '"tariffs"\n'), ONE, "repaired"),
    "keys without quotes": (PLAIN.replace('"sign"', "sign"), ONE, "repaired"),
    "a word without quotes": (PLAIN.replace('"tariffs"', "tariffs"), ONE, "repaired"),
    "Python's None where it is a label": (
        PLAIN.replace('"+"', "None"),
        {"causal_relations": [relation(sign="None")]},
        "repaired",
    ),
    "Python's None where null may stand": (
        PLAIN.replace('"+"', '"+", "score": None'),
        {"causal_relations": [relation(score=None)]},
        "repaired",
    ),
    "Python's True": (
        PLAIN.replace('"+"', '"+", "is_causal": True'),
        {"causal_relations": [relation(is_causal=True)]},
        "repaired",
    ),
    "quotes within a text": (
        PLAIN.replace("tariffs", 'so-called "safe" tariffs'),
        {"causal_relations": [relation(treatment='so-called "safe" tariffs')]},
        "repaired",
    ),
    "a bad escape": (
        PLAIN.replace("tariffs", "50\\% tariffs"),
        {"causal_relations": [relation(treatment="50\\% tariffs")]},
        "repaired",
    ),
    "a line break within a text": (
        PLAIN.replace("tariffs", "high\ntariffs"),
        {"causal_relations": [relation(treatment="high\ntariffs")]},
        "repaired",
    ),
    "a comment": (PLAIN.replace('"tariffs",', '"tariffs", // as they say\n'), ONE, "repaired"),
}

FIRST = "causal_relations[0]"
OBJECT = "an object with causal_relations"
RIGHT_SIGN = "one of +, -, None, mixed"

UNREAD = {
    "a word outside the set": (
        answer(relation(), relation(sign="up")),
        [("causal_relations[1].sign", '"up"', RIGHT_SIGN)],
    ),
    "null for a label": (answer(relation(sign=None)), [(f"{FIRST}.sign", "null", RIGHT_SIGN)]),
    "a number for a label": (answer(relation(sign=1)), [(f"{FIRST}.sign", "1", RIGHT_SIGN)]),
    "a list for a label": (answer(relation(sign=["+"])), [(f"{FIRST}.sign", "a list of 1", RIGHT_SIGN)]),
    "a word of a choice in another case": (
        answer(relation(presence_label="no_match")),
        [(f"{FIRST}.presence_label", '"no_match"', "one of STRONG_MATCH, NO_MATCH")],
    ),
    "a word of another place": (
        answer(relation(presence_label="+", sign="NO_MATCH")),
        [
            (f"{FIRST}.sign", '"NO_MATCH"', RIGHT_SIGN),
            (f"{FIRST}.presence_label", '"+"', "one of STRONG_MATCH, NO_MATCH"),
        ],
    ),
    "null for a choice": (
        answer(relation(presence_label=None)),
        [(f"{FIRST}.presence_label", "null", "one of STRONG_MATCH, NO_MATCH")],
    ),
    "a missing key": (
        '{"causal_relations": [{"treatment": "a", "outcome": "b"}]}',
        [(f"{FIRST}.sign", "nothing", RIGHT_SIGN)],
    ),
    "two missing keys": (
        '{"causal_relations": [{"sign": "+"}]}',
        [
            (f"{FIRST}.treatment", "nothing", "a text of 1 to 60 characters"),
            (f"{FIRST}.outcome", "nothing", "a text of 1 to 60 characters"),
        ],
    ),
    "an empty text": (
        answer(relation(treatment=" ")),
        [(f"{FIRST}.treatment", '" "', "a text of 1 to 60 characters")],
    ),
    "a text too long": (
        answer(relation(treatment="x" * 61)),
        [(f"{FIRST}.treatment", f'"{"x" * 60}…"', "a text of 1 to 60 characters")],
    ),
    "a number for a text": (
        answer(relation(treatment=7)),
        [(f"{FIRST}.treatment", "7", "a text of 1 to 60 characters")],
    ),
    "a number too large": (
        answer(relation(score=4)),
        [(f"{FIRST}.score", "4", "a whole number from 0 to 3, or null")],
    ),
    "a number below": (
        answer(relation(score=-1)),
        [(f"{FIRST}.score", "-1", "a whole number from 0 to 3, or null")],
    ),
    "a fraction": (
        answer(relation(score=2.5)),
        [(f"{FIRST}.score", "2.5", "a whole number from 0 to 3, or null")],
    ),
    "true for a number": (
        answer(relation(score=True)),
        [(f"{FIRST}.score", "true", "a whole number from 0 to 3, or null")],
    ),
    "a number in quotes": (
        answer(relation(score="2")),
        [(f"{FIRST}.score", '"2"', "a whole number from 0 to 3, or null")],
    ),
    "1 for true": (answer(relation(is_causal=1)), [(f"{FIRST}.is_causal", "1", "true or false")]),
    "a word for true": (answer(relation(is_causal="yes")), [(f"{FIRST}.is_causal", '"yes"', "true or false")]),
    "a text for a list": (
        answer(relation(evidence="a")),
        [(f"{FIRST}.evidence", '"a"', "a list of at most 3 values")],
    ),
    "a list too long": (
        answer(relation(evidence=["a"] * 4)),
        [(f"{FIRST}.evidence", "a list of 4", "a list of at most 3 values")],
    ),
    "a faulty value in a list": (
        answer(relation(evidence=["a", None])),
        [(f"{FIRST}.evidence[1]", "null", "a text of at most 200 characters")],
    ),
    "a text for an object": (
        answer(relation(context="Peru")),
        [(f"{FIRST}.context", '"Peru"', "an object with place")],
    ),
    "a fault in an object in an object": (
        answer(relation(context={"place": 3})),
        [(f"{FIRST}.context.place", "3", "a text of at most 60 characters")],
    ),
    "a text for a relation": (
        answer("tariffs"),
        [(FIRST, '"tariffs"', "an object with treatment, outcome, sign")],
    ),
    "an object for the list": (
        '{"causal_relations": {}}',
        [("causal_relations", "an object", "a list of at most 50 objects")],
    ),
    "another key": ('{"relations": []}', [("causal_relations", "nothing", "a list of at most 50 objects")]),
    "a key twice": (PLAIN.replace('"outcome"', '"treatment"'), [(FIRST, 'the key "treatment" twice', "each key once")]),
    "a key twice alike": (
        PLAIN.replace('"sign"', '"sign": "+", "sign"'),
        [(FIRST, 'the key "sign" twice', "each key once")],
    ),
    "a key twice in two cases": (
        PLAIN.replace('"sign"', '"Sign": "-", "sign"'),
        [(FIRST, 'the key "sign" twice', "each key once")],
    ),
    "the only key twice": (
        '{"causal_relations": [], "causal_relations": []}',
        [("", 'the key "causal_relations" twice', "each key once")],
    ),
    "a key twice under an unknown key": (
        PLAIN.replace('"+"', '"+", "note": {"a": 1, "a": 2}'),
        [(f"{FIRST}.note", 'the key "a" twice', "each key once")],
    ),
    "NaN": (
        PLAIN.replace('"+"', '"+", "score": NaN'),
        [(f"{FIRST}.score", "NaN", "a whole number from 0 to 3, or null")],
    ),
    "Infinity": (
        PLAIN.replace('"+"', '"+", "score": -Infinity'),
        [(f"{FIRST}.score", "-Infinity", "a whole number from 0 to 3, or null")],
    ),
    "NaN under an unknown key": (
        PLAIN.replace('"+"', '"+", "p": [0, NaN]'),
        [(f"{FIRST}.p[1]", "NaN", "a JSON number")],
    ),
    "1e400": (PLAIN.replace('"+"', '"+", "p": 1e400'), [(f"{FIRST}.p", "1e400", "a number that can be stored")]),
    "a number of 5,000 digits": (
        PLAIN.replace('"+"', '"+", "p": ' + "9" * 5000),
        [(f"{FIRST}.p", "9" * 60 + "…", "a number that can be stored")],
    ),
    "a value nested too deeply": (
        PLAIN.replace('"+"', '"+", "p": ' + "[" * 70 + "]" * 70),
        [
            (
                f"{FIRST}.p" + "[0]" * (MOST_DEPTH - 3),
                "a value nested more deeply",
                f"at most {MOST_DEPTH} lists and objects in one another",
            )
        ],
    ),
    "two that differ": (f"{PLAIN} {answer(relation(sign='-'))}", [("", "2 different answers", f"one: {OBJECT}")]),
    "two that differ in true and 1": (
        f"{answer(relation(p=True))} {answer(relation(p=1))}",
        [("", "2 different answers", f"one: {OBJECT}")],
    ),
    "the form repeated, then the answer": (
        f'{{"causal_relations": [...]}}\n{PLAIN}',
        [("", "2 different answers", f"one: {OBJECT}")],
    ),
    "an object that lost its first brace": (
        PLAIN[1:],
        [("", "no JSON object with causal_relations", OBJECT)],
    ),
    "an object in one that lost its first brace": (
        f'"answer": {PLAIN}}}',
        [("", "a part of a larger answer whose brackets are at fault", OBJECT)],
    ),
    "an object before another that a comma joins": (
        f'{PLAIN}}}, "note": 1}}',
        [("", "a part of a larger answer whose brackets are at fault", OBJECT)],
    ),
    "prose": ("Tariffs raise prices.", [("", "no JSON object with causal_relations", OBJECT)]),
    "another object in prose": ('So: {"a": 1}', [("", "no JSON object with causal_relations", OBJECT)]),
    "nothing": (" \n", [("", "an empty reply", OBJECT)]),
    "think without an end": (f"<think>I say {PLAIN}", [("", "no answer after the reasoning", OBJECT)]),
    "too long": ("x" * (MOST_CHARACTERS + 1), [("", "a reply of 262,145 characters", "at most 262,144")]),
}
GUESSES = {
    "the end missing": PLAIN[:-2],
    "the last brace missing": PLAIN[:-1],
    "cut off within a text": PLAIN[: PLAIN.index("prices") + 3],
    "cut off after a value": PLAIN[: PLAIN.index(', "sign"')],
    "a bracket of the wrong kind": PLAIN.replace("}]", "]}"),
    "a bracket too many": PLAIN.replace("}]", "}]]"),
    "a key twice, single quotes": PLAIN.replace('"sign"', '"sign": "-", "sign"').replace('"', "'"),
    "a quote missing at an end": PLAIN.replace('tariffs"', "tariffs"),
    "a quote missing at a beginning": PLAIN.replace('"tariffs', "tariffs"),
    "a text that looks like two": PLAIN.replace("tariffs", 'tariffs", or "duties'),
    "a text that holds a key": PLAIN.replace("tariffs", 'tariffs "sign": "-'),
    "a text without its opening quotes in a list": PLAIN.replace('"+"', '"+", "evidence": ["a, "b", "c"]'),
    "words between two texts of a list": PLAIN.replace('"+"', '"+", "evidence": ["they say" no "to it"]'),
    "two texts without a comma in a list": PLAIN.replace('"+"', '"+", "evidence": ["a" "b"]'),
    "a value left out": PLAIN.replace('"tariffs"', ""),
    "a value left out of a list": PLAIN.replace('"+"', '"+", "evidence": ["a",,"b"]'),
    "a number with a comma": PLAIN.replace('"+"', '"+", "score": 1,000,'),
    "a number with a word": PLAIN.replace('"+"', '"+", "score": 2 of 3'),
    "several words without quotes": PLAIN.replace('"tariffs"', "import tariffs"),
    "two values": PLAIN.replace('"+"', '"+" or "-"'),
    "a comment with another answer": PLAIN.replace('"+"', '"+", // "sign": "-"\n'),
    "NaN in a faulty object": PLAIN.replace('"+"', '"+", "p": NaN,'),
    "1e400 in a faulty object": PLAIN.replace('"+"', '"+", "p": 1e400,'),
    "nothing but commas": '{"causal_relations",,}',
    "an escape that JSON does not have": PLAIN.replace("tariffs", "tariffs \\x41"),
    "an escape of a command": PLAIN.replace("tariffs", "tariffs \\alpha"),
    "dots for the rest": PLAIN.replace("}]", "}, ...]"),
    "faulty and long": PLAIN.replace("tariffs", "x" * 9_000).replace("}]", ",}]"),
    "100,000 lists deep": '{"causal_relations": ' + "[" * 100_000,
    "250,000 braces": "{" * 250_000 + "causal_relations",
    "250,000 quotes": '{"causal_relations"' + '"' * 250_000,
}


@pytest.mark.parametrize("case", READ, ids=str)
def test_an_answer_is_read(case: str) -> None:
    text, value, stage = READ[case]
    found = read(text)
    assert (found.status, found.value, found.stage) == (ItemStatus.ANSWERED, value, stage)
    assert (found.faults, found.fault, found.notes) == ((), "", ())
    assert (found.repaired is None) == (stage == "strict")


@pytest.mark.parametrize("case", UNREAD, ids=str)
def test_each_fault_names_its_path_what_was_found_and_what_would_be_right(case: str) -> None:
    text, faults = UNREAD[case]
    found = read(text)
    assert found.status is ItemStatus.UNPARSABLE
    assert [(each.path, each.found, each.right) for each in found.faults] == faults


@pytest.mark.parametrize("case", GUESSES, ids=str)
def test_what_could_only_be_guessed_is_malformed(case: str) -> None:
    found = read(GUESSES[case])
    assert (found.status, found.value) == (ItemStatus.UNPARSABLE, None)
    (fault,) = found.faults
    assert fault.place == ()
    assert fault.found.startswith("malformed JSON (")
    assert fault.right == f"valid JSON: {OBJECT}"


def test_a_fault_reads_as_a_sentence() -> None:
    text = answer(relation(), relation(), relation(sign="up"))
    assert read(text).fault == 'causal_relations[2].sign: found "up"; right would be one of +, -, None, mixed'
    assert read("").fault == "found an empty reply; right would be an object with causal_relations"
    assert read(answer({})).fault.endswith("(and 2 more)")


@pytest.mark.proof("T4", "answers that are objects, cut off or declined", gate="0 values")
@pytest.mark.parametrize("text", [PLAIN, PLAIN[:30], "", None])
def test_an_answer_cut_off_or_declined_gives_no_value_whatever_it_holds(text: str | None) -> None:
    for found, status in (
        (read(text, finish_reason="length"), ItemStatus.TRUNCATED),
        (read(text, finish_reason="content_filter"), ItemStatus.REFUSED),
        (read(text, refusal="No."), ItemStatus.REFUSED),
    ):
        assert (found.status, found.value, len(found.faults)) == (status, None, 1)
    assert read("I'm sorry, but I can't help with that.").status is ItemStatus.REFUSED
    assert read(text, finish_reason="length").fault == (
        f"found no answer (the reply was cut off by the token limit); right would be {OBJECT}"
    )


def test_unknown_keys_are_kept_and_noted() -> None:
    text = json.dumps({"causal_relations": [relation(), relation(**{"p of it": {"a": [1]}})], "note": None})
    found = read(text)
    assert found.status is ItemStatus.ANSWERED
    assert found.value == json.loads(text)
    assert found.notes == ('causal_relations[1]["p of it"]', "note")


def test_none_without_quotes_is_a_guess_where_null_and_the_label_may_stand() -> None:
    shape = ObjectShape((Key("sign", LabelShape(SIGN), is_nullable=True),))
    assert read("{'sign': None}", shape).fault == (
        f"sign: found None without quotes; right would be {RIGHT_SIGN}, or null"
    )
    assert read('{"sign": null}', shape).value == {"sign": None}
    assert read("{'sign': 'None'}", shape).value == {"sign": "None"}


def test_keys_that_differ_in_case_alone_are_two_names() -> None:
    shape = ObjectShape((Key("price", NumberShape()), Key("Price", NumberShape())))
    assert read('{"Price": 1, "price": 2}', shape).value == {"Price": 1, "price": 2}
    assert read('{"PRICE": 1, "price": 2}', shape).fault == "Price: found nothing; right would be a number"


LIST = ListShape(RELATION)
LISTS = {
    "the list alone": (json.dumps([relation()]), [relation()], "strict"),
    "none": ("[]", [], "strict"),
    "none, in prose": ("There are none: []", [], "unwrapped"),
    "in prose with brackets": (f"As [1] says of [a treatment]: {json.dumps([relation()])}", [relation()], "unwrapped"),
    "in an object": (PLAIN, [relation()], "unwrapped"),
    "single quotes": (str([relation()]), [relation()], "repaired"),
}


@pytest.mark.parametrize("case", LISTS, ids=str)
def test_a_list_of_objects_is_read(case: str) -> None:
    text, value, stage = LISTS[case]
    found = read(text, LIST)
    assert (found.status, found.value, found.stage) == (ItemStatus.ANSWERED, value, stage)


def test_what_is_no_list_of_objects_says_so() -> None:
    right = "a list of at most 1,000 objects"
    assert read(json.dumps(relation()), LIST).fault == f"found an object; right would be {right}"
    assert read(f"So: {json.dumps(relation())}", LIST).fault == f"found an object; right would be {right}"
    assert read("None.", LIST).fault == (
        "found no JSON list of objects with treatment, outcome, sign, presence_label, score, is_causal, evidence, "
        f"context; right would be {right}"
    )
    part = f'{json.dumps([relation()])}, "note": 1}}'
    assert read(part, LIST).fault == (
        f"found a part of a larger answer whose brackets are at fault; right would be {right}"
    )
    two = f"{json.dumps([relation()])} {json.dumps([relation(sign='-')])}"
    assert read(two, LIST).fault == f"found 2 different answers; right would be one: {right}"
    assert read(json.dumps([relation(), {}]), LIST).faults[0].path == "[1].treatment"


def test_a_shape_that_cannot_be_met_is_refused() -> None:
    with pytest.raises(ValueError, match="of a number"):
        read("[]", ListShape(NumberShape()))
    for names in ((), ("a", "a"), ("",)):
        with pytest.raises(ValueError, match="none twice"):
            ObjectShape(tuple(Key(name, TextShape()) for name in names))


def test_a_reply_of_many_faults_gives_a_bounded_list() -> None:
    text = json.dumps({"causal_relations": [{f"k{n}": 0} for n in range(50)] + [{"x": 1}] * 900})
    found = read(text)
    assert len(found.faults) == MOST_FAULTS + 1
    # 1 for the length of the list, and three keys missing in each of the 50 relations that are looked at.
    assert found.faults[-1].found == f"{1 + 3 * 50 - MOST_FAULTS} more faults"
    assert len(read(json.dumps({"causal_relations": [], **{f"k{n}": 0 for n in range(150)}})).notes) == MOST_NOTES + 1


def test_there_are_sixty_planted_answers_and_more() -> None:
    assert len(UNREAD) + len(GUESSES) + len([1 for _, _, stage in READ.values() if stage != "strict"]) >= 60


# --- laws -----------------------------------------------------------------------------------------------------------

WORDS = st.text(st.characters(exclude_characters="\x00", exclude_categories=("Cs",)), max_size=12)
VALUES: dict[type, st.SearchStrategy[Any]] = {
    TextShape: WORDS,
    ChoiceShape: st.sampled_from(["A", "B"]),
    LabelShape: st.sampled_from(SIGN.classes),
    NumberShape: st.integers(-5, 5),
    BooleanShape: st.booleans(),
}
NAMES = st.from_regex(r"[a-z]{1,4}( [a-z])?", fullmatch=True)
LEAVES: st.SearchStrategy[Shape] = st.sampled_from(
    [
        TextShape(20),
        ChoiceShape(("A", "B")),
        LabelShape(SIGN),
        NumberShape(-5, 5, is_whole=True),
        BooleanShape(),
    ]
)


def objects_of(shapes: st.SearchStrategy[Shape]) -> st.SearchStrategy[ObjectShape]:
    keys = st.builds(Key, NAMES, shapes, st.booleans(), st.booleans())
    return st.lists(keys, min_size=1, max_size=4, unique_by=lambda key: key.name).map(
        lambda made: ObjectShape(tuple(made))
    )


SHAPES = objects_of(st.recursive(LEAVES, lambda inner: objects_of(inner) | st.builds(ListShape, inner), max_leaves=6))


def fitting(draw: st.DrawFn, shape: Shape) -> Any:
    if isinstance(shape, ListShape):
        return [fitting(draw, shape.of) for _ in range(draw(st.integers(0, 3)))]
    if isinstance(shape, ObjectShape):
        return {
            key.name: None if key.is_nullable and draw(st.booleans()) else fitting(draw, key.shape)
            for key in shape.keys
            if key.is_required or draw(st.booleans())
        }
    return draw(VALUES[type(shape)])


@st.composite
def shaped(draw: st.DrawFn) -> tuple[ObjectShape, dict[str, Any]]:
    shape = draw(SHAPES)
    return shape, fitting(draw, shape)


@given(shaped(), st.sampled_from(["{}", "```json\n{}\n```", "<think>{{</think>So: {}"]), st.booleans())
def test_what_is_serialised_is_read_back(made: tuple[ObjectShape, Any], around: str, is_ascii: bool) -> None:
    shape, value = made
    if not value and around != "{}":
        return  # an object without keys cannot be told from others in prose
    found = read(around.replace("{}", json.dumps(value, ensure_ascii=is_ascii)), shape)
    assert (found.status, found.value, found.notes) == (ItemStatus.ANSWERED, value, ())


def leaves(value: Any, shape: Shape, place: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Places of values that are no lists or objects of the shape."""
    if isinstance(shape, ListShape) and value is not None:
        return [leaf for n, each in enumerate(value) for leaf in leaves(each, shape.of, (*place, n))]
    if isinstance(shape, ObjectShape) and value is not None:
        keys = {key.name: key for key in shape.keys}
        return [leaf for name, each in value.items() for leaf in leaves(each, keys[name].shape, (*place, name))]
    return [place]


def at(value: Any, place: tuple[str | int, ...]) -> Any:
    for step in place:
        value = value[step]
    return value


WRONG = 1_000_000_000.5


@given(shaped(), st.data())
def test_the_place_of_a_fault_leads_to_the_value_that_is_wrong(
    made: tuple[ObjectShape, Any], data: st.DataObject
) -> None:
    shape, value = made
    places = leaves(value, shape)
    if not places:
        return
    chosen = data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=3, unique=True))
    spoilt = json.loads(json.dumps(value))
    for place in chosen:
        at(spoilt, place[:-1])[place[-1]] = WRONG
    found = read(json.dumps(spoilt), shape)
    assert found.status is ItemStatus.UNPARSABLE
    assert {each.place for each in found.faults} == set(chosen)
    assert all(at(found.value, place) == WRONG for place in chosen)


@given(shaped(), st.data())
def test_a_mark_that_is_left_out_or_doubled_changes_no_value_unnoticed(
    made: tuple[ObjectShape, Any], data: st.DataObject
) -> None:
    shape, value = made
    text = json.dumps(value, ensure_ascii=False)
    places = [place for place, mark in enumerate(text) if mark in '{}[],:"']
    place = data.draw(st.sampled_from(places))
    times = data.draw(st.sampled_from([0, 2]))
    changed = text[:place] + text[place] * times + text[place + 1 :]
    try:
        json.loads(changed)
    except ValueError:
        found = read(changed, shape)
        assert found.status is ItemStatus.UNPARSABLE or found.value == value


SAID = ["+", "NaN", "1e400", "-", "None", "null", "0", "<think>", "</think>", "\x00", "\ud800", "//", "#", "treatment"]
BEGUN = ['"causal_relations": [', '"sign": "', '{"treatment": "a"', '"outcome": "b"', '{"causal_relations": [']


@given(shaped())
def test_a_value_of_python_is_read_as_it_is_or_not_at_all(made: tuple[ObjectShape, Any]) -> None:
    shape, value = made
    found = read(repr(value), shape)
    assert found.status is ItemStatus.UNPARSABLE or found.value == value


PIECES = st.sampled_from([*"{}[]:,\"\\\n'“”", *SAID, *BEGUN, PLAIN, TAIL])


@given(st.lists(PIECES | st.text(max_size=4), max_size=25).map("".join), st.sampled_from([RELATIONS, LIST]))
def test_no_text_raises_and_what_is_read_can_be_stored(text: str, shape: ObjectShape | ListShape) -> None:
    found = read(text, shape)
    assert (found.status is ItemStatus.ANSWERED) == (not found.faults)
    if found.status is ItemStatus.ANSWERED:
        assert found.value is not None
    faults = [str(each) for each in found.faults]
    kept = json.dumps([found.value, faults, found.notes, found.repaired], allow_nan=False, ensure_ascii=False)
    kept.encode("utf-8")
    assert "\\u0000" not in kept
