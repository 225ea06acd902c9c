"""Papers, their files and figures in the store. Lists never touch a file's content."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, exists, func
from sqlmodel import Session, col, select

from core.errors import Missing
from core.papers.papers import Screening
from store.many import among
from store.tables import FigureRow, FileRow, PaperRow

CHUNK = 500
TRAINING_IDS = "training-"
"""Ids of the papers that hold a training figure begin so; everything else has a UUID."""


def is_of_study() -> ColumnElement[bool]:
    """Leaves the papers of the training out; every list of papers or figures asks it."""
    return col(PaperRow.id).not_like(f"{TRAINING_IDS}%")


def is_located() -> ColumnElement[bool]:
    """Figures in use, of papers in use that were not excluded; whoever asks it joins the two."""
    is_used = col(FigureRow.archived_at).is_(None) & col(PaperRow.archived_at).is_(None)
    return is_used & (col(PaperRow.screening) != "excluded") & is_of_study()


def paper(session: Session, paper_id: str) -> PaperRow:
    row = session.get(PaperRow, paper_id)
    if row is None:
        raise Missing("There is no such paper in this study.")
    return row


def study_paper(session: Session, paper_id: str) -> PaperRow:
    """A paper for those who curate: the training's, which nobody curates, is missing here."""
    if paper_id.startswith(TRAINING_IDS):
        raise Missing("There is no such paper in this study.")
    return paper(session, paper_id)


def paper_with_file(session: Session, sha256: str) -> PaperRow | None:
    return session.exec(select(PaperRow).where(PaperRow.file_sha256 == sha256, is_of_study())).first()


class ListedPaper(NamedTuple):
    """A paper, pages and notices of its file (None without one), and figures in use."""

    row: PaperRow
    pages: int | None
    notices: Sequence[str] | None
    figures: int


def paper_lines(session: Session, *, with_archived: bool = False) -> list[ListedPaper]:
    """The papers of the study, newest first."""
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


class PaperCounts(NamedTuple):
    """Papers in use: all, those with a decision, and those included of which no figure is in use."""

    papers: int
    screened: int
    unlocated: int


def counts(session: Session) -> PaperCounts:
    """How far papers are, as one row of the database."""
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
    """Each of these figures whose paper has a file, and the file's hash."""
    ids, found = list(dict.fromkeys(figure_ids)), list[tuple[FigureRow, str]]()
    for start in range(0, len(ids), CHUNK):
        query = select(FigureRow, PaperRow.file_sha256).join(PaperRow, col(PaperRow.id) == col(FigureRow.paper_id))
        rows = session.exec(query.where(col(FigureRow.id).in_(ids[start : start + CHUNK])))
        found += [(row, sha256) for row, sha256 in rows if sha256 is not None]
    return found


def files_of_figures(session: Session, figure_ids: Iterable[str]) -> dict[str, str | None]:
    """Figure → the hash of its paper's file, None if that has none."""
    query = select(FigureRow.id, PaperRow.file_sha256).join(PaperRow, col(PaperRow.id) == col(FigureRow.paper_id))
    return dict(session.exec(query.where(among(session, FigureRow.id, figure_ids))).all())


def has_any(session: Session) -> bool:
    """Whether the study has a paper that is not archived."""
    query = select(PaperRow.id).where(is_of_study(), col(PaperRow.archived_at).is_(None)).limit(1)
    return session.exec(query).first() is not None


def reference_key(doi: str, title: str, date: str) -> str:
    """What makes two references the same paper: the DOI, else title and date."""
    return f"doi {doi.lower()}" if doi else f"title {title.casefold().strip()} {date}"


def reference_keys(session: Session) -> set[str]:
    rows = session.exec(select(PaperRow.doi, PaperRow.title, PaperRow.publication_date).where(is_of_study()))
    return {reference_key(doi, title, date) for doi, title, date in rows}
