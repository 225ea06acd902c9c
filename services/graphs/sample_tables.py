"""Tables of samples, texts with the graph that is true of each: looked at, imported, listed and written again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import PurePath
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, BadRow, Missing, Refused
from core.messages import text_hash
from core.people import May, Receipt, Viewer
from core.words import quoted, whole
from exchange.sample_table import KeptRow, SampleTable, oddity_counts, without_text, write_sample_table
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
FORM = "recite"
"""The form in which a table is written."""
MOST_NOTICES = 200
"""Oddities that a table keeps in words; the rest is counted."""

LEAST_PREFIX = 6
"""Characters of an ID that name a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplesPreview:
    """What a file holds, or why it cannot be read (`error`).

    `rows` were looked at, `samples` can be kept, `with_text` can be asked about; `nodes`, `edges`: of all of them.
    `odd`: field → rows that say of it what is not so, each in words under `notices`; all are kept as released. `known`:
    the title of the table, if this very file was imported before."""

    name: str
    rows: int = 0
    samples: int = 0
    with_text: int = 0
    faults: tuple[BadRow, ...] = ()
    odd: Mapping[str, int] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    known: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleTableLine:
    """A table of the study. `samples`: its rows, of which so many have a text; `odd` and `notices` as the preview has
    them."""

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
    """The table that a file makes: the same bytes are the same table, on every machine."""
    return hashlib.sha256(content).hexdigest()


def preview_samples(viewer: Viewer, name: str, content: bytes) -> SamplesPreview:
    """Look at a table without keeping anything. Never raises for what the file holds."""
    with consulting(viewer, May.CURATE) as r:
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
    """Keep every row of a table, or none; the receipt's subject is the table. `with_faulty` leaves faulty rows out, and
    the history says how many; without it the first one is raised.

    Raises BadInput or BadRow for a file that cannot be read, Missing if it holds no row, Refused for a file that was
    imported before; then nothing is kept.
    """
    with consulting(viewer, May.CURATE):
        pass  # nobody else may make us parse a file
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

    return perform_import(viewer, May.CURATE, act_id, "samples", key, begin, finish)


def sound_table(name: str, content: bytes, *, with_faulty: bool) -> SampleTable:
    """A table with samples; without `with_faulty` the first faulty row is raised. Raises as `import_samples`."""
    read = read_samples(name, content)
    if read.table is None:
        raise read.refusal or AssertionError("a file is read or refused")
    if read.table.faults and not with_faulty:
        raise read.table.faults[0]
    if not read.table.samples:
        raise Missing(f"{name} contains no readable sample.")
    return read.table


def usual_title(name: str) -> str:
    """Of a table for which nobody chose a title, by the name of its file."""
    return clean_title(PurePath(name).stem) or "Samples"


def sample_tables(viewer: Viewer, *, with_archived: bool = False) -> tuple[SampleTableLine, ...]:
    """The tables of the study, oldest first; their graphs are not told."""
    with consulting(viewer, May.EXPORT) as r:
        rows = stored.tables(r.session)
        return tuple(_line(row) for row in rows if with_archived or row.archived_at is None)


def export_samples(viewer: Viewer, table: str) -> ExportedFile:
    """A table as Parquet, as it came: columns, types, nulls and order. Raises Missing without such a table."""
    with consulting(viewer, May.EXPORT) as r:
        name = f"{PurePath(stored.table(r.session, table).file).stem or 'samples'}.parquet"
        content, _rows = table_file(r.session, table)
        r.look_at(table, "table")
    return ExportedFile(name, PARQUET, content)


def table_file(session: Session, table: str) -> tuple[bytes, int]:
    """The same in a transaction that is there, and how many rows it has."""
    row = stored.table(session, table)
    kept = list(stored.samples(session, table))
    texts = runs.texts(session, {each.text_hash for each in kept if each.text_hash})
    columns = [Column(str(name), form) for name, form in row.columns]
    return write_sample_table(columns, ((each.content, texts.get(each.text_hash or "")) for each in kept)), len(kept)


def set_samples_licence(viewer: Viewer, table: str, licence: str, *, seen: int, act_id: str) -> Receipt:
    """Say under which licence a table may be used; empty for one that is not known. Raises Missing without such a
    table, Conflict after version `seen`."""
    said = clean_licence(licence)

    def act(w: Writing) -> Receipt:
        row = require_seen(stored.table(w.session, table), seen, "table")
        before, row.licence = row.licence, said
        w.session.add(row)
        w.session.flush()
        payload = {"before": {"licence": before}, "after": {"licence": said}}
        return w.record("table.licence", "table", row.id, version=row.version, payload=payload)

    return perform(viewer, May.CURATE, act_id, act)


def archive_samples(viewer: Viewer, table: str, archived: bool, *, seen: int, act_id: str) -> Receipt:
    """Take a table out of the lists and of new runs, or bring it back; nothing is deleted. Raises Missing without such
    a table, Conflict after version `seen`."""

    def act(w: Writing) -> Receipt:
        row = require_seen(stored.table(w.session, table), seen, "table")
        row.archived_at = w.now if archived else None
        w.session.add(row)
        w.session.flush()
        name = "table.archive" if archived else "table.restore"
        return w.record(name, "table", row.id, version=row.version, payload={"title": row.title})

    return perform(viewer, May.CURATE, act_id, act)


def _title_of(session: Session, key: str) -> str:
    row = stored.find_table(session, key)
    return "" if row is None else row.title


def _preview(table: SampleTable) -> SamplesPreview:
    told = [each for each in (without_text(table.rows, table.samples),) if each]
    told += [str(each) for each in table.oddities[:MOST_NOTICES]]
    more = len(table.oddities) - MOST_NOTICES
    return SamplesPreview(
        name=table.name,
        rows=table.rows,
        samples=len(table.samples),
        with_text=sum(each.has_text for each in table.samples),
        faults=table.faults,
        odd=oddity_counts(table.oddities),
        notices=(*told, *([f"{more:,} more notices are not listed."] if more > 0 else [])),
    )


def _as_row(place: int, each: KeptRow) -> dict[str, Any]:
    return {
        "external_id": each.id,
        "place": place,
        "content": dict(each.cells),
        "text_hash": None if each.text is None else text_hash(each.text),
        "characters": len(each.text or "") if each.has_text else 0,
    }


def _line(row: SampleTableRow) -> SampleTableLine:
    return SampleTableLine(
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


def chosen_table(viewer: Viewer, name: str, *, with_archived: bool = False) -> SampleTableLine:
    """The table that an id, the beginning of one, or a title means; without a name the only one. Raises BadInput where
    none or several do."""
    known = sample_tables(viewer, with_archived=with_archived)
    found = [
        each
        for each in known
        if not name or name in (each.id, each.title) or (len(name) >= LEAST_PREFIX and each.id.startswith(name.lower()))
    ]
    if len(found) != 1:
        raise BadInput(_which(name, known, is_several=bool(found)))
    return found[0]


def _which(name: str, known: Sequence[SampleTableLine], *, is_several: bool) -> str:
    listed = ", ".join(quoted(each.title) for each in known) or "none"
    if not name:
        return f"Name a table; the study has {listed}."
    how_many = "Several tables are" if is_several else "No table of samples is"
    return f"{how_many} called {quoted(name)}; the study has {listed}."
