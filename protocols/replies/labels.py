"""Answers with a label: from the text that came to the fields that were asked for, or to a status.

A ladder, whose rung is kept. `strict`: the whole text is the JSON object. `unwrapped`: exactly one object stands among
prose, fences, a list or a wrapper; what a `<think>` block holds is not looked at. `repaired`: that object is faulty and
json-repair mends it. json-repair guesses, so here it never decides a label: the label is read from the text itself,
in one place, whole, with its end in sight, and must come out of the repair as it went in.

Stands. Two different objects that both answer are no answer; nor is an object with a key twice, or with NaN, Infinity
or a number beyond floats. JSON's null is a missing value and no label, although the word "null" in quotes can be one.
Python's bare None is the label None where the closed set has one: it is the label as it was asked for, without its
quotes; a bare null is not. An answer cut off by the token limit (finish reason `length`) is `truncated` whatever
it holds, a refusal or content filter is `refused`: neither is looked into, and no label is taken from them. An answer
that is one of the closed list of declining sentences and nothing else (`declining.py`) is `refused` too. Calls of tools
without a text are no answer, whatever they ask for.

Nothing raises here. Every step but the repair, which sees `MOST_REPAIRED` characters at most, is linear in the text,
and no more than `MOST_CHARACTERS` are looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import json_repair

from core.runs.states import ItemStatus
from protocols.replies.before_reading import (
    MOST_ANSWERS,
    MOST_CHARACTERS,
    MOST_REPAIRED,
    MOST_WRAPPERS,
    REPAIRED,
    STRICT,
    UNWRAPPED,
    status_before,
    whole_text,
)
from protocols.replies.json_in_text import Malformed, ReplyFault, fit, short, spans_of, strict_json, without_reasoning
from protocols.replies.schema import ReplySchema
from protocols.samples import Score
from protocols.turns import Answered, Reading


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """What became of a reply: `status` is answered, unparsable, truncated or refused, and only answered has a label.

    `value`: the schema's fields as they were said (an answer outside the label set is kept too, with status
    unparsable; {} is an object without them); None where no object was found. `label`: the label that it spells.
    `rung`: how far the reading came, empty where nothing could be read. `repaired`: the text that was read in place of
    the raw one, None where it is the same. `fault`: why there is no label, in a sentence without its stop.
    """

    status: ItemStatus
    value: Mapping[str, Any] | None = None
    label: str | None = None
    rung: str = ""
    repaired: str | None = None
    fault: str = ""


def read_label(reply: Answered, schema: ReplySchema) -> Reading:
    """Return what a reply says under this schema. Never raises."""
    parsed = read_reply(reply.text, schema=schema, finish_reason=reply.finish_reason, refusal=reply.refusal)
    return Reading(
        status=parsed.status,
        label=parsed.label,
        value=None if parsed.value is None else dict(parsed.value),
        faults=(parsed.fault,) if parsed.fault else (),
        rung=parsed.rung,
        repaired=parsed.repaired,
    )


def score_label(answer: str | None, reading: Reading) -> Score | None:
    """The true label is right, another is wrong, and so is a reply without one. None for one cut off or declined."""
    if reading.status is ItemStatus.ANSWERED:
        return Score(reading.label == answer, reading.label)
    return Score(is_right=False) if reading.status is ItemStatus.UNPARSABLE else None


def read_reply(text: str | None, *, schema: ReplySchema, finish_reason: str, refusal: str | None = None) -> ParsedReply:
    """Read an answer. Never raises.

    >>> from core.labels import SIGN
    >>> from protocols.replies.schema import ReplyField
    >>> schema = ReplySchema("sign", (ReplyField("predicted_sign", SIGN), ReplyField("reasoning")))
    >>> found = read_reply('Sure: {"predicted_sign": "Positive"}', schema=schema, finish_reason="stop")
    >>> found.status.value, found.label, found.rung
    ('answered', '+', 'unwrapped')
    """
    known = status_before(text, finish_reason, refusal)
    if known is not None:
        return ParsedReply(known[0], fault=known[1])
    try:
        return _read(text or "", schema)
    except ReplyFault as fault:
        repaired = None if fault.repaired is None else fit(fault.repaired)
        return ParsedReply(ItemStatus.UNPARSABLE, fault.value, None, fault.rung, repaired, str(fault))


_QUOTES = "\"'`“”„‟«»‘’‚‛"
_KEY = r"""(?:["'`“”‘’][\w ]{1,60}["'`“”‘’]|[A-Za-z_]\w{0,60})\s*[:=]"""
_CLOSED = rf""",\s*(?:\}}|{_KEY}|\#|//|/\*)|\}}|\#|//|/\*"""  # the object ends, another key or a comment begins
_AFTER_QUOTED = rf"\s*+(?:{_CLOSED}|{_KEY}|,?\s*\Z)"
_AFTER_BARE = rf"(?:\s*+(?:{_CLOSED})|[^\S\n]*+\n\s*{_KEY})"


def _read(text: str, schema: ReplySchema) -> ParsedReply:
    whole = whole_text(text)
    if not whole:
        raise ReplyFault("the reply is empty")
    rest = whole
    if len(rest) > MOST_CHARACTERS:
        rest = without_reasoning(whole)
        if len(rest) > MOST_CHARACTERS:
            raise ReplyFault(f"the reply is longer than {MOST_CHARACTERS:,} characters")
    found = _whole_value(rest)
    if isinstance(found, str):  # JSON put into a JSON text
        rest, found = found, _whole_value(found)
    if isinstance(found, dict) and _keys(found, schema.key):
        return _judged(found, schema, STRICT if rest == whole else UNWRAPPED, None if rest == whole else rest)
    rest = without_reasoning(rest)
    if not rest.strip():
        raise ReplyFault("the reply has no answer after its reasoning")
    return _read_among(rest, schema)


def _whole_value(text: str) -> Any:
    """The JSON value that the whole text is; None where it is none (and where it is null)."""
    try:
        return strict_json(text)
    except Malformed:
        return None


def _read_among(text: str, schema: ReplySchema) -> ParsedReply:
    """The one object that answers, wherever it stands in the text."""
    answers, others = spans_of(text, (schema.key,))
    if not answers:
        value: dict[str, Any] | None = (
            {} if any(_is_object(text[start:end]) for start, end in others[:MOST_ANSWERS]) else None
        )
        raise ReplyFault(f"there is no JSON object with {schema.key}", value)
    if len(answers) > MOST_ANSWERS:
        raise ReplyFault(f"{len(answers):,} objects hold an answer; one is needed")
    spans = [text[start:end] for start, end in answers]
    if len(spans) > 1:
        _refuse_different(spans)
    try:
        found = strict_json(spans[0])
    except Malformed:
        return _repaired(spans[0], schema)
    if not isinstance(found, dict):
        raise ReplyFault(f"there is no JSON object with {schema.key}")
    return _judged(found, schema, UNWRAPPED, spans[0])


def _refuse_different(spans: list[str]) -> None:
    """One answer repeated word for word is one answer; any other pair is none."""
    try:
        values = [strict_json(span) for span in spans]
    except Malformed:
        values = list(dict.fromkeys(spans))
    if any(value != values[0] for value in values):
        raise ReplyFault(f"{len(spans)} different objects hold an answer; one is needed")


def _is_object(text: str) -> bool:
    try:
        return isinstance(strict_json(text), dict)
    except (Malformed, ReplyFault):
        return False


# --- reading one object ------------------------------------------------------------------------------------------


def _keys(found: Mapping[str, Any], name: str) -> list[str]:
    """The object's keys that are this name, in any case and trimmed."""
    return [key for key in found if key.strip().lower() == name]


def _judged(found: dict[str, Any], schema: ReplySchema, rung: str, repaired: str | None) -> ParsedReply:
    """The label of an object, or of the one object in it where it is a mere wrapper."""
    for _ in range(MOST_WRAPPERS):
        inner = next(iter(found.values())) if len(found) == 1 else None
        inner = inner[0] if isinstance(inner, list) and len(inner) == 1 else inner
        if _keys(found, schema.key) or not isinstance(inner, dict):
            break
        found, rung, repaired = inner, UNWRAPPED if rung == STRICT else rung, _text(inner)
    if not _keys(found, schema.key):
        raise ReplyFault(f"no JSON object has its own {schema.key}", {}, rung, repaired)
    value: dict[str, Any] = {}
    for field in schema.fields:
        keys = _keys(found, field.name)
        if len(keys) > 1:
            raise ReplyFault(f"the key {field.name} occurs twice in one object", None, rung, repaired)
        said = found[keys[0]] if keys else None
        if isinstance(said, str):
            value[field.name] = fit(said)
        elif field.labels is not None:
            value[field.name] = said if isinstance(said, bool) else None
    label = schema.labels.parse(value[schema.key])
    if label is None:
        raise ReplyFault(_outside(found[_keys(found, schema.key)[0]], schema), value, rung, repaired)
    return ParsedReply(ItemStatus.ANSWERED, value, label, rung, None if repaired is None else fit(repaired))


def _outside(said: object, schema: ReplySchema) -> str:
    shown = short(said if isinstance(said, str) else _text(said))
    return f"{schema.key}: found {shown}; one of {schema.labels.words} is needed"


def _text(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "…"


# --- repairing one object ----------------------------------------------------------------------------------------


def _repaired(span: str, schema: ReplySchema) -> ParsedReply:
    if len(span) > MOST_REPAIRED:
        raise ReplyFault(
            f"the object is malformed and longer than the {MOST_REPAIRED:,} characters that can be repaired"
        )
    text = fit(span)
    start, end, said = _label_in(text, schema)
    rewritten = f"{text[:start]}{_text(schema.key)}: {_text(said)}{text[end:]}"
    try:
        found = json_repair.repair_json(rewritten, return_objects=True, skip_json_loads=True)
    except (ValueError, TypeError, RecursionError, IndexError, KeyError) as error:
        raise ReplyFault(f"the object cannot be repaired ({type(error).__name__})") from None
    if not isinstance(found, dict):
        raise ReplyFault("the object cannot be repaired into one object", None, REPAIRED)
    parsed = _judged(found, schema, REPAIRED, None)
    if parsed.label != schema.labels.parse(said):
        raise ReplyFault("the repair changed the label", None, REPAIRED)
    return replace(parsed, repaired=_text(parsed.value))


def _label_in(text: str, schema: ReplySchema) -> tuple[int, int, str]:
    """Where key and label stand in a faulty object, and the word that is the label there.

    The word stands in quotes, or bare if it is one of the labels' spellings; after it the object ends or another key
    begins, so that no word is cut off and none is half of a longer one. Raises Fault where that is not so.
    """
    key, quoted, bare = _patterns(schema.key, tuple(schema.labels.spellings))
    found = list(key.finditer(text))
    if len(found) != 1:
        why = "is not set" if not found else "is set more than once"
        raise ReplyFault(f"{schema.key} {why} in a malformed object", None, REPAIRED)
    word = quoted.match(text, found[0].end()) or bare.match(text, found[0].end())
    if word is None:
        raise ReplyFault(_outside(text[found[0].end() : found[0].end() + 60], schema), None, REPAIRED)
    said = word[1]
    if schema.labels.parse(said) is None:
        raise ReplyFault(_outside(said, schema), {schema.key: said}, REPAIRED)
    return found[0].start(), word.end(1) + (word.re is quoted), said


@lru_cache(maxsize=32)
def _patterns(name: str, spellings: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Of the key with its colon; of a word in quotes; of a bare word: what follows shows that the word is whole."""
    key = re.compile(rf"[{_QUOTES}]?\b{re.escape(name)}[{_QUOTES}]?\s*[:=]\s*", re.IGNORECASE)
    quoted = re.compile(rf"[{_QUOTES}]([^{_QUOTES}\r\n]{{0,80}})[{_QUOTES}]{_AFTER_QUOTED}", re.VERBOSE)
    words = sorted((word for word in spellings if word != "null"), key=len, reverse=True)
    spelled = "|".join(re.escape(word) for word in words)
    bare = re.compile(rf"({spelled}){_AFTER_BARE}", re.VERBOSE | re.IGNORECASE)
    return key, quoted, bare
