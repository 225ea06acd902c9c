"""Records of a RIS file as fields of papers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from core.words import counted, quoted
from exchange.reference_entries import Collector, listed, partial_date, text_of

TAG_LINE = re.compile(r"[ \t]{0,3}([A-Z][A-Z0-9])([ \t\xa0]{0,3})[-\u2010-\u2014](?:[ \t\xa0]|(?=\S)|$)(.*)")
"""A tag as written by hand or other programs: "TI - Rain", "TI  -Rain". The format has two spaces and one."""
_END = re.compile(r"ER(?:[ \t\xa0]*[-\u2010-\u2014])?")


def read_ris(text: str, collector: Collector) -> None:
    """Split records here and parse them one by one: the parser silently drops a record without its end mark."""
    import rispy

    for line, record, is_tightd in _ris_records(text, collector):
        if not is_tightd:
            collector.fault(line, "ER", "", "the record is not ended by a line ER  - ")
            continue
        for fields in rispy.loads(record):
            collector.add(_from_ris(fields, line, collector), line)


def _ris_records(text: str, collector: Collector) -> Iterator[tuple[int, str, bool]]:
    """Yield the line on which each record starts, the record with normalised tags, and whether it has an end mark."""
    start, lines = 0, list[str]()
    for number, tag, line in _tagged(text, collector):
        if tag == "TY":
            if start:
                yield start, "\n".join(lines), False
            start, lines = number, [line]
        elif start:
            lines.append(line)
        elif line.strip():
            collector.fault(number, "", line, "a record begins with a line TY  - ")
        if tag == "ER" and start:
            yield start, "\n".join(lines) + "\n", True
            start, lines = 0, []
    if start:
        yield start, "\n".join(lines), False


def _tagged(text: str, collector: Collector) -> Iterator[tuple[int, str, str]]:
    """Yield each line with its number and its normalised tag; the tag is empty for a continuation line."""
    is_tight = False  # whether the record has no space in front of its dashes
    fixed = list[int]()
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        tag, spaces, value = _tag_line(line)
        if tag == "TY":
            is_tight = not spaces
        if not tag or (not spaces and not is_tight):  # a line of an abstract, such as "CO-operation"
            yield number, "", line
            continue
        written = f"{tag}  - {value}"
        if written.rstrip() != line.rstrip():
            fixed.append(number)
        yield number, tag, written
    if fixed:
        are = "is" if len(fixed) == 1 else "are"
        collector.notices.append(
            f"{counted(len(fixed), 'line')}, from line {fixed[0]:,} on, {are} read as if the tag were written as in "
            "“TI  - ”."
        )


def _tag_line(line: str) -> tuple[str, str, str]:
    """Return the tag of a line, the spaces after it and its value; all empty for a continuation line. Only known
    tags may deviate from the format."""
    from rispy.config import TAG_KEY_MAPPING

    if _END.fullmatch(line.strip()):
        return "ER", "  ", ""
    match = TAG_LINE.fullmatch(line)
    if match is None or (line[2:5] != "  -" and match[1] not in TAG_KEY_MAPPING):
        return "", "", ""
    return match[1], match[2], match[3].strip()


def _from_ris(fields: Mapping[str, object], line: int, collector: Collector) -> dict[str, str | list[str]]:
    def first(*keys: str) -> str:
        return next((text_of(fields[key]) for key in keys if text_of(fields.get(key))), "")

    published, year = first("date"), first("year", "publication_year")
    if published and year and not _is_date(published):
        collector.notices.append(f"line {line}: the date {quoted(published)} was not understood; the year was kept.")
        published = year
    return {
        "title": first("title", "primary_title", "short_title"),
        "authors": [*listed(fields.get("authors")), *listed(fields.get("first_authors"))],
        "source": first("journal_name", "secondary_title", "alternate_title3", "alternate_title1", "publisher"),
        "url": first("urls", "url"),
        "doi": first("doi"),
        "publication_date": published or year,
        "abstract": first("abstract", "notes_abstract"),
        "keywords": listed(fields.get("keywords")),
    }


def _is_date(text: str) -> bool:
    try:
        return bool(partial_date(text))
    except ValueError:
        return False
