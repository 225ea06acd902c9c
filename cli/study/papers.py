"""Papers and graphs of a study: listing, adding, importing, exporting."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.files.files import ColumnsOption, EncodingOption, SheetOption, columns_from, encoding_choices
from cli.study.session import JsonOption, Stop, StoreOption, new_id, opened_study, read_file, say, write_whole
from core.errors import EdgewiseError
from core.people import Viewer
from core.words import counted, quoted
from exchange.file_reading import FileChoices
from exchange.forms import GraphForm

app = typer.Typer()
papers_app = typer.Typer(no_args_is_help=True, help="The papers of a study.")
app.add_typer(papers_app, name="papers")


@papers_app.command("list")
def papers_list(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List the papers that are not archived."""
    from services.papers import papers

    with opened_study(store) as viewer:
        listed = papers.list_papers(viewer)
    rows = [
        {
            "id": p.id,
            "title": p.title,
            "title_read": p.is_title_read,
            "screening": p.screening.value,
            "figures": p.figures,
            "pages": p.page_count,
        }
        for p in listed
    ]
    lines = [
        f"{p.id}  {p.screening.value:9} {counted(p.figures, 'figure')}  {p.title}"
        + (" (title from page 1)" if p.is_title_read else "")
        for p in listed
    ]
    say(rows, "\n".join(lines) or "No papers yet.", as_json)


