"""The people of a study, as its owner manages them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from core.errors import BadInput, Refused
from core.people import Permission, Receipt, Role, Viewer
from services.acting import Writing, consulting, perform, require_seen
from services.exchange import uploads
from services.people import access, attempts, passwords
from store import assignments, history, people, sessions
from store.tables import PersonRow


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonView:
    id: str
    name: str
    roles: tuple[Role, ...]
    is_active: bool
    is_demo: bool
    has_password: bool
    created_at: datetime
    version: int
    last_act_at: datetime | None = None  # in the history, signing in aside
    submitted: Mapping[str, int] = field(default_factory=dict)  # kind of work → assignments submitted
    locked_until: datetime | None = None  # end of the wait before this name may sign in, at some address at least


def list_people(viewer: Viewer) -> tuple[PersonView, ...]:
    with consulting(viewer, Permission.MANAGE) as r:
        locked = attempts.waits(r.session, r.now)
        acts, submitted = history.last_acts(r.session), assignments.submitted_by_person(r.session)
        return tuple(
            replace(_view(row, locked.get(row.id)), last_act_at=acts.get(row.id), submitted=submitted.get(row.id, {}))
            for row in people.all_people(r.session)
        )


def demo_people(viewer: Viewer) -> tuple[PersonView, ...]:
    """Return the demo people that the owner of a local study may work as; empty for everyone else."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        if not r.viewer.is_local:
            return ()
        return tuple(_view(row) for row in people.all_people(r.session) if row.is_demo and row.is_active)


def _view(row: PersonRow, locked_until: datetime | None = None) -> PersonView:
    return PersonView(
        id=row.id,
        name=row.name,
        roles=tuple(Role(role) for role in row.roles),
        is_active=row.is_active,
        is_demo=row.is_demo,
        has_password=row.password_hash is not None,
        created_at=row.created_at,
        version=row.version,
        locked_until=locked_until,
    )


def add_person(
    viewer: Viewer, name: str, roles: Iterable[Role], password: str | None, *, is_demo: bool = False, act_id: str
) -> Receipt:
    """Add a person directly, for the command line; in the app, people are invited."""
    hashed = passwords.hash_password(password) if password else None
    new_roles = list(roles)

    def act(w: Writing) -> Receipt:
        row = access.new_person(w.session, name, new_roles, w.now, password_hash=hashed, is_demo=is_demo)
        return w.record("person.add", "person", row.id, payload={"roles": row.roles})

    return perform(viewer, Permission.MANAGE, act_id, act)


def set_roles(viewer: Viewer, person_id: str, roles: Iterable[Role], *, seen: int, act_id: str) -> Receipt:
    """Set a person's roles. Raises Refused if the study would lose its last owner."""
    role_names = sorted({Role(role).value for role in roles})
    if not role_names:
        raise BadInput("Choose at least one role; to end someone's access, deactivate them.")

    def act(w: Writing) -> Receipt:
        row = require_seen(people.person(w.session, person_id), seen, "person")
        if Role.OWNER.value in row.roles and Role.OWNER.value not in role_names:
            _keep_an_owner(w, person_id)
        before, row.roles = row.roles, role_names
        w.session.add(row)
        w.session.flush()
        return w.record(
            "person.roles", "person", row.id, version=row.version, payload={"before": before, "after": role_names}
        )

    return perform(viewer, Permission.MANAGE, act_id, act)


def set_active(viewer: Viewer, person_id: str, is_active: bool, *, seen: int, act_id: str) -> Receipt:
    """Deactivate a person, which ends their sessions at once, or reactivate them."""

    def act(w: Writing) -> Receipt:
        row = require_seen(people.person(w.session, person_id), seen, "person")
        if not is_active:
            if Role.OWNER.value in row.roles:
                _keep_an_owner(w, person_id)
            sessions.end_sessions(w.session, person_id, w.now)
            uploads.end_person(person_id)
        row.is_active = is_active
        w.session.add(row)
        w.session.flush()
        return w.record("person.activate" if is_active else "person.deactivate", "person", row.id, version=row.version)

    return perform(viewer, Permission.MANAGE, act_id, act)


def unlock(viewer: Viewer, person_id: str, *, act_id: str) -> Receipt:
    """Clear a person's wait after wrong passwords, at all addresses."""

    def act(w: Writing) -> Receipt:
        row = people.person(w.session, person_id)
        lifted = attempts.lift(w.session, row.id)
        return w.record("person.unlock", "person", row.id, version=row.version, payload={"counts": lifted})

    return perform(viewer, Permission.MANAGE, act_id, act)


def _keep_an_owner(w: Writing, person_id: str) -> None:
    others = [
        row
        for row in people.held_people(w.session)  # locked: two owners who demote each other would leave none
        if row.id != person_id and row.is_active and Role.OWNER.value in row.roles
    ]
    if not others:
        raise Refused("The study would have no owner left. Make someone else an owner first.")
