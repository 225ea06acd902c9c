"""Samples that every model has an answer for: means over different samples mislead."""

from __future__ import annotations

from collections import Counter
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
            "“Same for all models” (--same-samples) counts these only."
        )


def same_samples(items: ItemColumns) -> SameSamples:
    """Return which samples every model, in each run and by each judge, has a scored answer for. Each task and variant
    is by itself, without models that have no scored answer in it; controls of judges answer nothing."""
    rows = dict[tuple[str, ...], int]()
    needed = Counter[tuple[str, ...]]()
    row_of = list[int]()
    for kind in items.kinds:
        is_scored = kind.is_scored and kind.kind != CONTROL
        place = (kind.task, kind.variant, kind.run, kind.model, kind.judge)
        if is_scored and place not in rows:
            needed[place[:2]] += 1
        row_of.append(rows.setdefault(place, len(rows)) if is_scored else -1)
    many, questions = max(1, len(rows)), items.questions.astype(np.int64)
    row = np.array(row_of, dtype=np.int64)[items.numbers]
    is_answer = np.array([kind.kind != CONTROL for kind in items.kinds], dtype=bool)[items.numbers]
    answered = np.unique((questions * many + row)[row >= 0]) // many
    answers = np.bincount(answered, minlength=int(questions.max(initial=-1)) + 1)
    wanted = np.array([needed[kind.task, kind.variant] for kind in items.kinds], dtype=np.int64)[items.numbers]
    is_shared = (answers[questions] == wanted) & (wanted > 0)
    shared, every = (len(np.unique(questions[is_answer & some])) for some in (is_shared, wanted > 0))
    return SameSamples(is_shared | ~is_answer | (wanted == 0), shared, every)
