"""A table of samples that a dry run reads as if it were in the study; nothing of it is stored."""

from __future__ import annotations

from dataclasses import dataclass

from core.people import Permission, Viewer
from core.words import whole
from exchange.sample_table import TableRow
from services.acting import consulting
from services.graphs.sample_tables import sound_table, table_id, usual_title


@dataclass(frozen=True, slots=True)
class TrialTable:
    """A table with its rows, under the id and title that it would have."""

    id: str
    name: str
    title: str
    samples: tuple[TableRow, ...]


def read_trial_table(viewer: Viewer, name: str, content: bytes) -> TrialTable:
    """Read a table as `import_samples` does, and store nothing. Raises BadInput, BadRow or Missing."""
    with consulting(viewer, Permission.CURATE):
        pass  # checks the permission before a file is parsed
    name = whole(name)
    read = sound_table(name, content, with_faulty=False)
    return TrialTable(table_id(content), name, usual_title(name), read.samples)
