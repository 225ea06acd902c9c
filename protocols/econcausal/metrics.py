"""EconCausal's scores: macro-F1 and each sign's own, accuracy on mismatch, the released code's, calibration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from core.analysis.columns import ItemColumns, judged_of
from core.analysis.items import SCORED, ResultItem
from core.analysis.metrics import (
    ACCURACY,
    ITEMS,
    POINTS,
    SHARE_UNPARSABLE,
    Metric,
    has_probabilities,
    measured_share,
)
from core.estimate import Estimate, undefined
from core.labels import SIGN, SIGN_OR_UNKNOWN
from core.runs.states import ItemStatus
from core.scoring.calibration import BINS, confidences, expected_error
from core.scoring.classes import Row, answered_labels, cells_of, score_classes
from core.scoring.mismatch import MismatchKind, is_mismatch, mismatch
from core.scoring.released import as_released
from core.words import minus

if TYPE_CHECKING:
    from core.scoring.tallies import EdgeTally

LABELS = SIGN_OR_UNKNOWN
"""Read with this set, `unknown` is an answer of its own and never right; only variants that offer it have it."""

AS_RELEASED_SCORED = SCORED | {ItemStatus.TRUNCATED.value, ItemStatus.REFUSED.value, ItemStatus.FAILED.value}
"""The released code counts everything that was asked, an answer that failed to come as a wrong one."""
EXAMPLE_SIGNS = "example_signs"
"""The label of an item that holds the signs its examples show, in their order."""


def rows_of(scored: ItemColumns) -> list[Row]:
    """Scored items as rows to score, one a kind; an unparsable one says a word that is no label."""
    return [_row(each, each.predicted if each.predicted is not None else "", count) for each, count in scored.counted()]


def released_rows(items: ItemColumns) -> list[Row]:
    """Everything that was asked, with what was said as it was written; nothing said is a failure there."""
    return [
        _row(each, (each.predicted if each.said is None else each.said) if each.is_scored else None, count)
        for each, count in items.counted()
        if each.status in AS_RELEASED_SCORED and each.answer is not None
    ]


def _row(item: ResultItem, said: str | None, count: int) -> Row:
    assert item.answer is not None, "only items that have a true sign are scored"
    return Row(item.answer, said, item.values(EXAMPLE_SIGNS), count=count)


def _scored(items: ItemColumns) -> tuple[ItemColumns, list[Row]]:
    """Return the scored items that have a true sign, and their rows."""
    found = items.where(_is_scored)
    return found, rows_of(found)


def _is_scored(item: ResultItem) -> bool:
    return item.is_scored and item.answer is not None


# --- what each one measures: (score, what is drawn again; None unless asked for) --------------------------------------


def _macro_f1(items: ItemColumns, again: bool) -> tuple[Estimate, EdgeTally | None]:
    scored, rows = _scored(items)
    found = _named(score_classes(rows, LABELS).macro_f1, rows)
    return found, _confusion(scored, rows, "macro_f1") if again and rows else None


def _per_class(label: str, figure: str, items: ItemColumns, again: bool) -> tuple[Estimate, EdgeTally | None]:
    scored, rows = _scored(items)
    place = LABELS.classes.index(label)
    found: Estimate = getattr(score_classes(rows, LABELS).per_class[place], figure)
    found = _named(replace(found, n=len(scored)), rows)
    return found, _confusion(scored, rows, figure, place) if again and rows else None


def _mismatch_accuracy(which: MismatchKind, items: ItemColumns, again: bool) -> tuple[Estimate, EdgeTally | None]:
    scored, rows = _scored(items)
    found = _named(mismatch(rows, LABELS, which).accuracy, rows)
    inside = scored.taken([number for number, row in enumerate(rows) if is_mismatch(row, which)])
    return found, _confusion(inside, rows_of(inside), "accuracy") if again and len(inside) else None


def _drop(which: MismatchKind, items: ItemColumns, again: bool) -> tuple[Estimate, EdgeTally | None]:
    from core.scoring.tallies import drop_tally

    scored, rows = _scored(items)
    found = _named(mismatch(rows, LABELS, which).drop, rows)
    if not again or not rows:
        return found, None
    drawn, said = scored.drawn(), answered_labels(rows, LABELS)
    right = drawn.of([word == row.answer for row, word in zip(rows, said, strict=True)]) * drawn.counts
    marks = list(zip(right.tolist(), drawn.counts.tolist(), strict=True))
    return found, drop_tally(marks, drawn.of([is_mismatch(row, which) for row in rows]), drawn.clusters)


def _released(figure: str, items: ItemColumns, again: bool) -> tuple[Estimate, EdgeTally | None]:
    # Its rounding and its classes, which are all strings seen, are no function of sums: no interval.
    has_option = any(each.predicted == "unknown" for each in items.kinds)
    found = as_released(released_rows(items), SIGN_OR_UNKNOWN if has_option else SIGN)
    return getattr(found, figure), None


def _ece(items: ItemColumns, again: bool) -> tuple[Estimate, EdgeTally | None]:
    from core.scoring.tallies import ece_tally

    inside = items.where(lambda item: _is_scored(item) and has_probabilities(item))
    every = [each for each in confidences(judged_of(inside), LABELS)[0] if each is not None]
    found = expected_error(every)
    if not again or not len(inside):
        return found, None
    bins, right, confidence = ([getattr(each, name) for each in every] for name in ("bin", "is_right", "confidence"))
    # Each item with probabilities is a kind of its own, so the rows of `drawn` are in the order of the items.
    return found, ece_tally(bins, right, confidence, BINS, inside.drawn().clusters)


def _named(found: Estimate, rows: Sequence[Row]) -> Estimate:
    return found if rows else undefined("no item is scored", 0)


def _confusion(scored: ItemColumns, rows: Sequence[Row], figure: str, place: int = 0) -> EdgeTally:
    """`rows`: of the kinds of the scored items."""
    from core.scoring import tallies

    width = len(LABELS.classes)
    whole = {"accuracy": tallies.accuracies, "macro_f1": tallies.macro_f1s}.get(figure)
    statistic = whole(width) if whole else tallies.of_class(width, place, figure)
    drawn, cells = scored.drawn(), cells_of(rows, answered_labels(rows, LABELS), LABELS)
    return tallies.confusion_tally(drawn.of(cells), width, statistic, drawn.clusters, drawn.counts)


def _is_unknown(item: ResultItem) -> bool:
    return item.predicted == "unknown"


def _mismatches(which: MismatchKind, item: ResultItem) -> bool:
    signs = item.values(EXAMPLE_SIGNS)
    shown = signs[:1] if which is MismatchKind.FIRST else signs
    return any(sign != item.answer for sign in shown)


_TOLD = {
    "precision": "Share of the items predicted {sign} whose true sign is {sign}, among scored items.",
    "recall": "Share of the items whose true sign is {sign} that are predicted {sign}, among scored items.",
    "f1": "Harmonic mean of the precision and the recall of the sign {sign}, among scored items.",
}


def _all() -> Iterable[Metric]:
    yield ACCURACY
    yield Metric(
        name="macro_f1",
        title="Macro-F1",
        told="Unweighted mean of F1 over the four signs; a sign neither true nor predicted anywhere counts as 0.",
        measure=_macro_f1,
    )
    for figure, title in (("precision", "Precision"), ("recall", "Recall"), ("f1", "F1")):
        for label in LABELS.classes:
            told = _TOLD[figure].format(sign=minus(label))
            yield Metric(
                name=f"{figure}:{label}",
                title=f"{title} of the sign {minus(label)}",
                told=told,
                measure=partial(_per_class, label, figure),
            )
    for which, shown in ((MismatchKind.FIRST, "the first example's sign"), (MismatchKind.ANY, "some example's sign")):
        covers = partial(_mismatches, which)
        told = f"Accuracy on items where {shown} differs from the true sign."
        measure = partial(_mismatch_accuracy, which)
        yield Metric(
            name=f"mismatch_{which}",
            title=f"Accuracy on mismatch ({which} example)",
            told=told,
            measure=measure,
            covers=covers,
        )
        told = f"Accuracy on all items minus accuracy on items where {shown} differs from the true sign."
        yield Metric(
            name=f"drop_{which}",
            title=f"Drop on mismatch ({which} example)",
            told=told,
            measure=partial(_drop, which),
            covers=covers,
            unit=POINTS,
        )
        told = f"Share of scored items where {shown} differs from the true sign."
        yield Metric(
            name=f"share_{which}",
            title=f"Share of mismatch ({which} example)",
            told=told,
            measure=partial(measured_share, covers),
        )
    told = "Share of scored items answered with unknown."
    yield Metric(
        name="share_unknown", title="Share of unknown", told=told, measure=partial(measured_share, _is_unknown)
    )
    yield SHARE_UNPARSABLE
    told = (
        "As computed by the released code: every item asked counts, a failed, truncated or refused one as wrong, "
        "and every distinct predicted word counts as a label of its own; rounded to four decimals. No interval."
    )
    for figure, title in (("accuracy", "Accuracy, as released"), ("macro_f1", "Macro-F1, as released")):
        measure = partial(_released, figure)
        yield Metric(name=f"released_{figure}", title=title, told=told, measure=measure, scores=AS_RELEASED_SCORED)
    told = (
        "Expected calibration error: the mean distance between accuracy and confidence over ten right-closed "
        "confidence bins. Confidence is the largest of the four signs' probabilities divided by their sum."
    )
    yield Metric(name="ece", title="Calibration error (ECE)", told=told, measure=_ece, needs_probabilities=True)
    yield ITEMS


METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _all()}
