"""People as models: a text is taken in turn and blind, its graph typed as edges, then it is an answer of the run."""

from __future__ import annotations

import json
from collections.abc import Callable
from tempfile import TemporaryFile
from types import SimpleNamespace
from typing import Any

import pytest
from sqlmodel import col, select

from core.errors import BadInput, Conflict, Missing, Refused
from core.people import Viewer
from core.runs.filters import FailureFilters
from core.runs.states import ItemStatus, RunState
from services.failures import failures
from services.graphs import lab, sample_tables
from services.overview import overview
from services.queue.work import claim_next, resume, skip, waiting
from services.readings import building, reading
from services.readings.work_kind import TEXT_GRAPHS
from services.releases import releasing
from services.results import results
from services.runs import acts, planning
from services.runs import reading as run_reading
from services.runs.exports.files import export_run
from services.runs.items import graph_items
from services.study import Study
from services.texts import labelling
from services.transcription import effort, transcribing
from store import history
from store.tables import AssignmentRow, GraphRow, new_id
from store.tables.runs import ReplyRow, RunItemRow, RunSampleRow
from tests.conftest import Clock
from tests.services.queue_hands import stored_state
from tests.services.releases.test_releasing import freeze
from tests.services.releases.test_texts import license_paper
from tests.services.run_parts import act, finished, start
from tests.services.runs.narratives import bring, wanted
from tests.services.text_parts import lay_pages, settle_truth
from tests.services.texts.test_labelling import NAMES, TRIVIAL, label_all, make_ready
from tests.shared_fixture import laid_once

LAKE = {
    "title": "Lake",
    "text": "Rain fills the lake. The town draws from the lake.",
    "nodes": [{"id": "Rain"}, {"id": "Lake"}, {"id": "Town"}],
    "edges": [{"source": "Rain", "sink": "Lake"}, {"source": "Town", "sink": "Lake"}],
}
FARM = {
    "title": "Farm",
    "text": "Fields need water. Water comes from wells.",
    "nodes": [{"id": "Fields"}, {"id": "Water"}, {"id": "Wells"}],
    "edges": [{"source": "Wells", "sink": "Water"}, {"source": "Water", "sink": "Fields"}],
}


def asked(people: SimpleNamespace, *found: dict[str, Any], per_sample: int = 1, **said: Any) -> str:
    """A run of the texts that wants people and the baseline random; returns it."""
    table = bring(people.researcher, list(found))
    options = {"table": table, "people": per_sample}
    said.setdefault("baselines", ("random",))
    return start(people.researcher, wanted(table, options=options, **said))


def draw(viewer: Viewer, work: str, *lines: str) -> None:
    for line in lines:
        seen = reading.reading(viewer, work).version
        transcribing.add_lines(viewer, work, line, pasted=False, seen=seen, **act())


def submit(viewer: Viewer, work: str) -> None:
    building.submit(viewer, work, seen=reading.reading(viewer, work).version, **act())


def build(viewer: Viewer, *lines: str) -> str:
    work = claim_next(viewer, TEXT_GRAPHS, **act()).subject_id
    draw(viewer, work, *lines)
    submit(viewer, work)
    return work


@pytest.mark.both(usually=False)
def test_a_graph_built_from_a_text_is_an_answer_of_its_run(study: Study, people: SimpleNamespace, clock: Clock) -> None:
    run_id = asked(people, LAKE, variants=("standard",))
    viewer = people.annotator
    assert waiting(viewer, TEXT_GRAPHS).free == 1
    assert ("Build a graph from a text", "readings") in [
        (one.sentence, one.page) for one in overview(viewer).next_steps
    ]
    work = claim_next(viewer, TEXT_GRAPHS, **act()).subject_id
    shown = reading.reading(viewer, work)
    assert (shown.title, shown.nodes, shown.given, shown.text) == ("Lake", 3, (), LAKE["text"])
    clock.advance(minutes=2)
    effort.beat(viewer, work, 18.5, beat_id=new_id())
    draw(viewer, work, "rain -> lake", "lake -> Town")
    submit(viewer, work)
    assert finished(study, people.researcher, run_id).state is RunState.DONE
    with study.store.reading() as session:
        row = session.exec(select(RunItemRow).where(RunItemRow.model != "random")).one()
        reply = session.get_one(ReplyRow, row.request_hash)
    # Of two edges one is the truth's, whose names are equal after folding, and one is a truth's the other way round.
    assert (row.status, row.score, row.flags) == (ItemStatus.ANSWERED.value, 0.5, None)
    relations = [{"source": "rain", "sink": "lake"}, {"source": "lake", "sink": "Town"}]
    assert json.loads(reply.raw) == {"relationships": relations}
    assert (reply.model, reply.latency_s, reply.endpoint, reply.request["base_url"]) == (row.model, 18.5, "", "human:")
    assert reading.reading(viewer, work).state == "submitted"
    (line,) = run_reading.runs(people.researcher)
    assert line.models == (row.model,) and row.model.startswith("human:A")
    assert line.by_status[ItemStatus.ANSWERED] == 2


