"""Texts without a licence to redistribute: runs use them, and nothing that leaves the study has them."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace

import pyarrow.parquet as parquet
import pytest

from benchmarks.running_server import RunningServer, running_server
from core.analysis.slices import Slice
from core.people import Viewer
from core.runs.states import ItemStatus, RunState
from exchange.recite import read_default
from services.protocols.recite.public_tables import exporting
from services.releases import releasing
from services.results import results
from services.results.report import report_files
from services.runs import planning
from services.runs.exports import files
from services.study import Study
from services.texts import reading as texts
from services.transcription import transcribing
from store.tables import new_id
from tests.everything import EVERYTHING
from tests.services.releases.test_releasing import freeze, members
from tests.services.releases.test_single_truths import import_truth, let_count
from tests.services.releases.test_texts import license_paper
from tests.services.run_parts import finished, set_up, start
from tests.services.runs.narratives import wanted
from tests.services.text_parts import lay_pages, settle_truth
from tests.services.texts.test_labelling import NAMES, make_ready

IMPORTED = ("graph.csv", b"source,sink,sign\nRain,Lake,+\nLake,Town,+\n")
TEXTS = {"texts": "ready"}
WITHHELD = "Run 1: the text of 1 paper is withheld (its paper's licence is not named)."


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def text_of(viewer: Viewer, figure_id: str) -> str:
    view = texts.view(viewer, figure_id)
    assert view is not None
    return texts.content(viewer, view.last.sha256)


def passages(text: str) -> list[str]:
    """Every eight consecutive words of a text, as plain words."""
    words = re.findall(r"\w+", text.lower())
    return [" ".join(words[place : place + 8]) for place in range(len(words) - 7)]


def words_of(name: str, content: bytes) -> str:
    if name.endswith(".parquet"):
        content = str(parquet.read_table(io.BytesIO(content)).to_pylist()).encode()
    return " ".join(re.findall(r"\w+", content.decode("utf-8", "replace").replace("\\n", " ").lower()))


def zipped(viewer: Viewer, run_id: str) -> tuple[dict[str, bytes], tuple[str, ...]]:
    file = io.BytesIO()
    written = files.export_run(viewer, run_id, file)
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}, written.withheld


@pytest.fixture
def private(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> SimpleNamespace:
    """A figure with a ready text, of a paper whose licence is not recorded."""
    lay_pages(study, a_figure.sha256)
    settle_truth(study, a_figure.id, NAMES)
    make_ready(people, a_figure.id)
    return a_figure


def test_a_release_names_the_licence_as_the_reason_and_runs_use_the_text_without_a_release(
    study: Study, people: SimpleNamespace, private: SimpleNamespace
) -> None:
    license_paper(study, private, "CC BY-ND 4.0")
    (sentence,) = releasing.preview(people.researcher).private
    assert sentence.startswith("Release 1 contains no text of ")
    assert sentence.endswith(
        ": the paper's licence does not allow redistribution. It can still be used in runs of this study."
    )
    freeze(people.researcher)
    plan = planning.plan(people.researcher, wanted("", baselines=("hub",), options={"release": 1}))
    assert plan.faults == (f"{sentence} Choose the ready texts of this study (--texts ready).",)
    config = wanted("", baselines=("hub",), options=TEXTS)
    plan = planning.plan(people.researcher, config)
    assert (plan.faults, plan.samples) == ((), 2)
    run_id = start(people.researcher, config)
    assert finished(study, people.researcher, run_id).state is RunState.DONE


def test_a_run_takes_one_source_and_needs_a_ready_text(people: SimpleNamespace) -> None:
    plan = planning.plan(people.researcher, wanted("", baselines=("hub",), options=TEXTS))
    assert plan.faults == (
        "No figure of this study has finished ground truth and a ready text. Make texts ready under Papers.",
    )


@pytest.mark.both
def test_nothing_that_leaves_the_study_has_the_words_of_a_private_text(
    study: Study, people: SimpleNamespace, private: SimpleNamespace, server: RunningServer
) -> None:
    content = text_of(people.owner, private.id)
    searched = passages(content)
    assert len(searched) > 20
    set_up(people.owner, server, ("quotes",))
    answer = f'{content}\n\n{{"relationships": [{{"source": "Rain", "sink": "Lake"}}]}}'
    server.play({"rules": [{"model": "quotes", "answer": answer}]})
    run_id = start(people.researcher, wanted("", variants=("standard",), models=("quotes",), options=TEXTS))
    assert finished(study, people.researcher, run_id).by_status[ItemStatus.ANSWERED] == 1
    freeze(people.researcher)
    leaving, withheld = zipped(people.reviewer, run_id)
    tables = exporting.export_public(people.reviewer, [run_id])
    leaving |= {f"tables/{file.name}": file.content for file in tables.files}
    leaving |= {f"release/{name}": each for name, each in members(people.reviewer).items()}
    words = {name: words_of(name, each) for name, each in leaving.items()}
    found = {name: passage for name, each in words.items() for passage in searched if passage in each}
    assert found == {}
    assert withheld == (WITHHELD,) == tables.left_out
    assert json.loads(leaving["manifest.json"])["withheld"] == {"its paper's licence is not named": 1}
    assert b"[withheld]" in leaving["texts.jsonl"] and b"[withheld]" in leaving["items.jsonl"]
    (sample,) = read_default(leaving["tables/default.parquet"], "default.parquet").samples
    assert sample.input_text is None
    license_paper(study, private, "CC BY 4.0")
    leaving, withheld = zipped(people.reviewer, run_id)
    assert withheld == () and "withheld" not in json.loads(leaving["manifest.json"])
    assert set(searched) - {each for each in searched if each in words_of("", leaving["texts.jsonl"])} == set()


@pytest.mark.skipif(not EVERYTHING, reason="draws every chart; tests/services/results/test_report.py")
def test_a_report_has_no_word_of_a_private_text_and_says_why(
    sqlite_study: Study, people: SimpleNamespace, private: SimpleNamespace
) -> None:
    searched = passages(text_of(people.owner, private.id))
    run_id = start(people.researcher, wanted("", baselines=("hub",), variants=("names",), options=TEXTS))
    finished(sqlite_study, people.researcher, run_id)
    words = {name: words_of(name, each) for name, each in report_files(people.reviewer, [run_id]).items()}
    assert not [name for name, each in words.items() if any(passage in each for passage in searched)]
    assert words_of("", WITHHELD.replace("'", "&#x27;").encode()) in words["report.html"]


@pytest.fixture
def fourteen(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> Sequence[SimpleNamespace]:
    """Twelve papers transcribed once, two whose graph is imported; all with a ready text and without a licence."""
    figures = [a_figure, *(another_figure(f"Paper {number:02}") for number in range(13))]
    for figure in figures[:12]:
        work = transcribing.take(people.annotator, figure.id, act_id=new_id()).subject_id
        transcribing.add_lines(
            people.annotator, work, "Rain -> Lake\nLake -> Town\nTown -> Wells", pasted=False, seen=1, act_id=new_id()
        )
        transcribing.submit(people.annotator, work, seen=2, act_id=new_id())
    for figure in figures[12:]:
        import_truth(people.owner, figure.id, IMPORTED)
    let_count(people.owner, "submitted")
    for figure in figures:
        lay_pages(study, figure.sha256)
        make_ready(people, figure.id)
    return figures


def test_a_study_of_papers_transcribed_once_is_run_and_sliced_by_the_origin_of_its_ground_truth(
    study: Study, people: SimpleNamespace, fourteen: Sequence[SimpleNamespace]
) -> None:
    run_id = start(people.researcher, wanted("", baselines=("co-mention",), variants=("names",), options=TEXTS))
    assert finished(study, people.researcher, run_id).by_status[ItemStatus.ANSWERED] == 14
    by = "fact.truth_origin"
    assert by in results.facts(people.reviewer, [run_id])
    tables = [
        table
        for preset in results.presets_of(people.reviewer, [run_id])
        if preset.is_filled and preset.can_slice
        for table in results.results(people.reviewer, [run_id], preset.key, Slice(by=by), with_interval=False)
    ]
    counts = [{column: cell.n_scored for (_row, column), cell in table.cells.items()} for table in tables]
    assert len(counts) > 20 and all(each == {"imported": 2, "single": 12} for each in counts)
    freeze(people.researcher)
    release = releasing.release(people.reviewer, 1)
    assert release.manifest["origins"] == {"single": 12, "imported": 2}
    assert release.manifest["counts"]["texts"] == 0
    assert release.manifest["without"]["text"] == {"its paper's licence is not named": 14}
    card = members(people.reviewer)["README.md"].decode()
    assert "12 diagrams were transcribed by one person" in card and "2 diagrams were imported" in card
