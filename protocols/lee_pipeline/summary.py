"""Summary of a pipeline run: the paper's tables of its corpus, topics and questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.questions.questions import Question, counts_of
from core.questions.relation import PERIODS, Relation, period_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusCounts:
    """Table 1."""

    papers: int  # that were read
    with_any: int  # with at least one extracted relation
    with_retained: int  # with at least one agreed relation
    unread: int  # with an unreadable extraction
    kept: int  # relations that enough extractions have
    dropped: int  # relations that too few extractions have
    treatments: int  # distinct entities
    outcomes: int
    treatments_in_words: int  # distinct phrases
    outcomes_in_words: int
    with_method: int  # agreed relations with a named method

    @property
    def per_paper(self) -> float | None:
        """Agreed relations per paper read."""
        return self.kept / self.papers if self.papers else None

    @property
    def per_paper_with_any(self) -> float | None:
        """Agreed relations per paper with at least one."""
        return self.kept / self.with_retained if self.with_retained else None

    @property
    def share_retained(self) -> float | None:
        """Share of all distinct relations that enough extractions have."""
        every = self.kept + self.dropped
        return self.kept / every if every else None


def corpus_counts(papers: int, consensus: Sequence[Mapping[str, Any]], relations: Sequence[Relation]) -> CorpusCounts:
    """Count `consensus`, that step's value of each paper, and `relations`, the agreed ones with their entities."""
    rows = [row for each in consensus for row in each["kept"]]
    return CorpusCounts(
        papers=papers,
        with_any=sum(bool(each["mentions"]) for each in consensus),
        with_retained=sum(bool(each["kept"]) for each in consensus),
        unread=papers - sum("unread" not in each for each in consensus),
        kept=len(rows),
        dropped=sum(len(each["dropped"]) for each in consensus),
        treatments=len({each.treatment_entity for each in relations}),
        outcomes=len({each.outcome_entity for each in relations}),
        treatments_in_words=len({each.treatment for each in relations}),
        outcomes_in_words=len({each.outcome for each in relations}),
        with_method=sum(row["method"] != "none" for row in rows),
    )


def topics(variables: Sequence[Mapping[str, Any]], relations: Sequence[Relation]) -> list[tuple[str, str, int]]:
    """Return Tables 2 and 10: (code, title, count of treatments and outcomes in agreed relations), most frequent first,
    then by code."""
    code_of = {row["variable"]: (row["code"], row["title"]) for row in variables if row["code"]}
    counts = Counter(
        code_of[phrase] for each in relations for phrase in (each.treatment, each.outcome) if phrase in code_of
    )
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return [(code, title, count) for (code, title), count in ordered]


def periods(relations: Sequence[Relation]) -> list[tuple[str, int, float]]:
    """Return Table 9: (period, agreed relations, their share). Years outside the periods are not counted."""
    counts = Counter(period_of(each.year) for each in relations)
    total = sum(counts[period] for period in PERIODS)
    return [(period, counts[period], counts[period] / total if total else 0.0) for period in PERIODS]


def question_counts(questions: Sequence[Question]) -> dict[str, dict[int, dict[str, int]]]:
    """Return Table 3: counts by type and right answer, before and after filtering."""
    return {"before": counts_of(questions), "after": counts_of([each for each in questions if not each.is_easy])}
