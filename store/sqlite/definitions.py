"""What a SQLite study's file defines beside what our revisions make: a stranger's trigger, view or table runs as ours.

Only the definitions themselves are read, and the version once its table is known to be a table: a query of anything
else might run what a stranger wrote, and an endless view never ends.
"""

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
"""Tables that SQLite makes for itself, when asked to count or to analyse."""
_QUERY = "SELECT type, name, tbl_name, sql FROM sqlite_master"
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_ .-]{1,80}")
_WORD = re.compile(r"""'[^']*+'|"[^"]*+"|\w++|\s++|.""", re.DOTALL)


class Definition(NamedTuple):
    """Something that a database defines. `kind`: table, index, trigger or view."""

    kind: str
    name: str
    table: str

    def __str__(self) -> str:
        on = f" of table “{_plain(self.table)}”" if self.kind in ("trigger", "index") else ""
        return f"the {_plain(self.kind)} “{_plain(self.name)}”{on}"


class Foreign(NamedTuple):
    """What a database defines and no study does, in words. `drop`: what takes it out, "" if that is no way: a table of
    ours that was changed, or a name that no command should be made of."""

    words: str
    drop: str = ""

    def __str__(self) -> str:
        return self.words


Definitions = Mapping[Definition, tuple[str, ...]]
"""What each was made by, in a form in which the same definition is always equal."""


def foreign_definition(path: Path, deadline: Deadline | None = None) -> Foreign | None:
    """The first thing that the database at `path` defines and no study of its version does.

    Raises StoreTrouble for a version that this program does not know, sqlite3.DatabaseError or UnicodeDecodeError if
    the definitions cannot be read.
    """
    with closing(sqlite_file.connected(path, deadline=deadline)) as connection:
        found = _defined_in(connection)
        versions = {key: made for key, made in found.items() if key.name.lower() == VERSION_TABLE}
        foreign = _first_foreign(versions, FIRST)
        if foreign is not None or not found:
            return foreign
        query = f"SELECT version_num FROM {VERSION_TABLE}"  # noqa: S608 - a constant
        said = connection.execute(query).fetchone() if versions else None
    revision = _plain(str(said[0])) if said else FIRST
    refuse_unknown(revision, path.name)
    return _first_foreign(found, revision)


def lost_definitions(path: Path, revision: str) -> list[str]:
    """Indexes and triggers that a study of this version has and the database at `path` lacks.

    Raises sqlite3.DatabaseError or UnicodeDecodeError if the definitions cannot be read.
    """
    with closing(sqlite_file.connected(path)) as connection:
        found = _defined_in(connection)
    return [f"{key} is lost" for key in made_by(revision) if key.kind != "table" and key not in found]


@cache
def made_by(revision: str) -> Definitions:
    """What the revisions up to this one make in a new SQLite study."""
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


def _first_foreign(found: Definitions, revision: str) -> Foreign | None:
    known = made_by(revision)
    for key, made in sorted(found.items()):
        if key not in known:
            return Foreign(f"{key}, which no study has", _drop(key))
        if made != known[key]:
            return Foreign(f"{key}, which is not as Edgewise makes it")
    return None


def _drop(key: Definition) -> str:
    is_plain = _PLAIN_NAME.fullmatch(key.name) and key.kind in ("table", "index", "trigger", "view")
    return f'DROP {key.kind.upper()} "{key.name}"' if is_plain else ""


def _definitions(rows: Iterable[Sequence[object]]) -> Definitions:
    """Without what SQLite adds by itself: indexes without words, and tables of its own."""
    return {
        Definition(str(kind), str(name), str(table)): _form(str(kind), str(sql))
        for kind, name, table, sql in rows
        if not ((kind == "index" and sql is None) or (kind == "table" and sql in _OWN))
    }


def _form(kind: str, sql: str) -> tuple[str, ...]:
    """A definition without its layout, and a table's without the order of its parts: copying a table while its columns
    change keeps its constraints in no fixed order. Case and quoted text count."""
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
    """A name is the same with quotes and without them; renaming a table puts them around it."""
    return word[1:-1] if word[0] == '"' and word[1:-1].isidentifier() else word


def _plain(said: str) -> str:
    """A name as a terminal may be given it: a stranger wrote it."""
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in said)
    return shown if len(shown) <= LONGEST_NAME else shown[: LONGEST_NAME - 1] + "…"
