"""Invitations: links that work once, to join the study or to set a new password."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session

from core.errors import BadInput, Refused
from core.people import Permission, Receipt, Role, Viewer
from services.acting import Writing, check_act_id, perform
from services.exchange import uploads
from services.people import passwords
from services.people.access import SignedIn, new_person, open_session
from services.study import Study, current_study
from store import history, people, sessions, settings
from store.tables import InvitationRow, new_id

LIFETIME = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class InvitationView:
    """An invitation as the invited person sees it. `name` is set for a password reset."""

    kind: str
    roles: tuple[Role, ...]
    name: str


def invite(viewer: Viewer, roles: Iterable[Role], *, act_id: str) -> str:
    """Create a link token that works once, for fourteen days, and grants `roles`. A repeat returns the same token."""
    role_names = sorted({Role(role).value for role in roles})
    if not role_names:
        raise BadInput("Choose at least one role for the invitation.")
    return _invitation(viewer, "invite", role_names, None, act_id)


def reset_link(viewer: Viewer, person_id: str, *, act_id: str) -> str:
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
            expires_at=w.now + LIFETIME,
        )
        w.session.add(row)
        w.session.flush()
        return w.record(f"person.{kind}", "invitation", row.id, payload={"roles": roles, "person": person_id})

    check_act_id(act_id)
    perform(viewer, Permission.MANAGE, act_id, act)
    study = current_study()
    with study.store.reading() as session:
        return _invitation_token(study, session, act_id)


def _invitation_token(study: Study, session: Session, act_id: str) -> str:
    # Derived from the act, so that a double click shows the same link twice instead of making two.
    secret = settings.secret(session)
    return hmac.new(secret.encode(), f"invitation {act_id}".encode(), hashlib.sha256).hexdigest()


def invitation(token: str) -> InvitationView:
    """Return what a link is for. Raises Refused if it is unknown, used or too old."""
    study = current_study()
    with study.store.reading() as session:
        row = _usable(sessions.invitation_by_token(session, token), study.clock())
        name = people.person(session, row.person_id).name if row.person_id else ""
        return InvitationView(row.kind, tuple(Role(role) for role in row.roles), name)


def accept_invitation(token: str, name: str, password: str) -> SignedIn:
    """Use a link: add the person (or set the new password) and sign them in.

    Raises Refused for a used or expired link, BadInput for a taken or empty name or a short password.
    """
    hashed = passwords.hash_password(password)
    study = current_study()
    now = study.clock()
    with study.store.writing() as session:
        row = _usable(sessions.invitation_by_token(session, token, for_update=True), now)
        if row.person_id is not None:
            person = people.person(session, row.person_id)
            person.password_hash = hashed
            sessions.end_sessions(session, person.id, now)
            uploads.end_person(person.id)
        else:
            person = new_person(session, name, [Role(role) for role in row.roles], now, password_hash=hashed)
        row.used_at = now
        session.add(person)
        session.add(row)
        session.flush()
        history.record(
            session,
            history.Actor(person.id),
            "person.accept",
            at=now,
            act_id=new_id(),
            subject_kind="invitation",
            subject_id=row.id,
            payload={"kind": row.kind},
        )
        return open_session(session, person, now)


def _usable(row: InvitationRow | None, now: datetime) -> InvitationRow:
    if row is None or row.used_at is not None or now >= row.expires_at:
        raise Refused("This link has been used or has expired. Ask the study's owner for a new link.")
    return row
