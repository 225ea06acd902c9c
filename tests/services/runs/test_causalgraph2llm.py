"""CausalGraph2LLM from the graphs of a study to answers, on both databases and without a key."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image
from sqlmodel import select

from benchmarks import graph_queries_run
from benchmarks.large_run import TimedStore
from benchmarks.running_server import RunningServer, running_server
from core.errors import BadInput
from core.graphs.edge import Edge
from core.graphs.encodings import Encoding, decode
from core.graphs.graph import CausalGraph
from core.graphs.naming import neutral
from core.messages import File, Text, text_hash
from core.runs import windows
from core.runs.filters import FailureFilters
from core.runs.states import ItemStatus, RunState
from protocols.causalgraph2llm.samples import KeyParts
from runs.numbered.derived import DerivedMessages
from runs.run_plan import read_plan
from runs.worker import Worker
from services.failures import failures
from services.files import TableForm
from services.graphs import generating
from services.graphs import model_pictures as graph_pictures
from services.protocols.causalgraph2llm import chat_files, query_items
from services.protocols.causalgraph2llm.graphs import as_option, paper_set
from services.results import files as result_files
from services.results import results
from services.runs import acts, model_cards, planning, reading
from services.runs.exports import files
from services.runs.model_cards import ModelCardDraft
from services.runs.settings import BudgetSettings, RunConfig, SampleSource
from services.runs.views import RunProgress
from services.study import Study, open_study
from store.files import read_file
from store.runs import runs
from store.runs.items import sample_as_stored
from store.tables import FileRow
from store.tables.runs import ReplyRow, RunItemRow, RunSampleRow
from tests.everything import EVERYTHING
from tests.query_counts import asked
from tests.services.run_parts import act, finished, set_up, start

BASELINES = ("always-no", "always-yes", "null", "every-variable", "coin")
SIX = ("source", "sink", "parent", "child", "mediator", "confounder")


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def config(**given: Any) -> RunConfig:
    asked = {"title": "Queries", "tasks": SIX, "variants": ("graph", "node"), "baselines": BASELINES, **given}
    return RunConfig(protocol="causalgraph2llm", source=SampleSource(), **asked)


def test_a_dry_run_says_the_slices_own_number_first(people: SimpleNamespace) -> None:
    everything = {"node_sampling": "all", "amount": "all"}
    plan = planning.plan(people.researcher, config(options=everything | {"encodings": "all"}))
    assert plan.faults == ()
    assert (plan.samples, plan.items) == (747_026, 5 * 747_026)
    assert plan.space == {"per_encoding": 106_718, "slice": 747_026, "yes": 5_901, "empty": 21_630}
    assert plan.notices[0].startswith("This slice has 106,718 queries per encoding, 747,026 in 7 encodings.")
    usual = planning.plan(people.researcher, config())
    assert usual.samples == 1_000
    assert sum(task.samples for task in usual.tasks) == 1_000


@pytest.mark.skipif(not EVERYTHING, reason="tests/runs/numbered/test_windows.py, tests/pages/runs/test_graphs.py")
def test_the_papers_set_is_begun_in_windows_stopped_and_gone_on_with(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    v = people.researcher
    set_up(people.owner, SimpleNamespace(url="http://127.0.0.1:9/v1"), ["m"])
    first_stop, second_stop = (1_750, 3_500)  # in the first window, and in a further one
    wanted = replace(graph_queries_run.config(first_stop), budget=BudgetSettings(requests=first_stop))
    run_id = start(v, wanted)
    store = TimedStore(sqlite_study.store.url)

    def worked() -> RunProgress:
        worker = Worker(store, clock=sqlite_study.clock, make_client=graph_queries_run.Planted)
        assert not asyncio.run(worker.run(is_once=True))
        return reading.progress(v, run_id)

    first = worked()
    assert (first.total, first.requests, first.state) == (747_026, first_stop, RunState.STOPPED)
    acts.set_budget(v, run_id, BudgetSettings(requests=second_stop), seen=first.version, **act())
    acts.resume(v, run_id, seen=reading.progress(v, run_id).version, **act())
    second = worked()
    assert (second.requests, second.state) == (second_stop, RunState.STOPPED)
    assert graph_queries_run.asked_twice(sqlite_study) == 0
    assert second.total - second.by_status[ItemStatus.PENDING] == second_stop
    assert (open_cells := reading.card(v, run_id).open_cells) is not None
    assert open_cells == how_full(sqlite_study, run_id) and open_cells[2] - open_cells[1] <= 2
    with sqlite_study.store.reading() as session:
        places = list(session.exec(select(RunSampleRow.place).where(RunSampleRow.run_id == run_id)))
    assert second_stop < len(places) <= second_stop + 2 * windows.WINDOW
    assert sorted(places) == list(range(len(places)))
    assert max(cpu for _wall, cpu in store.held) < 0.25, "half a second also where the machine does other things"
    with asked() as statements:
        reading.progress(v, run_id)
    assert len(statements) < 100, "at most one per text of a graph, none per query that waits"
    store.close()


def how_full(study: Study, run_id: str) -> tuple[int, int, int]:
    """Cells with something left to ask, and of how many of their queries the least and the most have ended, counted
    sample by sample."""
    with study.store.reading() as session:
        query = select(RunSampleRow.key, RunItemRow.status).join(RunItemRow).where(RunSampleRow.run_id == run_id)
        rows = [("/".join(key.split("/")[:7]), status == "pending") for key, status in session.exec(query)]
    ended, left = Counter(key for key, waits in rows if not waits), {key for key, waits in rows if waits}
    return len(left), min(ended[cell] for cell in left), max(ended[cell] for cell in left)


@pytest.mark.both(usually=False)
def test_baselines_alone_answer_the_papers_set(study: Study, people: SimpleNamespace) -> None:
    run_id = start(people.researcher, config(options={"samples": 200}))
    progress = finished(study, people.researcher, run_id)
    assert progress.state is RunState.DONE
    assert progress.by_status[ItemStatus.ANSWERED] + progress.by_status[ItemStatus.EXCLUDED] == 1_000
    with study.store.reading() as session:
        samples = list(session.exec(select(RunSampleRow).where(RunSampleRow.run_id == run_id)))
    nodes = sum(sample.variant == "node" for sample in samples)
    assert progress.by_status[ItemStatus.EXCLUDED] == 2 * (200 - nodes) + 2 * nodes
    page = failures.failures(people.researcher, FailureFilters(models=("always-no",), labels=(("level", ("node",)),)))
    assert page.total == nodes
    assert {line.is_right for line in page.lines} == {True, False}
    assert all((line.answer == "no") == line.is_right for line in page.lines)
    (table, *_) = results.results(people.researcher, [run_id], "bias", with_interval=False)
    cell = table.cells["always-no", "all"]
    assert (cell.n_total, {*cell.item_ids}) == (nodes, {line.item_id for line in shown(people, page.total)})


@pytest.mark.both(usually=False)
def test_what_was_sent_is_told_again_by_number(study: Study, people: SimpleNamespace, server: RunningServer) -> None:
    set_up(people.owner, server, ["asked"])
    server.play({"rules": [{"model": "asked", "answer": "It is so. <Answer>Null</Answer>"}]})
    options = {"samples": 48, "encodings": "json,graphml,multi", "names": "own,neutral", "names_seed": 7}
    run_id = start(people.researcher, config(models=("asked",), baselines=(), options=options))
    assert finished(study, people.researcher, run_id).by_status[ItemStatus.ANSWERED] > 0
    with study.store.reading() as session:
        row = runs.run_row(session, run_id)
        samples = {sample.key: sample for sample in session.exec(select(RunSampleRow)) if sample.run_id == run_id}
        sent = list(session.exec(select(ReplyRow)))
        graphs = dict(runs.texts(session, {s.slots["graph"] for s in samples.values()}))
    assert len(samples) == 48
    assert all(not sample.messages for sample in samples.values())
    assert len(sent) == 48
    assert {"neutral-7"} < {KeyParts.of(key)[3] for key in samples} | {"own"}
    for sample in samples.values():  # the graph in the text is the one that the key names
        parts = KeyParts.of(sample.key)
        assert text_hash(graphs[sample.slots["graph"]]) == sample.slots["graph"]
        assert len(decode(graphs[sample.slots["graph"]], Encoding(parts[1])).edges) == sample.facts["edges"]
    page = failures.failures(people.researcher, FailureFilters(runs=(run_id,)), limit=100)
    sheet = failures.item(people.researcher, page.lines[0].item_id)
    assert "The graph:" in sheet.messages[0][1]
    assert graphs[samples[sheet.line.key].slots["graph"]] in sheet.messages[0][1]
    assert row.manifest["made"]["graphs"]["alarm"]["neutral-7"].keys() == {str(place) for place in range(37)}


def shown(people: SimpleNamespace, many: int) -> tuple[Any, ...]:
    filters = FailureFilters(models=("always-no",), labels=(("level", ("node",)),))
    return failures.failures(people.researcher, filters, limit=many).lines


def test_lists_find_answers_by_labels_names_and_key(study: Study, people: SimpleNamespace) -> None:
    options = {"per_cell": 2, "encodings": "json,single", "orders": "given,bfs"}
    run_id = start(people.researcher, config(tasks=("mediator",), baselines=("null", "always-no"), options=options))
    finished(study, people.researcher, run_id)

    def keys(**filters: Any) -> list[str]:
        found = failures.failures(people.researcher, FailureFilters(runs=(run_id,), **filters), limit=500)
        return [line.key for line in found.lines]

    everything = Counter(keys())
    assert len(everything) == 2 * 2 * 5 * 2 * 2
    by_label = keys(
        labels=(("encoding", ("single",)), ("order", ("bfs",)), ("graph", ("alarm",)), ("level", ("graph",)))
    )
    assert set(by_label) == {key for key in everything if key.startswith("alarm/single/bfs/own/mediator/graph/")}
    a, b = KeyParts.of(by_label[0]).names
    assert by_label[0] in keys(search=f"alarm {a} {b}")
    assert set(keys(search="insurance/json/given")) == {
        key for key in everything if key.startswith("insurance/json/given")
    }
    line = failures.failures(people.researcher, FailureFilters(runs=(run_id,), search=by_label[0])).lines[0]
    assert line.summary.title == f"Alarm · Single node · mediators of {a} and {b}"
    assert line.summary.detail == "breadth first from sources"


def test_graphs_of_the_study_of_files_and_published_ones_are_taken_by_name(people: SimpleNamespace) -> None:
    drawn = generating.generate_graph(people.owner, 6, 7, seed=1, **act()).subject_id
    small = CausalGraph.of([Edge("A", "B"), Edge("B", "C")])

    def counted(graphs: str) -> Any:
        wanted = config(tasks=("source",), variants=("node",), options={"graphs": graphs, "node_sampling": "all"})
        return planning.plan(people.researcher, wanted)

    plan = counted(f"asia, {drawn}, cancer")
    assert plan.faults == ()
    assert plan.samples == 8 + 6 + 5
    assert counted(as_option([("one", small), ("one", CausalGraph.of([Edge("X", "Y")]))])).samples == 3 + 2
    offered = planning.options(people.researcher).offers["graphs"]
    assert isinstance(offered, tuple)
    assert drawn in {each.id for each in offered}
    for graphs, words in (
        ("nowhere", "There is no such graph"),
        ("[", "Graphs: found a list that is not valid JSON"),
        ('[{"name": "x"}]', "Graphs: an object needs name, nodes and edges as pairs"),
        (
            as_option([("loop", CausalGraph.of([Edge("A", "B"), Edge("B", "A")]))]),
            "loop: This graph has a feedback",
        ),
    ):
        (fault,) = counted(graphs).faults
        assert words in fault
        with pytest.raises(BadInput):
            start(people.researcher, config(options={"graphs": graphs}))


def test_an_encoding_that_there_is_not_is_refused_with_those_there_are(people: SimpleNamespace) -> None:
    wanted = config(options={"encodings": "jsom"})
    (fault,) = planning.plan(people.researcher, wanted).faults
    assert fault.startswith("Encodings: found 'jsom'")
    offered = ("json", "adjacency", "matrix", "graphml", "graphviz", "single", "multi", "picture", "all")
    assert [name for name in offered if name not in fault] == []
    with pytest.raises(BadInput, match="'jsom'"):
        start(people.researcher, wanted)
    assert reading.runs(people.researcher) == ()


def test_a_run_is_written_with_its_queries_and_as_chats_of_random_graphs(study: Study, people: SimpleNamespace) -> None:
    options = {"samples": 200, "encodings": "json,multi", "names": "own,neutral"}
    run_id = start(people.researcher, config(baselines=("null", "always-no"), options=options))
    finished(study, people.researcher, run_id)
    written = io.BytesIO()
    files.export_run(people.owner, run_id, written)
    with zipfile.ZipFile(written) as archive:
        queries = [json.loads(line) for line in archive.read("queries.jsonl").splitlines()]
        samples = [json.loads(line) for line in archive.read("samples.jsonl").splitlines()]
        texts = {each["hash"]: each["text"] for each in map(json.loads, archive.read("texts.jsonl").splitlines())}
        names = archive.namelist()
        assert names[names.index("samples.jsonl") + 1] == "queries.jsonl"
    assert [each["number"] for each in queries] == list(range(200))
    for query, sample in zip(queries, samples, strict=True):
        assert query["key"] == sample["key"]
        assert query["truth"] == (sample["truth"]["answer"] if sample["truth"] else sample["answer"] == "yes")
        (_role, parts) = sample["messages"][0]
        said = "".join(texts[key] for _kind, key in parts)
        assert all(name in said for name in query["args"].values())

    train, held_out = io.BytesIO(), io.BytesIO()
    made = chat_files.export_chats(people.owner, run_id, 0.7, train, held_out)
    chats = [json.loads(line)["messages"] for line in train.getvalue().splitlines()]
    others = [json.loads(line)["messages"] for line in held_out.getvalue().splitlines()]
    of_networks = sum(each["key"].startswith(("insurance/", "alarm/")) for each in queries)
    assert (made.train, made.held_out, made.left_out) == (len(chats), len(others), of_networks)
    assert made.train + made.held_out + made.left_out == 200
    assert 0.5 < made.train / (made.train + made.held_out) < 0.9
    by_key = {each["key"]: each for each in queries}
    answers = Counter(chat[1]["content"] for chat in (*chats, *others))
    random_ones = [each for key, each in by_key.items() if not key.startswith(("insurance/", "alarm/"))]
    assert answers["<Answer>Null</Answer>"] == sum(each["truth"] == [] for each in random_ones)
    assert answers["<Answer>Yes</Answer>"] == sum(each["truth"] is True for each in random_ones)
    assert not {chat[0]["content"] for chat in chats} & {chat[0]["content"] for chat in others}
    with pytest.raises(BadInput, match="Split: found 0; expected"):
        chat_files.export_chats(people.owner, run_id, 0, train, held_out)


@pytest.mark.skipif(not EVERYTHING, reason="test_causalgraph2llm_tables.py")
def test_every_preset_is_there_from_baselines_alone(study: Study, people: SimpleNamespace) -> None:
    run_id = start(people.researcher, config(options={"per_cell": 3}))
    finished(study, people.researcher, run_id)
    found = {each.key: each for each in results.presets_of(people.researcher, [run_id])}
    assert len(found) == 14
    (table, *_) = results.results(people.researcher, [run_id], "encodings")
    assert table.row_labels == BASELINES
    null = table.cells["null", "JSON"].estimate
    assert null.value is not None and null.low is not None and null.high is not None
    assert null.low <= null.value <= null.high
    assert table.cells["always-no", "JSON"].estimate.value is None
    for preset in found:
        assert result_files.export(people.owner, [run_id], preset, TableForm.CSV).content
    tex = result_files.export(
        people.owner, [run_id], "encodings", TableForm.LATEX, with_intervals=True
    ).content.decode()
    assert "bootstrap over queries within graphs" in tex


def test_an_answer_is_shown_on_the_graph_that_was_told(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    graph = CausalGraph.of([Edge("A", "M"), Edge("M", "B"), Edge("A", "B"), Edge("A", "N"), Edge("N", "B")])
    set_up(people.owner, server, ["answers"])
    server.play({"rules": [{"model": "answers", "answer": "<Answer>[M, A, X9]</Answer>"}]})
    options = {"graphs": as_option([("small", graph)]), "amount": "all", "names": "own,reversed"}
    asked = config(tasks=("mediator", "intervention"), variants=("graph",), models=("answers",), options=options)
    run_id = start(people.researcher, replace(asked, baselines=()))
    finished(study, people.researcher, run_id)
    page = failures.failures(people.researcher, FailureFilters(runs=(run_id,)), limit=100)
    by_key = {line.key: line.item_id for line in page.lines}
    found = query_items.answered_graph(people.researcher, by_key["small/json/given/own/mediator/graph/explained/A|B"])
    assert found is not None
    assert (found.matched, found.missed, found.spurious) == (frozenset("M"), frozenset("N"), frozenset("A"))
    assert found.wrong == ("X9",)
    assert found.asked == {"A": "A", "B": "B"}
    assert set(found.why.edges) == {("A", "M"), ("M", "B"), ("A", "N"), ("N", "B")}
    assert found.places.keys() == set(graph.nodes)
    turned = query_items.answered_graph(
        people.researcher, by_key["small/json/given/reversed/intervention/graph/explained/M"]
    )
    assert turned is not None
    assert (turned.matched, turned.why.cut) == (frozenset("A"), (("B", "M"),))
    assert turned.asked == {"M": "X"}
    assert ("M", "A") in {edge.pair for edge in turned.graph.edges}


@pytest.mark.both(usually=False)
def test_a_picture_is_sent_as_a_part_to_cards_that_take_it(
    study: Study, people: SimpleNamespace, server: RunningServer, tmp_path: Path
) -> None:
    server.forget()
    set_up(people.owner, server, ["sees"], takes_images=True, tokens_per_image=1_000)
    card = ModelCardDraft(name="reads", endpoint="lab", model="reads")
    model_cards.save_card(people.owner, card, seen=0, **act())
    graph = CausalGraph.of([Edge("A", "M"), Edge("M", "B")])
    options = {"graphs": as_option([("small", graph)]), "encodings": "json,picture", "names": "own,neutral"}
    wanted = config(tasks=("source",), variants=("graph",), models=("sees",), options=options)
    refused = planning.plan(people.researcher, replace(wanted, models=("reads",)))
    assert "The card of reads does not say that it accepts pictures" in refused.faults[0]
    server.play({"rules": [{"model": "sees", "answer": "<Answer>A</Answer>"}]})
    run_id = start(people.researcher, replace(wanted, baselines=()))
    progress = finished(study, people.researcher, run_id)
    assert progress.by_status[ItemStatus.ANSWERED] == 4
    with study.store.reading() as session:
        samples = {KeyParts.of(each.key)[1:4:2]: each.slots for each in session.exec(select(RunSampleRow))}
        kept = {row.sha256 for row in session.exec(select(FileRow))}
    pictures = {slots["picture"] for slots in samples.values() if "picture" in slots}
    assert len(pictures) == 2 and pictures <= kept
    again = {graph_pictures.picture_of(study, each)[0] for each in (graph, neutral(graph, 1).graph)}
    assert again == pictures, "the same bytes each time"
    if not study.store.is_sqlite:
        other = open_study(str(tmp_path / "other.edgewise"), tmp_path / "home")
        in_sqlite = {graph_pictures.picture_of(other, each)[0] for each in (graph, neutral(graph, 1).graph)}
        other.close()
        assert in_sqlite == pictures, "and in every database"
    assert bodies_with_pictures(study, run_id) <= {each["body_sha256"] for each in server.log()["entries"]}
    page = failures.failures(people.researcher, FailureFilters(runs=(run_id,), labels=(("encoding", ("picture",)),)))
    sheet = failures.item(people.researcher, page.lines[0].item_id)
    assert [role for role, _ in sheet.messages] == ["user", "user, picture", "user"]
    plan = planning.plan(people.researcher, replace(wanted, models=("sees",), baselines=()))
    assert (plan.requests, plan.cached) == (0, 4)
    (table, *_) = results.results(people.researcher, [run_id], "pictures")
    assert table.cells["sees", "Sources"].estimate.value is not None


def bodies_with_pictures(study: Study, run_id: str) -> set[str]:
    """SHA-256 of the requests with a picture as a server must get them: text, picture, text."""
    with study.store.reading() as session:
        row = runs.run_row(session, run_id)
        model, derived = read_plan(row).model("sees"), DerivedMessages.of(session, row)
        assert derived is not None
        found = [each for each in session.exec(select(RunSampleRow)) if "picture" in (each.slots or {})]
        said = [derived.messages(sample_as_stored(session, each.id)) for each in found]
        content_of = {
            each.sha256: read_file(study.store, session, each.sha256) for each in session.exec(select(FileRow))
        }
    bodies = set()
    for (question,) in said:
        before, picture, after = question.parts
        assert isinstance(before, Text) and isinstance(picture, File) and isinstance(after, Text)
        data = base64.b64encode(content_of[picture.sha256]).decode()
        content = [
            {"type": "text", "text": before.text},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}},
            {"type": "text", "text": after.text},
        ]
        body = {"model": "sees", "messages": [{"role": "user", "content": content}], "temperature": 0, "top_p": 1}
        body |= {name: value for name, value in model.parameters.items() if name not in body}
        text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        bodies.add(sha256(text.encode()).hexdigest())
    assert len(bodies) == 2
    return bodies


def test_a_picture_of_37_nodes_is_at_most_2048_pixels_long(study: Study) -> None:
    said = next(each.value for each in paper_set() if each.key == "alarm")
    graph = CausalGraph.of([Edge(*pair) for pair in said["edges"]], nodes=said["nodes"])
    _sha256, path = graph_pictures.picture_of(study, graph)
    with Image.open(path) as picture:
        assert 1_900 < max(picture.size) <= 2_048
