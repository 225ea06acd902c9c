"""Signing in and out, and working as someone else in a local study.

A sign-in is a row: the browser has an opaque random token, the store its hash. Any other identity check (OIDC later)
also ends in `open_session`, so that expiry, sign-out and roles stay in one place.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from core.errors import BadInput, Missing, Refused, SignedOut, StoreUnavailable
from core.people import Permission, Receipt, Role, Viewer
from core.person_names import TakenNames, clean_person_name
from core.words import quoted
from services.acting import Writing, consulting, perform
from services.exchange import uploads
from services.people import attempts, passwords
from services.study import current_study
from store import history, people, sessions
from store.tables import PersonRow, SessionRow, new_id

TOUCH_PATIENCE_MS = 100  # a request that only reads waits this long for another writer
WRONG = "The name or password is wrong."


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A new sign-in. `token` goes into the cookie and nowhere else."""

    token: str
    viewer: Viewer


# --- signing in and out -----------------------------------------------------------------------------------------


def before_sign_in(name: str, address: str) -> attempts.LoginAttempts:
    """Return the delay of this attempt and its priority among attempts that wait for a hash.

    Raises Refused while the name has to wait, so that such attempts cost neither a hash nor a write.
    """
    study = current_study()
    now = study.clock()
    with study.store.reading() as session:
        keys = attempts.keys_of(session, name, address)
        attempts.refuse_while_blocked(session, keys, now)
        return attempts.attempt_state(session, keys, now)


def sign_in(name: str, password: str, address: str) -> SignedIn:
    """Open a session for a person who knows their password.

    Raises Refused with the same words, after the same work, for an unknown name and a wrong password.
    """
    study = current_study()
    with study.store.writing() as session:
        keys = attempts.keys_of(session, name, address)
        attempts.count(session, keys, study.clock())  # before the check: parallel attempts gain nothing
        row = people.person_named(session, name)
        stored = row.password_hash if row is not None and row.is_active else None
        person_id = row.id if row is not None else ""
    if not passwords.verify(stored, password):
        raise Refused(WRONG)
    with study.store.writing() as session:
        attempts.clear_attempts(session, keys, study.clock())
        return open_session(session, people.person(session, person_id), study.clock())


def sign_in_locally() -> SignedIn:
    """Open the local study's session for its owner; called only on loopback. Raises Missing without an owner."""
    study = current_study()
    with study.store.writing() as session:
        row = people.owner(session)
        if row is None:
            raise Missing("This study has no owner; create one with: python edgewise.py people add NAME --role owner")
        return open_session(session, row, study.clock(), is_local=True)


def open_session(session: Session, person: PersonRow, now: datetime, *, is_local: bool = False) -> SignedIn:
    """Open a session in the caller's transaction, for a person who has proved their identity."""
    token = secrets.token_urlsafe(32)
    row = SessionRow(
        token_hash=sessions.hash_token(token),
        csrf=secrets.token_urlsafe(24),
        person_id=person.id,
        is_local=is_local,
        created_at=now,
        seen_at=now,
        expires_at=now + sessions.LIFETIME,
    )
    session.add(row)
    session.flush()
    history.record(
        session,
        history.Actor(person.id),
        "session.open",
        at=now,
        act_id=new_id(),
        subject_kind="session",
        subject_id=row.id,
        payload={"local": is_local},
    )
    return SignedIn(token, sessions.live_viewer(session, row.id, now))


def viewer_of(token: str | None) -> Viewer:
    """Return the live viewer behind a cookie. Raises SignedOut for a missing, forged, ended or idle session."""
    study = current_study()
    now = study.clock()
    if not token:
        raise SignedOut("You are signed out.")
    with study.store.reading() as session:
        viewer, needs_touch = sessions.viewer_by_token(session, token, now)
    if needs_touch:
        # A full disk or another program's lock must not block reading: the next request records it.
        with suppress(StoreUnavailable), study.store.writing(TOUCH_PATIENCE_MS) as session:
            sessions.touch(session, viewer.session_id, now)
    return viewer


def sign_out(token: str | None, csrf: str) -> None:
    """End this browser's session. Raises Refused if the form's token does not belong to the session."""
    study = current_study()
    if not token:
        return
    with study.store.writing() as session:
        row = sessions.session_by_token(session, token)
        if row is None or row.ended_at is not None:
            return
        if not hmac.compare_digest(row.csrf.encode(), csrf.encode()):
            raise Refused("This form has expired. Reload the page.")
        row.ended_at = study.clock()
        session.add(row)
        history.record(
            session,
            history.Actor(row.person_id),
            "session.end",
            at=study.clock(),
            act_id=new_id(),
            subject_kind="session",
            subject_id=row.id,
        )
        uploads.end_person(row.person_id, sign_in=row.id)


