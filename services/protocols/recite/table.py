"""An imported table of samples: each row with a text, and its graph as released."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlmodel import Session

from core.errors import Refused
from core.graphs.sample import GraphSample
from core.messages import text_hash
from core.people import Viewer
from exchange.sample_table import sample_of
from protocols.making import Value
from protocols.protocol import BenchmarkProtocol
from protocols.recite.samples import NO_TEXT, SourceSample
from protocols.recite.source_options import OF_TABLE
from services.acting import Reading
from services.graphs.trial_tables import TrialTable
from services.runs.benchmarks import SourceRead
from services.runs.settings import RunConfig
from services.triplets.trial_files import TrialFiles
from store import samples as stored
from store.tables import SampleTableRow

TAG = "text"
"""Of what stands around a text in a message: a text that holds it is sent with other brackets."""


@dataclass(frozen=True, slots=True)
class TableOption:
    """An imported table of samples in use. `texts`: rows of it that have a text."""

    id: str
    title: str
    samples: int
    texts: int


class Table:
    words = "tables of samples"
    permission = ""

    def offered(self, r: Reading) -> tuple[TableOption, ...]:
        """The tables in use, the newest first."""
        rows = [row for row in stored.tables(r.session) if row.archived_at is None]
        return tuple(TableOption(row.id, row.title, row.row_count, row.about["with_text"]) for row in reversed(rows))

    def fault(self, wanted: RunConfig) -> str:
        return ""

    def ready(self, viewer: Viewer, wanted: RunConfig) -> None:
        """Nothing."""

    def read(self, r: Reading, wanted: RunConfig, trial: TrialFiles) -> SourceRead:
        """As `Source`: every row of the chosen table, in its order; nothing where none is chosen. Texts stay in the
        study, those of a trial's table go along. Raises Missing without such a table, Refused for an archived one."""
        key = str(wanted.options.get(OF_TABLE.name) or "")
        if not key:
            return SourceRead(())
        tried = trial.get(key)
        if isinstance(tried, TrialTable):
            return SourceRead(tuple(_tried_values(tried)), {tried.title: key})
        table = stored.table(r.session, key)
        if table.archived_at is not None:
            raise Refused(f"The table “{table.title}” is archived. Restore it under Import / export, Samples.")
        return SourceRead(tuple(_values(r.session, table)), {table.title: table.id})

    def tasks(self, r: Reading, protocol: BenchmarkProtocol, wanted: RunConfig, trial: TrialFiles) -> tuple[str, ...]:
        """As `Source`: the first task, which asks as the paper does; the other is asked by name."""
        return tuple(task.name for task in protocol.tasks[:1])


SOURCE = Table()


def _values(session: Session, table: SampleTableRow) -> Iterator[Value]:
    whole = stored.texts_with_tag(session, table.id, TAG)
    for row in stored.samples(session, table.id):
        key = row.text_hash or ""
        made = sample_of(
            row.content,
            key,
            row.characters,
            origin=table.title,
            licence=table.licence,
            subject=("sample", row.id),
        )
        yield _value(table.id, row.external_id, made, whole.get(key))


def _tried_values(table: TrialTable) -> Iterator[Value]:
    """As `_values`, of a table that the study does not have: each with its text."""
    for each in table.samples:
        made = sample_of(
            each.cells,
            "" if each.text is None else text_hash(each.text),
            len(each.text or "") if each.has_text else 0,
            origin=table.title,
            licence="",
            subject=("sample", f"{table.id}:{each.id}"),
        )
        yield _value(table.id, each.id, made, each.text)


def _value(table_id: str, external_id: str, made: GraphSample, text: str | None) -> Value:
    value = SourceSample(made, text, "" if made.characters else NO_TEXT)
    return Value(key=made.id, value=value, hash=text_hash(f"{table_id}:{external_id}"))
