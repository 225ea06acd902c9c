"""People laid down as rows, a statement a table: what `access.new_person` and `access.open_session` leave of them.

Half of all tests begin with seven people; joining one after the other took most of the time of such a beginning.
`tests/test_laid_down.py` holds these rows against those that people leave who join.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Table, insert
from sqlmodel import Session

from core.people import Role, Viewer
from store import milestones, sessions
from store.tables import EventRow, MilestoneRow, PersonRow, SessionRow, new_id

ANY_VERSION = 1_000_000
WAIVED: tuple[tuple[str, int, dict[str, str]], ...] = (
    (milestones.TRAINING, 0, {"how": "waived"}),
    (milestones.GUIDELINES, ANY_VERSION, {}),
)
"""The training, and guidelines of any version."""


def laid_down(session: Session, now: datetime, named: Sequence[tuple[str, Role]], is_trained: bool) -> list[Viewer]:
    """New people of one role each, signed in, with `WAIVED` behind them if they are trained, in a caller's
    transaction; their names are not looked at."""
    viewers = [
        Viewer(
            person_id=new_id(),
            name=name,
            roles=frozenset({role}),
            session_id=new_id(),
            csrf=secrets.token_urlsafe(24),
            expires_at=min(now + sessions.LIFETIME, now + sessions.IDLE),
        )
        for name, role in named
    ]
    rows: dict[type[Any], list[dict[str, Any]]] = {
        PersonRow: [
            {
                "id": viewer.person_id,
                "name": viewer.name,
                "password_hash": None,
                "roles": [role.value for role in viewer.roles],
                "is_active": True,
                "is_demo": False,
                "created_at": now,
                "version": 1,
            }
            for viewer in viewers
        ],
        MilestoneRow: [
            {
                "person_id": viewer.person_id,
                "what": what,
                "number": number,
                "set_by": "terminal",
                "set_at": now,
                "details": details,
            }
            for viewer in viewers
            for what, number, details in (WAIVED if is_trained else ())
        ],
        SessionRow: [
            {
                "id": viewer.session_id,
                "token_hash": sessions.hash_token(secrets.token_urlsafe(32)),
                "csrf": viewer.csrf,
                "person_id": viewer.person_id,
                "acting_person_id": None,
                "is_local": False,
                "created_at": now,
                "seen_at": now,
                "expires_at": now + sessions.LIFETIME,
                "ended_at": None,
            }
            for viewer in viewers
        ],
        EventRow: [
            {
                "id": new_id(),
                "at": now,
                "actor": viewer.person_id,
                "on_behalf_of": None,
                "act": "session.open",
                "subject_kind": "session",
                "subject_id": viewer.session_id,
                "graph_id": None,
                "undoes": None,
                "payload": {"local": False},
            }
            for viewer in viewers
        ],
    }
    for row, given in rows.items():
        table: Table = row.__table__
        if given:
            session.connection().execute(insert(table), given)
    return viewers
