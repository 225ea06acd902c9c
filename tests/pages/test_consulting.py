"""A desk's script run consults the store once: one transaction, one look-up of who is asking, few statements."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from sqlalchemy import event
from streamlit.testing.v1 import AppTest

from components.state import key
from services.adjudication import rounds
from services.queue.work import claim_next
from services.study import Study
from services.transcription import guidelines, transcribing
from services.triplets.work_kind import TRIPLETS
from store.tables import new_id
from tests.pages.screen import draw_alone, texts
from tests.services.scoring_parts import bring_in, rows_of
from tests.transcribed_twice import FIRST, SECOND, transcribe


def draw_transcribe(viewer) -> None:  # type: ignore[no-untyped-def]  # each runs as a script of its own
    from pages.transcription import screen

    screen.show(viewer)


def draw_adjudicate(viewer) -> None:  # type: ignore[no-untyped-def]
    from pages.adjudication import screen

    screen.show(viewer)


def draw_triplets(viewer) -> None:  # type: ignore[no-untyped-def]
    from pages.triplets import screen

    screen.show(viewer)


@pytest.fixture
def asked(sqlite_study: Study) -> Iterator[list[str]]:
    """Every statement that goes to the store, with the BEGIN of each transaction."""
    statements: list[str] = []
    engines = (sqlite_study.store._reader, sqlite_study.store._writer)

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        statements.append(statement)

    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    yield statements
    for engine in engines:
        event.remove(engine, "before_cursor_execute", note)


def again(page: AppTest, asked: list[str]) -> tuple[int, int]:
    """(transactions, statements) of the page's next script run."""
    asked.clear()
    page.run()
    assert not page.exception
    begun = sum(each.startswith("BEGIN") for each in asked)
    return begun, len(asked) - begun


def test_transcribe_consults_once_a_run(people: SimpleNamespace, a_figure: SimpleNamespace, asked: list[str]) -> None:
    guidelines.save_guidelines(people.owner, "Draw what is printed.", seen=0, act_id=new_id())
    guidelines.acknowledge(people.annotator, 1, act_id=new_id())
    work = transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id
    transcribing.add_lines(people.annotator, work, "A -> B", pasted=False, seen=1, act_id=new_id())
    page = draw_alone(draw_transcribe, people.annotator, transcription=work)
    transactions, statements = again(page, asked)
    assert (transactions, statements <= 20) == (1, True)
    assert not any("FROM document_version" in each and ".text" in each for each in asked), "no guidelines are open"
    assert again(draw_alone(draw_transcribe, people.annotator), asked)[0] == 1


def test_guidelines_and_forms_of_export_are_drawn_where_they_are_opened(
    people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    guidelines.save_guidelines(people.owner, "Draw what is printed.", seen=0, act_id=new_id())
    guidelines.acknowledge(people.annotator, 1, act_id=new_id())
    work = transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id
    page = draw_alone(draw_transcribe, people.annotator, transcription=work)
    assert {each.label for each in page.expander} >= {"Guidelines (version 1)", "Download edges"}
    assert "Draw what is printed." not in texts(page)
    assert "Format" not in {each.label for each in page.selectbox}
    page.session_state[key("transcription", "guidelines")] = True
    page.session_state[key("transcription", "export")] = True
    page.run()
    assert "Draw what is printed." in texts(page)
    assert "Format" in {each.label for each in page.selectbox}


def test_adjudicate_consults_once_a_run(people: SimpleNamespace, a_figure: SimpleNamespace, asked: list[str]) -> None:
    transcribe(people.annotator, a_figure.id, FIRST)
    transcribe(people.colleague, a_figure.id, SECOND)
    begun = rounds.begin(people.reviewer, a_figure.id, act_id=new_id()).subject_id
    assert again(draw_alone(draw_adjudicate, people.reviewer, adjudication=begun), asked)[0] == 1


def test_triplets_consult_once_a_run(people: SimpleNamespace, sqlite_study: Study, asked: list[str]) -> None:
    bring_in(people.owner, rows_of(5))
    begun = claim_next(people.expert, TRIPLETS, act_id=new_id()).subject_id
    assert again(draw_alone(draw_triplets, people.expert, scoring=begun), asked)[0] == 1
    assert again(draw_alone(draw_triplets, people.expert), asked)[0] == 1
