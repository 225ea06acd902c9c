"""Triplets of a study, imported and exported, and experts' scores."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.files.files import encoding_choices
from cli.study.session import JsonOption, Stop, StoreOption, new_id, opened_study, read_file, say, write_whole
from core.triplets.forms import Rubric
from core.words import counted, quoted
from exchange.triplet_rows import TripletForm

if TYPE_CHECKING:
    from services.triplets.exporting import TripletExport
    from services.triplets.preview import TripletPreview

app = typer.Typer()
scores_app = typer.Typer(no_args_is_help=True, help="Scores of experts.")

FORMS = ("jsonl", "csv", "parquet")
FormOption = Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMS)}.")]
OutOption = Annotated[Path | None, typer.Option("--out", help="File to write; default: standard output.")]
SpreadsheetOption = Annotated[
    bool,
    typer.Option("--spreadsheet", help="For spreadsheets: with a byte order mark, and no cell that runs as a formula."),
]
WrittenOption = Annotated[bool, typer.Option("--json", help="With --out: print what was written as JSON.")]


@app.command("import")
def import_command(
    files: Annotated[list[Path], typer.Argument(help="JSON lines, CSV or Parquet files of triplets.")],
    title: Annotated[str, typer.Option(help="Title of the collection; default: the file's name.")] = "",
    licence: Annotated[
        str | None, typer.Option(help="Licence, such as CC-BY-4.0; default: that of published task files, else none.")
    ] = None,
    jel: Annotated[Path | None, typer.Option(help="Table of JEL codes (paper, jel) for papers without any.")] = None,
    with_faulty: Annotated[
        bool, typer.Option("--skip-faulty", help="Leave faulty rows out and import the others.")
    ] = False,
    encoding: Annotated[str, typer.Option(help="Encoding of files that are not UTF-8, such as cp1252.")] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what the files contain and what is wrong; import nothing.")
    ] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Import files of triplets, each as a collection or not at all; a file imported before is skipped."""
    if title and len(files) > 1:
        raise typer.BadParameter("one title cannot name several files.", param_hint="--title")
    from services.triplets import importing
    from services.triplets.preview import collection_id

    table = None if jel is None else (jel.name, read_file(jel))
    outcomes: list[dict[str, Any]] = []
    words: list[str] = []
    with opened_study(store) as viewer:
        for file in files:
            content = read_file(file)
            preview = importing.preview(viewer, file.name, content, jel=table, encoding=encoding)
            may = not preview.error and not preview.known and (with_faulty or not preview.faults)
            if may and not dry_run:
                importing.import_triplets(
                    viewer,
                    file.name,
                    content,
                    with_faulty=with_faulty,
                    title=title,
                    licence=licence,
                    jel=table,
                    encoding=encoding,
                    act_id=new_id(),
                )
            outcomes.append(_plain(file, preview, collection_id(content)) | {"imported": may and not dry_run})
            words.append(_words(file, content, preview, may=may, is_dry=dry_run))
    say(outcomes, "\n".join(words), as_json)
    if any(each["error"] or (each["faults"] and not (with_faulty or each["known"])) for each in outcomes):
        raise typer.Exit(1)


@app.command("export")
def export_command(
    collection: Annotated[str, typer.Argument(help="ID or title of a collection.")],
    form: FormOption = "jsonl",
    out: OutOption = None,
    spreadsheet: SpreadsheetOption = False,
    with_licence: Annotated[
        bool, typer.Option("--with-licence", help="Write a ZIP of the file and its licence.txt.")
    ] = False,
    store: StoreOption = None,
    as_json: WrittenOption = False,
) -> None:
    """Write a collection with every cell of its file, critics' scores included."""
    checked = _checked(form, out, as_json)
    from services.triplets import exporting, lists

    with opened_study(store) as viewer:
        key = lists.chosen_collection(lists.collections(viewer, with_archived=True), collection)
        file = exporting.export_triplets(
            viewer, key, TripletForm(checked), spreadsheet=spreadsheet, with_licence=with_licence
        )
        _write(file, out, as_json)


@scores_app.command("export")
def scores_export(
    rubric: Annotated[
        Rubric, typer.Option(help="Scoring form: scoring (six criteria) or validation (entities, direction, causal).")
    ] = Rubric.ECONCAUSAL,
    form: FormOption = "csv",
    out: OutOption = None,
    spreadsheet: SpreadsheetOption = False,
    store: StoreOption = None,
    as_json: WrittenOption = False,
) -> None:
    """Write the scores that experts submitted on one form, one row per score, by pseudonym."""
    checked = _checked(form, out, as_json)
    from services.triplets import exporting

    with opened_study(store) as viewer:
        kind = TripletForm(checked)
        _write(exporting.export_scores(viewer, rubric, kind, spreadsheet=spreadsheet), out, as_json)


