"""The scores that a table can show. Each says what items it is about, what it is worth, and what is drawn again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from core.estimate import Estimate, ratio, undefined
from core.labels import SIGN, SIGN_OR_UNKNOWN
from core.results.items import AS_RELEASED_SCORED, SCORED, ResultItem, judged_of, released_rows, rows_of
from core.scoring.calibration import BINS, expected_error, surenesses
from core.scoring.classes import Row, cells_of, papers_of, said_by, score_classes
from core.scoring.mismatch import MismatchKind, is_mismatch, mismatch
from core.scoring.released import as_released
from core.words import minus

if TYPE_CHECKING:
    from core.scoring.tallies import Tally

LABELS = SIGN_OR_UNKNOWN
"""Read with this set, `unknown` is an answer of its own and never right; only variants that offer it have it."""

SHARE, POINTS, COUNT = "share", "percentage points", "count"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """`measure` takes the items of a cell to the score and, where it has an interval, to what is drawn again.

    `covers`: the items that the score is about; a cell's numbers count these. `scores`: the statuses whose items are in
    the score. `unit`: SHARE (0–1), POINTS or COUNT. `told`: how it is computed, in a sentence or two.
    """

    name: str
    title: str
    told: str
    measure: Callable[[Sequence[ResultItem], bool], tuple[Estimate, Tally | None]]
    covers: Callable[[ResultItem], bool] = lambda item: True
    scores: frozenset[str] = SCORED
    unit: str = SHARE
    needs_probabilities: bool = False

    def is_in(self, item: ResultItem) -> bool:
        """Whether the item is in the score, and not only beside it."""
        return item.status in self.scores and (not self.needs_probabilities or has_probabilities(item))


def has_probabilities(item: ResultItem) -> bool:
    return any((item.probabilities or {}).values())


# --- what each one measures: (score, what is drawn again; None unless asked for) --------------------------------------


def _accuracy(items: Sequence[ResultItem], again: bool) -> tuple[Estimate, Tally | None]:
    rows = rows_of(items)
    return _named(score_classes(rows, LABELS).accuracy, rows), _confusion(rows, "accuracy") if again and rows else None


def _macro_f1(items: Sequence[ResultItem], again: bool) -> tuple[Estimate, Tally | None]:
    rows = rows_of(items)
    return _named(score_classes(rows, LABELS).macro_f1, rows), _confusion(rows, "macro_f1") if again and rows else None


def _per_class(label: str, figure: str, items: Sequence[ResultItem], again: bool) -> tuple[Estimate, Tally | None]:
    rows = rows_of(items)
    place = LABELS.classes.index(label)
    found: Estimate = getattr(score_classes(rows, LABELS).per_class[place], figure)
    return _named(replace(found, n=len(rows)), rows), _confusion(rows, figure, place) if again and rows else None


def _mismatch_accuracy(which: MismatchKind, items: Sequence[ResultItem], again: bool) -> tuple[Estimate, Tally | None]:
    rows = rows_of(items)
    inside = [row for row in rows if is_mismatch(row, which)]
    found = mismatch(rows, LABELS, which).accuracy
    return _named(found, rows), _confusion(inside, "accuracy") if again and inside else None


def _drop(which: MismatchKind, items: Sequence[ResultItem], again: bool) -> tuple[Estimate, Tally | None]:
    from core.scoring.tallies import drop_tally

    rows = rows_of(items)
    found = _named(mismatch(rows, LABELS, which).drop, rows)
    if not again or not rows:
        return found, None
    said = said_by(rows, LABELS)
    marks = [(word == row.answer, True) for row, word in zip(rows, said, strict=True)]
    return found, drop_tally(marks, [is_mismatch(row, which) for row in rows], papers_of(rows))


def _share(
    is_so: Callable[[ResultItem], bool], items: Sequence[ResultItem], again: bool
) -> tuple[Estimate, Tally | None]:
    from core.scoring.tallies import share_tally

    scored = [each for each in items if each.is_scored]
    marks = [is_so(each) for each in scored]
    found = replace(ratio(sum(marks), len(scored), "no item is scored"), n=len(scored))
    if not again or not scored:
        return found, None
    return found, share_tally(marks, [True] * len(marks), papers_of(rows_of(scored)))


def _released(figure: str, items: Sequence[ResultItem], again: bool) -> tuple[Estimate, Tally | None]:
    # Its rounding and its classes, which are all strings seen, are no function of sums: no interval.
    has_option = any(each.predicted == "unknown" for each in items)
    found = as_released(released_rows(items), SIGN_OR_UNKNOWN if has_option else SIGN)
    return getattr(found, figure), None


def _ece(items: Sequence[ResultItem], again: bool) -> tuple[Estimate, Tally | None]:
    from core.scoring.tallies import ece_tally

    inside = [each for each in items if each.is_scored and has_probabilities(each)]
    every = [each for each in surenesses(judged_of(inside), LABELS)[0] if each is not None]
    found = expected_error(every)
    if not again or not inside:
        return found, None
    bins, right, confidence = ([getattr(each, name) for each in every] for name in ("bin", "is_right", "confidence"))
    return found, ece_tally(bins, right, confidence, BINS, papers_of(rows_of(inside)))


def _count(items: Sequence[ResultItem], again: bool) -> tuple[Estimate, Tally | None]:
    return Estimate(len(items), n=len(items)), None


def _named(found: Estimate, rows: Sequence[Row]) -> Estimate:
    return found if rows else undefined("no item is scored", 0)


def _confusion(rows: Sequence[Row], figure: str, place: int = 0) -> Tally:
    from core.scoring import tallies

    width = len(LABELS.classes)
    whole = {"accuracy": tallies.accuracies, "macro_f1": tallies.macro_f1s}.get(figure)
    statistic = whole(width) if whole else tallies.of_class(width, place, figure)
    return tallies.confusion_tally(cells_of(rows, said_by(rows, LABELS), LABELS), width, statistic, papers_of(rows))


def _is_unknown(item: ResultItem) -> bool:
    return item.predicted == "unknown"


def _is_unparsable(item: ResultItem) -> bool:
    return item.status == "unparsable"


def _mismatches(which: MismatchKind, item: ResultItem) -> bool:
    shown = item.example_signs[:1] if which is MismatchKind.FIRST else item.example_signs
    return any(sign != item.answer for sign in shown)


def _all() -> Iterable[Metric]:
    yield Metric(
        name="accuracy",
        title="Accuracy",
        told="Share of scored items with the true label; an unparsable reply is wrong.",
        measure=_accuracy,
    )
    yield Metric(
        name="macro_f1",
        title="Macro-F1",
        told="Unweighted mean of F1 over the four signs; a sign neither true nor predicted anywhere counts as 0.",
        measure=_macro_f1,
    )
    for figure, title in (("precision", "Precision"), ("recall", "Recall"), ("f1", "F1")):
        for label in LABELS.classes:
            told = f"{title} of the sign {minus(label)} among scored items."
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
            measure=partial(_share, covers),
        )
    told = "Share of scored items answered with unknown."
    yield Metric(name="share_unknown", title="Share of unknown", told=told, measure=partial(_share, _is_unknown))
    told = "Share of scored items whose reply holds no label."
    yield Metric(
        name="share_unparsable", title="Share of unparsable", told=told, measure=partial(_share, _is_unparsable)
    )
    told = (
        "As computed by the released code: every item asked counts, a failed, truncated or refused one as wrong, "
        "and every distinct predicted word is its own class; rounded to four decimals. No interval."
    )
    for figure, title in (("accuracy", "Accuracy, as released"), ("macro_f1", "Macro-F1, as released")):
        measure = partial(_released, figure)
        yield Metric(name=f"released_{figure}", title=title, told=told, measure=measure, scores=AS_RELEASED_SCORED)
    told = (
        "Expected calibration error: the mean distance between accuracy and confidence over ten right-closed "
        "confidence bins. Confidence is the largest of the four signs' probabilities divided by their sum."
    )
    yield Metric(name="ece", title="Calibration error (ECE)", told=told, measure=_ece, needs_probabilities=True)
    told = "Number of items of any status."
    every = frozenset(SCORED | AS_RELEASED_SCORED | {"pending", "excluded"})
    yield Metric(name="count", title="Items", told=told, measure=_count, scores=every, unit=COUNT)


METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _all()}
