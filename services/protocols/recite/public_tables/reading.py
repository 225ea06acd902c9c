"""A file of responses or evaluations before anything is kept: what it holds, and what of it fits into the study."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, BadRow
from core.people import May, Viewer
from core.words import counted, quoted, whole
from exchange.recite_responses import NAMES, STANDARD, PublicKind, PublicRow, PublicTable
from protocols.recite import tasks as recite
from runs.unsent.imported import IMPORTED
from services.acting import consulting
from services.exchange.file_reading import read_public
from services.runs.judge_looks import look_at_run
from store import samples as stored
from store.runs import imports, runs
from store.tables.runs import RunRow

VARIANTS: Mapping[str, str] = {STANDARD: recite.STANDARD, NAMES: recite.NAMES}
"""What the dataset calls a task type, and what our protocol calls the variant."""
TASK_TYPE_OF: Mapping[str, str] = {variant: name for name, variant in VARIANTS.items()}
NO_SAMPLES = "No table of samples is in the study. Import ReCITE's default table first: responses are about its rows."
NO_RESPONSES = "No responses are in the study. Import the table of responses first: evaluations are about its rows."


class NothingToFit(BadInput):
    """Nothing is in the study that the rows of a file could be about: no samples (`is_of_samples`), or no responses."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.is_of_samples = words == NO_SAMPLES


@dataclass(frozen=True, slots=True)
class SamplesChoice:
    """A table that responses may be about. `found`: so many of their rows name a sample of it."""

    id: str
    title: str
    found: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPreview:
    """What a file holds, or why it cannot be read or kept (`error`).

    `rows` were looked at, `fit` can be kept. `models`: who answered, or which evaluators judged → rows. `tables`: those
    that responses may be about, `table` the one that was taken. `known`: numbers of the runs of this very file, if it
    was imported before. `waits_for`: what must be imported before it, nothing of which is in the study: samples or
    responses.
    """

    name: str
    kind: PublicKind
    rows: int = 0
    fit: int = 0
    models: Mapping[str, int] = field(default_factory=dict)
    tables: tuple[SamplesChoice, ...] = ()
    table: str = ""
    faults: tuple[BadRow, ...] = ()
    known: tuple[int, ...] = ()
    error: str = ""
    waits_for: str = ""

    @property
    def told(self) -> str:
        """What the file holds, in one sentence without its stop."""
        of = "model" if self.kind is PublicKind.RESPONSES else "evaluator"
        held = counted(self.fit, self.kind.value.removesuffix("s"))
        return f"{held} of {counted(len(self.models), of)}, from {self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRows:
    """The rows of a file that fit into the study. `about`: id of the sample table, or of the file of responses; `ids`:
    what rows name there → our key of it."""

    table: PublicTable
    file: str
    about: str
    fit: tuple[PublicRow, ...]
    faults: tuple[BadRow, ...]
    ids: Mapping[str, Any]


def file_id(content: bytes) -> str:
    """The same bytes are the same file, on every machine."""
    return hashlib.sha256(content).hexdigest()


def preview_public(viewer: Viewer, name: str, content: bytes, kind: PublicKind, table: str = "") -> PublicPreview:
    """Look at a file without keeping anything. `table`: that its responses are about; default: the one that has most
    of their samples. Never raises for what the file holds."""
    name = whole(name)
    with consulting(viewer, May.CURATE) as r:
        known = runs_of_file(r.session, file_id(content))
        for row in known:
            look_at_run(r, row.settings, row.id)  # who brings a file of verdicts has it
    read = read_public(name, content, kind)
    shown = PublicPreview(name=name, kind=kind, known=tuple(row.number for row in known))
    if read.table is None:
        return replace(shown, error=str(read.refusal))
    shown = replace(shown, rows=read.table.rows, faults=read.table.faults)
    with consulting(viewer, May.CURATE) as r:
        choices = choices_of(r.session, read.table.kept) if kind is PublicKind.RESPONSES else ()
        try:
            found = fit_rows(r.session, read.table, file_id(content), table)
        except NothingToFit as error:
            if known:
                return shown
            return replace(shown, error=str(error), waits_for="samples" if error.is_of_samples else "responses")
    return replace(
        shown,
        fit=len(found.fit),
        models=dict(Counter(str(each.cells[_named(kind)]) for each in found.fit)),
        tables=choices,
        table=found.about if kind is PublicKind.RESPONSES else "",
        faults=found.faults,
    )


def fit_rows(session: Session, table: PublicTable, file: str, about: str = "") -> FoundRows:
    """The rows that are about what is in the study; those that are not are faults, beside those of the file itself.
    Raises BadInput where nothing is in the study that they could be about."""
    if table.kind is PublicKind.RESPONSES:
        column, ids, about, held = "sample_id", *_samples(session, table.kept, about)
    else:
        column, ids, about, held = "response_id", *_responses(session, table.kept)
    fit, faults = list[PublicRow](), list(table.faults)
    for row in table.kept:
        if row.id(column) in ids:
            fit.append(row)
        else:
            faults.append(BadRow(table.name, row.line, column, row.id(column), f"an id of {held}"))
    faults.sort(key=lambda fault: fault.line or 0)
    return FoundRows(table=table, file=file, about=about, fit=tuple(fit), faults=tuple(faults), ids=ids)


def choices_of(session: Session, rows: Sequence[PublicRow]) -> tuple[SamplesChoice, ...]:
    """The tables in use, the one that has most of the rows' samples first."""
    wanted = Counter(row.id("sample_id") for row in rows)
    found = [
        SamplesChoice(each.id, each.title, _many(wanted, (row.external_id for row in stored.samples(session, each.id))))
        for each in stored.tables(session)
        if each.archived_at is None
    ]
    return tuple(sorted(found, key=lambda each: -each.found))


def runs_of_file(session: Session, file: str) -> list[RunRow]:
    """The runs that a file was imported as, archived ones too, in the order of their numbers."""
    rows = runs.runs(session, with_archived=True)
    return [row for row in reversed(rows) if (row.settings.get(IMPORTED) or {}).get("file") == file]


def _samples(session: Session, rows: Sequence[PublicRow], about: str) -> tuple[Mapping[str, Any], str, str]:
    key = about or next((each.id for each in choices_of(session, rows)), "")
    if not key:
        raise NothingToFit(NO_SAMPLES)
    table = stored.table(session, key)
    return {row.external_id: row for row in stored.samples(session, key)}, key, f"the table {quoted(table.title)}"


def _responses(session: Session, rows: Sequence[PublicRow]) -> tuple[Mapping[str, Any], str, str]:
    """Of the file that knows most of the rows' responses, and of equal ones the latest."""
    files: dict[str, list[str]] = {}
    for row in runs.runs(session):
        said = row.settings.get(IMPORTED) or {}
        if said.get("kind") == PublicKind.RESPONSES.value:
            files.setdefault(str(said["file"]), []).append(row.id)
    if not files:
        raise NothingToFit(NO_RESPONSES)
    wanted = Counter(row.id("response_id") for row in rows)
    found = {file: imports.items_by_key(session, ids) for file, ids in files.items()}
    file = max(found, key=lambda each: _many(wanted, found[each]))
    return found[file], file, "a response in the study"


def _many(wanted: Counter[str], ids: Iterable[str]) -> int:
    return sum(wanted[each] for each in ids)


def _named(kind: PublicKind) -> str:
    return "model" if kind is PublicKind.RESPONSES else "evaluator_type"
