"""EconCausal's scores: macro-F1 and each sign's own, accuracy on mismatch, the released code's, calibration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from core.analysis import metrics
from core.analysis.columns import ItemColumns
from core.analysis.items import SCORED, ResultItem
from core.analysis.metrics import Measure, Measured, Metric
from core.estimate import undefined
from core.labels import SIGN, SIGN_OR_UNKNOWN
from core.runs.answer_counts import FAILURES
from core.scoring.calibration import BINS, expected_error
from core.scoring.classes import Row
from core.scoring.mismatch import MismatchKind
from core.scoring.released import as_released
from core.scoring.tallies import drops, ece_tally
from core.words import minus

LABELS = SIGN_OR_UNKNOWN
"""Read with this set, `unknown` is an answer of its own and never right; only variants that offer it have it."""

AS_RELEASED_SCORED = SCORED | FAILURES
"""The released code counts everything that was asked, an answer that failed to come as a wrong one."""
EXAMPLE_SIGNS = "example_signs"
"""The label of an item that holds the signs its examples show, in their order."""


def _mismatches(which: MismatchKind, item: ResultItem) -> bool:
    signs = item.values(EXAMPLE_SIGNS)
    return any(sign != item.answer for sign in (signs[:1] if which is MismatchKind.FIRST else signs))


def _drop(which: MismatchKind, items: ItemColumns, again: bool) -> Measured:
    """By how much accuracy is lower where an example contradicts the answer; all items are drawn together."""
    scored = items.where(metrics.has_true_label)
    marks = np.array([(metrics.is_right(kind), 1, _mismatches(which, kind)) for kind in scored.kinds], dtype=np.float64)
    found, tally = metrics.computed(scored, np.hstack([marks[:, :2], marks[:, :2] * marks[:, 2:]]), drops, again)
    return replace(found, n=len(scored.where(partial(_mismatches, which)))), tally


def _on_mismatch(which: MismatchKind, measure: Measure, items: ItemColumns, again: bool) -> Measured:
    """A score that is defined where an example contradicts the answer."""
    scored = items.where(metrics.has_true_label)
    if len(scored.where(partial(_mismatches, which))):
        return measure(items, again)
    with_examples = any(kind.values(EXAMPLE_SIGNS) for kind in scored.kinds)
    why = "no example shows a sign that differs from the true one" if with_examples else "no sample shows examples"
    return undefined(why if len(scored) else metrics.UNSCORED, 0), None


def _of_mismatch() -> Iterator[Metric]:
    for which, shown in ((MismatchKind.FIRST, "the first example's sign"), (MismatchKind.ANY, "some example's sign")):
        covers = partial(_mismatches, which)
        accuracy = metrics.of_classes("accuracy", lambda _: LABELS, covers=covers)
        yield Metric(
            name=f"share_{which}",
            title=f"Share of mismatch ({which} example)",
            told=f"Share of scored items where {shown} differs from the true sign.",
            measure=metrics.mean_of(covers),
        )
        yield Metric(
            name=f"mismatch_{which}",
            title=f"Accuracy on mismatch ({which} example)",
            told=f"Accuracy on items where {shown} differs from the true sign.",
            measure=partial(_on_mismatch, which, accuracy),
            covers=covers,
        )
        yield Metric(
            name=f"drop_{which}",
            title=f"Drop on mismatch ({which} example)",
            told=f"Accuracy on all items minus accuracy on items where {shown} differs from the true sign.",
            measure=partial(_on_mismatch, which, partial(_drop, which)),
            covers=covers,
            unit=metrics.POINTS,
        )


def released_rows(items: ItemColumns) -> list[Row]:
    """Everything that was asked, with what was said as it was written; nothing said is a failure there."""
    return [
        Row(each.answer, (each.predicted if each.said is None else each.said) if each.is_scored else None, count=count)
        for each, count in items.counted()
        if each.status in AS_RELEASED_SCORED and each.answer is not None
    ]


def _released(figure: str, items: ItemColumns, again: bool) -> Measured:
    # Its rounding and its classes, which are all strings seen, are no function of sums: no interval.
    has_option = any(each.predicted == "unknown" for each in items.kinds)
    return getattr(as_released(released_rows(items), SIGN_OR_UNKNOWN if has_option else SIGN), figure), None


def _ece(items: ItemColumns, again: bool) -> Measured:
    inside = items.where(lambda item: metrics.has_true_label(item) and metrics.has_probabilities(item))
    found = inside.confidences(LABELS)
    if not again or not len(inside):
        return expected_error(found), None
    tally = ece_tally(found.bins, found.right, found.confidence, BINS, inside.units)
    return expected_error(found), tally


OF_SIGNS = metrics.metrics_of_classes(
    LABELS,
    "of the sign {}",
    {
        "precision": "Share of the items predicted {0} whose true sign is {0}, among scored items.",
        "recall": "Share of the items whose true sign is {0} that are predicted {0}, among scored items.",
        "f1": "Harmonic mean of the precision and the recall of the sign {0}, among scored items.",
    },
    shown=minus,
)
ON_MISMATCH = tuple(_of_mismatch())
MACRO_F1 = Metric(
    name="macro_f1",
    title="Macro-F1",
    told="Unweighted mean of F1 over the four signs; a sign neither true nor predicted anywhere counts as 0.",
    measure=metrics.of_classes("macro_f1", lambda _: LABELS),
)
AS_RELEASED = tuple(
    Metric(
        name=f"released_{figure}",
        title=f"{title}, as released",
        told="As computed by the released code: every item asked counts, a failed, truncated or refused one as wrong, "
        "and every distinct predicted word counts as a label of its own; rounded to four decimals. No interval.",
        measure=partial(_released, figure),
        scores=AS_RELEASED_SCORED,
    )
    for figure, title in (("accuracy", "Accuracy"), ("macro_f1", "Macro-F1"))
)
ECE = Metric(
    name="ece",
    title="Calibration error (ECE)",
    told="Expected calibration error: the mean distance between accuracy and confidence over ten right-closed "
    "confidence bins. Confidence is the largest of the four signs' probabilities divided by their sum.",
    measure=_ece,
    needs_probabilities=True,
)
SHARE_UNKNOWN = Metric(
    name="share_unknown",
    title="Share of unknown",
    told="Share of scored items answered with unknown.",
    measure=metrics.mean_of(lambda item: item.predicted == "unknown"),
)
