"""Proposals read from a figure: computed once, then served from the store and from memory."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from sqlmodel import Session

from core.errors import UnreadableDocument
from core.papers.pages import Box, part_of
from core.transcription.proposals import FigureProposals
from documents.reader import PROPOSALS_PRODUCER, PROPOSALS_SIZE, PROPOSALS_VERSION
from services.acting import ReadContext
from services.papers import images
from services.study import Study, current_study
from services.transcription.model_readings import NO_READINGS, ModelReadings, readings_of
from store import assignments
from store import documents as derived
from store.tables import FigureRow

log = logging.getLogger(__name__)

REMEMBERED = 64
PASSING = ("busy",)  # kinds of failure that may have passed at the next attempt


@dataclass(frozen=True, slots=True)
class FigurePlace:
    sha256: str
    path: Path
    page: int  # from 1
    box: Box  # in points
    readings: ModelReadings = NO_READINGS  # answers of models about this figure

    @property
    def part(self) -> str:
        return part_of(self.page, self.box)


def place_of(r: ReadContext, figure: FigureRow, *, with_models: bool = True) -> FigurePlace:
    """Return the location of a figure, by default with models' readings. Raises Missing if its paper has no file."""
    sha256, path = images.file_of(r.session, figure.paper_id, figure.page)
    place = FigurePlace(sha256, path, figure.page, Box(figure.x0, figure.y0, figure.x1, figure.y1))
    if not with_models:
        return place
    return replace(place, readings=readings_of(r.session, figure.id, sha256, place.page, place.part))


def read_proposals(place: FigurePlace) -> FigureProposals:
    """Return the names and edges proposed for a figure; slow, so never call it inside a transaction.

    An unreadable figure has no proposals and a notice with the reason. Those of a picture may not be settled yet.
    """
    proposals = proposals_within(place, None)
    assert proposals is not None  # no time limit
    return proposals


def settled_proposals(place: FigurePlace) -> FigureProposals:
    """Return the proposals of a figure when nothing more is read of it; of a picture that takes half a minute."""
    proposals = read_proposals(place)
    if not proposals.is_settled:
        _under_way.await_last(_key(current_study(), place))
        proposals = read_proposals(place)
    return proposals


def proposals_within(place: FigurePlace, seconds: float | None) -> FigureProposals | None:
    """Return the proposals, None if reading takes longer than `seconds`.

    Reading continues in the background, once for all callers; a later call returns its result.
    """
    study = current_study()
    key = _key(study, place)
    proposals = _memory.get(key)
    if proposals is None:
        with study.store.reading() as session:
            stored = derived.derived(session, place.sha256, PROPOSALS_PRODUCER, str(PROPOSALS_VERSION), place.part)
        if stored is not None:
            proposals = FigureProposals.from_json(stored)
            _memory.put(key, proposals)
    proposals = proposals or _under_way.result(key, partial(_read, study, place), seconds)
    return None if proposals is None else place.readings.joined_to(proposals, place.box)


def proposals_at_hand(session: Session, figure_id: str, *, with_models: bool = False) -> FigureProposals | None:
    """Return the stored proposals of a figure, None if it was not read yet; never waits for reading.

    Readings of models are left out by default: they lie on no printed ink, so most acts do not need them.
    """
    figure, paper = assignments.subject_of(session, figure_id)
    if paper.file_sha256 is None:
        return None  # a paper without a file prints nothing
    box = Box(figure.x0, figure.y0, figure.x1, figure.y1)
    part = part_of(figure.page, box)
    proposals = _memory.get((current_study().store.url, paper.file_sha256, part))
    if proposals is None:
        stored = derived.derived(session, paper.file_sha256, PROPOSALS_PRODUCER, str(PROPOSALS_VERSION), part)
        proposals = None if stored is None else FigureProposals.from_json(stored)
    if proposals is None or not with_models:
        return proposals
    return readings_of(session, figure_id, paper.file_sha256, figure.page, part).joined_to(proposals, box)


