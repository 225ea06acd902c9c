"""`runs export`: a run as one ZIP, or runs in a form of their benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.study.session import JsonOption, StoreOption, opened_study, say, whole_file

ZIP, CHAT = "zip", "chat"


def runs_export(
    run: Annotated[
        list[str] | None,
        typer.Argument(help="Number or ID of the run; some forms take several, and without any all finished ones."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="File to write, or folder of a form of several files; default: the form's name, in this."),
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            "--form", help="zip: everything of one run; or a form of its benchmark, such as its public tables or chats."
        ),
    ] = ZIP,
    chat: Annotated[
        Path | None,
        typer.Option(help="As --form chat --out: chats to tune a model with, from queries about random graphs."),
    ] = None,
    split: Annotated[
        float, typer.Option(help="With --chat: share of queries in this file; the others go to a file next to it.")
    ] = 0.9,
    seed: Annotated[int, typer.Option(help="With --chat: random seed of the split.")] = 1,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the whole run into one ZIP: items, samples, texts, ledger, manifest. The same run gives the same bytes.

    Another form is that of a benchmark, for all of its runs that are named."""
    if chat is not None and form != ZIP:
        raise typer.BadParameter(f"give either --chat or --form {form}, not both.", param_hint="--chat")
    with opened_study(store) as viewer:
        if chat is not None or form != ZIP:
            from services.runs.benchmarks import ExportTarget, export_in_form

            target = ExportTarget(path=chat or out, open=whole_file, split=split, seed=seed)
            written = export_in_form(viewer, CHAT if chat is not None else form, run or [], target)
            say(written.data, written.words, as_json)
            return
        if not run or len(run) > 1:
            raise typer.BadParameter("name one run; only another form takes several or none.", param_hint="RUN")
        from services.runs.exports import files

        (one,) = run
        path = out or Path(files.export_name(viewer, one))
        with whole_file(path) as file:
            zipped = files.export_run(viewer, one, file)
    size = zipped.size_bytes
    facts = {"path": str(path), "size_bytes": size, "withheld": list(zipped.withheld)}
    say(facts, "\n".join([f"Wrote {path} ({size:,} bytes).", *zipped.withheld]), as_json)
