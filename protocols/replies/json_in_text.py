"""JSON in a model's answer, read strictly: the reasoning cut off, objects found in prose, no key twice, no NaN."""

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
    """Why there is no label, with as much as could be read."""

    def __init__(
        self, why: str, value: Mapping[str, Any] | None = None, rung: str = "", repaired: str | None = None
    ) -> None:
        super().__init__(why)
        self.value, self.rung, self.repaired = value, rung, repaired


class Malformed(Exception):
    """No JSON; a repair may help. The message says where, as far as it is known."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands in the place of a value that JSON reads and nothing can keep: what it is, and what would be right."""

    found: str
    right: str


ONCE = "each key once"
PYTHON_NONE = Mark("None", "null, or a text in quotes")
"""Python's bare None in a faulty object: a label where a closed set has it, null elsewhere."""


def reasoning_in(text: str) -> str:
    """The reasoning within a reply, without its marks (`thinking_marks.py`); empty without any.

    Reasoning that never ends is all of the reply, but where something stands before it.
    """
    place = find_reasoning(text, _OBJECT)
    if place.open_at is not None and not text[place.end : place.open_at].strip():
        return without_marks(text)
    return without_marks(text[: place.end])


def without_reasoning(text: str, answer: re.Pattern[str] = _OBJECT) -> str:
    """The text after its reasoning; empty if reasoning begins before any `answer` and never ends."""
    place = find_reasoning(text, answer)
    if place.open_at is not None and answer.search(text, place.end, place.open_at) is None:
        return ""
    return without_end_marks(text[place.end :]) if place.end else text


def spans_of(
    text: str, names: Sequence[str], brackets: str = "{}"
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Outermost spans in braces (with `[{}]` in brackets of either kind), those that name one of these keys and the
    others. An object that never closes reaches to the end, and objects within it stand for themselves."""
    keys = "|".join(re.escape(name) for name in names)
    named = [found.start() for found in re.finditer(keys, text, re.IGNORECASE)]
    closed, still_open = _spans(text, brackets)
    answers: list[tuple[int, int]] = []
    others: list[tuple[int, int]] = []
    inside = 0
    for start, end in closed:
        many = bisect_left(named, end) - bisect_left(named, start)
        (answers if many else others).append((start, end))
        inside += many if still_open >= 0 and start > still_open else 0
    if still_open >= 0 and len(named) - bisect_left(named, still_open) > inside:
        answers.append((still_open, len(text)))
    return answers, others


def _spans(text: str, brackets: str) -> tuple[list[tuple[int, int]], int]:
    """Outermost closed spans between brackets, and where the first that never closes begins (−1 if all close).

    Within brackets, double quotes hide brackets; in the prose around them they do not.
    """
    opened: list[int] = []
    closed: list[tuple[int, int, int]] = []
    is_quoted = False
    for found in _MARKS[brackets].finditer(text):
        mark = found[0]
        if mark == '"':
            is_quoted = bool(opened) and not is_quoted
        elif is_quoted or mark[0] == "\\":
            continue
        elif mark in "{[":
            opened.append(found.start())
        elif opened:
            start = opened.pop()
            closed.append((start, found.end(), opened[-1] if opened else -1))
    parents = {-1, *opened}
    return [(start, end) for start, end, parent in closed if parent in parents], opened[0] if opened else -1


def strict_json(text: str) -> Any:
    """Strict JSON. Raises Malformed, and Fault for a key that stands twice and for what is no number."""
    try:
        return json.loads(text, object_pairs_hook=_pairs, parse_constant=_no_number, parse_float=_float, parse_int=_int)
    except (ValueError, RecursionError) as error:
        raise Malformed from error


def marked_json(text: str) -> Any:
    """JSON with a Mark in each place that strict JSON refuses: an object with a key twice, and what is no number.

    Raises Malformed.

    >>> marked_json('[{"a": NaN}, {"b": 1, "b": 2}]')
    [{'a': Mark(found='NaN', right='a JSON number')}, Mark(found='the key "b" twice', right='each key once')]
    """

    def marked(strict: Callable[[str], Any], right: str) -> Callable[[str], Any]:
        def read(said: str) -> Any:
            try:
                return strict(said)
            except ReplyFault:
                return Mark(said if len(said) <= MOST_SHOWN else f"{said[:MOST_SHOWN]}…", right)

        return read

    try:
        return json.loads(
            text,
            object_pairs_hook=_marked_pairs,
            parse_constant=marked(_no_number, "a JSON number"),
            parse_float=marked(_float, "a number that can be stored"),
            parse_int=marked(_int, "a number that can be stored"),
        )
    except json.JSONDecodeError as error:
        raise Malformed(f"{error.msg}: line {error.lineno}, column {error.colno}") from error
    except (ValueError, RecursionError) as error:
        raise Malformed("nested too deeply") from error


def _marked_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any] | Mark:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    seen: set[str] = set()
    twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    return Mark(f"the key {shown(twice)} twice", ONCE)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ReplyFault(f"the key {short(key)} occurs twice in one object")
        found[key] = value
    return found


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
    """Without what no database keeps as text: NUL and halves of surrogate pairs become U+FFFD."""
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", text)


def short(text: str) -> str:
    cut = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
    return repr(fit(cut))


def shown(text: str) -> str:
    """The beginning of a text as JSON has it."""
    cut = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
    return json.dumps(fit(cut), ensure_ascii=False)
