"""The paper's tables of a corpus, its topics, its questions and its periods, with what the paper prints in a column of
its own. Pure: what a run made is read by `made_questions`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.questions.questions import ANSWERS, TYPES
from protocols.lee_pipeline import published
from protocols.lee_pipeline.summary import periods, question_counts, topics
from services.extraction.made_questions import MadeQuestions

ALL = "all"
"""In the place of a type or an answer: of all of them."""


class Unit(StrEnum):
    """How a measure is written."""

    COUNT = "count"
    MEAN = "mean"
    SHARE = "share"


@dataclass(frozen=True, slots=True)
class CorpusLine:
    """A row of Table 1. `value` is None where nothing can be divided by; `published`: None where the paper says
    nothing."""

    measure: str
    value: float | None
    unit: Unit
    published: float | None = None


@dataclass(frozen=True, slots=True)
class TopicLine:
    """A row of Tables 2 and 10: how often a treatment or outcome of a kept relation has this code."""

    code: str
    title: str
    count: int
    published: int | None


@dataclass(frozen=True, slots=True)
class QuestionLine:
    """A row of Table 3. `after` is None before the filter has run; `published`: the paper's, after filtering."""

    type: int | str
    answer: str
    before: int
    after: int | None
    published: int | None


@dataclass(frozen=True, slots=True)
class PeriodLine:
    """A row of Table 9; `share` of the relations of all periods, None without any."""

    period: str
    relations: int
    share: float | None
    published: float


def corpus_lines(found: MadeQuestions) -> tuple[CorpusLine, ...]:
    """Table 1, with both denominators."""
    counts = found.counts
    return (
        CorpusLine("papers", counts.papers, Unit.COUNT, published.PAPERS),
        CorpusLine("papers with a relation extracted", counts.with_any, Unit.COUNT),
        CorpusLine("papers with a kept relation", counts.with_kept, Unit.COUNT),
        CorpusLine("papers not read in every extraction", counts.unread, Unit.COUNT),
        CorpusLine("kept relations", counts.kept, Unit.COUNT, published.RELATIONS),
        CorpusLine("relations too few extractions have", counts.dropped, Unit.COUNT),
        CorpusLine("share kept", counts.share_kept, Unit.SHARE, published.SHARE_KEPT),
        CorpusLine("relations per paper", counts.per_paper, Unit.MEAN),
        CorpusLine(
            "relations per paper with a kept relation", counts.per_paper_with_any, Unit.MEAN, published.PER_PAPER
        ),
        CorpusLine("distinct X (entities)", counts.treatments, Unit.COUNT, published.TREATMENTS),
        CorpusLine("distinct X (phrases)", counts.treatments_in_words, Unit.COUNT),
        CorpusLine("distinct Y (entities)", counts.outcomes, Unit.COUNT, published.OUTCOMES),
        CorpusLine("distinct Y (phrases)", counts.outcomes_in_words, Unit.COUNT),
        CorpusLine("kept relations with a method", counts.with_method, Unit.COUNT),
    )


def topic_lines(found: MadeQuestions) -> tuple[TopicLine, ...]:
    """Tables 2 and 10, the most frequent first; none without codes."""
    return tuple(
        TopicLine(code, title, many, published.topic_count(title))
        for code, title, many in topics(found.variables, found.relations)
    )


def question_lines(found: MadeQuestions) -> tuple[QuestionLine, ...]:
    """Table 3: every type by right answer and altogether, and the same of all types."""
    counts = question_counts(found.questions)
    cells = {
        (kind, answer): (
            counts["before"][kind][answer],
            counts["after"][kind][answer],
            published.AFTER[kind][answer],
        )
        for kind in TYPES
        for answer in ANSWERS[kind]
    }
    every = list(dict.fromkeys(answer for kind in TYPES for answer in ANSWERS[kind]))
    lines = []
    for kind in (*TYPES, ALL):
        for answer in (*(ANSWERS[kind] if isinstance(kind, int) else every), ALL):
            those = [each for (one, said), each in cells.items() if kind in (one, ALL) and answer in (said, ALL)]
            before, after, theirs = (sum(column) for column in zip(*those, strict=True))
            lines.append(QuestionLine(kind, answer, before, after if found.is_filtered else None, theirs))
    return tuple(lines)


def period_lines(found: MadeQuestions) -> tuple[PeriodLine, ...]:
    """Table 9; relations of other years are in no period."""
    rows = periods(found.relations)
    total = sum(many for _, many, _ in rows)
    return tuple(
        PeriodLine(period, many, share if total else None, published.SHARES[period]) for period, many, share in rows
    )


def largest(lines: Sequence[TopicLine], most: int) -> tuple[TopicLine, ...]:
    """The first lines, and after them those that the paper names too."""
    return (*lines[:most], *(each for each in lines[most:] if each.published is not None))
