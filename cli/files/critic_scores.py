"""Critics' scores in files, in every form that docs/triplets.md defines: a JSON document, or rows of triplets."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli.files.files import content_of, name_of
from cli.files.json_files import document_of, object_of, refuse, shortened
from core.errors import BadInput, BadRow, UnreadableFile
from exchange.triplet_cells import LONG, fields_of
from exchange.triplet_critics import CriticFault, is_long, key_of_row, score_of_row
from exchange.triplet_rows import Row, RowReader, TripletForm, form_of

Scores = Mapping[str, int | None]
PER_MODEL = "per_model_scores"
"""Column of critics in the file of a run's last step (`step4.jsonl`)."""


@dataclass(frozen=True, slots=True)
class Scored:
    """One triplet's critics in a file, not yet parsed."""

    where: str  # its place in the file, as text
    critics: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ScoredFile:
    """Triplets of a file. `is_list`: the file may contain several."""

    triplets: tuple[Scored, ...]
    is_list: bool


def read_scored(file: Path) -> ScoredFile:
    """Return the triplets of a JSON document, JSON lines, CSV or Parquet. Raises BadInput with every faulty row."""
    shown, content = name_of(file), content_of(file)
    if form_of(content, shown) is TripletForm.JSONL and _is_one_document(content):
        document = document_of(content, shown)
        listed = document if isinstance(document, list) else [document]
        return ScoredFile(
            tuple(
                Scored(
                    f"triplet {n}",
                    object_of(object_of(each, f"triplet {n}", shown).get("critics"), f"triplet {n}, critics", shown),
                )
                for n, each in enumerate(listed, 1)
            ),
            isinstance(document, list),
        )
    reader = RowReader(filename=shown, form=form_of(content, shown))
    rows = list(reader.rows(content))
    refuse(reader.faults)
    if is_long(reader.columns):
        return ScoredFile(tuple(_long(rows, shown)), is_list=True)
    heading = fields_of(reader.columns).get("critics") or (PER_MODEL if PER_MODEL in reader.columns else None)
    if heading is None:
        raise UnreadableFile(
            f"{shown} has no critics' scores: it needs a column critics, or the columns {', '.join(LONG)}."
        )
    return ScoredFile(tuple(_nested(rows, heading, shown)), is_list=True)


def scores_of(critic_cells: object, critic: str) -> Scores | None:
    """Return a critic's scores; a criterion is 0 to 3, or {"score": 0 to 3, "reason": text}. 2.0 is read as 2:
    programs write integers so in a column with gaps. Raises BadInput."""
    if critic_cells is None:
        return None
    if not isinstance(critic_cells, dict):
        raise BadInput(f"Critic {critic}: found {shortened(critic_cells)}; expected a JSON object of criteria.")
    return {name: _score(cell, critic, name) for name, cell in critic_cells.items()}


def _score(cell: Any, critic: str, criterion: str) -> Any:
    if isinstance(cell, dict):
        if "score" not in cell:
            raise BadInput(
                f'Critic {critic}, {criterion}: found {shortened(cell)}; expected {{"score": 0 to 3, "reason": text}}.'
            )
        cell = cell["score"]
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


def _is_one_document(content: bytes) -> bool:
    """Return True if the content is one JSON value, valid or not, and nothing after it."""
    try:
        text = content.decode("utf-8-sig").lstrip()
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return True  # the reader reports the error
    return not text[end:].strip()


def _nested(rows: Iterable[tuple[int, Row]], heading: str, shown: str) -> list[Scored]:
    triplets, faults = [], []
    for line, row in rows:
        critics = {} if row.get(heading) is None else row[heading]
        if isinstance(critics, dict):
            triplets.append(Scored(f"line {line}", critics))
        else:
            faults.append(BadRow(shown, line, heading, shortened(critics), "expected a JSON object of critics"))
    refuse(faults)
    return triplets


def _long(rows: Iterable[tuple[int, Row]], shown: str) -> list[Scored]:
    """Group rows that are equal except for the score columns: each group is a triplet, identified by its first line."""
    by_key: dict[str, tuple[int, dict[str, dict[str, int]]]] = {}
    faults = []
    for line, row in rows:
        _, critics = by_key.setdefault(key_of_row(row), (line, {}))
        try:
            score = score_of_row(row, is_synthetic=False)
            if score is not None:
                scores = critics.setdefault(score.critic, {})
                if score.criterion.value in scores:
                    raise CriticFault("criterion", score.criterion.value, "one row for each critic and criterion")
                scores[score.criterion.value] = score.score
        except CriticFault as fault:
            faults.append(BadRow(shown, line, fault.heading, shortened(fault.value), f"expected {fault}"))
    refuse(faults)
    return [Scored(f"line {line}", critics) for line, critics in by_key.values()]
