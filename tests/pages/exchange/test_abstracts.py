"""Import / export alone: a file of abstracts is seen before it is kept, and is then a line under Triplets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from services.study import Study
from services.triplets import corpora
from tests.pages.screen import draw_alone, drop, press, texts
from tests.services.triplets.test_corpora import CONTENT


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.exchange import screen as exchange

    exchange.show(viewer)


@pytest.fixture
def open_as(sqlite_study: Study) -> Callable[..., AppTest]:
    return partial(draw_alone, draw)


def test_a_file_of_abstracts_says_what_runs_leave_out_and_becomes_a_corpus(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    screen = open_as(people.researcher, part="import")
    drop(screen, ("mine.jsonl", CONTENT + b'\n{"title": "", "abstract": ""}'))
    said = texts(screen)
    assert "4 papers; 1 entry repeated; 1 faulty entry" in said
    assert "1 taken by runs; left out unless a run wants them: 1 no abstract, 1 another journal, 1 outside" in said
    press(screen, "Import 4 abstracts")
    (kept,) = corpora.corpora(people.researcher)
    assert (kept.title, kept.papers) == ("mine", 4)
    listed = open_as(people.researcher, part="triplets")
    assert "No triplets yet." in texts(listed)
    press(listed, "Archive")
    assert corpora.corpora(people.researcher) == ()
