"""What stands before a first figure, the training's check on the screen, and the owner's part of both."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from components.desk.tab import desk_key, tab_key
from core.people import Role, Viewer
from core.transcription.practice import Correctness
from services.overview import overview
from services.study import Study
from services.transcription import guidelines, lists, practice, queue, reading, transcribing
from services.transcription.practice_figure import training_figure
from store.tables import new_id
from tests.pages.screen import button, desk_act, labels, leave_unsaved, param, texts
from tests.pages.screen import draw_alone as opened
from tests.pages.transcription.tabs import send

pytestmark = pytest.mark.usefixtures("untrained")
TRUE = training_figure().graph.edges


def draw_transcribe(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own
    from pages.transcription import screen as transcribe

    transcribe.show(viewer)


def draw_people(viewer) -> None:  # type: ignore[no-untyped-def]
    from pages.people import screen as people

    people.show(viewer)


def draw_overview(viewer) -> None:  # type: ignore[no-untyped-def]
    from pages.overview import screen as overview

    overview.show(viewer)


def act() -> dict[str, str]:
    return {"act_id": new_id()}


def draw_training(viewer: Viewer, edges: int) -> str:
    """The viewer's training with the first of its edges drawn, delays among them."""
    work = practice.begin(viewer, **act()).subject_id
    for number, edge in enumerate(TRUE[:edges], start=1):
        line = f'"{edge.source}" ->{edge.sign or ""} "{edge.sink}"'
        now = reading.transcription(viewer, work).version
        transcribing.add_lines(viewer, work, line, pasted=False, seen=now, **act())
        if edge.delay:
            drawn = reading.transcription(viewer, work)
            edge_id = drawn.record.ordered_edges()[number - 1].id
            transcribing.edit_edge(viewer, work, edge_id, "delay", True, seen=drawn.version, **act())
    return work


# --- the gate ---------------------------------------------------------------------------------------------------


