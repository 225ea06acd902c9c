"""EconCausal's tasks from the published files to the tables, on both databases and without a key: baselines, and three
scripted models over the loopback server. Every figure is worked out a second time from the files and what was planted.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, confusion_matrix, f1_score, precision_score, recall_score
from sqlmodel import select

from benchmarks.running_server import RunningServer, running_server
from core.analysis.tables import ResultTable
from core.people import Viewer
from core.runs.filters import FailureFilters, OutcomeFilter, Side
from core.runs.states import ItemStatus, RunState
from services.failures import failures
from services.results import results
from services.runs import model_cards, planning, reading
from services.runs.model_cards import ModelCardDraft
from services.runs.settings import RunConfig, SampleSource
from services.study import Study
from store.runs import runs
from store.tables import TripletRow
from store.triplets import triplets
from tests.everything import EVERYTHING
from tests.services.run_parts import FILES, Row, act, bring_files, finished, rows_of, set_up, start

SIGNS = ("+", "-", "None", "mixed")
MOST = 240 if EVERYTHING else 16  # samples of each task; of Task 2 there are 199
BASELINES = ("always-plus", "majority", "copy-examples", "first-not-shown")
STEADY, SLOPPY, CONTRARY = "planted:steady", "planted:sloppy", "planted:contrary"
TASK_OF = {"task1_econ": "task1", "task1_finance": "task1", "task2": "task2", "task3": "task3"}


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


# --- the oracle: what each model was made to say of each row, and what follows ---------------------------------------


@dataclass(frozen=True)
class Said:
    """What one model says of one row. `effect`: as the server plays it; `status` and `label`: what that is."""

    effect: Mapping[str, Any]
    status: str
    label: str | None
    chances: Mapping[str, float] | None = None


ALIASES = {"+": "positive", "-": "−", "None": "no effect", "mixed": " Mixed "}


def steady(row: Row, lot: random.Random) -> Said:
    """Right in about two thirds; with log-probabilities, and too sure of itself."""
    label = row["answer"] if lot.random() < 0.66 else lot.choice(SIGNS)
    own = round(0.5 + 0.45 * lot.random(), 3)
    weights = [lot.random() + 0.05 for _ in range(3)]
    others = [round((0.999 - own) * each / sum(weights), 4) for each in weights]
    chances = dict(zip([label, *(sign for sign in SIGNS if sign != label)], [own, *others], strict=True))
    return Said({"sign": label, "chances": chances}, "answered", label, chances)


def sloppy(row: Row, lot: random.Random) -> Said:
    """Other spellings, prose and fences; sometimes no label, cut off, or a refusal."""
    label, draw = lot.choice(SIGNS), lot.random()
    answer = json.dumps({"predicted_sign": ALIASES[label], "reasoning": "Because."}, ensure_ascii=False)
    if draw < 0.08:
        return Said({"answer": '{"predicted_sign": "rather up", "reasoning": "It rises."}'}, "unparsable", None)
    if draw < 0.12:
        return Said({"answer": "Economists disagree about this."}, "unparsable", None)
    if draw < 0.17:
        return Said({"answer": answer[:20], "finish_reason": "length"}, "truncated", None)
    if draw < 0.21:
        return Said({"answer": None, "refusal": "I would rather not say."}, "refused", None)
    if draw < 0.5:
        return Said({"answer": f"Let me think.\n```json\n{answer}\n```\nDone."}, "answered", label)
    return Said({"answer": answer}, "answered", label)


def contrary(row: Row, lot: random.Random) -> Said:
    """Never the true sign."""
    label = lot.choice([sign for sign in SIGNS if sign != row["answer"]])
    return Said({"sign": label}, "answered", label)


MODELS: Mapping[str, Callable[[Row, random.Random], Said]] = {STEADY: steady, SLOPPY: sloppy, CONTRARY: contrary}


@dataclass(frozen=True)
class Planted:
    """A row that was asked, with what everybody says of it; all of it known before the product looks at any answer."""

    task: str
    row: Row
    said: Mapping[str, Said]

    @property
    def answer(self) -> str:
        return str(self.row["answer"])

    @property
    def examples(self) -> list[str]:
        cell = self.row.get("example_details")
        return [each["sign"] for each in json.loads(cell)] if cell else []

    @property
    def domain(self) -> str:
        return "finance" if "financ" in self.row["published_venue"].lower() else "economics"

    @property
    def jel(self) -> set[str]:
        cell = self.row["jel_codes"]
        codes = [code.strip() for code in cell.split(",") if code.strip()] if isinstance(cell, str) else []  # NaN
        return {code[0].upper() if code[0].isalpha() else "numeric" for code in codes} or {"missing"}


def planted_in(study: Study, run_id: str, files: Mapping[str, list[Row]]) -> dict[str, Planted]:
    """Sample → its row and what everybody says of it. Rows are found by file and place; nothing else of what the
    product made of them is used."""
    columns: Any = (TripletRow.id, TripletRow.collection, TripletRow.place)
    with study.store.reading() as session:
        titles = {key: about["title"] for key, about, _version in triplets.collections(session)}
        places = {row[0]: (titles[row[1]], row[2]) for row in session.execute(select(*columns))}
        samples = [(each.id, each.task, places[each.subject_id or ""]) for each in runs.samples(session, run_id)]
    found = {}
    for sample_id, task, (name, place) in samples:
        row = files[name][place - 1]
        assert TASK_OF[name] == task
        said = {model: make(row, random.Random(f"{model}/{name}/{place}")) for model, make in MODELS.items()}
        found[sample_id] = Planted(task, row, said)
    return found


def script_of(study: Study, run_id: str, planted: Mapping[str, Planted]) -> dict[str, Any]:
    """The server's script: what each model says to each question, by the hash of its user message."""
    answers: dict[str, dict[str, Any]] = {model: {} for model in MODELS}
    with study.store.reading() as session:
        for sample in runs.samples(session, run_id):
            (user,) = [text for role, text in sample.messages if role == "user"]
            for model, said in planted[sample.id].said.items():
                answers[model][user] = dict(said.effect)
    return {"answers": answers}


