"""Ground truth without adjudication: a figure's only transcription, and a graph imported as ground truth."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import BadInput, Conflict, Refused
from core.papers.releases import TruthOrigin, count_origins
from core.people import Viewer
from services.agreement.annotators import study_agreement
from services.graphs import imported_truths, importing, lab
from services.people import credit
from services.releases import releasing, settings
from services.study import Study
from services.texts.truths import truth_of
from services.transcription import transcribing
from store import history
from store.tables import AssignmentRow, new_id
from tests.services.release_parts import lay_truth
from tests.services.releases.test_releasing import draw, freeze, members

GRAPH = ("imported.csv", b"source,sink,sign\nRain,River,+\nRiver,Flood,+\n")


def let_count(owner: Viewer, single: str) -> None:
    settings.save_settings(owner, single, seen=settings.settings(owner).version, act_id=new_id())


def import_truth(viewer: Viewer, figure_id: str | None, *files: tuple[str, bytes]) -> str:
    given: dict[str, Any] = {"with_faulty": False, "figure_id": figure_id, "as_truth": True, "act_id": new_id()}
    receipt = importing.import_graphs(viewer, files or (GRAPH,), **given)
    return importing.imported_graphs(viewer, receipt.subject_id)[0].id


def reasons(viewer: Viewer) -> list[str]:
    return [each.reason for each in releasing.preview(viewer).left_out]


@pytest.mark.both
def test_a_single_transcription_counts_once_the_owner_lets_it(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = draw(people.annotator, a_figure.id, "A -> B\nB -> C")
    assert reasons(people.researcher) == ["one transcription has been submitted; two are needed"]
    let_count(people.owner, "reviewed")
    assert reasons(people.researcher) == ["one transcription has been submitted; it is not reviewed"]
    transcribing.accept(people.reviewer, work, act_id=new_id())
    preview = releasing.preview(people.researcher)
    assert (preview.figures, preview.edges, preview.origins, preview.left_out) == (1, 2, {"single": 1}, ())
    let_count(people.owner, "never")
    assert releasing.preview(people.researcher).figures == 0


def test_only_the_owner_decides_and_the_history_says_so(study: Study, people: SimpleNamespace) -> None:
    with pytest.raises(BadInput, match="found 'always'; expected one of never, reviewed, submitted"):
        let_count(people.owner, "always")
    let_count(people.owner, "submitted")
    with pytest.raises(Conflict):
        settings.save_settings(people.owner, "never", seen=0, act_id=new_id())
    with study.store.reading() as session:
        (event,) = [each for each in history.events_about(session, "releases") if each.act == "release.settings"]
    assert {name: event.payload[name] for name in ("before", "after")} == {
        "before": {"single": "never"},
        "after": {"single": "submitted"},
    }


@pytest.mark.both(usually=False)
def test_a_second_transcription_waits_for_adjudication_which_replaces_the_single_one(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    let_count(people.owner, "submitted")
    first = draw(people.annotator, a_figure.id, "A -> B")
    assert releasing.preview(people.researcher).origins == {"single": 1}
    second = draw(people.colleague, a_figure.id, "A -> C")
    assert reasons(people.researcher) == ["two submitted transcriptions are waiting for adjudication"]
    lay_truth(study, a_figure.id, "A -> B", by=people.reviewer.person_id, between=(first, second))
    assert releasing.preview(people.researcher).origins == {"adjudicated": 1}


def test_a_returned_transcription_is_no_ground_truth_any_more(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    let_count(people.owner, "submitted")
    work = draw(people.annotator, a_figure.id, "A -> B")
    with study.store.reading() as session:
        assert truth_of(session, a_figure.id).sha256 is not None
    transcribing.return_to_annotator(people.reviewer, work, "Look again", act_id=new_id())
    assert reasons(people.researcher) == ["no transcription has been submitted"]
    with study.store.reading() as session:
        assert truth_of(session, a_figure.id).sha256 is None


def test_a_release_of_what_changes_meanwhile_is_refused(people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    let_count(people.owner, "submitted")
    draw(people.annotator, a_figure.id, "A -> B")
    seen = releasing.preview(people.researcher).seen
    draw(people.colleague, a_figure.id, "A -> B")
    with pytest.raises(Conflict, match="has changed since this preview"):
        freeze(people.researcher, seen=seen)


# --- imported ------------------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_an_imported_graph_is_the_ground_truth_of_its_figure_until_it_is_archived(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    assert [each.id for each in imported_truths.figures_without_truth(people.owner)] == [a_figure.id]
    graph = import_truth(people.owner, a_figure.id)
    assert imported_truths.figures_without_truth(people.owner) == ()
    assert releasing.preview(people.researcher).origins == {"imported": 1}
    with pytest.raises(Refused, match=r"has an imported ground truth, .* Archive it first"):
        import_truth(people.owner, a_figure.id)
    importing.archive_graph(people.owner, graph, True, seen=1, act_id=new_id())
    assert releasing.preview(people.researcher).figures == 0
    other = import_truth(people.owner, a_figure.id)
    with pytest.raises(Refused, match="has an imported ground truth"):
        importing.archive_graph(people.owner, graph, False, seen=2, act_id=new_id())
    assert [each.id for each in importing.imported_graphs(people.owner)] == [other, graph]


def test_a_ground_truth_is_one_graph_of_one_figure(people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    with pytest.raises(BadInput, match="belongs to a figure"):
        import_truth(people.owner, None)
    with pytest.raises(BadInput, match=r"have 2 graphs\. Import one graph"):
        import_truth(people.owner, a_figure.id, GRAPH, ("b.csv", b"source,sink\nA,B\n"))


def test_a_figure_that_is_adjudicated_takes_no_import(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    graph = lay_truth(study, a_figure.id, "A -> B", state="open")
    with pytest.raises(Refused, match="is adjudicated in this study"):
        import_truth(people.owner, a_figure.id)
    with pytest.raises(Refused, match="Only imported and generated graphs can be archived"):
        importing.archive_graph(people.owner, graph, True, seen=1, act_id=new_id())


def test_an_annotator_who_may_draw_the_figure_does_not_see_the_imported_truth(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    graph = import_truth(people.owner, a_figure.id)
    assert graph in [line.id for line in lab.list_graphs(people.reviewer).lines]
    assert graph not in [line.id for line in lab.list_graphs(people.annotator).lines]


# --- what does not cover what --------------------------------------------------------------------------------------


@pytest.fixture
def twelve(
    study: Study, people: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> Sequence[SimpleNamespace]:
    """Twelve papers transcribed once, and two whose graph is imported; the owner lets single ones count."""
    figures = [another_figure(f"Paper {number:02}") for number in range(14)]
    for figure in figures[:12]:
        draw(people.annotator, figure.id, "Rain -> River\nRiver -> Flood")
    for figure in figures[12:]:
        import_truth(people.owner, figure.id)
    let_count(people.owner, "submitted")
    return figures


def test_release_card_agreement_and_credit_name_the_origins(
    people: SimpleNamespace, twelve: Sequence[SimpleNamespace]
) -> None:
    freeze(people.researcher)
    release = releasing.release(people.reviewer, 1)
    assert release.manifest["origins"] == {"single": 12, "imported": 2}
    assert count_origins(release.contents.values()) == {TruthOrigin.SINGLE: 12, TruthOrigin.IMPORTED: 2}
    assert {content["provenance"].get("reviewed") for content in release.contents.values()} == {False, None}
    files = members(people.reviewer)
    card = files["README.md"].decode()
    assert "12 diagrams were transcribed by one person and not adjudicated; a reviewer accepted 0 of them." in card
    assert "2 diagrams were imported as ground truth and not adjudicated here." in card
    assert (
        "Not known: no diagram of this release was transcribed twice and adjudicated (12 transcribed once, 2 imported)."
        in card
    )
    items: list[dict[str, Any]] = json.loads(files["manifest.json"])["manifest"]["items"]
    assert sorted(item["origin"] for item in items) == ["imported"] * 2 + ["single"] * 12
    agreement = study_agreement(people.reviewer)
    assert (agreement.once, agreement.imported) == (12, 2)
    report = credit.credit(people.owner)
    assert (report.single, report.imported) == (12, 2)
    (annotator,) = [line for line in report.people if line.transcriptions]
    assert (annotator.transcriptions, annotator.nodes, annotator.nodes_accepted) == (12, 36, 0)


def test_an_open_review_after_submitting_keeps_a_single_transcription_out(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    let_count(people.owner, "submitted")
    work = draw(people.annotator, a_figure.id, "A -> B")
    with study.store.writing() as session:
        row = session.get_one(AssignmentRow, work)
        row.late_opened_at = study.clock() - timedelta(minutes=1)
        session.add(row)
    assert reasons(people.researcher) == ["its annotator is comparing it with the program's reading"]