def test_given_names_are_told_and_answered_by_their_numbers(sqlite_study: Study, people: SimpleNamespace) -> None:
    asked(people, LAKE, variants=("names",))
    viewer = people.expert  # who scores triplets builds graphs, too
    work = claim_next(viewer, TEXT_GRAPHS, **act()).subject_id
    shown = reading.reading(viewer, work)
    assert shown.given == ("Lake", "Rain", "Town")
    assert {node.name for node in shown.record.nodes.values()} == {"Lake", "Rain", "Town"}
    draw(viewer, work, "Rain -> Lake", "Farm -> Lake")
    with pytest.raises(Refused, match="1 node not among the given names: “Farm”"):
        submit(viewer, work)
    seen = reading.reading(viewer, work).version
    transcribing.rename_node(viewer, work, "Farm", "Town", seen=seen, **act())
    submit(viewer, work)
    with sqlite_study.store.reading() as session:
        row = session.exec(select(RunItemRow).where(col(RunItemRow.model).startswith("human:"))).one()
        reply = session.get_one(ReplyRow, row.request_hash)
        graph_id = session.get_one(AssignmentRow, work).graph_id or ""
        rebuilt = history.rebuild(session, graph_id)
    assert json.loads(reply.raw) == {"relationships": [{"source": 2, "sink": 1}, {"source": 3, "sink": 1}]}
    assert (row.score, row.flags) == (1.0, None)
    assert rebuilt == reading.reading(viewer, work).record


def test_undo_skip_and_resume(people: SimpleNamespace, sqlite_study: Study) -> None:
    asked(people, LAKE, variants=("standard",))
    viewer = people.annotator
    work = claim_next(viewer, TEXT_GRAPHS, **act()).subject_id
    with pytest.raises(Refused, match="has no edge"):
        submit(viewer, work)
    draw(viewer, work, "Rain -> Lake", "Lake -> Sea")
    transcribing.undo(viewer, work, seen=reading.reading(viewer, work).version, **act())
    assert len(reading.reading(viewer, work).record.edges) == 1
    with pytest.raises(Conflict):
        building.submit(viewer, work, seen=1, **act())
    seen = reading.reading(viewer, work).version
    with pytest.raises(BadInput, match="Give a reason"):
        skip(viewer, TEXT_GRAPHS, work, " ", seen=seen, **act())
    skip(viewer, TEXT_GRAPHS, work, "too long", seen=seen, **act())
    assert reading.reading(viewer, work).state == "skipped"
    assert waiting(viewer, TEXT_GRAPHS).free == 0  # it is not offered to them again
    assert waiting(people.colleague, TEXT_GRAPHS).free == 1
    resume(viewer, TEXT_GRAPHS, work, **act())
    submit(viewer, work)
    assert [line.state for line in reading.my_readings(viewer)] == ["submitted"]
    with pytest.raises(Refused, match="submitted"):
        draw(viewer, work, "Sea -> Town")


def test_a_claim_expires_and_its_place_goes_to_someone_else(
    people: SimpleNamespace, sqlite_study: Study, clock: Clock, lasting: None
) -> None:
    asked(people, LAKE, variants=("standard",))
    work = claim_next(people.annotator, TEXT_GRAPHS, **act()).subject_id
    draw(people.annotator, work, "Rain -> Lake")
    with pytest.raises(Refused, match="text is free"):
        claim_next(people.colleague, TEXT_GRAPHS, **act())
    clock.advance(hours=73)
    assert reading.reading(people.annotator, work).state == "lapsed"
    build(people.colleague, "Rain -> Lake")
    with pytest.raises(Refused, match="All places of this text are taken"):
        resume(people.annotator, TEXT_GRAPHS, work, **act())


def test_a_text_is_built_once_by_a_person_and_by_so_many_as_the_run_wants(
    people: SimpleNamespace, sqlite_study: Study
) -> None:
    run_id = asked(people, LAKE, FARM, per_sample=2)
    # Two texts in two variants, for two people each; of one text one person builds one graph.
    assert reading.people_asked(people.researcher, run_id) == reading.HumanRunLine(8, 0, 0)
    viewer = people.annotator
    build(viewer, "Rain -> Lake")
    build(viewer, "Water -> Fields")
    with pytest.raises(Refused, match="text is free"):
        claim_next(viewer, TEXT_GRAPHS, **act())
    asked(people, {**LAKE, "title": "The lake again"})  # the same text in another table
    assert waiting(viewer, TEXT_GRAPHS).free == 0
    assert reading.people_asked(people.researcher, run_id) == reading.HumanRunLine(8, 0, 2)