@dataclass(frozen=True)
class Item:
    """What the oracle knows of one item."""

    planted: Planted
    status: str
    label: str | None

    @property
    def is_scored(self) -> bool:
        return self.status in ("answered", "unparsable")

    @property
    def word(self) -> str:
        return self.label or "unparsable"


def first_of_most(signs: Sequence[str]) -> str | None:
    counts = Counter(signs)
    return max(SIGNS, key=lambda sign: counts[sign]) if signs else None


def items_of(planted: Mapping[str, Planted]) -> dict[str, list[Item]]:
    """Model or baseline → its items."""
    every = list(planted.values())
    majority = {
        task: first_of_most([each.answer for each in every if each.task == task]) for task in set(TASK_OF.values())
    }

    def baseline(name: str, one: Planted) -> str | None:
        if name == "copy-examples":
            return first_of_most(one.examples)
        if name == "first-not-shown":
            return next((sign for sign in SIGNS if one.examples and sign not in one.examples), None)
        return "+" if name == "always-plus" else majority[one.task]

    found = {model: [Item(each, each.said[model].status, each.said[model].label) for each in every] for model in MODELS}
    for name in BASELINES:
        said = [(each, baseline(name, each)) for each in every]
        found[name] = [Item(each, "answered" if label else "excluded", label) for each, label in said]
    return found


# --- one run of everything -----------------------------------------------------------------------------------------


Measure = Callable[[list[Item]], float | None]
Wanted = Callable[[str, str, Item], bool]


def set_card(owner: Viewer, name: str, **card: Any) -> None:
    model_cards.save_card(owner, ModelCardDraft(name=name, endpoint="lab", model=name, **card), seen=0, **act())


def accuracy(items: list[Item]) -> float | None:
    return float(accuracy_score([i.planted.answer for i in items], [i.word for i in items])) if items else None


def macro_f1(items: list[Item]) -> float | None:
    if not items:
        return None
    answers, words = [i.planted.answer for i in items], [i.word for i in items]
    return float(f1_score(answers, words, labels=list(SIGNS), average="macro", zero_division=0))


def of_class(figure: Callable[..., Any], sign: str) -> Measure:
    def measure(items: list[Item]) -> float | None:
        answers, words = [i.planted.answer for i in items], [i.word for i in items]
        is_undefined = {
            precision_score: sign not in words,
            recall_score: sign not in answers,
            f1_score: sign not in words and sign not in answers,
        }[figure]
        return None if is_undefined else float(figure(answers, words, labels=[sign], average=None, zero_division=0)[0])

    return measure


