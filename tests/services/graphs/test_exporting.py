"""Taking transcriptions out: whose, in which forms, with what is lost, and what cannot be written at all."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from core.errors import BadInput, Refused
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.people import Viewer
from core.sign import Sign
from exchange.bundle import read_bundle
from exchange.forms import GraphForm
from exchange.graphs import obstacle
from services.graphs import exporting
from services.study import Study
from services.transcription import transcribing
from store.tables import new_id
from tests.query_counts import asked, reads
from tests.shared_fixture import laid_once

LOOP = "Rain ->+ Harvest\nHarvest ->- Rain"


def draw(viewer: Viewer, figure_id: str, lines: str, *, submit: bool = True) -> str:
    work = transcribing.take(viewer, figure_id, act_id=new_id()).subject_id
    transcribing.add_lines(viewer, work, lines, pasted=False, seen=1, act_id=new_id())
    if submit:
        transcribing.submit(viewer, work, seen=2, act_id=new_id())
    return work


@pytest.fixture
def drawn(
    study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    another_figure: Callable[..., SimpleNamespace],
    request: pytest.FixtureRequest,
) -> SimpleNamespace:
    """A loop and a chain over one figure, submitted; a draft over another."""

    def make() -> SimpleNamespace:
        return SimpleNamespace(
            loop=draw(people.annotator, a_figure.id, LOOP),
            chain=draw(people.colleague, a_figure.id, "Rain -> Harvest -> Income"),
            draft=draw(people.annotator, another_figure("Second").id, "A -> B", submit=False),
        )

    return laid_once(request, study, make, people, a_figure)


@pytest.mark.parametrize("form", exporting.STUDY_FORMS)
def test_a_study_read_back_holds_the_graphs_that_were_drawn(
    drawn: SimpleNamespace, people: SimpleNamespace, form: GraphForm
) -> None:
    file = exporting.export_study(people.reviewer, form)
    graphs = {frozenset(one.graph.edges) for one in read_bundle(file.content, file.name)}
    assert graphs == {
        frozenset({Edge("Rain", "Harvest", Sign.PLUS), Edge("Harvest", "Rain", Sign.MINUS)}),
        frozenset({Edge("Rain", "Harvest"), Edge("Harvest", "Income")}),
    }


@pytest.mark.both
def test_one_file_holds_every_figure_with_pseudonyms_and_drafts_only_for_the_owner(
    drawn: SimpleNamespace, people: SimpleNamespace
) -> None:
    rows = csv.DictReader(
        io.StringIO(exporting.export_study(people.owner, GraphForm.CSV, with_drafts=True).content.decode())
    )
    listed = [(row["paper_title"], row["annotator"], row["state"]) for row in rows]
    assert sorted(set(listed)) == [
        ("Grain and people", "A1", "submitted"),
        ("Grain and people", "A6", "submitted"),
        ("Second", "A1", "open"),
    ]
    with pytest.raises(Refused, match="only the owner"):
        exporting.export_study(people.reviewer, GraphForm.CSV, with_drafts=True)


def test_a_form_for_one_graph_holds_no_study(drawn: SimpleNamespace, people: SimpleNamespace) -> None:
    forms = set(GraphForm) - set(exporting.STUDY_FORMS)
    assert GraphForm.GRAPHML in forms
    for form in forms:
        with pytest.raises(BadInput, match="only one graph"):
            exporting.export_study(people.owner, form)


@pytest.mark.parametrize("form", list(GraphForm))
def test_a_zip_holds_every_graph_or_names_it_in_any_form(
    drawn: SimpleNamespace, people: SimpleNamespace, form: GraphForm
) -> None:
    file = exporting.export_study_zip(people.reviewer, form)
    with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
        written = [name for name in archive.namelist() if name.endswith(form.suffix) and name[0].isdigit()]
        listed = "not-written.txt" in archive.namelist()
    assert len(written) + len(file.left_out) == 2
    assert listed == bool(file.left_out)
    loop = CausalGraph.of([Edge("Rain", "Harvest", Sign.PLUS), Edge("Harvest", "Rain", Sign.MINUS)])
    chain = CausalGraph.of([Edge("Rain", "Harvest"), Edge("Harvest", "Income")])
    for graph, annotator in ((loop, "A1"), (chain, "A6")):
        named = f"Grain and people · Figure 1 · {annotator}: {obstacle(graph, form)}"
        assert any(named in sentence for sentence in file.left_out) == bool(obstacle(graph, form))
    assert file.name.endswith(".zip")


def test_every_form_is_offered_with_what_it_loses_or_why_it_cannot_be() -> None:
    cyclic = CausalGraph.of([Edge("Rain", "Harvest", Sign.PLUS, note="seen"), Edge("Harvest", "Rain")])
    offers = {offer.form: offer for offer in exporting.offers("Grain & people", "Figure 1", cyclic)}
    assert list(offers) == list(GraphForm)
    assert offers[GraphForm.STANDARD].lost == ("signs", "notes")
    assert offers[GraphForm.CSV].lost == ()
    assert offers[GraphForm.CSV].name == "grain-people-figure-1.csv"
    assert offers[GraphForm.SAFE_CSV].name == "grain-people-figure-1-for-spreadsheets.csv"
    assert offers[GraphForm.BIF].obstacle
    assert not offers[GraphForm.JSON].obstacle


@pytest.mark.both(usually=False)
def test_one_transcription_leaves_in_every_form_that_can_hold_it(
    drawn: SimpleNamespace, people: SimpleNamespace
) -> None:
    for offer in exporting.offers("Grain and people", "Figure 1", CausalGraph.of([Edge("Rain", "Harvest")])):
        if not offer.obstacle:
            file = exporting.export_transcription(people.colleague, drawn.chain, offer.form)
            assert file.content
    with pytest.raises(Refused, match="blind"):
        exporting.export_transcription(people.annotator, drawn.chain, GraphForm.CSV)
    with pytest.raises(BadInput):
        exporting.export_transcription(people.annotator, drawn.loop, GraphForm.BIF)


def test_counts_are_those_of_the_file(drawn: SimpleNamespace, people: SimpleNamespace) -> None:
    counts = exporting.count_export(people.owner)
    assert (counts.graphs, counts.edges, counts.drafts, counts.draft_edges) == (2, 4, 1, 1)
    assert (exporting.count_export(people.reviewer).drafts, exporting.count_export(people.reviewer).graphs) == (0, 2)
    held = json.loads(exporting.export_study(people.owner, GraphForm.JSON).content)["graphs"]
    assert sum(len(graph["edges"]) for graph in held) == counts.edges


@pytest.mark.both(usually=False)
def test_more_graphs_need_no_more_queries(
    study: Study, people: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> None:
    def queries() -> int:
        with asked(reads) as statements:
            exporting.export_study(people.owner, GraphForm.CSV)
        return len(statements)

    draw(people.annotator, another_figure("One").id, LOOP)
    few = queries()
    for title in ("Two", "Three", "Four"):
        draw(people.annotator, another_figure(title).id, LOOP)
    assert queries() == few
