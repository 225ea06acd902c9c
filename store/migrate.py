"""Migrate a store to this version's tables; refuse stores of newer and pre-release versions. One SELECT recognises
an up-to-date store. Alembic, half a second of imports, is loaded only to upgrade."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from core.errors import StoreUnavailable
from core.version import PROGRAM_VERSION
from store.engine import Store, translated_errors

if TYPE_CHECKING:
    from alembic.config import Config

FIRST = "0100"
"""Revision of the first release. Lower ones are of pre-release versions, which no release can open."""
NEWEST = "0107"
"""Last revision in `migrations/versions`. Revisions are compared as text."""
MIGRATIONS = Path(__file__).with_name("migrations")

VERSION_TABLE = "alembic_version"


def migrate(store: Store) -> None:
    """Create or upgrade the tables in one transaction. Raises StoreUnavailable for a store of a newer or pre-release
    version, or of another program."""
    with translated_errors(), store.write_engine.connect() as connection, connection.begin():
        current = _revision(connection)
        if current == NEWEST:
            return
        if current is None and set(inspect(connection).get_table_names()) - {VERSION_TABLE}:
            raise StoreUnavailable(f"The database {store.name} contains tables of another program; name an empty one.")
        from alembic import command

        if current is not None:
            refuse_unknown(current, store.name)
        command.upgrade(alembic_config(connection), "head")


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    revision: str | None = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()  # noqa: S608 - a constant
    return revision


def refuse_unknown(revision: str, name: str) -> None:
    from alembic.script import ScriptDirectory

    fault = pre_release_fault(f"study {name}", revision)
    if fault:
        raise StoreUnavailable(fault)
    if revision not in {script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()}:
        raise StoreUnavailable(f"The study {name} was made by a newer Edgewise (revision {revision}). Update first.")


def pre_release_fault(thing: str, revision: str) -> str:
    """Return the reason to refuse a file of a pre-release version, "" for revisions of releases."""
    if revision >= FIRST:
        return ""
    origin = f"The {thing} was made by a pre-release version (revision {revision})."
    return f"{origin} Edgewise {PROGRAM_VERSION} cannot open it."


def alembic_config(connection: Connection | None = None) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config
