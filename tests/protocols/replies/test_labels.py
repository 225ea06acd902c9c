"""Malformed answers: each has its right label, or its right status; no text raises, hangs, or makes up a label."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.labels import SIGN, SIGN_OR_UNKNOWN, TRUTH, LabelSet
from core.runs.states import ItemStatus
from protocols.replies.before_reading import MOST_CHARACTERS
from protocols.replies.labels import ParsedReply, read_reply
from protocols.replies.schema import ReplyField, ReplySchema
from tests.everything import usual


def schema_of(labels: LabelSet = SIGN) -> ReplySchema:
    return ReplySchema("sign", (ReplyField("predicted_sign", labels), ReplyField("reasoning")))


def read(text: str | None, labels: LabelSet = SIGN, **how: str) -> ParsedReply:
    return read_reply(text, schema=schema_of(labels), finish_reason=how.pop("finish_reason", "stop"), **how)


PLUS = '{"predicted_sign": "+", "reasoning": "x"}'

READ = {
    "the object alone": (PLUS, "+", "strict"),
    "white space around": (f"\n\t {PLUS} \r\n", "+", "strict"),
    "a byte order mark": (f"\ufeff{PLUS}", "+", "strict"),
    "without reasoning": ('{"predicted_sign": "mixed"}', "mixed", "strict"),
    "another order, more keys": ('{"confidence": 0.8, "reasoning": "x", "predicted_sign": "-"}', "-", "strict"),
    "an alias": ('{"predicted_sign": "Positive"}', "+", "strict"),
    "another case, blanks": ('{"predicted_sign": "  MIXED "}', "mixed", "strict"),
    "U+2212": ('{"predicted_sign": "−"}', "-", "strict"),
    "U+2212 escaped": ('{"predicted_sign": "\\u2212"}', "-", "strict"),
    "no effect": ('{"predicted_sign": "No Effect"}', "None", "strict"),
    "the word null": ('{"predicted_sign": "null"}', "None", "strict"),
    "the word None": ('{"predicted_sign": "None"}', "None", "strict"),
    "null beside it": ('{"predicted_sign": "+", "reasoning": null}', "+", "strict"),
    "reasoning that is a list": ('{"predicted_sign": "+", "reasoning": ["a", "b"]}', "+", "strict"),
    "reasoning that quotes an answer": (
        '{"predicted_sign": "+", "reasoning": "not {\\"predicted_sign\\": \\"-\\"}"}',
        "+",
        "strict",
    ),
    "reasoning that speaks of think tags": ('{"predicted_sign": "+", "reasoning": "</think> <think>"}', "+", "strict"),
    "a number of 200 digits beside it": ('{"predicted_sign": "+", "n": %s}' % ("9" * 200), "+", "strict"),
    "a fence": (f"```json\n{PLUS}\n```", "+", "unwrapped"),
    "a fence without its end": (f"```\n{PLUS}", "+", "unwrapped"),
    "prose before": (f"Here is my answer: {PLUS}", "+", "unwrapped"),
    "prose after": (f"{PLUS}\n\nI hope this helps!", "+", "unwrapped"),
    "prose with other braces": (f"In {{this}} case $\\frac{{a}}{{b}}$: {PLUS} {{}}", "+", "unwrapped"),
    "prose with an apostrophe and a quote": (f"It's \"clear: {PLUS}", "+", "unwrapped"),
    "a list of one": (f"[{PLUS}]", "+", "unwrapped"),
    "a wrapper": (f'{{"answer": {PLUS}}}', "+", "unwrapped"),
    "a wrapper around a list of one": (f'{{"answers": [{PLUS}]}}', "+", "unwrapped"),
    "500 lists that never close": ("[" * 500 + PLUS, "+", "unwrapped"),
    "a wrapper that never closes": (f'{{"answer": {PLUS}', "+", "unwrapped"),
    "a stray brace before": (f"Set {{ first. {PLUS}", "+", "unwrapped"),
    "JSON within a JSON text": (json.dumps(PLUS), "+", "unwrapped"),
    "the same answer twice": (f"{PLUS}\n{PLUS}", "+", "unwrapped"),
    "HTML around": (f"<html><body><p>{PLUS}</p></body></html>", "+", "unwrapped"),
    "think before": (f"<think>Maybe +, maybe -.</think>{PLUS}", "+", "unwrapped"),
    "an answer within think, another after": (f'<think>{{"predicted_sign": "-"}}</think>\n{PLUS}', "+", "unwrapped"),
    "the end of think only": (f'So {{"predicted_sign": "-"}} … no.\n</think>\n{PLUS}', "+", "unwrapped"),
    "another object first": (f'{{"analysis": "trade"}}\n{PLUS}', "+", "unwrapped"),
    "think of 400,000 characters": (f"<think>{'so ' * 140_000}</think>{PLUS}", "+", "unwrapped"),
    "a trailing comma": ('{"predicted_sign": "-", "reasoning": "x",}', "-", "repaired"),
    "single quotes": ("{'predicted_sign': '-', 'reasoning': 'x'}", "-", "repaired"),
    "an apostrophe in single quotes": ("{'predicted_sign': '-', 'reasoning': 'it's so'}", "-", "repaired"),
    "Python's None": ("{'predicted_sign': None, 'reasoning': 'x'}", "None", "repaired"),
    "Python's None in JSON": ('{"predicted_sign": None, "reasoning": "x"}', "None", "repaired"),
    "Python's True beside it": ('{"predicted_sign": "+", "is_sure": True}', "+", "repaired"),
    "curly quotes": ("{“predicted_sign”: “+”, “reasoning”: “x”}", "+", "repaired"),
    "bare words": ("{predicted_sign: mixed, reasoning: because it varies}", "mixed", "repaired"),
    "a bare sign": ("{predicted_sign: +, confidence: 0.8}", "+", "repaired"),
    "a bare word, then a key on a line": ("{predicted_sign: mixed \n reasoning: it varies}", "mixed", "repaired"),
    "a bare minus, alone": ('{"predicted_sign": -}', "-", "repaired"),
    "bare words of two": ('{"predicted_sign": no effect, "reasoning": "x"}', "None", "repaired"),
    "a comment of slashes": ('{"predicted_sign": "+", // clear\n "reasoning": "x"}', "+", "repaired"),
    "a comment of a hash": ('{"predicted_sign": "+" # clear\n, "reasoning": "x"}', "+", "repaired"),
    "no comma between": ('{"predicted_sign": "+" "reasoning": "x"}', "+", "repaired"),
    "no brace at the end": ('{"predicted_sign": "+"', "+", "repaired"),
    "reasoning cut off": ('{"predicted_sign": "+", "reasoning": "because the', "+", "repaired"),
    "a line break within a text": ('{"predicted_sign": "+", "reasoning": "one\ntwo"}', "+", "repaired"),
    "quotes within a text": ('{"predicted_sign": "+", "reasoning": "they say "no" to it"}', "+", "repaired"),
    "a bad escape": ('{"predicted_sign": "+", "reasoning": "50\\% of it"}', "+", "repaired"),
    "NUL beside it": ('{"predicted_sign": "+", "reasoning": "a\x00b"}', "+", "repaired"),
    "a faulty object in a fence": ("```json\n{'predicted_sign': 'mixed',}\n```\nDone.", "mixed", "repaired"),
    "a key in another case": ('{"Predicted_Sign": "+"}', "+", "strict"),
    "an escaped NUL beside it": ('{"predicted_sign": "+", "reasoning": "a\\u0000b"}', "+", "strict"),
    "half a surrogate pair beside it": ('{"predicted_sign": "+", "reasoning": "a\\ud800b"}', "+", "strict"),
}

UNREAD = {
    "nothing": "",
    "blanks": " \n\t ",
    "prose": "The effect is positive.",
    "a sign alone": "+",
    "a JSON text alone": '"+"',
    "JSON null alone": "null",
    "a list of texts": '["+"]',
    "an empty object": "{}",
    "another key": '{"sign": "+"}',
    "JSON null": '{"predicted_sign": null}',
    "a bare null in another case": "{'predicted_sign': NULL, 'reasoning': 'x'}",
    "null in a faulty object": "{'predicted_sign': null, 'reasoning': 'x'}",
    "a number": '{"predicted_sign": 1}',
    "a number below 0": '{"predicted_sign": -1}',
    "+1, which JSON does not have": '{"predicted_sign": +1, "reasoning": "x"}',
    "true": '{"predicted_sign": true}',
    "Python's True": "{'predicted_sign': True}",
    "a list of one label": '{"predicted_sign": ["+"]}',
    "a list of two labels": '{"predicted_sign": ["+", "-"]}',
    "an object": '{"predicted_sign": {"value": "+"}}',
    "an empty label": '{"predicted_sign": ""}',
    "a label outside the list": '{"predicted_sign": "increase"}',
    "a label with more words": '{"predicted_sign": "+ (positive)"}',
    "two labels in one": '{"predicted_sign": "+/-"}',
    "a label in quotes": '{"predicted_sign": "\'+\'"}',
    "unknown where it is no option": '{"predicted_sign": "unknown"}',
    "NUL within the label": '{"predicted_sign": "mi\x00xed"}',
    "NUL after the label": '{"predicted_sign": "+\\u0000"}',
    "a zero width space within": '{"predicted_sign": "mi\u200bxed"}',
    "two objects that differ": '{"predicted_sign": "+"} {"predicted_sign": "-"}',
    "two objects, the first faulty": "{'predicted_sign': '+'} {\"predicted_sign\": \"-\"}",
    "two that agree, for other reasons": f'{PLUS} {{"predicted_sign": "+", "reasoning": "y"}}',
    "a list of two": '[{"predicted_sign": "+"}, {"predicted_sign": "-"}]',
    "two objects, the second cut off": '{"predicted_sign": "+"} {"predicted_sign": "-"',
    "an object within an object": '{"predicted_sign": "+", "then": {"predicted_sign": "-"',
    "the form repeated, then the answer": f'{{"predicted_sign": one of "+", "-"}}\n{PLUS}',
    "the form repeated": '{"predicted_sign": "+" | "-" | "None" | "mixed", "reasoning": "..."}',
    "several labels without a list": '{"predicted_sign": "+", "-", "reasoning": "x"}',
    "the key twice": '{"predicted_sign": "+", "predicted_sign": "-"}',
    "the key twice alike": '{"predicted_sign": "+", "predicted_sign": "+"}',
    "the key twice in two cases": '{"predicted_sign": "+", "Predicted_Sign": "-"}',
    "the key twice in a faulty object": "{'predicted_sign': '+', 'predicted_sign': '-'}",
    "another key twice": '{"predicted_sign": "+", "reasoning": "a", "reasoning": "b"}',
    "NaN": '{"predicted_sign": "+", "confidence": NaN}',
    "Infinity": '{"predicted_sign": "+", "confidence": -Infinity}',
    "1e400": '{"predicted_sign": "+", "confidence": 1e400}',
    "a number of 5,000 digits": '{"predicted_sign": "+", "n": %s}' % ("9" * 5000),
    "a label cut off": '{"predicted_sign": "mix',
    "a sign cut off": '{"predicted_sign": "+',
    "a bare word cut off": "{predicted_sign: mixed",
    "half of a longer word": "{predicted_sign: mixedness, reasoning: x}",
    "a bare word of several": "{predicted_sign: positive in cities, reasoning: x}",
    "a comment with another answer": '{"predicted_sign": "+" /* "predicted_sign": "-" */}',
    "think that never ends": f"<think>I would say {PLUS}",
    "think that never ends, after prose": f"Well. <think>I would say {PLUS}",
    "think and nothing after": "<think>It is +.</think>\n",
    "YAML": "predicted_sign: '+'\nreasoning: it rises\n",
    "HTML": "<!DOCTYPE html><html><style>p {color: red}</style><p>Bad gateway</p></html>",
    "HTML entities": "{&quot;predicted_sign&quot;: &quot;+&quot;}",
    "XML": "<answer><predicted_sign>+</predicted_sign></answer>",
    "100,000 lists deep": '{"predicted_sign": ' + "[" * 100_000,
    "100,000 objects deep": '{"a": ' * 100_000 + PLUS + "}" * 100_000,
    "a wrapper in a wrapper in a wrapper in a wrapper": '{"a": ' * 4 + PLUS + "}" * 4,
    "5 MB of repetition": "the effect is positive. " * 220_000,
    "5 MB of one brace": "{" * 5_000_000,
    "5 MB of answers": PLUS * 122_000,
    "250,000 characters of answers": PLUS * 6_000,
    "250,000 opening braces": "{" * 250_000,
    "250,000 quotes within a brace": "{" + '"' * 250_000,
    "250,000 backslashes": '{"predicted_sign": "' + "\\" * 250_000,
    "a faulty object of 100,000 characters": "{'predicted_sign': '+', 'reasoning': '" + "x " * 50_000 + "'}",
    "two key words before a blank of 250,000": '{"predicted_sign"' + " " * 250_000,
}


@pytest.mark.parametrize("case", READ, ids=str)
def test_an_answer_is_read(case: str) -> None:
    text, label, rung = READ[case]
    found = read(text)
    assert (found.status, found.label, found.parse_stage, found.fault) == (ItemStatus.ANSWERED, label, rung, "")
    assert found.value is not None
    assert SIGN.parse(found.value["predicted_sign"]) == label
    if rung == "strict":
        assert found.repaired is None
    else:
        assert found.repaired is not None
        assert "predicted_sign" in found.repaired
    json.dumps([dict(found.value), found.repaired], allow_nan=False).encode("utf-8")
    assert "\x00" not in json.dumps(dict(found.value), ensure_ascii=False)


@pytest.mark.proof("T4", "malformed replies without an answer", gate="0 labels, each with its reason")
@pytest.mark.parametrize("case", usual(list(UNREAD), "5 MB of answers", "5 MB of repetition"), ids=str)
def test_what_is_no_answer_is_unparsable_and_says_why(case: str) -> None:
    found = read(UNREAD[case])
    assert (found.status, found.label) == (ItemStatus.UNPARSABLE, None)
    assert 10 < len(found.fault) < 400
    json.dumps([found.value, found.repaired]).encode("utf-8")


def test_there_are_sixty_malformed_answers_and_more() -> None:
    whole = [case for case, (_, _, rung) in READ.items() if rung == "strict"]
    assert len(READ) - len(whole) + len(UNREAD) >= 60


def test_what_was_said_outside_the_labels_is_kept_for_the_released_figures() -> None:
    assert read('{"predicted_sign": "increase", "reasoning": "x"}').value == {
        "predicted_sign": "increase",
        "reasoning": "x",
    }
    assert read("{'predicted_sign': 'increase'}").value == {"predicted_sign": "increase"}
    assert read('{"predicted_sign": null}').value == {"predicted_sign": None}
    assert read('{"reasoning": "none of these"}').value == {}  # an object without the key
    assert read("none of these").value is None


def test_what_is_wrong_is_named() -> None:
    unknown = read('{"predicted_sign": "up"}').fault
    assert unknown.startswith("predicted_sign: found 'up';")
    assert "+, -, none, mixed" in unknown
    assert "'a' occurs twice" in read('{"predicted_sign": "+", "a": 1, "a": 2}').fault
    assert read('{"predicted_sign": "+"}{"predicted_sign": "-"}').fault.startswith("2 different objects")
    assert "longer than 262,144 " in read("a" * (MOST_CHARACTERS + 1)).fault


@pytest.mark.proof("T4", "replies cut off or declined", gate="0 labels")
@pytest.mark.parametrize("text", [PLUS, '{"predicted_sign": "+', "", None])
def test_an_answer_cut_off_or_declined_gives_no_label_whatever_it_holds(text: str | None) -> None:
    assert read(text, finish_reason="length").status == ItemStatus.TRUNCATED
    assert read(text, finish_reason="content_filter").status == ItemStatus.REFUSED
    assert read(text, refusal="I cannot help with that.").status == ItemStatus.REFUSED
    assert read(text, finish_reason="length", refusal="No.").status == ItemStatus.REFUSED
    assert {read(text, finish_reason=why).label for why in ("length", "content_filter")} == {None}
    assert read(PLUS, refusal=" ").status == ItemStatus.ANSWERED


def test_no_text_at_all_is_unparsable() -> None:
    assert read(None).status == ItemStatus.UNPARSABLE


def test_other_label_sets_have_their_own_words() -> None:
    assert read('{"predicted_sign": "unknown"}', SIGN_OR_UNKNOWN).label == "unknown"
    assert read("{predicted_sign: unknown, reasoning: x}", SIGN_OR_UNKNOWN).label == "unknown"
    assert read('{"predicted_sign": true}', TRUTH).label == "True"
    assert read("{'predicted_sign': False}", TRUTH).label == "False"
    assert read("{'predicted_sign': None}", TRUTH).status == ItemStatus.UNPARSABLE


PIECES = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        '"',
        "'",
        ":",
        ",",
        "\\",
        "\n",
        " ",
        "predicted_sign",
        '"predicted_sign"',
        '"predicted_sign": "',
        '"reasoning"',
        "+",
        "-",
        "−",
        "None",
        "null",
        "mixed",
        "positive",
        "no effect",
        "true",
        "1e400",
        "NaN",
        "<think>",
        "</think>",
        "```json",
        "//",
        "/*",
        "#",
        "“",
        "”",
        "\x00",
        "\ud800",
        "\\u002b",
        "\ufeff",
        PLUS,
    ]
)


@given(st.lists(PIECES | st.text(max_size=4), max_size=25).map("".join))
def test_no_text_raises_or_gives_a_label_that_it_does_not_spell(text: str) -> None:
    found = read(text)
    assert (found.status == ItemStatus.ANSWERED) == (found.label is not None)
    if found.label is None:
        assert found.fault
        return
    spoken = re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), text).lower()
    assert any(word in spoken for word, label in SIGN.spellings.items() if label == found.label)


@given(
    st.sampled_from(SIGN.classes),
    st.text(max_size=40).filter(lambda text: "\x00" not in text),
    st.sampled_from(["{}", "```json\n{}\n```", "Well: {} Done.", "[{}]", "<think>-</think> {}"]),
)
def test_every_answer_in_json_is_read_as_it_was_written(label: str, reasoning: str, around: str) -> None:
    answer = json.dumps({"predicted_sign": label, "reasoning": reasoning})
    found = read(around.replace("{}", answer))
    assert found.label == label
    assert found.value == {"predicted_sign": label, "reasoning": reasoning}


@pytest.mark.parametrize("text", [None, ""])
def test_calls_of_tools_are_no_answer_and_are_told_as_such(text: str | None) -> None:
    for reason in ("tool_calls", "function_call"):
        found = read_reply(text, schema=schema_of(SIGN), finish_reason=reason)
        assert (found.status, found.label, found.value) == (ItemStatus.UNPARSABLE, None, None)
        assert found.fault.startswith("the model called tools instead of answering; ")
    assert "empty" in read_reply(text, schema=schema_of(SIGN), finish_reason="stop").fault
    said = read_reply('{"predicted_sign": "+"}', schema=schema_of(SIGN), finish_reason="tool_calls")
    assert (said.status, said.label) == (ItemStatus.ANSWERED, "+")
