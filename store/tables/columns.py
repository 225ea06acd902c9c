"""Column types of the tables: keys, moments, texts, JSON, versions and closed vocabularies."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import uuid_utils
from sqlalchemy import JSON, CheckConstraint, Column, DateTime, MetaData, Text, TypeDecorator
from sqlalchemy.engine import Dialect
from sqlmodel import Field, SQLModel

SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
metadata: MetaData = SQLModel.metadata
# Rows are validated by the store and services, so pydantic's validators of tables are built only on demand.
SQLModel.model_config["defer_build"] = True


def new_id() -> str:
    """Return a UUIDv7 as text: it sorts by creation time and is made by the client of an act (browser, service,
    script)."""
    return str(uuid_utils.uuid7())


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC. SQLite drops time zones; they are restored on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a time zone cannot be stored")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def one_of(column: str, values: tuple[str, ...]) -> CheckConstraint:
    quoted = ", ".join("'" + value.replace("'", "''") + "'" for value in values)
    return CheckConstraint(f"{column} IN ({quoted})", name=column)


def key_column(**kwargs: Any) -> Any:
    return Field(default_factory=new_id, primary_key=True, **kwargs)


def moment_column(*, nullable: bool = False, index: bool = False) -> Any:
    column: Any = Column(UtcDateTime, nullable=nullable, index=index)
    return Field(default=None, sa_column=column) if nullable else Field(sa_column=column)


def text_column(default: str | None = "") -> Any:
    return Field(default=default, sa_column=Column(Text, nullable=default is None))


def json_column(default: list[Any] | dict[str, Any]) -> Any:
    return Field(default_factory=type(default), sa_column=Column(JSON, nullable=False))


def version_column() -> Any:
    return Field(default=1, nullable=False)


def checked(table: type[SQLModel]) -> type[SQLModel]:
    """Make SQLAlchemy compare `version` on every update and delete of this table's rows."""
    mapper = table.__mapper__  # type: ignore[attr-defined]
    mapper.version_id_col = table.__table__.c.version  # type: ignore[attr-defined]
    mapper.version_id_generator = lambda version: (version or 0) + 1
    return table
