"""Responses of a file as runs, one for each model and task type; replies and corrections are parsed by our parser."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session

from core.runs.states import ItemStatus
from core.words import counted
from exchange.recite_responses import PublicRow
from exchange.sample_table import sample_of as graph_sample_of
from protocols.recite import tasks as recite
from protocols.recite.benchmark import CORRECTION as CORRECTION_STEP
from protocols.recite.benchmark import PROTOCOL
from protocols.recite.samples import SourceSample, sample_of
from protocols.samples import Sample
from runs.offline.imported import (
    CORRECTION,
    INVALID_FORMAT,
    OTHER_READING,
    imported_reply,
    outcome_of_replies,
    reply_row,
    with_file,
)
from services.protocols.recite.public_tables.read_runs import (
    ReadItem,
    ReadRun,
    format_lines,
    moment_of,
    repeats_of,
    sample_to_store,
)
from services.protocols.recite.public_tables.reading import VARIANTS, FoundRows
from services.runs.settings import RunConfig, SampleSource
from store import samples as stored
from store.tables import SampleTableRow

HELPER = "format correction (imported)"
"""Model of the corrections, which the file does not name."""
ANSWER, REASONING, CORRECTED, DATE = "response_answer", "response_reasoning", "corrected_answer", "response_date"


def read_responses(session: Session, file_rows: FoundRows, now: datetime) -> list[ReadRun]:
    """Return the runs of these rows, in the order of their first row."""
    table = stored.table(session, file_rows.about)
    groups: dict[tuple[str, str], list[PublicRow]] = {}
    for row in file_rows.fit:
        groups.setdefault((str(row.cells["model"]), str(row.cells["task_type"])), []).append(row)
    return [
        _run(file_rows, table, model, VARIANTS[task_type], rows, now) for (model, task_type), rows in groups.items()
    ]


def _run(
    file_rows: FoundRows, table: SampleTableRow, model: str, variant: str, rows: Sequence[PublicRow], now: datetime
) -> ReadRun:
    places = {key: place for place, key in enumerate(dict.fromkeys(row.id("sample_id") for row in rows))}
    samples = []
    for key in places:
        row = file_rows.ids[key]
        graph = graph_sample_of(
            row.content,
            row.text_hash or "",
            row.characters,
            origin=table.title,
            licence=table.licence,
            subject=("sample", row.id),
        )
        samples.append(sample_of(recite.GENERATE, variant, SourceSample(graph)))
    repeats = repeats_of(row.id("sample_id") for row in rows)
    has_corrections = any(map(_correction, rows))
    config = RunConfig(
        title=f"{model}, {recite.VARIANT_TITLES[variant]} (imported)",
        source=SampleSource(),
        tasks=(recite.GENERATE,),
        variants=(variant,),
        protocol=recite.NAME,
        models=(model,),
        repeats=1 + max(repeats),
        options={"table": table.id},
        roles={recite.FORMAT: (HELPER,)} if has_corrections else {},
    )
    run = ReadRun(wanted=config, protocol=PROTOCOL, helpers=(HELPER,) if has_corrections else (), samples=samples)
    run.sources[table.title] = table.id
    differing: list[int] = []
    for row, repeat in zip(rows, repeats, strict=True):
        place = places[row.id("sample_id")]
        run.items.append(_item(file_rows.file, row, model, samples[place], place, repeat, differing, now))
    run.notices += _notices(rows, differing)
    return run


def _item(
    file: str,
    row: PublicRow,
    model: str,
    sample: Sample,
    place: int,
    repeat: int,
    differing: list[int],
    now: datetime,
) -> ReadItem:
    """Return the item of a row. If our parser disagrees with `valid_format`, its line is added to `differing`."""
    stored_sample = sample_to_store(sample)
    first = reply_row(
        file,
        row.line,
        model=model,
        key=row.id(),
        text=row.text(ANSWER),
        reasoning=row.text(REASONING),
        cells=row.cells,
        now=moment_of(row.text(DATE), now),
    )
    replies: list[dict[str, Any]] = [first]
    outcome = outcome_of_replies(PROTOCOL, stored_sample, [imported_reply(first)])
    flags = [INVALID_FORMAT] if row.is_valid is False else []
    if row.is_valid is not None and row.is_valid is not (outcome.status == ItemStatus.ANSWERED.value):
        differing.append(row.line)
        flags.append(OTHER_READING)
    if (corrected := _correction(row)) is not None:
        replies.append(
            reply_row(
                file,
                row.line,
                model=HELPER,
                key="",
                text=corrected,
                reasoning=None,
                cells=None,
                now=first["received_at"],
                part=CORRECTION,
            )
        )
        outcome = outcome_of_replies(PROTOCOL, stored_sample, [imported_reply(each) for each in replies])
    return ReadItem(
        sample=place,
        model=model,
        repeat=repeat,
        replies=tuple(replies),
        outcome=with_file(outcome, flags, None),
        helper=HELPER,
        purpose=CORRECTION_STEP,
    )


def _correction(row: PublicRow) -> str | None:
    """Return the corrected answer; None if there is none, or if the file calls the answer itself valid."""
    text = row.text(CORRECTED)
    return None if row.is_valid or text is None or not text.strip() else text


def _notices(rows: Sequence[PublicRow], differing: Sequence[int]) -> list[str]:
    with_format = sum(row.is_valid is not None for row in rows)
    notices = []
    if with_format:
        read = f": {format_lines(differing)}" if differing else ""
        notices.append(
            f"Of {counted(with_format, 'answer')}, {len(differing):,} read otherwise than valid_format says{read}."
        )
    invalid = sum(row.is_valid is False for row in rows)
    corrected = sum(_correction(row) is not None for row in rows)
    if invalid or corrected:
        notices.append(f"The file calls {counted(invalid, 'answer')} invalid and corrects {corrected:,}.")
    return notices
