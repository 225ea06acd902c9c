"""Records of a RIS file as fields of papers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from core.words import quoted
from exchange.reference_entries import Collector, listed, partial_date, text_of

_RIS_LINE = re.compile(r"^([A-Z][A-Z0-9]) {1,2}-(?: |$)")


def read_ris(text: str, collector: Collector) -> None:
    """Records are cut here and read one by one: the parser drops a record without its end mark silently."""
    import rispy

    for line, record, is_closed in _ris_records(text, collector):
        if not is_closed:
            collector.fault(line, "ER", "", "the record is not ended by a line ER  - ")
            continue
        for fields in rispy.loads(record):
            collector.add(_from_ris(fields, line, collector), line)


def _ris_records(text: str, collector: Collector) -> Iterator[tuple[int, str, bool]]:
    begun, lines = 0, list[str]()
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        tag = found.group(1) if (found := _RIS_LINE.match(line)) else ""
        if tag == "TY":
            if begun:
                yield begun, "\n".join(lines), False
            begun, lines = number, [line]
        elif begun:
            lines.append(line)
        elif line.strip():
            collector.fault(number, "", line, "a record begins with a line TY  - ")
        if tag == "ER" and begun:
            yield begun, "\n".join(lines) + "\n", True
            begun, lines = 0, []
    if begun:
        yield begun, "\n".join(lines), False


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
