"""Page and figure images, cached on disk by content; served by authenticated routes."""

from __future__ import annotations

from pathlib import Path

from sqlmodel import Session

from core.errors import Missing
from core.papers.pages import Box
from core.people import Permission, Viewer
from services.acting import consulting
from services.study import current_study
from store import assignments
from store.papers import papers as stored
from store.tables import FileRow


def page_image(viewer: Viewer, paper_id: str, number: int, dpi: int) -> Path:
    with consulting(viewer, Permission.READ_STUDY) as r:
        sha256, path = file_of(r.session, paper_id, number)
    return current_study().reader.page_image(path, sha256, number, dpi)


def figure_image(viewer: Viewer, figure_id: str, dpi: int) -> Path:
    """Return a PNG of a figure's rectangle, cached by content and rectangle."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        row = assignments.figure(r.session, figure_id)
        sha256, path = file_of(r.session, row.paper_id, row.page)
        box = Box(row.x0, row.y0, row.x1, row.y1)
        number = row.page
    return current_study().reader.crop_image(path, sha256, number, box, dpi)


def figure_thumbnail(viewer: Viewer, figure_id: str) -> Path:
    """Return a small PNG of a figure's rectangle."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        row = assignments.figure(r.session, figure_id)
        sha256, path = file_of(r.session, row.paper_id, row.page)
        box, number = Box(row.x0, row.y0, row.x1, row.y1), row.page
    return current_study().reader.thumbnail(path, sha256, number, box)


def file_of(session: Session, paper_id: str, number: int) -> tuple[str, Path]:
    """Return (sha256, readable path) of a paper's file. Raises Missing if it has none, or no such page."""
    row = stored.paper(session, paper_id)
    if row.file_sha256 is None:
        raise Missing("This paper has no file yet; add its PDF first.")
    file = session.get(FileRow, row.file_sha256)
    assert file is not None, "a paper's file has its row"
    if not 1 <= number <= file.page_count:
        raise Missing(f"The paper has {file.page_count} pages; there is no page {number}.")
    return row.file_sha256, current_study().shelf.path(session, row.file_sha256)
