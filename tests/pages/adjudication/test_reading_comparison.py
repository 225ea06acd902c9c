"""The reading on the adjudicator's screen: beside A and B, what neither has, and what was changed after submitting."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from services.study import Study
from services.transcription import reading, transcribing
from store.tables import new_id
from tests.pages.screen import button, draw_alone, sent, texts
from tests.services.adjudication.test_reading_comparison import begin, mend, twice
from tests.services.transcription.post_submission.test_reader import READ, RIGHT, drawn
from tests.services.transcription.test_proposals import lay_down

__all__ = ["twice"]  # a fixture


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.adjudication import screen

    screen.show(viewer)


@pytest.fixture
def page(sqlite_study: Study, people: SimpleNamespace, twice: SimpleNamespace) -> AppTest:
    mend(people, twice)
    return draw_alone(draw, people.reviewer, adjudication=begin(people, twice))


def test_what_was_read_and_what_was_changed_stand_on_the_screen(page: AppTest) -> None:
    told = sent(page)
    assert "“Weather” → “Supply” was read and is in neither transcription" in told
    assert "vector lines" in told
    shown = texts(page)
    assert "B adopted the program's reading: “Waether” spelt “Weather”" in shown
    assert "B kept their own: “Weather” → “Supply” drawn, +" in shown


def test_finishing_says_how_much_was_read_that_neither_has(
    page: AppTest, people: SimpleNamespace, twice: SimpleNamespace
) -> None:
    button(page, "Finish adjudication").click().run()
    assert not page.exception
    told = texts(page)
    assert "2 edges that the program read are in neither transcription" in told
    assert "1 edge differs from the program's reading only in the delay mark" in told


def test_an_edge_that_differs_only_in_its_sign_is_called_so(
    open_one: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    """Both drew without a sign what the program read with one; nothing else differs."""
    lay_down(open_one, a_figure, READ)
    unsigned = RIGHT.replace("Demand ->+ Supply", "Demand -> Supply")
    for viewer in (people.annotator, people.colleague):
        work = drawn(viewer, a_figure.id, unsigned, submits=False)
        held = reading.transcription(viewer, work)
        (late,) = (edge for edge in held.record.edges.values() if held.record.nodes[edge.source_id].name == "Supply")
        transcribing.edit_edge(viewer, work, late.id, "delay", True, seen=held.version, act_id=new_id())
        transcribing.submit(viewer, work, seen=held.version + 1, act_id=new_id())
    case = begin(people, SimpleNamespace(figure=a_figure.id))
    page = draw_alone(draw, people.reviewer, adjudication=case)
    assert "“Demand” → “Supply” was read with another sign" in sent(page)
    button(page, "Finish adjudication").click().run()
    told = texts(page)
    assert "1 edge differs from the program's reading only in the sign" in told
    assert "in neither transcription" not in told
