"""Brings a store to this version's tables, and refuses one made by a newer version."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from core.errors import StoreTrouble
from store.engine import Store, translated_errors


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    return config


def newest_revision() -> str:
    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head is not None, "the project ships at least one revision"
    return head


def migrate(store: Store) -> None:
    """Create or upgrade the tables in one transaction.

    Raises StoreTrouble if the store was made by a newer version, or is a database of something else.
    """
    with translated_errors(), store.write_engine.connect() as connection, connection.begin():
        current = MigrationContext.configure(connection).get_current_revision()
        known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
        if current is not None and current not in known:
            raise StoreTrouble(
                f"The store {store.name} was made by a newer Edgewise (revision {current}). Update first."
            )
        if current is None and set(inspect(connection).get_table_names()) - {"alembic_version"}:
            raise StoreTrouble(f"The database {store.name} holds tables of another program; name an empty one.")
        if current != newest_revision():
            command.upgrade(_config(connection), "head")
