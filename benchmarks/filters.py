"""Filters of Failures and of its samples over 100,000 items of six runs, on SQLite and on PostgreSQL.

Six models answer the same samples, one in each run; a third of the answers is wrong, and each has a reply. Goals: every
filter at most 300 ms on both databases; the first opening of *Samples*, once its counts are cached, within twice the
time of an empty Streamlit page.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import insert
from sqlmodel import Session

from benchmarks.accept_edge import EMPTY_PAGE
from benchmarks.harness import chromium, edgewise, plain_streamlit, quantiles, row
from benchmarks.large_run import GOAL_FILTER_MS, SAMPLE_FILTERS, print_times
from benchmarks.text_desk import opened_ms
from core.runs.filters import FailureFilters, ItemOrder, OutcomeFilter
from core.runs.states import ItemStatus
from core.steps import ONE_STEP
from protocols import PROTOCOLS
from services.acting import terminal_viewer
from services.failures.failures import label_words, searched_facts
from services.results import samples
from services.study import Study, open_study, use_study
from store.engine import Store
from store.migrate import migrate
from store.runs import cells, lists
from store.tables import metadata
from tests.postgresql import CLUSTER, new_database, start_cluster, stop_cluster

RUNS, SAMPLES = 6, 16_667
OPENED, AT_ONCE = 7, 1_000
BEGAN = datetime(2026, 3, 1, 9, tzinfo=UTC)
WORDS = ("wages", "rise", "tariffs", "fall", "labour", "exports", "prices", "growth", "floods", "credit")
SIGNS = ("+", "-", "None", "mixed")
FILTERS: dict[str, FailureFilters] = {
    "everything": FailureFilters(),
    "wrong": FailureFilters(only=OutcomeFilter.WRONG),
    "wrong, without baselines": FailureFilters(only=OutcomeFilter.WRONG, has_baselines=False),
    "a run": FailureFilters(runs=("run-3",)),
    "a model": FailureFilters(models=("model-2",)),
    "a task and a variant": FailureFilters(tasks=("task1",), variants=("context",)),
    "a true label": FailureFilters(expected=("-",)),
    "a predicted label": FailureFilters(predicted=("mixed",)),
    "two labels": FailureFilters(labels=(("jel", ("J",)), ("domain", ("finance",)))),
    "years": FailureFilters(years=(2003, 2005)),
    "a status": FailureFilters(statuses=(ItemStatus.UNPARSABLE,)),
    "a search, many": FailureFilters(search="exports"),
    "a search, none": FailureFilters(search="nowhere"),
    "in replies of a run, many": FailureFilters(runs=("run-3",), replied="exports"),
    "in replies of a run, none": FailureFilters(runs=("run-3",), replied="nowhere"),
    "in all replies, many": FailureFilters(replied="exports"),
    "in all replies, none": FailureFilters(replied="nowhere"),
    "the hardest first": FailureFilters(order=ItemOrder.HARDEST),
}


def fill(store: Store) -> None:
    """Store the runs, straight to the tables: the same rows every time."""
    with store.writing() as session:
        for number in range(1, RUNS + 1):
            _put(session, "run", [_run(number)])
            labels = [_labels(place) for place in range(SAMPLES)]
            cell_ids = cells.keep(session, f"run-{number}", labels)
            _put(session, "run_sample", (_sample(number, place, cell_ids[place]) for place in range(SAMPLES)))
            _put(session, "reply", (_reply(number, place) for place in range(SAMPLES)))
            _put(session, "run_item", (_item(number, place) for place in range(SAMPLES)))


def _put(session: Session, table: str, rows: Iterable[dict[str, Any]]) -> None:
    rows = iter(rows)
    while some := list(islice(rows, AT_ONCE)):
        session.connection().execute(insert(metadata.tables[table]), some)


def _run(number: int) -> dict[str, Any]:
    card: dict[str, Any] = {"kind": "instruct", "provider": "", "model": "m", "parameters": {}, "endpoint": None}
    return {
        "id": f"run-{number}",
        "number": number,
        "title": f"Run {number}",
        "protocol": "econcausal",
        "protocol_version": PROTOCOLS["econcausal"].version,
        "state": "done",
        "reason": "",
        "hindered": {},
        "settings": {
            "models": {f"model-{number}": card},
            "wanted": {"tasks": ["task1"], "variants": ["context"], "source": {"collections": []}},
        },
        "manifest": {},
        "created_by": "terminal",
        "created_at": BEGAN,
        "finished_at": BEGAN,
    }


def _labels(place: int) -> dict[str, tuple[str, ...]]:
    return {"year": (str(2000 + place % 10),), "jel": ("JHQ"[place % 3],), "domain": (("finance", "econ")[place % 2],)}


def _sample(number: int, place: int, cell_id: str) -> dict[str, Any]:
    first, second, third = (WORDS[place // each % len(WORDS)] for each in (1, 10, 100))
    labels = {name: values[0] for name, values in _labels(place).items()}
    facts = {
        "treatment": f"{first} of {second} {place}",
        "outcome": third,
        "title": f"On {third}",
        "example_signs": [],
        "paper": f"w{place // 4}",
    }
    return {
        "id": f"sample-{number}-{place:06}",
        "run_id": f"run-{number}",
        "place": place,
        "step": ONE_STEP,
        "cell_id": cell_id,
        "task": "task1",
        "variant": "context",
        "key": f"w{place // 4}/{place}",
        "sample_hash": f"{place:064x}",
        "prompt": "",
        "prompt_hash": "",
        "messages": [],
        "answer": SIGNS[place % len(SIGNS)],
        "facts": {**facts, "year": int(labels["year"]), "jel": [labels["jel"]], "domain": labels["domain"]},
    }


def _predicted(number: int, place: int) -> str | None:
    if (place + number) % 50 == 0:
        return None
    return SIGNS[(place + ((place * 7 + number) % 3 == 0)) % len(SIGNS)]


def _reply(number: int, place: int) -> dict[str, Any]:
    words = " ".join(Random(number * SAMPLES + place).choices(WORDS[:9] if place % 5 else WORDS, k=60))
    return {
        "request_hash": f"{number:04x}{place:060x}",
        "request": {},
        "attempt_id": "none",
        "endpoint": "lab",
        "model": "m",
        "raw": words,
        "text": f'{{"predicted_sign": "{_predicted(number, place)}", "reasoning": "{words}"}}',
        "reasoning": words[:200] if place % 2 else None,
        "finish_reason": "stop",
        "tokens_in": 400,
        "tokens_out": 60 + place % 20,
        "cost_usd": 0.001,
        "latency_s": 0.5,
        "provider_model": "",
        "provider_id": "",
        "received_at": BEGAN,
    }


def _item(number: int, place: int) -> dict[str, Any]:
    predicted = _predicted(number, place)
    return {
        "id": f"item-{number}-{place:06}",
        "run_id": f"run-{number}",
        "sample_id": f"sample-{number}-{place:06}",
        "model": f"model-{number}",
        "status": "answered" if predicted else "unparsable",
        "request_hash": f"{number:04x}{place:060x}",
        "rung": "",
        "fault": "",
        "predicted": predicted,
        "is_right": predicted == SIGNS[place % len(SIGNS)],
        "done_at": BEGAN + timedelta(seconds=place),
    }


def filter_times(study: Study, database: str) -> None:
    searched = searched_facts()
    with study.store.reading() as session:
        for name, filters in FILTERS.items():
            total = lists.page(session, filters, searched, 0, 50)[0].total()
            look_up = partial(lists.page, session, filters, searched, 0, 50)
            print_times(f"{database}: {name}", look_up, GOAL_FILTER_MS, f", {total:,} found")
        values = partial(lists.values_in_use, session, label_words())
        print_times(f"{database}: what filters can be set to", values, GOAL_FILTER_MS)
    viewer, runs = terminal_viewer(), [f"run-{number}" for number in range(1, RUNS + 1)]
    samples.samples(viewer, runs)
    for name, of_samples in SAMPLE_FILTERS.items():
        print_times(f"{database}: Samples, {name}", partial(samples.samples, viewer, runs, of_samples), GOAL_FILTER_MS)


def measured(place: str, home: Path, database: str) -> None:
    store = Store(place)
    migrate(store)
    fill(store)
    store.close()
    study = open_study(place, home)
    use_study(study)
    with study.store.write_engine.connect() as connection:
        connection.exec_driver_sql("ANALYZE")
        connection.commit()
    filter_times(study, database)
    use_study(None)
    study.close()


def opening_times(home: Path, store: Path) -> None:
    script = home / "empty.py"
    script.write_text(EMPTY_PAGE)
    link = "/failures?show=samples" + "".join(f"&run=run-{number}" for number in range(1, RUNS + 1))
    times: dict[str, list[float]] = {"empty Streamlit page": [], "Samples": []}
    with plain_streamlit(script) as empty_url, edgewise(home, store) as url, chromium() as browser:
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        page.goto(url)
        page.get_by_role("button", name="Open as owner").click()
        page.wait_for_selector("[data-testid=stApp]", state="attached")
        for number in range(OPENED + 1):
            for name, address, selector in (
                ("empty Streamlit page", empty_url, "[data-testid=stText]"),
                ("Samples", f"{url}{link}", "[data-testid=stDataFrame]"),
            ):
                took = opened_ms(page, address, selector)
                if number:  # the first of each fetches scripts, and reads the answers
                    times[name].append(took)
    print(row("empty Streamlit page, opened", times["empty Streamlit page"]))
    base = quantiles(times["empty Streamlit page"])[0]
    print(row(f"samples of {RUNS * SAMPLES:,} items, opened", times["Samples"], base, "the empty page (goal 2)"))


def databases(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield (place, name) of an empty study on each database."""
    yield str(folder / "filters.edgewise"), "SQLite"
    (folder / "cluster").mkdir()
    os.environ[CLUSTER] = str(folder / "cluster")
    cluster = start_cluster(folder / "cluster")
    try:
        with new_database(cluster, "template0") as url:
            yield url, "PostgreSQL"
    finally:
        stop_cluster(folder / "cluster")


def measure() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for place, database in databases(folder):
            measured(place, folder / database, database)
            if database == "SQLite":
                opening_times(folder, Path(place))
