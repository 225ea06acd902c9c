"""A graph built from a text: acts that its desk posts, and the buttons beside it."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from components.desk.posting.acts import read_acts
from components.desk.tab import desk_key, tab_key
from core.people import Viewer
from pages.readings.acts import PAGE, ReadingTab
from services.queue.work import claim_next
from services.readings import reading
from services.readings.work_kind import TEXT_GRAPHS
from services.study import Study
from store.tables import new_id
from tests.pages.screen import button, draw_alone, labels, leave_unsaved, press, texts
from tests.pages.screen import desk_act as act
from tests.services.readings.test_building import LAKE, asked


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.readings import screen

    screen.show(viewer)


@pytest.fixture
def work(sqlite_study: Study, people: SimpleNamespace) -> str:
    asked(people, LAKE, variants=("standard",))
    return claim_next(people.annotator, TEXT_GRAPHS, act_id=new_id()).subject_id


def send(page: AppTest, viewer: Viewer, work: str, *lines: str) -> ReadingTab:
    """The page's tab, after its desk has posted these lines; the page is not drawn again."""
    held: ReadingTab = page.session_state[tab_key(PAGE, work)]
    acts = [act("lines", text=line, pasted=False) for line in lines]
    answer = held.answer(viewer, read_acts({"acts": acts}))
    assert answer.done == tuple(each["id"] for each in acts)
    assert answer.data is not None and answer.data["figure"] is None
    return held


def edges(viewer: Viewer, work: str) -> list[tuple[str, str]]:
    return [(edge.source, edge.sink) for edge in reading.reading(viewer, work).record.graph().edges]


@pytest.fixture
def page(people: SimpleNamespace, work: str) -> AppTest:
    return partial(draw_alone, draw, people.annotator)(reading=work)


def test_lines_that_the_desk_posts_are_drawn_and_what_belongs_on_a_figure_is_refused(
    page: AppTest, people: SimpleNamespace, work: str
) -> None:
    held = send(page, people.annotator, work, "Rain -> Lake", "Lake -> Town")
    drawn = act("place_node", name="Well", x=1, y=1, box=None, origin="drawn")
    answer = held.answer(people.annotator, read_acts({"acts": [drawn]}))
    assert "does not know" in answer.refused[drawn["id"]]
    page.run()
    assert "Your edges name 3." in texts(page)
    assert edges(people.annotator, work) == [("Rain", "Lake"), ("Lake", "Town")]


def test_a_graph_is_not_submitted_while_changes_wait_in_the_browser(
    page: AppTest, people: SimpleNamespace, work: str
) -> None:
    send(page, people.annotator, work, "Rain -> Lake")
    leave_unsaved(page, desk_key(PAGE, work), 3)
    submit = button(page, "Submit")
    assert submit.disabled and submit.help.startswith("3 changes")
    leave_unsaved(page, desk_key(PAGE, work), 0)
    assert not button(page, "Submit").disabled


def test_submitting_right_after_an_act_of_the_desk_is_no_conflict(
    page: AppTest, people: SimpleNamespace, work: str
) -> None:
    send(page, people.annotator, work, "Rain -> Lake")
    page.run()
    press(page, "Submit")
    held = send(page, people.annotator, work, "Lake -> Town")
    press(page, "Submit graph")
    assert not held.is_stale and not page.error
    assert reading.reading(people.annotator, work).state == "submitted"
    assert edges(people.annotator, work) == [("Rain", "Lake"), ("Lake", "Town")]
    late = act("lines", text="Town -> Rain", pasted=False)
    answer = held.answer(people.annotator, read_acts({"acts": [late]}))
    assert "submitted" in answer.refused[late["id"]]
    assert "Submit" not in labels(page)
