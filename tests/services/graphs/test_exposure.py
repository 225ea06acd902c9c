"""Which blind work was preceded by a look: told by name to those who run the study, by pseudonym under agreement."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from core.agreement.edges import View
from core.agreement.study_tables import AgreementTable
from core.people import Role, Viewer
from services.agreement import annotators, files
from services.agreement.annotators import Reference, study_agreement
from services.files import TableForm
from services.graphs import lab
from services.queue.work import return_claim
from services.study import Study
from services.transcription import transcribing
from services.transcription.work_kind import FIGURES
from tests.conftest import advance
from tests.services.import_parts import LINES, NAMES, act, bring_in, draw, hand_in, looks, show_loose
from tests.services.queue_hands import line_of
from tests.shared_fixture import laid_once


def marked(owner: Viewer, figure: SimpleNamespace) -> dict[str, str]:
    """Name → state of those whose work on the figure is not fully blind."""
    return {holder.name: holder.state for holder in line_of(owner, figure).not_blind}


@pytest.mark.both(usually=False)
def test_a_look_at_an_import_that_turns_out_to_be_of_the_figure_is_told(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    graph_id = bring_in(people.owner)
    show_loose(people.owner)
    work, _ = draw(people.annotator, a_figure.id, f"{NAMES[0]} -> {NAMES[1]}")
    assert marked(people.owner, a_figure) == {}
    lab.open_graph(people.annotator, graph_id)  # it is like nothing yet
    looked_at = study.clock()
    assert marked(people.owner, a_figure) == {}
    advance(study, minutes=5)
    transcribing.add_lines(people.annotator, work, f"{NAMES[1]} -> {NAMES[2]}", pasted=False, seen=2, **act())
    assert marked(people.owner, a_figure) == {"The annotator": "open"}
    hand_in(people.annotator, work)
    (holder,) = line_of(people.owner, a_figure).done
    assert (holder.looked_at, marked(people.owner, a_figure)) == (looked_at, {"The annotator": "submitted"})


def test_a_look_after_submitting_is_no_early_one_until_the_work_comes_back(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    graph_id = bring_in(people.owner, figure=a_figure.id)
    work, _ = draw(people.annotator, a_figure.id, submit=True)
    lab.open_graph(people.annotator, graph_id)
    assert marked(people.owner, a_figure) == {}
    transcribing.return_to_annotator(people.reviewer, work, "Again", **act())
    assert marked(people.owner, a_figure) == {"The annotator": "returned"}
    hand_in(people.annotator, work)
    assert marked(people.owner, a_figure) == {"The annotator": "submitted"}


@pytest.mark.both(usually=False)
def test_a_colleagues_work_seen_between_two_submissions_is_told_too(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    mine, _ = draw(people.researcher, a_figure.id, submit=True)
    _, theirs = draw(people.colleague, a_figure.id, submit=True)
    lab.open_graph(people.researcher, theirs)
    assert marked(people.owner, a_figure) == {}
    transcribing.return_to_annotator(people.reviewer, mine, "Again", **act())
    hand_in(people.researcher, mine)
    assert marked(people.owner, a_figure) == {"The researcher": "submitted"}


@pytest.mark.parametrize("kind", ["attached", "loose"])
def test_bringing_in_an_import_of_a_figure_one_is_drawing_is_told(
    kind: str, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work, _ = draw(people.researcher, a_figure.id, LINES)
    bring_in(people.researcher, figure=a_figure.id if kind == "attached" else None)
    hand_in(people.researcher, work)
    assert marked(people.owner, a_figure) == {"The researcher": "submitted"}


def test_who_brought_a_graph_in_before_anything_was_drawn_knew_it(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    bring_in(people.researcher)
    draw(people.researcher, a_figure.id, LINES, submit=True)
    assert looks(study) == []
    assert marked(people.owner, a_figure) == {"The researcher": "submitted"}


@pytest.mark.both
def test_the_order_is_the_historys_and_not_the_clocks(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    graph_id = bring_in(people.owner, figure=a_figure.id)
    draw(people.annotator, a_figure.id, submit=True)
    advance(study, hours=-1)
    lab.open_graph(people.annotator, graph_id)
    assert marked(people.owner, a_figure) == {}


def test_nobody_else_is_marked_and_who_gave_up_is_not(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    third = newcomer("The third", Role.RESEARCHER)
    graph_id = bring_in(people.owner, figure=a_figure.id)
    work, _ = draw(third, a_figure.id)
    return_claim(people.owner, FIGURES, work, **act())
    lab.open_graph(third, graph_id)
    draw(people.annotator, a_figure.id, submit=True)
    assert marked(people.owner, a_figure) == {}


# --- under agreement ---------------------------------------------------------------------------------------------


@pytest.fixture
def looked(
    study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    another_figure: Callable[..., SimpleNamespace],
    request: pytest.FixtureRequest,
) -> SimpleNamespace:
    """Two figures drawn twice; of one the annotator, A1, saw an import before submitting again."""

    def make() -> SimpleNamespace:
        other = another_figure("Rice")
        for viewer in (people.annotator, people.colleague):
            draw(viewer, other.id, submit=True)
            advance(study, minutes=1)
        graph_id = bring_in(people.owner, figure=a_figure.id)
        work, _ = draw(people.annotator, a_figure.id, submit=True)
        draw(people.colleague, a_figure.id, "A -> C", submit=True)
        lab.open_graph(people.annotator, graph_id)
        transcribing.return_to_annotator(people.reviewer, work, "Again", **act())
        advance(study, minutes=1)
        hand_in(people.annotator, work)
        return a_figure

    return laid_once(request, study, make, people, a_figure)


def test_agreement_names_the_pair_and_counts_it_like_the_others(
    looked: SimpleNamespace, people: SimpleNamespace
) -> None:
    found = study_agreement(people.reviewer)
    assert len(found.figures) == 2 and len(annotators.table_21(found, View.PRINTED)) == 3
    (figure,) = found.not_blind
    assert (figure.figure_id, figure.looked) == (looked.id, ("A1",))


@pytest.mark.both(usually=False)
def test_its_files_say_so(looked: SimpleNamespace, people: SimpleNamespace) -> None:
    def written(part: AgreementTable, form: TableForm) -> bytes:
        return files.export_table(people.reviewer, part, View.PRINTED, Reference.FIRST, form).content

    lines = [
        line.split(",") for line in written(AgreementTable.TABLE_21, TableForm.CSV).decode("utf-8-sig").splitlines()
    ]
    assert lines[0][-1].strip('"') == "not fully blind"
    assert sorted(line[-1].strip('"') for line in lines[1:]) == ["", "", "A1"]
    told = "1 figure is not fully blind, but counted like the others"
    assert told in written(AgreementTable.TABLE_20, TableForm.LATEX).decode()
    assert told in files.format_exposures(study_agreement(people.reviewer))


def test_a_study_without_looks_says_nothing(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    for viewer in (people.annotator, people.colleague):
        draw(viewer, a_figure.id, submit=True)
        advance(study, minutes=1)
    found = study_agreement(people.reviewer)
    assert (found.not_blind, files.format_exposures(found)) == ((), "")
