"""The frame of runs, read from the study: one row for each item, without those that were cut off and asked again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sqlmodel import Session

from core.analysis.frame import as_array, coded, is_number, packed, spread, unpacked
from core.analysis.items import ASKED_AGAIN, WITHOUT_EDGES
from core.analysis.presets import ProtocolTables
from core.estimate import Estimate
from core.graphs.sample import graph_of
from core.graphs.topology import Topology, topology
from core.runs.answer_counts import FAILURES
from core.runs.codebook import CODE
from core.runs.sample_flags import FLAG
from core.runs.states import NEVER_ASKED, ItemStatus, ModelKind
from protocols.step_values import EMBEDDED
from runs.item_outcomes import protocol_of
from runs.rescoring import first_outcomes
from services.runs.benchmarks import get_services
from services.runs.judge_exposure import is_judges
from store.runs import cells, codes, embeddings, sample_flags
from store.runs import results as stored
from store.runs.asked_again import items_asked_again
from store.runs.embeddings import embedder_of
from store.runs.items import ItemOutcome
from store.runs.runs import run_row
from store.tables.runs import RunRow

if TYPE_CHECKING:
    import pandas as pd

_KINDS = {ModelKind.BASELINE.value: "baseline", ModelKind.HUMAN.value: "person"}
Place = tuple[str, ...]
"""Of an item: its model, and the task, variant and key of its sample, the same in every run that asks the same."""


def frame(session: Session, runs: Sequence[RunRow], *, is_first: bool = False, is_whole: bool = False) -> pd.DataFrame:
    """Return the rows of runs of one protocol, in the order of the runs, their samples and their models.

    What a run cut off is left out where another of these runs asked it again; the items of that one count as the
    first's. `is_first`: items that were asked again count by their first replies. `is_whole`: all columns of
    `core.analysis.frame.COLUMNS` and all facts of samples, not only what tables read."""
    import pandas as pd

    later = later_limits(runs)
    earlier = {row.id: next(base for base in runs if base.id == row.based_on) for row in later.values()}
    parts = list[pd.DataFrame]()
    for row in runs:
        again = _asked_in(session, later[row.id]) if row.id in later else ()
        run = f"run {earlier.get(row.id, row).number}"
        judged_rows = get_services(row.protocol).judged_rows if is_judges(row) else None
        if judged_rows is not None:
            part = judged_rows(session, row, partial(_of_answers, session, is_whole=is_whole)).assign(run=run)
        else:
            part = _of_run(session, row, run, again, is_first=is_first, is_whole=is_whole)
        parts.append(part)
    filled = [part for part in parts if len(part)] or parts[:1]
    return pd.concat(filled, ignore_index=True) if len(filled) > 1 else filled[0].reset_index(drop=True)


def _of_answers(session: Session, run_id: str, *, is_whole: bool) -> pd.DataFrame:
    return _of_run(session, run_row(session, run_id), "", (), is_first=False, is_whole=is_whole)


def names_to_slice_by(session: Session, runs: Sequence[RunRow]) -> tuple[str, ...]:
    """Return the facts and numbers of samples that the tables of runs can be sliced by, as columns of the frame."""
    names = dict[str, None]()
    for row in [each for run in runs for each in list(_judged(session, run)) or [run]]:
        of_cells = cells.labels_of(session, row.id).values()
        names |= dict.fromkeys(f"fact.{name}" for labels in of_cells for name in labels)
        names |= dict.fromkeys(f"fact.{name}" for name in stored.fact_names(session, row.id))
        first = next(iter(stored.truths(session, row.id)), ("", None))[1]
        if isinstance(first, Mapping) and {"nodes", "edges"} <= first.keys():
            names |= dict.fromkeys(f"count.{each.name}" for each in fields(Topology))
        if sample_flags.has_any(session, row.id):
            names[f"fact.{FLAG}"] = None
        if codes.codes_in_tables(session, row.id):
            names[f"fact.{CODE}"] = None
    return tuple(sorted(names, key=lambda name: (name.startswith("count."), name)))


def _judged(session: Session, row: RunRow) -> Iterator[RunRow]:
    """Yield the runs that a run judges, whose samples its rows in the frame are about."""
    judged_runs = get_services(row.protocol).judged_runs if is_judges(row) else None
    for run_id in judged_runs(row) if judged_runs is not None else ():
        yield run_row(session, run_id)


def later_limits(rows: Sequence[RunRow]) -> dict[str, RunRow]:
    """Run → the one among these in which what it cut off was asked again."""
    there = {row.id for row in rows}
    return {
        row.based_on: row
        for row in sorted(rows, key=lambda each: each.number)
        if row.based_on in there and (row.settings.get("redo") or {}).get("truncated")
    }


def _asked_in(session: Session, row: RunRow) -> set[Place]:
    """The places of the items of a run that have an answer."""
    samples = stored.samples(session, row.id, with_facts=False)
    places = {each.place: (each.task, each.variant, each.key) for each in samples}
    ended = (ItemStatus.PENDING.value, ItemStatus.FAILED.value, ItemStatus.EXCLUDED.value)
    result = stored.items(session, row.id)
    return {
        (model, *places[place])
        for place, model, status in zip(result.place, result.model, result.status, strict=True)
        if status not in ended
    }


def _of_run(
    session: Session, row: RunRow, run: str, cut_off: Collection[Place], *, is_first: bool, is_whole: bool
) -> pd.DataFrame:
    """Read a run; groups of tables are determined once a sample, for any number of models."""
    import pandas as pd

    tables = protocol_of(row.protocol).tables
    in_cells = tables.cluster_in_key is not None
    samples = list(stored.samples(session, row.id, with_facts=is_whole or not in_cells))
    items = stored.items(session, row.id, with_answers=not in_cells, with_parts=tables.measures_of is not None)
    again: Mapping[str, ItemOutcome | None] = (
        first_outcomes(session, row) if is_first else dict.fromkeys(items_asked_again(session, row.id))
    )
    if again:
        _count_first(items, again)
    asked = np.searchsorted([each.place for each in samples], items.place)
    about: Mapping[str, Mapping[str, Any]] = row.settings["models"]
    model = np.fromiter(map({name: rank for rank, name in enumerate(about)}.__getitem__, items.model), dtype=np.intp)
    flags: list[str | None] = [ASKED_AGAIN if item in again else None for item in items.item]
    columns: dict[str, Any] = {
        "item": as_array(items.item),
        "run": coded([run], np.zeros_like(asked)),
        "model": coded(list(about), model),
        "kind": coded([_KINDS.get(each["kind"], "model") for each in about.values()], model),
        "open_weight": coded([each.get("is_open_weight") for each in about.values()], model),
        **_of_samples(session, row, tables, samples, asked),
        "repeat": np.array(items.repeat, dtype=np.int32),
        **{name: coded(getattr(items, name)) for name in ("status", "predicted", "right")},
        "score.answer": np.array(items.score, dtype=np.float64),
    }
    if of_answers := codes.codes_in_tables(session, row.id):
        columns[f"fact.{CODE}"] = coded([packed(of_answers.get(item, ())) for item in items.item])
    if not in_cells:
        columns["answer"] = coded(list(map(tables.said_in, items.parsed)))
        columns |= spread("prob.", items.probabilities)
    if tables.measures_of is not None:
        measures = _measures(session, row, tables, [samples[place].id for place in asked.tolist()], items)
        for place, of_item in enumerate(measures):
            if of_item.pop(WITHOUT_EDGES, None):
                flags[place] = packed((*unpacked(flags[place]), WITHOUT_EDGES))
        columns |= spread("score.", measures)
    if is_whole:
        of_samples = _further_of_samples(session, row, tables, samples)
        columns |= {
            name: values[asked] if is_number(name) else coded(values, asked)
            for name, values in of_samples.items()
            if name not in columns
        }
        columns |= _further_of_models(about, model) | _use(session, row, items.item)
        columns["protocol"] = coded([row.protocol], np.zeros_like(asked))
        remarks = stored.flags(session, row.id)
        flags = [
            packed((*unpacked(flag), *remarks.get(item, ()))) for item, flag in zip(items.item, flags, strict=True)
        ]
    result = pd.DataFrame({**columns, "flags": coded(flags)})
    order = np.lexsort((columns["repeat"], model, asked))
    if cut_off:
        at = [(each.task, each.variant, each.key) for each in samples]
        order = order[
            [
                items.status[each] != ItemStatus.TRUNCATED.value or (items.model[each], *at[asked[each]]) not in cut_off
                for each in order
            ]
        ]
    return result.iloc[order]


def _of_samples(
    session: Session,
    row: RunRow,
    tables: ProtocolTables,
    samples: Sequence[stored.AskedSample],
    asked: NDArray[np.intp],
) -> dict[str, pd.Categorical]:
    """Return the columns of items that their samples have alike. `asked`: index of each item's sample."""
    label_sets: list[Mapping[str, Sequence[str]]]
    if tables.cluster_in_key is None:
        label_sets, of_items = [tables.labels_of(each.facts) for each in samples], asked
        clusters = [tables.cluster_of(each.facts) for each in samples]
    else:
        of_cell, place = cells.labels_of(session, row.id), dict[str | None, int]()
        of_items = np.array([place.setdefault(each.cell_id, len(place)) for each in samples], dtype=np.intp)[asked]
        label_sets = [of_cell.get(cell or "", {}) for cell in place]
        clusters = [tables.cluster_in_key(each.key) for each in samples]
    of_samples: dict[str, Sequence[Any]] = {
        "task": [each.task for each in samples],
        "variant": [each.variant for each in samples],
        "true": [each.answer for each in samples],
        "sample": [f"{each.hash}/{each.key}" for each in samples],
        "cluster": clusters,
    }
    flags = sample_flags.flags(session)
    if reasons := {name: packed(flags[name].reasons) for name in of_samples["sample"] if name in flags}:
        of_samples[f"fact.{FLAG}"] = [reasons.get(name) for name in of_samples["sample"]]
    names = dict.fromkeys(name for each in label_sets for name in each)
    return {name: coded(values, asked) for name, values in of_samples.items()} | {
        f"fact.{name}": coded([packed(each.get(name, ())) for each in label_sets], of_items) for name in names
    }


