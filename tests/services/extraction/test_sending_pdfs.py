"""Papers sent as PDFs, over the loopback server: also one that has no text to send."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.runs.states import RunState
from services.extraction import collecting
from services.extraction.lanes import papers_of
from services.runs import planning
from services.study import Study
from store.tables import FileRow, PaperRow
from tests.services.extraction.laid_papers import lay_papers
from tests.services.extraction.planted_papers import CRITICS, EXTRACT, KEEPS, META, READ, critic_answer
from tests.services.extraction.test_planted import config
from tests.services.run_parts import finished, set_up, start

CLAIM = {"treatment": "rain", "outcome": "yield", "sign": "+", "supporting_evidence": ["More rain raised yields."]}
RULES = [
    {"model": ".*", "matches": "Words of the text layer", "answer": "the text was sent"},
    {"model": EXTRACT, "answer": json.dumps([CLAIM])},
    {"model": READ, "matches": "Describe this paper", "answer": json.dumps(META)},
    {"model": READ, "answer": json.dumps(KEEPS)},
    {"model": "critic-.", "answer": critic_answer([3] * 6)},
]
PDF = {"embedder": "", "paper_as": "pdf"}


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def lay(study: Study, person_id: str) -> None:
    """A paper with a text layer, and a scan."""
    text = ["Words of the text layer. More rain raised yields."]
    ids = lay_papers(study, person_id, {"layered": text, "scanned": [*text, ""]})
    with study.store.writing() as session:
        paper = session.get(PaperRow, ids["scanned"])
        assert paper is not None
        file = session.get(FileRow, paper.file_sha256)
        assert file is not None
        file.has_text = False
        session.add(file)


def test_pdfs_go_to_cards_that_take_them_and_the_text_stays_here(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    server.play({"rules": RULES})
    set_up(people.owner, server, [EXTRACT, READ, *CRITICS], takes_pdfs=True, tokens_per_page=1_000)
    lay(study, people.owner.person_id)
    run_id = start(people.owner, config(options={**PDF, "pipeline_papers": "layered,scanned"}))
    assert finished(study, people.owner, run_id).state is RunState.DONE
    found = {key: those[0] for key, those in papers_of(people.owner, run_id).items()}
    assert {key: each.state.value for key, each in found.items()} == dict.fromkeys(("layered", "scanned"), "accepted")
    matches = {key: each.value["evidence"][0]["match"] for key, each in found.items()}
    assert matches == {"layered": "word for word", "scanned": "not found"}
    assert collecting.plan(people.owner, run_id).accepted == 2
    offers = planning.options(people.owner).offers["pipeline_papers"]
    assert isinstance(offers, tuple)
    offered = {each.key: each for each in offers}
    assert all(each.was_asked for each in offered.values())


def test_cards_that_take_no_pdf_and_papers_without_text_are_refused_in_words(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    set_up(people.owner, server, [EXTRACT, READ, *CRITICS])
    lay(sqlite_study, people.owner.person_id)
    scanned = planning.plan(people.owner, config(options={"pipeline_papers": "scanned"}))
    assert scanned.faults == (
        "Paper “About scanned” has no text layer; run it through OCR, or choose cards that take PDFs.",
    )
    run_id = start(people.owner, config(options={**PDF, "pipeline_papers": "layered"}))
    finished(sqlite_study, people.owner, run_id)
    assert papers_of(people.owner, run_id) == {}
