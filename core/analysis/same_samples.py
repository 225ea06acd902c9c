"""Samples that every model has an answer for: means over different samples mislead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.columns import ItemColumns
from core.analysis.items import CONTROL


@dataclass(frozen=True, slots=True)
class SameSamples:
    """Attributes:
    is_in: of each item, whether its sample is one that every model has an answer for
    shared: number of these samples
    all: number of samples
    """

    is_in: NDArray[np.bool_]
    shared: int
    all: int

    @property
    def words(self) -> str:
        """Remark on a table whose models have answers for different samples; otherwise empty."""
        if self.shared == self.all:
            return ""
        return (
            f"Models have answers for different samples: {self.shared:,} of {self.all:,} have one of every model. "
            "“Same for all models” counts these only."
        )


def same_samples(items: ItemColumns) -> SameSamples:
    """Return which samples every model, in each run and by each judge, has a scored answer for. Each task and variant
    is by itself, without models that have no scored answer in it; controls of judges answer nothing."""
    rows = dict[tuple[str, str], dict[tuple[str, ...], int]]()
    row_of = list[int]()
    for kind in items.kinds:
        of_variant = rows.setdefault((kind.task, kind.variant), {})
        is_scored = kind.is_scored and kind.kind != CONTROL
        row_of.append(of_variant.setdefault((kind.run, kind.model, kind.judge), len(of_variant)) if is_scored else -1)
    questions, row = items.questions, np.array(row_of, dtype=np.int64)[items.numbers]
    has_answer = np.zeros((int(questions.max(initial=-1)) + 1, max(map(len, rows.values()), default=0)), dtype=bool)
    has_answer[questions[row >= 0], row[row >= 0]] = True
    answers = has_answer.sum(axis=1)[questions]
    needed = np.array([len(rows[kind.task, kind.variant]) for kind in items.kinds], dtype=np.int64)[items.numbers]
    is_answer = np.array([kind.kind != CONTROL for kind in items.kinds], dtype=bool)[items.numbers]
    is_asked, is_shared = is_answer & (needed > 0), answers == needed
    shared, every = (int(np.count_nonzero(np.bincount(questions[each]))) for each in (is_asked & is_shared, is_asked))
    return SameSamples(is_shared | ~is_answer, shared, every)
