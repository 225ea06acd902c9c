"""An imported table of samples as a source: each row with its text and its released graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from sqlmodel import Session

from core.errors import Refused
from core.graphs.sample import GraphSample
from core.messages import text_hash
from core.people import Viewer
from exchange.sample_table import sample_of
from protocols.recite.samples import NO_TEXT, SourceSample
from protocols.recite.tasks import OF_TABLE
from protocols.step_values import Value
from services.acting import ReadContext
from services.graphs import sample_tables
from services.graphs.trial_tables import TrialTable, read_trial_table
from services.runs.benchmarks import ImportedFiles, RunFlags, Source, SourceRead, Tell
from services.runs.settings import RunConfig
from services.triplets.trial_files import TrialFiles
from store import samples as stored
from store.tables import SampleTableRow, new_id

TAG = "text"
"""Tag around a text in a message; a text that contains it is sent with other brackets."""


@dataclass(frozen=True, slots=True)
class TableOption:
    """An imported table of samples in use."""

    id: str
    title: str
    samples: int
    texts: int  # rows with a text


def offered_tables(r: ReadContext) -> tuple[TableOption, ...]:
    """Return the tables in use, newest first."""
    rows = [row for row in stored.tables(r.session) if row.archived_at is None]
    return tuple(TableOption(row.id, row.title, row.row_count, row.about["with_text"]) for row in reversed(rows))


def _read(r: ReadContext, config: RunConfig, trial: TrialFiles) -> SourceRead:
    """Read every row of the chosen table, in order; nothing without a choice (a `Source`). Texts stay in the study;
    only those of a trial's table are copied. Raises Missing without such a table, Refused for an archived one."""
    key = str(config.options.get(OF_TABLE.name) or "")
    if not key:
        return SourceRead(())
    tried = trial.get(key)
    if isinstance(tried, TrialTable):
        return SourceRead(tuple(_trial_values(tried)), {tried.title: key}, SourceSample.as_json)
    table = stored.table(r.session, key)
    if table.archived_at is not None:
        raise Refused(f"The table “{table.title}” is archived. Restore it under Import / export, Samples.")
    return SourceRead(tuple(_values(r.session, table)), {table.title: table.id}, SourceSample.as_json)


def _values(session: Session, table: SampleTableRow) -> Iterator[Value]:
    whole = stored.texts_with_tag(session, table.id, TAG)
    for row in stored.samples(session, table.id):
        key = row.text_hash or ""
        sample = sample_of(
            row.content,
            key,
            row.characters,
            origin=table.title,
            licence=table.licence,
            subject=("sample", row.id),
        )
        yield _value(table.id, row.external_id, sample, whole.get(key))


def _trial_values(table: TrialTable) -> Iterator[Value]:
    """Yield the values of a table that the study does not have, each with its text."""
    for row in table.samples:
        sample = sample_of(
            row.cells,
            "" if row.text is None else text_hash(row.text),
            len(row.text or "") if row.has_text else 0,
            origin=table.title,
            licence="",
            subject=("sample", f"{table.id}:{row.id}"),
        )
        yield _value(table.id, row.id, sample, row.text)


def _value(table_id: str, external_id: str, sample: GraphSample, text: str | None) -> Value:
    value = SourceSample(sample, text, "" if sample.characters else NO_TEXT)
    return Value(key=sample.id, value=value, hash=text_hash(f"{table_id}:{external_id}"))


def import_files(viewer: Viewer, flags: RunFlags, is_dry: bool, tell: Tell) -> ImportedFiles:
    """Return the table of a file, imported if it is new, or of an ID or title (`BenchmarkServices`)."""
    name = str(flags.options.get(OF_TABLE.name) or "")
    if not name:
        return ImportedFiles(options=flags.options)
    file = Path(name)
    if not file.is_file():
        return ImportedFiles(options={**flags.options, OF_TABLE.name: sample_tables.chosen_table(viewer, name).id})
    content = file.read_bytes()
    key = sample_tables.table_id(content)
    imported = ImportedFiles(options={**flags.options, OF_TABLE.name: key})
    if any(each.id == key for each in sample_tables.sample_tables(viewer, with_archived=True)):
        return imported
    if is_dry:
        tell(f"Read {file.name}. A dry run imports nothing.")
        return replace(imported, trial={key: read_trial_table(viewer, file.name, content)})
    sample_tables.import_samples(viewer, file.name, content, with_faulty=False, act_id=new_id())
    tell(f"Imported {file.name}.")
    return imported


SOURCE = Source(words="tables of samples", read=_read)
