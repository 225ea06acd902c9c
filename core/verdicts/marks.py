"""Sentences of a text about a verdict item, and sentences addressed to the judge. Pure; no effect on scores."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.texts.mentions import MentionedNames


class MarkKind(StrEnum):
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
    """Return the places of sentences, and of lines and paragraphs that end without a stop; no blanks at their ends."""
    places, start = [], 0
    for end in [*(each.end() for each in _END.finditer(text)), len(text)]:
        piece = text[start:end]
        if stripped := piece.strip():
            first = start + piece.index(stripped[0])
            places.append((first, first + len(stripped)))
        start = end
    return places


def marks_of_item(text: str, spans: Sequence[tuple[int, int]], names: Sequence[str]) -> tuple[TextMark, ...]:
    """Return sentences with every name of an item (both ends of an edge); without one, those with any."""
    distinct_names = list(dict.fromkeys(names))
    mentions = MentionedNames(distinct_names).in_text(text)
    names_by_span: dict[tuple[int, int], set[str]] = {}
    place = 0
    for mention in mentions:
        while place < len(spans) and spans[place][1] <= mention.start:
            place += 1
        if place < len(spans) and spans[place][0] <= mention.start:
            names_by_span.setdefault(spans[place], set()).add(mention.name)
    both = [span for span, mentioned in names_by_span.items() if len(mentioned) == len(distinct_names)]
    chosen, kind = (both, MarkKind.BOTH) if both and len(distinct_names) > 1 else (list(names_by_span), MarkKind.ONE)
    return tuple(TextMark(start, end, kind) for start, end in chosen[:MOST_SENTENCES])


def quoted_place(text: str, quote: str, kind: MarkKind = MarkKind.QUOTE) -> TextMark | None:
    """Return the place of a verbatim quote, white space folded; None if there is none.

    >>> quoted_place("Rain  fell\\nhard.", "Rain fell hard"), quoted_place("Rain fell.", "Snow fell")
    (TextMark(start=0, end=15, kind=<MarkKind.QUOTE: 'quoted by the judge'>), None)
    """
    words = [re.escape(word) for word in _SPACE.split(quote.strip()) if word]
    if not words:
        return None
    match = re.search(r"\s+".join(words), text)
    return TextMark(match.start(), match.end(), kind) if match else None


def addresses_to_judge(text: str, spans: Sequence[tuple[int, int]]) -> tuple[TextMark, ...]:
    """Return sentences that tell an evaluator what to say, role words of a chat, and runs of hidden characters."""
    marks = []
    for start, end in spans:
        sentence = text[start:end]
        orders = bool(_ORDER.search(sentence)) and bool(_ABOUT.search(sentence)) and bool(_ADDRESS.search(sentence))
        if orders or _ROLE.search(sentence) or _HIDDEN.search(sentence):
            marks.append(TextMark(start, end, MarkKind.TO_JUDGE))
    return tuple(marks)
