"""What the engine proposes for a figure: worked out once, then read from the store and from memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from sqlmodel import Session

from core.errors import Missing, UnreadableDocument
from core.papers.pages import Box
from core.transcription.proposals import FigureProposals
from documents.reader import PROPOSALS_PRODUCER, PROPOSALS_VERSION
from services.acting import Reading
from services.papers import images
from services.study import current_study
from store import assignments
from store import documents as derived
from store.tables import FigureRow

REMEMBERED = 64
PASSING = ("busy",)  # kinds of failure that may be gone at the next look


@dataclass(frozen=True, slots=True)
class FigurePlace:
    """A figure's file, page (from 1) and rectangle in points."""

    sha256: str
    path: Path
    page: int
    box: Box

    @property
    def part(self) -> str:
        return part_of(self.page, self.box)


def part_of(page: int, box: Box) -> str:
    """The derived artefact's part: page and rectangle to a tenth of a point."""
    return f"page {page} box {box.x0:.1f} {box.y0:.1f} {box.x1:.1f} {box.y1:.1f}"


def place_of(r: Reading, figure: FigureRow) -> FigurePlace:
    """Where a figure's file lies. Raises Missing if its paper has none."""
    sha256, path = images.file_of(r.session, figure.paper_id, figure.page)
    return FigurePlace(sha256, path, figure.page, Box(figure.x0, figure.y0, figure.x1, figure.y1))


def read_proposals(place: FigurePlace) -> FigureProposals:
    """Names and edges proposed for a figure; not to be called inside a transaction, since reading takes its time.

    A figure that cannot be read proposes nothing, and its notice says why.
    """
    key = (current_study().store.url, place.sha256, place.part)
    found = _memory.get(key)
    if found is None:
        found, lasts = _kept_or_read(place)
        if lasts:
            _memory.put(key, found)
    return found


def proposals_at_hand(session: Session, figure_id: str) -> FigureProposals | None:
    """What was read of a figure already, None if nobody has looked at it yet: for acts, which wait for no reading."""
    try:
        figure = assignments.figure(session, figure_id)
        sha256, _path = images.file_of(session, figure.paper_id, figure.page)
    except Missing:
        return None  # a paper without a file prints nothing
    part = part_of(figure.page, Box(figure.x0, figure.y0, figure.x1, figure.y1))
    found = _memory.get((current_study().store.url, sha256, part))
    if found is None:
        kept = derived.derived(session, sha256, PROPOSALS_PRODUCER, str(PROPOSALS_VERSION), part)
        found = None if kept is None else FigureProposals.from_json(kept)
    return found


def _kept_or_read(place: FigurePlace) -> tuple[FigureProposals, bool]:
    """The proposals, and whether they would be the same if read again."""
    study, version = current_study(), str(PROPOSALS_VERSION)
    with study.store.reading() as session:
        kept = derived.derived(session, place.sha256, PROPOSALS_PRODUCER, version, place.part)
    if kept is not None:
        return FigureProposals.from_json(kept), True
    try:
        made = study.reader.proposals(place.path, place.sha256, place.page, place.box)
    except UnreadableDocument as error:
        return FigureProposals(names=(), edges=(), origin="vector", notice=str(error)), error.kind not in PASSING
    if made.origin == "vector" or made.names:  # a reading without words may succeed on another day or machine
        with study.store.writing() as session:
            derived.keep_derived(
                session, place.sha256, PROPOSALS_PRODUCER, version, place.part, made.as_json(), study.clock()
            )
    return made, True


Key = tuple[str, str, str]


class _Memory:
    """The last figures' proposals: the canvas asks after every act."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, FigureProposals] = OrderedDict()

    def get(self, key: Key) -> FigureProposals | None:
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def put(self, key: Key, made: FigureProposals) -> None:
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > REMEMBERED:
                self._kept.popitem(last=False)


_memory = _Memory()
