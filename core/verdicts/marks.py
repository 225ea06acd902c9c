"""Where a text speaks of a verdict item, and where it speaks to the judge. Pure; nothing here changes a score."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.texts.mentions import Names


class MarkKind(StrEnum):
    """Where a mark comes from."""

    QUOTE = "quoted by the judge"
    REASONED = "quoted in the judge's reasoning"
    BOTH = "holds both names"
    ONE = "holds a name"
    TO_JUDGE = "addresses the judge"


@dataclass(frozen=True, slots=True)
class TextMark:
    """Characters `start` up to `end` of the text."""

    start: int
    end: int
    kind: MarkKind


MOST_SENTENCES = 12
_END = re.compile(r"[.!?](?=\s)|\n\s*\n|\n(?=[#*-])")
_SPACE = re.compile(r"\s+")
_ADDRESS = re.compile(
    r"\b(?:evaluators?|judges?|graders?|reviewers?|assessors?|annotators?|assistant|model|ai|you)\b", re.IGNORECASE
)
_ORDER = re.compile(
    r"\b(?:give|assign|award|label|mark|rate|score|treat|count|ignore|disregard|must|should|shall|return|output|respond)\b",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"\b(?:scores?|labels?|full marks|marks|verdicts?|PRESENCE_[A-Z_]+|strong match|full credit|evaluations?|"
    r"instructions?|prompt|rubric|ratings?)\b",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"^[ \t]*+(?:system|assistant|user|developer)[ \t]*+:|<\|[^|>\n]{1,40}\|>", re.IGNORECASE | re.MULTILINE
)
_HIDDEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]{2,}")


def sentences(text: str) -> list[tuple[int, int]]:
    """Places of sentences, and of lines and paragraphs that end without a stop; no blanks at their ends."""
    found, start = [], 0
    for end in [*(each.end() for each in _END.finditer(text)), len(text)]:
        piece = text[start:end]
        if kept := piece.strip():
            first = start + piece.index(kept[0])
            found.append((first, first + len(kept)))
        start = end
    return found


def marks_of_item(text: str, spans: Sequence[tuple[int, int]], names: Sequence[str]) -> tuple[TextMark, ...]:
    """Sentences that hold every name of an item (both ends of an edge); without one, those that hold any."""
    wanted = list(dict.fromkeys(names))
    mentions = Names(wanted).in_text(text)
    held: dict[tuple[int, int], set[str]] = {}
    place = 0
    for each in mentions:
        while place < len(spans) and spans[place][1] <= each.start:
            place += 1
        if place < len(spans) and spans[place][0] <= each.start:
            held.setdefault(spans[place], set()).add(each.name)
    both = [span for span, there in held.items() if len(there) == len(wanted)]
    chosen, kind = (both, MarkKind.BOTH) if both and len(wanted) > 1 else (list(held), MarkKind.ONE)
    return tuple(TextMark(start, end, kind) for start, end in chosen[:MOST_SENTENCES])


def quoted_place(text: str, quote: str, kind: MarkKind = MarkKind.QUOTE) -> TextMark | None:
    """Where a quote stands verbatim, white space folded; None where it does not.

    >>> quoted_place("Rain  fell\\nhard.", "Rain fell hard"), quoted_place("Rain fell.", "Snow fell")
    (TextMark(start=0, end=15, kind=<MarkKind.QUOTE: 'quoted by the judge'>), None)
    """
    words = [re.escape(word) for word in _SPACE.split(quote.strip()) if word]
    if not words:
        return None
    found = re.search(r"\s+".join(words), text)
    return TextMark(found.start(), found.end(), kind) if found else None


def addresses_to_judge(text: str, spans: Sequence[tuple[int, int]]) -> tuple[TextMark, ...]:
    """Sentences that tell an evaluator what to say, role words of a chat, and runs of hidden characters."""
    found = []
    for start, end in spans:
        said = text[start:end]
        orders = bool(_ORDER.search(said)) and bool(_ABOUT.search(said)) and bool(_ADDRESS.search(said))
        if orders or _ROLE.search(said) or _HIDDEN.search(said):
            found.append(TextMark(start, end, MarkKind.TO_JUDGE))
    return tuple(found)
