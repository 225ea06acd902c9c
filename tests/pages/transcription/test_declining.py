"""Declining a figure on the screens: the small form, the list of those who run the study, and the table of verdicts."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.people import Viewer
from core.transcription.declining import FigureVerdict
from services.adjudication import rounds
from services.study import Study
from services.transcription import declining, reading, transcribing
from store.tables import new_id
from tests.pages.screen import button, draw_alone, labels, param, plain, texts


def draw_transcribe(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own
    from pages.transcription import screen as transcribe

    transcribe.show(viewer)


def draw_agreement(viewer) -> None:  # type: ignore[no-untyped-def]
    from pages.agreement import screen as agreement

    agreement.show(viewer)


def draw_adjudicate(viewer) -> None:  # type: ignore[no-untyped-def]
    from pages.adjudication import screen as adjudicate

    adjudicate.show(viewer)


def taken(viewer: Viewer, figure_id: str) -> str:
    return transcribing.take(viewer, figure_id, act_id=new_id()).subject_id


def declined(viewer: Viewer, figure_id: str, verdict: FigureVerdict = FigureVerdict.ILLEGIBLE) -> str:
    work = taken(viewer, figure_id)
    declining.decline(viewer, work, verdict, "Too *grey* to read", seen=1, act_id=new_id())
    return work


def submitted(viewer: Viewer, figure_id: str) -> str:
    work = taken(viewer, figure_id)
    transcribing.add_lines(viewer, work, "Rain -> Harvest", pasted=False, seen=1, act_id=new_id())
    transcribing.submit(viewer, work, seen=2, act_id=new_id())
    return work


def test_an_annotator_declines_with_a_reason_and_the_next_figure_opens(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, another_figure: object
) -> None:
    another_figure("Another paper")  # type: ignore[operator]
    work = taken(people.annotator, a_figure.id)
    page = draw_alone(draw_transcribe, people.annotator, transcription=work)
    button(page, "Decline and next").click().run()
    assert "Choose what the figure shows." in texts(page)
    page.radio[0].set_value(FigureVerdict.ILLEGIBLE)
    button(page, "Decline and next").click().run()
    assert [plain(each.value) for each in page.error] == ["Write why there is no graph to draw here."]
    page.text_area[0].set_value("Too grey")
    button(page, "Decline and next").click().run()
    assert not page.exception and not page.error
    assert reading.transcription(people.annotator, work).state == "declined"
    following = param(page, "transcription")
    assert following not in ("", work) and "Declined " in texts(page)
    assert reading.transcription(people.annotator, following).state == "open"


def test_with_nothing_further_free_the_lists_say_so(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = taken(people.annotator, a_figure.id)
    transcribing.add_lines(people.annotator, work, "Rain -> Harvest", pasted=False, seen=1, act_id=new_id())
    page = draw_alone(draw_transcribe, people.annotator, transcription=work)
    button(page, "Submit").click().run()
    button(page, "Submit and next").click().run()
    assert not page.exception
    assert reading.transcription(people.annotator, work).state == "submitted"
    assert "transcription" not in page.query_params
    assert "Submitted " in texts(page) and "for you now" in texts(page)


def test_submit_and_next_opens_the_next_figure_and_so_does_a_submitted_one(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, another_figure: object
) -> None:
    another_figure("Another paper")  # type: ignore[operator]
    work = submitted(people.annotator, a_figure.id)
    page = draw_alone(draw_transcribe, people.annotator, transcription=work)
    button(page, "Next figure").click().run()
    following = param(page, "transcription")
    assert following not in ("", work) and reading.transcription(people.annotator, following).may_edit


def test_a_declined_figure_says_why_and_offers_nothing_to_change(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    page = draw_alone(draw_transcribe, people.annotator, transcription=declined(people.annotator, a_figure.id))
    assert "Declined: Illegible" in texts(page) and "Too *grey* to read" in texts(page)
    assert {"All transcriptions", "Next figure", "Add comment"} == set(labels(page))
    lists = texts(draw_alone(draw_transcribe, people.annotator))
    assert "declined" in lists and "Illegible: Too" in lists


def test_the_owner_takes_a_figure_out_in_one_click_and_returns_it(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    declined(people.annotator, a_figure.id)
    page = draw_alone(draw_transcribe, people.owner, show="declined")
    assert "waiting for a second annotator" in texts(page) and "Exclude figure" not in labels(page)
    declined(people.colleague, a_figure.id)
    page.run()
    assert "both agree: illegible" in texts(page)
    button(page, "Exclude figure").click().run()
    assert not page.exception and "excluded" in texts(page) and "Saved " in texts(page)
    page.text_area[0].set_value("Zoom in")
    [each for each in page.button if each.label == "Reopen figure"][-1].click().run()
    assert not page.exception
    assert "Nobody has declined a figure" in texts(page)
    assert declining.declined_figures(people.owner).figures == ()


def test_agreement_shows_verdict_by_verdict_and_says_what_the_tables_leave_out(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    declined(people.annotator, a_figure.id)
    submitted(people.colleague, a_figure.id)
    page = draw_alone(draw_agreement, people.reviewer)
    assert not page.exception
    assert any("1 figure declined by one annotator or both" in each.label for each in page.expander)
    shown = texts(page)
    assert "only one unit was rated by two raters, and 3 are needed" in shown


def test_an_upheld_verdict_is_finished_as_a_figure_without_ground_truth(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    declined(people.annotator, a_figure.id)
    submitted(people.colleague, a_figure.id)
    page = draw_alone(draw_adjudicate, people.reviewer)
    assert "declined by one or both" in texts(page)
    case = rounds.begin(people.reviewer, a_figure.id, act_id=new_id()).subject_id
    page = draw_alone(draw_adjudicate, people.reviewer, adjudication=case)
    assert not page.exception and "Finish adjudication" in labels(page)


@pytest.mark.parametrize("role", ["annotator", "reviewer"])
def test_the_list_is_for_those_who_run_the_study(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, role: str
) -> None:
    declined(people.colleague, a_figure.id)
    page = draw_alone(draw_transcribe, getattr(people, role), show="declined")
    assert not page.exception and "grey" not in texts(page)
