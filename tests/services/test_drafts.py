"""Typed text that is no act yet: kept for its writer alone, forgotten when emptied."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from sqlmodel import select

from services.drafts import archived_texts, begin_try, came_through, draft, forget_draft, keep_draft
from services.people import access
from services.study import Study
from store.tables import DraftRow, PersonRow

pytestmark = pytest.mark.both


def test_text_is_kept_changed_and_forgotten(study: Study, people: SimpleNamespace) -> None:
    assert draft(people.annotator, "comment") == ""
    keep_draft(people.annotator, "comment", "Half a sen")
    keep_draft(people.annotator, "comment", "Half a sentence – 日本 😀")
    assert draft(people.annotator, "comment") == "Half a sentence – 日本 😀"
    keep_draft(people.annotator, "comment", "")
    assert draft(people.annotator, "comment") == ""
    keep_draft(people.annotator, "comment", "")  # forgetting twice is no fault


def test_a_draft_is_its_writers_alone(study: Study, people: SimpleNamespace) -> None:
    keep_draft(people.annotator, "comment", "mine")
    assert draft(people.colleague, "comment") == ""
    assert draft(people.owner, "comment") == ""


def test_a_draft_outlives_the_session(study: Study, people: SimpleNamespace) -> None:
    keep_draft(people.annotator, "comment", "mine")
    with study.store.writing() as session:
        person = session.get(PersonRow, people.annotator.person_id)
        assert person is not None
        again = access.open_session(session, person, study.clock()).viewer
    assert draft(again, "comment") == "mine"


def test_eight_tabs_that_keep_the_first_draft_at_once_do_not_clash(study: Study, people: SimpleNamespace) -> None:
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda tab: keep_draft(people.annotator, "comment", f"tab {tab}"), range(8)))
    assert draft(people.annotator, "comment").startswith("tab ")
    with study.store.reading() as session:
        assert len(session.exec(select(DraftRow)).all()) == 1


def test_a_draft_is_forgotten_only_as_long_as_it_is_the_text_that_was_meant(
    study: Study, people: SimpleNamespace
) -> None:
    keep_draft(people.annotator, "comment", "the first tab’s")
    keep_draft(people.annotator, "comment", "the second tab’s")
    forget_draft(people.annotator, "comment", "the first tab’s")
    assert draft(people.annotator, "comment") == "the second tab’s"
    forget_draft(people.annotator, "comment", "the second tab’s")
    assert draft(people.annotator, "comment") == ""


def test_endless_text_and_keys_are_cut(sqlite_study: Study, people: SimpleNamespace) -> None:
    keep_draft(people.annotator, "k", "x" * 300_000)
    assert len(draft(people.annotator, "k")) == 200_000
    forget_draft(people.annotator, "k", "x" * 300_000)
    assert draft(people.annotator, "k") == ""


# --- drafts that break their page --------------------------------------------------------------------------------


def test_a_draft_that_broke_its_page_twice_is_put_away_and_not_loaded_a_third_time(
    study: Study, people: SimpleNamespace
) -> None:
    keep_draft(people.researcher, "paste", "#" * 60)
    for _ in range(2):
        assert draft(people.researcher, "paste") == "#" * 60
        begin_try(people.researcher, "paste", "#" * 60)  # and the server is killed
    assert draft(people.researcher, "paste") == ""
    assert draft(people.researcher, "paste") == ""
    (away,) = archived_texts(people.researcher, "paste")
    assert (away.text, away.at) == ("#" * 60, study.clock())
    assert archived_texts(people.owner, "paste") == ()
    keep_draft(people.researcher, away.key, "")
    assert archived_texts(people.researcher, "paste") == ()


def test_a_draft_that_came_through_is_never_put_away(sqlite_study: Study, people: SimpleNamespace) -> None:
    keep_draft(people.researcher, "paste", "A -> B")
    for _ in range(5):
        begin_try(people.researcher, "paste", "A -> B")
        came_through(people.researcher, ["paste", "another"])
    begin_try(people.researcher, "paste", "A -> B")
    assert draft(people.researcher, "paste") == "A -> B"
    assert archived_texts(people.researcher, "paste") == ()


def test_a_text_that_was_changed_is_tried_anew(sqlite_study: Study, people: SimpleNamespace) -> None:
    for text in ("one", "two", "two", "one", "one"):
        keep_draft(people.researcher, "paste", text)
        assert draft(people.researcher, "paste") == text
        begin_try(people.researcher, "paste", text)
    assert draft(people.researcher, "paste") == ""


def test_several_drafts_of_one_place_are_put_away_one_beside_the_other(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    for text in ("first", "second", "x" * 250_000):
        keep_draft(people.researcher, "paste", text)
        begin_try(people.researcher, "paste", text)
        begin_try(people.researcher, "paste", text)
        assert draft(people.researcher, "paste") == ""
    assert {len(each.text) for each in archived_texts(people.researcher, "paste")} == {5, 6, 200_000}
