"""Cells of a triplet file: the name and storage of each column, and its export. The parts of a triplet have fields
of their own; every other cell is stored unchanged. A cell that its field would not reproduce (a number as text, a
sign in other words, null instead of an empty text) is also stored under `GIVEN`, and missing columns of a row under
`ABSENT`, so that an export reproduces every value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.triplets.record import CriticScore, TripletRecord

GIVEN, ABSENT = "_given", "_absent"
"""Keys of `TripletRecord.details` that no column may have."""

ALIASES: Mapping[str, tuple[str, ...]] = {
    "paper_id": ("paper_id",),
    "title": ("title", "paper_title"),
    "author": ("author", "authors"),
    "year": ("publication_year", "year"),
    "venue": ("published_venue", "venue", "journal"),
    "jel_codes": ("jel_codes", "jel"),
    "url": ("paper_url", "url"),
    "abstract": ("abstract", "paper_abstract"),
    "treatment": ("treatment",),
    "outcome": ("outcome",),
    "sign": ("sign",),
    "context": ("context", "final_context"),
    "methods": ("identification_methods", "final_id_methods", "id_methods"),
    "evidence": ("evidence", "evidence_paragraphs"),
    "critics": ("critics",),
}
"""Edgewise's field → its possible headings, the preferred one first."""
NEEDED = ("treatment", "outcome", "sign")
LONG = ("critic", "criterion", "score")
"""Headings of a file with one row per score; `reason` is optional."""
SYNTHETIC = "is_synthetic"
"""A column that marks a row's critic scores as invented."""
NUMBERS = ("paper_id", "publication_year", "year", "score_sum", "score")
"""Headings whose cells are numbers in JSON, and digits in CSV."""


def fields_of(columns: Iterable[str]) -> dict[str, str]:
    """Return Edgewise's field → its heading in this file, the preferred one of several."""
    headings_present = list(columns)
    named = {heading.strip().casefold(): heading for heading in reversed(headings_present)}
    by_field = {}
    for field, headings in ALIASES.items():
        heading = next((named[alias] for alias in headings if alias in named), None)
        if heading is not None:
            by_field[field] = heading
    return by_field


def plain_cells(record: TripletRecord) -> dict[str, Any]:
    """Return Edgewise's field → the value that an export would write without `GIVEN`."""
    paper = record.paper
    number = paper.external_id
    return {
        "paper_id": int(number) if is_number(number) else number,
        "title": paper.title,
        "author": paper.author,
        "year": paper.year,
        "venue": paper.venue,
        "jel_codes": paper.jel_codes,
        "url": paper.url,
        "abstract": paper.abstract,
        "treatment": record.treatment,
        "outcome": record.outcome,
        "sign": record.sign.value,
        "context": record.context,
        "methods": None if record.methods is None else "; ".join(record.methods),
        "evidence": list(record.evidence),
        "critics": nested(record.critics),
    }


def nested(scores: Sequence[CriticScore]) -> dict[str, Any] | None:
    """Return {critic: {criterion: {score, reason}}}; None without any score."""
    by_critic: dict[str, Any] = {}
    for each in scores:
        by_critic.setdefault(each.critic, {})[each.criterion.value] = {"score": each.score, "reason": each.reason}
    return by_critic or None


def details_of(
    record: TripletRecord, row: Mapping[str, Any], columns: Sequence[str], by_field: Mapping[str, str]
) -> dict[str, Any]:
    """Return the details with which `cells_of` reproduces the row; `by_field` is `fields_of(columns)`."""
    plain = plain_cells(record)
    own = {heading: plain[field] for field, heading in by_field.items()}
    details = {heading: value for heading, value in row.items() if heading not in own}
    originals = {
        heading: row[heading] for heading, value in own.items() if heading in row and not same(row[heading], value)
    }
    absent = [heading for heading in columns if heading not in row]
    return details | ({GIVEN: originals} if originals else {}) | ({ABSENT: absent} if absent else {})


def cells_of(record: TripletRecord, columns: Sequence[str]) -> dict[str, Any]:
    """Return the row as it was read: a value for every column it had, in the order of the columns."""
    by_heading = {heading: field for field, heading in fields_of(columns).items()}
    plain = plain_cells(record)
    originals, absent = record.details.get(GIVEN, {}), set(record.details.get(ABSENT, ()))
    row = {}
    for heading in columns:
        if heading in absent:
            continue
        if heading in originals:
            row[heading] = originals[heading]
        else:
            # A column that became a field in a later version is still in the details of older rows.
            is_in_details = heading in record.details or heading not in by_heading
            row[heading] = record.details.get(heading) if is_in_details else plain[by_heading[heading]]
    return row


def same(one: Any, other: Any) -> bool:
    """Return True if equal and of the same types throughout: 1, 1.0, True and "1" are four values."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def is_number(text: str) -> bool:
    """Return True if a text is a plain integer: without leading zero, sign or blank.

    >>> is_number("3593"), is_number("0022"), is_number("w3593")
    (True, False, False)
    """
    return text.isascii() and text.isdigit() and len(text) <= 18 and (text == "0" or text[0] != "0")
