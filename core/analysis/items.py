"""One question asked of one model, as tables count it: what was true, what was said, or why nothing counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.runs.states import ItemStatus

ASKED_AGAIN, WITHOUT_EDGES = "asked_again", "without_edges"
"""Flags that tables count: a reply could not be read and another one was asked for; the answer is an empty graph."""
CONTROL = "control"
"""The kind of a control's rows, and the fact that names it."""
BASELINE = "baseline"
"""The kind of the rows of baselines."""
SCORED = frozenset({ItemStatus.ANSWERED.value, ItemStatus.UNPARSABLE.value})
"""An unparsable answer is wrong. One cut off or declined is no answer, a failed request is none: these are left out of
a score, or count as 0 where a protocol has a measure of them. What is excluded or pending never counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultItem:
    """An item of a run as tables count it, without what tells it from others of its kind.

    Attributes:
        status: a value of `core.runs.states.ItemStatus`
        answer: the true label, None where the truth is not a label
        predicted: the label, only where it is answered
        score: 0 to 1, where answers can be right in part
        is_right: as the protocol scored it when the answer was read, None where the answer is not scored
        judge: who judged the answer, whose `variant` and status before this judge the item then has; empty: nobody
        kind: of the model: model, baseline, person or control
        labels: name → values, by which tables group; a name without values, or that is missing, is not known
        most_probable: the label with the largest probability, the first of several; empty without log-probabilities
        said: the word that the label was read from, in the model's own spelling, or the word outside the labels of an
            unparsable answer ("" for an object without the field, None where there was no object)
        measures: scores of an answer that can be right in part, by name; an undefined one is missing
        counts_as_zero: it was refused, truncated or failed, and counts as a wrong answer
        flags: remarks on the item, `ASKED_AGAIN` and `WITHOUT_EDGES` among them
        variant_title: the protocol's title of the variant
        variant_place: index of the variant in the protocol's order
    """

    run: str
    model: str
    task: str
    variant: str
    status: str
    answer: str | None
    judge: str = ""
    kind: str = ""
    predicted: str | None = None
    score: float | None = None
    is_right: bool | None = None
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    most_probable: str = ""
    said: str | None = None
    measures: Mapping[str, float] = field(default_factory=dict)
    variant_title: str = ""
    variant_place: int = 0
    flags: tuple[str, ...] = ()
    counts_as_zero: bool = False

    @property
    def is_scored(self) -> bool:
        return self.status in SCORED or self.counts_as_zero

    @property
    def is_asked_again(self) -> bool:
        """True if the first reply could not be read and another one was asked for."""
        return ASKED_AGAIN in self.flags

    @property
    def is_empty(self) -> bool:
        """True if it scores 0 without an answer: it cannot be read, or is an empty graph."""
        return self.status == ItemStatus.UNPARSABLE or WITHOUT_EDGES in self.flags

    @property
    def variant_words(self) -> str:
        """ "without context"; links and the command line keep the name."""
        return self.variant_title or self.variant.replace("-", " ")

    def values(self, name: str) -> tuple[str, ...]:
        """The item's values of a label; none where it has no such label."""
        return self.labels.get(name, ())
