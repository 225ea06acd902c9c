"""Planted answers to queries about graphs, from the loopback server to every cell of every table.

What each of three models says is planted by the hash of the message; every figure is worked out a second time from it.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import Any

import pytest
from sqlmodel import select

from benchmarks.running_server import RunningServer, running_server
from core.analysis.slices import Slice
from core.analysis.tables import ResultTable
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.random_dag import random_dag
from core.messages import Text, TextByHash
from core.runs.states import ItemStatus, RunState
from prompts.loader import load
from protocols.causalgraph2llm.benchmark import PROTOCOL
from protocols.protocol import first_messages
from protocols.samples import Sample
from runs.endpoint.request import request_hash
from runs.numbered.derived import DerivedMessages
from runs.run_plan import read_plan
from services.protocols.causalgraph2llm.graphs import as_option
from services.results import results
from services.runs import acts, planning, reading, retry_truncated
from services.runs.settings import RunConfig, SampleSource
from services.study import Study
from store.runs import runs
from store.runs.items import sample_as_stored
from store.tables.runs import RunItemRow, RunSampleRow
from tests.everything import EVERYTHING
from tests.services.run_parts import act, finished, set_up, start

PER_CELL = 6 if EVERYTHING else 1
STEADY, SLOPPY, EAGER = "steady", "sloppy", "eager"
BASELINES = ("always-no", "always-yes", "null", "every-variable", "coin")
TITLES = {
    "source": "Sources",
    "sink": "Sinks",
    "parent": "Parents",
    "child": "Children",
    "mediator": "Mediators",
    "confounder": "Confounders",
    "intervention": "Interventions",
    "intervention-pair": "Interventions on pairs",
}
WORDS = {
    "json": "JSON",
    "single": "Single node",
    "given": "As given",
    "bfs": "Breadth first from sources",
    "graph": "all variables",
    "node": "one variable",
}


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@dataclass(frozen=True)
class Said:
    """What a model says to a query. `effect`: as the server plays it; `worth`: 0 to 1, None where it is in no score;
    `label`: yes, no, empty or listed."""

    effect: Mapping[str, Any]
    status: str
    label: str | None = None
    worth: float | None = None


def say(name: str, sample: Sample, message: str) -> Said:
    """The same to the same message: two orders may tell a small graph alike."""
    drawn = random.Random(f"{name}/{message}")
    draw = drawn.random()
    fault = {
        STEADY: ((0.03, "failed"),),
        SLOPPY: ((0.1, "prose"), (0.15, "cut off"), (0.2, "declined"), (0.25, "copied"), (0.3, "open")),
        EAGER: (),
    }[name]
    how = next((each for share, each in fault if draw < share), "twice" if 0.3 < draw < 0.5 else "once")
    unread = 0.0
    if how == "failed":
        return Said({"fault": "bad_request"}, "failed")
    if how == "prose":
        return Said({"answer": "I would say so."}, "unparsable", None, unread)
    if how == "cut off":
        return Said({"answer": "<Answer>Ye", "finish_reason": "length"}, "truncated")
    if how == "declined":
        return Said({"answer": None, "refusal": "No."}, "refused")
    if sample.truth is None:
        if how == "copied":
            return Said({"answer": "<Answer>Yes/No</Answer>"}, "unparsable", None, unread)
        right = {STEADY: 0.9, SLOPPY: 0.5, EAGER: 0.7}[name]
        other = {"yes": "no", "no": "yes"}[sample.answer or ""]
        label = "yes" if name == EAGER and drawn.random() < 0.5 else sample.answer if drawn.random() < right else other
        assert label is not None
        return Said(
            wrapped(how, drawn.choice((label, label.title(), f"{label}.")), drawn),
            "answered",
            label,
            label == sample.answer,
        )
    names, true = sample.truth["names"], set(sample.truth["answer"])
    said = {
        each for each in names if (each in true) == (drawn.random() < {STEADY: 0.95, SLOPPY: 0.7, EAGER: 0.8}[name])
    }
    said = set() if drawn.random() < 0.3 else said
    wrong = ["no such variable"] if name == SLOPPY and drawn.random() < 0.3 else []
    hits, others = len(true & said), len(true ^ said) + len(wrong)
    worth = 2 * hits / (2 * hits + others) if hits + others else 1.0
    listed = [drawn.choice((each, each.lower(), f'"{each}"')) for each in said] + wrong
    drawn.shuffle(listed)
    text = drawn.choice(("[{}]", "{}")).format(", ".join(listed)) if listed else drawn.choice(("Null", "[]", "None"))
    return Said(wrapped(how, text, drawn), "answered", "listed" if listed else "empty", worth)


def wrapped(how: str, text: str, drawn: random.Random) -> dict[str, Any]:
    if how == "twice":
        return {"answer": f"First <Answer>No, A</Answer>, but no: <Answer>{text}</Answer>"}
    if how == "open":
        return {"answer": f"So <Answer>{text}"}
    return {
        "answer": drawn.choice(
            ("<Answer>{}</Answer>", "<think>Hm. <Answer>x</Answer></think>So <answer> {} </answer>.")
        ).format(text)
    }


@dataclass(frozen=True)
class Record:
    """An item as it was planted, with the parts of its key."""

    model: str
    key: str
    answer: str
    said: Said
    nodes: int
    edges: int

    @cached_property
    def parts(self) -> list[str]:
        return self.key.split("/")

    @cached_property
    def words(self) -> frozenset[str]:
        """What the labels of columns call it."""
        density = f"{self.edges / self.nodes:.2f}"
        kind, encoding, order = TITLES[self.kind], WORDS[self.encoding], WORDS[self.order]
        level = WORDS[self.parts[5]]
        return frozenset({kind, encoding, order, level, self.names, self.graph, str(self.nodes), density, "all"})

    @property
    def graph(self) -> str:
        return self.parts[0]

    @property
    def encoding(self) -> str:
        return self.parts[1]

    @property
    def order(self) -> str:
        return self.parts[2]

    @property
    def names(self) -> str:
        return self.parts[3].partition("-")[0]

    @property
    def kind(self) -> str:
        return self.parts[4]

    @property
    def is_list(self) -> bool:
        return self.parts[5] == "graph"

    @property
    def is_explained(self) -> bool:
        return self.parts[6] == "explained"

    @property
    def query(self) -> tuple[str, ...]:
        return self.graph, str(self.names == "reversed"), *self.parts[4:6], self.parts[7]

    @property
    def is_scored(self) -> bool:
        return self.said.status in ("answered", "unparsable")


def mean(records: Iterable[Record]) -> float | None:
    worth = [record.said.worth for record in records if record.is_scored and record.said.worth is not None]
    return fmean(worth) if worth else None


def scored(records: Iterable[Record], is_list: bool) -> list[Record]:
    return [record for record in records if record.is_scored and record.is_list == is_list]


Figure = Callable[[Sequence[Record]], float | None]


def f1(records: Sequence[Record]) -> float | None:
    return mean(scored(records, True))


def f1_not_empty(records: Sequence[Record]) -> float | None:
    return mean(record for record in scored(records, True) if record.answer == "listed")


def share_null(records: Sequence[Record]) -> float | None:
    lists = scored(records, True)
    return fmean(record.said.label == "empty" for record in lists) if lists else None


def accuracy(records: Sequence[Record]) -> float | None:
    return mean(scored(records, False))


def means_by(records: Sequence[Record], of: Callable[[Record], str], is_list: bool) -> dict[str, float]:
    some = scored(records, is_list)
    found = {name: mean([record for record in some if of(record) == name]) for name in {*map(of, some)}}
    return {name: value for name, value in found.items() if value is not None}


def wrongs(records: Sequence[Record]) -> tuple[int, int]:
    some = scored(records, False)
    return (
        sum(record.answer == "no" and record.said.label == "yes" for record in some),
        sum(record.answer == "yes" and record.said.label == "no" for record in some),
    )


def tau(records: Sequence[Record]) -> float | None:
    fp, fn = wrongs(records)
    return fp / fn if fn else None


def balanced(records: Sequence[Record]) -> float | None:
    yes, no = (mean(r for r in scored(records, False) if r.answer == answer) for answer in ("yes", "no"))
    return None if yes is None or no is None else fmean((yes, no))


def f1_of_yes(records: Sequence[Record]) -> float | None:
    some = scored(records, False)
    right = sum(r.answer == r.said.label == "yes" for r in some)
    either = sum(r.answer == "yes" for r in some) + sum(r.said.label == "yes" for r in some)
    return 2 * right / either if either else None


def ratios(records: Sequence[Record]) -> list[float]:
    cells = {(record.kind, record.encoding) for record in scored(records, False)}
    pairs = [wrongs([r for r in records if (r.kind, r.encoding) == cell]) for cell in cells]
    return [fp / fn for fp, fn in pairs if fn]


def spread(is_list: bool) -> Figure:
    def figure(records: Sequence[Record]) -> float | None:
        means = means_by(records, lambda record: record.encoding, is_list).values()
        return 100 * (max(means) - min(means)) if len(means) > 1 else None

    return figure


def difference(side: Callable[[Record], bool | None], rest: Callable[[Record], Any], is_list: bool) -> Figure:
    def figure(records: Sequence[Record]) -> float | None:
        pairs: dict[Any, dict[bool, float]] = {}
        for record in scored(records, is_list):
            of = side(record)
            if of is not None and record.said.worth is not None:
                pairs.setdefault((record.query, rest(record)), {})[of] = record.said.worth
        both = [pair[True] - pair[False] for pair in pairs.values() if len(pair) == 2]
        return 100 * fmean(both) if both else None

    return figure


def own_or_neutral(record: Record) -> bool | None:
    return {"own": True, "neutral": False}.get(record.names)


def not_by_names(record: Record) -> Any:
    return record.encoding, record.order, record.is_explained


def bfs_or_given(record: Record) -> bool | None:
    return {"bfs": True, "given": False}.get(record.order)


def not_by_order(record: Record) -> Any:
    return record.encoding, record.names, record.is_explained


def not_by_explanation(record: Record) -> Any:
    return record.encoding, record.names, record.order


def is_in(label: str, record: Record) -> bool:
    """Whether an item stands in a column: each part of its label is one of the item's own words."""
    return record.words.issuperset(label.split(" · "))


