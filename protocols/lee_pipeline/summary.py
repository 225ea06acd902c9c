"""What a run of the pipeline comes to, in numbers: the paper's tables of its corpus, its topics and its questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.questions.questions import Question, counts_of
from core.questions.relation import PERIODS, Relation, period_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusCounts:
    """Table 1. `papers` were read; of `with_any` at least one relation was extracted, of `with_kept` at least one is
    kept; of `unread` not every extraction could be read. `kept`: relations that enough extractions have, `dropped`:
    those that too few have; `treatments`, `outcomes`: distinct X and Y, as entities and `_in_words` as phrases;
    `with_method`: kept ones whose method is named."""

    papers: int
    with_any: int
    with_kept: int
    unread: int
    kept: int
    dropped: int
    treatments: int
    outcomes: int
    treatments_in_words: int
    outcomes_in_words: int
    with_method: int

    @property
    def per_paper(self) -> float | None:
        """Kept relations for each paper that was read."""
        return self.kept / self.papers if self.papers else None

    @property
    def per_paper_with_any(self) -> float | None:
        """The same for each paper with a kept relation."""
        return self.kept / self.with_kept if self.with_kept else None

    @property
    def share_kept(self) -> float | None:
        """Of all distinct relations, those that enough extractions have."""
        every = self.kept + self.dropped
        return self.kept / every if every else None


def corpus_counts(papers: int, consensus: Sequence[Mapping[str, Any]], relations: Sequence[Relation]) -> CorpusCounts:
    """`consensus`: what the step of this name gave for each paper; `relations`: the kept ones, with their entities."""
    rows = [row for each in consensus for row in each["kept"]]
    return CorpusCounts(
        papers=papers,
        with_any=sum(bool(each["mentions"]) for each in consensus),
        with_kept=sum(bool(each["kept"]) for each in consensus),
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
    """Tables 2 and 10: (code, title, how often a treatment or outcome of a kept relation has it), the most frequent
    first, of equally frequent ones the earlier code."""
    code_of = {row["variable"]: (row["code"], row["title"]) for row in variables if row["code"]}
    found = Counter(
        code_of[phrase] for each in relations for phrase in (each.treatment, each.outcome) if phrase in code_of
    )
    ordered = sorted(found.items(), key=lambda each: (-each[1], each[0]))
    return [(code, title, many) for (code, title), many in ordered]


def periods(relations: Sequence[Relation]) -> list[tuple[str, int, float]]:
    """Table 9: (period, kept relations, their share); those of other years are in none."""
    found = Counter(period_of(each.year) for each in relations)
    total = sum(found[period] for period in PERIODS)
    return [(period, found[period], found[period] / total if total else 0.0) for period in PERIODS]


def question_counts(questions: Sequence[Question]) -> dict[str, dict[int, dict[str, int]]]:
    """Table 3: by type and right answer, before filtering and after it."""
    return {"before": counts_of(questions), "after": counts_of([each for each in questions if not each.is_easy])}