def _read(study: Study, place: FigurePlace) -> Iterator[tuple[FigureProposals, bool]]:
    """Yield the proposals, and whether another reading would give the same; then what a picture's become when they are
    settled. Store the settled ones if they last.

    `study` is the caller's: the process may serve another study when reading ends.
    """
    try:
        for proposals in study.reader.readings(place.path, place.sha256, place.page, place.box):
            # a reading without words may succeed on another day or machine
            if proposals.is_settled and (proposals.origin == "vector" or proposals.names):
                _keep(study, place, proposals)
            yield proposals, True
    except UnreadableDocument as error:
        notice = FigureProposals(names=(), edges=(), origin="vector", notice=str(error))
        yield notice, error.kind not in PASSING


def _keep(study: Study, place: FigurePlace, proposals: FigureProposals) -> None:
    version = str(PROPOSALS_VERSION)
    with study.store.writing() as session:
        derived.keep_derived(
            session, place.sha256, PROPOSALS_PRODUCER, version, place.part, proposals.as_json(), study.clock()
        )
        keep_size(session, study, place, proposals)


def keep_size(session: Session, study: Study, place: FigurePlace, proposals: FigureProposals) -> None:
    """Store the number of names and edges separately: lists of figures need only that, a full reading has ~100 kB."""
    size = {"names": len(proposals.names), "edges": len(proposals.edges)}
    version = str(PROPOSALS_VERSION)
    derived.keep_derived(session, place.sha256, PROPOSALS_SIZE, version, place.part, size, study.clock())


Key = tuple[str, str, str]


def _key(study: Study, place: FigurePlace) -> Key:
    return study.store.url, place.sha256, place.part


class _Memory:
    """The last figures' proposals, in memory because the canvas needs them after every act."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, FigureProposals] = OrderedDict()

    def get(self, key: Key) -> FigureProposals | None:
        with self._lock:
            proposals = self._kept.get(key)
            if proposals is not None:
                self._kept.move_to_end(key)
            return proposals

    def put(self, key: Key, proposals: FigureProposals) -> None:
        with self._lock:
            self._kept[key] = proposals
            while len(self._kept) > REMEMBERED:
                self._kept.popitem(last=False)


_memory = _Memory()


Readings = Iterator[tuple[FigureProposals, bool]]


class _UnderWay:
    """Readings in progress, one per figure regardless of the number of callers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._readings: dict[Key, Future[FigureProposals]] = {}
        self._unsettled: dict[Key, threading.Event] = {}

    def result(self, key: Key, read: Callable[[], Readings], seconds: float | None) -> FigureProposals | None:
        """Return what `read` yields first, None after `seconds`. Raises what `read` raises."""
        with self._lock:
            reading = self._readings.get(key)
            if reading is None:
                if (cached := _memory.get(key)) is not None:  # another reading has just ended
                    return cached
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
            if reading.done():  # a passing failure is reported once, then the figure is read again
                self._forget(key, reading)

    def await_last(self, key: Key) -> None:
        """Wait until nothing more is read of a figure."""
        with self._lock:
            last = self._unsettled.get(key)
        if last is not None:
            last.wait()

    def _run(self, key: Key, reading: Future[FigureProposals], read: Callable[[], Readings]) -> None:
        with self._lock:
            last = self._unsettled[key] = threading.Event()
        proposals = None
        try:
            for proposals, lasts in read():
                if lasts:
                    _memory.put(key, proposals)
                    self._forget(key, reading)
                if not reading.done():
                    reading.set_result(proposals)
        except Exception as error:
            if reading.done():
                log.warning("the further sizes of a figure were not read", exc_info=True)
            else:
                reading.set_exception(error)
        finally:
            if proposals is not None and not proposals.is_settled:
                _memory.put(key, replace(proposals, is_settled=True))
            with self._lock:
                del self._unsettled[key]
            last.set()

    def _forget(self, key: Key, reading: Future[FigureProposals]) -> None:
        with self._lock:
            if self._readings.get(key) is reading:
                del self._readings[key]


_under_way = _UnderWay()
