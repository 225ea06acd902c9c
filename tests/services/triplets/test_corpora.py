"""Corpora in a study: seen, kept, listed apart from triplets, archived."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import BadRow, Conflict, Missing, Refused
from core.triplets.corpus import LeftOut
from services.runs import planning
from services.study import Study
from services.triplets import corpora, lists
from store.triplets import corpora as stored
from tests.services.run_parts import act


def row(title: str, **given: Any) -> dict[str, Any]:
    return {"title": title, "abstract": f"{title} rises.", "year": 2004, "journal": "Econometrica"} | given


ROWS = [
    row("Wages", doi="10.1000/a", jel="J3, G"),
    row("Wages again", doi="10.1000/A"),
    row("Rents", journal="Nature"),
    row("Taxes", year=1999),
    row("Prices", abstract=""),
]
CONTENT = "\n".join(map(json.dumps, ROWS)).encode()


@pytest.mark.both
def test_a_corpus_is_seen_kept_and_listed_with_what_runs_leave_out(study: Study, people: SimpleNamespace) -> None:
    look = corpora.preview_corpus(people.researcher, "mine.jsonl", CONTENT)
    left_out = {LeftOut.NO_ABSTRACT: 1, LeftOut.OTHER_JOURNAL: 1, LeftOut.OTHER_YEAR: 1}
    assert (look.entries, look.papers, look.repeats, look.taken, look.left_out) == (5, 4, 1, 1, left_out)
    key = corpora.import_corpus(people.researcher, "mine.jsonl", CONTENT, with_faulty=False, **act()).subject_id
    (line,) = corpora.corpora(people.annotator)
    assert (line.id, line.title, line.papers, line.repeats, line.taken, line.left_out) == (
        key,
        "mine",
        4,
        1,
        1,
        left_out,
    )
    with study.store.reading() as session:
        kept = {each.external_id: each for each in stored.papers(session, key)}
    assert len(kept) == 4  # all are kept, also those that runs leave out
    wages = kept["10.1000/a"]
    assert (wages.title, wages.year, wages.venue, wages.jel_codes, wages.abstract) == (
        "Wages",
        2004,
        "Econometrica",
        "J3, G",
        "Wages rises.",
    )
    assert corpora.preview_corpus(people.researcher, "again.jsonl", CONTENT).known == "mine"
    with pytest.raises(Refused, match="already in the study, as “mine”"):
        corpora.import_corpus(people.researcher, "again.jsonl", CONTENT, with_faulty=False, **act())


def test_papers_without_triplets_are_in_no_list_of_triplets(study: Study, people: SimpleNamespace) -> None:
    corpora.import_corpus(people.researcher, "mine.jsonl", CONTENT, with_faulty=False, **act())
    assert lists.collections(people.researcher, with_archived=True) == ()
    assert planning.options(people.researcher).offers["triplets"] == ()


def test_a_corpus_is_archived_and_restored_against_the_version_that_was_seen(
    study: Study, people: SimpleNamespace
) -> None:
    key = corpora.import_corpus(people.researcher, "mine.jsonl", CONTENT, with_faulty=False, **act()).subject_id
    corpora.archive_corpus(people.researcher, key, True, seen=1, **act())
    assert corpora.corpora(people.researcher) == ()
    with pytest.raises(Conflict):
        corpora.archive_corpus(people.researcher, key, False, seen=1, **act())
    corpora.archive_corpus(people.researcher, key, False, seen=2, **act())
    assert len(corpora.corpora(people.researcher)) == 1


def test_faulty_entries_keep_a_corpus_out_until_it_is_said_otherwise(study: Study, people: SimpleNamespace) -> None:
    content = CONTENT + b'\n{"title": ""}'
    with pytest.raises(BadRow, match="every paper needs a title"):
        corpora.import_corpus(people.researcher, "a.jsonl", content, with_faulty=False, **act())
    assert corpora.corpora(people.researcher) == ()
    corpora.import_corpus(people.researcher, "a.jsonl", content, with_faulty=True, **act())
    assert corpora.corpora(people.researcher)[0].papers == 4
    with pytest.raises(Missing, match="no readable paper"):
        corpora.import_corpus(people.researcher, "b.jsonl", b'{"title": ""}', with_faulty=True, **act())