@app.command("decide")
def decide_command(
    run: Annotated[str, typer.Argument(help="Number or ID of a run that extracts triplets.")],
    listed: Annotated[bool, typer.Option("--list", help="List the candidates that wait for a decision.")] = False,
    made: Annotated[str, typer.Option("--made", help="ID of a candidate, as --list shows it.")] = "",
    sign: Annotated[str | None, typer.Option("--sign", help="+, -, None or mixed; default: the sign it has.")] = None,
    drop: Annotated[bool, typer.Option("--drop", help="Leave the candidate out.")] = False,
    why: Annotated[str, typer.Option("--why", help="Reason, kept with the decision.")] = "",
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Decide on candidates of a run: the sign of a tie, evidence that is not found; a worker continues the run."""
    if listed == bool(made):
        raise typer.BadParameter("give either --list, or --made with an ID.", param_hint="--made")
    from services.extraction import decisions

    with opened_study(store) as viewer:
        candidates = decisions.decisions(viewer, run)
        if made:
            chosen = next((each for each in candidates if each.made == made), None)
            if chosen is None:
                raise Stop(f"Run {run} has no candidate {quoted(made)} to decide on. List them with --list.")
            decisions.decide(viewer, chosen, sign, why, is_dropped=drop, act_id=new_id())
            candidates = tuple(each for each in decisions.decisions(viewer, run) if each.made == made)
    rows = [
        {
            "made": each.made,
            "sign": None if each.ruling and each.ruling.get("left_out") else each.value["sign"],
            "dropped": bool(each.ruling and each.ruling.get("left_out")),
            "why": each.ruling["why"] if each.ruling else "",
            "paper_id": each.paper,
            "treatment": each.value["treatment"],
            "outcome": each.value["outcome"],
            "votes": dict(each.value["votes"]),
            "flags": list(each.flags),
            "decided": each.ruling is not None,
        }
        for each in candidates
    ]
    lines = [_decision_words(row) for row in rows]
    say(rows[0] if made else rows, "\n".join(lines) or "No candidate waits for a decision.", as_json)


def _decision_words(row: dict[str, Any]) -> str:
    votes = ", ".join(f"{many} {label}" for label, many in row["votes"].items())
    state = "left out" if row["dropped"] else f"sign {row['sign']}" if row["decided"] else "waits"
    why = f": {row['why']}" if row["why"] else ""
    flags = ", ".join(row["flags"])
    return f"{row['made']}  {state}{why}  {row['paper_id']}: {row['treatment']} → {row['outcome']} ({votes}; {flags})"


@app.command("collect")
def collect_command(
    run: Annotated[str, typer.Argument(help="Number or ID of a run that extracts triplets.")],
    title: Annotated[str, typer.Option(help="Title of the collection.")],
    licence: Annotated[str, typer.Option(help="Licence of the collection, such as CC-BY-4.0; default: unknown.")] = "",
    leave_open: Annotated[
        bool, typer.Option("--leave-open", help="Collect although other candidates wait or are in work.")
    ] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a collection of the candidates that a run's critics accepted."""
    from services.extraction import collecting

    with opened_study(store) as viewer:
        receipt, left_out = collecting.collect(viewer, run, title, licence, leaves_open=leave_open, act_id=new_id())
        many = collecting.plan(viewer, run).accepted
    data = {
        "collection": receipt.subject_id,
        "triplets": many,
        "left_out": [{"made": each.made, "reason": each.reason} for each in left_out],
    }
    lines = [f"Collected {counted(many, 'triplet')} as {quoted(title)}."]
    lines += [f"Left out {each.made}: {each.reason}" for each in left_out]
    say(data, "\n".join(lines), as_json)


def _checked(form: str, out: Path | None, as_json: bool) -> str:
    if form not in FORMS:
        raise typer.BadParameter(f"{quoted(form)} is not one of {', '.join(FORMS)}", param_hint="--format")
    if as_json and out is None:
        raise typer.BadParameter("needs --out: standard output cannot hold both", param_hint="--json")
    return form


def _write(file: TripletExport, out: Path | None, as_json: bool) -> None:
    if out is None:
        sys.stdout.buffer.write(file.content)
        return
    if out.is_dir():
        raise Stop(f"{out} is a folder; name a file in it, such as {out / file.name}.")
    write_whole(out, file.content)
    written = {
        "path": str(out),
        "size_bytes": len(file.content),
        "media_type": file.media_type,
        "licence": file.licence,
    }
    licence = f", licence {file.licence}" if file.licence else ""
    say(written, f"Wrote {out} ({len(file.content):,} bytes{licence}).", as_json)


def _plain(file: Path, preview: TripletPreview, key: str) -> dict[str, Any]:
    return {
        "file": str(file),
        "collection": "" if preview.error else key,
        "form": preview.form,
        "rows": preview.rows,
        "triplets": preview.triplets,
        "papers": preview.papers,
        "signs": {sign.value: number for sign, number in preview.signs.items()},
        "critics": list(preview.critics),
        "scores": preview.scores,
        "licence": preview.licence,
        "notices": list(preview.notices),
        "faults": [str(fault) for fault in preview.faults],
        "error": preview.error,
        "known": preview.known,
    }


def _words(file: Path, content: bytes, preview: TripletPreview, *, may: bool, is_dry: bool) -> str:
    if preview.encodings:
        return f"{preview.error}\n{encoding_choices(content)}"
    if preview.error:
        return preview.error
    if preview.known:
        return f"{file.name} is already in the study as {quoted(preview.known)}."
    papers = counted(preview.papers, "paper")
    holds = f"{counted(preview.triplets, 'triplet')} about {papers} from {file.name} ({preview.form})"
    lines = [f"{'Would import' if is_dry else 'Imported'} {holds}." if may else f"Imported none of {holds}."]
    lines += list(preview.notices) + [str(fault) for fault in preview.faults]
    if preview.faults:
        rest = "left out" if may else "to correct, or to leave out with --skip-faulty"
        lines.append(f"{counted(len(preview.faults), 'faulty row')} {rest}.")
    return "\n".join(lines)
