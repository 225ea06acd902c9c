"""One question asked of one model, as tables count it: what was true, what was said, or why nothing counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.runs.states import ItemStatus
from core.scoring.calibration import RatedAnswer
from core.scoring.classes import Row

SCORED = frozenset({ItemStatus.ANSWERED.value, ItemStatus.UNPARSABLE.value})
"""An unparsable answer is wrong. One cut off or declined is no answer, a failed request is none, and what is excluded
or pending was never asked: all of these stand beside the score, in no numerator and in no denominator of it."""

AS_RELEASED_SCORED = SCORED | {ItemStatus.TRUNCATED.value, ItemStatus.REFUSED.value, ItemStatus.FAILED.value}
"""The released code counts everything that was asked, an answer that failed to come as a wrong one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultItem:
    """`status`: a value of `core.runs.states.ItemStatus`. `predicted`: the label, only where it is answered.

    `said`: the word that the label was read from, in the model's own spelling, or the word outside the labels of an
    unparsable answer ("" for an object without the field, None where there was no object): the released figures count
    these. `jel`: the rows of a table by JEL in which the paper counts. `probabilities`: by label, None without
    log-probabilities. `item_id` leads to the answer itself; `sample` is the run's sample, which all of its models are
    asked.
    """

    run: str
    model: str
    task: str
    variant: str
    status: str
    answer: str
    item_id: str
    predicted: str | None = None
    repeat: int = 0
    example_signs: tuple[str, ...] = ()
    paper: str | None = None
    year: int | None = None
    jel: tuple[str, ...] = ()
    domain: str = ""
    probabilities: Mapping[str, float] | None = None
    said: str | None = None
    sample: str = ""

    @property
    def is_scored(self) -> bool:
        return self.status in SCORED


def rows_of(items: Iterable[ResultItem]) -> list[Row]:
    """The scored items as rows to score; an unparsable one says a word that is no label."""
    return [
        Row(each.answer, each.predicted if each.predicted is not None else "", each.example_signs, each.paper)
        for each in items
        if each.is_scored
    ]


def released_rows(items: Iterable[ResultItem]) -> list[Row]:
    """Everything that was asked, with what was said as it was written; nothing said is a failure there."""
    return [
        Row(each.answer, each.predicted if each.said is None else each.said, each.example_signs, each.paper)
        if each.is_scored
        else Row(each.answer, None, each.example_signs, each.paper)
        for each in items
        if each.status in AS_RELEASED_SCORED
    ]


def judged_of(items: Sequence[ResultItem]) -> list[RatedAnswer]:
    """The scored items with their probabilities, named by `item_id`."""
    return [RatedAnswer(each.answer, each.probabilities, each.item_id) for each in items if each.is_scored]
