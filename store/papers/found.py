"""Figures found on pages: which papers are looked through, what was found on their pages, and what was decided on it.

What was found is a derived row a page, of a producer and a version; the words of a page are no part of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func
from sqlmodel import Session, col, select

from core.papers.found import PageFigures
from store.papers.papers import is_of_study
from store.tables import DerivedRow, FigureRow, FileRow, PaperRow, RegionDecisionRow

PAGE = "page "
CHUNK = 500


class PaperToSearch(NamedTuple):
    """A paper whose pages are looked through: in use, not excluded, with a file."""

    id: str
    title: str
    sha256: str
    page_count: int
    filed_at: datetime


def papers_to_search(session: Session, ids: Iterable[str] | None = None) -> list[PaperToSearch]:
    """All of them, or those of these ids; oldest paper first."""
    columns: Any = (PaperRow.id, PaperRow.title, FileRow.sha256, FileRow.page_count, FileRow.created_at)
    query = (
        select(*columns)
        .join(FileRow, col(FileRow.sha256) == col(PaperRow.file_sha256))
        .where(is_of_study(), col(PaperRow.archived_at).is_(None), PaperRow.screening != "excluded")
        .order_by(col(PaperRow.created_at), col(PaperRow.id))
    )
    if ids is not None:
        query = query.where(col(PaperRow.id).in_(list(ids)))
    return [PaperToSearch(*row) for row in session.execute(query)]


def pages_done(session: Session, producer: str, version: str) -> dict[str, int]:
    """File → how many of its pages were looked at. No content is read: a study has thousands of pages."""
    query = (
        select(DerivedRow.source_hash, func.count())
        .where(DerivedRow.producer == producer, DerivedRow.producer_version == version)
        .group_by(col(DerivedRow.source_hash))
    )
    return dict(session.exec(query).all())


def pages_of(session: Session, sha256: str, producer: str, version: str) -> set[int]:
    """The pages of one file that were looked at."""
    query = select(DerivedRow.part).where(
        DerivedRow.source_hash == sha256, DerivedRow.producer == producer, DerivedRow.producer_version == version
    )
    return {int(part.removeprefix(PAGE)) for part in session.exec(query)}


def found_on(session: Session, hashes: Iterable[str], producer: str, version: str) -> dict[str, list[PageFigures]]:
    """File → its pages that were looked at, in order."""
    wanted, found = list(dict.fromkeys(hashes)), defaultdict[str, list[PageFigures]](list)
    for start in range(0, len(wanted), CHUNK):
        query = select(DerivedRow.source_hash, DerivedRow.part, DerivedRow.content).where(
            col(DerivedRow.source_hash).in_(wanted[start : start + CHUNK]),
            DerivedRow.producer == producer,
            DerivedRow.producer_version == version,
        )
        for sha256, part, content in session.exec(query):
            found[sha256].append(PageFigures.from_json(int(part.removeprefix(PAGE)), content))
    for pages in found.values():
        pages.sort(key=lambda page: page.number)
    return found


def figures_by_paper(session: Session, ids: Iterable[str]) -> dict[str, list[FigureRow]]:
    """Paper → its figures, archived ones too."""
    wanted, found = list(dict.fromkeys(ids)), defaultdict[str, list[FigureRow]](list)
    for start in range(0, len(wanted), CHUNK):
        query = select(FigureRow).where(col(FigureRow.paper_id).in_(wanted[start : start + CHUNK]))
        for row in session.exec(query.order_by(col(FigureRow.created_at), col(FigureRow.id))):
            found[row.paper_id].append(row)
    return found


def decisions_by_file(session: Session, hashes: Iterable[str]) -> dict[str, list[RegionDecisionRow]]:
    wanted, found = list(dict.fromkeys(hashes)), defaultdict[str, list[RegionDecisionRow]](list)
    for start in range(0, len(wanted), CHUNK):
        query = select(RegionDecisionRow).where(col(RegionDecisionRow.file_sha256).in_(wanted[start : start + CHUNK]))
        for row in session.exec(query):
            found[row.file_sha256].append(row)
    return found