@papers_app.command("add")
def papers_add(files: list[Path], store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Add PDFs, pictures, or references (.bib, .ris, .csv); a faulty file does not stop the others."""
    rows: list[dict[str, Any]] = []
    with opened_study(store) as viewer:
        for file in files:
            try:
                rows.append(_add_file(viewer, file))
            except EdgewiseError as error:
                rows.append({"file": str(file), "error": str(error)})
    say(rows, "\n".join(_paper_line(row) for row in rows), as_json)
    if any("error" in row for row in rows):
        raise typer.Exit(1)


def _add_file(viewer: Viewer, file: Path) -> dict[str, Any]:
    from services.papers import importing as paper_importing

    content = read_file(file)
    if file.suffix.lower() in (".bib", ".ris", ".csv"):
        outcome = paper_importing.import_references(viewer, file.name, content, act_id=new_id())
        faults = [str(fault) for fault in outcome.faults]
        return {"file": str(file), "added": outcome.added, "known": outcome.known, "faults": faults}
    stored = paper_importing.import_file(viewer, file.name, content, act_id=new_id())
    return {"file": str(file), "id": stored.paper_id, "duplicate": stored.is_duplicate, "notices": stored.notices}


def _paper_line(row: dict[str, Any]) -> str:
    if "error" in row:
        return f"{row['file']}: {row['error']}"
    if "id" in row:
        return f"{row['file']}: {'already in the study as' if row['duplicate'] else 'added as'} {row['id']}"
    return "\n".join([f"{row['file']}: {row['added']} added, {row['known']} known", *row["faults"]])


@papers_app.command("locate")
def papers_locate(
    paper_ids: Annotated[list[str] | None, typer.Argument(metavar="[PAPER]...", help="IDs of papers.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All papers in use that have a file.")] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the figures of papers. They wait on the contact sheet under Papers. If interrupted, it resumes where it
    stopped."""
    from services.papers import finding

    if every == bool(paper_ids):
        raise typer.BadParameter("name papers, or give --all", param_hint="PAPER")
    rows: list[dict[str, Any]] = []
    with opened_study(store) as viewer:
        papers = finding.papers_to_scan(viewer, None if every else paper_ids)
        for number, paper in enumerate(papers, start=1):
            rows.append(_search_paper(viewer, paper))
            if not as_json:
                print(f"{number}/{len(papers)}  {_found_line(rows[-1])}", flush=True)
    figures, waiting = (sum(row[name] for row in rows) for name in ("figures", "waiting"))
    total = (
        f"{counted(len(rows), 'paper')}, {counted(figures, 'figure')} found, {waiting:,} waiting on the contact sheet."
    )
    say({"papers": rows, "figures": figures, "waiting": waiting}, total, as_json)
    if any(row["error"] for row in rows):
        raise typer.Exit(1)


def _search_paper(viewer: Viewer, paper: Any) -> dict[str, Any]:
    """Search one paper and return its row; an error in its file does not stop the others."""
    from services.papers import contact_sheet, finding

    error, faults, read = "", [], 0
    try:
        for page in finding.scan_pages(viewer, paper):
            read += 1
            if page.fault:
                faults.append({"page": page.number, "reason": page.fault})
    except EdgewiseError as trouble:
        error = str(trouble)
    counts = contact_sheet.counts_of(viewer, paper.id)
    return {
        "id": paper.id,
        "title": paper.title,
        "pages": paper.page_count,
        "pages_read": read - len(faults),
        "figures": sum(counts.values()),
        **{decision.value.replace(" ", "_"): counts[decision] for decision in counts},
        "faults": faults,
        "error": error,
    }


def _found_line(row: dict[str, Any]) -> str:
    pages = counted(row["pages"], "page")
    unread = row["pages"] - row["pages_read"]
    text = f"{row['id']}  {counted(row['figures'], 'figure')} on {pages}  {row['title']}"
    reason = row["error"] or (row["faults"][0]["reason"] if row["faults"] else "")
    return f"{text}\n  {counted(unread, 'page')} not read: {reason}" if unread else text


@app.command("import")
def import_graphs(
    files: Annotated[list[Path], typer.Argument(help="Files of any supported format, also ZIPs; - is standard input.")],
    columns: ColumnsOption = "",
    encoding: EncodingOption = "",
    sheet: SheetOption = "",
    with_faulty: Annotated[
        bool, typer.Option("--skip-faulty", help="Leave faulty rows out and import the others.")
    ] = False,
    figure: Annotated[str | None, typer.Option(help="ID of the figure they were transcribed from.")] = None,
    kind: Annotated[
        str, typer.Option("--as", help="import, or truth: one graph as the ground truth of --figure, not adjudicated.")
    ] = "import",
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Import graphs, either all of them or none; every faulty row is named."""
    from services.graphs import importing

    if kind not in ("import", "truth"):
        raise typer.BadParameter(f"{quoted(kind)} is neither import nor truth", param_hint="--as")
    if kind == "truth" and figure is None:
        raise typer.BadParameter("truth needs --figure: a ground truth belongs to a figure", param_hint="--as")
    answer = FileChoices(encoding, columns_from(columns), sheet)
    with opened_study(store) as viewer:
        # What comes by standard input has no name that could mislead its recognition.
        contents = [("(standard input)" if str(file) == "-" else file.name, read_file(file)) for file in files]
        answers = dict.fromkeys(range(len(files)), answer)
        read = importing.preview(viewer, contents, answers)
        _stop_at_faults(read, contents, with_faulty)
        receipt = importing.import_graphs(
            viewer,
            contents,
            answers,
            with_faulty=with_faulty,
            figure_id=figure,
            as_truth=kind == "truth",
            act_id=new_id(),
        )
        imported = importing.imported_graphs(viewer, receipt.subject_id)
    left_out = [str(fault) for file in read.files for fault in file.faults]
    rows = [{"id": graph.id, "title": graph.title, "nodes": graph.nodes, "edges": graph.edges} for graph in imported]
    for fault in left_out:
        print(f"Left out: {fault}", file=sys.stderr)
    say(
        {"import": receipt.subject_id, "graphs": rows, "left_out": left_out},
        "\n".join(
            f"{graph.id}  {graph.title}: {counted(graph.nodes, 'node')}, {counted(graph.edges, 'edge')}"
            for graph in imported
        ),
        as_json,
    )


def _stop_at_faults(read: Any, contents: Sequence[tuple[str, bytes]], with_faulty: bool) -> None:
    errors = [
        f"{file.error}\n{encoding_choices(content)}" if file.encodings else file.error
        for file, (_, content) in zip(read.files, contents, strict=True)
        if file.error
    ]
    faults = [] if with_faulty else [str(fault) for file in read.files if not file.error for fault in file.faults]
    if errors or faults:
        raise Stop("\n".join([*errors, *faults]) + "\nNothing was imported.")


@app.command("export")
def export(
    form: Annotated[
        GraphForm,
        typer.Option("--format", help="Format to write; a study in a format other than CSV, TSV or JSON is a ZIP."),
    ] = GraphForm.CSV,
    transcription: Annotated[str | None, typer.Option(help="ID of one transcription; default: the study.")] = None,
    drafts: Annotated[bool, typer.Option("--drafts", help="Include unfinished transcriptions.")] = False,
    as_zip: Annotated[bool, typer.Option("--zip", help="One file per transcription, in one ZIP.")] = False,
    out: Annotated[Path | None, typer.Option("--out", help="File to write; default: standard output.")] = None,
    store: StoreOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --out: print what was written as JSON.")] = False,
) -> None:
    """Export the study's transcriptions, or one of them."""
    from services.graphs import exporting

    if as_json and out is None:
        raise typer.BadParameter("needs --out: standard output cannot hold both", param_hint="--json")
    with opened_study(store) as viewer:
        if transcription:
            file = exporting.export_transcription(viewer, transcription, form)
        elif as_zip or form not in exporting.STUDY_FORMS:
            file = exporting.export_study_zip(viewer, form, with_drafts=drafts)
        else:
            file = exporting.export_study(viewer, form, with_drafts=drafts)
        if out is not None:
            write_whole(out, file.content)
    if out is None:
        sys.stdout.buffer.write(file.content)
    if as_json:
        written = {"path": str(out), "size_bytes": len(file.content), "media_type": file.media_type}
        print(json.dumps({**written, "lost": file.lost, "left_out": file.left_out}, ensure_ascii=False))
        return
    if file.lost:
        print(f"This format leaves out: {', '.join(file.lost)}.", file=sys.stderr)
    for sentence in file.left_out:
        print(f"Not written: {sentence}", file=sys.stderr)
