"""Execution of every read and act: live session, permission check, act and event in one transaction.

The session behind a viewer is looked up on every call, so signing out, a changed password or a deactivation ends access
at once, regardless of open pages.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol, TypeVar

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from core.act_ids import is_uuid7
from core.errors import BadInput, Conflict, EdgewiseError, Refused, StoreUnavailable
from core.people import Permission, Receipt, Role, Viewer
from core.words import quoted
from services.study import Study, current_study
from store import history, sessions, unfinished_imports
from store.engine import translated_errors
from store.graphs import exposures
from store.tables import EventRow, new_id
from store.unfinished_imports import ImportedRows

TERMINAL = "terminal"
_BlindWork = Literal["figure", "triplet", "level", "verdict"]
# Kind of subject that is seen → the blind work that the exposure concerns.
_WORK_OF_KIND: Mapping[str, _BlindWork] = {
    "figure": "figure",
    "graph": "figure",
    "level": "level",
    "sample": "level",
    "table": "level",
    "verdict": "verdict",
}


def terminal_viewer() -> Viewer:
    """Return the viewer of the command line: it has the store's file, so it acts as the owner."""
    return Viewer(person_id=TERMINAL, name="the terminal", roles=frozenset({Role.OWNER}), session_id=TERMINAL)


@dataclass(frozen=True)
class ReadContext:
    study: Study
    session: Session
    viewer: Viewer
    now: datetime
    looked_at: set[tuple[str, str]] = field(default_factory=set, kw_only=True)

    def record_exposure(self, subject_id: str, kind: exposures.ExposureKind = "figure") -> None:
        """Record that the viewer sees others' work on a subject, so their own is no longer blind.

        The first exposure becomes an event after this read or act; people who never do such work leave none.
        """
        if not self.works_blind(_WORK_OF_KIND.get(kind, "triplet")):
            return
        if not exposures.was_exposed(self.session, self.viewer.person_id, subject_id, kind):
            self.looked_at.add((kind, subject_id))

    def works_blind(self, on: _BlindWork = "figure") -> bool:
        """Return whether the viewer may be given such work; the command line is not."""
        permissions = {
            "figure": (Permission.TRANSCRIBE,),
            "triplet": (Permission.SCORE,),
            "level": (Permission.TRANSCRIBE, Permission.SCORE),
            "verdict": (Permission.VERDICT,),
        }[on]
        return self.viewer.session_id != TERMINAL and any(self.viewer.may(each) for each in permissions)

    @property
    def actor(self) -> history.Actor:
        if self.viewer.acting_owner:
            return history.Actor(self.viewer.acting_owner, on_behalf_of=self.viewer.person_id)
        return history.Actor(self.viewer.person_id)


@dataclass(frozen=True)
class Writing(ReadContext):
    act_id: str
    asked: str = field(default="", kw_only=True)

    def moment_after(self, last: datetime | None) -> datetime:
        """Return the time of this act, but later than `last`, even if the clock was set back or an act waited."""
        return self.now if last is None or self.now > last else last + timedelta(microseconds=1)

    def record(
        self,
        act: str,
        subject_kind: str,
        subject_id: str,
        *,
        version: int = 1,
        graph_id: str | None = None,
        undoes: int | None = None,
        payload: dict[str, Any] | None = None,
    ) -> Receipt:
        """Write the act's one event; the receipt is valid once the transaction commits."""
        event = history.record(
            self.session,
            self.actor,
            act,
            at=self.now,
            act_id=self.act_id,
            subject_kind=subject_kind,
            subject_id=subject_id,
            graph_id=graph_id,
            undoes=undoes,
            payload={**(payload or {}), **({"asked": self.asked} if self.asked else {}), "version": version},
        )
        return receipt_of(event)


def receipt_of(event: EventRow, *, is_repeat: bool = False) -> Receipt:
    assert event.seq is not None
    return Receipt(event.seq, event.at, event.subject_id, int(event.payload.get("version", 1)), is_repeat)


