"""JSON in a model's answer, read strictly: the reasoning cut off, objects found in prose, no key twice, no NaN."""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left
from collections.abc import Mapping
from typing import Any

MOST_DIGITS = 300

_THINK = re.compile(r"</?think(?:ing)?>")
_MARKS = re.compile(r'[{}"]|\\.', re.DOTALL)
_UNFIT = re.compile("[\x00\ud800-\udfff]")


class ReplyFault(Exception):
    """Why there is no label, with as much as could be read."""

    def __init__(
        self, why: str, value: Mapping[str, Any] | None = None, rung: str = "", repaired: str | None = None
    ) -> None:
        super().__init__(why)
        self.value, self.rung, self.repaired = value, rung, repaired


class Malformed(Exception):
    """No JSON; a repair may help."""


def reasoning_in(text: str) -> str:
    """What stands in the text's `<think>` block, also an unclosed one; empty without any."""
    rest = without_reasoning(text)
    return "" if rest is text else _THINK.sub("", text[: len(text) - len(rest)]).strip()


def without_reasoning(text: str) -> str:
    """The text after its last `</think>`; empty if it opens a block before any object and never closes it."""
    end = max(text.rfind(tag) + len(tag) if tag in text else 0 for tag in ("</think>", "</thinking>"))
    rest = text[end:] if end else text
    opened = rest.find("<think")
    return "" if opened >= 0 and not 0 <= rest.find("{") < opened else rest


def spans_of(text: str, key: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Outermost spans in braces, those that name the key and the others. An object that never closes reaches to the
    end, and objects within it stand for themselves."""
    named = [found.start() for found in re.finditer(re.escape(key), text, re.IGNORECASE)]
    closed, still_open = _spans(text)
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


def _spans(text: str) -> tuple[list[tuple[int, int]], int]:
    """Outermost closed spans from { to }, and where the first that never closes begins (−1 if all close).

    Within braces, double quotes hide braces; in the prose around them they do not.
    """
    opened: list[int] = []
    closed: list[tuple[int, int, int]] = []
    is_quoted = False
    for found in _MARKS.finditer(text):
        mark = found[0]
        if mark == '"':
            is_quoted = bool(opened) and not is_quoted
        elif is_quoted or mark[0] == "\\":
            continue
        elif mark == "{":
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
    cut = text if len(text) <= 60 else f"{text[:60]}…"
    return repr(fit(cut))
