"""Signing in and out, invitations, passwords, and working as someone else in a local study.

A sign-in is a row: the browser holds an opaque random token, the store its hash. Any other way of proving who
someone is (OIDC later) ends in `_open_session` too, so expiry, sign-out and roles stay in one place.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from core.errors import BadInput, Missing, Refused, SignedOut, StoreTrouble
from core.graphs.names import clean_name
from core.people import May, Receipt, Role, Viewer
from services.acting import Writing, check_act_id, perform
from services.study import Study, current_study
from store import history, people, sessions, settings
from store.tables import AttemptRow, InvitationRow, PersonRow, SessionRow, new_id

FREE_ATTEMPTS = 5
FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(minutes=15)
FORGET_AFTER = timedelta(hours=1)
ADDRESS_FACTOR = 8  # a classroom shares one address
INVITATION_LIFETIME = timedelta(days=14)
SHORTEST_PASSWORD = 10
TOUCH_PATIENCE_MS = 100  # a request that only reads waits no longer for another writer
WRONG = "The name or the password is wrong."

_hasher = PasswordHasher()
_hashing = threading.Semaphore(2)  # 64 MiB and a core each: more at once would starve the people who work
# The hash of a random password that nobody kept: an unknown name costs the same work as a known one.
_DUMMY = "$argon2id$v=19$m=65536,t=3,p=4$t9gz46ppLO04ReknbTCOrw$XowFoRL/5cZvlssGHKpqiUEpB1wmJWT+lUsX8KuSCYw"


@dataclass(frozen=True, slots=True)
class SignedIn:
    """`token` goes into the cookie and nowhere else."""

    token: str
    viewer: Viewer


@dataclass(frozen=True, slots=True)
class InvitationView:
    """What the invited person sees before they accept. `name` is set for a password reset."""

    kind: str
    roles: tuple[Role, ...]
    name: str


# --- signing in and out -----------------------------------------------------------------------------------------


def sign_in(name: str, password: str, address: str) -> SignedIn:
    """Open a session for a person who knows their password.

    Raises Refused with the same words, after the same work, for an unknown name and a wrong password; after
    five failures the name has to wait, twice as long each time, and so does an address after forty.
    """
    study = current_study()
    keys = _attempt_keys(study, name, address)
    with study.store.writing() as session:
        _refuse_while_blocked(session, keys, study.clock())
        row = people.person_named(session, name)
        stored = row.password_hash if row is not None and row.is_active else None
        person_id = row.id if row is not None else ""
    if not _verify(stored, password):
        with suppress(IntegrityError), study.store.writing() as session:
            # Two first failures of one name can meet on a server; then one of them goes uncounted.
            _count_failure(session, keys, study.clock())
        raise Refused(WRONG)
    with study.store.writing() as session:
        for key in keys[:1]:
            found = session.get(AttemptRow, key)
            if found is not None:
                session.delete(found)
        return _open_session(session, people.person(session, person_id), study.clock())


def sign_in_locally() -> SignedIn:
    """Open the local study's session for its owner. The door calls this only on loopback.

    Raises Missing if the study has no owner yet.
    """
    study = current_study()
    with study.store.writing() as session:
        row = people.owner(session)
        if row is None:
            raise Missing("This study has no owner; create one with: python edgewise.py people add NAME --role owner")
        return _open_session(session, row, study.clock(), is_local=True)


def _open_session(session: Session, person: PersonRow, now: datetime, *, is_local: bool = False) -> SignedIn:
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
        session, history.Actor(person.id), "session.open", at=now, act_id=new_id(),
        subject_kind="session", subject_id=row.id, payload={"local": is_local},
    )  # fmt: skip
    return SignedIn(token, sessions.live_viewer(session, row.id, now))


def viewer_of(token: str | None) -> Viewer:
    """The live viewer behind a cookie. Raises SignedOut for a missing, forged, ended or idle session."""
    study = current_study()
    now = study.clock()
    if not token:
        raise SignedOut("You are signed out.")
    with study.store.reading() as session:
        row = sessions.session_by_token(session, token)
        if row is None:
            raise SignedOut("You are signed out.")
        viewer = sessions.live_viewer(session, row.id, now)
        due = sessions.needs_touch(row, now)
    if due:
        # A full disk or another program's lock must not keep people from reading: the next request notes it.
        with suppress(StoreTrouble), study.store.writing(TOUCH_PATIENCE_MS) as session:
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
        if not hmac.compare_digest(row.csrf, csrf):
            raise Refused("This form is out of date. Load the page again.")
        row.ended_at = study.clock()
        session.add(row)
        history.record(
            session, history.Actor(row.person_id), "session.end", at=study.clock(), act_id=new_id(),
            subject_kind="session", subject_id=row.id,
        )  # fmt: skip


def sign_out_everywhere(viewer: Viewer, *, act_id: str) -> Receipt:
    """End every session of this person, this one too."""

    def act(w: Writing) -> Receipt:
        ended = sessions.end_sessions(w.session, w.viewer.person_id, w.now)
        return w.record("session.end_all", "person", w.viewer.person_id, payload={"ended": ended})

    return perform(viewer, May.READ_STUDY, act_id, act)


# --- passwords and invitations ----------------------------------------------------------------------------------


def change_password(viewer: Viewer, old: str, new: str, *, act_id: str) -> Receipt:
    """Set one's own password and end one's other sessions. Raises Refused if `old` is wrong."""
    check_password(new)
    hashed = _hash(new)

    def act(w: Writing) -> Receipt:
        if w.viewer.acting_owner:
            raise Refused("A password can only be changed by the person themselves.")
        row = people.person(w.session, w.viewer.person_id)
        if row.password_hash is not None and not _verify(row.password_hash, old):
            raise Refused("The present password is wrong.")
        row.password_hash = hashed
        w.session.add(row)
        sessions.end_sessions(w.session, row.id, w.now, but=w.viewer.session_id)
        w.session.flush()
        return w.record("person.password", "person", row.id, version=row.version)

    return perform(viewer, May.READ_STUDY, act_id, act)


def check_password(password: str) -> None:
    """Raises BadInput for a password that is too short or absurdly long."""
    if len(password) < SHORTEST_PASSWORD:
        raise BadInput(f"The password has {len(password)} characters; at least {SHORTEST_PASSWORD} are needed.")
    if len(password) > 1000:
        raise BadInput("The password is longer than 1,000 characters.")


def invite(viewer: Viewer, roles: Iterable[Role], *, act_id: str) -> str:
    """Make a link token that works once, for fourteen days, and gives `roles`. A repeat gives the same token."""
    wanted = sorted({Role(role).value for role in roles})
    if not wanted:
        raise BadInput("Choose at least one role for the invitation.")
    return _invitation(viewer, "invite", wanted, None, act_id)


def reset_link(viewer: Viewer, person_id: str, *, act_id: str) -> str:
    """Make a link token with which one person sets a new password."""
    return _invitation(viewer, "reset", [], person_id, act_id)


def _invitation(viewer: Viewer, kind: str, roles: list[str], person_id: str | None, act_id: str) -> str:
    def act(w: Writing) -> Receipt:
        if person_id is not None:
            people.person(w.session, person_id)
        row = InvitationRow(
            token_hash=sessions.hash_token(_invitation_token(w.study, w.session, act_id)),
            kind=kind,
            roles=roles,
            person_id=person_id,
            created_by=w.viewer.person_id,
            created_at=w.now,
            expires_at=w.now + INVITATION_LIFETIME,
        )
        w.session.add(row)
        w.session.flush()
        return w.record(f"person.{kind}", "invitation", row.id, payload={"roles": roles, "person": person_id})

    check_act_id(act_id)
    perform(viewer, May.MANAGE, act_id, act)
    study = current_study()
    with study.store.reading() as session:
        return _invitation_token(study, session, act_id)


def _invitation_token(study: Study, session: Session, act_id: str) -> str:
    # Derived from the act, so that a double click shows the same link twice instead of making two.
    secret = settings.secret(session)
    return hmac.new(secret.encode(), f"invitation {act_id}".encode(), hashlib.sha256).hexdigest()


def invitation(token: str) -> InvitationView:
    """What a link offers. Raises Refused if it is unknown, used or too old."""
    study = current_study()
    with study.store.reading() as session:
        row = _usable(sessions.invitation_by_token(session, token), study.clock())
        name = people.person(session, row.person_id).name if row.person_id else ""
        return InvitationView(row.kind, tuple(Role(role) for role in row.roles), name)


def accept_invitation(token: str, name: str, password: str) -> SignedIn:
    """Use a link: make the person (or set the new password) and sign them in.

    Raises Refused for a spent link, BadInput for a taken or empty name or a short password.
    """
    check_password(password)
    hashed = _hash(password)
    study = current_study()
    now = study.clock()
    with study.store.writing() as session:
        row = _usable(sessions.invitation_by_token(session, token, for_update=True), now)
        if row.person_id is not None:
            person = people.person(session, row.person_id)
            person.password_hash = hashed
            sessions.end_sessions(session, person.id, now)
        else:
            person = new_person(session, name, [Role(role) for role in row.roles], now, password_hash=hashed)
        row.used_at = now
        session.add(person)
        session.add(row)
        session.flush()
        history.record(
            session, history.Actor(person.id), "person.accept", at=now, act_id=new_id(),
            subject_kind="invitation", subject_id=row.id, payload={"kind": row.kind},
        )  # fmt: skip
        return _open_session(session, person, now)


def _usable(row: InvitationRow | None, now: datetime) -> InvitationRow:
    if row is None or row.used_at is not None or now >= row.expires_at:
        raise Refused("This link has been used or is too old. Ask the study's owner for a new one.")
    return row


def new_person(
    session: Session,
    name: str,
    roles: Iterable[Role],
    now: datetime,
    *,
    password_hash: str | None = None,
    is_demo: bool = False,
) -> PersonRow:
    """Add a person in the caller's transaction. Raises BadInput for an empty or taken name."""
    cleaned = clean_name(name)
    if len(cleaned) > 80:
        raise BadInput("A person's name may have at most 80 characters.")
    if people.person_named(session, cleaned) is not None:
        raise BadInput(f"The name {cleaned!r} is taken in this study; choose another.")
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
    """In a local study, let the owner see and do what a demo person may; None goes back.

    Recorded, shown as a banner; every act meanwhile names both. Raises Refused anywhere else.
    """

    def act(w: Writing) -> Receipt:
        row = w.session.get(SessionRow, w.viewer.session_id)
        if row is None or not row.is_local:
            raise Refused("Working as someone else is only possible in a local study.")
        owner = people.person(w.session, row.person_id)
        if Role.OWNER.value not in owner.roles:
            raise Refused("Only the owner may work as someone else.")
        if person_id is not None and not people.person(w.session, person_id).is_demo:
            raise Refused("Only demo people can be worked as.")
        row.acting_person_id = person_id
        w.session.add(row)
        return w.record("session.work_as", "person", person_id or owner.id)

    return perform(viewer, May.READ_STUDY, act_id, act)