def check(
    table: ResultTable, records: Mapping[str, Sequence[Record]], figure: Figure, keep: Callable[[Record], bool]
) -> int:
    """Every cell of a table of models against the oracle; returns how many have a value."""
    with_value = 0
    kept = {model: [record for record in some if keep(record)] for model, some in records.items()}
    for row in table.row_labels:
        model, _, graph = row.partition(" · ")
        for column in table.column_labels:
            inside = [record for record in kept[model] if is_in(column, record) and graph in ("", record.graph)]
            cell, where = table.cells[row, column], f"{table.title}: {row} / {column}"
            value = figure(inside)
            assert cell.n_total == sum(cell.statuses.values()), where
            if value is None:
                assert cell.estimate.value is None, where
            else:
                assert cell.estimate.value == pytest.approx(value, abs=1e-9), where
                with_value += 1
    return with_value


# --- the proof ---------------------------------------------------------------------------------------------------


def texts_of(study: Study, samples: Sequence[RunSampleRow]) -> Mapping[str, str]:
    with study.store.reading() as session:
        return runs.texts(session, {sample.slots["graph"] for sample in samples})


def message_of(sample: Sample, graphs: Mapping[str, str]) -> str:
    prompts = {
        name: load(name, placeholders=PROTOCOL.placeholders)
        for name in PROTOCOL.prompt_names(sample.task, sample.variant)
    }
    (said,) = first_messages(PROTOCOL, sample, prompts)
    parts = [
        graphs[p.hash] if isinstance(p, TextByHash) else p.text for p in said.parts if isinstance(p, TextByHash | Text)
    ]
    return "".join(parts)


