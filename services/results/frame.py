"""The items of runs as columns that tables are made of, without those that were cut off and asked again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress
from typing import Any

from sqlmodel import Session

from core.analysis.columns import ColumnsBuilder
from core.analysis.items import ResultItem
from core.analysis.presets import REVIEWED, ProtocolTables
from core.runs.answer_counts import FAILURES
from core.runs.states import ItemStatus
from runs.item_outcomes import protocol_of
from runs.rescoring import first_outcomes
from store.runs import cells, reviewed_verdicts
from store.runs import results as stored
from store.runs.asked_again import items_asked_again
from store.runs.items import ItemOutcome
from store.tables.runs import RunRow


@dataclass(frozen=True, slots=True, eq=False)
class _AskedAlike:
    """Properties of samples that tables do not distinguish."""

    task: str
    variant: str
    variant_title: str
    variant_place: int
    answer: str | None
    labels: Mapping[str, tuple[str, ...]]


Place = tuple[str, str, str]
"""Of a sample: its task, variant and key, the same in every run that asks the same."""


def later_limits(rows: Sequence[RunRow]) -> dict[str, RunRow]:
    """Run → the one among these in which what it cut off was asked again."""
    there = {row.id for row in rows}
    return {
        row.based_on: row
        for row in sorted(rows, key=lambda each: each.number)
        if row.based_on in there and (row.settings.get("redo") or {}).get("truncated")
    }


def asked_in(session: Session, row: RunRow) -> set[tuple[str, ...]]:
    """Model and place of every item of a run that has an answer."""
    places = {each.id: (each.task, each.variant, each.key) for each in stored.samples(session, row.id)}
    ended = (ItemStatus.PENDING.value, ItemStatus.FAILED.value, ItemStatus.EXCLUDED.value)
    return {
        (model, *places[sample])
        for sample, model, _item, outcome, *_rest in stored.items(session, row.id)
        if outcome[0] not in ended
    }


def add_items(
    session: Session,
    found: ColumnsBuilder,
    row: RunRow,
    tables: ProtocolTables,
    cut_off: Collection[tuple[str, ...]],
    run: str,
    *,
    is_first: bool = False,
) -> None:
    """Put the items of a run into columns. `cut_off`: model and place of what was cut off and is in another run of the
    table; `run`: what the run is called, where its items replace those of another. `is_first`: items that were
    asked again count by their first replies."""
    again: Mapping[str, ItemOutcome | None] = (
        first_outcomes(session, row) if is_first else dict.fromkeys(items_asked_again(session, row.id))
    )
    if tables.cluster_in_key is None:
        _add(session, found, row, tables, cut_off, run, again)
    else:
        _add_in_cells(session, found, row, tables.cluster_in_key, cut_off, run, again)


def _add(
    session: Session,
    found: ColumnsBuilder,
    row: RunRow,
    tables: ProtocolTables,
    cut_off: Collection[tuple[str, ...]],
    run: str,
    again: Mapping[str, ItemOutcome | None],
) -> None:
    """Put the items of a run into columns. What tables group by is found once a sample, however many models were asked,
    and what an item is once a kind. `again`: those that were asked again, with the outcome that counts in place of
    their own, None for their own."""
    titles = protocol_of(row.protocol).variant_titles
    places = _places(titles)
    alike = dict[Hashable, _AskedAlike]()
    asked: dict[str, tuple[_AskedAlike, str | None]] = {}
    # A pair for each value, not for each sample: the collector of garbage looks at every one.
    of_cluster: dict[Hashable, tuple[_AskedAlike, str | None]] = {}
    place_of: dict[str, Place] = {}
    for sample_id, sample_key, task, variant, answer, facts in stored.samples(session, row.id):
        labels, cluster = tables.labels_of(facts), tables.cluster_of(facts)
        if cut_off:
            place_of[sample_id] = (task, variant, sample_key)
        key = (task, variant, answer, *labels.items())
        kind = alike.get(key) or alike.setdefault(
            key,
            _AskedAlike(task, variant, titles.get(variant, ""), places.get(variant, len(places)), answer, labels),
        )
        pair = kind, cluster
        asked[sample_id] = of_cluster.setdefault(pair, pair)
    measures_of, parts_of_failure = tables.measures_of, tables.parts_of_failure
    failed = dict[str, Any]()
    if parts_of_failure is not None:
        truths = stored.truths(session, row.id, FAILURES)
        failed = {sample_id: parts_of_failure(truth) for sample_id, truth in truths}
    every = stored.items(session, row.id, with_parts=measures_of is not None)
    reviewed = reviewed_verdicts.reviewed(session, row.id) if measures_of is not None else {}
    for sample_id, model, item_id, outcome, parsed, probabilities, parts in every:
        if cut_off and outcome[0] == ItemStatus.TRUNCATED.value and (model, *place_of[sample_id]) in cut_off:
            continue
        if (first := again.get(item_id)) is not None:
            outcome = (first.status, first.predicted, first.score, first.is_right)
            parsed, parts = first.parsed, first.parts
            probabilities = None if first.probabilities is None else dict(first.probabilities)
        said, (sample, cluster) = tables.said_in(parsed), asked[sample_id]
        if item_id in reviewed and first is None:
            parts = {**parts, REVIEWED: reviewed[item_id]}
        if outcome[0] in FAILURES:
            parts = failed.get(sample_id)
        measures = {} if measures_of is None else measures_of(parts)
        is_again = item_id in again
        kind_key = (run, model, sample, outcome, said, is_again, *measures.items()) if probabilities is None else None
        number = found.known(kind_key)
        if number is None:
            status, predicted, score, is_right = outcome
            made = ResultItem(
                run=run,
                model=model,
                task=sample.task,
                variant=sample.variant,
                variant_title=sample.variant_title,
                variant_place=sample.variant_place,
                status=status,
                answer=sample.answer,
                predicted=predicted,
                score=score,
                is_right=is_right,
                labels=sample.labels,
                probabilities=probabilities,
                said=said,
                measures=measures,
                is_asked_again=is_again,
            )
            number = found.new_kind(kind_key, made)
        found.put(number, item_id, sample_id, cluster)


def _places(titles: Mapping[str, str]) -> Mapping[str, int]:
    """Return the index of each variant in the protocol's order; -1 for no variant."""
    return {"": -1} | {name: place for place, name in enumerate(titles)}


