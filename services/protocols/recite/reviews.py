"""Exports of the review of a run's verdicts: sheets, labels and rulings, with pseudonyms."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core.verdicts.settings import VerdictSettings
from exchange.edge_table import Cell, table_bytes
from protocols.recite.judge.tasks import wording_of
from services.acting import ReadContext
from services.pseudonyms import pseudonyms
from services.runs.benchmarks import Member
from store.history import events_about
from store.runs import reviewed_verdicts as stored
from store.settings import setting
from store.tables.runs import RunRow

SHEET_COLUMNS = (
    "sheet",
    "run",
    "judge_item",
    "judge_wording",
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
    "wording",
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
Rows = list[dict[str, Any]]
Tables = Mapping[str, tuple[Sequence[str], Rows]]
"""Name → columns and rows."""


def review_tables(r: ReadContext, row: RunRow) -> Tables:
    """Return sheets, labels and rulings of a run; without rows if no sheet was drawn."""
    return {
        "sheets": (SHEET_COLUMNS, _sheets(r, row)),
        "labels": (LABEL_COLUMNS, _labels(r, row.id)),
        "rulings": (RULING_COLUMNS, _rulings(r, row.id)),
    }


def zip_members(r: ReadContext, row: RunRow) -> Iterator[Member]:
    """Yield the tables as CSV, and all of them as JSON; nothing without sheets."""
    review = review_tables(r, row)
    if review["sheets"][1]:
        for name, (columns, rows) in review.items():
            yield f"review_{name}.csv", [as_csv(columns, rows)]
        yield "review.json", [as_json(r, review)]


def as_json(r: ReadContext, tables: Tables) -> bytes:
    """Return the tables with the settings of what reviewers see first, and their history."""
    now = VerdictSettings(**setting(r.session, stored.SETTINGS, {}))
    changes = [
        {
            "at": each.at.isoformat(),
            "before": _seen_first(each.payload["before"]),
            "after": _seen_first(each.payload["after"]),
        }
        for each in events_about(r.session, stored.SETTINGS)
        if each.act == "verdict.settings"
    ]
    content = {
        "settings": _seen_first(asdict(now)),
        "settings_changes": [each for each in changes if each["before"] != each["after"]],
        **{key: rows for key, (_columns, rows) in tables.items()},
    }
    return f"{json.dumps(content, ensure_ascii=False, indent=1)}\n".encode()


def _seen_first(settings: Mapping[str, Any]) -> dict[str, bool]:
    return {name: settings[name] for name in ("label_first", "hides_models")}


def as_csv(columns: Sequence[str], rows: Rows) -> bytes:
    def cell(value: Any) -> Cell:
        if value is None:
            return ""
        return json.dumps(value) if isinstance(value, bool | list | dict) else value

    return table_bytes(columns, [[cell(row[name]) for name in columns] for row in rows], safe=True)


def _sheets(r: ReadContext, row: RunRow) -> Rows:
    return [
        {
            "sheet": each.id,
            "run": row.number,
            "judge_item": each.item_id,
            "judge_wording": wording_of(row.manifest),
            "answer": each.answer,
            "section": each.section,
            "numbers": each.numbers,
            "weights": each.weights,
            "drawn_by": each.drawn_by,
            "seed": each.seed,
            "created_at": each.created_at.isoformat(),
        }
        for each in stored.sheets(r.session, row.id)
    ]


def _labels(r: ReadContext, run_id: str) -> Rows:
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
            "wording": each.wording,
        }
        for sheet, work in works
        for each in labels.get(work.id, ())
    ]


def _rulings(r: ReadContext, run_id: str) -> Rows:
    names = pseudonyms(r)
    items = dict.fromkeys(each.item_id for each in stored.sheets(r.session, run_id))
    overrides = stored.overrides(r.session, items)
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
        for each in overrides.get(item, ())
    ]
