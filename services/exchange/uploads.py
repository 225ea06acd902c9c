"""Which session may upload files just now: permits in memory, given by pages with an uploader and asked by the door.

Streamlit takes a file from anybody who knows a session's id, before any page of ours sees it, and keeps it in memory.
So a page asks for a permit each time it draws an uploader, and the door refuses what no permit covers. A permit ends
with the first finished run of its session that did not ask again. One server process serves a study: its memory is
the table.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count

from core.errors import Refused, TooMuch
from core.people import May, Viewer
from core.words import counted
from services.acting import consulting

MB = 1_000_000
OF_A_PERSON = 500 * MB
"""What the open pages of one person may hold together."""
FRAME = 4096
"""What a request may hold beside its file: the lines around it, with the file's name."""
MOST_SESSIONS = 10_000
CLOSED = "No open page of yours accepts this file. Reload the page and choose the file again."


@dataclass(frozen=True, slots=True)
class Room:
    """What one page's uploaders may hold together: files, and bytes of all of them."""

    files: int
    size: int

    def __str__(self) -> str:
        return f"{counted(self.files, 'file')} and {self.size // MB:,} MB"


PLAIN = Room(3, 150 * MB)
PAPERS = Room(200, 300 * MB)  # a folder of PDFs at once, each worked off and let go in turn
IMPORTS = Room(500, 150 * MB)  # many small tables, all looked at before any is kept

Release = Callable[[str, list[str]], None]
"""Drops files of a session (its id, their ids) from the memory of whoever took them."""


@dataclass(slots=True, eq=False)
class _File:
    size: int = 0
    is_here: bool = False


@dataclass(slots=True, eq=False, kw_only=True)
class _Permit:
    """`area` names the uploaders that are drawn, `run` the last run that asked; `refused` counts the files that found
    no room since that was told last, and `why` says what room there is."""

    viewer: Viewer
    may: May
    area: str
    room: Room
    run: int
    files: dict[str, _File] = field(default_factory=dict)
    size: int = 0
    refused: int = 0
    why: str = ""
    is_told: bool = False
    is_over: bool = False


@dataclass(slots=True, eq=False)
class _Session:
    finished: int = 0
    permit: _Permit | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Arrival:
    """One file on its way, for which room is kept."""

    permit: _Permit
    file_id: str
    file: _File


