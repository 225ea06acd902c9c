"""Strict reading of JSON in a model's answer: reasoning removed, objects located in prose, no repeated key, no NaN."""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from protocols.replies.thinking_marks import find_reasoning, without_end_marks, without_marks

MOST_DIGITS, MOST_SHOWN = 300, 60

_OBJECT = re.compile(r"\{")
_MARKS = {
    "{}": re.compile(r'[{}"]|\\.', re.DOTALL),
    "[{}]": re.compile(r'[\[\]{}"]|\\.', re.DOTALL),
}
_UNFIT = re.compile("[\x00\ud800-\udfff]")


class ReplyFault(Exception):
    """Raised if there is no label, with what could be read."""

    def __init__(
        self, why: str, value: Mapping[str, Any] | None = None, stage: str = "", repaired: str | None = None
    ) -> None:
        super().__init__(why)
        self.value, self.rung, self.repaired = value, stage, repaired


class Malformed(Exception):
    """Not JSON; a repair may help. The message says where, if known."""


@dataclass(frozen=True, slots=True)
class JsonMark:
    """Placeholder for a value that JSON reads but that cannot be stored: a description, and the expected value."""

    found: str
    right: str


ONCE = "each key once"
PYTHON_NONE = JsonMark("None", "null, or a text in quotes")
"""Python's bare None in a faulty object: a label if the closed set has it, otherwise null."""


def reasoning_in(text: str) -> str:
    """Return the reasoning in a reply without its marks (`thinking_marks.py`). Reasoning that never ends covers the
    whole reply, unless text precedes it."""
    place = find_reasoning(text, _OBJECT)
    if place.open_at is not None and not text[place.end : place.open_at].strip():
        return without_marks(text)
    return without_marks(text[: place.end])


def without_reasoning(text: str, answer: re.Pattern[str] = _OBJECT) -> str:
    """Return the text after the reasoning; empty if reasoning begins before any `answer` and never ends."""
    place = find_reasoning(text, answer)
    if place.open_at is not None and answer.search(text, place.end, place.open_at) is None:
        return ""
    return without_end_marks(text[place.end :]) if place.end else text


def spans_of(
    text: str, names: Sequence[str], brackets: str = "{}"
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the outermost spans in braces (`[{}]`: in either bracket) that name one of these keys, and the others. An
    object that never closes extends to the end, and objects within it count separately."""
    keys = "|".join(re.escape(name) for name in names)
    named = [match.start() for match in re.finditer(keys, text, re.IGNORECASE)]
    closed, still_open = _spans(text, brackets)
    answers: list[tuple[int, int]] = []
    others: list[tuple[int, int]] = []
    inside = 0
    for start, end in closed:
        key_count = bisect_left(named, end) - bisect_left(named, start)
        (answers if key_count else others).append((start, end))
        inside += key_count if still_open >= 0 and start > still_open else 0
    # The open object answers only by a key of its own, outside the closed objects within it.
    if still_open >= 0 and len(named) - bisect_left(named, still_open) > inside:
        answers.append((still_open, len(text)))
    return answers, others


def _spans(text: str, brackets: str) -> tuple[list[tuple[int, int]], int]:
    """Return outermost closed spans between brackets, and the start of the first that never closes (−1 if all close).
    Within brackets, double quotes hide brackets; in the surrounding prose they do not."""
    opened: list[int] = []
    closed: list[tuple[int, int, int]] = []
    is_quoted = False
    for match in _MARKS[brackets].finditer(text):
        mark = match[0]
        if mark == '"':
            is_quoted = bool(opened) and not is_quoted
        elif is_quoted or mark[0] == "\\":
            continue
        elif mark in "{[":
            opened.append(match.start())
        elif opened:
            start = opened.pop()
            closed.append((start, match.end(), opened[-1] if opened else -1))
    parents = {-1, *opened}
    return [(start, end) for start, end, parent in closed if parent in parents], opened[0] if opened else -1


def strict_json(text: str) -> Any:
    """Parse strict JSON. Raises Malformed; ReplyFault for a repeated key, NaN, Infinity and too large numbers."""
    try:
        return json.loads(text, object_pairs_hook=_pairs, parse_constant=_no_number, parse_float=_float, parse_int=_int)
    except (ValueError, RecursionError) as error:
        raise Malformed from error


def marked_json(text: str) -> Any:
    """Parse JSON with a Mark for each value that strict JSON refuses: an object with a repeated key, NaN, Infinity.
    Raises Malformed.

    >>> marked_json('[{"a": NaN}, {"b": 1, "b": 2}]')
    [{'a': JsonMark(found='NaN', right='a JSON number')}, JsonMark(found='the key "b" twice', right='each key once')]
    """

    def marked(strict: Callable[[str], Any], right: str) -> Callable[[str], Any]:
        def read(digits: str) -> Any:
            try:
                return strict(digits)
            except ReplyFault:
                return JsonMark(digits if len(digits) <= MOST_SHOWN else f"{digits[:MOST_SHOWN]}…", right)

        return read

    try:
        return json.loads(
            text,
            object_pairs_hook=_pairs_or_mark,
            parse_constant=marked(_no_number, "a JSON number"),
            parse_float=marked(_float, "a number that can be stored"),
            parse_int=marked(_int, "a number that can be stored"),
        )
    except json.JSONDecodeError as error:
        raise Malformed(f"{error.msg}: line {error.lineno}, column {error.colno}") from error
    except (ValueError, RecursionError) as error:
        raise Malformed("nested too deeply") from error


def _pairs_or_mark(pairs: list[tuple[str, Any]]) -> dict[str, Any] | JsonMark:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    known: set[str] = set()
    twice = next(key for key, _ in pairs if key in known or known.add(key))  # type: ignore[func-returns-value]
    return JsonMark(f"the key {shown(twice)} twice", ONCE)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            raise ReplyFault(f"the key {short(key)} occurs twice in one object")
        members[key] = value
    return members


def _no_number(word: str) -> float:
    raise ReplyFault(f"{word} is not a JSON number")


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ReplyFault(f"the number {short(digits)} is too large to store")
    return number


def _int(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ReplyFault(f"the number {short(digits)} is too large to store")
    return int(digits)


def fit(text: str) -> str:
    """Replace what no database stores as text, NUL and unpaired surrogates, by U+FFFD."""
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", text)


def short(text: str) -> str:
    cut = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
    return repr(fit(cut))


def shown(text: str) -> str:
    """Return the beginning of a text as JSON."""
    cut = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
    return json.dumps(fit(cut), ensure_ascii=False)
