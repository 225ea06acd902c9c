"""Upload permits of sessions, in memory: granted by pages with an uploader, checked by the web server.

Streamlit accepts a file from anyone who knows a session's id, before any page sees it, and keeps it in memory. So a
page requests a permit each time it draws an uploader, and the server refuses files without one. A permit ends with the
first finished run of its session that did not renew it. One server process serves a study, so its memory is the table.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count

from core.errors import Refused, TooLarge
from core.people import Permission, Viewer
from core.words import counted
from services.acting import consulting

MB = 1_000_000
OF_A_PERSON = 500 * MB  # held by all open pages of one person
FRAME = 4096  # of a request in addition to its file: the lines around it, with the file's name
MOST_SESSIONS = 10_000
CLOSED = "No open page of yours accepts this file. Reload the page and choose the file again."


@dataclass(frozen=True, slots=True)
class UploadQuota:
    """Limits of one page's uploaders: number of files, and total bytes."""

    files: int
    size: int

    def __str__(self) -> str:
        return f"{counted(self.files, 'file')} and {self.size // MB:,} MB"


PLAIN = UploadQuota(3, 150 * MB)
PAPERS = UploadQuota(200, 300 * MB)  # a folder of PDFs at once, each processed and released in turn
IMPORTS = UploadQuota(500, 150 * MB)  # many small tables, all previewed before any is imported

Release = Callable[[str, list[str]], None]  # drops files of a session (its id, their ids) from the web server's memory


@dataclass(slots=True, eq=False)
class _File:
    size: int = 0
    is_here: bool = False


@dataclass(slots=True, eq=False, kw_only=True)
class _Permit:
    viewer: Viewer
    may: Permission
    area: str  # key of the uploaders that are drawn
    room: UploadQuota
    run: int  # last run that requested it
    files: dict[str, _File] = field(default_factory=dict)
    size: int = 0
    refused: int = 0  # files over the limit since the last message
    why: str = ""  # the limit that was exceeded
    is_reported: bool = False
    is_over: bool = False


@dataclass(slots=True, eq=False)
class _Session:
    finished: int = 0
    permit: _Permit | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Arrival:
    permit: _Permit
    file_id: str
    file: _File


