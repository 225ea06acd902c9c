"""Reading of answers with a label: from the text to the requested fields, or to a status.

The parse stage is stored. `strict`: the whole text is the JSON object. `unwrapped`: exactly one object is among prose,
fences, a list or a wrapper; `<think>` blocks are not searched. `repaired`: that object is faulty and json-repair reads
it. json-repair guesses, so it never decides a label: the label is read from the text itself, in one place, whole, with
its end visible, and must be the same after the repair.

Two different objects that both answer are no answer; nor is an object with a repeated key, NaN, Infinity or a number
beyond floats. JSON's null is a missing value, although the quoted word "null" can be a label. Python's bare None is the
label None if the closed set has one, since it is that label without its quotes; a bare null is not. An answer cut off
by the token limit (finish reason `length`) is `truncated`, a refusal or content filter is `refused`: neither is read.
An answer that consists of one of the closed list of declining sentences (`declining.py`) is `refused` too. Tool calls
without text are no answer.

Nothing raises here. Every stage except the repair, limited to `MOST_REPAIRED` characters, is linear in the text, and at
most `MOST_CHARACTERS` are read.
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
from protocols.exchanges import Answered, Reading
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
from protocols.samples import AnswerScore


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """Result of reading a reply."""

    status: ItemStatus  # answered, unparsable, truncated or refused; only answered has a label
    # The schema's fields as written, also outside the label set; {}: an object without them; None: no object
    value: Mapping[str, Any] | None = None
    label: str | None = None
    parse_stage: str = ""  # parse stage; empty if nothing could be read
    repaired: str | None = None  # the text that was read instead of the raw one; None if the same
    fault: str = ""  # why there is no label; a sentence without a full stop


def read_label(reply: Answered, schema: ReplySchema) -> Reading:
    """Read a reply under this schema. Never raises."""
    parsed = read_reply(reply.text, schema=schema, finish_reason=reply.finish_reason, refusal=reply.refusal)
    return Reading(
        status=parsed.status,
        label=parsed.label,
        value=None if parsed.value is None else dict(parsed.value),
        faults=(parsed.fault,) if parsed.fault else (),
        parse_stage=parsed.parse_stage,
        repaired=parsed.repaired,
    )


def score_label(answer: str | None, reading: Reading) -> AnswerScore | None:
    """Return right for the true label, wrong for another or none; None for a truncated or refused reply."""
    if reading.status is ItemStatus.ANSWERED:
        return AnswerScore(reading.label == answer, reading.label)
    return AnswerScore(is_right=False) if reading.status is ItemStatus.UNPARSABLE else None


def read_reply(text: str | None, *, schema: ReplySchema, finish_reason: str, refusal: str | None = None) -> ParsedReply:
    """Read an answer. Never raises.

    >>> from core.labels import SIGN
    >>> from protocols.replies.schema import ReplyField
    >>> schema = ReplySchema("sign", (ReplyField("predicted_sign", SIGN), ReplyField("reasoning")))
    >>> found = read_reply('Sure: {"predicted_sign": "Positive"}', schema=schema, finish_reason="stop")
    >>> found.status.value, found.label, found.parse_stage
    ('answered', '+', 'unwrapped')
    """
    decided = status_before(text, finish_reason, refusal)
    if decided is not None:
        return ParsedReply(decided[0], fault=decided[1])
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
    content = _whole_value(rest)
    if isinstance(content, str):  # JSON put into a JSON text
        rest, content = content, _whole_value(content)
    if isinstance(content, dict) and _keys(content, schema.key):
        return _judged(content, schema, STRICT if rest == whole else UNWRAPPED, None if rest == whole else rest)
    rest = without_reasoning(rest)
    if not rest.strip():
        raise ReplyFault("the reply has no answer after its reasoning")
    return _read_among(rest, schema)


def _whole_value(text: str) -> Any:
    """Parse the whole text; None if it is no JSON (or null)."""
    try:
        return strict_json(text)
    except Malformed:
        return None


def _read_among(text: str, schema: ReplySchema) -> ParsedReply:
    """Read the one object in the text that answers."""
    answers, others = spans_of(text, (schema.key,))
    if not answers:
        value: dict[str, Any] | None = (
            {} if any(_is_object(text[start:end]) for start, end in others[:MOST_ANSWERS]) else None
        )
        raise ReplyFault(f"there is no JSON object with {schema.key}", value)
    if len(answers) > MOST_ANSWERS:
        raise ReplyFault(f"{len(answers):,} objects hold an answer; one is needed")
    spans = [text[start:end] for start, end in answers]
    if len(spans) > 1:  # one answer repeated word for word counts
        try:
            values = [strict_json(span) for span in spans]
        except Malformed:
            values = list(dict.fromkeys(spans))
        if any(each != values[0] for each in values):
            raise ReplyFault(f"{len(spans)} different objects hold an answer; one is needed")
    try:
        content = strict_json(spans[0])
    except Malformed:
        return _read_repaired(spans[0], schema)
    if not isinstance(content, dict):
        raise ReplyFault(f"there is no JSON object with {schema.key}")
    return _judged(content, schema, UNWRAPPED, spans[0])


def _is_object(text: str) -> bool:
    try:
        return isinstance(strict_json(text), dict)
    except (Malformed, ReplyFault):
        return False


# --- reading one object ------------------------------------------------------------------------------------------


def _keys(content: Mapping[str, Any], name: str) -> list[str]:
    """Return the keys that equal this name, ignoring case and surrounding blanks."""
    return [key for key in content if key.strip().lower() == name]


def _judged(content: dict[str, Any], schema: ReplySchema, stage: str, repaired: str | None) -> ParsedReply:
    """Read the label of an object, or of the one object in a wrapper."""
    for _ in range(MOST_WRAPPERS):
        inner = next(iter(content.values())) if len(content) == 1 else None
        inner = inner[0] if isinstance(inner, list) and len(inner) == 1 else inner
        if _keys(content, schema.key) or not isinstance(inner, dict):
            break
        content, stage, repaired = inner, UNWRAPPED if stage == STRICT else stage, _text(inner)
    if not _keys(content, schema.key):
        raise ReplyFault(f"no JSON object has its own {schema.key}", {}, stage, repaired)
    value: dict[str, Any] = {}
    for field in schema.fields:
        keys = _keys(content, field.name)
        if len(keys) > 1:
            raise ReplyFault(f"the key {field.name} occurs twice in one object", None, stage, repaired)
        member = content[keys[0]] if keys else None
        if isinstance(member, str):
            value[field.name] = fit(member)
        elif field.labels is not None:
            value[field.name] = member if isinstance(member, bool) else None
    label = schema.labels.parse(value[schema.key])
    if label is None:
        raise ReplyFault(_outside(content[_keys(content, schema.key)[0]], schema), value, stage, repaired)
    return ParsedReply(ItemStatus.ANSWERED, value, label, stage, None if repaired is None else fit(repaired))


def _outside(value: object, schema: ReplySchema) -> str:
    shown = short(value if isinstance(value, str) else _text(value))
    return f"{schema.key}: found {shown}; one of {schema.labels.words} is needed"


def _text(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "…"


# --- repairing one object ----------------------------------------------------------------------------------------


def _read_repaired(span: str, schema: ReplySchema) -> ParsedReply:
    if len(span) > MOST_REPAIRED:
        raise ReplyFault(
            f"the object is malformed and longer than the {MOST_REPAIRED:,} characters that can be repaired"
        )
    text = fit(span)
    start, end, label = _label_in(text, schema)
    rewritten = f"{text[:start]}{_text(schema.key)}: {_text(label)}{text[end:]}"
    try:
        content = json_repair.repair_json(rewritten, return_objects=True, skip_json_loads=True)
    except (ValueError, TypeError, RecursionError, IndexError, KeyError) as error:
        raise ReplyFault(f"the object cannot be repaired ({type(error).__name__})") from None
    if not isinstance(content, dict):
        raise ReplyFault("the object cannot be repaired into one object", None, REPAIRED)
    parsed = _judged(content, schema, REPAIRED, None)
    if parsed.label != schema.labels.parse(label):
        raise ReplyFault("the repair changed the label", None, REPAIRED)
    return replace(parsed, repaired=_text(parsed.value))


def _label_in(text: str, schema: ReplySchema) -> tuple[int, int, str]:
    """Return the start, end and word of the label in a faulty object. The word is quoted, or bare if it is one of the
    labels' spellings. The object's end or another key must follow, so that the word is neither cut off nor part of a
    longer one. Raises ReplyFault otherwise."""
    key, quoted, bare = _patterns(schema.key, tuple(schema.labels.spellings))
    keys = list(key.finditer(text))
    if len(keys) != 1:
        why = "is not set" if not keys else "is set more than once"
        raise ReplyFault(f"{schema.key} {why} in a malformed object", None, REPAIRED)
    word = quoted.match(text, keys[0].end()) or bare.match(text, keys[0].end())
    if word is None:
        raise ReplyFault(_outside(text[keys[0].end() : keys[0].end() + 60], schema), None, REPAIRED)
    label = word[1]
    if schema.labels.parse(label) is None:
        raise ReplyFault(_outside(label, schema), {schema.key: label}, REPAIRED)
    return keys[0].start(), word.end(1) + (word.re is quoted), label


@lru_cache(maxsize=32)
def _patterns(name: str, spellings: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of the key with its colon, of a quoted word, and of a bare word known to be whole."""
    key = re.compile(rf"[{_QUOTES}]?\b{re.escape(name)}[{_QUOTES}]?\s*[:=]\s*", re.IGNORECASE)
    quoted = re.compile(rf"[{_QUOTES}]([^{_QUOTES}\r\n]{{0,80}})[{_QUOTES}]{_AFTER_QUOTED}", re.VERBOSE)
    words = sorted((word for word in spellings if word != "null"), key=len, reverse=True)
    spelled = "|".join(re.escape(word) for word in words)
    bare = re.compile(rf"({spelled}){_AFTER_BARE}", re.VERBOSE | re.IGNORECASE)
    return key, quoted, bare
