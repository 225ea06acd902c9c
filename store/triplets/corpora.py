"""Corpora: papers known by their abstracts, of which no triplets are extracted yet. No function here commits. A
corpus is described by the study setting `corpora/<id>`; its papers are rows of `triplet_paper` under its id, so that
lists of triplets never contain it."""

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
    """A paper of a corpus."""

    id: str
    external_id: str
    title: str
    year: int | None
    venue: str
    jel_codes: str | None
    abstract: str


def corpus(session: Session, corpus_id: str) -> SettingRow:
    """Return the setting of a corpus. Raises Missing if there is none."""
    row = session.get(SettingRow, PREFIX + corpus_id)
    if row is None:
        raise Missing("There is no such corpus in this study.")
    return row


def corpora(session: Session) -> list[tuple[str, dict[str, Any], int]]:
    """Return (id, description, version) of every corpus, by import time."""
    query = select(SettingRow).where(col(SettingRow.key).startswith(PREFIX, autoescape=True))
    listed = [(row.key.removeprefix(PREFIX), dict(row.value), row.version) for row in session.exec(query)]
    return sorted(listed, key=lambda each: (each[1]["at"], each[0]))


def keep_corpus(session: Session, corpus_id: str, about: Mapping[str, Any]) -> SettingRow:
    key = PREFIX + corpus_id
    row = session.get(SettingRow, key) or SettingRow(key=key, value=None)
    row.value = dict(about)
    session.add(row)
    session.flush()
    return row


def imported_rows(corpus_id: str, papers: Iterable[Mapping[str, Any]]) -> ImportedRows:
    """Return the papers to import. papers: the columns of each row, except id and collection."""
    return ImportedRows(PAPER, ({"id": new_id(), "collection": corpus_id, "paper_id": None, **each} for each in papers))


class PaperOfRow(NamedTuple):
    """Printed details of a paper, without its abstract."""

    id: str
    author: str
    venue: str
    jel_codes: str | None
    url: str


def described(session: Session, ids: Sequence[str]) -> dict[str, PaperOfRow]:
    """Return papers of corpora by row id; unknown ids are missing."""
    columns = [PAPER.c[name] for name in PaperOfRow._fields]
    papers_by_id: dict[str, PaperOfRow] = {}
    for start in range(0, len(ids), CHUNK):
        query = select_columns(*columns).where(PAPER.c.id.in_(ids[start : start + CHUNK]))
        papers_by_id |= {row.id: PaperOfRow(*row) for row in session.execute(query)}
    return papers_by_id


def papers(session: Session, corpus_id: str) -> Iterator[AbstractRow]:
    columns = [PAPER.c[name] for name in AbstractRow._fields]
    query = select_columns(*columns).where(PAPER.c.collection == corpus_id).order_by(PAPER.c.external_id)
    for row in session.execute(query, execution_options={"yield_per": CHUNK}):
        yield AbstractRow(*row)