class UploadPermits:
    """The table of permits. Thread-safe; files are released outside its lock."""

    def __init__(self, release: Release = lambda _session, _files: None) -> None:
        self.release = release
        self._lock = threading.Lock()
        self._sessions: OrderedDict[str, _Session] = OrderedDict()
        self._of_person: Counter[str] = Counter()
        self._runs = count(1)

    # --- what a page does ---------------------------------------------------------------------------------------

    def begin(self) -> int:
        """Return the number of a run that starts now."""
        return next(self._runs)

    def grant(
        self, viewer: Viewer, session: str, area: str, room: UploadQuota, may: Permission, run: int
    ) -> tuple[int, str]:
        """Grant or renew the session's permit; return how many files exceeded which limit since the last message.

        Files of another area or person are released. An overtaken run gets no permit.
        """
        with self._lock:
            upload_session = self._session(session)
            old = upload_session.permit
            if run < upload_session.finished or (old is not None and run < old.run):
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
                    is_reported=old.is_reported,
                )
            else:
                old.viewer, old.may, old.room, old.run = viewer, may, room, run
                return old.refused, old.why
            upload_session.permit = new
            released = self._close(old)
        self._release(session, released)
        return new.refused, new.why

    def finish(self, session: str, run: int) -> None:
        """End a run, and the permit that it did not request."""
        released: list[str] = []
        with self._lock:
            upload_session = self._session(session)
            upload_session.finished = max(upload_session.finished, run)
            permit = upload_session.permit
            if permit is not None and permit.run < run:
                upload_session.permit, released = None, self._close(permit)
            elif permit is not None and permit.run == run and permit.refused:
                permit.is_reported = True
        self._release(session, released)

    def taken(self, session: str, files: Iterable[str]) -> None:
        self._release(session, [file_id for file_id in files if self.deleted(session, file_id)])

    # --- requests of the web server -----------------------------------------------------------------------------

    def check(self, viewer: Viewer, session: str) -> None:
        """Raise Refused unless the session's open page has an uploader and belongs to this person, who may use it."""
        with self._lock:
            self._permit(viewer, session)

    def reserve(self, viewer: Viewer, session: str, file_id: str, length: int | None) -> Arrival:
        """Reserve space for a file before its first byte. `length`: of the request's body, if it is stated.

        Raises Refused without a permit, TooLarge over the limit.
        """
        with self._lock:
            permit = self._permit(viewer, session)
            if file_id in permit.files:
                raise Refused("This file is already here, or being uploaded.")
            if permit.is_reported:
                permit.refused, permit.is_reported = 0, False
            if len(permit.files) >= permit.room.files:
                raise self._count_refused(permit, f"This page accepts at most {permit.room} at once.")
            arrival = Arrival(permit, file_id, permit.files.setdefault(file_id, _File()))
            try:
                self._reserve_bytes(arrival, length or 0)
            except TooLarge:
                self._remove_file(permit, file_id)
                raise
            return arrival

    def grow(self, arrival: Arrival, size: int) -> None:
        """Record the bytes received so far. Raises Refused if the page was left meanwhile, TooLarge over the limit."""
        with self._lock:
            if arrival.permit.is_over:
                raise Refused(CLOSED)
            self._reserve_bytes(arrival, size)

    def keep(self, arrival: Arrival) -> None:
        """Mark the file as complete. Raises Refused if its page was left meanwhile."""
        with self._lock:
            if arrival.permit.is_over:
                raise Refused(CLOSED)
            arrival.file.is_here = True

    def abandon(self, arrival: Arrival) -> None:
        """Abandon a file that will not arrive and free its space."""
        with self._lock:
            if arrival.permit.files.get(arrival.file_id) is arrival.file and not arrival.file.is_here:
                self._remove_file(arrival.permit, arrival.file_id)

    def deleted(self, session: str, file_id: str) -> bool:
        """Remove a dropped file; return whether it had arrived."""
        with self._lock:
            upload_session = self._sessions.get(session)
            permit = upload_session.permit if upload_session is not None else None
            if permit is None or file_id not in permit.files or not permit.files[file_id].is_here:
                return False
            self._remove_file(permit, file_id)
            return True

    def end(self, session: str) -> None:
        """End the permit of a closed page."""
        with self._lock:
            upload_session = self._sessions.pop(session, None)
            released = self._close(upload_session.permit) if upload_session is not None else []
        self._release(session, released)

    def end_person(self, person_id: str, *, sign_in: str | None = None, but: str | None = None) -> None:
        """End the permits of a person who signed out: of one sign-in, or of all but one."""
        with self._lock:
            over = [
                session
                for session, upload_session in self._sessions.items()
                if (permit := upload_session.permit) is not None
                and person_id in (permit.viewer.person_id, permit.viewer.acting_owner)
                and sign_in in (None, permit.viewer.session_id)
                and permit.viewer.session_id != but
            ]
        for session in over:
            self.end(session)

    # --- under the lock -----------------------------------------------------------------------------------------

    def _session(self, session: str) -> _Session:
        upload_session = self._sessions.setdefault(session, _Session())
        self._sessions.move_to_end(session)
        if len(self._sessions) > MOST_SESSIONS:
            # A run that outlives its page leaves an entry that nothing ends: drop the oldest one without files.
            for name, each in self._sessions.items():
                if each.permit is None or not each.permit.files:
                    del self._sessions[name]
                    break
        return upload_session

    def _permit(self, viewer: Viewer, session: str) -> _Permit:
        upload_session = self._sessions.get(session)
        permit = upload_session.permit if upload_session is not None else None
        if permit is None or permit.viewer.person_id != viewer.person_id or not viewer.may(permit.may):
            raise Refused(CLOSED)
        return permit

    def _reserve_bytes(self, arrival: Arrival, size: int) -> None:
        permit, more = arrival.permit, size - arrival.file.size
        if more <= 0:
            return
        person, frames = permit.viewer.person_id, FRAME * len(permit.files)
        if permit.size + more > permit.room.size + frames:
            raise self._count_refused(permit, f"This page accepts at most {permit.room} at once.")
        if self._of_person[person] + more > OF_A_PERSON + frames:
            raise self._count_refused(
                permit, f"Your open pages already have the maximum of {OF_A_PERSON // MB} MB of files."
            )
        arrival.file.size = size
        permit.size += more
        self._of_person[person] += more

    def _count_refused(self, permit: _Permit, why: str) -> TooLarge:
        permit.refused, permit.why = permit.refused + 1, why
        return TooLarge(why)

    def _remove_file(self, permit: _Permit, file_id: str) -> None:
        person, file = permit.viewer.person_id, permit.files.pop(file_id)
        permit.size -= file.size
        self._of_person[person] -= file.size
        if not self._of_person[person]:
            del self._of_person[person]

    def _close(self, permit: _Permit | None) -> list[str]:
        """End a permit; return the files that have arrived. Those in transit count until they are abandoned."""
        if permit is None:
            return []
        permit.is_over = True
        arrived = [file_id for file_id, file in permit.files.items() if file.is_here]
        for file_id in arrived:
            self._remove_file(permit, file_id)
        return arrived

    # --- outside the lock ---------------------------------------------------------------------------------------

    def _release(self, session: str, files: list[str]) -> None:
        if files:
            self.release(session, files)


PERMITS = UploadPermits()
_run: ContextVar[int | None] = ContextVar("run of the page", default=None)


@contextmanager
def page_run(session: str) -> Iterator[None]:
    """Mark one run of a page; a run that a newer one cuts short ends no permit."""
    run = PERMITS.begin()
    before = _run.set(run)
    try:
        yield
    finally:
        _run.reset(before)
    PERMITS.finish(session, run)


def permit(
    viewer: Viewer, session: str, area: str, room: UploadQuota = PLAIN, may: Permission = Permission.CURATE
) -> str:
    """Let the uploaders of this run accept files; called once a run, before they are drawn.

    `session`: Streamlit's. `area`: key of the uploaders; a new one releases all files of the last. Returns a message
    about files over the limit, or "". Raises Refused without the role.
    """
    with consulting(viewer, may) as r:
        live = r.viewer
    refused, why = PERMITS.grant(live, session, area, room, may, _run.get() or PERMITS.begin())
    if not refused:
        return ""
    was, them = ("was", "it") if refused == 1 else ("were", "them")
    return f"{counted(refused, 'file')} {was} not accepted. {why} Add {them} again after the others."


def end_person(person_id: str, *, sign_in: str | None = None, but: str | None = None) -> None:
    """End the uploads of a person who signed out, and release their files."""
    PERMITS.end_person(person_id, sign_in=sign_in, but=but)


def release_read_file(session: str, file_id: str) -> None:
    PERMITS.taken(session, [file_id])
