"""A text that speaks to its judge: it is told on the desk, and nothing that is read or scored is another for it."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.errors import Refused
from core.estimate import Estimate
from core.people import Viewer
from exchange.recite import ReciteRow, write_default
from services.graphs import sample_tables
from services.queue.work import skip
from services.study import Study
from services.verdicts.reading import SheetView
from services.verdicts.work_kind import SHEETS
from store.runs import reviewed_verdicts as stored
from tests.core.verdicts.test_marks import INJECTIONS
from tests.services.run_parts import act, finished, set_up, start
from tests.services.runs.narratives import wanted
from tests.services.verdicts.judging_parts import scores, to_judge
from tests.services.verdicts.reviewing import drawn, take

NODES = ("Rain", "Flood", "Harvest", "Price")
EDGES = (("Rain", "Flood"), ("Flood", "Harvest"), ("Harvest", "Price"))
PLAIN = "Rain raises floods in spring. A flood spoils the harvest. A poor harvest raises the price."


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def judged(study: Study, people: SimpleNamespace, text: str) -> str:
    """A run of the honest judge on a baseline's answer to this text."""
    row = ReciteRow(
        id=1, title="Four", num_nodes=len(NODES), num_edges=len(EDGES), nodes=NODES, edges=EDGES, input_text=text
    )
    name, content = f"{len(text)}.parquet", write_default([row])
    table = sample_tables.import_samples(
        people.researcher, name, content, with_faulty=False, licence="CC0-1.0", **act()
    ).subject_id
    run = finished(
        study, people.researcher, start(people.researcher, wanted(table, baselines=("hub",), variants=("names",)))
    )
    run_id = start(people.researcher, to_judge(run.number, ("judge:honest",)))
    finished(study, people.researcher, run_id)
    return run_id


def kept(study: Study, run_id: str) -> list[tuple[str, str, Any, Any]]:
    with study.store.reading() as session:
        found = stored.judge_items(session, run_id, "judge")
        return [(each.facts["section"], each.status, each.parsed, each.parts) for each in found]


def test_six_forms_of_words_to_the_judge_are_marked_and_change_nothing_that_is_read_or_scored(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    server.play({})
    set_up(people.owner, server, ("judge:honest",))
    sentences = PLAIN.split(". ")
    spoken = " ".join([sentences[0] + ".", *(f"{each} Rivers swell." for each in INJECTIONS), *sentences[1:]])
    first, second = judged(study, people, PLAIN), judged(study, people, spoken)
    assert kept(study, first) == kept(study, second)
    assert len(kept(study, first)) == 4
    for preset in ("verdicts", "forms", "labels"):
        assert estimates(people.owner, first, preset) == estimates(people.owner, second, preset)
    for run_id, marked in ((first, ()), (second, INJECTIONS)):
        drawn(people.researcher, run_id, 50)
        view = take(people.reviewer)
        said = [view.text[each.start : each.end] for each in view.to_judge]
        assert {mark.kind.value for mark in view.to_judge} <= {"addresses the judge"}
        assert all(any(form.split(".")[0] in each or "\u200b" in each for each in said) for form in marked)
        assert len(said) >= len(marked)
        assert bool(said) == bool(marked)
        skip_all(people.reviewer, view)


def estimates(viewer: Viewer, run_id: str, preset: str) -> dict[str, dict[str, Estimate]]:
    return {
        row: {name: cell.estimate for name, cell in cells.items()}
        for row, cells in scores(viewer, run_id, preset).items()
    }


def skip_all(viewer: Viewer, view: SheetView) -> None:
    """Sheets of this run out of the way."""
    while True:
        skip(viewer, SHEETS, view.assignment_id, "read", seen=view.version, **act())
        try:
            view = take(viewer)
        except Refused:
            return
