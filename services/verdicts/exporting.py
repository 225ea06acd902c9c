"""What reviewers did, to take away: sheets, labels and rulings as CSV or JSON, people by pseudonym."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from core.errors import Missing
from core.people import May, Viewer
from exchange.edge_table import Cell, table_bytes
from services.acting import Reading, consulting
from services.files import ExportedFile
from services.pseudonyms import pseudonyms
from services.runs.judge_looks import look_at_run
from services.runs.reading import find_run
from services.verdicts.settings import settings_in
from store.runs import reviewed_verdicts as stored

SHEET_COLUMNS = (
    "sheet",
    "run",
    "judge_item",
    "answer",
    "section",
    "numbers",
    "weights",
    "drawn_by",
    "seed",
    "created_at",
)
LABEL_COLUMNS = (
    "sheet",
    "rater",
    "state",
    "number",
    "block",
    "field",
    "label",
    "saw_verdict",
    "set_at",
    "compared_at",
)
RULING_COLUMNS = (
    "judge_item",
    "number",
    "block",
    "field",
    "ruling",
    "before",
    "after",
    "reason",
    "note",
    "rater",
    "at",
)
NOTHING = "Run {number} has no sheets yet. Draw some first."
Rows = list[dict[str, Any]]


def export(viewer: Viewer, run_id: str, *, as_json: bool = False) -> tuple[ExportedFile, ...]:
    """Three CSV files of a run of judges, or one JSON file. Whoever takes them away has seen what its judges said.
    Raises Missing without such a run, and where nothing was drawn."""
    with consulting(viewer, May.EXPORT) as r:
        row = find_run(r.session, run_id)
        tables = {
            "sheets": (SHEET_COLUMNS, _sheets(r, row.id, row.number)),
            "labels": (LABEL_COLUMNS, _labels(r, row.id)),
            "rulings": (RULING_COLUMNS, _rulings(r, row.id)),
        }
        if not tables["sheets"][1]:
            raise Missing(NOTHING.format(number=row.number))
        look_at_run(r, row.settings, row.id)
        name = f"{r.study.name}-run-{row.number}-review"
        first = settings_in(r.session)
    if as_json:
        said: dict[str, Any] = {"settings": {"label_first": first.label_first, "hides_models": first.hides_models}}
        said |= {key: rows for key, (_columns, rows) in tables.items()}
        content = json.dumps(said, ensure_ascii=False, indent=1)
        return (ExportedFile(f"{name}.json", "application/json", f"{content}\n".encode()),)
    return tuple(
        ExportedFile(f"{name}-{key}.csv", "text/csv", _csv(columns, rows)) for key, (columns, rows) in tables.items()
    )


def _csv(columns: Sequence[str], rows: Rows) -> bytes:
    def cell(value: Any) -> Cell:
        if value is None:
            return ""
        return json.dumps(value) if isinstance(value, bool | list | dict) else value

    return table_bytes(columns, [[cell(row[name]) for name in columns] for row in rows], safe=True)


def _sheets(r: Reading, run_id: str, number: int) -> Rows:
    return [
        {
            "sheet": each.id,
            "run": number,
            "judge_item": each.item_id,
            "answer": each.answer,
            "section": each.section,
            "numbers": each.numbers,
            "weights": each.weights,
            "drawn_by": each.drawn_by,
            "seed": each.seed,
            "created_at": each.created_at.isoformat(),
        }
        for each in stored.sheets(r.session, run_id)
    ]


def _labels(r: Reading, run_id: str) -> Rows:
    names, works = pseudonyms(r), stored.labelled_sheets(r.session, [run_id])
    labels = stored.labels_of(r.session, [work.id for _sheet, work in works])
    return [
        {
            "sheet": sheet.id,
            "rater": names.get(work.person_id, ""),
            "state": work.state,
            "number": each.number,
            "block": each.block,
            "field": each.field,
            "label": each.label,
            "saw_verdict": each.saw_verdict,
            "set_at": each.set_at.isoformat(),
            "compared_at": each.compared_at.isoformat() if each.compared_at else None,
        }
        for sheet, work in works
        for each in labels.get(work.id, ())
    ]


def _rulings(r: Reading, run_id: str) -> Rows:
    names = pseudonyms(r)
    items = dict.fromkeys(each.item_id for each in stored.sheets(r.session, run_id))
    found = stored.overrides(r.session, items)
    return [
        {
            "judge_item": each.item_id,
            "number": each.number,
            "block": each.block,
            "field": each.field,
            "ruling": each.ruling,
            "before": each.before,
            "after": each.after,
            "reason": each.reason,
            "note": each.note,
            "rater": names.get(each.by, ""),
            "at": each.at.isoformat(),
        }
        for item in items
        for each in found.get(item, ())
    ]