def sign_out_everywhere(viewer: Viewer, *, act_id: str) -> Receipt:
    """End every session of this person, including this one."""

    def act(w: Writing) -> Receipt:
        ended = sessions.end_sessions(w.session, w.viewer.person_id, w.now)
        uploads.end_person(w.viewer.person_id)
        return w.record("session.end_all", "person", w.viewer.person_id, payload={"ended": ended})

    return perform(viewer, Permission.READ_STUDY, act_id, act)


# --- passwords and people ----------------------------------------------------------------------------------


def has_password(viewer: Viewer) -> bool:
    """Return whether the viewer has a password; the owner of a local study and invited people may have none."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        return people.person(r.session, r.viewer.person_id).password_hash is not None


def change_password(viewer: Viewer, old: str, new: str, *, act_id: str) -> Receipt:
    """Set the viewer's own password and end their other sessions.

    Raises Refused if `old` is wrong, or was tried too often from this session, so that nobody can guess in a browser
    left open.
    """
    hashed = passwords.hash_password(new)  # outside the transaction: no other act waits for it
    with consulting(viewer, Permission.READ_STUDY) as r:
        if r.viewer.acting_owner:
            raise Refused("You can change only your own password.")
        row = people.person(r.session, r.viewer.person_id)
        name, stored_hash, is_done = row.name, row.password_hash, history.event_of(r.session, act_id) is not None
    if stored_hash is not None and not is_done:
        with r.study.store.writing() as session:
            keys = attempts.keys_of(session, name, f"session {viewer.session_id}")
            attempts.count(session, keys, r.now)
        if not passwords.verify(stored_hash, old):
            raise Refused("The current password is wrong.")
        with r.study.store.writing() as session:
            attempts.clear_attempts(session, keys, r.now)

    def act(w: Writing) -> Receipt:
        row = people.person(w.session, w.viewer.person_id)
        if row.password_hash != stored_hash:
            raise Refused("The password has changed since you opened this form. Reload the page.")
        row.password_hash = hashed
        w.session.add(row)
        sessions.end_sessions(w.session, row.id, w.now, but=w.viewer.session_id)
        uploads.end_person(row.id, but=w.viewer.session_id)
        w.session.flush()
        return w.record("person.password", "person", row.id, version=row.version)

    return perform(viewer, Permission.READ_STUDY, act_id, act)


def new_person(
    session: Session,
    name: str,
    roles: Iterable[Role],
    now: datetime,
    *,
    password_hash: str | None = None,
    is_demo: bool = False,
) -> PersonRow:
    """Add a person in the caller's transaction.

    Raises InvalidName, or BadInput for a name that anyone in the study has or had, or that looks like one.
    """
    cleaned = clean_person_name(name)
    taken_names = TakenNames(people.hold_names(session))
    if taken_names.same(cleaned) is not None:
        raise BadInput(f"The name {quoted(cleaned)} is taken in this study; choose another.")
    if (other := taken_names.alike(cleaned)) is not None:
        raise BadInput(f"The name {quoted(cleaned)} looks like {quoted(other)}, who is in this study; choose another.")
    row = PersonRow(
        name=cleaned,
        roles=sorted(Role(role).value for role in roles),
        password_hash=password_hash,
        is_demo=is_demo,
        created_at=now,
    )
    session.add(row)
    session.flush()
    return row


# --- working as someone else ------------------------------------------------------------------------------------


def work_as(viewer: Viewer, person_id: str | None, *, act_id: str) -> Receipt:
    """Let the owner of a local study see and do what a demo person may; None ends this.

    It is recorded and shown as a banner, and every act names both. Raises Refused anywhere else.
    """

    def act(w: Writing) -> Receipt:
        row = w.session.get(SessionRow, w.viewer.session_id)
        if row is None or not row.is_local:
            raise Refused("Working as someone else is only possible in a local study.")
        owner = people.person(w.session, row.person_id)
        if Role.OWNER.value not in owner.roles:
            raise Refused("Only the owner may work as someone else.")
        if person_id is not None and not people.person(w.session, person_id).is_demo:
            raise Refused("You can work only as demo people.")
        row.acting_person_id = person_id
        w.session.add(row)
        return w.record("session.work_as", "person", person_id or owner.id)

    return perform(viewer, Permission.READ_STUDY, act_id, act)