# --- passwords and attempts, below ------------------------------------------------------------------------------


def hash_password(password: str) -> str:
    """argon2id with the library's defaults. Raises BadInput for a password that is too short."""
    check_password(password)
    return _hash(password)


def _hash(password: str) -> str:
    with _hashing:
        return _hasher.hash(password)


def _verify(stored: str | None, password: str) -> bool:
    """Always does the same work, so that the time taken does not tell whether a name exists."""
    with _hashing:
        try:
            _hasher.verify(stored or _DUMMY, password[:1000])
        except (VerifyMismatchError, InvalidHashError):
            return False
    return stored is not None


def _attempt_keys(study: Study, name: str, address: str) -> tuple[str, str]:
    with study.store.reading() as session:
        secret = settings.secret(session)
    parts = (f"name {name.strip().lower()[:200]}", f"address {address}")
    hashes = [hmac.new(secret.encode(), part.encode(), hashlib.sha256).hexdigest() for part in parts]
    return ("n" + hashes[0], "a" + hashes[1])


def _refuse_while_blocked(session: Session, keys: Iterable[str], now: datetime) -> None:
    for key in keys:
        row = sessions.attempt(session, key)
        if row is not None and row.blocked_until is not None and now < row.blocked_until:
            seconds = int((row.blocked_until - now).total_seconds()) + 1
            raise Refused(f"Too many attempts. Try again in {seconds} seconds.")


def _count_failure(session: Session, keys: tuple[str, str], now: datetime) -> None:
    for key, free in zip(keys, (FREE_ATTEMPTS, FREE_ATTEMPTS * ADDRESS_FACTOR), strict=True):
        row = sessions.attempt(session, key) or AttemptRow(key=key, last_at=now)
        if now - row.last_at > FORGET_AFTER:
            row.failures = 0
        row.failures += 1
        row.last_at = now
        over = row.failures - free
        if over >= 0:
            row.blocked_until = now + min(FIRST_WAIT * 2 ** min(over, 10), LONGEST_WAIT)
        session.add(row)
