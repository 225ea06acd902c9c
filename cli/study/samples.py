"""Tables of samples of a study: texts with their true graphs, imported and exported."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.study.session import JsonOption, Stop, StoreOption, new_id, opened_study, read_file, say, write_whole
from core.words import counted, quoted

if TYPE_CHECKING:
    from services.graphs.sample_tables import SamplesPreview

app = typer.Typer(no_args_is_help=True, help="Tables of samples: texts with the graph that is true of each.")


@app.command("import")
def import_command(
    files: Annotated[list[Path], typer.Argument(help="Parquet files of a published table of samples.")],
    title: Annotated[str, typer.Option(help="Title of the table; default: the file's name.")] = "",
    licence: Annotated[str, typer.Option(help="Licence, such as CC-BY-4.0; default: unknown.")] = "",
    with_faulty: Annotated[
        bool, typer.Option("--skip-faulty", help="Leave faulty rows out and import the others.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what the files contain and what is wrong; import nothing.")
    ] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Import tables of samples, each whole or not at all; a file imported before is skipped.

    What a row wrongly says about itself is reported and stored as released."""
    if title and len(files) > 1:
        raise typer.BadParameter("one title cannot name several files.", param_hint="--title")
    from services.graphs import sample_tables

    outcomes: list[dict[str, Any]] = []
    words: list[str] = []
    with opened_study(store) as viewer:
        for file in files:
            content = read_file(file)
            preview = sample_tables.preview_samples(viewer, file.name, content)
            may = bool(
                preview.samples and not preview.error and not preview.known and (with_faulty or not preview.faults)
            )
            if may and not dry_run:
                sample_tables.import_samples(
                    viewer,
                    file.name,
                    content,
                    with_faulty=with_faulty,
                    title=title,
                    licence=licence,
                    act_id=new_id(),
                )
            outcomes.append(_plain(file, preview, sample_tables.table_id(content)) | {"imported": may and not dry_run})
            words.append(_words(file, preview, may=may, is_dry=dry_run))
    say(outcomes, "\n".join(words), as_json)
    if any(each["error"] or not (each["imported"] or each["known"] or dry_run) for each in outcomes):
        raise typer.Exit(1)


@app.command("list")
def list_command(
    archived: Annotated[bool, typer.Option("--archived", help="Also archived tables.")] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the tables of samples in a study."""
    from services.graphs import sample_tables

    with opened_study(store) as viewer:
        rows = sample_tables.sample_tables(viewer, with_archived=archived)
    plain = [
        {
            "table": each.id,
            "title": each.title,
            "licence": each.licence,
            "file": each.file,
            "samples": each.samples,
            "with_text": each.with_text,
            "odd": dict(each.odd),
            "archived": each.is_archived,
        }
        for each in rows
    ]
    lines = [
        f"{each.id[:12]}  {each.title}: {counted(each.samples, 'sample')}, {each.with_text:,} with a text; "
        f"licence {each.licence or 'unknown'}{', archived' if each.is_archived else ''}"
        for each in rows
    ]
    say(plain, "\n".join(lines) or "No table of samples in this study.", as_json)


@app.command("export")
def export_command(
    table: Annotated[str, typer.Argument(help="ID or title of a table; default: the study's only one.")] = "",
    form: Annotated[
        str, typer.Option("--form", "--format", help="Form of the file: Parquet, as the table came, is the only one.")
    ] = "",
    out: Annotated[Path | None, typer.Option("--out", help="File to write; default: standard output.")] = None,
    store: StoreOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --out: print what was written as JSON.")] = False,
) -> None:
    """Write a table as it came: every cell, its columns, types and order."""
    if as_json and out is None:
        raise typer.BadParameter("needs --out: standard output cannot hold both", param_hint="--json")
    from services.graphs import sample_tables

    if form not in ("", sample_tables.FORM):
        raise typer.BadParameter(f"found {form}; expected {sample_tables.FORM}.", param_hint="--form")
    with opened_study(store) as viewer:
        chosen = sample_tables.chosen_table(viewer, table, with_archived=True)
        file = sample_tables.export_samples(viewer, chosen.id)
    if out is None:
        sys.stdout.buffer.write(file.content)
        return
    if out.is_dir():
        raise Stop(f"{out} is a folder; name a file in it, such as {out / file.name}.")
    write_whole(out, file.content)
    written = {"path": str(out), "form": sample_tables.FORM, "samples": chosen.samples, "size_bytes": len(file.content)}
    say(written, f"Wrote {out} ({counted(chosen.samples, 'sample')}, {len(file.content):,} bytes).", as_json)


def _plain(file: Path, preview: SamplesPreview, key: str) -> dict[str, Any]:
    return {
        "file": str(file),
        "table": "" if preview.error else key,
        "rows": preview.rows,
        "samples": preview.samples,
        "with_text": preview.with_text,
        "odd": dict(preview.odd),
        "notices": list(preview.notices),
        "faults": [str(fault) for fault in preview.faults],
        "error": preview.error,
        "known": preview.known,
    }


def _words(file: Path, preview: SamplesPreview, *, may: bool, is_dry: bool) -> str:
    if preview.error:
        return preview.error
    if preview.known:
        return f"{file.name} is already in the study as {quoted(preview.known)}."
    holds = f"{counted(preview.samples, 'sample')}, {preview.with_text:,} with a text, from {file.name}"
    lines = [f"{'Would import' if is_dry else 'Imported'} {holds}." if may else f"Imported none of {holds}."]
    lines += list(preview.notices) + [str(fault) for fault in preview.faults]
    if preview.faults:
        rest = "left out" if may else "to correct, or to leave out with --skip-faulty"
        lines.append(f"{counted(len(preview.faults), 'faulty row')} {rest}.")
    return "\n".join(lines)
