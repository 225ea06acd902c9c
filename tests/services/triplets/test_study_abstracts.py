"""Papers of the study as a corpus: those with an abstract, once, with what runs leave out of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import Missing, Refused
from core.papers.papers import PaperReference
from core.triplets.corpus import LeftOut
from services.papers import importing
from services.study import Study
from services.triplets import corpora, study_abstracts
from store.triplets import corpora as stored
from tests.services.run_parts import act


def paper(title: str, abstract: str, **given: Any) -> PaperReference:
    wanted = {"source": "The Journal of Finance", "publication_date": "2004-05", **given}
    return PaperReference(title=title, abstract=abstract, **wanted)


PAPERS = (
    paper("Rates", "Rates cut credit.", doi="10.1000/RATES", authors=("A. One", "B. Two"), url="https://example.org/r"),
    paper("Trees", "Trees cool streets.", source="PLOS ONE"),
    paper("No abstract", ""),
    paper("No date", "Taxes cut use.", publication_date=""),
)


def test_papers_with_an_abstract_become_a_corpus_once(study: Study, people: SimpleNamespace) -> None:
    with pytest.raises(Missing, match="No paper of this study has an abstract"):
        study_abstracts.take_papers(people.researcher, **act())
    for each in PAPERS:
        importing.add_reference(people.researcher, each, **act())
    now = study_abstracts.study_abstracts(people.researcher)
    assert (now.papers, now.without, now.taken, now.known) == (3, 1, 1, "")
    assert now.left_out == {LeftOut.OTHER_JOURNAL: 1, LeftOut.OTHER_YEAR: 1}
    key = study_abstracts.take_papers(people.researcher, licence="CC0-1.0", **act()).subject_id
    (line,) = corpora.corpora(people.researcher)
    assert (line.id, line.title, line.papers, line.taken, line.left_out) == (
        key,
        "Papers of the study",
        3,
        1,
        now.left_out,
    )
    with study.store.reading() as session:
        kept = {each.title: each for each in stored.papers(session, key)}
        about = stored.described(session, [kept["Rates"].id])[kept["Rates"].id]
    assert (kept["Rates"].external_id, kept["Rates"].year, kept["Rates"].abstract) == (
        "10.1000/rates",
        2004,
        "Rates cut credit.",
    )
    assert (about.author, about.url) == ("A. One; B. Two", "https://example.org/r")
    assert study_abstracts.study_abstracts(people.researcher).known == "Papers of the study"
    with pytest.raises(Refused, match="already in the study, as “Papers of the study”"):
        study_abstracts.take_papers(people.researcher, **act())
    importing.add_reference(people.researcher, paper("Later", "Rain helps."), **act())
    assert study_abstracts.study_abstracts(people.researcher).known == ""  # another corpus, if it is wanted
