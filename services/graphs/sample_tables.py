"""Tables of samples, texts with their true graphs: previewed, imported, listed and exported."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import PurePath
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, BadRow, Missing, Refused
from core.messages import text_hash
from core.people import Permission, Receipt, Viewer
from core.words import quoted, whole
from exchange.sample_table import SampleTable, TableRow, oddity_counts, without_text, write_sample_table
from exchange.typed_columns import Column
from services.acting import Writing, consulting, perform, perform_import, require_seen
from services.exchange.file_reading import read_samples
from services.files import ExportedFile
from services.graphs.import_reading import clean_licence, clean_title
from store import samples as stored
from store.runs import runs
from store.tables import SampleTableRow
from store.unfinished_imports import ImportedRows

PARQUET = "application/vnd.apache.parquet"
FORM = "recite"  # in which a table is written
MOST_NOTICES = 200  # oddities of a table stored as text; the others are counted
LEAST_PREFIX = 6  # characters of an ID that identify a table


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplesPreview:
    """Contents of a file, or the reason why it cannot be read (`error`)."""

    name: str
    rows: int = 0  # in the file
    samples: int = 0  # that can be imported
    with_text: int = 0  # that can be asked about
    faults: tuple[BadRow, ...] = ()
    odd: Mapping[str, int] = field(default_factory=dict)  # field → rows in which it is wrong; imported as released
    notices: tuple[str, ...] = ()  # one for each of these rows
    known: str = ""  # title of the table, if this very file was imported before
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleTableLine:
    """A table of the study; `odd` and `notices` as in the preview."""

    id: str
    title: str
    licence: str
    file: str
    samples: int
    with_text: int
    odd: Mapping[str, int]
    notices: tuple[str, ...]
    imported_at: datetime
    is_archived: bool
    version: int


def table_id(content: bytes) -> str:
    """Return the id of a file's table: the same bytes are the same table, on every machine."""
    return hashlib.sha256(content).hexdigest()


def preview_samples(viewer: Viewer, name: str, content: bytes) -> SamplesPreview:
    """Preview a table without storing anything. Never raises for the file's contents."""
    with consulting(viewer, Permission.CURATE) as r:
        known = _title_of(r.session, table_id(content))
    read = read_samples(whole(name), content)
    if read.table is None:
        return SamplesPreview(name=whole(name), error=str(read.refusal))
    return replace(_preview(read.table), known=known)


def import_samples(
    viewer: Viewer,
    name: str,
    content: bytes,
    *,
    with_faulty: bool,
    title: str = "",
    licence: str = "",
    act_id: str,
) -> Receipt:
    """Import every row of a table, or none; the receipt's subject is the table.

    Faulty rows are left out `with_faulty`, and counted in the history; otherwise the first one is raised.
    Raises BadInput or BadRow for a file that cannot be read, Missing if it has no row, Refused for a file that was
    imported before.
    """
    with consulting(viewer, Permission.CURATE):
        pass  # checks the permission before a file is parsed
    name = whole(name)
    table = sound_table(name, content, with_faulty=with_faulty)
    shown = _preview(table)
    key = table_id(content)
    named = clean_title(title) or usual_title(name)
    licence = clean_licence(licence)
    texts = sorted({each.text for each in table.samples if each.text is not None}, key=text_hash)

    def begin(w: Writing) -> Iterable[ImportedRows]:
        if earlier := _title_of(w.session, key):
            raise Refused(f"This file is already in the study, as {quoted(earlier)}. Nothing was imported.")
        row = SampleTableRow(
            id=key,
            title=named,
            licence=licence,
            file=name,
            row_count=len(table.samples),
            columns=[[each.name, each.form] for each in table.columns],
            about={"with_text": shown.with_text, "odd": dict(shown.odd), "notices": list(shown.notices)},
            created_by=w.actor.id,
            created_at=w.now,
        )
        w.session.add(row)
        samples = (_as_row(place, each) for place, each in enumerate(table.samples))
        return stored.imported_rows(key, samples, texts)

    def finish(w: Writing) -> Receipt:
        payload = {
            "title": named,
            "file": name,
            "licence": licence,
            "samples": len(table.samples),
            "left_out": len(table.faults),
        }
        return w.record("table.import", "table", key, payload=payload)

    return perform_import(viewer, Permission.CURATE, act_id, "samples", key, begin, finish)


def sound_table(name: str, content: bytes, *, with_faulty: bool) -> SampleTable:
    """Return a table with samples; unless `with_faulty`, raise its first faulty row. Raises as `import_samples`."""
    read = read_samples(name, content)
    if read.table is None:
        raise read.refusal or AssertionError("a file is read or refused")
    if read.table.faults and not with_faulty:
        raise read.table.faults[0]
    if not read.table.samples:
        raise Missing(f"{name} contains no readable sample.")
    return read.table


