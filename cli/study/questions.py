"""Question sets of a study: frozen from files, listed, and exported."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.study.session import JsonOption, Stop, StoreOption, new_id, opened_study, read_file, say, write_whole
from core.words import counted

if TYPE_CHECKING:
    from services.questions.sets import QuestionsPreview

app = typer.Typer(no_args_is_help=True, help="Question sets: frozen questions about causal relations.")


@app.command("import")
def import_command(
    files: Annotated[list[Path], typer.Argument(help="Questions as JSON lines, or what triplets questions prints.")],
    title: Annotated[str, typer.Option(help="Title of the set; default: the file's name.")] = "",
    licence: Annotated[str, typer.Option(help="Licence, such as CC-BY-4.0; default: unknown.")] = "",
    with_faulty: Annotated[
        bool, typer.Option("--skip-faulty", help="Leave faulty rows out and freeze the others.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what the files contain and what is wrong; freeze nothing.")
    ] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Freeze files of questions, each as a numbered set that never changes; questions that are frozen already are
    skipped."""
    if title and len(files) > 1:
        raise typer.BadParameter("one title cannot name several files.", param_hint="--title")
    from services.questions import sets

    outcomes: list[dict[str, Any]] = []
    words: list[str] = []
    with opened_study(store) as viewer:
        for file in files:
            content = read_file(file)
            preview = sets.preview_questions(viewer, file.name, content)
            is_sound = bool(preview.questions and not preview.error and (with_faulty or not preview.faults))
            number = preview.known
            may = is_sound and number is None
            if may and not dry_run:
                receipt = sets.import_questions(
                    viewer,
                    file.name,
                    content,
                    with_faulty=with_faulty,
                    title=title,
                    licence=licence,
                    act_id=new_id(),
                )
                number = sets.question_set(viewer, receipt.subject_id).number
            outcomes.append(_plain(file, preview) | {"number": number, "imported": may and not dry_run})
            words.append(_words(file, preview, number, may=may, is_dry=dry_run))
    say(outcomes, "\n".join(words), as_json)
    if any(each["error"] or not (each["imported"] or each["known"] or dry_run) for each in outcomes):
        raise typer.Exit(1)


@app.command("list")
def list_command(
    archived: Annotated[bool, typer.Option("--archived", help="Also archived sets.")] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the question sets of a study, the newest first."""
    from services.questions import sets

    with opened_study(store) as viewer:
        rows = sets.question_sets(viewer, with_archived=archived)
    plain = [
        {
            "number": each.number,
            "title": each.title,
            "licence": each.licence,
            "sha256": each.sha256,
            "questions": each.questions,
            "easy": each.easy,
            "counts": {str(kind): dict(counts) for kind, counts in each.counts.items()},
            "archived": each.is_archived,
        }
        for each in rows
    ]
    lines = [
        f"{each.number:>3}  {each.title}: {counted(each.questions, 'question')}"
        + (f", {each.easy:,} easy" if each.easy else "")
        + (", archived" if each.is_archived else "")
        for each in rows
    ]
    say(plain, "\n".join(lines) or "No question set in this study.", as_json)


@app.command("export")
def export_command(
    number: Annotated[int, typer.Argument(help="Number of the question set.")],
    out: Annotated[Path | None, typer.Option("--out", help="File to write; default: standard output.")] = None,
    store: StoreOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --out: print what was written as JSON.")] = False,
) -> None:
    """Write a question set as the JSON lines that were frozen."""
    if as_json and out is None:
        raise typer.BadParameter("needs --out: standard output cannot hold both", param_hint="--json")
    from services.questions import sets

    with opened_study(store) as viewer:
        file = sets.export_questions(viewer, number)
    if out is None:
        sys.stdout.buffer.write(file.content)
        return
    if out.is_dir():
        raise Stop(f"{out} is a folder; name a file in it, such as {out / file.name}.")
    write_whole(out, file.content)
    written = {"path": str(out), "number": number, "size_bytes": len(file.content)}
    say(written, f"Wrote {out} ({len(file.content):,} bytes).", as_json)


def _plain(file: Path, preview: QuestionsPreview) -> dict[str, Any]:
    return {
        "path": str(file),
        "questions": preview.questions,
        "easy": preview.easy,
        "counts": {str(kind): dict(counts) for kind, counts in preview.counts.items()},
        "faults": [str(fault) for fault in preview.faults],
        "known": preview.known,
        "error": preview.error,
    }


def _words(file: Path, preview: QuestionsPreview, number: int | None, *, may: bool, is_dry: bool) -> str:
    if preview.error:
        return f"{file}: {preview.error}"
    if preview.known is not None:
        return f"{file}: these questions are frozen already, as question set {preview.known}."
    easy = f", {preview.easy:,} of them easy" if preview.easy else ""
    contents = f"{counted(preview.questions, 'question')}{easy}"
    outcome = (
        f"contains {contents}" if is_dry else f"frozen as question set {number}: {contents}" if may else "froze nothing"
    )
    lines = [f"{file}: {outcome}.", *(str(fault) for fault in preview.faults)]
    if preview.faults:
        rest = "left out" if may else "to correct, or to leave out with --skip-faulty"
        lines.append(f"{counted(len(preview.faults), 'faulty row')} {rest}.")
    return "\n".join(lines)
