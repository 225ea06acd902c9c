"""New run, relations from abstracts: every corpus is taken, with the journals and years of the paper."""

from __future__ import annotations

from types import SimpleNamespace

from services.study import Study
from tests.pages.run_screens import draw_runs, opened, press, texts
from tests.services.extraction.invented_abstracts import bring_abstracts, rows


def test_a_corpus_is_taken_with_its_journals_and_years(sqlite_study: Study, people: SimpleNamespace) -> None:
    empty = opened(draw_runs, people.researcher, show="new", protocol="lee-pipeline")
    assert "No corpus of abstracts yet." in texts(empty)
    bring_abstracts(people.researcher, rows(3))
    page = opened(draw_runs, people.researcher, show="new", protocol="lee-pipeline")
    assert not page.exception
    assert {"First year", "Last year", "Maximum abstracts per year"} <= {each.label for each in page.number_input}
    journals = next(each for each in page.button_group if each.label == "Journals")
    assert len(journals.value) == 8
    press(page, "Start dry run")
    said = texts(page)
    assert not page.exception
    assert "Extraction" in said


def test_a_corpus_of_other_journals_alone_is_taken_from_any(sqlite_study: Study, people: SimpleNamespace) -> None:
    bring_abstracts(people.researcher, [{**row, "journal": "Invented Letters"} for row in rows(3)])
    page = opened(draw_runs, people.researcher, show="new", protocol="lee-pipeline")
    journals = next(each for each in page.button_group if each.label == "Journals")
    assert journals.value == ["any"]
    press(page, "Start dry run")
    assert not page.exception
    assert "No abstract is left" not in texts(page)
