"""What the engine proposes for a figure: worked out once, then read from the store and from memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from sqlmodel import Session

from core.errors import UnreadableDocument
from core.papers.pages import Box, part_of
from core.transcription.proposals import FigureProposals
from documents.reader import PROPOSALS_PRODUCER, PROPOSALS_SIZE, PROPOSALS_VERSION
from services.acting import Reading
from services.papers import images
from services.study import Study, current_study
from services.transcription.model_readings import NO_READINGS, ModelReadings, readings_of
from store import assignments
from store import documents as derived
from store.tables import FigureRow

REMEMBERED = 64
PASSING = ("busy",)  # kinds of failure that may be gone at the next look


@dataclass(frozen=True, slots=True)
class FigurePlace:
    """A figure's file, page (from 1) and rectangle in points; `readings`: what models read there."""

    sha256: str
    path: Path
    page: int
    box: Box
    readings: ModelReadings = NO_READINGS

    @property
    def part(self) -> str:
        return part_of(self.page, self.box)


def place_of(r: Reading, figure: FigureRow, *, with_models: bool = True) -> FigurePlace:
    """Where a figure's file lies, and `with_models` what models read there: none for whoever works without proposals.
    Raises Missing if its paper has none."""
    sha256, path = images.file_of(r.session, figure.paper_id, figure.page)
    place = FigurePlace(sha256, path, figure.page, Box(figure.x0, figure.y0, figure.x1, figure.y1))
    if not with_models:
        return place
    return replace(place, readings=readings_of(r.session, figure.id, sha256, place.page, place.part))


def read_proposals(place: FigurePlace) -> FigureProposals:
    """Names and edges proposed for a figure; not to be called inside a transaction, since reading takes its time.

    A figure that cannot be read proposes nothing, and its notice says why.
    """
    found = proposals_within(place, None)
    assert found is not None  # it waits as long as it takes
    return found


def proposals_within(place: FigurePlace, seconds: float | None) -> FigureProposals | None:
    """As `read_proposals`, None if that takes longer than `seconds`: the reading goes on, one for all who ask, and what
    it finds is there at a later call."""
    study = current_study()
    key = (study.store.url, place.sha256, place.part)
    found = _memory.get(key)
    if found is None and (found := _kept(study, place)) is not None:
        _memory.put(key, found)
    found = found or _under_way.result(key, partial(_read, study, place), seconds)
    return None if found is None else place.readings.beside(found, place.box)


def proposals_at_hand(session: Session, figure_id: str, *, with_models: bool = False) -> FigureProposals | None:
    """What was read of a figure already, None if nobody has looked at it yet: for acts, which wait for no reading. What
    only models read lies on no ink of its own, so that most acts do without it."""
    figure, paper = assignments.subject_of(session, figure_id)
    if paper.file_sha256 is None:
        return None  # a paper without a file prints nothing
    box = Box(figure.x0, figure.y0, figure.x1, figure.y1)
    part = part_of(figure.page, box)
    found = _memory.get((current_study().store.url, paper.file_sha256, part))
    if found is None:
        kept = derived.derived(session, paper.file_sha256, PROPOSALS_PRODUCER, str(PROPOSALS_VERSION), part)
        found = None if kept is None else FigureProposals.from_json(kept)
    if found is None or not with_models:
        return found
    return readings_of(session, figure_id, paper.file_sha256, figure.page, part).beside(found, box)


def _kept(study: Study, place: FigurePlace) -> FigureProposals | None:
    with study.store.reading() as session:
        kept = derived.derived(session, place.sha256, PROPOSALS_PRODUCER, str(PROPOSALS_VERSION), place.part)
    return None if kept is None else FigureProposals.from_json(kept)


def _read(study: Study, place: FigurePlace) -> tuple[FigureProposals, bool]:
    """The proposals, and whether they would be the same if read again; then they are kept. The study is the asker's:
    the process may serve another one when the reading ends."""
    version = str(PROPOSALS_VERSION)
    try:
        made = study.reader.proposals(place.path, place.sha256, place.page, place.box)
    except UnreadableDocument as error:
        return FigureProposals(names=(), edges=(), origin="vector", notice=str(error)), error.kind not in PASSING
    if made.origin == "vector" or made.names:  # a reading without words may succeed on another day or machine
        with study.store.writing() as session:
            derived.keep_derived(
                session, place.sha256, PROPOSALS_PRODUCER, version, place.part, made.as_json(), study.clock()
            )
            keep_size(session, study, place, made)
    return made, True


def keep_size(session: Session, study: Study, place: FigurePlace, made: FigureProposals) -> None:
    """How much a reading holds, beside it: lists of figures ask for that, and a reading has a hundred kilobytes."""
    size = {"names": len(made.names), "edges": len(made.edges)}
    version = str(PROPOSALS_VERSION)
    derived.keep_derived(session, place.sha256, PROPOSALS_SIZE, version, place.part, size, study.clock())


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


class _UnderWay:
    """Readings that have begun, one per figure however many ask for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._readings: dict[Key, Future[FigureProposals]] = {}

    def result(
        self, key: Key, read: Callable[[], tuple[FigureProposals, bool]], seconds: float | None
    ) -> FigureProposals | None:
        """What is read, None if it takes longer. Raises what reading raises."""
        with self._lock:
            reading = self._readings.get(key)
            if reading is None:
                if (found := _memory.get(key)) is not None:  # another reading has just ended
                    return found
                reading = self._readings[key] = Future()
                # No executor: it would keep the process from ending until the figure is read.
                threading.Thread(target=self._run, args=(key, reading, read), daemon=True).start()
        try:
            return reading.result(seconds)
        except TimeoutError:
            if reading.done():
                raise
            return None
        finally:
            if reading.done():  # what does not last is told once, then read another time
                self._forget(key, reading)

    def _run(
        self, key: Key, reading: Future[FigureProposals], read: Callable[[], tuple[FigureProposals, bool]]
    ) -> None:
        try:
            found, lasts = read()
        except Exception as error:  # noqa: BLE001 - it is raised where someone asks
            reading.set_exception(error)
            return
        if lasts:
            _memory.put(key, found)
            self._forget(key, reading)
        reading.set_result(found)

    def _forget(self, key: Key, reading: Future[FigureProposals]) -> None:
        with self._lock:
            if self._readings.get(key) is reading:
                del self._readings[key]


_under_way = _UnderWay()