def _add_in_cells(
    session: Session,
    found: ColumnsBuilder,
    row: RunRow,
    cluster_in_key: Callable[[str], str],
    cut_off: Collection[tuple[str, ...]],
    run: str,
    again: Mapping[str, ItemOutcome | None],
) -> None:
    """Add items as `_add` does, where the cell has all labels: equal items are identified by their stored columns, and
    one value is created for each kind."""
    titles = protocol_of(row.protocol).variant_titles
    places = _places(titles)
    of_cell = {
        key: {name: tuple(values) for name, values in labels.items()}
        for key, labels in cells.labels_of(session, row.id).items()
    }

    def new_kind(told: tuple[Any, ...]) -> int:
        kind, is_again = stored.CellKind(*told[:MANY_OF_CELL]), len(told) > MANY_OF_CELL
        made = ResultItem(
            run=run,
            model=kind.model,
            task=kind.task,
            variant=kind.variant,
            variant_title=titles.get(kind.variant, ""),
            variant_place=places.get(kind.variant, len(places)),
            status=kind.status,
            answer=kind.answer,
            predicted=kind.predicted,
            score=kind.score,
            is_right=kind.is_right,
            labels=of_cell.get(kind.cell_id or "", {}),
            is_asked_again=is_again,
        )
        return found.new_kind((run, *told), made)

    number_of: dict[tuple[Any, ...], int] = {}
    for some in stored.items_in_cells(session, row.id):
        items = _without(some, cut_off) if cut_off else some
        if again:
            items = items._replace(kinds=list(map(partial(_told_again, again), items.ids, items.kinds)))
        for told in dict.fromkeys(items.kinds):
            if told not in number_of:
                number_of[told] = new_kind(told)
        clusters = {key: cluster_in_key(key) for key in dict.fromkeys(items.keys)}
        found.put_many(
            map(number_of.__getitem__, items.kinds), items.ids, items.samples, map(clusters.__getitem__, items.keys)
        )


MANY_OF_CELL = len(stored.CellKind._fields)
"""Values of a kind; an item that was asked again has one more."""


def _told_again(again: Mapping[str, ItemOutcome | None], item_id: str, told: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the stored columns of an item; of one asked again with a mark, and with the outcome that counts."""
    if item_id not in again:
        return told
    kind, first = stored.CellKind(*told), again[item_id]
    if first is not None:
        kind = kind._replace(status=first.status, predicted=first.predicted, score=first.score, is_right=first.is_right)
    return (*kind, True)


def _without(items: stored.CellItems, cut_off: Collection[tuple[str, ...]]) -> stored.CellItems:
    """The items but for those that were cut off and asked again."""
    kinds = [stored.CellKind(*told) for told in items.kinds]
    stays = [
        kind.status != ItemStatus.TRUNCATED.value or (kind.model, kind.task, kind.variant, key) not in cut_off
        for kind, key in zip(kinds, items.keys, strict=True)
    ]
    ids, samples, keys, told = (list(compress(column, stays)) for column in items)
    return stored.CellItems(ids, samples, keys, told)  # type: ignore[arg-type]
