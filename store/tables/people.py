"""Tables of people and their sign-in. Names are in `person` only; other tables hold ids."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Column, Text
from sqlmodel import Field, SQLModel

from store.tables.columns import checked, json_column, key_column, moment_column, one_of, text_column, version_column


class PersonRow(SQLModel, table=True):
    __tablename__ = "person"
    id: str = key_column()
    name: str = Field(sa_column=Column(Text, nullable=False, unique=True))
    password_hash: str | None = text_column(None)
    roles: list[str] = json_column([])
    is_active: bool = True
    is_demo: bool = False
    created_at: datetime = moment_column()
    version: int = version_column()


class SessionRow(SQLModel, table=True):
    """A signed-in browser. Only the SHA-256 of the cookie's token is stored."""

    __tablename__ = "session"
    id: str = key_column()
    token_hash: str = Field(unique=True)
    csrf: str
    person_id: str = Field(foreign_key="person.id", index=True)
    acting_person_id: str | None = Field(default=None, foreign_key="person.id")
    is_local: bool = False
    created_at: datetime = moment_column()
    seen_at: datetime = moment_column()
    expires_at: datetime = moment_column()
    ended_at: datetime | None = moment_column(nullable=True)


class InvitationRow(SQLModel, table=True):
    """A link that works once: it creates a person, or (kind reset) sets a new password."""

    __tablename__ = "invitation"
    __table_args__ = (one_of("kind", ("invite", "reset")),)
    id: str = key_column()
    token_hash: str = Field(unique=True)
    kind: str
    roles: list[str] = json_column([])
    person_id: str | None = Field(default=None, foreign_key="person.id")
    created_by: str
    created_at: datetime = moment_column()
    expires_at: datetime = moment_column()
    used_at: datetime | None = moment_column(nullable=True)
    name: str = text_column()  # for whom, and a note of the inviter; both emptied when the link is used or revoked
    note: str = text_column()
    revoked_at: datetime | None = moment_column(nullable=True)


class AttemptRow(SQLModel, table=True):
    """Sign-in attempts per hashed name and address (services/people/attempts.py), unknown names included."""

    __tablename__ = "sign_in_attempt"
    key: str = Field(primary_key=True)
    failures: int = 0
    last_at: datetime = moment_column()
    blocked_until: datetime | None = moment_column(nullable=True)


class ExpertiseRow(SQLModel, table=True):
    """The JEL letters of an expert's fields; their queue starts with these."""

    __tablename__ = "expertise"
    person_id: str = Field(foreign_key="person.id", primary_key=True)
    letters: list[str] = json_column([])
    version: int = version_column()


class MilestoneRow(SQLModel, table=True):
    """A person's completed (or waived) training, or a version of the guidelines they read."""

    __tablename__ = "milestone"
    __table_args__ = (one_of("what", ("training", "guidelines")),)
    person_id: str = Field(foreign_key="person.id", primary_key=True)
    what: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    set_by: str
    set_at: datetime = moment_column()
    details: dict[str, Any] = json_column({})


class ErasureRow(SQLModel, table=True):
    """A destruction of identities: time, owner's id and number of rewritten rows; no names."""

    __tablename__ = "erasure"
    id: str = key_column()
    at: datetime = moment_column()
    by: str
    people: int = 0
    rows: int = 0
    details: dict[str, Any] = json_column({})


for _table in (PersonRow, ExpertiseRow):
    checked(_table)
