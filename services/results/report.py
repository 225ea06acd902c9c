"""A report of runs for co-authors: a page with their tables, charts, settings, rows left out and prompts, and the files
for a paper."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core.analysis.printed import NO_VALUE, label_of
from core.analysis.table_charts import chart_of
from core.analysis.tables import ResultTable
from core.people import Permission, Viewer
from core.runs.budget import dollars_alike
from core.runs.states import ItemStatus
from core.version import PROGRAM_VERSION
from core.words import counted, sentence_case
from exchange.archive import write_archive
from exchange.chart_file import PictureForm, write_chart
from exchange.latex import LatexSection, latex_document
from exchange.report_html import ReportSection, ReportTable, report_html
from protocols import PROTOCOLS
from services.acting import consulting, consulting_once
from services.files import ExportedFile, TableForm
from services.results.files import export, printed_cell, table_notes
from services.results.results import PresetView, has_tables, presets_of, results, runs_of
from services.runs import reading
from services.runs.exports.private_texts import private_texts
from services.runs.run_settings import protocol_title
from services.runs.views import RunCard

PAGE, DOCUMENT = "report.html", "report.tex"
MOST_TABLES = 12
"""Tables of a preset that are drawn; its CSV and LaTeX have all."""
MOST_EXCLUDED = 200
"""Rows that the page lists as left out; the run's JSON has all."""
OF_CARD = ("settings", "parameters", "hashes", "deviations", "notices", "excluded", "prompts")
"""What a run's JSON has, of its card."""


def report_files(viewer: Viewer, run_ids: Sequence[str]) -> Mapping[str, bytes]:
    """Return the files of a report, by path: the page, a LaTeX document, for each protocol the tables of its runs with
    their charts, and for each run its settings. Each table is of the paper's own slice. The same runs give the same
    bytes. Raises as `results.runs_of`, and Refused without the permission to export; what the viewer may not see yet is
    left out as on the Results screen."""
    with consulting_once(), consulting(viewer, Permission.EXPORT) as r:
        cards = sorted((reading.card(viewer, row.id) for row in runs_of(r.session, run_ids)), key=_number)
        files: dict[str, bytes] = {}
        document: list[LatexSection] = []
        protocols = []
        for protocol in dict.fromkeys(card.run.protocol for card in cards):
            if protocol in PROTOCOLS and has_tables(protocol):
                ids = [card.run.id for card in cards if card.run.protocol == protocol]
                filled = [preset for preset in presets_of(viewer, ids) if preset.is_filled]
                sections = [_preset(viewer, ids, protocol, preset, files, document) for preset in filled]
                numbers = [card.run.number for card in cards if card.run.protocol == protocol]
                title = f"Results: {PROTOCOLS[protocol].title}, {_runs(numbers)}"
                empty = () if filled else ("No answer of these runs is scored.",)
                protocols.append(ReportSection(title=title, sentences=empty, sections=sections))
        withheld = {
            card.run.id: private_texts(r.session, row).sentences(card.run.number)
            for card in cards
            for row in runs_of(r.session, [card.run.id])
        }
        title = f"Report of {_runs(list(map(_number, cards)))} of the study {r.study.title}"
    about = (
        f"Written by Edgewise {PROGRAM_VERSION}. Next to this page: for each protocol a folder with every table as CSV "
        f"and LaTeX, and the charts of the first {MOST_TABLES} tables of a preset as PDF; {DOCUMENT}, which shows them "
        "all; and for each run a JSON file with its settings, rows left out and prompts. Times are UTC."
    )
    of_runs = [_run(card, withheld[card.run.id]) for card in cards]
    page = ReportSection(title=title, sentences=(about,), sections=(*protocols, *of_runs))
    for card in cards:
        of_run = {"number": card.run.number, "title": card.run.title, "protocol": card.run.protocol}
        of_run |= {"protocol_version": card.run.protocol_version}
        of_run |= {name: value for name, value in asdict(card).items() if name in OF_CARD}
        text = json.dumps(of_run, indent=1, ensure_ascii=False, default=str)
        files[f"run-{card.run.number}.json"] = f"{text}\n".encode(errors="replace")
    return {PAGE: report_html(page), DOCUMENT: latex_document(title, document), **files}


def export_report(viewer: Viewer, run_ids: Sequence[str]) -> ExportedFile:
    """Return the files of a report as a ZIP. Raises as `report_files`."""
    with consulting_once(), consulting(viewer, Permission.EXPORT) as r:
        numbers, study = [row.number for row in runs_of(r.session, run_ids)], r.study.name
        content = write_archive(report_files(viewer, run_ids).items())
    return ExportedFile(f"{study}-{report_name(numbers)}", "application/zip", content)


def report_name(numbers: Sequence[int]) -> str:
    return f"run-{'-'.join(map(str, sorted(numbers)))}-report.zip"


def _number(card: RunCard) -> int:
    return card.run.number


def _runs(numbers: Sequence[int]) -> str:
    return f"run{'' if len(numbers) == 1 else 's'} {', '.join(map(str, numbers))}"


