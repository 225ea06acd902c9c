"""EconCausal's files and similar triplets: JSON lines, CSV or Parquet to records, every faulty row reported.

Columns: paper_id, title, author, publication_year, published_venue, jel_codes, paper_url, treatment, outcome, sign,
context, identification_methods ("; "-joined), example_details (JSON text), question, answer; final_context,
final_id_methods, score_sum and evidence of the extracted triplets; critics' scores as in `exchange.triplet_critics`.
Only treatment, outcome and sign are required; unknown columns are stored. An export equals its input except that a bare
NaN becomes null (an empty cell), JSON's key order, white space and spellings of numbers and characters are normalised,
and rows of a long file are sorted by triplet and critic.

Memory: the file, its rows and their records, together about three times its size (`benchmarks/triplets.py`).
Limits: `MOST_BYTES`, `MOST_ROWS`, a CSV cell of 131,072 characters.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from core.errors import BadInput, BadRow, UnreadableFile
from core.sign import Sign
from core.triplets.record import CriticScore, PaperRecord, TripletRecord
from core.triplets.triplet import IdMethod, jel_rows, parse_id_methods, parse_jel, parse_sign
from core.triplets.venues import domain_of
from core.words import counted, quoted
from exchange.jel_table import JelTable
from exchange.triplet_cells import ABSENT, GIVEN, NEEDED, details_of, fields_of
from exchange.triplet_critics import (
    LONG_COLUMNS,
    CriticFault,
    critics_in,
    is_long,
    is_made_up,
    key_of_row,
    score_of_row,
    without_score,
)
from exchange.triplet_rows import Row, RowReader, TripletForm, form_of

MOST_TOTAL = 18
"""Maximum of score_sum: six criteria with three points each."""
YEARS = (1500, 2200)
_YEAR_TEXT = re.compile(r"[0-9]{4}(?:\.0)?")
EXAMPLES = "example_details"


@dataclass(frozen=True, slots=True, kw_only=True)
class TripletFile:
    name: str
    form: TripletForm
    columns: tuple[str, ...]  # headings in order
    is_long: bool
    records: tuple[TripletRecord, ...]
    faults: tuple[BadRow, ...]  # by line
    notices: tuple[str, ...]
    rows: int  # read, faulty ones included


def read_triplets(content: bytes, filename: str, *, jel: JelTable | None = None, encoding: str = "") -> TripletFile:
    """Read a whole file; faulty rows are listed and skipped. `jel` gives codes to papers without any. Raises
    UnreadableFile for a file that is empty, too large, or has no treatment, outcome or sign column; UnknownEncoding
    for text that is not UTF-8."""
    reader = RowReader(filename=filename, form=form_of(content, filename))
    rows = list(reader.rows(content, encoding))
    columns = tuple(reader.columns)
    _refuse_columns(filename, columns, bool(rows), reader.faults)
    reading = _Reading(reader, columns, jel)
    for line, row in rows:
        reading.add(line, row)
    records = reading.finished()
    faults = tuple(sorted(reader.faults, key=lambda fault: fault.line or 0))
    looked_at = len(rows) + len({fault.line for fault in faults} - {line for line, _ in rows})
    return TripletFile(
        name=filename,
        form=reader.form,
        columns=columns,
        is_long=reading.is_long,
        records=records,
        faults=faults,
        notices=tuple(reading.notices()),
        rows=looked_at,
    )


def _refuse_columns(filename: str, columns: tuple[str, ...], has_rows: bool, faults: list[BadRow]) -> None:
    if not has_rows:
        if faults:
            raise faults[0]
        raise UnreadableFile(f"{filename} has no rows.")
    for reserved in (GIVEN, ABSENT):
        if reserved in columns:
            raise UnreadableFile(
                f"{filename} has a column {reserved}, a name that is reserved for Edgewise; rename it."
            )
    missing = [name for name in NEEDED if name not in fields_of(columns)]
    if missing:
        raise UnreadableFile(f"{filename} has no column {quoted(missing[0])}; a triplet needs {', '.join(NEEDED)}.")


class _Fault(ValueError):
    """A cell with an invalid value: (field or heading, value, expectation)."""


class _Reading:
    """Converts rows to records; a paper is described by its first row."""

    def __init__(self, reader: RowReader, columns: tuple[str, ...], jel: JelTable | None) -> None:
        self.reader, self.columns, self.jel = reader, columns, jel
        self.is_long = is_long(columns)
        self.kept = tuple(name for name in columns if not self.is_long or name not in LONG_COLUMNS)
        self.by_field = fields_of(self.kept)
        self.papers: dict[str, PaperRecord] = {}
        self.records: list[TripletRecord] = []
        self.at: dict[str, int] = {}
        self.more: dict[int, dict[tuple[str, str], CriticScore]] = {}
        """Of a long file: by the record's place, its scores by critic and criterion."""
        self.counts: Counter[str] = Counter()

    def add(self, line: int, row: Row) -> None:
        try:
            self._add(line, row)
        except _Fault as fault:
            field, value, expected = fault.args
            self.reader.fault(line, self.by_field.get(field, field), value, expected)
        except CriticFault as wrong:
            self.reader.fault(line, wrong.heading, wrong.value, str(wrong))

    def _add(self, line: int, row: Row) -> None:
        made_up = is_made_up(row)
        score = score_of_row(row, is_synthetic=made_up) if self.is_long else None
        if self.is_long:
            key = key_of_row(row)
            row = without_score(row)
            if key in self.at:
                place = self.at[key]
                first = (((one.critic, one.criterion), one) for one in self.records[place].critics)
                scores = self.more.setdefault(place, dict(first))
                if score is None or (score.critic, score.criterion) in scores:
                    raise CriticFault(
                        "criterion", score.criterion if score else None, "one row for each critic and criterion"
                    )
                scores[score.critic, score.criterion] = score
                return
            self.at[key] = len(self.records)
        try:
            self.records.append(self._record(row, made_up, score))
        except (_Fault, CriticFault):
            if self.is_long:
                del self.at[key]
            raise

    def _record(self, row: Row, made_up: bool, score: CriticScore | None) -> TripletRecord:
        place = len(self.records) + 1
        critics = critics_in(self._cell(row, "critics"), self.by_field.get("critics", ""), is_synthetic=made_up)
        record = TripletRecord(
            place=place,
            paper=self._paper(row, place),
            treatment=self._needed(row, "treatment"),
            outcome=self._needed(row, "outcome"),
            sign=self._sign(row),
            context=self._text(row, "context") or "",
            methods=self._methods(row),
            evidence=self._evidence(row),
            critics=(score,) if score is not None else critics,
        )
        total = row.get("score_sum")
        if total is not None and not _is_total(total):
            raise _Fault("score_sum", total, f"a number from 0 to {MOST_TOTAL}")
        examples = row.get(EXAMPLES)
        if examples is not None and not _are_examples(examples):
            raise _Fault(
                EXAMPLES, examples, "a JSON list of examples, {paper_id, treatment, outcome, sign, …}, as a text"
            )
        answer = row.get("answer")
        self.counts["answers"] += answer is not None and answer != self._cell(row, "sign")
        bare = replace(record, critics=()) if self.is_long else record
        return replace(record, details=details_of(bare, row, self.kept, self.by_field))

    # --- cells

    def _cell(self, row: Row, field: str) -> Any:
        heading = self.by_field.get(field)
        return None if heading is None else row.get(heading)

    def _text(self, row: Row, field: str) -> str | None:
        value = self._cell(row, field)
        if value is not None and not isinstance(value, str):
            raise _Fault(field, value, "a text")
        return value

    def _needed(self, row: Row, field: str) -> str:
        value = self._text(row, field)
        if value is None or not value.strip():
            raise _Fault(field, value, f"a phrase that names the {field}")
        return value

    def _sign(self, row: Row) -> Sign:
        value = self._cell(row, "sign")
        try:
            return parse_sign(value)
        except BadInput:
            raise _Fault(
                "sign", value, 'one of "+", "-", "None", "mixed"; a missing sign is not the sign None'
            ) from None

    def _methods(self, row: Row) -> tuple[str, ...] | None:
        value = self._cell(row, "methods")
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            value = "; ".join(value)
        if value is None:
            return None
        if not isinstance(value, str):
            raise _Fault("methods", value, "methods joined by semicolons")
        try:
            return tuple(method.value for method in parse_id_methods(value))
        except BadInput:
            raise _Fault("methods", value, f"of {', '.join(IdMethod)}, joined by semicolons") from None

    def _evidence(self, row: Row) -> tuple[str, ...]:
        value = self._cell(row, "evidence")
        listed = [] if value is None else [value] if isinstance(value, str) else value
        if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
            raise _Fault("evidence", value, "a list of paragraphs, or one paragraph")
        return tuple(listed)

    def _paper(self, row: Row, place: int) -> PaperRecord:
        named = self._cell(row, "paper_id")
        if named is not None and (isinstance(named, bool) or not isinstance(named, int | str) or named == ""):
            raise _Fault("paper_id", named, "a whole number or a text")
        codes, title = self._text(row, "jel_codes"), self._text(row, "title") or ""
        names = self._cell(row, "author")
        is_list = isinstance(names, list) and all(isinstance(each, str) for each in names)
        author = ", ".join(names) if is_list else self._text(row, "author") or ""
        year = self._year(row)
        venue, url = self._text(row, "venue") or "", self._text(row, "url") or ""
        abstract = self._text(row, "abstract") or ""
        # Without an id, a paper is identified by its URL or title; without these, by its row.
        key = (str(named) if named is not None else "") or url or title or f"?{place}"
        paper = self.papers.get(key)
        if paper is None:
            described = PaperRecord(
                external_id=key,
                title=title,
                author=author,
                year=year,
                venue=venue,
                domain=domain_of(venue),
                jel_codes=codes,
                url=url,
                abstract=abstract,
            )
            paper = self.papers[key] = self._with_jel(described)
        description = (title, author, year, venue, url, abstract)
        first = (paper.title, paper.author, paper.year, paper.venue, paper.url, paper.abstract)
        self.counts["described"] += description != first
        return paper

    def _year(self, row: Row) -> int | None:
        value = self._cell(row, "year")
        year = value
        if isinstance(value, str):  # a column of text, as Parquet files often have
            text = value.strip()
            year = float(text) if _YEAR_TEXT.fullmatch(text) else text or None
        if year is None:
            return None
        is_whole = isinstance(year, int | float) and not isinstance(year, bool) and year == int(year)
        if not is_whole or not YEARS[0] <= year <= YEARS[1]:
            raise _Fault("year", value, f"a year from {YEARS[0]} to {YEARS[1]}")
        return int(year)

    def _with_jel(self, paper: PaperRecord) -> PaperRecord:
        codes = parse_jel(paper.jel_codes or "")
        if not codes and self.jel is not None:
            codes = self.jel.of(paper.external_id)
            self.counts["joined"] += bool(codes)
            paper = replace(paper, jel_codes=", ".join(codes) if codes else paper.jel_codes)
        return replace(paper, jel_letters=tuple(row for row in jel_rows(codes) if len(row) == 1))

    # --- the end

    def finished(self) -> tuple[TripletRecord, ...]:
        for place, scores in self.more.items():
            self.records[place] = replace(self.records[place], critics=tuple(scores.values()))
        return tuple(self.records)

    def notices(self) -> list[str]:
        counts, reader = self.counts, self.reader
        sentences = (
            (reader.missing, f"{counted(reader.missing, 'bare NaN')} read as missing; exports write null or nothing."),
            (
                reader.unguarded,
                f"Removed {counted(reader.unguarded, 'apostrophe')} that a spreadsheet put before formulas.",
            ),
            (
                reader.has_index,
                "The first column has no name and numbers the rows, as pandas writes it; it was not read.",
            ),
            (counts["joined"], f"{counted(counts['joined'], 'paper')} without JEL codes got them from the JEL table."),
            (
                counts["described"],
                f"{_with_verb(counts['described'], 'describes', 'describe')} a paper differently from its first "
                "row; lists use the first row, and an export writes each row as it is.",
            ),
            (counts["answers"], f"{_with_verb(counts['answers'], 'has', 'have')} an answer that is not the sign."),
        )
        return [sentence for number, sentence in sentences if number]


def _is_total(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return False
    text = str(value)
    try:
        # Decimal compares by exponent; Fraction would expand 1e999999999 to a billion digits.
        return 0 <= (Fraction(text) if "/" in text else Decimal(text)) <= MOST_TOTAL
    except (ValueError, ArithmeticError):
        return False


def _are_examples(value: object) -> bool:
    import json

    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return False
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def _with_verb(rows: int, of_one: str, of_several: str) -> str:
    return f"{counted(rows, 'row')} {of_one if rows == 1 else of_several}"