def _count_first(items: stored.Items, again: Mapping[str, ItemOutcome | None]) -> None:
    """Put first outcomes, where they are to count, in the place of items' own."""
    for place, item in enumerate(items.item):
        if (first := again.get(item)) is not None:
            items.status[place], items.predicted[place] = first.status, first.predicted
            items.score[place], items.right[place] = first.score, first.is_right
            items.parsed[place], items.parts[place] = first.parsed, first.parts
            items.probabilities[place] = None if first.probabilities is None else dict(first.probabilities)


def _measures(
    session: Session,
    row: RunRow,
    tables: ProtocolTables,
    samples: Sequence[str],
    items: stored.Items,
) -> list[dict[str, float]]:
    """Return the scores of each item, for answers that can be right in part; a refused, truncated or failed one counts
    as nothing said. `samples`: ID of each item's sample."""
    assert tables.measures_of is not None
    failed: dict[str, Any] = {}
    if tables.parts_of_failure is not None:
        truths = stored.truths(session, row.id, FAILURES)
        failed = {sample: tables.parts_of_failure(truth) for sample, truth in truths}
    return [
        dict(tables.measures_of(failed.get(sample) if status in FAILURES else parts))
        for sample, status, parts in zip(samples, items.status, items.parts, strict=True)
    ]