def test_guidelines_come_first_then_the_training_then_the_figures(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    guidelines.save_guidelines(people.owner, "# Copying\n\n- Copy what is printed.", seen=0, **act())
    page = opened(draw_transcribe, people.annotator)
    assert labels(page) == ["Mark as read"]
    assert "Copy what is printed" in texts(page)
    button(page, "Mark as read").click().run()
    assert labels(page) == ["Start practice"]
    practice.waive(people.owner, people.annotator.person_id, **act())
    page.run()
    assert labels(page) == ["Take next figure", "Take"]


def test_a_link_to_a_figure_or_to_begun_work_is_held_back_until_then(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    page = opened(draw_transcribe, people.annotator, figure=a_figure.id)
    assert labels(page) == ["All transcriptions", "Start practice"]
    work = queue.assign(people.owner, a_figure.id, people.annotator.person_id, **act()).subject_id
    page = opened(draw_transcribe, people.annotator, transcription=work)
    assert "Before this figure" in texts(page)
    assert "Submit" not in labels(page)
    button(page, "All transcriptions").click().run()
    assert param(page, "transcription") == ""
    practice.waive(people.owner, people.annotator.person_id, **act())
    assert "Submit" in labels(opened(draw_transcribe, people.annotator, transcription=work))


def test_a_new_version_of_the_guidelines_is_asked_for_once_more(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    practice.waive(people.owner, people.annotator.person_id, **act())
    guidelines.save_guidelines(people.owner, "First.", seen=0, **act())
    guidelines.acknowledge(people.annotator, 1, **act())
    page = opened(draw_transcribe, people.annotator)
    assert labels(page) == ["Take next figure", "Take"]
    guidelines.save_guidelines(people.owner, "Second.", seen=1, **act())
    page.run()
    assert labels(page) == ["Mark as read"]
    guidelines.save_guidelines(people.owner, "Third.", seen=2, **act())
    button(page, "Mark as read").click().run()  # of the second: the third was never shown
    assert "The guidelines have a newer version." in texts(page)
    assert "Third" in texts(page)
    button(page, "Mark as read").click().run()
    assert labels(page) == ["Take next figure", "Take"]


def test_an_owner_may_go_on_without_the_training_and_an_annotator_may_not(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    assert "Waive practice" not in labels(opened(draw_transcribe, people.annotator))
    page = opened(draw_transcribe, people.owner)
    button(page, "Waive practice").click().run()
    assert "Take" in labels(page)


def test_reviewers_open_handed_in_work_without_any_of_it(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    guidelines.save_guidelines(people.owner, "First.", seen=0, **act())
    work = queue.assign(people.owner, a_figure.id, people.annotator.person_id, **act()).subject_id
    transcribing.add_lines(people.annotator, work, "A -> B", pasted=False, seen=1, **act())
    transcribing.submit(people.annotator, work, seen=2, **act())
    for viewer in (people.reviewer, people.owner):
        assert "Accept transcription" in labels(opened(draw_transcribe, viewer, transcription=work))


def test_the_overview_puts_what_stands_before_a_figure_first(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    first = overview(people.annotator).next_steps[0]
    assert (first.sentence, first.page, first.link) == ("Draw the practice diagram", "transcribe", {})
    assert f"**{first.sentence}**" in texts(opened(draw_overview, people.annotator)).split("Recent events")[0]
    guidelines.save_guidelines(people.owner, "First.", seen=0, **act())
    assert "Version 1 is new to you" in texts(opened(draw_overview, people.annotator))
    assert "Version 1 is new to you" not in texts(opened(draw_overview, people.expert))


# --- the check --------------------------------------------------------------------------------------------------


def test_the_training_is_begun_from_the_gate_and_gone_on_with(sqlite_study: Study, people: SimpleNamespace) -> None:
    page = opened(draw_transcribe, people.annotator)
    button(page, "Start practice").click().run()
    assert not page.exception
    work = param(page, "transcription")
    assert practice.is_training(people.annotator, work)
    assert "Submit" not in labels(page)
    assert button(page, "Check my work").disabled  # nothing is drawn
    assert "Continue practice" in labels(opened(draw_transcribe, people.annotator))


def test_slips_are_listed_with_their_places_and_the_rule_of_passing(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    work = draw_training(people.annotator, len(TRUE) - 1)
    page = opened(draw_transcribe, people.annotator, transcription=work)
    button(page, "Check my work").click().run()
    assert not page.exception
    shown = texts(page)
    assert "**1. Missed** · right" in shown
    assert f"An arrow runs from “{TRUE[-1].source}” to “{TRUE[-1].sink}”, with a plus; you have not drawn it." in shown
    assert shown.count("as printed.") == len(TRUE) - 1
    (expander,) = [each for each in page.expander if each.label.startswith("Check 1")]
    assert expander.label == f"Check 1: {len(TRUE) - 1} of {len(TRUE)} edges right, 1 to correct"
    assert "Submit" not in labels(page)
    again = opened(draw_transcribe, people.annotator, transcription=work)  # after a reload the list is still there
    assert "**1. Missed** · right" in texts(again)


def test_work_is_checked_once_every_change_is_saved_and_right_after_an_act_of_the_desk(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    work = draw_training(people.annotator, 3)
    page = opened(draw_transcribe, people.annotator, transcription=work)
    leave_unsaved(page, desk_key("transcription", work), 3)
    assert (button(page, "Check my work").disabled, button(page, "Check my work").help) == (
        True,
        "3 changes are not saved yet.",
    )
    leave_unsaved(page, desk_key("transcription", work), 0)
    held = page.session_state[tab_key("transcription", work)]
    assert send(held, people.annotator, desk_act("undo")).refused == {}
    button(page, "Check my work").click().run()
    assert not page.exception and not page.error
    assert not held.is_stale and "Check 1" in page.expander[0].label


def test_a_passed_training_says_so_and_opens_the_first_figure(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = draw_training(people.annotator, len(TRUE))
    page = opened(draw_transcribe, people.annotator, transcription=work)
    button(page, "Check my work").click().run()
    assert not page.exception
    assert f"Passed at the first check: all {len(TRUE)} edges are as printed." in texts(page)
    assert "Check my work" not in labels(page)
    button(page, "First figure").click().run()
    (mine,) = lists.own_lists(people.annotator).mine
    assert (mine.figure_id, mine.assignment_id) == (a_figure.id, param(page, "transcription"))


def test_a_check_of_a_stale_copy_is_told_and_counted_as_no_try(sqlite_study: Study, people: SimpleNamespace) -> None:
    work = draw_training(people.annotator, 3)
    page = opened(draw_transcribe, people.annotator, transcription=work)
    transcribing.undo(people.annotator, work, seen=reading.transcription(people.annotator, work).version, **act())
    button(page, "Check my work").click().run()
    assert "changed elsewhere" in texts(page)
    assert practice.last_check(people.annotator, work) is None
    button(page, "Check my work").click().run()
    found = practice.last_check(people.annotator, work)
    assert found is not None
    assert found.count(Correctness.RIGHT) == 2


# --- people -----------------------------------------------------------------------------------------------------


def test_the_owner_sees_how_each_stands_and_may_waive_or_ask_again(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    person = people.annotator.person_id
    page = opened(draw_people, people.owner, person=person)
    assert "Practice diagram: not started. Guidelines: not read yet." in texts(page)
    work = draw_training(people.annotator, len(TRUE))
    practice.check(people.annotator, work, seen=reading.transcription(people.annotator, work).version, **act())
    page.run()
    assert "Practice diagram: passed, 1 check." in texts(page)
    practice.ask_again(people.owner, person, **act())
    page.run()
    assert "Practice diagram: requested." in texts(page)


def test_the_guidelines_say_how_many_have_read_them(sqlite_study: Study, people: SimpleNamespace) -> None:
    guidelines.save_guidelines(people.owner, "First.", seen=0, **act())
    guidelines.acknowledge(people.annotator, 1, **act())
    page = opened(draw_people, people.owner, part="guidelines")
    assert "read by 1 of 3 others who may transcribe" in texts(page)


def test_working_as_a_newcomer_shows_the_newcomers_gate(
    sqlite_study: Study, newcomer: Callable[..., Viewer], a_figure: SimpleNamespace
) -> None:
    from services.people import access

    owner = newcomer("Somebody", Role.OWNER, is_local=True)
    other = newcomer("Demo newcomer", Role.ANNOTATOR, is_demo=True)
    practice.waive(owner, owner.person_id, **act())
    assert labels(opened(draw_transcribe, owner))[-1] == "Take"
    access.work_as(owner, other.person_id, **act())
    with sqlite_study.store.reading() as session:
        from store import sessions

        acting = sessions.live_viewer(session, owner.session_id, sqlite_study.clock())
    page = opened(draw_transcribe, acting)
    assert labels(page) == ["Start practice"]
    button(page, "Start practice").click().run()
    assert practice.due(acting).started == param(page, "transcription")
    assert practice.due(owner).started == param(
        page, "transcription"
    )  # the same session, whoever the page takes it for