class _SharedReading:
    """One read of the store and one look-up of the viewer, shared by everything in one script run."""

    def __init__(self) -> None:
        self._open: ExitStack | None = None
        self._study: Study
        self._session: Session
        self._written = 0
        self._known: dict[Viewer, Viewer] = {}

    @contextmanager
    def reading(self, study: Study) -> Iterator[Session]:
        """Yield the open read, or a new one for another study or after this thread wrote."""
        if self._open is not None and (self._study is not study or self._written != study.store.written_here):
            self.close()
        with translated_errors():
            try:
                if self._open is None:
                    self._study, self._written = study, study.store.written_here
                    self._open = ExitStack()
                    self._session = self._open.enter_context(study.store.reading())
                yield self._session
            except BaseException:  # after a fault, a server's transaction answers no further query
                self.close()
                raise

    def live(self, session: Session, viewer: Viewer, now: datetime) -> Viewer:
        if viewer not in self._known:
            self._known[viewer] = _live(session, viewer, now)
        return self._known[viewer]

    def close(self) -> None:
        self._known.clear()
        if self._open is not None:
            opened, self._open = self._open, None
            opened.close()


_SHARED: ContextVar[_SharedReading | None] = ContextVar("shared_reading", default=None)


@contextmanager
def consulting_once() -> Iterator[None]:
    """Share one read within: a page's script run sees one moment of the store, and looks up its viewer once.

    An act inside ends it, so that later reads see what was written. Also a decorator: `@consulting_once()`.
    """
    if _SHARED.get() is not None:
        yield
        return
    shared = _SharedReading()
    token = _SHARED.set(shared)
    try:
        yield
    finally:
        _SHARED.reset(token)
        shared.close()


@contextmanager
def consulting(viewer: Viewer, may: Permission) -> Iterator[ReadContext]:
    """Open a read for a live viewer, or join that of `consulting_once`. Raises SignedOut or Refused."""
    study = current_study()
    now = study.clock()
    shared = _SHARED.get()
    with shared.reading(study) if shared is not None else study.store.reading() as session:
        live = shared.live(session, viewer, now) if shared is not None else _live(session, viewer, now)
        _require(live, may)
        reading = ReadContext(study, session, live, now)
        yield reading
    if reading.looked_at:
        with study.store.writing() as session:
            _record_exposures(session, reading)


def perform(
    viewer: Viewer, may: Permission, act_id: str, do: Callable[[Writing], Receipt], *, asked: tuple[object, ...] = ()
) -> Receipt:
    """Run one act of a person and commit it with its event; a repeated `act_id` does nothing.

    `do` writes rows and ends in `Writing.record`. The hash of the request `asked` is stored in the event, so that the
    id is refused for another request. Raises SignedOut, Refused, Conflict, StoreUnavailable and errors of `do`; then
    nothing is stored.
    """
    check_act_id(act_id)
    request_hash = hashlib.sha256(json.dumps(asked, default=str).encode()).hexdigest()[:16] if asked else ""
    shared = _SHARED.get()
    if shared is not None:
        shared.close()
    study = current_study()
    now = study.clock()
    try:
        return _attempt(study, viewer, may, act_id, request_hash, do, now)
    except (IntegrityError, EdgewiseError) as error:
        # On a server two copies of one act can pass the look-up together; the second then fails on the first's rows,
        # version or state, and gets the first's receipt.
        known = _earlier_receipt(study, viewer, may, act_id, request_hash, now)
        if known is not None:
            return known
        if not isinstance(error, IntegrityError):
            raise
        # Or two acts insert the same row together (one figure claimed in two tabs): a retry finds the row.
        return _attempt(study, viewer, may, act_id, request_hash, do, now)


