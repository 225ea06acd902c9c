"""`runs export`: a run as one ZIP, as chats to tune a model with, or runs as the dataset's three tables."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from cli.study.opening import JsonOption, StoreOption, opened_study, say, whole_file
from cli.study.public_tables import RunForm, export_tables
from core.words import counted


def runs_export(
    run: Annotated[
        list[str] | None,
        typer.Argument(help="Number or ID of the run; with --form recite several, default: all finished ones."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="File to write; default: the run's name, in this folder. With --form recite: a folder; default: this."
        ),
    ] = None,
    form: Annotated[
        RunForm,
        typer.Option("--form", help="zip: everything of one run. recite: the dataset's three tables, as Parquet."),
    ] = RunForm.ZIP,
    chat: Annotated[
        Path | None,
        typer.Option(help="Write chats to tune a model with instead: queries about random graphs, with true answers."),
    ] = None,
    split: Annotated[
        float, typer.Option(help="With --chat: share of queries in this file; the others go beside it.")
    ] = 0.9,
    seed: Annotated[int, typer.Option(help="With --chat: random seed of the split.")] = 1,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the whole run into one ZIP: items, samples, texts, ledger, manifest. The same run gives the same bytes.

    With --form recite: default.parquet, responses.parquet and evaluations.parquet of runs of graphs from texts and of
    those that judge them; imported files are written as they came."""
    from services.runs.exports import files

    if form is RunForm.RECITE:
        if chat is not None:
            raise typer.BadParameter("give either --chat or --form recite, not both.", param_hint="--chat")
        export_tables(run or [], out or Path(), store, as_json=as_json)
        return
    if not run or len(run) > 1:
        raise typer.BadParameter("name one run; only --form recite takes several or none.", param_hint="RUN")
    (one,) = run
    if chat is not None:
        _export_chats(one, chat, split, seed, store, as_json)
        return
    with opened_study(store) as viewer:
        path = out or Path(files.export_name(viewer, one))
        with whole_file(path) as file:
            size = files.export_run(viewer, one, file).size_bytes
    say({"path": str(path), "size_bytes": size}, f"Wrote {path} ({size:,} bytes).", as_json)


def _export_chats(run: str, chat: Path, split: float, seed: int, store: str | None, as_json: bool) -> None:
    from services.protocols.causalgraph2llm import chat_files

    held = chat.with_name(f"{chat.stem}-held-out{chat.suffix}")
    with opened_study(store) as viewer, whole_file(chat) as train, whole_file(held) as rest:
        made = chat_files.export_chats(viewer, run, split, train, rest, seed=seed)
    words = f"Wrote {chat} ({counted(made.train, 'chat')}) and {held} ({made.held_out:,}); left out {made.left_out:,}."
    say({"path": str(chat), "held_out_path": str(held), **asdict(made)}, words, as_json)