def mismatches(item: Item, which: str) -> bool:
    shown = item.planted.examples[:1] if which == "first" else item.planted.examples
    return any(sign != item.planted.answer for sign in shown)


def on_mismatch(which: str, figure: str) -> Measure:
    def measure(items: list[Item]) -> float | None:
        inside = [item for item in items if mismatches(item, which)]
        if not items or (figure != "share" and not inside):
            return None
        if figure == "share":
            return len(inside) / len(items)
        on, overall = accuracy(inside), accuracy(items)
        assert on is not None and overall is not None
        return on if figure == "mismatch" else 100 * (overall - on)

    return measure


def calibration_error(items: list[Item]) -> float | None:
    """Ten bins closed on the right; confidence is the largest of the planted chances by their sum."""
    chances = [planted for item in items if (planted := item.planted.said[STEADY].chances) is not None]
    surest = [max(each.items(), key=lambda chance: chance[1]) for each in chances]
    totals = [sum(each.values()) for each in chances]
    confidence = np.array([chance / total for (_label, chance), total in zip(surest, totals, strict=True)])
    right = np.array([label == item.planted.answer for (label, _), item in zip(surest, items, strict=True)], float)
    if not items:
        return None
    bins = np.ceil(confidence * 10) - 1
    gaps = [(bins == n).sum() * abs(right[bins == n].mean() - confidence[bins == n].mean()) for n in set(bins)]
    return float(sum(gaps) / len(items))


# --- which items stand in a cell, from its labels alone ------------------------------------------------------------


def in_task(label: str, item: Item) -> bool:
    task, _, domain = label.partition(", ")
    return f"Task {item.planted.task[4:]}" == task and domain in ("", item.planted.domain)


def in_task_and(of: Callable[[Item, str], bool]) -> Callable[[str, Item], bool]:
    def is_in(label: str, item: Item) -> bool:
        task, _, rest = label.partition(" · ")
        return in_task(task, item) and of(item, rest)

    return is_in


def has_domain(item: Item, label: str) -> bool:
    return label in ("all", item.planted.domain)


def has_sign(item: Item, label: str) -> bool:
    return item.planted.answer == label


def has_jel(label: str, item: Item) -> bool:
    """Tables by code and by year are of Task 1 only, as the paper's analyses are."""
    return item.planted.task == "task1" and label in item.planted.jel


def is_of_year(label: str, item: Item) -> bool:
    return item.planted.task == "task1" and label == str(item.planted.row["publication_year"])


def check(
    table: ResultTable,
    items: Mapping[str, list[Item]],
    is_in: Callable[[str, Item], bool],
    measure: Measure,
    *,
    models_in: str = "rows",
    covers: Callable[[Item], bool] = lambda item: True,
) -> int:
    """Every cell of a table against the oracle: value, how many items, of which status; returns how many cells."""
    cells = 0
    for row in table.row_labels:
        if row in table.means:
            continue
        for column in table.column_labels:
            model, label = (row, column) if models_in == "rows" else (column, row)
            expected = [item for item in items[model] if is_in(label, item)]
            cell = table.cells[row, column]
            where = f"{table.title}: {row} / {column}"
            value = measure([item for item in expected if item.is_scored])
            covered = [item for item in expected if covers(item)]
            assert (cell.n_total, dict(cell.statuses)) == (len(covered), Counter(i.status for i in covered)), where
            assert cell.n_scored == sum(item.is_scored for item in covered), where
            assert cell.n_total == sum(cell.statuses.values()) == len(cell.item_ids), where
            if value is None:
                assert cell.estimate.value is None, where
            else:
                assert cell.estimate.value == pytest.approx(value, abs=1e-9), where
            cells += 1
    return cells


# --- the proof -----------------------------------------------------------------------------------------------------