def baseline_says(name: str, sample: Sample) -> Said:
    """By hand: what a constant answer is worth. The coin is left to the product."""
    if sample.truth is None:
        label = {"always-no": "no", "always-yes": "yes"}.get(name)
        return Said({}, "excluded") if label is None else Said({}, "answered", label, label == sample.answer)
    true, names = len(sample.truth["answer"]), len(sample.truth["names"])
    if name == "null":
        return Said({}, "answered", "empty", float(not true))
    return (
        Said({}, "answered", "listed", 2 * true / (true + names)) if name == "every-variable" else Said({}, "excluded")
    )


def rebuilt(study: Study, run_id: str) -> int:
    """How many requests have the hash with which they were sent, when their texts are made again."""
    with study.store.reading() as session:
        row = runs.run_row(session, run_id)
        plan, derived = read_plan(row), DerivedMessages.of(session, row)
        assert derived is not None
        found = list(session.exec(select(RunItemRow).where(RunItemRow.run_id == run_id)))
        asked = [item for item in found if item.model in (STEADY, SLOPPY, EAGER)]
        said = {key: derived.messages(sample_as_stored(session, key)) for key in {item.sample_id for item in asked}}
        for item in asked:
            request = plan.model(item.model).request(said[item.sample_id], item.repeat)
            assert request_hash(request) == item.request_hash
    return len(asked)


