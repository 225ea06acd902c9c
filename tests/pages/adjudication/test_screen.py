"""Adjudicate alone: the lists, the door to a desk, what its acts become, finishing, reopening, and what comes back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.desk.posting.acts import read_acts
from components.desk.tab import DeskAnswer, desk_key, tab_key
from core.adjudication.differences import Choice, DifferenceKind, Reason, edge_key
from core.errors import SignedOut, StoreUnavailable
from core.people import Viewer
from pages.adjudication.acts import PAGE, AdjudicationTab, apply, held_of
from services.adjudication import adjudicating, editor, feedback, rounds
from services.study import Study
from store.tables import new_id
from tests.pages.screen import button, choose_view, draw_alone, leave_unsaved, param, post, press, texts
from tests.pages.screen import desk_act as act
from tests.shared_fixture import laid_once
from tests.transcribed_twice import FIRST, SECOND, transcribe

WHY = {"reasons": [], "comment": "", "is_gap": False}
SIGN = edge_key(DifferenceKind.SIGN, "Income", "Debt")
ONLY_A = edge_key(DifferenceKind.EDGE, "Wells", "Rain")


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.adjudication import screen as adjudicate

    adjudicate.show(viewer)


def draw_work(viewer) -> None:  # type: ignore[no-untyped-def]
    from pages.transcription import screen as transcribe

    transcribe.show(viewer)


def open_as(viewer: Viewer, script: Callable[..., None] = draw, **link: str) -> AppTest:
    return draw_alone(script, viewer, **link)


@pytest.fixture
def twice(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, request: pytest.FixtureRequest
) -> SimpleNamespace:
    """The figure after two people handed it in; `first` and `second` are their transcriptions."""

    def make() -> SimpleNamespace:
        first = transcribe(people.annotator, a_figure.id, FIRST)
        second = transcribe(people.colleague, a_figure.id, SECOND)
        return SimpleNamespace(figure=a_figure.id, first=first, second=second)

    return laid_once(request, sqlite_study, make, people, a_figure)


@pytest.fixture
def begun(people: SimpleNamespace, twice: SimpleNamespace) -> str:
    return rounds.begin(people.reviewer, twice.figure, act_id=new_id()).subject_id


def send(viewer: Viewer, adjudication_id: str, *acts: dict[str, Any]) -> tuple[AdjudicationTab, DeskAnswer]:
    """The tab, and what it answers to acts that the desk posts."""
    held = held_of(viewer, adjudication_id)
    return held, post(held, partial(apply, adjudication_id), viewer, *acts)


def rule_all(viewer: Viewer, adjudication_id: str) -> None:
    """A is right about everything."""
    while (desk := editor.desk(viewer, adjudication_id)).waiting:
        adjudicating.rule(viewer, desk.id, desk.waiting[0], Choice.A, seen=desk.version, act_id=new_id())


def finish_all(viewer: Viewer, adjudication_id: str) -> None:
    rule_all(viewer, adjudication_id)
    seen = editor.desk(viewer, adjudication_id).version
    rounds.finish(viewer, adjudication_id, seen=seen, act_id=new_id())


# --- the lists --------------------------------------------------------------------------------------------------


def test_without_two_transcriptions_it_says_what_would_bring_a_figure_here(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    transcribe(people.annotator, a_figure.id, FIRST)
    page = open_as(people.reviewer)
    assert "Figures appear here once two other annotators have submitted theirs" in texts(page)
    assert not page.button


def test_a_figure_moves_from_ready_through_in_progress_to_finished_and_its_link_leads_to_the_same_desk(
    people: SimpleNamespace, twice: SimpleNamespace
) -> None:
    page = open_as(people.reviewer)
    assert "Ready to adjudicate" in texts(page)
    assert "2 transcriptions" in texts(page)
    button(page, "Adjudicate next figure").click().run()
    assert not page.exception
    opened = param(page, "adjudication")
    assert param(page, "figure") == ""
    begun = texts(open_as(people.reviewer))
    assert "In progress" in begun and "0 of 4 ruled" in begun
    assert param(open_as(people.reviewer, figure=twice.figure), "adjudication") == opened
    finish_all(people.reviewer, opened)
    page = open_as(people.reviewer)
    assert "Finished" in texts(page)
    assert [each.label for each in page.button] == ["Open"]
    assert param(open_as(people.researcher, figure=twice.figure), "adjudication") == opened


def test_the_link_to_a_figure_begins_its_desk(people: SimpleNamespace, twice: SimpleNamespace) -> None:
    first = param(open_as(people.reviewer, figure=twice.figure), "adjudication")
    assert editor.desk(people.reviewer, first).figure.id == twice.figure


def test_who_transcribed_a_figure_is_refused_at_its_link_and_does_not_see_it_listed(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    transcribe(people.researcher, a_figure.id, FIRST)
    transcribe(people.colleague, a_figure.id, SECOND)
    assert "Ready to adjudicate" not in texts(open_as(people.researcher))
    page = open_as(people.researcher, figure=a_figure.id)
    assert page.error
    button(page, "All figures").click().run()
    assert not page.error


# --- the desk's acts --------------------------------------------------------------------------------------------


def test_the_acts_of_the_desk_are_kept_in_their_order_and_answered_once(
    people: SimpleNamespace, begun: str, memory: dict[str, Any]
) -> None:
    acts = [
        act("rule", key=SIGN, choice="A", reasons=["sign misread"], comment="seen twice", is_gap=True),
        act("rule", key=ONLY_A, choice="B", **WHY),
        act("note", key=ONLY_A, reasons=["overlooked"], comment="", is_gap=False),
        act("set_arrow", source="Rain", sink="Wells", is_there=True, sign="+", delay=True, **WHY),
        act("set_arrow", source="Rain", sink="Debt", is_there=False, sign="", delay=False, **WHY),
    ]
    held, answer = send(people.reviewer, begun, *acts)
    assert answer.done == tuple(each["id"] for each in acts)
    assert send(people.reviewer, begun, *acts)[1].done == answer.done  # the browser did not get the answer
    desk = editor.desk(people.reviewer, begun)
    ruled = {one.difference.key: one.ruling for one in desk.differences}
    assert ruled[SIGN] is not None
    assert (ruled[SIGN].choice, ruled[SIGN].reasons, ruled[SIGN].comment, ruled[SIGN].is_gap) == (
        Choice.A,
        (Reason.SIGN,),
        "seen twice",
        True,
    )
    assert ruled[ONLY_A] is not None
    assert ruled[ONLY_A].reasons == (Reason.MISSED,)
    arrows = {(arrow.source, arrow.sink): arrow for arrow in desk.arrows}
    assert arrows["Rain", "Wells"].delay
    assert ("Rain", "Debt") not in arrows
    assert desk.version == held.seen


def test_names_are_ruled_taken_back_undone_and_ruled_again(
    people: SimpleNamespace, begun: str, memory: dict[str, Any]
) -> None:
    ruling = act(
        "rule_name", name="Snow", choice="B", reference="Wells", name_class="major mismatch", wording="", **WHY
    )
    send(people.reviewer, begun, ruling)
    desk = editor.desk(people.reviewer, begun)
    (snow,) = [one for one in desk.names if one.question.name == "Snow"]
    assert "Snow" in {node.wording for node in desk.nodes}
    assert snow.ruling is not None
    send(people.reviewer, begun, act("take_back", key=snow.question.key))
    send(people.reviewer, begun, act("undo"), act("undo"), act("redo"))
    (snow,) = [one for one in editor.desk(people.reviewer, begun).names if one.question.name == "Snow"]
    assert snow.ruling is not None
    assert snow.ruling.choice is Choice.B


def test_an_act_that_cannot_be_is_refused_with_a_reason_and_the_next_ones_go_on(
    people: SimpleNamespace, begun: str, memory: dict[str, Any]
) -> None:
    wrong = [act("rule", key=ONLY_A, choice="both", **WHY), act("rule", key="[]", choice="A", **WHY), act("dance")]
    right = act("rule", key=ONLY_A, choice="A", **WHY)
    _held, answer = send(people.reviewer, begun, *wrong, right)
    refused = answer.refused
    assert set(refused) == {each["id"] for each in wrong}
    assert "choose A, B" in refused[wrong[0]["id"]]
    assert answer.done == (right["id"],)


def test_an_act_about_an_older_copy_waits_and_nothing_is_overwritten(
    people: SimpleNamespace, begun: str, memory: dict[str, Any]
) -> None:
    held = held_of(people.reviewer, begun)
    adjudicating.rule(people.reviewer, begun, SIGN, Choice.B, seen=held.seen, act_id=new_id())  # in another tab
    waits = act("rule", key=ONLY_A, choice="A", **WHY)
    send(people.reviewer, begun, waits)
    assert held.is_stale
    assert [each.id for each in held.waiting] == [waits["id"]]
    held.use_newer()
    held.show(editor.desk(people.reviewer, begun).version, editor.desk(people.reviewer, begun))  # as the drawing does
    held, answer = send(people.reviewer, begun, waits)
    assert not held.is_stale
    assert answer.done == (waits["id"],)


@pytest.mark.parametrize("error", [SignedOut("Sign in again."), StoreUnavailable("The disk is full.")])
def test_an_act_stays_in_the_browser_while_it_cannot_be_kept(
    people: SimpleNamespace, begun: str, memory: dict[str, Any], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fails(*_given: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr(adjudicating, "rule", fails)
    with pytest.raises(type(error)):
        send(people.reviewer, begun, act("rule", key=ONLY_A, choice="A", **WHY))


# --- finish and reopen ------------------------------------------------------------------------------------------


def test_finish_says_why_it_waits_and_what_it_does_and_a_finished_case_is_reopened_for_a_reason(
    people: SimpleNamespace, begun: str
) -> None:
    read_only = open_as(people.researcher, adjudication=begun)
    assert "Held by someone else, read-only" in texts(read_only)
    assert not [each for each in read_only.button if each.label.startswith("Finish")]
    page = open_as(people.reviewer, adjudication=begun)
    assert "Cohen's kappa over all ordered pairs" in texts(page)
    waits = button(page, "Finish adjudication")
    assert waits.disabled
    assert waits.help == "4 differences to rule on."
    rule_all(people.reviewer, begun)
    page = open_as(people.reviewer, adjudication=begun)
    button(page, "Finish adjudication").click().run()
    assert "Both annotators see the 4 rulings" in texts(page)
    assert "Neither sees the other's name" in texts(page)
    # Finished, it leads on, and is reopened for a reason.
    finish_all(people.reviewer, begun)
    page = open_as(people.reviewer, adjudication=begun)
    assert {"Ground truth in the Graph lab", "Comparison of A and B", "Agreement in the study"} <= {
        element.value for element in page.text
    }
    assert "Freeze release" not in texts(page)
    assert "Freeze release" in texts(open_as(people.owner, adjudication=begun))
    button(page, "Reopen adjudication").click().run()
    assert "Write the reason for reopening" in texts(page)
    page.text_area[0].set_value("One arrow was seen later.")
    button(page, "Reopen adjudication").click().run()
    assert not page.error
    assert editor.desk(people.reviewer, begun).round == 2
    assert "round 2" in texts(page)


def test_an_adjudication_is_finished_once_every_change_is_saved_and_right_after_an_act_of_the_desk(
    people: SimpleNamespace, begun: str
) -> None:
    rule_all(people.reviewer, begun)
    page = open_as(people.reviewer, adjudication=begun)
    leave_unsaved(page, desk_key(PAGE, begun), 3)
    finish = button(page, "Finish adjudication")
    assert finish.disabled and finish.help.startswith("3 changes")
    leave_unsaved(page, desk_key(PAGE, begun), 0)
    press(page, "Finish adjudication")
    held = page.session_state[tab_key(PAGE, begun)]
    noted = act("note", key=SIGN, **WHY)
    assert held.answer(people.reviewer, read_acts({"acts": [noted]})).done == (noted["id"],)
    press(page, "Finish")
    assert not held.is_stale and not page.error
    assert editor.desk(people.reviewer, begun).state == "submitted"


# --- what comes back --------------------------------------------------------------------------------------------


def test_annotators_find_the_rulings_in_their_work_and_looking_marks_them_seen(
    people: SimpleNamespace, twice: SimpleNamespace, begun: str
) -> None:
    assert "What changed in your work" not in texts(open_as(people.colleague, draw_work))
    seen = editor.desk(people.reviewer, begun).version
    why: dict[str, Any] = {"comment": "It runs close to the name.", "is_gap": True}
    adjudicating.rule(people.reviewer, begun, SIGN, Choice.A, **why, seen=seen, act_id=new_id())
    finish_all(people.reviewer, begun)
    page = open_as(people.colleague, draw_work)
    assert "What changed in your work (1 new)" in texts(page)
    assert "your readings upheld: 0 of 4" in texts(page)
    assert "adjudicated · " in texts(page)
    assert "accepted" not in texts(page)  # beside that it would read as praise
    page = open_as(people.colleague, draw_work, feedback=twice.second)
    shown = texts(page)
    assert "4 edges the same in both" in shown  # Rain to Harvest and Debt, Harvest and Debt to Income
    assert shown.count("Overruled") == 4
    assert "yours: +" in shown
    assert "It runs close to the name." in shown and "the guidelines have a gap here" in shown
    for who in (people.annotator, people.reviewer):
        assert who.name not in shown
    assert not feedback.feedback_list(people.colleague)[0].is_new
    assert "(1 new)" not in texts(open_as(people.colleague, draw_work))
    assert feedback.feedback_list(people.annotator)[0].is_new  # each looks for themselves
    mine = texts(open_as(people.annotator, draw_work, feedback=twice.first))
    assert mine.count("Upheld") == 4
    # Rulings on another's work are not shown.
    page = open_as(people.annotator, draw_work, feedback=twice.second)
    assert page.error
    assert "Overruled" not in texts(page)
    button(page, "All transcriptions").click().run()
    assert not page.error


# --- from one case to the next ----------------------------------------------------------------------------------


def test_finish_and_next_opens_the_next_case_and_then_says_that_all_is_done(
    sqlite_study: Study, people: SimpleNamespace, begun: str, another_figure: Callable[..., SimpleNamespace]
) -> None:
    other = another_figure("Another paper")
    transcribe(people.annotator, other.id, FIRST)
    transcribe(people.colleague, other.id, FIRST)
    rule_all(people.reviewer, begun)
    page = open_as(people.reviewer, adjudication=begun)
    finish = next(each for each in page.button if each.label.startswith("Finish adjudication"))
    finish.click().run()
    button(page, "Finish and next").click().run()
    assert not page.exception
    following = param(page, "adjudication")
    assert following not in ("", begun) and "Finished " in texts(page)
    assert editor.desk(people.reviewer, begun).state == "submitted"
    assert editor.desk(people.reviewer, following).figure.id == other.id
    button(page, "Finish adjudication").click().run()
    button(page, "Finish and next").click().run()
    assert not page.exception
    assert "adjudication" not in page.query_params and "All figures are adjudicated" in texts(page)
    assert "Queue empty" not in texts(page)
    assert editor.desk(people.reviewer, following).state == "submitted"


def test_the_ground_truth_is_drawn_as_a_graph_once_somebody_chooses_that_view(
    people: SimpleNamespace, begun: str
) -> None:
    page = open_as(people.reviewer, adjudication=begun)
    held = page.session_state[tab_key(PAGE, begun)]
    assert held.mounted(people.reviewer)["drawing"] is None
    choose_view(page, desk_key(PAGE, begun), "graph")
    agreed = len(held.mounted(people.reviewer)["drawing"]["edges"])
    rule_all(people.reviewer, begun)
    assert 0 < agreed < len(held.mounted(people.reviewer)["drawing"]["edges"])
