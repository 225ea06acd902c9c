"""Figures detected on pages, and the decisions on them. Detected figures are one derived row per page, producer and
version; they do not include the page's words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func
from sqlmodel import Session, col, select

from core.papers.detected_figures import PageFigures
from store.papers.papers import is_of_study
from store.tables import DerivedRow, FigureRow, FileRow, PaperRow, RegionDecisionRow

PAGE = "page "
CHUNK = 500


class PaperToSearch(NamedTuple):
    """A paper whose pages are searched: in use, not excluded, with a file."""

    id: str
    title: str
    sha256: str
    page_count: int
    filed_at: datetime


def papers_to_search(session: Session, ids: Iterable[str] | None = None) -> list[PaperToSearch]:
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
    """Return file → number of searched pages. No content is read: a study has thousands of pages."""
    query = (
        select(DerivedRow.source_hash, func.count())
        .where(DerivedRow.producer == producer, DerivedRow.producer_version == version)
        .group_by(col(DerivedRow.source_hash))
    )
    return dict(session.exec(query).all())


def pages_of(session: Session, sha256: str, producer: str, version: str) -> set[int]:
    query = select(DerivedRow.part).where(
        DerivedRow.source_hash == sha256, DerivedRow.producer == producer, DerivedRow.producer_version == version
    )
    return {int(part.removeprefix(PAGE)) for part in session.exec(query)}


def found_on(session: Session, hashes: Iterable[str], producer: str, version: str) -> dict[str, list[PageFigures]]:
    """Return file → its searched pages, in order."""
    sha256s, pages_by_file = list(dict.fromkeys(hashes)), defaultdict[str, list[PageFigures]](list)
    for start in range(0, len(sha256s), CHUNK):
        query = select(DerivedRow.source_hash, DerivedRow.part, DerivedRow.content).where(
            col(DerivedRow.source_hash).in_(sha256s[start : start + CHUNK]),
            DerivedRow.producer == producer,
            DerivedRow.producer_version == version,
        )
        for sha256, part, content in session.exec(query):
            pages_by_file[sha256].append(PageFigures.from_json(int(part.removeprefix(PAGE)), content))
    for pages in pages_by_file.values():
        pages.sort(key=lambda page: page.number)
    return pages_by_file


def figures_by_paper(session: Session, ids: Iterable[str]) -> dict[str, list[FigureRow]]:
    """Return paper → its figures, archived ones included."""
    paper_ids, figures = list(dict.fromkeys(ids)), defaultdict[str, list[FigureRow]](list)
    for start in range(0, len(paper_ids), CHUNK):
        query = select(FigureRow).where(col(FigureRow.paper_id).in_(paper_ids[start : start + CHUNK]))
        for row in session.exec(query.order_by(col(FigureRow.created_at), col(FigureRow.id))):
            figures[row.paper_id].append(row)
    return figures


def decisions_by_file(session: Session, hashes: Iterable[str]) -> dict[str, list[RegionDecisionRow]]:
    sha256s, decisions = list(dict.fromkeys(hashes)), defaultdict[str, list[RegionDecisionRow]](list)
    for start in range(0, len(sha256s), CHUNK):
        query = select(RegionDecisionRow).where(col(RegionDecisionRow.file_sha256).in_(sha256s[start : start + CHUNK]))
        for row in session.exec(query):
            decisions[row.file_sha256].append(row)
    return decisions