def with_commas(graph: CausalGraph) -> CausalGraph:
    """The same with a name in two that holds a comma."""
    named = {name: f"{name}, gross" if place % 2 else name for place, name in enumerate(graph.nodes)}
    edges = [Edge(named[edge.source], named[edge.sink]) for edge in graph.edges]
    return CausalGraph.of(edges, nodes=list(named.values()))


def test_planted_answers_of_three_models_come_to_every_cell_of_every_table(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    set_up(people.owner, server, [STEADY, SLOPPY, EAGER])
    graphs = [("alpha", with_commas(random_dag(7, 9, seed=1))), ("gamma, 2", random_dag(9, 18, seed=3))]
    graphs += [("beta", random_dag(7, 5, seed=2))] if EVERYTHING else []
    wanted = RunConfig(
        title="Planted",
        protocol="causalgraph2llm",
        source=SampleSource(),
        tasks=tuple(TITLES) if EVERYTHING else ("source", "mediator", "confounder", "intervention-pair"),
        variants=("graph", "node", "graph-unexplained", "node-unexplained"),
        models=(STEADY, SLOPPY, EAGER),
        baselines=BASELINES[:4],
        options={
            "graphs": as_option(graphs),
            "encodings": "json,single",
            "orders": "given,bfs",
            "names": "own,neutral,reversed",
            "names_seed": 7,
            "per_cell": PER_CELL,
        },
    )
    plan = planning.plan(people.researcher, wanted)
    assert plan.faults == ()
    assert plan.samples > (5_000 if EVERYTHING else 300)
    made = planned_samples(study, people, wanted)
    answers: dict[str, dict[str, Any]] = {model: {} for model in (STEADY, SLOPPY, EAGER)}
    records: dict[str, list[Record]] = {}
    for sample, text in made:
        key = sha256(text.encode()).hexdigest()
        for model, planted in answers.items():
            said = say(model, sample, key)
            planted[key] = dict(said.effect)
            records.setdefault(model, []).append(record_of(model, sample, said))
        for name in BASELINES[:4]:
            records.setdefault(name, []).append(record_of(name, sample, baseline_says(name, sample)))
    server.play({"answers": answers})
    run_id = start(people.researcher, wanted)
    progress = finished(study, people.researcher, run_id)
    assert progress.state in (RunState.DONE, RunState.STOPPED, RunState.WAITING)
    statuses = Counter(record.said.status for some in records.values() for record in some)
    assert {status.value: many for status, many in progress.by_status.items() if many} == statuses
    assert rebuilt(study, run_id) == sum(len(records[model]) for model in (STEADY, SLOPPY, EAGER))
    checked = Counter[str]()
    scores = [each for each in results.presets_of(people.researcher, [run_id]) if each.key != "paired"]
    for preset in scores:
        for table in tables_of(people, [run_id], preset.key):
            if preset.key == "counts":
                checked[preset.key] += check_counts(table, records[STEADY])
            else:
                figure, keep = FIGURES[preset.key, table.title]
                checked[preset.key] += check(table, records, figure, keep)
    assert checked.keys() == {preset.key for preset in scores}
    assert min(many for preset, many in checked.items() if preset != "pictures") > 5, checked
    what_was_cut_off_is_asked_again_and_fills_the_tables(people, server, study, run_id, made, records)
    what_could_not_be_read_is_asked_again_in_its_run(people, server, study, run_id, made, records)


def what_was_cut_off_is_asked_again_and_fills_the_tables(
    people: SimpleNamespace,
    server: RunningServer,
    study: Study,
    run_id: str,
    made: Sequence[tuple[Sample, str]],
    records: Mapping[str, Sequence[Record]],
) -> None:
    """The run keeps no messages, so they are made again; now the model says what is true."""
    cut = {
        sha256(text.encode()).hexdigest(): sample
        for (sample, text), record in zip(made, records[SLOPPY], strict=True)
        if record.said.status == "truncated"
    }
    assert {sample.truth is None for sample in cut.values()} == {True, False}
    answers = {key: {"answer": f"<Answer>{true_of(sample)}</Answer>"} for key, sample in cut.items()}
    server.play({"answers": {SLOPPY: answers}})
    again = retry_truncated.ask_longer(people.researcher, run_id, 9_000, **act()).subject_id
    progress = finished(study, people.researcher, again)
    many = sum(record.said.status == "truncated" for record in records[SLOPPY])
    assert {status.value: some for status, some in progress.by_status.items() if some} == {"answered": many}
    line = next(each for each in reading.runs(people.researcher) if each.id == again)
    assert line.samples == many
    later = {
        model: [
            replace(record, said=Said({}, "answered", record.answer, 1.0))
            if record.said.status == "truncated"
            else record
            for record in some
        ]
        for model, some in records.items()
    }
    for preset in ("encodings", "levels", "context"):
        for table in tables_of(people, [run_id, again], preset):
            figure, keep = FIGURES[preset, table.title]
            check(table, later, figure, keep)
            assert not any(cell.statuses.get("truncated") for cell in table.cells.values())


def what_could_not_be_read_is_asked_again_in_its_run(
    people: SimpleNamespace,
    server: RunningServer,
    study: Study,
    run_id: str,
    made: Sequence[tuple[Sample, str]],
    records: Mapping[str, Sequence[Record]],
) -> None:
    """Now the model says what is true; by first replies every cell is what it was."""
    presets = ("encodings", "levels", "context")
    before = {preset: tables_of(people, [run_id], preset) for preset in presets}
    unread = [place for place, record in enumerate(records[SLOPPY]) if record.said.status == "unparsable"]
    told = {sha256(made[place][1].encode()).hexdigest(): made[place][0] for place in unread}
    answers = {key: {"answer": f"<Answer>{true_of(sample)}</Answer>"} for key, sample in told.items()}
    server.play({"answers": {SLOPPY: answers}})
    seen = reading.progress(people.researcher, run_id).version
    acts.retry_unparsable(people.researcher, run_id, seen=seen, **act())
    assert not finished(study, people.researcher, run_id).by_status[ItemStatus.UNPARSABLE]
    card = reading.card(people.researcher, run_id)
    assert {each.name: each.asked_again for each in card.models if each.asked_again} == {SLOPPY: len(unread)}
    later = {name: list(of_model) for name, of_model in records.items()}
    for place in unread:
        record = later[SLOPPY][place]
        later[SLOPPY][place] = replace(record, said=Said({}, "answered", record.answer, 1.0))
    for preset in presets:
        first = results.results(people.researcher, [run_id], preset, Slice(is_first=True), with_interval=False)
        for table, of_first, was in zip(tables_of(people, [run_id], preset), first, before[preset], strict=True):
            figure, keep = FIGURES[preset, table.title]
            check(table, later, figure, keep)
            assert of_first.of == f"{was.of}; {results.FIRST_REPLIES}"
            told_cells = [
                {place: (cell.estimate, cell.statuses, cell.item_ids) for place, cell in each.cells.items()}
                for each in (of_first, was)
            ]
            assert told_cells[0] == told_cells[1]


def true_of(sample: Sample) -> str:
    if sample.truth is None:
        return sample.answer or ""
    return f"[{', '.join(sample.truth['answer'])}]" if sample.truth["answer"] else "Null"


def planned_samples(study: Study, people: SimpleNamespace, wanted: RunConfig) -> list[tuple[Sample, str]]:
    """Every sample that the run will ask, with its whole message."""
    from core.messages import text_hash
    from core.people import Permission
    from protocols.step_values import Inputs
    from services.acting import consulting
    from services.runs.benchmarks import get_services
    from services.runs.run_settings import settings_json
    from services.triplets.trial_files import NO_FILES

    with consulting(people.researcher, Permission.RUN) as r:
        read = get_services(PROTOCOL.name).sources["graphs"].read(r, wanted, NO_FILES)
    inputs, settings = Inputs("", {"graphs": read.values}), settings_json(wanted)
    (step,) = PROTOCOL.steps(settings)
    graphs = {text_hash(text): text for text in PROTOCOL.space(step, inputs, settings).texts}
    return [(each, message_of(each, graphs)) for each in PROTOCOL.samples(step, inputs, settings).samples]


def record_of(model: str, sample: Sample, said: Said) -> Record:
    key = sample.key.replace("gamma%2C%202", "gamma, 2")
    return Record(model, key, sample.answer or "", said, sample.facts["nodes"], sample.facts["edges"])


def tables_of(people: SimpleNamespace, run_ids: Sequence[str], preset: str) -> tuple[ResultTable, ...]:
    """Without intervals: they are drawn, and the values are what is proved here."""
    return results.results(people.researcher, run_ids, preset, Slice(), with_interval=False)


def check_counts(table: ResultTable, records: Sequence[Record]) -> int:
    is_so: dict[str, Callable[[Record], bool]] = {
        "Queries": lambda r: True,
        "Yes": lambda r: r.answer == "yes",
        "Empty": lambda r: r.answer == "empty",
    }
    for row in table.row_labels:
        for column in table.column_labels:
            inside = [r for r in records if TITLES[r.kind] == row and is_in(column, r) and is_so[table.title](r)]
            if any(TITLES[r.kind] == row and is_in(column, r) for r in records):
                assert table.cells[row, column].estimate.value == len(inside), (table.title, row, column)
    return len(table.cells)


def always(_: Record) -> bool:
    return True


def first_list_variant(record: Record) -> bool:
    return record.is_list and record.is_explained


def first_node_variant(record: Record) -> bool:
    return not record.is_list and record.is_explained


def is_question(record: Record) -> bool:
    return first_node_variant(record) and record.kind.startswith("intervention")


def is_end(record: Record) -> bool:
    return first_list_variant(record) and record.kind in ("source", "sink")


def has_context(record: Record) -> bool:
    return record.names != "reversed"


def kinds_mean(records: Sequence[Record]) -> float | None:
    means = means_by(records, lambda record: record.kind, True).values()
    return fmean(means) if means else None


def kinds_sd(records: Sequence[Record]) -> float | None:
    means = means_by(records, lambda record: record.kind, True).values()
    return stdev(means) if len(means) > 1 else None


FIGURES: Mapping[tuple[str, str], tuple[Figure, Callable[[Record], bool]]] = {
    **{
        ("encodings", title): (figure, first_list_variant)
        for title, figure in {
            "F1, all lists": f1,
            "F1, lists that are not empty": f1_not_empty,
            "Share of Null": share_null,
            "F1, mean of kinds": kinds_mean,
            "F1, standard deviation over kinds": kinds_sd,
            "F1, standard deviation over repeats": lambda records: None,
        }.items()
    },
    **{
        ("levels", title): (figure, always)
        for title, figure in {
            "Accuracy, one variable": accuracy,
            "Balanced accuracy": balanced,
            "F1 of yes": f1_of_yes,
            "F1, all lists": f1,
        }.items()
    },
    **{
        (preset, title): (figure, keep)
        for preset, keep in (("bias", first_node_variant), ("interventions", is_question))
        for title, figure in {
            "Accuracy, one variable": accuracy,
            "False yes (FP)": lambda records: wrongs(records)[0] if scored(records, False) else None,
            "False no (FN)": lambda records: wrongs(records)[1] if scored(records, False) else None,
            "τ = FP / FN, pooled": tau,
            "Mean of τ": lambda records: fmean(ratios(records)) if ratios(records) else None,
            "Mean of log τ": lambda records: (
                fmean(math.log(each) for each in ratios(records) if each) if any(ratios(records)) else None
            ),
        }.items()
    },
    ("context", "Own minus neutral, lists"): (difference(own_or_neutral, not_by_names, True), has_context),
    ("context", "Own minus neutral, one variable"): (difference(own_or_neutral, not_by_names, False), has_context),
    ("context", "F1, all lists"): (f1, has_context),
    ("context", "Accuracy, one variable"): (accuracy, has_context),
    ("reversed", "F1, all lists"): (f1, always),
    ("reversed", "Accuracy, one variable"): (accuracy, always),
    ("order", "F1, all lists"): (f1, is_end),
    ("order", "Breadth first from sources minus as given"): (difference(bfs_or_given, not_by_order, True), is_end),
    ("explanations", "Explained minus unexplained, lists"): (
        difference(lambda record: record.is_explained, not_by_explanation, True),
        always,
    ),
    ("explanations", "Explained minus unexplained, one variable"): (
        difference(lambda record: record.is_explained, not_by_explanation, False),
        always,
    ),
    ("pictures", "F1, picture"): (lambda records: None, first_list_variant),
    ("pictures", "F1, best text encoding"): (
        lambda records: max(means_by(records, lambda r: r.encoding, True).values(), default=None),
        first_list_variant,
    ),
    ("pictures", "F1, median of text encodings"): (
        lambda records: fmean(two) if (two := means_by(records, lambda r: r.encoding, True).values()) else None,
        first_list_variant,
    ),
    **{
        (preset, title): (figure, always)
        for preset in ("size", "density")
        for title, figure in {
            "F1, all lists": f1,
            "F1, lists that are not empty": f1_not_empty,
            "Accuracy, one variable": accuracy,
        }.items()
    },
    ("sensitivity", "Spread over encodings, F1 of lists"): (spread(True), always),
    ("sensitivity", "Spread over encodings, accuracy, one variable"): (spread(False), always),
}
