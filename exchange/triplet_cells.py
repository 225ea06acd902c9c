"""The cells of a triplet file: what each column is called, what becomes of it, and how it is given back.

What a triplet is made of has a place of its own; every other cell is kept as it was. A cell that could not be told
from its place (a number written as text, a sign in other words, null beside an empty text) is kept beside it under
`GIVEN`, and columns that a row does not have under `ABSENT`, so that an export gives back every value.
"""

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
"""Our field → the headings it may have, the first one preferred."""
NEEDED = ("treatment", "outcome", "sign")
LONG = ("critic", "criterion", "score")
"""Headings of a file with one row a score; `reason` may stand beside them."""
SYNTHETIC = "is_synthetic"
"""A column that says of a row's scores by critics that they are made up."""
NUMBERS = ("paper_id", "publication_year", "year", "score_sum", "score")
"""Headings whose cells are numbers in JSON; a CSV file holds their digits."""


def fields_of(columns: Iterable[str]) -> dict[str, str]:
    """Our field → the heading that it has in this file. Of several that could be meant, the preferred one."""
    there = list(columns)
    named = {heading.strip().casefold(): heading for heading in reversed(there)}
    found = {}
    for ours, headings in ALIASES.items():
        heading = next((named[alias] for alias in headings if alias in named), None)
        if heading is not None:
            found[ours] = heading
    return found


def plain_cells(record: TripletRecord) -> dict[str, Any]:
    """Our field → the value it has when it is written from its place alone."""
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
    """{critic: {criterion: {score, reason}}}; None without any score."""
    found: dict[str, Any] = {}
    for each in scores:
        found.setdefault(each.critic, {})[each.criterion.value] = {"score": each.score, "reason": each.reason}
    return found or None


def details_of(
    record: TripletRecord, row: Mapping[str, Any], columns: Sequence[str], by_field: Mapping[str, str]
) -> dict[str, Any]:
    """What must be kept beside the record so that `cells_of` gives the row back; `by_field` is `fields_of(columns)`."""
    plain = plain_cells(record)
    own = {heading: plain[ours] for ours, heading in by_field.items()}
    details = {heading: value for heading, value in row.items() if heading not in own}
    given = {
        heading: row[heading] for heading, value in own.items() if heading in row and not same(row[heading], value)
    }
    absent = [heading for heading in columns if heading not in row]
    return details | ({GIVEN: given} if given else {}) | ({ABSENT: absent} if absent else {})


def cells_of(record: TripletRecord, columns: Sequence[str]) -> dict[str, Any]:
    """The row as it was read: a value for every column it had, in the order of the columns."""
    by_heading = {heading: ours for ours, heading in fields_of(columns).items()}
    plain = plain_cells(record)
    given, absent = record.details.get(GIVEN, {}), set(record.details.get(ABSENT, ()))
    row = {}
    for heading in columns:
        if heading in absent:
            continue
        if heading in given:
            row[heading] = given[heading]
        else:
            # A column that has a place only since a later version still stands where an earlier one kept it.
            is_beside = heading in record.details or heading not in by_heading
            row[heading] = record.details.get(heading) if is_beside else plain[by_heading[heading]]
    return row


def same(one: Any, other: Any) -> bool:
    """Equal, and of one type all the way down: 1, 1.0, True and "1" are four values."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def is_number(text: str) -> bool:
    """Whether a text is a whole number in its plain form: no leading zero, sign or blank.

    >>> is_number("3593"), is_number("0022"), is_number("w3593")
    (True, False, False)
    """
    return text.isascii() and text.isdigit() and len(text) <= 18 and (text == "0" or text[0] != "0")
