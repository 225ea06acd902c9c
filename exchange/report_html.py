"""A report as one HTML file: sections of sentences, tables, charts and texts. It requests nothing and has no script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from core.analysis.charts import DARK, LIGHT, Theme


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTable:
    """A table of texts; the first column names the rows.

    Attributes:
        rows: a text for each heading
        notes: sentences below it
        chart: SVG above it, as `chart_file.write_chart` returns it; empty without one
        alternative: the chart in words
        of_words: cells are texts, not numbers
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    chart: str = ""
    alternative: str = ""
    of_words: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSection:
    """A heading and what is below it, in this order; `texts`: (heading, text), kept as they are, line by line."""

    title: str
    sentences: Sequence[str] = ()
    tables: Sequence[ReportTable] = ()
    texts: Sequence[tuple[str, str]] = ()
    sections: Sequence[ReportSection] = ()


# Of the document itself, in case a text ever got past `escape`.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
body { margin: 2rem auto; padding: 0 1rem; max-width: 62rem; font: 1rem/1.5 system-ui, sans-serif; \
background: var(--ground); color: var(--text); overflow-wrap: anywhere; }
h1, h2, h3, h4 { line-height: 1.25; margin: 2em 0 0.5em; }
h4 { font-size: 1rem; }
h1 { margin-top: 0; }
a { color: var(--link); }
.wide { overflow-x: auto; overflow-wrap: normal; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.6rem; border-bottom: 1px solid var(--grid); text-align: right; vertical-align: top; }
th { font-weight: 600; }
th:first-child, .words th, .words td { text-align: left; }
.words td { overflow-wrap: anywhere; }
.chart { box-sizing: border-box; width: fit-content; max-width: 100%; margin: 0.8rem 0; padding: 0.8rem 2rem; \
background: var(--paper); border: 1px solid var(--grid); border-radius: 4px; }
.chart svg { display: block; max-width: 100%; height: auto; overflow: visible; }
.chart text { font-family: "Liberation Sans", Arial, Helvetica, sans-serif; }
.note { font-size: 0.85rem; margin: 0.3rem 0; }
summary { cursor: pointer; }
pre { white-space: pre-wrap; padding: 0.8rem; border: 1px solid var(--grid); border-radius: 4px; font-size: 0.85rem; }
@media print { .chart, tr { break-inside: avoid; } }
"""


def report_html(report: ReportSection) -> bytes:
    """Return the file, in UTF-8. The same report gives the same bytes. Every text is shown as it is, not as markup."""
    light, dark = _colours(LIGHT), _colours(DARK)
    style = f":root {{ color-scheme: light dark; --paper: {LIGHT.ground}; {light} }}\n"
    style += f"@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}{_STYLE}"
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(report.title)}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        f"<h1>{escape(report.title)}</h1>",
        *_content(report, 2),
        '<nav aria-label="Contents">',
        *_contents(report.sections, "part"),
        "</nav>",
        "<main>",
        *_sections(report.sections, "part", 2),
        "</main>",
        "</body>",
        "</html>",
    ]
    return ("\n".join(lines) + "\n").encode(errors="replace")


def _colours(theme: Theme) -> str:
    return f"--ground: {theme.ground}; --text: {theme.text}; --grid: {theme.grid}; --link: {theme.series[0]};"


def _contents(sections: Sequence[ReportSection], place: str) -> Iterator[str]:
    if not sections:
        return
    yield "<ul>"
    for number, section in enumerate(sections, 1):
        yield f'<li><a href="#{place}-{number}">{escape(section.title)}</a>'
        yield from _contents(section.sections, f"{place}-{number}")
        yield "</li>"
    yield "</ul>"


def _sections(sections: Sequence[ReportSection], place: str, level: int) -> Iterator[str]:
    for number, section in enumerate(sections, 1):
        yield f'<section aria-labelledby="{place}-{number}">'
        yield f'<h{level} id="{place}-{number}">{escape(section.title)}</h{level}>'
        yield from _content(section, min(level + 1, 6))
        yield from _sections(section.sections, f"{place}-{number}", min(level + 1, 6))
        yield "</section>"


def _content(section: ReportSection, level: int) -> Iterator[str]:
    for sentence in section.sentences:
        yield f"<p>{escape(sentence)}</p>"
    for table in section.tables:
        yield from _table(table, level)
    for heading, text in section.texts:
        yield f"<details><summary>{escape(heading)}</summary><pre>{escape(text)}</pre></details>"


def _table(table: ReportTable, level: int) -> Iterator[str]:
    yield f"<h{level}>{escape(table.title)}</h{level}>"
    if table.chart:
        yield f'<div class="chart" role="img" aria-label="{escape(table.alternative)}">'
        yield f'<div aria-hidden="true">{table.chart}</div></div>'  # Vega names parts of a chart, but not all
    # A part that scrolls must be reachable by keyboard, and so has a name.
    yield f'<div class="wide" role="region" tabindex="0" aria-label="{escape(table.title)}">'
    yield '<table class="words">' if table.of_words else "<table>"
    heads = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in table.headings)
    yield f"<thead><tr>{heads}</tr></thead>"
    yield "<tbody>"
    for head, *cells in table.rows:
        texts = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        yield f'<tr><th scope="row">{escape(head)}</th>{texts}</tr>'
    yield "</tbody></table></div>"
    for note in table.notes:
        yield f'<p class="note">{escape(note)}</p>'