def test_runs_that_are_over_ask_nobody(people: SimpleNamespace, sqlite_study: Study) -> None:
    run_id = asked(people, LAKE, variants=("standard",))
    viewer = people.annotator
    work = claim_next(viewer, TEXT_GRAPHS, **act()).subject_id
    draw(viewer, work, "Rain -> Lake")
    progress = finished(sqlite_study, people.researcher, run_id)
    acts.archive(people.researcher, run_id, True, seen=progress.version, **act())
    assert waiting(people.colleague, TEXT_GRAPHS).free == 0
    with pytest.raises(Refused, match="archived or cancelled"):
        submit(viewer, work)


def test_a_run_may_ask_people_alone(people: SimpleNamespace, sqlite_study: Study) -> None:
    table = bring(people.researcher, [LAKE])
    config = wanted(table, baselines=(), variants=("standard",), options={"table": table, "people": 2})
    plan = planning.plan(people.researcher, config)
    assert plan.faults == ()
    assert any("2 people per sample: 2 graphs built by people" in notice for notice in plan.notices)
    run_id = start(people.researcher, config)
    assert run_reading.progress(people.researcher, run_id).state is RunState.DONE
    build(people.annotator, "Rain -> Lake")
    build(people.colleague, "Lake -> Rain")
    (line,) = [each for each in run_reading.runs(people.researcher) if each.id == run_id]
    assert (line.total, len(line.models)) == (2, 2)


def test_the_faults_of_the_option(people: SimpleNamespace, sqlite_study: Study) -> None:
    table = bring(people.researcher, [LAKE])
    config = wanted(table, baselines=("hub",), options={"table": table, "people": 51})
    (fault,) = planning.plan(people.researcher, config).faults
    assert fault.startswith("People per sample") and "51" in fault and "0 to 50" in fault
    with pytest.raises(BadInput, match="People per sample"):
        start(people.researcher, config)
    assert run_reading.runs(people.researcher) == ()


def test_people_stand_beside_models_in_tables_and_are_scored_again_alike(
    people: SimpleNamespace, sqlite_study: Study
) -> None:
    run_id = asked(people, LAKE, variants=("standard",))
    finished(sqlite_study, people.researcher, run_id)
    build(people.annotator, "Rain -> Lake", "Town -> Lake")
    table = results.results(people.researcher, [run_id], "graphs", with_interval=False)[0]
    (person,) = [label for label in table.row_labels if label.startswith("human:")]
    assert "random" in table.row_labels and table.row_labels.index(person) < table.row_labels.index("random")
    assert 1.0 in {table.cells[person, column].estimate.value for column in table.column_labels}
    version = run_reading.progress(people.researcher, run_id).version
    with sqlite_study.store.reading() as session:
        before = session.exec(select(RunItemRow.score).order_by(col(RunItemRow.id))).all()
    acts.rescore(people.researcher, run_id, seen=version, **act())
    with sqlite_study.store.reading() as session:
        assert session.exec(select(RunItemRow.score).order_by(col(RunItemRow.id))).all() == before


# --- blind -------------------------------------------------------------------------------------------------------


def test_nobody_sees_an_open_graph_of_a_text(people: SimpleNamespace, sqlite_study: Study) -> None:
    asked(people, LAKE, variants=("standard",))
    work = claim_next(people.annotator, TEXT_GRAPHS, **act()).subject_id
    draw(people.annotator, work, "Rain -> Lake")
    with pytest.raises(Refused, match="someone else"):
        reading.reading(people.owner, work)
    with pytest.raises(Missing):
        labelling.labelling(people.annotator, work)
    with pytest.raises(Refused, match="someone else"):
        building.submit(people.owner, work, seen=2, **act())
    with sqlite_study.store.reading() as session:
        graph_id = session.exec(select(GraphRow.id).where(GraphRow.kind == "prediction")).one()
    assert graph_id not in {line.id for line in lab.list_graphs(people.owner).lines}
    submit(people.annotator, work)
    assert graph_id in {line.id for line in lab.list_graphs(people.owner).lines}


def test_whoever_opened_an_answer_or_the_table_builds_no_graph_of_its_text(
    people: SimpleNamespace, sqlite_study: Study
) -> None:
    run_id = asked(people, LAKE, FARM, per_sample=5, variants=("standard",))
    finished(sqlite_study, people.researcher, run_id)
    viewer = people.researcher
    assert waiting(viewer, TEXT_GRAPHS).free == 2
    work = claim_next(viewer, TEXT_GRAPHS, **act()).subject_id
    draw(viewer, work, "Rain -> Lake")
    lines = failures.failures(viewer, FailureFilters(runs=(run_id,))).lines
    graph_items.graph_item(viewer, next(line for line in lines if line.summary.title == "Lake").item_id)
    with pytest.raises(Refused, match="You have seen a graph of this text"):
        submit(viewer, work)
    assert waiting(viewer, TEXT_GRAPHS).free == 1
    sample_tables.export_samples(people.owner, sample_tables.sample_tables(people.owner)[0].id)
    assert waiting(people.owner, TEXT_GRAPHS).free == 0


