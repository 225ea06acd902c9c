"""Items of runs as columns: a hundred thousand items are described by about a thousand kinds of item."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.frame import numbered, unpacked
from core.analysis.groupings import Grouping
from core.analysis.items import CONTROL, ResultItem
from core.analysis.kinds import Kinds
from core.analysis.slices import Failures
from core.errors import BadInput
from core.labels import LabelSet
from core.runs.answer_counts import FAILURES
from core.runs.states import ItemStatus
from core.scoring.calibration import Confidences, confidences
from core.scoring.interval import Statistic
from core.scoring.tallies import EdgeTally
from core.words import quoted

if TYPE_CHECKING:
    import pandas as pd

Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Origins:
    """All items that were read, by position; stored once for all tables that show some of them.

    Attributes:
        ids: ids of the items
        samples: number of each item's sample
        clusters: number of each item's cluster; an item without one has one of its own
        units: number of what intervals draw with each item; the cluster for most protocols
        strata: label within whose values units are drawn; empty: among all of them
        frame: the rows, by position
        probabilities: option → its probability, NaN where it is not among an item's
    """

    ids: NDArray[np.object_]
    samples: Numbers
    clusters: NDArray[np.intp]
    units: NDArray[np.intp]
    frame: pd.DataFrame
    strata: str = ""
    probabilities: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    _numbers: dict[tuple[str, ...], Numbers] = field(default_factory=dict)

    def numbered(self, *names: str) -> Numbers:
        """A number for each row, equal where these columns are; computed once for all tables."""
        if names not in self._numbers:
            self._numbers[names] = numbered(self.frame[list(names)], names)
        return self._numbers[names]


class ItemColumns:
    """Many items: `kinds` of them, in the order of their first items, and which of these each item is (`numbers`).

    Items of a kind are alike in all that a table counts, so that a table of a hundred thousand items inspects about a
    thousand kinds. Each kind has an item. `positions`: indices of the items among those of `origins`.
    """

    def __init__(self, kinds: Sequence[ResultItem], numbers: Numbers, positions: Numbers, origins: Origins) -> None:
        self.kinds = kinds if isinstance(kinds, Kinds) else Kinds(kinds)
        self.numbers, self._positions, self._origins = numbers, positions, origins
        self._taken: dict[Hashable, ItemColumns] | None = None

    @classmethod
    def of_frame(
        cls,
        frame: pd.DataFrame,
        titles: Mapping[str, str],
        failures: Failures | None = None,
        *,
        unit_of: Callable[[str], str] | None = None,
        strata: str = "",
    ) -> ItemColumns:
        """Build the columns from a frame. `titles`: variant → its title, in the protocol's order; `failures`: None, as
        the frame has scores for them or not; `unit_of` and `strata`: see `ProtocolTables`."""
        import pandas as pd

        frame = frame.assign(**dict.fromkeys(set(_READ) - set(frame.columns)))
        if frame["judge"].notna().any():
            frame = _as_judged(frame)
        facts, scores, shares, counts = (
            [name for name in frame.columns if name.startswith(group)]
            for group in ("fact.", "score.", "prob.", ("count.judged.", "count.reviewed."))
        )
        if failures is Failures.LEFT_OUT and len(frame):
            has_failed = frame["status"].isin(FAILURES)
            frame = frame.assign(**{name: frame[name].where(~has_failed) for name in scores})
        scores += counts
        options = {name[len("prob.") :]: frame[name].to_numpy(dtype=np.float64) for name in sorted(shares)}
        if options and len(frame):
            of_rows = np.nan_to_num(np.column_stack(list(options.values())))
            most = np.where(of_rows.any(axis=1), of_rows.argmax(axis=1), -1)
            frame = frame.assign(most_probable=pd.Categorical.from_codes(most, list(options)))
        numbers = numbered(frame, [*_STORED, "flags", *facts, *scores])
        first = np.unique(numbers, return_index=True)[1]
        kinds = _kinds(frame.iloc[first], facts, scores, {"": "", **titles}, failures)
        samples = numbered(frame, ("run", "task", "variant", "sample"))
        clusters = _numbers_of(frame["cluster"])
        units = clusters if unit_of is None else _numbers_of(frame["cluster"].map(unit_of, na_action="ignore"))
        origins = Origins(
            ids=frame["item"].to_numpy(dtype=object),
            samples=samples,
            clusters=clusters,
            units=units,
            frame=frame,
            strata=strata,
            probabilities=options,
        )
        return cls(kinds, numbers, np.arange(len(frame), dtype=np.int32), origins)

    def __len__(self) -> int:
        return len(self.numbers)

    def shared(self) -> ItemColumns:
        """The same items, which keep what is taken of them and how they are drawn: for several scores of one cell."""
        result = ItemColumns(self.kinds, self.numbers, self._positions, self._origins)
        result._taken = {}
        return result

    def where(self, is_in: Callable[[ResultItem], bool]) -> ItemColumns:
        """The items whose kind is so, in their order."""
        cache = {} if self._taken is None else self._taken
        if is_in not in cache:
            cache[is_in] = self.taken([number for number, kind in enumerate(self.kinds) if is_in(kind)])
        return cache[is_in]

    def having(self, measure: str) -> ItemColumns:
        """The items that have a measure, in their order."""
        return self.taken(np.flatnonzero(~np.isnan(self.kinds.measure(measure))).tolist())

    def selected(self, is_in: NDArray[np.bool_]) -> ItemColumns:
        """The items for which it is true, in their order, without kinds that have none of them."""
        kinds, numbers = np.unique(self.numbers[is_in], return_inverse=True)
        return ItemColumns(
            self.kinds.taken(kinds.astype(np.intp)), numbers.astype(np.int32), self._positions[is_in], self._origins
        )

    def taken(self, kinds: Sequence[int]) -> ItemColumns:
        """The items of these kinds, whose numbers rise, in their order."""
        if len(kinds) == len(self.kinds):
            return self
        if self._taken is None:
            return self._some(kinds)
        key = tuple(kinds)
        if key not in self._taken:
            self._taken[key] = self._some(kinds).shared()
        return self._taken[key]

    def _some(self, kinds: Sequence[int]) -> ItemColumns:
        order, starts = self._by_kind
        numbers = np.asarray(kinds, dtype=np.intp)
        many = np.diff(starts)[numbers]
        before = np.cumsum(many) - many  # items of the kinds before
        result = np.sort(order[np.repeat(starts[numbers] - before, many) + np.arange(many.sum())])
        place = np.zeros(len(self.kinds), dtype=np.int32)
        place[numbers] = np.arange(len(numbers), dtype=np.int32)
        some = self.kinds.taken(numbers)
        return ItemColumns(some, place[self.numbers[result]], self._positions[result], self._origins)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        return tuple(self._origins.ids[self._positions].tolist())

    @property
    def samples(self) -> Numbers:
        """The number of each item's sample."""
        return self._origins.samples[self._positions]

    @property
    def questions(self) -> Numbers:
        """A number for each item, equal for those that were asked the same, in whichever run."""
        return self._origins.numbered("task", "variant", "sample")[self._positions]

    @property
    def question_count(self) -> int:
        """Questions that were asked, in whichever run, without those of judges' controls."""
        is_answer = np.array([kind.kind != CONTROL for kind in self.kinds], dtype=bool)[self.numbers]
        return len(np.unique(self.questions[is_answer]))

    @property
    def pairs(self) -> Numbers:
        """The same, and equal for the variants of a question; where the frame has no `pair`, for no two of them."""
        has_pairs = "pair" in self._origins.frame.columns
        return self._origins.numbered("task", "pair")[self._positions] if has_pairs else self.questions

    @property
    def repeats(self) -> Numbers:
        """The repeat of each item, 0 for the first."""
        if "repeat" not in self._origins.frame.columns:
            return np.zeros(len(self), dtype=np.int32)
        return np.asarray(self._origins.frame["repeat"], dtype=np.int32)[self._positions]

    @property
    def frame(self) -> pd.DataFrame:
        """The rows of the items, with every column that was read. A failed answer that is left out has no score."""
        return self._origins.frame.iloc[self._positions]

    def labels(self, grouping: Grouping) -> pd.Categorical:
        """The first label of each item."""
        import pandas as pd

        return pd.Categorical([grouping.of(kind)[0] for kind in self.kinds]).take(self.numbers)

    @property
    def sample_count(self) -> int:
        return int(np.count_nonzero(np.bincount(self.samples)))

    @property
    def counts(self) -> list[int]:
        """Items of each kind."""
        result: list[int] = np.bincount(self.numbers, minlength=len(self.kinds)).tolist()
        return result

    @property
    def asked_again(self) -> dict[str, int]:
        """Model → how many of its items were asked again after a reply that could not be read."""
        result: dict[str, int] = {}
        for kind, count in self.counted():
            if kind.is_asked_again:
                result[kind.model] = result.get(kind.model, 0) + count
        return result

    def counted(self) -> Iterator[tuple[ResultItem, int]]:
        """Every kind with how many items it has."""
        return zip(self.kinds, self.counts, strict=True)

    @cached_property
    def drawn(self) -> DrawnItems:
        """The items as they are drawn again for an interval."""
        clusters = self._origins.clusters[self._positions]
        pairs = clusters * max(1, len(self.kinds)) + self.numbers
        _, first, counts = np.unique(pairs, return_index=True, return_counts=True)
        order = np.argsort(first)
        first, counts = first[order], counts[order]
        strata, kinds = None, self.numbers[first]
        if self._origins.strata:  # the hash of a value only tells whether two are the same
            strata = np.array([hash(kind.values(self._origins.strata)) for kind in self.kinds], dtype=np.int64)[kinds]
        return DrawnItems(kinds, counts, clusters[first], self.units[first], strata)

    @property
    def units(self) -> NDArray[np.intp]:
        """The number of what intervals draw with each item."""
        return self._origins.units[self._positions]

    def tally(self, columns: NDArray[np.float64], statistic: Statistic) -> EdgeTally:
        """The tally of which an interval draws units. `columns`: a row for each kind of item."""
        drawn = self.drawn
        return EdgeTally(columns[drawn.kinds] * drawn.counts[:, None], statistic, drawn.units, drawn.strata)

    def confidences(self, labels: LabelSet) -> Confidences:
        """The confidences of items that have probabilities and a true label. Raises BadInput for an option that is no
        label."""
        shares = np.full((len(self), len(labels.classes)), np.nan)
        for option, values in self._origins.probabilities.items():
            label = labels.parse(option)
            if label not in labels.classes:
                raise BadInput(f"{quoted(option)} is not an option; choose from {', '.join(labels.classes)}.")
            column = shares[:, labels.classes.index(label)]
            more = values[self._positions]
            column[:] = np.where(np.isnan(more), column, np.nan_to_num(column) + more)
        answers = np.array([kind.answer for kind in self.kinds], dtype=object)[self.numbers]
        return confidences(answers.tolist(), shares, labels)

    @cached_property
    def _by_kind(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The items in the order of their kinds, and where each kind begins; at the end, how many there are."""
        return np.argsort(self.numbers, kind="stable"), np.cumsum([0, *self.counts])


@dataclass(frozen=True, slots=True)
class DrawnItems:
    """Items as an interval draws them: a row for each kind within each cluster, in the order of the first items.

    Attributes:
        kinds: number of each row's kind
        counts: number of items of this kind in the cluster
        clusters: number of the cluster
        units: number of what is drawn
        strata: number of the stratum that it is drawn in; None: there are none
    """

    kinds: Numbers
    counts: NDArray[np.int64]
    clusters: NDArray[np.intp]
    units: NDArray[np.intp]
    strata: NDArray[np.int64] | None

    def of(self, values: Sequence[float]) -> NDArray[Any]:
        """Return the value of each row's kind. `values`: by kind."""
        return np.asarray(values)[self.kinds]


def _numbers_of(column: pd.Series[Any]) -> NDArray[np.intp]:
    """Number the values of a column; a row without one has a number of its own."""
    import pandas as pd

    numbers, _ = pd.factorize(column)
    return np.where(numbers < 0, len(column) + np.arange(len(column)), numbers)


_STORED = (
    *("run", "model", "judge", "kind", "task", "variant", "status"),
    *("true", "predicted", "right", "answer", "most_probable"),
)
_READ = (*_STORED, "flags", "cluster", "sample", "judge_status", "judged_variant")


_BEFORE_JUDGE: Mapping[str, ItemStatus] = {
    "judged": ItemStatus.ANSWERED,
    "empty": ItemStatus.ANSWERED,
    "unreadable": ItemStatus.INCOMPLETE,
    "open": ItemStatus.PENDING,
}


def _as_judged(frame: pd.DataFrame) -> pd.DataFrame:
    """Put what a judge's tables are about in place of the answers' own: their status before the judge, and the variant
    in which they were asked for."""
    statuses = frame["judge_status"].astype(object)
    return frame.assign(
        status=statuses.map(lambda name: _BEFORE_JUDGE.get(name, name)).fillna(frame["status"].astype(object)),
        variant=frame["judged_variant"].astype(object).fillna(frame["variant"].astype(object)),
    )


def _kinds(
    frame: pd.DataFrame,
    facts: Sequence[str],
    scores: Sequence[str],
    titles: Mapping[str, str],
    failures: Failures | None,
) -> list[ResultItem]:
    """An item for each row, without its id, sample and cluster."""
    places = {variant: (titles[variant], place) for place, variant in enumerate(titles, -1)}
    unknown = "", len(titles) - 1
    labels = list[dict[str, tuple[str, ...]]]()
    which = numbered(frame, facts)
    for row in frame[facts].iloc[np.unique(which, return_index=True)[1]].itertuples(index=False, name=None):
        labels.append({name[len("fact.") :]: unpacked(cell) for name, cell in zip(facts, row, strict=True)})
    result = []
    for stored, flags, label, score, measures in zip(
        zip(*(_or_none(frame[column]) for column in _STORED), strict=True),
        frame["flags"].tolist(),
        which.tolist(),
        frame["score.answer"].tolist() if "score.answer" in scores else [None] * len(frame),
        _known(frame, [name for name in scores if name != "score.answer"]),
        strict=True,
    ):
        run, model, judge, kind, task, variant, status, answer, predicted, is_right, said, most_probable = stored
        title, place = places.get(variant or "", unknown)
        result.append(
            ResultItem(
                run=run or "",
                model=model,
                judge=judge or "",
                kind=kind or "",
                task=task or "",
                variant=variant or "",
                status=status,
                answer=answer,
                predicted=predicted,
                is_right=is_right,
                said=said,
                score=score if score == score else None,
                labels=labels[label],
                most_probable=most_probable or "",
                measures=measures,
                flags=unpacked(flags),
                variant_title=title,
                variant_place=place,
                counts_as_zero=failures is Failures.ZERO and status in FAILURES,
            )
        )
    return result


def _or_none(column: pd.Series[Any]) -> list[Any]:
    values: list[Any] = column.astype(object).where(column.notna(), None).tolist()
    return values


def _known(frame: pd.DataFrame, columns: Sequence[str]) -> Iterator[dict[str, float]]:
    """Yield the numbers of each row that are there, by the names of their columns without the group's."""
    names = [name.partition(".")[2] for name in columns]
    if not names:
        yield from repeat({}, len(frame))
        return
    for row in zip(*(frame[column].tolist() for column in columns), strict=True):
        yield {name: value for name, value in zip(names, row, strict=True) if value == value}
