"""Answers that are a JSON object, or a list of objects: read against a shape, with every fault told by its place.

The stages are those of labels. `strict`: the whole text is the answer. `unwrapped`: exactly one answer stands among
prose, fences or a wrapper; what a `<think>` block holds is not looked at. `repaired`: the answer is faulty JSON, and
says without a guess what json-repair makes of it (`repairing.py`).

An answer outside its shape is unparsable as a whole: a value with one fault in it is never taken for the rest of it.
Two different answers are none; nor is one with a key twice in one object, with NaN, Infinity or a number beyond
floats. A reply that was cut off is `truncated` whatever it holds, one that declines is `refused`.

Nothing raises here. All but the repair, which sees `MOST_REPAIRED` characters at most, is linear in the text, and no
more than `MOST_CHARACTERS` are looked at.
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
from protocols.replies.json_in_text import Malformed, Mark, fit, marked_json, spans_of, without_reasoning
from protocols.replies.places import PlaceFault
from protocols.replies.repairing import Guessed, repaired_json
from protocols.replies.shapes import ListShape, ObjectShape

_ANSWER = re.compile(r"[{\[]")
_KEY = re.compile(r"[\"'`“‘][^\"'`“”‘’\n]{1,60}[\"'`”’]\s{0,20}:")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedObject:
    """What became of a reply: `status` is answered, unparsable, truncated or refused, and only answered has no faults.

    `value`: the object or list, with the shape's own keys and labels; of an unparsable answer what was said, None where
    nothing can be read or kept. `faults`: in the order of the answer. `notes`: paths of keys that the shape does not
    know, whose values are kept. `stage`: how the answer was found, empty where none was. `repaired`: the text that was
    read in place of the raw one, None where it is the same.
    """

    status: ItemStatus
    value: Any = None
    faults: tuple[PlaceFault, ...] = ()
    notes: tuple[str, ...] = ()
    stage: str = ""
    repaired: str | None = None

    @property
    def fault(self) -> str:
        """The first fault and how many more there are, in a sentence without its stop; empty if there is none."""
        if not self.faults:
            return ""
        more = f" (and {len(self.faults) - 1:,} more)" if len(self.faults) > 1 else ""
        return f"{self.faults[0]}{more}"


class _Unread(Exception):
    """Why there is nothing to hold against a shape."""

    def __init__(self, found: str, right: str) -> None:
        super().__init__(found)
        self.fault = PlaceFault((), found, right)


def read_object(
    text: str | None, *, shape: ObjectShape | ListShape, finish_reason: str, refusal: str | None = None
) -> ParsedObject:
    """Read an answer. Raises ValueError for a list of anything but objects as `shape`, and nothing for any text.

    >>> from core.labels import SIGN
    >>> from protocols.replies.shapes import Key, LabelShape
    >>> shape = ListShape(ObjectShape((Key("sign", LabelShape(SIGN)),)))
    >>> read_object('Two: [{"sign": "positive"}, {"sign": "−"}]', shape=shape, finish_reason="stop").value
    [{'sign': '+'}, {'sign': '-'}]
    >>> read_object('[{"sign": "+"}, {"sign": "up"}]', shape=shape, finish_reason="stop").fault
    '[1].sign: found "up"; right would be one of +, -, None, mixed'
    """
    names = _names(shape)
    known = status_before(text, finish_reason, refusal)
    if known is not None:
        status, why = known
        return ParsedObject(status=status, faults=(PlaceFault((), f"no answer ({why})", shape.right),))
    try:
        return _read(whole_text(text), shape, names)
    except _Unread as unread:
        return ParsedObject(status=ItemStatus.UNPARSABLE, faults=(unread.fault,))


def _names(shape: ObjectShape | ListShape) -> tuple[str, ...]:
    """The keys that an answer is known by."""
    each = shape.of if isinstance(shape, ListShape) else shape
    if not isinstance(each, ObjectShape):
        raise ValueError(f"An answer is an object or a list of objects; found a list of {each.right}.")
    return each.names


def _read(whole: str, shape: ObjectShape | ListShape, names: tuple[str, ...]) -> ParsedObject:
    if not whole:
        raise _Unread("an empty reply", shape.right)
    rest = whole
    if len(rest) > MOST_CHARACTERS:
        rest = without_reasoning(whole, _ANSWER)
        if len(rest) > MOST_CHARACTERS:
            raise _Unread(f"a reply of {len(rest):,} characters", f"at most {MOST_CHARACTERS:,}")
    found = _whole_value(rest)
    if isinstance(found, str):  # JSON put into a JSON text
        rest, found = found, _whole_value(found)
    if isinstance(found, Mark | dict) or (isinstance(shape, ListShape) and isinstance(found, list)):
        inner = _unwrapped(found, shape)
        is_whole = rest == whole and inner is found
        return _judged(inner, shape, STRICT if is_whole else UNWRAPPED, rest if inner is found else None)
    rest = without_reasoning(rest, _ANSWER)
    if not rest.strip():
        raise _Unread("no answer after the reasoning", shape.right)
    return _read_among(rest, shape, names)


def _whole_value(text: str) -> Any:
    """The JSON value that the whole text is; None where it is none (and where it is null)."""
    try:
        return marked_json(text)
    except Malformed:
        return None


def _read_among(text: str, shape: ObjectShape | ListShape, names: tuple[str, ...]) -> ParsedObject:
    """The one answer, wherever it stands in the text."""
    is_list = isinstance(shape, ListShape)
    answers, others = spans_of(text, names, "[{}]" if is_list else "{}")
    if is_list:  # prose has square brackets of its own
        answers = [span for span in answers if text[span[0] : span[1]].lstrip("[ \t\r\n").startswith("{")]
        answers = answers or [span for span in others if _is_empty_list(text[span[0] : span[1]])]
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
        found, stage = marked_json(spans[0]), UNWRAPPED
    except Malformed as malformed:
        found, stage = _repaired(spans[0], str(malformed), shape), REPAIRED
    found = _unwrapped(found, shape)
    if not _is_known(found, names):
        _none_found(shape, names)
    return _judged(found, shape, stage, spans[0] if stage == UNWRAPPED else None)


def _is_part(before: str, after: str) -> bool:
    """Whether an answer is what is left of a larger one whose brackets are at fault: a key and its colon lead to it,
    another key or object follows it, or an object and a comma stand before it."""
    ahead, behind = before.rstrip(" \t\r\n[{"), after.lstrip(" \t\r\n,]}")
    is_led_to = ahead.endswith((":", "=")) and ahead[:-1].rstrip().endswith(('"', "'", "`", "”", "’"))
    is_next = ahead.endswith(",") and ahead[:-1].rstrip().endswith(("}", "]"))
    is_followed = len(behind) < len(after.lstrip()) and (behind.startswith("{") or _KEY.match(behind) is not None)
    return is_led_to or is_next or is_followed


def _is_known(found: Any, names: tuple[str, ...]) -> bool:
    """Whether an answer has a key of its shape, so that it is more than a bracket in prose; an empty list has none."""
    objects = found if isinstance(found, list) else [found]
    folded = {_fold(name) for name in names}
    keys = (_fold(key) for each in objects if isinstance(each, dict) for key in each)
    return found == [] or any(isinstance(each, Mark) for each in objects) or any(key in folded for key in keys)


def _is_empty_list(span: str) -> bool:
    return span.startswith("[") and span.endswith("]") and not span[1:-1].strip()


def _none_found(shape: ObjectShape | ListShape, names: tuple[str, ...]) -> NoReturn:
    what = "list of objects" if isinstance(shape, ListShape) else "object"
    raise _Unread(f"no JSON {what} with {', '.join(names[:MOST_ANSWERS])}", shape.right)


def _are_alike(spans: list[str]) -> bool:
    """Whether all are one value, blanks and order of keys apart; 1, 1.0 and true are different."""
    try:
        return len({json.dumps(marked_json(span), sort_keys=True) for span in spans}) == 1
    except (Malformed, TypeError, RecursionError):
        return False


def _unwrapped(found: Any, shape: ObjectShape | ListShape) -> Any:
    """What an object of one key holds that is a mere wrapper: the list; the object, or the one object in a list."""
    kind, folded = (list, set()) if isinstance(shape, ListShape) else (dict, {_fold(name) for name in shape.names})
    for _ in range(MOST_WRAPPERS):
        if not isinstance(found, dict) or len(found) != 1:
            break
        ((key, inner),) = found.items()
        if kind is dict and isinstance(inner, list) and len(inner) == 1:
            inner = inner[0]
        if not isinstance(inner, dict | kind) or _fold(key) in folded:
            break
        found = inner
    return found


def _fold(name: str) -> str:
    return name.strip().lower()


def _judged(found: Any, shape: ObjectShape | ListShape, stage: str, repaired: str | None) -> ParsedObject:
    """An answer held against its shape. `repaired`: the text that it was read from, None where that is not known."""
    check = Check()
    value = check.value(found, shape)
    faults, kept = check.faults, value if check.is_fit else None
    if stage == STRICT:
        repaired = None
    elif repaired is not None:
        repaired = fit(repaired)
    elif kept is not None:
        repaired = json.dumps(kept, ensure_ascii=False)
    return ParsedObject(
        status=ItemStatus.UNPARSABLE if faults else ItemStatus.ANSWERED,
        value=kept,
        faults=faults,
        notes=check.notes,
        stage=stage,
        repaired=repaired,
    )


def _repaired(span: str, malformed: str, shape: ObjectShape | ListShape) -> Any:
    unread = _Unread(f"malformed JSON ({malformed})", f"valid JSON: {shape.right}")
    if len(span) > MOST_REPAIRED:
        raise unread
    try:
        return repaired_json(span)
    except Guessed:
        raise unread from None
