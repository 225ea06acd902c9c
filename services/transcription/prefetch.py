"""Prefetch: read the figures of the queue before anyone opens them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.errors import EdgewiseError
from core.papers.pages import Box
from documents.reader import PROPOSALS_SIZE, PROPOSALS_VERSION
from services.papers import finding
from services.study import Study
from services.transcription.figure_proposals import FigurePlace, keep_size, settled_proposals
from store import documents as derived
from store import queue
from store.papers import papers


def process_queue(study: Study, goes_on: Callable[[], bool]) -> EdgewiseError | None:
    """Read every unread figure of the queue, while detection is on. Return the last failure that may pass."""
    trouble: EdgewiseError | None = None
    for place in _unread_figures(study):
        if not goes_on():
            return None
        with study.store.reading() as session:
            if finding.requested_since(session) is None:
                return None
        try:
            reading = settled_proposals(place)
        except EdgewiseError as error:
            trouble = error
            continue
        # A failure is remembered by this process only: another one may succeed.
        if reading.names or not reading.notice:
            with study.store.writing() as session:
                keep_size(session, study, place, reading)
    return trouble


def _unread_figures(study: Study) -> list[FigurePlace]:
    with study.store.reading() as session:
        if finding.requested_since(session) is None:
            return []
        rows = papers.figures_with_files(session, (each.id for each in queue.figures(session)))
        hashes = {sha256 for _row, sha256 in rows}
        known = derived.derived_of(session, hashes, PROPOSALS_SIZE, str(PROPOSALS_VERSION))
        paths: dict[str, Path] = {}
        unread = []
        for row, sha256 in rows:
            place = FigurePlace(sha256, Path(), row.page, Box(row.x0, row.y0, row.x1, row.y1))
            if (sha256, place.part) in known:
                continue
            try:
                paths[sha256] = paths.get(sha256) or study.shelf.path(session, sha256)
            except EdgewiseError:
                continue  # its file is lost: the error appears when someone opens the figure
            unread.append(FigurePlace(sha256, paths[sha256], place.page, place.box))
    return unread
