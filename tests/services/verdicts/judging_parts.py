"""Runs of answers and runs of judges, as tests begin them."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from benchmarks.running_server import RunningServer
from core.analysis.slices import Slice
from core.analysis.tables import ResultCell
from core.people import Viewer
from services.results import results
from services.runs.settings import RunConfig
from services.study import Study
from tests.services.run_parts import finished, start
from tests.services.runs.narratives import bring, narratives, wanted
from tests.services.runs.test_recite import messages_of, plant

MODELS = ("planted:a", "planted:b", "planted:c")
BASELINES = ("random", "co-mention", "hub")
JUDGES = ("judge:honest", "judge:forgetful")


def model_answers(study: Study, people: SimpleNamespace, server: RunningServer, found: list[dict[str, Any]]) -> int:
    """A finished run of the scripted models, each of which says some of a narrative's edges and turns others; their
    cards are there. Its number."""
    key = bring(people.researcher, found)
    run_id = start(people.researcher, wanted(key, variants=("names",), models=MODELS))
    hashes, planted = messages_of(study, run_id), plant(found, MODELS)
    server.play({"answers": {m: {hashes[at]: text for at, text in planted[m].items() if at in hashes} for m in MODELS}})
    return finished(study, people.researcher, run_id).number


def answers(study: Study, people: SimpleNamespace, most: int, baselines: tuple[str, ...] = BASELINES) -> int:
    """A finished run of graphs from narratives, by baselines; its number."""
    key = bring(people.researcher, narratives()[:most])
    run_id = start(people.researcher, wanted(key, variants=("names",), baselines=baselines))
    return finished(study, people.researcher, run_id).number


def to_judge(number: int, judges: tuple[str, ...] = JUDGES, **options: Any) -> RunConfig:
    said = wanted("", tasks=("judge",), variants=("standard",), options={"of": str(number), **options})
    return replace(said, title="Judged", models=judges)


def scores(
    viewer: Viewer, run_id: str, preset: str = "verdicts", wanted: Slice = results.OWN, *, place: int = 0
) -> dict[str, dict[str, ResultCell]]:
    """Row → figure → cell of one of the tables of a run of judges."""
    table = results.results(viewer, [run_id], preset, wanted)[place]
    return {row: {column: table.cells[row, column] for column in table.column_labels} for row in table.row_labels}
