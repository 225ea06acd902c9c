"""Preview of a file of responses or evaluations: its contents, and the rows that fit into the study."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, BadRow
from core.people import Permission, Viewer
from core.words import counted, quoted, whole
from exchange.recite_responses import NAMES, STANDARD, PublicKind, PublicRow, PublicTable
from protocols.recite import tasks as recite
from runs.offline.imported import IMPORTED
from services.acting import consulting
from services.exchange.file_reading import read_public
from services.runs.judge_exposure import record_run_exposure
from store import samples as stored
from store.runs import imports, runs
from store.tables.runs import RunRow

VARIANTS: Mapping[str, str] = {STANDARD: recite.STANDARD, NAMES: recite.NAMES}
"""Task type of the dataset → variant of the protocol."""
TASK_TYPE_OF: Mapping[str, str] = {variant: name for name, variant in VARIANTS.items()}
_MODEL_COLUMN = {PublicKind.RESPONSES: "model", PublicKind.EVALUATIONS: "evaluator_type"}
NO_SAMPLES = "No table of samples is in the study. Import ReCITE's default table first: responses are about its rows."
NO_RESPONSES = "No responses are in the study. Import the table of responses first: evaluations are about its rows."


class NothingToFit(BadInput):
    """The study has no samples (`is_of_samples`) or no responses for the rows of a file."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.is_of_samples = words == NO_SAMPLES


@dataclass(frozen=True, slots=True)
class SamplesChoice:
    """A table of samples that responses may be about."""

    id: str
    title: str
    found: int  # rows that name a sample of it


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPreview:
    """The contents of a file, or why it cannot be read or imported."""

    name: str
    kind: PublicKind
    rows: int = 0
    fit: int = 0  # rows that can be imported
    models: Mapping[str, int] = field(default_factory=dict)  # model or evaluator → rows
    tables: tuple[SamplesChoice, ...] = ()  # tables that the responses may be about
    table: str = ""  # the chosen table
    faults: tuple[BadRow, ...] = ()
    known: tuple[int, ...] = ()  # runs of an earlier import of this file
    error: str = ""
    waits_for: str = ""  # "samples" or "responses", if these must be imported first

    @property
    def description(self) -> str:
        """The contents in one sentence, without the full stop."""
        of = "model" if self.kind is PublicKind.RESPONSES else "evaluator"
        amount = counted(self.fit, self.kind.value.removesuffix("s"))
        return f"{amount} of {counted(len(self.models), of)}, from {self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRows:
    """The rows of a file that fit into the study."""

    table: PublicTable
    file: str
    about: str  # id of the sample table, or of the file of responses
    fit: tuple[PublicRow, ...]
    faults: tuple[BadRow, ...]
    ids: Mapping[str, Any]  # id in the rows → key in the study


def file_id(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def preview_public(viewer: Viewer, name: str, content: bytes, kind: PublicKind, table: str = "") -> PublicPreview:
    """Read a file without storing anything. Never raises for its contents. `table`: table of its responses; by default
    the one with most of their samples."""
    name = whole(name)
    with consulting(viewer, Permission.CURATE) as r:
        known = runs_of_file(r.session, file_id(content))
        for row in known:
            record_run_exposure(r, row.settings, row.id)  # the person who imports verdicts has seen them
    read = read_public(name, content, kind)
    shown = PublicPreview(name=name, kind=kind, known=tuple(row.number for row in known))
    if read.table is None:
        return replace(shown, error=str(read.refusal))
    shown = replace(shown, rows=read.table.rows, faults=read.table.faults)
    with consulting(viewer, Permission.CURATE) as r:
        choices = choices_of(r.session, read.table.kept) if kind is PublicKind.RESPONSES else ()
        try:
            rows = fit_rows(r.session, read.table, file_id(content), table)
        except NothingToFit as error:
            if known:
                return shown
            return replace(shown, error=str(error), waits_for="samples" if error.is_of_samples else "responses")
    return replace(
        shown,
        fit=len(rows.fit),
        models=dict(Counter(str(each.cells[_MODEL_COLUMN[kind]]) for each in rows.fit)),
        tables=choices,
        table=rows.about if kind is PublicKind.RESPONSES else "",
        faults=rows.faults,
    )


def fit_rows(session: Session, table: PublicTable, file: str, about: str = "") -> FoundRows:
    """Split the rows into those that fit and faults, which include those of the file itself. Raises NothingToFit
    (BadInput) if the study has nothing that they could be about."""
    if table.kind is PublicKind.RESPONSES:
        about = about or next((each.id for each in choices_of(session, table.kept)), "")
        if not about:
            raise NothingToFit(NO_SAMPLES)
        column, expected = "sample_id", f"the table {quoted(stored.table(session, about).title)}"
        ids: Mapping[str, Any] = {row.external_id: row for row in stored.samples(session, about)}
    else:
        column, ids, about, expected = "response_id", *_responses(session, table.kept)
    fit, faults = list[PublicRow](), list(table.faults)
    for row in table.kept:
        if row.id(column) in ids:
            fit.append(row)
        else:
            faults.append(BadRow(table.name, row.line, column, row.id(column), f"an id of {expected}"))
    faults.sort(key=lambda fault: fault.line or 0)
    return FoundRows(table=table, file=file, about=about, fit=tuple(fit), faults=tuple(faults), ids=ids)


def choices_of(session: Session, rows: Sequence[PublicRow]) -> tuple[SamplesChoice, ...]:
    """Return the tables in use, the one with most of the rows' samples first."""
    sample_counts = Counter(row.id("sample_id") for row in rows)
    choices = [
        SamplesChoice(
            each.id, each.title, _many(sample_counts, (row.external_id for row in stored.samples(session, each.id)))
        )
        for each in stored.tables(session)
        if each.archived_at is None
    ]
    return tuple(sorted(choices, key=lambda each: -each.found))


def runs_of_file(session: Session, file: str) -> list[RunRow]:
    """Return the runs of an imported file, also archived ones, by number."""
    rows = runs.runs(session, with_archived=True)
    return [row for row in reversed(rows) if (row.settings.get(IMPORTED) or {}).get("file") == file]


def _responses(session: Session, rows: Sequence[PublicRow]) -> tuple[Mapping[str, Any], str, str]:
    """Choose the file with most of the rows' responses; of equal ones the latest."""
    files: dict[str, list[str]] = {}
    for row in runs.runs(session):
        imported = row.settings.get(IMPORTED) or {}
        if imported.get("kind") == PublicKind.RESPONSES.value:
            files.setdefault(str(imported["file"]), []).append(row.id)
    if not files:
        raise NothingToFit(NO_RESPONSES)
    response_counts = Counter(row.id("response_id") for row in rows)
    known_ids = {file: imports.items_by_key(session, ids) for file, ids in files.items()}
    file = max(known_ids, key=lambda each: _many(response_counts, known_ids[each]))
    return known_ids[file], file, "a response in the study"


def _many(counts: Counter[str], ids: Iterable[str]) -> int:
    return sum(counts[each] for each in ids)
