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
            "“Same for all models” (--same-samples) counts these only."
        )


def same_samples(items: ItemColumns) -> SameSamples:
    """Return which samples every model, in each run and by each judge, has a scored answer for. Each task and variant
    is by itself, and controls of judges answer nothing."""
    rows: dict[tuple[str, ...], dict[tuple[str, ...], int]] = {}
    of_kinds, many = list[int](), 0
    for kind in items.kinds:
        of_variant = rows.setdefault((kind.task, kind.variant), {})
        place = (kind.run, kind.model, kind.judge)
        if kind.kind == CONTROL:
            of_kinds.append(-1)
        else:
            many += place not in of_variant
            of_kinds.append(of_variant.setdefault(place, many - 1))
    if not many:
        return SameSamples(np.ones(len(items), dtype=bool), 0, 0)
    needed_of = [len(rows[kind.task, kind.variant]) for kind in items.kinds]
    row, needed = np.array(of_kinds)[items.numbers], np.array(needed_of)[items.numbers]
    is_scored = np.array([kind.is_scored for kind in items.kinds])[items.numbers] & (row >= 0)
    questions = items.questions.astype(np.int64)
    answered = np.unique(questions[is_scored] * many + row[is_scored]) // many
    answers = np.bincount(answered, minlength=int(questions.max(initial=-1)) + 1)
    is_in = answers[questions] == needed
    shared = len(np.unique(questions[is_in & (row >= 0)]))
    return SameSamples(is_in | (row < 0), shared, len(np.unique(questions[row >= 0])))
