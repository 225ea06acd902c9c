"""Typed text that is no act yet: kept for its writer alone, forgotten when emptied."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

from sqlmodel import select

from services import access
from services.drafts import draft, keep_draft
from services.study import Study
from store.tables import DraftRow, PersonRow


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


def test_endless_text_and_keys_are_cut(sqlite_study: Study, people: SimpleNamespace) -> None:
    keep_draft(people.annotator, "k", "x" * 300_000)
    assert len(draft(people.annotator, "k")) == 200_000
