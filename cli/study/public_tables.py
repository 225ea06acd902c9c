"""ReCITE's public tables and the runs of a study: responses and evaluations in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.study.opening import JsonOption, Stop, StoreOption, new_id, opened_study, read_file, say
from core.words import counted

if TYPE_CHECKING:
    from services.protocols.recite.public_tables.reading import PublicPreview


def import_tables(
    files: Annotated[
        list[Path], typer.Argument(help="Parquet files of ReCITE's responses or evaluations; responses come first.")
    ],
    table: Annotated[
        str,
        typer.Option(
            help="ID or title of the table of samples that responses are about; default: the one that has most of them."
        ),
    ] = "",
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
    """Import answers and verdicts of ReCITE's dataset as finished runs; a file imported before is skipped.

    Responses become a run for each model and task type, evaluations one run of judges. Replies are read and scored as
    those of any run, and what is read otherwise than the file says is counted."""
    from services.exchange.file_reading import kind_of_file
    from services.graphs.sample_tables import chosen_table
    from services.protocols.recite.public_tables.importing import import_public
    from services.protocols.recite.public_tables.reading import PublicKind, preview_public
    from services.runs import reading

    told: list[dict[str, Any]] = []
    words: list[str] = []
    kinds = {kind.value: kind for kind in PublicKind}
    with opened_study(store) as viewer:
        about = chosen_table(viewer, table).id if table else ""
        for file in files:
            content = read_file(file)
            kind = kinds.get(kind_of_file(file.name, content).value)
            if kind is None:
                raise Stop(f"{file.name} is neither ReCITE's responses nor its evaluations (Parquet).")
            found = preview_public(viewer, file.name, content, kind, about)
            may = bool(found.fit and not found.error and not found.known and (with_faulty or not found.faults))
            notices: list[str] = []
            numbers = list(found.known)
            if may and not dry_run:
                import_public(
                    viewer,
                    file.name,
                    content,
                    kind,
                    with_faulty=with_faulty,
                    table=about,
                    licence=licence,
                    act_id=new_id(),
                )
                numbers = list(preview_public(viewer, file.name, content, kind, about).known)
                notices = [each for number in numbers for each in _notices(reading.card(viewer, str(number)).notices)]
            told.append(_plain(file, found) | {"runs": numbers, "imported": may and not dry_run, "notices": notices})
            words.append(_words(file, found, numbers, notices, may=may, is_dry=dry_run))
    say(told, "\n".join(words), as_json)
    if any(each["error"] or not (each["imported"] or each["known"] or dry_run) for each in told):
        raise typer.Exit(1)


def _notices(every: tuple[str, ...]) -> tuple[str, ...]:
    """Without the first, which says where the run comes from."""
    return every[1:]


def _plain(file: Path, found: PublicPreview) -> dict[str, Any]:
    return {
        "file": str(file),
        "kind": found.kind.value,
        "rows": found.rows,
        "fit": found.fit,
        "models": dict(found.models),
        "table": found.table,
        "faults": [str(fault) for fault in found.faults],
        "error": found.error,
        "known": bool(found.known),
    }


def _words(file: Path, found: PublicPreview, numbers: list[int], notices: list[str], *, may: bool, is_dry: bool) -> str:
    if found.error:
        return found.error
    listed = ", ".join(map(str, numbers))
    if found.known:
        return f"{file.name} is already in the study as run{'s' * (len(numbers) > 1)} {listed}."
    said = "Would import" if is_dry else f"Imported as run{'s' * (len(numbers) > 1)} {listed}:"
    lines = [f"{said} {found.told}." if may else f"Imported none of {found.told}."]
    lines += notices + [str(fault) for fault in found.faults]
    if found.faults:
        rest = "left out" if may else "to correct, or to leave out with --skip-faulty"
        lines.append(f"{counted(len(found.faults), 'faulty row')} {rest}.")
    return "\n".join(lines)
