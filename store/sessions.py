"""Signed-in browsers and invitations. Only the hash of a cookie's token is stored."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, func, update
from sqlmodel import Session, col, select

from core.errors import SignedOut
from core.people import Role, Viewer
from store.tables import InvitationRow, PersonRow, SessionRow

LIFETIME = timedelta(days=14)
IDLE = timedelta(hours=8)
SEEN_EVERY = timedelta(seconds=60)


# Prepared: every request, read and act runs one, and building it takes longer than the answer.
_WITH_PERSON = select(SessionRow, PersonRow).join(PersonRow, col(PersonRow.id) == SessionRow.person_id, isouter=True)
_BY_ID = _WITH_PERSON.where(SessionRow.id == bindparam("value"))
_BY_TOKEN = _WITH_PERSON.where(SessionRow.token_hash == bindparam("value"))


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def session_by_token(session: Session, token: str) -> SessionRow | None:
    return session.exec(select(SessionRow).where(SessionRow.token_hash == hash_token(token))).first()


def live_viewer(session: Session, session_id: str, now: datetime) -> Viewer:
    """Return the person of a session, with their current roles. Raises SignedOut if the session ended, expired, was
    idle for eight hours, or its person was deactivated."""
    return _live_viewer(session, *_found(session, _BY_ID, session_id), now)


def viewer_by_token(session: Session, token: str, now: datetime) -> tuple[Viewer, bool]:
    """Return the live person behind a token, and whether the session needs a touch. Raises SignedOut as
    `live_viewer`, and for an unknown token."""
    row, person = _found(session, _BY_TOKEN, hash_token(token))
    return _live_viewer(session, row, person, now), row is not None and needs_touch(row, now)


def _found(session: Session, query: Any, value: str) -> tuple[SessionRow | None, PersonRow | None]:
    row, person = session.exec(query, params={"value": value}).first() or (None, None)
    return row, person


def _live_viewer(session: Session, row: SessionRow | None, person: PersonRow | None, now: datetime) -> Viewer:
    if row is None or row.ended_at is not None or now >= row.expires_at or now - row.seen_at > IDLE:
        raise SignedOut("You are signed out. Sign in again; your drafts are kept.")
    if person is None or not person.is_active:
        raise SignedOut("This account is closed. Ask the study's owner.")
    shown, owner = person, None
    if row.acting_person_id is not None:
        acted = session.get(PersonRow, row.acting_person_id)
        if acted is not None and acted.is_active:
            shown, owner = acted, person.id
    return Viewer(
        person_id=shown.id,
        name=shown.name,
        roles=frozenset(Role(role) for role in shown.roles),
        session_id=row.id,
        csrf=row.csrf,
        acting_owner=owner,
        is_local=row.is_local,
        expires_at=min(row.expires_at, row.seen_at + IDLE),
    )


def needs_touch(row: SessionRow, now: datetime) -> bool:
    return now - row.seen_at >= SEEN_EVERY


def touch(session: Session, session_id: str, now: datetime) -> None:
    session.execute(update(SessionRow).where(col(SessionRow.id) == session_id).values(seen_at=now))


def end_sessions(session: Session, person_id: str, now: datetime, *, but: str | None = None) -> int:
    """End every session of a person (except `but`); return how many."""
    query = update(SessionRow).where(col(SessionRow.person_id) == person_id, col(SessionRow.ended_at).is_(None))
    if but is not None:
        query = query.where(col(SessionRow.id) != but)
    result = session.execute(query.values(ended_at=now))
    return int(result.rowcount)  # type: ignore[attr-defined]


def count_live(session: Session, person_id: str, now: datetime) -> int:
    query = (
        select(func.count())
        .select_from(SessionRow)
        .where(
            col(SessionRow.person_id) == person_id, col(SessionRow.ended_at).is_(None), col(SessionRow.expires_at) > now
        )
    )
    return int(session.exec(query).one())


def unused_invitations(session: Session) -> list[InvitationRow]:
    """Return links that were neither used nor revoked, the newest first."""
    unused = col(InvitationRow.used_at).is_(None) & col(InvitationRow.revoked_at).is_(None)
    newest_first = col(InvitationRow.created_at).desc(), col(InvitationRow.id)
    return list(session.exec(select(InvitationRow).where(unused).order_by(*newest_first)))


def invitation_by_token(session: Session, token: str, *, for_update: bool = False) -> InvitationRow | None:
    query = select(InvitationRow).where(InvitationRow.token_hash == hash_token(token))
    return session.exec(query.with_for_update() if for_update else query).first()