def _further_of_samples(
    session: Session, row: RunRow, tables: ProtocolTables, samples: Sequence[stored.AskedSample]
) -> dict[str, Any]:
    """Return the pair of each sample, all its facts, and names and topology of its true graph, once for each graph."""
    of_graph: dict[str, dict[str, float]] = {}
    counts = dict[str, dict[str, float]]()
    nodes = dict[str, str | None]()
    for sample, truth in stored.truths(session, row.id):
        if isinstance(truth, Mapping) and {"nodes", "edges"} <= truth.keys():
            key = repr((truth["nodes"], truth["edges"]))
            if key not in of_graph:
                of_graph[key] = _counts(topology(graph_of(truth["nodes"], truth["edges"])))
            counts[sample] = of_graph[key]
            nodes[sample] = packed(list(map(str, truth["nodes"])))
    names = dict.fromkeys(name for each in samples for name in each.facts)
    facts = {f"fact.{name}": [_fact(each.facts.get(name)) for each in samples] for name in names}
    return {
        "pair": [tables.pair_of(each.task, each.key, each.answer, each.facts) for each in samples],
        **{name: values for name, values in facts.items() if any(value is not None for value in values)},
        **({"fact.node_names": [nodes.get(each.id) for each in samples]} if nodes else {}),
        **_vectors(session, row, samples),
        **spread("count.", [counts.get(each.id) for each in samples]),
    }


def _vectors(session: Session, row: RunRow, samples: Sequence[stored.AskedSample]) -> dict[str, list[str | None]]:
    """Return the stored vector of each sample's text that a step of the run embedded, if it has such a step."""
    hashes = [each.facts.get(EMBEDDED) for each in samples]
    if not any(hashes):
        return {}
    about = row.settings["models"][row.settings["wanted"]["embedder"]]
    embedder = embedder_of(about["endpoint"]["base_url"], about["model"])
    known = embeddings.found(session, embedder, list(dict.fromkeys(filter(None, hashes))))
    return {"fact.vector": [known.get(key or "") for key in hashes]}


def _counts(result: Topology) -> dict[str, float]:
    values = {each.name: getattr(result, each.name) for each in fields(result)}
    numbers = {name: value.value if isinstance(value, Estimate) else value for name, value in values.items()}
    return {name: float(number) for name, number in numbers.items() if number is not None}


def _fact(value: Any) -> str | None:
    """A fact that is a text, a number or several of them; None for any other."""
    values = value if isinstance(value, list) else [] if value is None else [value]
    return packed(list(map(str, values))) if all(isinstance(each, str | int | float) for each in values) else None


def _further_of_models(about: Mapping[str, Mapping[str, Any]], model: NDArray[np.intp]) -> dict[str, Any]:
    cards = list(about.values())
    return {
        "family": coded([each.get("family") or None for each in cards], model),
        "knowledge_cutoff": coded([each.get("knowledge_cutoff") for each in cards], model),
        "type": coded([each["kind"] if each["kind"] not in NEVER_ASKED else None for each in cards], model),
        **{
            name: np.array([each.get(name) for each in cards], dtype=np.float64)[model]
            for name in ("parameters_b", "context_length")
        },
    }


def _use(session: Session, row: RunRow, items: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    used = stored.use(session, row.id)
    none = (None,) * len(stored.USE)
    numbers = np.array([used.get(item, none) for item in items], dtype=np.float64).reshape(len(items), len(none))
    return dict(zip(stored.USE, numbers.T, strict=True))
