"""The one table builder: rows x columns of items, a score in each cell, and beside it everything that is not in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from core.estimate import Estimate, undefined
from core.results.columns import ItemColumns
from core.results.groupings import Grouping
from core.results.metrics import COUNT, Metric
from core.results.slices import words_of

if TYPE_CHECKING:
    from core.scoring.interval import Resampling
    from core.scoring.tallies import Tally

Place = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ResultCell:
    """`n_total` items stand here, `n_scored` of them in the score; `statuses`: status → items, adding up to `n_total`.

    `item_ids` are all of them, `beside` those that are not in the score.
    """

    estimate: Estimate
    n_total: int
    n_scored: int
    statuses: Mapping[str, int]
    item_ids: tuple[str, ...]
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultTable:
    """Cells by (row label, column label), one for each pair. `means`: rows that are the mean of others' scores.

    `of`: which tasks and variants it is of, in words; `samples`: how many samples of them it counts.
    """

    title: str
    metric: Metric
    row_title: str
    column_title: str
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    cells: Mapping[Place, ResultCell]
    means: tuple[str, ...] = ()
    of: str = ""
    samples: int = 0


def build_table(
    items: ItemColumns,
    rows: Grouping,
    columns: Grouping,
    metric: Metric,
    how: Resampling | None = None,
    *,
    title: str = "",
    means: Mapping[str, Sequence[str]] | None = None,
) -> ResultTable:
    """One score of every row and column. `how` asks for intervals by bootstrap over papers, drawn as wholes.

    An item stands in every cell that its groups name. An empty cell is undefined, not 0. `means`: extra rows, each the
    plain mean of the scores of some row labels (models of one kind); members without a score are left out of it, and
    the reason says how many. Raises BadInput as the metric's scorer does.
    """
    (table,) = build_tables(items, rows, columns, (metric,), how, means=means)
    return replace(table, title=title or table.title)


def build_tables(
    items: ItemColumns,
    rows: Grouping,
    columns: Grouping,
    metrics: Sequence[Metric],
    how: Resampling | None = None,
    *,
    means: Mapping[str, Sequence[str]] | None = None,
) -> tuple[ResultTable, ...]:
    """As `build_table`, a table for each score: what stands in a cell is found once for all of them."""
    groups: dict[Place, list[int]] = {}
    for number, kind in enumerate(items.kinds):
        for row in rows.of(kind):
            for column in columns.of(kind):
                groups.setdefault((row, column), []).append(number)
    row_labels = tuple(rows.order(list(dict.fromkeys(row for row, _ in groups))))
    column_labels = tuple(columns.order(list(dict.fromkeys(column for _, column in groups))))
    extra = {label: [one for one in members if one in row_labels] for label, members in (means or {}).items()}
    extra = {label: members for label, members in extra.items() if members}
    cells: list[dict[Place, ResultCell]] = [{} for _ in metrics]
    tallies: list[dict[Place, Tally | None]] = [{} for _ in metrics]
    for place in product(row_labels, column_labels):
        group = items.taken(groups.get(place, ())).shared()
        for number, metric in enumerate(metrics):
            cells[number][place], tally = _cell(group, metric, how)
            tallies[number][place] = tally if extra else None
    for those, drawn in zip(cells, tallies, strict=True):
        for (label, members), column in product(extra.items(), column_labels):
            places = [(member, column) for member in members]
            those[label, column] = _mean([those[each] for each in places], [drawn[each] for each in places], how)
    of, samples = _of(items, groups.values()), items.sample_count
    return tuple(
        ResultTable(
            title=metric.title,
            metric=metric,
            row_title=rows.title,
            column_title=columns.title,
            row_labels=(*row_labels, *extra),
            column_labels=column_labels,
            cells=those,
            means=tuple(extra),
            of=of,
            samples=samples,
        )
        for metric, those in zip(metrics, cells, strict=True)
    )


def _of(items: ItemColumns, groups: Iterable[Sequence[int]]) -> str:
    """Name the items of a table. Tasks and variants, and runs, that are in one cell together are named as pooled."""
    is_pooled, runs = False, dict[str, None]()
    for numbers in groups:
        kinds = [items.kinds[number] for number in numbers]
        is_pooled = is_pooled or len({(kind.task, kind.variant) for kind in kinds}) > 1
        if len(together := dict.fromkeys(kind.run for kind in kinds)) > 1:
            runs |= together
    return words_of(items.kinds, is_pooled=is_pooled, pooled_runs=tuple(runs))


def _cell(group: ItemColumns, metric: Metric, how: Resampling | None) -> tuple[ResultCell, Tally | None]:
    covered = group.where(metric.covers)
    beside = covered.where(lambda item: not metric.is_in(item)).ids
    statuses: Counter[str] = Counter()
    for kind, count in covered.counted():
        statuses[kind.status] += count
    if len(group) or metric.unit == COUNT:  # of nothing there are 0
        found, tally = metric.measure(group, how is not None)
    else:
        found, tally = undefined("there are no items", 0), None
    if tally is not None and found.value is not None:
        found = tally.with_interval(found, how)
    ids = covered.ids
    cell = ResultCell(found, len(covered), len(covered) - len(beside), dict(statuses), ids, beside)
    return cell, tally if found.value is not None else None


def _mean(cells: Sequence[ResultCell], tallies: Sequence[Tally | None], how: Resampling | None) -> ResultCell:
    """The plain mean over models, each worth the same however many items it has; papers are drawn for all together."""
    values = [cell.estimate.value for cell in cells if cell.estimate.value is not None]
    scored = sum(cell.n_scored for cell in cells)
    if not values:
        found = undefined("no member has a score", 0)
    else:
        left_out = len(cells) - len(values)
        note = f"mean over {len(values)} of {len(cells)}; the others have no score" if left_out else ""
        found = Estimate(sum(values) / len(values), n=scored, reason=note)
        drawn = [tally for tally in tallies if tally is not None]
        if how is not None and len(drawn) == len(values):
            from core.scoring.tallies import mean_tally

            found = mean_tally(drawn).with_interval(found, how)
    statuses: Counter[str] = Counter()
    for cell in cells:
        statuses.update(cell.statuses)
    ids = tuple(each for cell in cells for each in cell.item_ids)
    beside = tuple(each for cell in cells for each in cell.beside)
    return ResultCell(replace(found), len(ids), scored, dict(statuses), ids, beside)