def test_whoever_built_the_text_under_another_sample_neither_resumes_nor_submits(
    people: SimpleNamespace, sqlite_study: Study
) -> None:
    """No way of the program leads there: the second graph is laid into the store."""
    asked(people, LAKE, variants=("standard",))
    viewer = people.annotator
    work = claim_next(viewer, TEXT_GRAPHS, **act()).subject_id
    draw(viewer, work, "Rain -> Lake")
    asked(people, {**LAKE, "title": "The lake again"}, variants=("standard",))
    with sqlite_study.store.writing() as session:
        own = session.get_one(AssignmentRow, work)
        other = session.exec(select(RunSampleRow.id).where(RunSampleRow.id != own.subject_id)).one()
        row = AssignmentRow(kind="reading", subject_id=other, person_id=viewer.person_id, claimed_at=own.claimed_at)
        session.add(row)
    with pytest.raises(Refused, match="You built a graph of this text before"):
        submit(viewer, work)
    assert stored_state(sqlite_study, work) == "open"
    skip(viewer, TEXT_GRAPHS, work, "Twice", seen=reading.reading(viewer, work).version, **act())
    with pytest.raises(Refused, match="You built a graph"):
        resume(viewer, TEXT_GRAPHS, work, **act())
    assert stored_state(sqlite_study, work) == "abandoned"


@pytest.fixture
def released(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, request: pytest.FixtureRequest) -> str:
    """A figure with its text in release 1, and a run of it that wants people; the figure."""

    def make() -> str:
        lay_pages(study, a_figure.sha256)
        settle_truth(study, a_figure.id, NAMES)
        make_ready(people, a_figure.id)
        license_paper(study, a_figure, "CC BY 4.0")
        number = freeze(people.researcher).version
        options = {"release": number, "people": 5}
        start(people.researcher, wanted("", baselines=("hub",), variants=("standard",), options=options))
        return str(a_figure.id)

    return laid_once(request, study, make, people, a_figure)


def labels(people: SimpleNamespace, _figure: str) -> None:
    label_all(people.expert, TRIVIAL)


def downloads(people: SimpleNamespace, _figure: str) -> None:
    releasing.export(people.owner, 1)


def downloads_the_run(people: SimpleNamespace, _figure: str) -> None:
    with TemporaryFile() as file:
        export_run(people.owner, "1", file)


@pytest.mark.parametrize(("who", "does"), [("expert", labels), ("owner", downloads), ("owner", downloads_the_run)])
def test_a_figure_is_closed_to_whoever_knows_its_graph(
    sqlite_study: Study, people: SimpleNamespace, released: str, who: str, does: Callable[[SimpleNamespace, str], None]
) -> None:
    viewer = getattr(people, who)
    assert waiting(viewer, TEXT_GRAPHS).free == 1
    does(people, released)
    assert waiting(viewer, TEXT_GRAPHS).free == 0
    with pytest.raises(Refused, match="text is free"):
        claim_next(viewer, TEXT_GRAPHS, **act())


def test_a_figure_is_closed_to_whoever_made_its_text_or_its_truth(
    sqlite_study: Study, people: SimpleNamespace, released: str
) -> None:
    assert waiting(people.researcher, TEXT_GRAPHS).free == 0  # they normalised its text
    assert waiting(people.annotator, TEXT_GRAPHS).free == 0  # they adjudicated it
    assert waiting(people.colleague, TEXT_GRAPHS).free == 1


def test_whoever_took_the_text_of_a_figure_cannot_draw_it(
    sqlite_study: Study, people: SimpleNamespace, another_figure: Callable[..., SimpleNamespace], released: str
) -> None:
    claim_next(people.colleague, TEXT_GRAPHS, **act())
    with pytest.raises(Refused, match="this figure from its text"):
        transcribing.take(people.colleague, released, **act())
    with sqlite_study.store.reading() as session:
        own = select(AssignmentRow.kind).where(AssignmentRow.person_id == people.colleague.person_id)
        assert session.exec(own).all() == ["reading"]


def test_whoever_draws_a_figure_does_not_build_its_graph(
    sqlite_study: Study, people: SimpleNamespace, released: str
) -> None:
    with sqlite_study.store.writing() as session:
        row = AssignmentRow(
            kind="transcription",
            subject_id=released,
            person_id=people.colleague.person_id,
            claimed_at=sqlite_study.clock(),
        )
        session.add(row)
    assert waiting(people.colleague, TEXT_GRAPHS).free == 0
