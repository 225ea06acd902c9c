"""Invitations: links that work once, to join the study or to set a new password."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session

from core.errors import BadInput, Missing, Refused
from core.invited import Invited
from core.people import Permission, Receipt, Role, Viewer
from core.words import quoted
from services.acting import Writing, check_act_id, consulting, perform
from services.exchange import uploads
from services.people import passwords
from services.people.access import SignedIn, new_person, open_session
from services.study import Study, current_study
from store import history, people, sessions, settings
from store.tables import InvitationRow, new_id

LIFETIME = timedelta(days=14)


MOST_AT_ONCE, LONGEST = 100, 200
"""People of one act, and characters of a name or note."""


@dataclass(frozen=True, slots=True)
class InvitationView:
    """An invitation as the invited person sees it. `name`: for whom it is, perhaps empty; of a password reset whose
    password it sets."""

    kind: str
    roles: tuple[Role, ...]
    name: str


@dataclass(frozen=True, slots=True)
class InvitationLink:
    """A new link: for whom, its token, which is stored nowhere, and the roles it grants; none if it sets a password."""

    name: str
    token: str
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenInvitation:
    """A link that is not used, as those who manage people see it. `kind`: invite, or reset of a password."""

    id: str
    kind: str
    name: str
    note: str
    roles: tuple[Role, ...]
    created_by: str
    created_at: datetime
    expires_at: datetime
    is_expired: bool


def invite(viewer: Viewer, invited: Sequence[Invited], note: str = "", *, act_id: str) -> tuple[InvitationLink, ...]:
    """Create a link for each person, which works once, for fourteen days, and grants their roles. A repeat returns the
    same links. Raises BadInput without a person or a role, for more than `MOST_AT_ONCE` people, and for a name or note
    that is too long."""
    if not invited or not all(each.roles for each in invited):
        raise BadInput("Choose at least one role for the invitation.")
    if len(invited) > MOST_AT_ONCE:
        raise BadInput(f"These are {len(invited):,} people; invite at most {MOST_AT_ONCE} at once.")
    too_long = next((text for text in (*(each.name for each in invited), note) if len(text) > LONGEST), None)
    if too_long is not None:
        raise BadInput(f"{quoted(too_long[:40])} … is too long; names and notes have at most {LONGEST} characters.")
    for_whom = [Invited(each.name.strip(), tuple(sorted(set(each.roles)))) for each in invited]
    return _links(viewer, "invite", for_whom, act_id, note=note.strip())


def reset_link(viewer: Viewer, person_id: str, *, act_id: str) -> str:
    """Create a link by which a person sets a new password. Raises Missing for an unknown person."""
    return _links(viewer, "reset", [Invited("", ())], act_id, person_id=person_id)[0].token


def _links(
    viewer: Viewer,
    kind: str,
    for_whom: Sequence[Invited],
    act_id: str,
    *,
    person_id: str | None = None,
    note: str = "",
) -> tuple[InvitationLink, ...]:
    def act(w: Writing) -> Receipt:
        if person_id is not None:
            people.person(w.session, person_id)
        rows = [
            InvitationRow(
                token_hash=sessions.hash_token(token),
                kind=kind,
                roles=[role.value for role in each.roles],
                person_id=person_id,
                name=each.name,
                note=note,
                created_by=w.viewer.person_id,
                created_at=w.now,
                expires_at=w.now + LIFETIME,
            )
            for each, token in zip(for_whom, _tokens(w.study, w.session, act_id, len(for_whom)), strict=True)
        ]
        w.session.add_all(rows)
        w.session.flush()
        further = {"invitations": [row.id for row in rows]} if len(rows) > 1 else {}
        roles = sorted({role.value for each in for_whom for role in each.roles})
        payload = {"roles": roles, "person": person_id, **further}
        return w.record(f"person.{kind}", "invitation", rows[0].id, payload=payload)

    check_act_id(act_id)
    perform(viewer, Permission.MANAGE, act_id, act)
    study = current_study()
    with study.store.reading() as session:
        tokens = _tokens(study, session, act_id, len(for_whom))
    return tuple(InvitationLink(each.name, token, each.roles) for each, token in zip(for_whom, tokens, strict=True))


def _tokens(study: Study, session: Session, act_id: str, number: int) -> list[str]:
    # Derived from the act, so that a double click shows the same links twice instead of making more.
    secret = settings.secret(session).encode()
    texts = [f"invitation {act_id}{f' {place}' if place else ''}" for place in range(number)]
    return [hmac.new(secret, text.encode(), hashlib.sha256).hexdigest() for text in texts]


def open_invitations(viewer: Viewer) -> tuple[OpenInvitation, ...]:
    """Return the links that nobody has used or revoked, the newest first; expired ones for as long again."""
    with consulting(viewer, Permission.MANAGE) as r:
        rows = [row for row in sessions.unused_invitations(r.session) if r.now < row.expires_at + LIFETIME]
        names = people.names_of(
            r.session, {row.person_id for row in rows if row.person_id} | {row.created_by for row in rows}
        )
        return tuple(
            OpenInvitation(
                id=row.id,
                kind=row.kind,
                name=names.get(row.person_id or "", row.name),
                note=row.note,
                roles=tuple(Role(role) for role in row.roles),
                created_by=names.get(row.created_by, row.created_by),
                created_at=row.created_at,
                expires_at=row.expires_at,
                is_expired=r.now >= row.expires_at,
            )
            for row in rows
        )


def revoke(viewer: Viewer, invitation_id: str, *, act_id: str) -> Receipt:
    """End a link before it is used. Raises Missing for an unknown one, Refused for one that was used."""

    def act(w: Writing) -> Receipt:
        row = w.session.get(InvitationRow, invitation_id)
        if row is None:
            raise Missing("There is no such invitation in this study.")
        if row.used_at is not None:
            raise Refused("This link was used a moment ago. Deactivate the person if they should not be here.")
        row.revoked_at = row.revoked_at or w.now
        row.name = row.note = ""
        w.session.add(row)
        w.session.flush()
        return w.record("person.revoke", "invitation", row.id)

    return perform(viewer, Permission.MANAGE, act_id, act)


def invitation(token: str) -> InvitationView:
    """Return what a link is for. Raises Refused if it is unknown, used or too old."""
    study = current_study()
    with study.store.reading() as session:
        row = _usable(sessions.invitation_by_token(session, token), study.clock())
        name = people.person(session, row.person_id).name if row.person_id else row.name
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
        row.name = row.note = ""
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
    if row is None or row.used_at is not None or row.revoked_at is not None or now >= row.expires_at:
        raise Refused("This link has been used or has expired. Ask the study's owner for a new link.")
    return row
