"""Corpora in the store: papers known by their abstracts, of which no triplets are extracted yet. No function here
commits.

What is said of a corpus as a whole is a setting of the study under `corpora/<id>`, and its papers are rows of
`triplet_paper` under its id: apart from collections, so that nothing which lists triplets meets one without any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import select as select_columns
from sqlmodel import Session, col, select

from core.errors import Missing
from store.tables import SettingRow, metadata, new_id
from store.unfinished_imports import ImportedRows

PAPER = metadata.tables["triplet_paper"]
PREFIX = "corpora/"
CHUNK = 500


class AbstractRow(NamedTuple):
    """A paper of a corpus. `key`: its name there; `venue` as it was printed."""

    id: str
    external_id: str
    title: str
    year: int | None
    venue: str
    jel_codes: str | None
    abstract: str


def corpus(session: Session, corpus_id: str) -> SettingRow:
    """What is said of a corpus. Raises Missing if there is none."""
    row = session.get(SettingRow, PREFIX + corpus_id)
    if row is None:
        raise Missing("There is no such corpus in this study.")
    return row


def corpora(session: Session) -> list[tuple[str, dict[str, Any], int]]:
    """(id, what is said of it, version) of every corpus, in the order they came."""
    query = select(SettingRow).where(col(SettingRow.key).startswith(PREFIX, autoescape=True))
    found = [(row.key.removeprefix(PREFIX), dict(row.value), row.version) for row in session.exec(query)]
    return sorted(found, key=lambda each: (each[1]["at"], each[0]))


def keep_corpus(session: Session, corpus_id: str, about: Mapping[str, Any]) -> SettingRow:
    key = PREFIX + corpus_id
    row = session.get(SettingRow, key) or SettingRow(key=key, value=None)
    row.value = dict(about)
    session.add(row)
    session.flush()
    return row


def imported_rows(corpus_id: str, papers: Iterable[Mapping[str, Any]]) -> ImportedRows:
    """Papers, to be written. Each of `papers`: the columns of a row but its id and its collection."""
    return ImportedRows(PAPER, ({"id": new_id(), "collection": corpus_id, "paper_id": None, **each} for each in papers))


class PaperOfRow(NamedTuple):
    """What is printed of a paper besides its abstract."""

    id: str
    author: str
    venue: str
    jel_codes: str | None
    url: str


def described(session: Session, ids: Sequence[str]) -> dict[str, PaperOfRow]:
    """Papers of corpora by the ids of their rows, without those that there are not."""
    columns = [PAPER.c[name] for name in PaperOfRow._fields]
    found: dict[str, PaperOfRow] = {}
    for start in range(0, len(ids), CHUNK):
        query = select_columns(*columns).where(PAPER.c.id.in_(ids[start : start + CHUNK]))
        found |= {row.id: PaperOfRow(*row) for row in session.execute(query)}
    return found


def papers(session: Session, corpus_id: str) -> Iterator[AbstractRow]:
    """The papers of a corpus, in the order of their names."""
    columns = [PAPER.c[name] for name in AbstractRow._fields]
    query = select_columns(*columns).where(PAPER.c.collection == corpus_id).order_by(PAPER.c.external_id)
    for row in session.execute(query, execution_options={"yield_per": CHUNK}):
        yield AbstractRow(*row)
