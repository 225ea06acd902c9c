"""`report`: tables, charts, settings and prompts of runs as a folder."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Annotated

import typer

from cli.study.session import JsonOption, Stop, StoreOption, opened_study, say


def report_command(
    run: Annotated[list[str], typer.Argument(help="Numbers or IDs of runs, of one protocol or several.")],
    out: Annotated[Path, typer.Option(help="Folder to write; it must be new or empty.")],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write what a co-author is sent of runs: one HTML page with tables, charts, settings, rows left out and prompts,
    and the same as CSV, LaTeX and PDF. The same runs give the same bytes."""
    with opened_study(store) as viewer:
        if out.exists() and not out.is_dir():
            raise Stop(f"{out} is a file; name a new or empty folder for the report.")
        if out.exists() and any(out.iterdir()):
            raise Stop(f"The folder {out} is not empty; name a new or empty one for the report.")
        from services.results.report import PAGE, report_files

        files = report_files(viewer, run)
        # Written under another name next to it, so that the folder is there with all files or not at all.
        unnamed = out.absolute().with_name(f".{out.absolute().name}.{os.getpid()}.new")
        try:
            for name, content in files.items():
                path = unnamed / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            if out.exists():
                out.rmdir()
            unnamed.rename(out)
        finally:
            shutil.rmtree(unnamed, ignore_errors=True)
    size = sum(map(len, files.values()))
    written = {"path": str(out), "files": len(files), "size_bytes": size}
    say(written, f"Wrote {out} ({len(files):,} files, {size:,} bytes). Open {out / PAGE} in a browser.", as_json)