def test_three_models_and_four_baselines_from_the_files_to_every_cell_of_every_table(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    viewer = people.researcher
    files = {name: rows_of(name) for name in FILES}
    collections = bring_files(viewer)
    set_up(people.owner, server, [STEADY, SLOPPY], is_open_weight=True, price_input=1.0, price_output=2.0)
    set_card(people.owner, CONTRARY, is_open_weight=False)
    run_id = start(
        viewer,
        RunConfig(
            title="Planted",
            source=SampleSource(collections),
            tasks=("task1", "task2", "task3"),
            variants=("context",),
            models=tuple(MODELS),
            baselines=BASELINES,
            most_samples=MOST,
            parameters={"logprobs": True, "top_logprobs": 5},
        ),
    )
    planted = planted_in(study, run_id, files)
    server.forget()
    server.play(script_of(study, run_id, planted))
    now = finished(study, viewer, run_id)
    assert now.state is RunState.DONE and now.total == len(planted) * 7 == (MOST + min(199, MOST) + MOST) * 7
    assert server.log()["requests"] == now.requests == len(planted) * 3

    items = items_of(planted)
    expected = Counter(item.status for some in items.values() for item in some)
    assert {status.value: n for status, n in now.by_status.items() if n} == expected
    print(dict(expected))

    def tables(preset: str) -> list[ResultTable]:
        return list(results.results(viewer, [run_id], preset, with_interval=False))

    cells = check_presets(tables, items)
    print(f"{cells:,} cells equal the oracle's")
    assert cells > (1_000 if EVERYTHING else 500)
    check_groups(tables("main")[0], items)
    check_failures(viewer, run_id, items)


def check_presets(tables: Callable[[str], list[ResultTable]], items: Mapping[str, list[Item]]) -> int:
    cells = 0
    main = {table.metric.name: table for table in tables("main")}
    assert main["accuracy"].row_labels[:7] == (*MODELS, *BASELINES)
    cells += check(main["accuracy"], items, in_task, accuracy) + check(main["macro_f1"], items, in_task, macro_f1)
    cells += check(tables("sign")[0], items, in_task_and(has_sign), accuracy)
    for table in tables("classes"):
        figure, _, sign = table.metric.name.partition(":")
        wanted = {"precision": precision_score, "recall": recall_score, "f1": f1_score}[figure]
        cells += check(table, items, in_task, of_class(wanted, sign))
    cells += check(tables("jel")[0], items, has_jel, accuracy, models_in="columns")
    cells += check(tables("year")[0], items, is_of_year, accuracy, models_in="columns")
    cells += check(tables("domain")[0], items, in_task_and(has_domain), accuracy)
    for table in tables("mismatch"):
        figure, _, which = table.metric.name.rpartition("_")
        covers = partial(mismatches, which=which) if figure != "share" else lambda item: True
        cells += check(table, items, in_task, on_mismatch(which, figure), covers=covers)
    cells += check_calibration(tables("calibration"), items)
    return cells + check_confusions(tables("confusion"), items)


def check_calibration(tables: list[ResultTable], items: Mapping[str, list[Item]]) -> int:
    """Only one model has planted chances of all four signs; baselines have none, and say so."""
    by_domain, by_sign = tables[:2]
    for table, is_in in ((by_domain, has_domain), (by_sign, has_sign)):
        for column in table.column_labels:
            expected = [item for item in items[STEADY] if item.planted.task == "task1" and is_in(item, column)]
            value = calibration_error(expected)
            cell = table.cells[STEADY, column]
            assert cell.n_scored == len(expected)
            assert cell.estimate.value == (None if value is None else pytest.approx(value, abs=1e-6)), column
            assert table.cells["always-plus", column].estimate.value is None
    return len(by_domain.column_labels) + len(by_sign.column_labels)


def check_confusions(tables: list[ResultTable], items: Mapping[str, list[Item]]) -> int:
    for table in tables:
        model, _, task = table.title.rpartition(", ")
        expected = [item for item in items[model] if in_task(task, item)]
        scored = [item for item in expected if item.is_scored]
        labels = [*SIGNS, "unparsable"]
        matrix = (
            confusion_matrix([i.planted.answer for i in scored], [i.word for i in scored], labels=labels)
            if scored
            else None
        )
        for row, sign in enumerate(SIGNS):
            for column, word in enumerate(labels):
                if (sign, word) in table.cells:
                    found = table.cells[sign, word].n_total
                    assert found == (0 if matrix is None else matrix[row, column]), (table.title, sign, word)
            in_row = [table.cells[sign, column].n_total for column in table.column_labels]
            assert sum(in_row) == sum(item.planted.answer == sign for item in expected), (table.title, sign)
    return sum(len(table.cells) for table in tables)


def check_groups(table: ResultTable, items: Mapping[str, list[Item]]) -> None:
    """The mean over open models is the plain mean of their accuracies; the one proprietary model is its own mean."""
    for column in table.column_labels:
        ones = [accuracy([i for i in items[model] if in_task(column, i) and i.is_scored]) for model in (STEADY, SLOPPY)]
        steady_one, sloppy_one = ones
        assert steady_one is not None
        assert sloppy_one is not None
        assert table.cells["Mean of 2 open models", column].estimate.value == pytest.approx(
            (steady_one + sloppy_one) / 2
        )
        own = table.cells[CONTRARY, column].estimate.value
        assert table.cells["Mean of 1 proprietary model", column].estimate.value == pytest.approx(own) == 0.0


def check_failures(viewer: Viewer, run_id: str, items: Mapping[str, list[Item]]) -> None:
    """Lists and comparisons count what the oracle counts."""
    wrong = FailureFilters(models=(SLOPPY,), only=OutcomeFilter.WRONG, tasks=("task1",), labels=(("jel", ("J",)),))
    expected = [
        i
        for i in items[SLOPPY]
        if i.is_scored and i.word != i.planted.answer and "J" in i.planted.jel and i.planted.task == "task1"
    ]
    assert failures.failures(viewer, wrong).total == len(expected) > 0
    found = failures.compare(viewer, Side(run_id, STEADY), Side(run_id, SLOPPY))
    cells: Counter[tuple[bool, bool]] = Counter(
        (one.word == one.planted.answer, other.word == other.planted.answer)
        for one, other in zip(items[STEADY], items[SLOPPY], strict=True)
        if other.is_scored
    )
    assert dict(found.cells) == {(a, b): cells[a, b] for a in (True, False) for b in (True, False)}
    assert found.shared == len(items[STEADY]) and found.unanswered == found.shared - cells.total()


@pytest.mark.skipif(not EVERYTHING, reason="their figures are those of tests/protocols/econcausal/test_results.py")
def test_the_trivial_baselines_on_all_published_rows(study: Study, people: SimpleNamespace) -> None:
    viewer = people.researcher
    wanted = RunConfig(
        title="Baselines",
        source=SampleSource(bring_files(viewer, FILES)),
        tasks=("task1", "task2", "task3"),
        variants=("context",),
        baselines=BASELINES,
    )
    planned = planning.plan(viewer, wanted)
    of_first = 663 + 602
    assert (planned.samples, planned.requests, planned.faults) == (of_first + 199 + 597, 0, ())
    run_id = start(viewer, wanted)
    now = finished(study, viewer, run_id)
    assert now.state is RunState.DONE and now.requests == 0 and not now.by_status[ItemStatus.PENDING]

    def right(model: str, task: str) -> int:
        return failures.failures(
            viewer, FailureFilters(models=(model,), tasks=(task,), only=OutcomeFilter.RIGHT, runs=(run_id,))
        ).total

    counts = {
        "always + on task 2": right("always-plus", "task2"),
        "copied majority on task 2": right("copy-examples", "task2"),
        "first not shown on task 3": right("first-not-shown", "task3"),
    }
    tables = {table.metric.name: table for table in results.results(viewer, [run_id], "mismatch")}
    for which in ("first", "any"):
        cell = tables[f"mismatch_{which}"].cells["always-plus", "Task 2"]
        counts[f"mismatch {which} on task 2"] = cell.n_total
    print(counts)
    assert counts == {
        "always + on task 2": 102,
        "copied majority on task 2": 132,
        "first not shown on task 3": 384,
        "mismatch first on task 2": 70,
        "mismatch any on task 2": 76,
    }
    share = tables["share_first"].cells["always-plus", "Task 2"].estimate
    assert share.value == pytest.approx(70 / 199) and share.low is not None and share.low < 70 / 199 < (share.high or 0)
    card = reading.card(viewer, run_id)
    assert card.prompts[0].name == f"econcausal/{wanted.tasks[0]}" and not card.deviations
