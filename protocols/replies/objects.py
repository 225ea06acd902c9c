"""Reading of answers that are a JSON object or a list of objects: checked against a shape, with the place of every
fault.

The parse stages are those of labels. `strict`: the whole text is the answer. `unwrapped`: exactly one answer is among
prose, fences or a wrapper; `<think>` blocks are not searched. `repaired`: the answer is faulty JSON that `repairing.py`
reads without a guess.

An answer outside its shape is unparsable as a whole: one fault invalidates the value. Two different answers are none;
nor is one with a repeated key, NaN, Infinity or a number beyond floats. A truncated reply is `truncated`, a declining
one `refused`.

Nothing raises here. All except the repair, limited to `MOST_REPAIRED` characters, is linear in the text, and at most
`MOST_CHARACTERS` are read.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

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
from protocols.replies.checking import Check
from protocols.replies.json_in_text import JsonMark, Malformed, fit, marked_json, spans_of, without_reasoning
from protocols.replies.places import PlaceFault
from protocols.replies.repairing import Guessed, repaired_json
from protocols.replies.shapes import ListShape, ObjectShape

_ANSWER = re.compile(r"[{\[]")
_EMPTY_LIST = re.compile(r"\[\s*+\]")
_KEY = re.compile(r"[\"'`“‘][^\"'`“”‘’\n]{1,60}[\"'`”’]\s{0,20}:")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedObject:
    """Result of reading a reply."""

    status: ItemStatus  # answered, unparsable, truncated or refused; only answered has no faults
    # With the shape's own keys and labels; of an unparsable answer what was written, if it can be stored
    value: Any = None
    faults: tuple[PlaceFault, ...] = ()  # in the order of the answer
    notes: tuple[str, ...] = ()  # paths of unknown keys; their values are stored
    stage: str = ""  # parse stage; empty if no answer was found
    repaired: str | None = None  # the text that was read instead of the raw one; None if the same

    @property
    def fault(self) -> str:
        """The first fault and the number of others, a sentence without a full stop; empty if none."""
        if not self.faults:
            return ""
        more = f" (and {len(self.faults) - 1:,} more)" if len(self.faults) > 1 else ""
        return f"{self.faults[0]}{more}"


class _Unread(Exception):
    """Raised if there is nothing to check against a shape."""

    def __init__(self, actual: str, right: str) -> None:
        super().__init__(actual)
        self.fault = PlaceFault((), actual, right)


def read_object(
    text: str | None, *, shape: ObjectShape | ListShape, finish_reason: str, refusal: str | None = None
) -> ParsedObject:
    """Read an answer. Raises ValueError if `shape` is a list of anything but objects, and nothing for any text.

    >>> from core.labels import SIGN
    >>> from protocols.replies.shapes import Key, LabelShape
    >>> shape = ListShape(ObjectShape((Key("sign", LabelShape(SIGN)),)))
    >>> read_object('Two: [{"sign": "positive"}, {"sign": "−"}]', shape=shape, finish_reason="stop").value
    [{'sign': '+'}, {'sign': '-'}]
    >>> read_object('[{"sign": "+"}, {"sign": "up"}]', shape=shape, finish_reason="stop").fault
    '[1].sign: found "up"; right would be one of +, -, None, mixed'
    """
    element = shape.of if isinstance(shape, ListShape) else shape
    if not isinstance(element, ObjectShape):
        raise ValueError(f"An answer is an object or a list of objects; found a list of {element.right}.")
    decided = status_before(text, finish_reason, refusal)
    if decided is not None:
        status, why = decided
        return ParsedObject(status=status, faults=(PlaceFault((), f"no answer ({why})", shape.right),))
    try:
        return _read(whole_text(text), shape, element.names)
    except _Unread as unread:
        return ParsedObject(status=ItemStatus.UNPARSABLE, faults=(unread.fault,))


def _read(whole: str, shape: ObjectShape | ListShape, names: tuple[str, ...]) -> ParsedObject:
    if not whole:
        raise _Unread("an empty reply", shape.right)
    rest = whole
    if len(rest) > MOST_CHARACTERS:
        rest = without_reasoning(whole, _ANSWER)
        if len(rest) > MOST_CHARACTERS:
            raise _Unread(f"a reply of {len(rest):,} characters", f"at most {MOST_CHARACTERS:,}")
    content = _whole_value(rest)
    if isinstance(content, str):  # JSON put into a JSON text
        rest, content = content, _whole_value(content)
    if isinstance(content, JsonMark | dict) or (isinstance(shape, ListShape) and isinstance(content, list)):
        inner = _unwrap(content, shape)
        is_whole = rest == whole and inner is content
        return _judged(inner, shape, STRICT if is_whole else UNWRAPPED, rest if inner is content else None)
    rest = without_reasoning(rest, _ANSWER)
    if not rest.strip():
        raise _Unread("no answer after the reasoning", shape.right)
    return _read_among(rest, shape, names)


def _whole_value(text: str) -> Any:
    """Parse the whole text; None if it is no JSON (or null)."""
    try:
        return marked_json(text)
    except Malformed:
        return None


def _read_among(text: str, shape: ObjectShape | ListShape, names: tuple[str, ...]) -> ParsedObject:
    """Read the one answer in the text."""
    is_list = isinstance(shape, ListShape)
    answers, others = spans_of(text, names, "[{}]" if is_list else "{}")
    if is_list:  # prose has square brackets of its own
        answers = [span for span in answers if text[span[0] : span[1]].lstrip("[ \t\r\n").startswith("{")]
        answers = answers or [span for span in others if _EMPTY_LIST.fullmatch(text, *span)]
    if not answers:
        _none_found(shape, names)
    if len(answers) > MOST_ANSWERS:
        raise _Unread(f"{len(answers):,} answers", f"one: {shape.right}")
    spans = list(dict.fromkeys(text[start:end] for start, end in answers))
    if len(spans) > 1 and not _are_alike(spans):
        raise _Unread(f"{len(spans)} different answers", f"one: {shape.right}")
    if any(_is_part(text[:start], text[end:]) for start, end in answers):
        raise _Unread("a part of a larger answer whose brackets are at fault", shape.right)
    try:
        content, stage = marked_json(spans[0]), UNWRAPPED
    except Malformed as malformed:
        content, stage = _repair(spans[0], str(malformed), shape), REPAIRED
    content = _unwrap(content, shape)
    if not _is_known(content, names):
        _none_found(shape, names)
    return _judged(content, shape, stage, spans[0] if stage == UNWRAPPED else None)


def _is_part(before: str, after: str) -> bool:
    """Return True if an answer is the rest of a larger one with faulty brackets: a key and its colon lead to it,
    another key or object follows it, or an object and a comma precede it."""
    ahead, behind = before.rstrip(" \t\r\n[{"), after.lstrip(" \t\r\n,]}")
    is_led_to = ahead.endswith((":", "=")) and ahead[:-1].rstrip().endswith(('"', "'", "`", "”", "’"))
    is_next = ahead.endswith(",") and ahead[:-1].rstrip().endswith(("}", "]"))
    is_followed = len(behind) < len(after.lstrip()) and (behind.startswith("{") or _KEY.match(behind) is not None)
    return is_led_to or is_next or is_followed


def _is_known(content: Any, names: tuple[str, ...]) -> bool:
    """Return True if an answer has a key of its shape, so is no bracket in prose, or is an empty list."""
    objects = content if isinstance(content, list) else [content]
    folded = {_fold(name) for name in names}
    keys = (_fold(key) for each in objects if isinstance(each, dict) for key in each)
    return content == [] or any(isinstance(each, JsonMark) for each in objects) or any(key in folded for key in keys)


def _none_found(shape: ObjectShape | ListShape, names: tuple[str, ...]) -> NoReturn:
    what = "list of objects" if isinstance(shape, ListShape) else "object"
    raise _Unread(f"no JSON {what} with {', '.join(names[:MOST_ANSWERS])}", shape.right)


def _are_alike(spans: list[str]) -> bool:
    """Return True if all are one value, ignoring blanks and key order; 1, 1.0 and true differ."""
    try:
        return len({json.dumps(marked_json(span), sort_keys=True) for span in spans}) == 1
    except (Malformed, TypeError, RecursionError):
        return False


def _unwrap(content: Any, shape: ObjectShape | ListShape) -> Any:
    """Return the content of a one-key wrapper: the list; the object, or the one object in a list."""
    kind, folded = (list, set()) if isinstance(shape, ListShape) else (dict, {_fold(name) for name in shape.names})
    for _ in range(MOST_WRAPPERS):
        if not isinstance(content, dict) or len(content) != 1:
            break
        ((key, inner),) = content.items()
        if kind is dict and isinstance(inner, list) and len(inner) == 1:
            inner = inner[0]
        if not isinstance(inner, dict | kind) or _fold(key) in folded:
            break
        content = inner
    return content


def _fold(name: str) -> str:
    return name.strip().lower()


def _judged(content: Any, shape: ObjectShape | ListShape, stage: str, repaired: str | None) -> ParsedObject:
    """Check an answer against its shape. `repaired` is the text that was read, None if unknown."""
    check = Check()
    value = check.value(content, shape)
    faults, storable = check.faults, value if check.is_fit else None
    if stage == STRICT:
        repaired = None
    elif repaired is not None:
        repaired = fit(repaired)
    elif storable is not None:
        repaired = json.dumps(storable, ensure_ascii=False)
    return ParsedObject(
        status=ItemStatus.UNPARSABLE if faults else ItemStatus.ANSWERED,
        value=storable,
        faults=faults,
        notes=check.notes,
        stage=stage,
        repaired=repaired,
    )


def _repair(span: str, malformed: str, shape: ObjectShape | ListShape) -> Any:
    unread = _Unread(f"malformed JSON ({malformed})", f"valid JSON: {shape.right}")
    if len(span) > MOST_REPAIRED:
        raise unread
    try:
        return repaired_json(span)
    except Guessed:
        raise unread from None
