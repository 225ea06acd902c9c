"""Session of every command on a study: open it, report errors, print, and write files atomically."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated, BinaryIO

import typer

from core.errors import EdgewiseError
from core.people import Viewer
from core.person_names import meant
from core.words import quoted
from settings import Settings, read_settings

StoreOption = Annotated[
    str | None, typer.Option("--store", help="SQLite path or PostgreSQL URL; default: EDGEWISE_STORE, else the demo.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


class Stop(Exception):
    """A message for standard error, and the exit status."""

    def __init__(self, sentence: str, status: int = 1) -> None:
        super().__init__(sentence)
        self.status = status


@contextmanager
def errors() -> Iterator[None]:
    try:
        yield
    except EdgewiseError as error:
        print(error, file=sys.stderr)
        raise typer.Exit(1) from error
    except OSError as error:
        print(f"{error.filename or 'Writing'}: {error.strerror or error}.", file=sys.stderr)
        raise typer.Exit(1) from error
    except Stop as stop:
        print(stop, file=sys.stderr)
        raise typer.Exit(stop.status) from stop


@contextmanager
def opened_study(store: str | None) -> Iterator[Viewer]:
    """Open an existing study for one command, acting as the terminal."""
    with errors():
        place = place_of(store)
        check_place(place)
        with opened(place) as viewer:
            yield viewer


@contextmanager
def new_study(place: str) -> Iterator[Viewer]:
    """Create a study, or open an existing one. A new file gets its name last, so that an act that fails or is
    interrupted leaves no partial study."""
    from services.backups.study_lock import refuse_old_log

    path = Path(place).expanduser()
    with errors():
        if "://" in place or path.exists():
            with opened(place) as viewer:
                yield viewer
            return
        refuse_old_log(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        unnamed = path.with_name(f".{path.name}.{os.getpid()}.new")  # same folder: they share the files folder
        try:
            with opened(str(unnamed)) as viewer:
                yield viewer
            unnamed.rename(path)
        finally:
            for ending in ("", "-wal", "-shm"):
                unnamed.with_name(unnamed.name + ending).unlink(missing_ok=True)


@contextmanager
def opened(place: str) -> Iterator[Viewer]:
    from services.acting import terminal_viewer
    from services.study import open_study, use_study

    study = open_study(place, settings().home)
    use_study(study)
    try:
        yield terminal_viewer()
    finally:
        use_study(None)
        study.close()


def check_place(place: str) -> None:
    """Raise if there is no such study: SQLite creates a file for any name, and a mistyped one is not a new study."""
    path = Path(place).expanduser()
    if "://" in place or path.is_file():
        return
    if path.exists():
        raise Stop(f"{path} is a folder, not a study; name the study's file.")
    raise Stop(f"There is no study at {path}; make one with: edgewise.py init --store {shlex.quote(str(path))}")


def place_of(store: str | None) -> str:
    return store or settings().store


def settings() -> Settings:
    try:
        return read_settings()
    except ValueError:
        port = os.environ.get("STREAMLIT_SERVER_PORT")
        print(f"STREAMLIT_SERVER_PORT is {quoted(str(port))}; a port number is needed.", file=sys.stderr)
        raise typer.Exit(2) from None


def new_id() -> str:
    from services.acting import new_act_id

    return new_act_id()


def id_of(typed: str, names: Mapping[str, str]) -> str | None:
    """Return the id of the person (id → name) named by an id or a name, matched as at sign-in."""
    if typed in names:
        return typed
    place = meant(typed, list(names.values()))
    return None if place is None else list(names)[place]


def password_from(password: str | None) -> str | None:
    """Return the password; asks for it at a terminal, and returns None in a script (people then join by invitation
    or locally)."""
    if password is not None or not sys.stdin.isatty():
        return password
    entered: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    return entered


def read_file(file: Path) -> bytes:
    if str(file) == "-":
        return sys.stdin.buffer.read()
    try:
        return file.read_bytes()
    except OSError as error:
        raise EdgewiseError(f"{file} cannot be read: {error.strerror}.") from error


def say(data: object, words: str, as_json: bool) -> None:
    print(json.dumps(data, ensure_ascii=False, default=str) if as_json else words)


def write_whole(path: Path, content: bytes) -> None:
    with whole_file(path) as file:
        file.write(content)


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a file that appears at `path` once the block ends; a failed block leaves nothing. It is written under
    another name in the same folder, then renamed."""
    if path.exists() and not path.is_file():
        with TemporaryFile() as file:  # a pipe or a device has no other name, and no way back to what was written
            yield file
            file.seek(0)
            with path.open("wb") as device:
                shutil.copyfileobj(file, device)
        return
    unnamed = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with unnamed.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unnamed.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        unnamed.unlink(missing_ok=True)
