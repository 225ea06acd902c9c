"""Relations X, d, Y of papers from JSON, JSON lines, CSV or Parquet; every fault with its line and column."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from core.errors import BadInput, BadRow
from core.graphs.names import fold_name
from core.labels import DIRECTION
from core.questions.relation import Relation
from core.triplets.jel import JEL_TITLES
from core.triplets.venues import venue_name
from exchange.triplet_rows import Row, RowReader, TripletForm, form_of, shown

COLUMNS = ("X", "d", "Y", "paper")
ENTITIES = ("X_entity", "Y_entity")
_CODE = re.compile(r"[A-Za-z][0-9]{0,2}")


def read_relations(content: bytes, filename: str) -> list[Relation]:
    """Return the relations of a file, in order. `X`, `d`, `Y` and `paper` are needed. `X_entity` and `Y_entity` name
    which phrases are equal; a file has both or neither, and without them phrases are equal after folding. `year` and
    `journal` are the paper's, `letters` the JEL codes or letters of the two variables. Raises BadInput with every
    fault, UnreadableFile for other files."""
    rows, faults = rows_of(content, filename)
    present = {name for _, row in rows for name in row}
    lacking = [name for name in COLUMNS if name not in present]
    if lacking:
        raise BadInput(f"{filename} has no column {', '.join(lacking)}; relations have {', '.join(COLUMNS)}.")
    named = [name for name in ENTITIES if name in present]
    if len(named) == 1:
        raise BadInput(f"{filename} has a column {named[0]} alone; entities need {' and '.join(ENTITIES)}.")
    reader = _Reader(filename, bool(named), faults)
    relations = [relation for line, row in rows if (relation := reader.read(line, row)) is not None]
    if faults:
        raise BadInput("\n".join(map(str, faults)))
    return relations


def rows_of(content: bytes, filename: str) -> tuple[list[tuple[int, Row]], list[BadRow]]:
    """Return rows with their line, or number in a JSON list or Parquet, and the faults. Raises UnreadableFile."""
    form = form_of(content, filename)
    if form is TripletForm.JSONL and (listed := _json_list(content)) is not None:
        good = [(number, row) for number, row in enumerate(listed, 1) if isinstance(row, dict)]
        bad = [
            BadRow(filename, number, "", shown(row), "expected a JSON object")
            for number, row in enumerate(listed, 1)
            if not isinstance(row, dict)
        ]
        return good, bad
    reader = RowReader(filename=filename, form=form)
    return list(reader.rows(content)), reader.faults


class _Reader:
    def __init__(self, filename: str, has_entities: bool, faults: list[BadRow]) -> None:
        self._filename = filename
        self._has_entities = has_entities
        self._faults = faults
        self._entity_of: dict[str, tuple[str, int]] = {}

    def read(self, line: int, row: Row) -> Relation | None:
        before = len(self._faults)
        words = {name: self._words(line, row, name) for name in ("X", "Y", "paper")}
        direction = DIRECTION.parse(row.get("d"))
        if direction is None:
            self._fault(line, "d", row.get("d"), f"expected one of {DIRECTION.words}")
        year, letters = self._year(line, row), self._letters(line, row)
        journal = "" if row.get("journal") is None else venue_name(self._words(line, row, "journal"))
        entities = [self._entity(line, row, name, words[name]) for name in ("X", "Y")]
        if direction is None or len(self._faults) > before:
            return None
        return Relation(
            treatment=words["X"],
            direction=direction,
            outcome=words["Y"],
            paper=words["paper"],
            treatment_entity=entities[0],
            outcome_entity=entities[1],
            letters=letters,
            year=year,
            journal=journal,
        )

    def _words(self, line: int, row: Row, name: str) -> str:
        value = row.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and name == "paper":
            value = str(value)
        if not isinstance(value, str) or not value.strip():
            self._fault(line, name, value, "expected text")
            return ""
        return " ".join(value.split())

    def _entity(self, line: int, row: Row, name: str, phrase: str) -> str:
        """Return the entity of a phrase, which must be the same in the whole file: a question could not say which it
        names."""
        if not self._has_entities:
            return fold_name(phrase)
        column = f"{name}_entity"
        value = row.get(column)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str) or not value.strip():
            self._fault(line, column, value, "expected the name or number of an entity")
            return ""
        entity, first = self._entity_of.setdefault(phrase, (value, line))
        if entity != value:
            self._fault(line, column, value, f"“{phrase}” is of entity {entity} in row {first}; a phrase is of one")
        return value

    def _year(self, line: int, row: Row) -> int | None:
        value = row.get("year")
        if isinstance(value, str) and value.strip().isdecimal():
            value = int(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and 1500 <= value <= 2200):
            return value
        self._fault(line, "year", value, "expected a year from 1500 to 2200")
        return None

    def _letters(self, line: int, row: Row) -> tuple[str, ...]:
        value = row.get("letters")
        if value is None:
            return ()
        parts = value if isinstance(value, list) else re.split(r"[,;\s]+", value) if isinstance(value, str) else [value]
        codes = []
        for part in parts:
            if part == "":
                continue
            if not isinstance(part, str) or not _CODE.fullmatch(part) or part[0].upper() not in JEL_TITLES:
                self._fault(line, "letters", part, "expected JEL letters or codes, such as J or J2")
                continue
            codes.append(part[0].upper())
        return tuple(sorted(set(codes)))

    def _fault(self, line: int, column: str, value: object, expected: str) -> None:
        self._faults.append(BadRow(self._filename, line, column, shown(value), expected))


def _json_list(content: bytes) -> Sequence[Any] | None:
    """Return a document that is one JSON list; None for JSON lines, whose reader reports errors."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, list) else None
