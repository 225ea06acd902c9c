"""The study's own papers with abstracts, as a corpus."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from core.errors import Missing
from core.people import Permission, Receipt, Viewer
from core.triplets.corpus import LeftOut, left_out
from services.acting import consulting
from services.triplets.corpora import corpus_id, import_corpus
from store.papers import papers
from store.tables import PaperRow
from store.triplets import corpora as stored

NAME = "papers of the study.jsonl"
TITLE = "Papers of the study"


@dataclass(frozen=True, slots=True)
class StudyAbstracts:
    """The corpus that the study's papers would make. Archived papers are not counted."""

    papers: int  # with an abstract
    without: int
    taken: int  # papers that a run uses
    left_out: Mapping[LeftOut, int]  # the others, by reason
    known: str  # title of the corpus, if there is one with exactly these papers


def study_abstracts(viewer: Viewer) -> StudyAbstracts:
    with consulting(viewer, Permission.CURATE) as r:
        rows, every = _rows(r.session)
        known = {key: about["title"] for key, about, _ in stored.corpora(r.session)}
    reasons = Counter(
        left_out(row.abstract, row.source, int(row.publication_date[:4]) if row.publication_date else None)
        for row in rows
    )
    return StudyAbstracts(
        papers=len(rows),
        without=every - len(rows),
        taken=reasons[None],
        left_out={why: reasons[why] for why in LeftOut if reasons[why]},
        known=known.get(corpus_id(_as_file(rows)), ""),
    )


def take_papers(viewer: Viewer, *, title: str = "", licence: str = "", act_id: str) -> Receipt:
    """Make a corpus of the study's current papers with an abstract; the receipt's subject is the corpus.

    Papers added later make another one. Raises Missing without such a paper, Refused if a corpus has exactly these.
    """
    with consulting(viewer, Permission.CURATE) as r:
        rows, _ = _rows(r.session)
    if not rows:
        raise Missing("No paper of this study has an abstract. Add abstracts under Papers, or import a file of them.")
    return import_corpus(
        viewer, NAME, _as_file(rows), with_faulty=False, title=title or TITLE, licence=licence, act_id=act_id
    )


def _rows(session: Session) -> tuple[list[PaperRow], int]:
    every = [line.row for line in papers.paper_lines(session)]
    complete = [row for row in every if row.abstract.strip() and row.title.strip()]
    return sorted(complete, key=lambda row: row.id), len(every)


def _as_file(rows: Sequence[PaperRow]) -> bytes:
    fields = (
        {
            "title": row.title,
            "abstract": row.abstract,
            "authors": row.authors,
            "year": row.publication_date,
            "journal": row.source,
            "doi": row.doi,
            "url": row.url,
        }
        for row in rows
    )
    return "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in fields).encode("utf-8", "surrogatepass")