def _preset(
    viewer: Viewer,
    run_ids: Sequence[str],
    protocol: str,
    preset: PresetView,
    files: dict[str, bytes],
    document: list[LatexSection],
) -> ReportSection:
    """The section of a preset; its files are added to `files`, its part to `document`."""
    tables = results(viewer, run_ids, preset.key)
    place = f"{protocol}/{preset.key}"
    for form in (TableForm.CSV, TableForm.LATEX):
        files[f"{place}.{form.value}"] = export(viewer, run_ids, preset.key, form, with_intervals=True).content
    noted = [table_notes(table, with_intervals=True, drawn=preset.drawn) for table in tables[:MOST_TABLES]]
    shared = [note for note in noted[0] if all(note in notes for notes in noted)] if noted else []
    shown, figures = [], []
    for number, (table, notes) in enumerate(zip(tables, noted, strict=False), 1):
        chart, drawing = chart_of(table, preset.chart, preset.in_time), ""
        own = [note for note in notes if note not in shared]
        if chart.rows:
            drawing = write_chart(chart, PictureForm.SVG).decode()
            files[f"{place}-{number}.pdf"] = write_chart(chart, PictureForm.PDF)
            figures.append((f"{place}-{number}.pdf", chart.title))
            if chart.left_out:
                own.append(f"The chart leaves out {counted(chart.left_out, 'row')}, which the table has.")
        shown.append(_table(table, own, drawing, chart.words))
    left_out = len(tables) - len(shown)
    more = [f"{counted(left_out, 'more table')}: {place}.csv, {place}.tex."] if left_out else []
    document.append(LatexSection(preset.title, place, figures))
    return ReportSection(title=preset.title, sentences=(preset.told, *preset.notes, *shared, *more), tables=shown)


def _table(table: ResultTable, notes: Sequence[str], drawing: str, words: str) -> ReportTable:
    return ReportTable(
        title=f"{table.title} · {table.of} · {counted(table.samples, 'sample')}",
        headings=(table.row_title, *map(label_of, table.column_labels)),
        rows=[
            (label_of(row), *(printed_cell(table, row, column, True) for column in table.column_labels))
            for row in table.row_labels
        ],
        notes=notes,
        chart=drawing,
        alternative=words,
    )


def _run(card: RunCard, withheld: Sequence[str]) -> ReportSection:
    run = card.run
    times = [("created", run.created_at), ("started", run.started_at), ("ended", run.finished_at)]
    when = ", ".join(f"{word} {at:%Y-%m-%d %H:%M}" for word, at in times if at is not None)
    about = (
        f"{protocol_title(run.protocol)}, version {run.protocol_version}; {counted(run.samples, 'sample')}, "
        f"{counted(run.total, 'item')}; "
        f"{run.state.value}; {when}."
    )
    if card.repeated:
        about += f" {counted(card.repeated, 'duplicate')} left out."
    reasons = [
        f"{model}: {flag} in {counted(items, 'reply')}, read like complete ones."
        for model, flag, items in card.unknown_reasons
    ]
    settings = {name: value for name, value in card.settings["wanted"].items() if value not in (None, "", [], {})}
    listed = card.excluded[:MOST_EXCLUDED]
    more = len(card.excluded) - len(listed)
    tables = [
        _models(card),
        _words("Settings", ("Name", "Value"), [(name.replace("_", " "), _text(settings[name])) for name in settings]),
        _words("Parameters", ("Name", "Value"), [(name, _text(value)) for name, value in card.parameters.items()]),
        _words(
            "Deviations from the protocol",
            ("Setting", "Protocol", "This run"),
            [(each.what, each.default, each.chosen) for each in card.deviations],
        ),
        _words(
            f"Rows left out: {len(card.excluded):,}",
            ("Row", "Reason"),
            listed,
            notes=[f"{counted(more, 'more row')}: run-{run.number}.json."] if more else (),
        ),
        _words(
            "Hashes (SHA-256)", ("Part", "Hash"), [(part, value or NO_VALUE) for part, value in card.hashes.items()]
        ),
    ]
    return ReportSection(
        title=f"Run {run.number}{f': {run.title}' if run.title else ''}",
        sentences=(about, *card.notices, *reasons, *withheld),
        tables=[table for table in tables if table.rows],
        texts=[
            (f"Prompt {prompt.name} ({role}), {prompt.origin}, SHA-256 {prompt.hash}", text)
            for prompt in card.prompts
            for role, text in (("system", prompt.system), ("user", prompt.user))
            if text
        ],
    )


def _models(card: RunCard) -> ReportTable:
    statuses = [status for status in ItemStatus if any(model.by_status.get(status) for model in card.models)]
    known = iter(dollars_alike([model.cost_usd for model in card.models if model.cost_usd is not None]))
    counts = [*(sentence_case(status.value) for status in statuses), "Requests", "Tokens in", "Tokens out", "Cost"]
    return ReportTable(
        title="Models and baselines: items by status, and use",
        headings=("Model", "Name at the endpoint", *counts),
        rows=[
            (
                model.name,
                str(model.snapshot.get("model", NO_VALUE)),
                *(f"{model.by_status.get(status, 0):,}" for status in statuses),
                *(f"{number:,}" for number in (model.requests, model.tokens_in, model.tokens_out)),
                NO_VALUE if model.cost_usd is None else next(known),
            )
            for model in card.models
        ],
    )


def _words(
    title: str, headings: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str] = ()
) -> ReportTable:
    return ReportTable(title=title, headings=headings, rows=rows, notes=notes, of_words=True)


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
