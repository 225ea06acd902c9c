"""People with passwords, for tests of signing in and of invitations."""

from __future__ import annotations

from core.people import Role
from services.acting import terminal_viewer
from services.people import access, people
from store.tables import new_id

PASSWORD = "a long password"


def add(name: str, *roles: Role, password: str | None = PASSWORD) -> str:
    return people.add_person(terminal_viewer(), name, roles, password, act_id=new_id()).subject_id


def signed_in(name: str, password: str = PASSWORD) -> access.SignedIn:
    return access.sign_in(name, password, "127.0.0.1")
