"""Backing up a study into a ZIP, verifying it, and restoring it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.study.session import JsonOption, StoreOption, errors, opened_study, say

if TYPE_CHECKING:
    from services.backups.archive import FileFault
    from services.backups.backup import BackupReport

app = typer.Typer()
NAMED = 5
"""Faults named in text output; --json lists all."""


@app.command()
def backup(
    target: Annotated[Path, typer.Argument(help="The ZIP to write, for example study.zip.")],
    is_verifying: Annotated[
        bool,
        typer.Option("--verify", help="Restore this backup into a temporary folder and report its faults."),
    ] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the whole study, files included, into one ZIP while people continue to work, and check all of it."""
    if is_verifying:
        _verify(target, as_json)
        return
    from services.backups.backup import backup as make_backup

    with opened_study(store) as viewer:
        report = make_backup(viewer, target)
    facts = {
        "path": str(report.path),
        "files": report.files,
        "size_bytes": report.size_bytes,
        "missing": _listed(report.missing),
        "faults": list(report.faults),
        "restorable": report.is_restorable,
        "compared_with": str(report.compared_with) if report.compared_with else None,
    }
    _tell(facts, _words_of_backup(report), as_json, is_sound=report.is_sound)


@app.command()
def restore(
    source: Annotated[Path, typer.Argument(help="A ZIP that backup wrote.")],
    target: Annotated[Path, typer.Argument(help="The study file to make, for example study.edgewise.")],
    is_replacing: Annotated[
        bool, typer.Option("--replace", help="First move any study at that place into a dated folder next to it.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Unpack a backup into a new study file; no study is overwritten, and nothing is deleted."""
    from services.backups.restoring import restore as restore_backup

    with errors():
        report = restore_backup(source, target, replace=is_replacing)
    facts = {
        "store": str(report.path),
        "files": report.files,
        "missing": _listed(report.missing),
        "faults": list(report.faults),
        "moved": str(report.moved) if report.moved else None,
        "set_aside": [str(path) for path in report.set_aside],
    }
    words = f"Restored {report.path} with {_counted(report.files)}"
    words += "." if report.is_sound else f", but {_damage(report.files, report.missing, report.faults)}."
    if report.moved:
        words += f" The earlier study is now in {report.moved}."
    for path in report.set_aside:
        words += f" A damaged file of the files folder is now called {path}."
    _tell(facts, words, as_json, is_sound=report.is_sound)


def _verify(source: Path, as_json: bool) -> None:
    from services.backups.restoring import verify

    with errors():
        report = verify(source)
    facts = {
        "path": str(source),
        "made_at": report.made_at,
        "files": report.files,
        "missing": _listed(report.missing),
        "faults": list(report.faults),
        "sound": report.is_sound,
    }
    words = f"{report.path}, made {report.made_at[:16].replace('T', ' ')} UTC,"
    if report.is_sound:
        words += f" is sound: the database and {_counted(report.files)}."
    else:
        words += f" can be restored, but {_damage(report.files, report.missing, report.faults)}."
    _tell(facts, words, as_json, is_sound=report.is_sound)


def _tell(facts: dict[str, Any], words: str, as_json: bool, *, is_sound: bool) -> None:
    """Print the report; exit status 1 if it is not sound, since nobody reads a nightly backup's log."""
    if as_json or is_sound:
        say(facts, words, as_json)
    else:
        print(words, file=sys.stderr)
    if not is_sound:
        raise typer.Exit(1)


def _listed(missing: Sequence[FileFault]) -> list[dict[str, str]]:
    return [asdict(each) for each in missing]


def _words_of_backup(report: BackupReport) -> str:
    if report.is_sound:
        return f"Wrote {report.path} ({_counted(report.files)}, {report.size_bytes:,} bytes)."
    words = f"Wrote {report.path}, but {_damage(report.files, report.missing, report.faults)}."
    if not report.is_restorable:
        way = "edgewise.py restore EARLIER.zip STUDY --replace"
        if report.foreign is not None and report.foreign.drop:
            return (
                f"{words} This backup cannot be restored: Edgewise refuses anything that it did not create itself, "
                "because a stranger may have added it. If it is yours, remove it and write a new backup: sqlite3 "
                f"STUDY '{report.foreign.drop}'. If not, restore an earlier backup: {way}"
            )
        return f"{words} This backup cannot be restored. Restore an earlier one: {way}"
    if report.missing:
        words += " To repair this, import the same file again under Papers."
    if report.faults:
        words += " A damaged row is backed up as it is; an earlier backup may have it undamaged."
    return words


def _damage(whole: int, missing: Sequence[FileFault], faults: Sequence[str]) -> str:
    parts = []
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        parts.append(f"{len(missing)} of {_counted(whole + len(missing))} {verb} damaged: {_some(missing)}")
    if faults:
        parts.append(f"the database has {len(faults)} fault{'' if len(faults) == 1 else 's'}: {_some(faults)}")
    return "; and ".join(parts)


def _counted(files: int) -> str:
    return f"{files:,} file{'' if files == 1 else 's'}"


def _some(faults: Sequence[object]) -> str:
    more = f"; and {len(faults) - NAMED} more (--json names all)" if len(faults) > NAMED else ""
    return "; ".join(map(str, faults[:NAMED])) + more
