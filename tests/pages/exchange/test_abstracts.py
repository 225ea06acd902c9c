"""Import / export alone: a file of abstracts is seen before it is kept, and is then a line under Triplets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from services.papers import importing
from services.study import Study
from services.triplets import corpora
from tests.pages.screen import draw_alone, drop, press, texts
from tests.services.run_parts import act
from tests.services.triplets.test_corpora import CONTENT
from tests.services.triplets.test_study_abstracts import PAPERS


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
    assert (
        "1 taken by runs; left out unless a run wants them: 1 without an abstract, 1 of another journal, 1 outside"
        in said
    )
    press(screen, "Import 4 abstracts")
    (kept,) = corpora.corpora(people.researcher)
    assert (kept.title, kept.papers) == ("mine", 4)
    listed = open_as(people.researcher, part="triplets")
    assert "No triplets yet." in texts(listed)
    press(listed, "Archive")
    assert corpora.corpora(people.researcher) == ()


def test_papers_of_the_study_become_a_corpus(open_as: Callable[..., AppTest], people: SimpleNamespace) -> None:
    assert "Make corpus" not in [each.label for each in open_as(people.researcher, part="triplets").button]
    for each in PAPERS:
        importing.add_reference(people.researcher, each, **act())
    screen = open_as(people.researcher, part="triplets")
    said = texts(screen)
    assert "3 papers of the study with an abstract, 1 without." in said
    assert "1 taken by runs; left out unless a run wants them: 1 of another journal, 1 outside 2000–2025" in said
    press(screen, "Make corpus")
    (kept,) = corpora.corpora(people.researcher)
    assert (kept.title, kept.papers) == ("Papers of the study", 3)
    assert "These papers are the corpus Papers of the study." in texts(open_as(people.researcher, part="triplets"))