class Permits:
    """The table. Safe to use from any thread; files are released outside its lock."""

    def __init__(self, release: Release = lambda _session, _files: None) -> None:
        self.release = release
        self._lock = threading.Lock()
        self._sessions: OrderedDict[str, _Session] = OrderedDict()
        self._of_person: Counter[str] = Counter()
        self._runs = count(1)

    # --- what a page does ---------------------------------------------------------------------------------------

    def begin(self) -> int:
        """The number of a run that begins now."""
        return next(self._runs)

    def grant(self, viewer: Viewer, session: str, area: str, room: Room, may: May, run: int) -> tuple[int, str]:
        """Give or renew the session's permit; returns how many files found no room since that was told last, and why.

        Files of another area or person are let go. A run that a newer one has overtaken is given nothing.
        """
        with self._lock:
            held = self._session(session)
            old = held.permit
            if run < held.finished or (old is not None and run < old.run):
                return 0, ""
            if old is None or old.viewer.person_id != viewer.person_id:
                new = _Permit(viewer=viewer, may=may, area=area, room=room, run=run)
            elif old.area != area:
                new = _Permit(
                    viewer=viewer,
                    may=may,
                    area=area,
                    room=room,
                    run=run,
                    refused=old.refused,
                    why=old.why,
                    is_told=old.is_told,
                )
            else:
                old.viewer, old.may, old.room, old.run = viewer, may, room, run
                return old.refused, old.why
            held.permit = new
            gone = self._close(old)
        self._let_go(session, gone)
        return new.refused, new.why

    def finish(self, session: str, run: int) -> None:
        """A run came to its end: what it did not ask for is over."""
        gone: list[str] = []
        with self._lock:
            held = self._session(session)
            held.finished = max(held.finished, run)
            permit = held.permit
            if permit is not None and permit.run < run:
                held.permit, gone = None, self._close(permit)
            elif permit is not None and permit.run == run and permit.refused:
                permit.is_told = True
        self._let_go(session, gone)

    def taken(self, session: str, files: Iterable[str]) -> None:
        """The page has read these files: let them go."""
        self._let_go(session, [file_id for file_id in files if self.deleted(session, file_id)])

    # --- what the door asks -------------------------------------------------------------------------------------

    def check(self, viewer: Viewer, session: str) -> None:
        """Raises Refused unless the session's open page has an uploader and belongs to this person, who may use it."""
        with self._lock:
            self._permit(viewer, session)

    def reserve(self, viewer: Viewer, session: str, file_id: str, length: int | None) -> Arrival:
        """Keep room for a file before its first byte. `length`: of the request's body, if it is said.

        Raises Refused without a permit, TooMuch without room.
        """
        with self._lock:
            permit = self._permit(viewer, session)
            if file_id in permit.files:
                raise Refused("This file is already here, or being uploaded.")
            if permit.is_told:
                permit.refused, permit.is_told = 0, False
            if len(permit.files) >= permit.room.files:
                raise self._no_room(permit, f"This page accepts at most {permit.room} at once.")
            arrival = Arrival(permit, file_id, permit.files.setdefault(file_id, _File()))
            try:
                self._grow(arrival, length or 0)
            except TooMuch:
                self._forget(permit, file_id)
                raise
            return arrival

    def grow(self, arrival: Arrival, size: int) -> None:
        """So many bytes have come. Raises Refused if the page was left meanwhile, TooMuch if there is no more room."""
        with self._lock:
            if arrival.permit.is_over:
                raise Refused(CLOSED)
            self._grow(arrival, size)

    def keep(self, arrival: Arrival) -> None:
        """The file is here whole. Raises Refused if its page was left meanwhile: then it is nobody's."""
        with self._lock:
            if arrival.permit.is_over:
                raise Refused(CLOSED)
            arrival.file.is_here = True

    def give_up(self, arrival: Arrival) -> None:
        """The file will not come; its room is free again."""
        with self._lock:
            if arrival.permit.files.get(arrival.file_id) is arrival.file and not arrival.file.is_here:
                self._forget(arrival.permit, arrival.file_id)

    def deleted(self, session: str, file_id: str) -> bool:
        """The file was dropped; returns whether it was here."""
        with self._lock:
            held = self._sessions.get(session)
            permit = held.permit if held is not None else None
            if permit is None or file_id not in permit.files or not permit.files[file_id].is_here:
                return False
            self._forget(permit, file_id)
            return True

    def end(self, session: str) -> None:
        """The session's page is gone."""
        with self._lock:
            held = self._sessions.pop(session, None)
            gone = self._close(held.permit) if held is not None else []
        self._let_go(session, gone)

    def end_person(self, person_id: str, *, sign_in: str | None = None, but: str | None = None) -> None:
        """Somebody signed out, or was signed out: end their permits, of one sign-in or of all but one."""
        with self._lock:
            over = [
                session
                for session, held in self._sessions.items()
                if (permit := held.permit) is not None
                and person_id in (permit.viewer.person_id, permit.viewer.acting_owner)
                and sign_in in (None, permit.viewer.session_id)
                and permit.viewer.session_id != but
            ]
        for session in over:
            self.end(session)

    # --- under the lock -----------------------------------------------------------------------------------------

    def _session(self, session: str) -> _Session:
        held = self._sessions.setdefault(session, _Session())
        self._sessions.move_to_end(session)
        if len(self._sessions) > MOST_SESSIONS:
            # A run that outlives its page leaves an entry that nobody ends: the oldest one without files goes.
            for name, each in self._sessions.items():
                if each.permit is None or not each.permit.files:
                    del self._sessions[name]
                    break
        return held

    def _permit(self, viewer: Viewer, session: str) -> _Permit:
        held = self._sessions.get(session)
        permit = held.permit if held is not None else None
        if permit is None or permit.viewer.person_id != viewer.person_id or not viewer.may(permit.may):
            raise Refused(CLOSED)
        return permit

    def _grow(self, arrival: Arrival, size: int) -> None:
        permit, more = arrival.permit, size - arrival.file.size
        if more <= 0:
            return
        person, frames = permit.viewer.person_id, FRAME * len(permit.files)
        if permit.size + more > permit.room.size + frames:
            raise self._no_room(permit, f"This page accepts at most {permit.room} at once.")
        if self._of_person[person] + more > OF_A_PERSON + frames:
            raise self._no_room(permit, f"Your open pages already have the maximum of {OF_A_PERSON // MB} MB of files.")
        arrival.file.size = size
        permit.size += more
        self._of_person[person] += more

    def _no_room(self, permit: _Permit, why: str) -> TooMuch:
        permit.refused, permit.why = permit.refused + 1, why
        return TooMuch(why)

    def _forget(self, permit: _Permit, file_id: str) -> None:
        person, file = permit.viewer.person_id, permit.files.pop(file_id)
        permit.size -= file.size
        self._of_person[person] -= file.size
        if not self._of_person[person]:
            del self._of_person[person]

    def _close(self, permit: _Permit | None) -> list[str]:
        """End a permit; returns the files that are here. Those on their way count until they are given up."""
        if permit is None:
            return []
        permit.is_over = True
        here = [file_id for file_id, file in permit.files.items() if file.is_here]
        for file_id in here:
            self._forget(permit, file_id)
        return here

    # --- outside of it ------------------------------------------------------------------------------------------

    def _let_go(self, session: str, files: list[str]) -> None:
        if files:
            self.release(session, files)


PERMITS = Permits()
_run: ContextVar[int | None] = ContextVar("run of the page", default=None)


@contextmanager
def page_run(session: str) -> Iterator[None]:
    """Around one drawing of a page; a drawing that a newer one cuts short ends no permit."""
    run = PERMITS.begin()
    before = _run.set(run)
    try:
        yield
    finally:
        _run.reset(before)
    PERMITS.finish(session, run)


def permit(viewer: Viewer, session: str, area: str, room: Room = PLAIN, may: May = May.CURATE) -> str:
    """Let the uploaders that this run draws take files; once a run, before they are drawn.

    `session`: Streamlit's. `area`: the key of the uploaders; with another one, all files of the last are let go.
    Returns what to tell of files that found no room, or "". Raises Refused without the role.
    """
    with consulting(viewer, may) as r:
        live = r.viewer
    refused, why = PERMITS.grant(live, session, area, room, may, _run.get() or PERMITS.begin())
    if not refused:
        return ""
    was, them = ("was", "it") if refused == 1 else ("were", "them")
    return f"{counted(refused, 'file')} {was} not accepted. {why} Add {them} again after the others."


def end_person(person_id: str, *, sign_in: str | None = None, but: str | None = None) -> None:
    """Somebody signed out, or was signed out: their open pages take no more files, and what these took is let go."""
    PERMITS.end_person(person_id, sign_in=sign_in, but=but)


def taken(session: str, file_id: str) -> None:
    """The page has read this file and needs it no more: free its memory."""
    PERMITS.taken(session, [file_id])
