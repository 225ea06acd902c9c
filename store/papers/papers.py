"""Papers, their files and figures. Lists never read a file's content."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, exists, func
from sqlmodel import Session, col, select

from core.errors import Missing
from core.papers.papers import Screening
from store.sql_in import among
from store.tables import FigureRow, FileRow, PaperRow

CHUNK = 500
TRAINING_IDS = "training-"
"""Prefix of the ids of papers with a training figure; all other ids are UUIDs."""


def is_of_study() -> ColumnElement[bool]:
    """Condition that excludes training papers, for every list of papers or figures."""
    return col(PaperRow.id).not_like(f"{TRAINING_IDS}%")


def is_located() -> ColumnElement[bool]:
    """Condition: figures and papers in use, not excluded. The query must join both tables."""
    is_used = col(FigureRow.archived_at).is_(None) & col(PaperRow.archived_at).is_(None)
    return is_used & (col(PaperRow.screening) != "excluded") & is_of_study()


def paper(session: Session, paper_id: str) -> PaperRow:
    row = session.get(PaperRow, paper_id)
    if row is None:
        raise Missing("There is no such paper in this study.")
    return row


def study_paper(session: Session, paper_id: str) -> PaperRow:
    """Return a paper for curation. Training papers are not curated: they raise Missing."""
    if paper_id.startswith(TRAINING_IDS):
        raise Missing("There is no such paper in this study.")
    return paper(session, paper_id)


def paper_with_file(session: Session, sha256: str) -> PaperRow | None:
    return session.exec(select(PaperRow).where(PaperRow.file_sha256 == sha256, is_of_study())).first()


class ListedPaper(NamedTuple):
    """A paper, pages and notices of its file (None without one), and the number of figures in use."""

    row: PaperRow
    pages: int | None
    notices: Sequence[str] | None
    figures: int


def paper_lines(session: Session, *, with_archived: bool = False) -> list[ListedPaper]:
    figures = (
        select(FigureRow.paper_id, func.count().label("figures"))
        .where(col(FigureRow.archived_at).is_(None))
        .group_by(FigureRow.paper_id)
        .subquery()
    )
    query = (
        select(PaperRow, FileRow.page_count, FileRow.notices, func.coalesce(figures.c.figures, 0))
        .outerjoin(FileRow, col(FileRow.sha256) == col(PaperRow.file_sha256))
        .outerjoin(figures, figures.c.paper_id == col(PaperRow.id))
        .where(is_of_study())
        .order_by(col(PaperRow.created_at).desc(), col(PaperRow.id).desc())
    )
    if not with_archived:
        query = query.where(col(PaperRow.archived_at).is_(None))
    return [ListedPaper(row, pages, notices, count) for row, pages, notices, count in session.exec(query)]


def oldest_to_screen(session: Session, but: str = "") -> PaperRow | None:
    """Return the oldest paper in use without a decision, other than paper `but`."""
    is_open = (col(PaperRow.screening) == Screening.OPEN.value) & (col(PaperRow.id) != but)
    query = select(PaperRow).where(is_of_study(), col(PaperRow.archived_at).is_(None), is_open)
    return session.exec(query.order_by(col(PaperRow.created_at), col(PaperRow.id)).limit(1)).first()


class PaperCounts(NamedTuple):
    """Counts of papers in use."""

    papers: int  # all
    screened: int  # with a decision
    unlocated: int  # included, without a figure in use


def counts(session: Session) -> PaperCounts:
    has_figure = exists(
        select(FigureRow.id).where(FigureRow.paper_id == PaperRow.id, col(FigureRow.archived_at).is_(None))
    )
    screening = col(PaperRow.screening)
    numbers: Any = (
        func.count(),
        func.count().filter(screening != Screening.OPEN.value),
        func.count().filter((screening == Screening.INCLUDED.value) & ~has_figure),
    )
    query = select(*numbers).select_from(PaperRow).where(is_of_study(), col(PaperRow.archived_at).is_(None))
    return PaperCounts(*session.exec(query).one())


def figures_of(session: Session, paper_id: str, *, with_archived: bool = False) -> list[FigureRow]:
    query = select(FigureRow).where(FigureRow.paper_id == paper_id).order_by(col(FigureRow.page), col(FigureRow.y0))
    return list(session.exec(query if with_archived else query.where(col(FigureRow.archived_at).is_(None))))


def figures_with_files(session: Session, figure_ids: Iterable[str]) -> list[tuple[FigureRow, str]]:
    """Return those of these figures whose paper has a file, with the file's hash."""
    ids, figures = list(dict.fromkeys(figure_ids)), list[tuple[FigureRow, str]]()
    for start in range(0, len(ids), CHUNK):
        query = select(FigureRow, PaperRow.file_sha256).join(PaperRow, col(PaperRow.id) == col(FigureRow.paper_id))
        rows = session.exec(query.where(col(FigureRow.id).in_(ids[start : start + CHUNK])))
        figures += [(row, sha256) for row, sha256 in rows if sha256 is not None]
    return figures


def files_of_figures(session: Session, figure_ids: Iterable[str]) -> dict[str, str | None]:
    """Return figure → hash of its paper's file, or None."""
    query = select(FigureRow.id, PaperRow.file_sha256).join(PaperRow, col(PaperRow.id) == col(FigureRow.paper_id))
    return dict(session.exec(query.where(among(session, FigureRow.id, figure_ids))).all())


def has_any(session: Session) -> bool:
    query = select(PaperRow.id).where(is_of_study(), col(PaperRow.archived_at).is_(None)).limit(1)
    return session.exec(query).first() is not None


def reference_key(doi: str, title: str, date: str) -> str:
    """Return the key under which two references are the same paper: the DOI, or title and date."""
    return f"doi {doi.lower()}" if doi else f"title {title.casefold().strip()} {date}"


def reference_keys(session: Session) -> set[str]:
    rows = session.exec(select(PaperRow.doi, PaperRow.title, PaperRow.publication_date).where(is_of_study()))
    return {reference_key(doi, title, date) for doi, title, date in rows}
