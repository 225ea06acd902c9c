"""A table of samples that a run from the command line takes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.people import Viewer
from protocols.recite.source_options import OF_TABLE
from services.graphs import sample_tables
from services.graphs.trial_tables import read_trial_table
from services.runs.benchmarks import ImportedFiles, RunFlags, Tell
from store.tables import new_id


def import_files(viewer: Viewer, flags: RunFlags, is_dry: bool, tell: Tell) -> ImportedFiles:
    """As `ImportFiles`: a file's table, imported if it is new, or that of an ID or title."""
    name = str(flags.options.get(OF_TABLE.name) or "")
    if not name:
        return ImportedFiles(options=flags.options)
    file = Path(name)
    if not file.is_file():
        return ImportedFiles(options={**flags.options, OF_TABLE.name: sample_tables.chosen_table(viewer, name).id})
    content = file.read_bytes()
    key = sample_tables.table_id(content)
    found = ImportedFiles(options={**flags.options, OF_TABLE.name: key})
    if any(each.id == key for each in sample_tables.sample_tables(viewer, with_archived=True)):
        return found
    if is_dry:
        tell(f"Read {file.name}. A dry run imports nothing.")
        return replace(found, trial={key: read_trial_table(viewer, file.name, content)})
    sample_tables.import_samples(viewer, file.name, content, with_faulty=False, act_id=new_id())
    tell(f"Imported {file.name}.")
    return found