def usual_title(name: str) -> str:
    return clean_title(PurePath(name).stem) or "Samples"


def sample_tables(viewer: Viewer, *, with_archived: bool = False) -> tuple[SampleTableLine, ...]:
    """Return the tables of the study, oldest first, without their graphs."""
    with consulting(viewer, Permission.EXPORT) as r:
        return tuple(
            SampleTableLine(
                id=row.id,
                title=row.title,
                licence=row.licence,
                file=row.file,
                samples=row.row_count,
                with_text=row.about["with_text"],
                odd=row.about["odd"],
                notices=tuple(row.about["notices"]),
                imported_at=row.created_at,
                is_archived=row.archived_at is not None,
                version=row.version,
            )
            for row in stored.tables(r.session)
            if with_archived or row.archived_at is None
        )


def export_samples(viewer: Viewer, table: str) -> ExportedFile:
    """Export a table as Parquet, with its original columns, types, nulls and order. Raises Missing."""
    with consulting(viewer, Permission.EXPORT) as r:
        name = f"{PurePath(stored.table(r.session, table).file).stem or 'samples'}.parquet"
        content, _rows = table_file(r.session, table)
        r.record_exposure(table, "table")
    return ExportedFile(name, PARQUET, content)


def table_file(session: Session, table: str) -> tuple[bytes, int]:
    """Return the same file within a transaction, and its number of rows."""
    row = stored.table(session, table)
    stored_samples = list(stored.samples(session, table))
    texts = runs.texts(session, {each.text_hash for each in stored_samples if each.text_hash})
    columns = [Column(str(name), form) for name, form in row.columns]
    return write_sample_table(
        columns, ((each.content, texts.get(each.text_hash or "")) for each in stored_samples)
    ), len(stored_samples)


def set_samples_licence(viewer: Viewer, table: str, licence: str, *, seen: int, act_id: str) -> Receipt:
    """Set the licence of a table; empty for an unknown one. Raises Missing, or Conflict after version `seen`."""
    new_licence = clean_licence(licence)

    def act(w: Writing) -> Receipt:
        row = require_seen(stored.table(w.session, table), seen, "table")
        before, row.licence = row.licence, new_licence
        w.session.add(row)
        w.session.flush()
        payload = {"before": {"licence": before}, "after": {"licence": new_licence}}
        return w.record("table.licence", "table", row.id, version=row.version, payload=payload)

    return perform(viewer, Permission.CURATE, act_id, act)


def archive_samples(viewer: Viewer, table: str, archived: bool, *, seen: int, act_id: str) -> Receipt:
    """Hide a table from lists and new runs, or restore it; nothing is deleted.

    Raises Missing without such a table, Conflict after version `seen`.
    """

    def act(w: Writing) -> Receipt:
        row = require_seen(stored.table(w.session, table), seen, "table")
        row.archived_at = w.now if archived else None
        w.session.add(row)
        w.session.flush()
        name = "table.archive" if archived else "table.restore"
        return w.record(name, "table", row.id, version=row.version, payload={"title": row.title})

    return perform(viewer, Permission.CURATE, act_id, act)


def _title_of(session: Session, key: str) -> str:
    row = stored.find_table(session, key)
    return "" if row is None else row.title


def _preview(table: SampleTable) -> SamplesPreview:
    listed = [each for each in (without_text(table.rows, table.samples),) if each]
    listed += [str(each) for each in table.oddities[:MOST_NOTICES]]
    more = len(table.oddities) - MOST_NOTICES
    return SamplesPreview(
        name=table.name,
        rows=table.rows,
        samples=len(table.samples),
        with_text=sum(each.has_text for each in table.samples),
        faults=table.faults,
        odd=oddity_counts(table.oddities),
        notices=(*listed, *([f"{more:,} more notices are not listed."] if more > 0 else [])),
    )


def _as_row(place: int, each: TableRow) -> dict[str, Any]:
    return {
        "external_id": each.id,
        "place": place,
        "content": dict(each.cells),
        "text_hash": None if each.text is None else text_hash(each.text),
        "characters": len(each.text or "") if each.has_text else 0,
    }


def chosen_table(viewer: Viewer, name: str, *, with_archived: bool = False) -> SampleTableLine:
    """Return the table with this id, id prefix or title; without a name the only one.

    Raises BadInput where none or several match.
    """
    known = sample_tables(viewer, with_archived=with_archived)
    matches = [
        each
        for each in known
        if not name or name in (each.id, each.title) or (len(name) >= LEAST_PREFIX and each.id.startswith(name.lower()))
    ]
    if len(matches) != 1:
        listed = ", ".join(quoted(each.title) for each in known) or "none"
        if not name:
            raise BadInput(f"Name a table; the study has {listed}.")
        how_many = "Several tables are" if matches else "No table of samples is"
        raise BadInput(f"{how_many} called {quoted(name)}; the study has {listed}.")
    return matches[0]
