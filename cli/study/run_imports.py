"""`runs import`: files of finished runs, read by their benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from cli.study.session import JsonOption, StoreOption, opened_study, read_file, say


def runs_import(
    files: Annotated[
        list[Path], typer.Argument(help="Parquet files of responses or evaluations; responses come first.")
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
    those of any run, and values that differ from the file are counted."""
    from services.graphs.sample_tables import chosen_table
    from services.runs.benchmarks import RunsFile, import_runs

    outcomes: list[dict[str, Any]] = []
    words: list[str] = []
    is_done = True
    with opened_study(store) as viewer:
        about = chosen_table(viewer, table).id if table else ""
        for file in files:
            runs_file = RunsFile(
                name=file.name,
                content=read_file(file),
                table=about,
                licence=licence,
                with_faulty=with_faulty,
                is_dry=dry_run,
            )
            imported = import_runs(viewer, runs_file)
            outcomes.append({"file": str(file), **imported.data})
            words.append(imported.words)
            is_done = is_done and imported.is_done
    say(outcomes, "\n".join(words), as_json)
    if not is_done:
        raise typer.Exit(1)