def perform_import(
    viewer: Viewer,
    may: Permission,
    act_id: str,
    kind: str,
    parent_id: str,
    begin: Callable[[Writing], Iterable[ImportedRows]],
    finish: Callable[[Writing], Receipt],
) -> Receipt:
    """Run one act that imports many rows, written in short transactions and made visible all at once by `finish`.

    `begin` refuses duplicates, writes what the rows refer to, and returns the rows, which are written after its
    transaction. `kind` and `parent_id`: see `store.unfinished_imports`. Imports of a study run one after another.
    Raises as `perform`; then nothing is stored but texts under their hashes.
    """
    check_act_id(act_id)
    shared = _SHARED.get()
    if shared is not None:
        shared.close()
    study = current_study()
    now = study.clock()
    with study.store.importing():
        unfinished_imports.remove(study.store)
        known = _earlier_receipt(study, viewer, may, act_id, "", now)
        if known is not None:
            return known
        with study.store.writing() as session:
            live = _live(session, viewer, now)
            _require(live, may)
            parts = begin(Writing(study, session, live, now, act_id))
            unfinished = unfinished_imports.mark(session, kind, parent_id)

        def act(w: Writing) -> Receipt:
            unfinished_imports.show(w.session, unfinished)
            return finish(w)

        try:
            unfinished_imports.write(study.store, unfinished, parts)
            return perform(viewer, may, act_id, act)
        except BaseException:
            with suppress(StoreUnavailable):  # invisible, and removed when the study is opened next
                unfinished_imports.remove(study.store)
            raise


def _attempt(
    study: Study,
    viewer: Viewer,
    may: Permission,
    act_id: str,
    request_hash: str,
    do: Callable[[Writing], Receipt],
    now: datetime,
) -> Receipt:
    with study.store.writing() as session:
        live = _live(session, viewer, now)
        _require(live, may)
        known = history.event_of(session, act_id)
        if known is not None:
            return _repeat_receipt(known, live, request_hash)
        w = Writing(study, session, live, now, act_id, asked=request_hash)
        receipt = do(w)
        _record_exposures(session, w)
        return receipt


def _record_exposures(session: Session, r: ReadContext) -> None:
    for kind, subject_id in sorted(r.looked_at):
        history.record(
            session, r.actor, f"{kind}.look", at=r.now, act_id=new_id(), subject_kind=kind, subject_id=subject_id
        )


def _earlier_receipt(
    study: Study, viewer: Viewer, may: Permission, act_id: str, request_hash: str, now: datetime
) -> Receipt | None:
    with study.store.reading() as session:
        known = history.event_of(session, act_id)
        if known is None:
            return None
        live = _live(session, viewer, now)
        _require(live, may)
        return _repeat_receipt(known, live, request_hash)


def _repeat_receipt(event: EventRow, viewer: Viewer, request_hash: str) -> Receipt:
    if event.actor not in (viewer.person_id, viewer.acting_owner):
        raise Refused("This act belongs to someone else.")
    if request_hash and event.payload.get("asked") != request_hash:
        raise Refused("Another act is stored under this act's id. Nothing was changed. Reload the page and try again.")
    return receipt_of(event, is_repeat=True)


class Versioned(Protocol):
    version: int


Row = TypeVar("Row", bound=Versioned)


def require_seen(row: Row, seen: int, thing: str) -> Row:
    """Return the row if it is still at the version the person saw. Raises Conflict otherwise."""
    if row.version != seen:
        raise Conflict(f"This {thing} has changed since you opened it. Reload it.", seen=seen, found=row.version)
    return row


def new_act_id() -> str:
    """Return an id for an act that starts on the server: a UUIDv7, like those of clients."""
    return new_id()


def check_act_id(act_id: str) -> None:
    """Raise BadInput unless the id is a UUIDv7: ids of new elements are derived from it."""
    if not is_uuid7(act_id):
        raise BadInput(f"The act id {quoted(act_id[:40])} is not a UUIDv7.")


def _live(session: Session, viewer: Viewer, now: datetime) -> Viewer:
    if viewer.session_id == TERMINAL:
        return viewer
    return sessions.live_viewer(session, viewer.session_id, now)


def _require(viewer: Viewer, may: Permission) -> None:
    if not viewer.may(may):
        raise Refused(f"Your role does not allow this: {may.value}.")
