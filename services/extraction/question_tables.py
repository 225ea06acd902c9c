"""Lee et al.'s tables of corpus, topics, questions and periods, with the published values in a column. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.questions.questions import ANSWERS, TYPES
from protocols.lee_pipeline import published
from protocols.lee_pipeline.summary import periods, question_counts, topics
from services.extraction.made_questions import QuestionsOfRun

ALL = "all"  # in place of a type or an answer: total of all of them


class Unit(StrEnum):
    """Number format of a measure."""

    COUNT = "count"
    MEAN = "mean"
    SHARE = "share"


@dataclass(frozen=True, slots=True)
class CorpusRow:
    """A row of Table 1. `value` is None if the denominator is 0, `published` if the paper has no value."""

    measure: str
    value: float | None
    unit: Unit
    published: float | None = None


@dataclass(frozen=True, slots=True)
class TopicLine:
    """A row of Tables 2 and 10: treatments and outcomes of kept relations with this code."""

    code: str
    title: str
    count: int
    published: int | None


@dataclass(frozen=True, slots=True)
class QuestionLine:
    """A row of Table 3. `after` is None before the filter has run; `published` is the paper's value after filtering."""

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


def corpus_lines(made_values: QuestionsOfRun) -> tuple[CorpusRow, ...]:
    counts = made_values.counts
    return (
        CorpusRow("papers", counts.papers, Unit.COUNT, published.PAPERS),
        CorpusRow("papers with a relation extracted", counts.with_any, Unit.COUNT),
        CorpusRow("papers with a kept relation", counts.with_retained, Unit.COUNT),
        CorpusRow("papers not read in every extraction", counts.unread, Unit.COUNT),
        CorpusRow("kept relations", counts.kept, Unit.COUNT, published.RELATIONS),
        CorpusRow("relations too few extractions have", counts.dropped, Unit.COUNT),
        CorpusRow("share kept", counts.share_retained, Unit.SHARE, published.AGREED_SHARE),
        CorpusRow("relations per paper", counts.per_paper, Unit.MEAN),
        CorpusRow(
            "relations per paper with a kept relation", counts.per_paper_with_any, Unit.MEAN, published.PER_PAPER
        ),
        CorpusRow("distinct X (entities)", counts.treatments, Unit.COUNT, published.TREATMENTS),
        CorpusRow("distinct X (phrases)", counts.treatments_in_words, Unit.COUNT),
        CorpusRow("distinct Y (entities)", counts.outcomes, Unit.COUNT, published.OUTCOMES),
        CorpusRow("distinct Y (phrases)", counts.outcomes_in_words, Unit.COUNT),
        CorpusRow("kept relations with a method", counts.with_method, Unit.COUNT),
    )


def topic_lines(made_values: QuestionsOfRun) -> tuple[TopicLine, ...]:
    """Return Tables 2 and 10, the most frequent first; empty without codes."""
    return tuple(
        TopicLine(code, title, many, published.topic_count(title))
        for code, title, many in topics(made_values.variables, made_values.relations)
    )


def question_lines(made_values: QuestionsOfRun) -> tuple[QuestionLine, ...]:
    """Return Table 3: every type by correct answer and in total, and the same of all types."""
    counts = question_counts(made_values.questions)
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
            counts_of_row = [
                each
                for (one, given_answer), each in cells.items()
                if kind in (one, ALL) and answer in (given_answer, ALL)
            ]
            before, after, after_in_paper = (sum(column) for column in zip(*counts_of_row, strict=True))
            lines.append(QuestionLine(kind, answer, before, after if made_values.is_filtered else None, after_in_paper))
    return tuple(lines)


def period_lines(made_values: QuestionsOfRun) -> tuple[PeriodLine, ...]:
    """Return Table 9; relations of other years are in no period."""
    rows = periods(made_values.relations)
    total = sum(many for _, many, _ in rows)
    return tuple(
        PeriodLine(period, many, share if total else None, published.SHARES[period]) for period, many, share in rows
    )


def largest(lines: Sequence[TopicLine], most: int) -> tuple[TopicLine, ...]:
    """Return the first lines, and after them those that the paper lists too."""
    return (*lines[:most], *(each for each in lines[most:] if each.published is not None))
