"""Definitions in a SQLite study that Edgewise did not make. A foreign trigger, view or table would run as Edgewise's
own. Only the definitions are read, and the version once its table is known to be a table: querying anything else
might run foreign code, and an endless view never returns."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import create_engine

from store.migrate import FIRST, VERSION_TABLE, alembic_config, refuse_unknown
from store.sqlite import file as sqlite_file
from store.sqlite.deadline import Deadline

LONGEST_NAME = 80
_OWN = (
    "CREATE TABLE sqlite_sequence(name,seq)",
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
)
"""Tables that SQLite creates itself for AUTOINCREMENT and ANALYZE."""
_QUERY = "SELECT type, name, tbl_name, sql FROM sqlite_master"
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_ .-]{1,80}")
_WORD = re.compile(r"""'[^']*+'|"[^"]*+"|\w++|\s++|.""", re.DOTALL)


class Definition(NamedTuple):
    """A definition in a database. `kind`: table, index, trigger or view."""

    kind: str
    name: str
    table: str

    def __str__(self) -> str:
        on = f" of table “{_plain(self.table)}”" if self.kind in ("trigger", "index") else ""
        return f"the {_plain(self.kind)} “{_plain(self.name)}”{on}"


class ForeignDefinition(NamedTuple):
    """A definition that no study has, described in `words`."""

    words: str
    drop: str = ""  # statement that removes it; "" for a changed table of Edgewise or an unsafe name

    def __str__(self) -> str:
        return self.words


Definitions = Mapping[Definition, tuple[str, ...]]
"""Definitions with their SQL in normal form."""


def foreign_definition(path: Path, deadline: Deadline | None = None) -> ForeignDefinition | None:
    """Return the first definition at `path` that no study of its version has. Raises StoreUnavailable for an unknown
    version, sqlite3.DatabaseError or UnicodeDecodeError if the definitions cannot be read."""
    with closing(sqlite_file.connected(path, deadline=deadline)) as connection:
        definitions = _defined_in(connection)
        versions = {key: form for key, form in definitions.items() if key.name.lower() == VERSION_TABLE}
        foreign = _first_foreign(versions, FIRST)
        if foreign is not None or not definitions:
            return foreign
        query = f"SELECT version_num FROM {VERSION_TABLE}"  # noqa: S608 - a constant
        version_row = connection.execute(query).fetchone() if versions else None
    revision = _plain(str(version_row[0])) if version_row else FIRST
    refuse_unknown(revision, path.name)
    return _first_foreign(definitions, revision)


def lost_definitions(path: Path, revision: str) -> list[str]:
    """Return indexes and triggers that the database at `path` lacks. Raises sqlite3.DatabaseError or
    UnicodeDecodeError if the definitions cannot be read."""
    with closing(sqlite_file.connected(path)) as connection:
        definitions = _defined_in(connection)
    return [f"{key} is lost" for key in made_by(revision) if key.kind != "table" and key not in definitions]


@cache
def made_by(revision: str) -> Definitions:
    """Return the definitions that the revisions up to this one create in a new SQLite study."""
    from alembic import command

    engine = create_engine("sqlite://")
    with engine.connect() as connection, connection.begin():
        command.upgrade(alembic_config(connection), revision)
        rows = [tuple(row) for row in connection.exec_driver_sql(_QUERY)]
    engine.dispose()
    return _definitions(rows)


def _defined_in(connection: sqlite3.Connection) -> Definitions:
    connection.text_factory = lambda found: found.decode(errors="replace")
    return _definitions(connection.execute(_QUERY).fetchall())


def _first_foreign(definitions: Definitions, revision: str) -> ForeignDefinition | None:
    known = made_by(revision)
    for key, form in sorted(definitions.items()):
        if key not in known:
            is_plain = _PLAIN_NAME.fullmatch(key.name) and key.kind in ("table", "index", "trigger", "view")
            drop = f'DROP {key.kind.upper()} "{key.name}"' if is_plain else ""
            return ForeignDefinition(f"{key}, which no study has", drop)
        if form != known[key]:
            return ForeignDefinition(f"{key}, which is not as Edgewise makes it")
    return None


def _definitions(rows: Iterable[Sequence[object]]) -> Definitions:
    """Return the definitions without SQLite's own: indexes without SQL, and its own tables."""
    return {
        Definition(str(kind), str(name), str(table)): _form(str(kind), str(sql))
        for kind, name, table, sql in rows
        if not ((kind == "index" and sql is None) or (kind == "table" and sql in _OWN))
    }


def _form(kind: str, sql: str) -> tuple[str, ...]:
    """Return a definition without layout, and of a table with its parts sorted: altering a table copies it with its
    constraints in no fixed order. Case and quoted text count."""
    parts, depth = [""], 0
    for word in _WORD.findall(sql):
        is_border = kind == "table" and ((word == "," and depth == 1) or (word == "(" and depth == 0))
        depth += (word == "(") - (word == ")")
        if is_border or (kind == "table" and word == ")" and depth == 0):
            parts.append("")
        else:
            parts[-1] += " " if word.isspace() else _bare(word)
    head, *inner = (part.strip() for part in parts)
    return (head, *sorted(inner))


def _bare(word: str) -> str:
    """Remove quotes around a name: renaming a table adds them."""
    return word[1:-1] if word[0] == '"' and word[1:-1].isidentifier() else word


def _plain(name: str) -> str:
    """Return a name of foreign origin in a form that is safe for a terminal."""
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name)
    return shown if len(shown) <= LONGEST_NAME else shown[: LONGEST_NAME - 1] + "…"
