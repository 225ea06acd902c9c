"""Reading the figures of the queue ahead: what is found in them is there before anybody opens one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.errors import EdgewiseError
from core.papers.pages import Box
from documents.reader import PROPOSALS_SIZE, PROPOSALS_VERSION
from services.papers import finding
from services.study import Study
from services.transcription.figure_proposals import FigurePlace, keep_size, read_proposals
from store import documents as derived
from store import queue
from store.papers import papers


def work_off(study: Study, goes_on: Callable[[], bool]) -> EdgewiseError | None:
    """Read every figure of the queue that nobody has read, one after another, while the figures of all papers are
    wanted. Returns the last failure that may be gone at a later look."""
    trouble: EdgewiseError | None = None
    for place in _unread(study):
        if not goes_on() or not _is_wanted(study):
            return None
        try:
            made = read_proposals(place)
        except EdgewiseError as error:
            trouble = error
            continue
        if made.names or not made.notice:  # one that failed is remembered by this process, and may succeed in another
            with study.store.writing() as session:
                keep_size(session, study, place, made)
    return trouble


def _is_wanted(study: Study) -> bool:
    with study.store.reading() as session:
        return finding.wanted_since(session) is not None


def _unread(study: Study) -> list[FigurePlace]:
    with study.store.reading() as session:
        if finding.wanted_since(session) is None:
            return []
        rows = papers.figures_with_files(session, (each.id for each in queue.figures(session)))
        hashes = {sha256 for _row, sha256 in rows}
        known = derived.derived_of(session, hashes, PROPOSALS_SIZE, str(PROPOSALS_VERSION))
        paths: dict[str, Path] = {}
        found = []
        for row, sha256 in rows:
            place = FigurePlace(sha256, Path(), row.page, Box(row.x0, row.y0, row.x1, row.y1))
            if (sha256, place.part) in known:
                continue
            try:
                paths[sha256] = paths.get(sha256) or study.shelf.path(session, sha256)
            except EdgewiseError:
                continue  # its file is lost: whoever opens it is told
            found.append(FigurePlace(sha256, paths[sha256], place.page, place.box))
    return found
