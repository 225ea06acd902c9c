"""The command line: the same services without a browser. `--help` on any command says what it takes."""

from __future__ import annotations

import json
import os
import shlex
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from commands import graphs as graph_commands
from commands.files import ColumnsOption, EncodingOption, SheetOption, columns_from
from core.errors import EdgewiseError
from core.people import Role, Viewer
from exchange.graphs import GraphForm
from settings import Settings, read_settings

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Build, check and audit causal ground truth.")
people_app = typer.Typer(no_args_is_help=True, help="The people of a study and their roles.")
papers_app = typer.Typer(no_args_is_help=True, help="The papers of a study.")
app.add_typer(people_app, name="people")
app.add_typer(papers_app, name="papers")
app.add_typer(graph_commands.app)

StoreOption = Annotated[
    str | None, typer.Option("--store", help="SQLite path or PostgreSQL URL; default: EDGEWISE_STORE, else the demo.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


# --- the study itself -------------------------------------------------------------------------------------------


@app.command()
def init(
    store: StoreOption = None,
    owner: Annotated[str, typer.Option(help="Name of the owner.")] = "Owner",
    password: Annotated[
        str | None, typer.Option(help="Owner's password; asked for at a terminal if not given.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Make a new study with its owner."""
    from services import people

    with _new_study(_place(store)) as viewer:
        if people.list_people(viewer):
            raise _Stop("This study has people already; add more with: edgewise.py people add NAME --role ROLE")
        people.add_person(viewer, owner, [Role.OWNER], _password(password), act_id=_new_id())
    place = _place(store)
    _say({"store": place, "owner": owner}, f"Made the study {place}; its owner is {owner}.", as_json)


@app.command()
def demo(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Fill a new study with three short papers, half transcribed, and people to try roles with."""
    from services.demo import make_demo

    with _new_study(_place(store)):
        make_demo()
    _say({"store": _place(store)}, f"Made the demo study {_place(store)}.", as_json)


@app.command()
def serve(
    store: StoreOption = None,
    local: Annotated[bool, typer.Option("--local", help="Open signed in as the owner, on this computer only.")] = False,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int | None, typer.Option(help="Port; default: STREAMLIT_SERVER_PORT, else 8501.")] = None,
) -> None:
    """Open the study in the browser; makes the demo study first if no study is named and there is none."""
    settings = _settings()
    chosen, shown_port = _place(store), port or settings.port
    if not (store or os.environ.get("EDGEWISE_STORE")):
        # A mistyped name must not become a demo, so only the study that nobody named is made on its own.
        _make_demo_if_new(chosen)
    with _errors():
        _check_place(chosen)
        _check_port(host, shown_port)
        os.environ.update(EDGEWISE_STORE=chosen, STREAMLIT_SERVER_PORT=str(shown_port))
        if local:
            os.environ["EDGEWISE_LOCAL"] = "1"
        import uvicorn

        import server

        server.check_address(host, _settings())
    shown_host = f"[{host}]" if ":" in host else host
    print(f"Edgewise: http://{shown_host}:{shown_port}  (study {chosen}; stop with Ctrl+C)", flush=True)
    uvicorn.run(
        server.app, host=host, port=shown_port, log_level="warning", proxy_headers=False, server_header=False,
        ws_max_size=50 * 1024 * 1024, timeout_graceful_shutdown=3,
    )  # fmt: skip


def _make_demo_if_new(place: str) -> None:
    if Path(place).exists():
        return
    from services.demo import make_demo

    print(f"Making the demo study {place} …", flush=True)
    with _new_study(place):
        make_demo()


def _check_port(host: str, port: int) -> None:
    """Say before starting what uvicorn would only say after it."""
    kind = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(kind) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise _Stop(f"Port {port} of {host} cannot be had ({error.strerror}); name another with --port.") from None


@app.command()
def backup(target: Path, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Write the whole study, files included, into one zip while people go on working."""
    from services.backup import backup as make_backup

    with _study(store) as viewer:
        report = make_backup(viewer, target)
    _say(
        {"path": str(report.path), "files": report.files, "size_bytes": report.size_bytes},
        f"Wrote {report.path} ({report.files} files, {report.size_bytes:,} bytes).", as_json,
    )  # fmt: skip


@app.command()
def restore(source: Path, target: Path, as_json: JsonOption = False) -> None:
    """Unpack a backup into a new study file; a study is never overwritten."""
    from services.backup import restore as put_back

    with _errors():
        count = put_back(source, target)
    _say({"store": str(target), "files": count}, f"Restored {target} with {count} files.", as_json)


# --- people -----------------------------------------------------------------------------------------------------


@people_app.command("list")
def people_list(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Everyone in the study."""
    from services import people

    with _study(store) as viewer:
        rows: list[dict[str, Any]] = [
            {"id": p.id, "name": p.name, "roles": [r.value for r in p.roles], "active": p.is_active}
            for p in people.list_people(viewer)
        ]
    lines = [
        f"{row['name']}: {', '.join(map(str, row['roles']))}{'' if row['active'] else ' (inactive)'}" for row in rows
    ]
    _say(rows, "\n".join(lines) or "Nobody yet.", as_json)


@people_app.command("add")
def people_add(
    name: str,
    role: Annotated[list[Role], typer.Option(help="What they may do; may be repeated.")],
    password: Annotated[str | None, typer.Option(help="Asked for at a terminal if not given.")] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add a person."""
    from services import people

    with _study(store) as viewer:
        receipt = people.add_person(viewer, name, role, _password(password), act_id=_new_id())
    _say({"id": receipt.subject_id, "name": name}, f"Added {name}.", as_json)


@people_app.command("invite")
def people_invite(
    role: Annotated[list[Role], typer.Option(help="What the link lets them do; may be repeated.")],
    base: Annotated[
        str | None, typer.Option(help="Address people reach the server at; default: this computer.")
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a link that lets one person join."""
    from services import access

    with _study(store) as viewer:
        token = access.invite(viewer, role, act_id=_new_id())
    address = (base or f"http://127.0.0.1:{_settings().port}").rstrip("/")
    link = f"{address}/invitation/{token}"
    _say({"link": link}, f"{link}\nIt works once, for fourteen days.", as_json)


# --- papers and graphs ------------------------------------------------------------------------------------------


@papers_app.command("list")
def papers_list(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Every paper in use."""
    from services import papers

    with _study(store) as viewer:
        rows = [
            {"id": p.id, "title": p.title, "screening": p.screening.value, "figures": p.figures, "pages": p.page_count}
            for p in papers.list_papers(viewer)
        ]
    lines = [f"{row['id']}  {row['screening']:9} {row['figures']} figures  {row['title']}" for row in rows]
    _say(rows, "\n".join(lines) or "No papers yet.", as_json)


@papers_app.command("add")
def papers_add(files: list[Path], store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Add PDFs, pictures, or references (.bib, .ris, .csv); a faulty file does not stop the others."""
    from services import papers

    rows: list[dict[str, Any]] = []
    with _study(store) as viewer:
        for file in files:
            try:
                rows.append(_add_file(papers, viewer, file))
            except EdgewiseError as error:
                rows.append({"file": str(file), "error": str(error)})
    _say(rows, "\n".join(_paper_line(row) for row in rows), as_json)
    if any("error" in row for row in rows):
        raise typer.Exit(1)


def _add_file(papers: Any, viewer: Viewer, file: Path) -> dict[str, Any]:
    content = _read(file)
    if file.suffix.lower() in (".bib", ".ris", ".csv"):
        outcome = papers.import_references(viewer, file.name, content, act_id=_new_id())
        faults = [str(fault) for fault in outcome.faults]
        return {"file": str(file), "added": outcome.added, "known": outcome.known, "faults": faults}
    outcome = papers.import_file(viewer, file.name, content, act_id=_new_id())
    return {"file": str(file), "id": outcome.paper_id, "duplicate": outcome.is_duplicate, "notices": outcome.notices}


def _paper_line(row: dict[str, Any]) -> str:
    if "error" in row:
        return f"{row['file']}: {row['error']}"
    if "id" in row:
        return f"{row['file']}: {'already here as' if row['duplicate'] else 'added as'} {row['id']}"
    return "\n".join([f"{row['file']}: {row['added']} added, {row['known']} known", *row["faults"]])


@app.command("import")
def import_graphs(
    files: Annotated[list[Path], typer.Argument(help="Files of any form that is read; zips too; - is standard input.")],
    columns: ColumnsOption = "",
    encoding: EncodingOption = "",
    sheet: SheetOption = "",
    good_rows: Annotated[bool, typer.Option("--good-rows", help="Leave faulty rows out instead of stopping.")] = False,
    figure: Annotated[str | None, typer.Option(help="Id of the figure they were drawn from.")] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring graphs in, all of them in one act or none, with every faulty row named."""
    from services import importing

    answer = importing.Answer(encoding, columns_from(columns), sheet)
    with _study(store) as viewer:
        # What comes by standard input has no name that could mislead its recognition.
        contents = [("(standard input)" if str(file) == "-" else file.name, _read(file)) for file in files]
        answers = dict.fromkeys(range(len(files)), answer)
        read = importing.preview(viewer, contents, answers)
        _stop_at_faults(read, good_rows)
        receipt = importing.import_graphs(
            viewer, contents, answers, with_faulty=good_rows, figure_id=figure, act_id=_new_id()
        )
        kept = importing.imported_graphs(viewer, receipt.subject_id)
    left_out = [str(fault) for file in read.files for fault in file.faults]
    rows = [{"id": graph.id, "title": graph.title, "nodes": graph.nodes, "edges": graph.edges} for graph in kept]
    for fault in left_out:
        print(f"Left out: {fault}", file=sys.stderr)
    _say(
        {"import": receipt.subject_id, "graphs": rows, "left_out": left_out},
        "\n".join(f"{row['id']}  {row['title']}: {row['nodes']} nodes, {row['edges']} edges" for row in rows), as_json,
    )  # fmt: skip


def _stop_at_faults(read: Any, good_rows: bool) -> None:
    errors = [file.error for file in read.files if file.error]
    faults = [] if good_rows else [str(fault) for file in read.files if not file.error for fault in file.faults]
    if errors or faults:
        raise _Stop("\n".join([*errors, *faults]) + "\nNothing was imported.")


@app.command("export")
def export(
    form: Annotated[
        GraphForm, typer.Option(help="How to write it; a study in another form than CSV, TSV or JSON is a zip.")
    ] = GraphForm.CSV,
    transcription: Annotated[str | None, typer.Option(help="Id of one transcription; default: the study.")] = None,
    drafts: Annotated[bool, typer.Option("--drafts", help="Include what is not submitted.")] = False,
    as_zip: Annotated[bool, typer.Option("--zip", help="One file a transcription, in one zip.")] = False,
    out: Annotated[Path | None, typer.Option("--out", help="File to write; default: standard output.")] = None,
    store: StoreOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --out: print what was written as JSON.")] = False,
) -> None:
    """Take the study's transcriptions away, or one of them."""
    from services import exporting

    if as_json and out is None:
        raise typer.BadParameter("needs --out: standard output cannot hold both", param_hint="--json")
    with _study(store) as viewer:
        if transcription:
            file = exporting.export_transcription(viewer, transcription, form)
        elif as_zip or form not in exporting.STUDY_FORMS:
            file = exporting.export_study_zip(viewer, form, with_drafts=drafts)
        else:
            file = exporting.export_study(viewer, form, with_drafts=drafts)
        if out is not None:
            _write_whole(out, file.content)
    if out is None:
        sys.stdout.buffer.write(file.content)
    if as_json:
        written = {"path": str(out), "size_bytes": len(file.content), "media_type": file.media_type}
        print(json.dumps({**written, "lost": file.lost, "left_out": file.left_out}, ensure_ascii=False))
        return
    if file.lost:
        print(f"This form leaves out: {', '.join(file.lost)}.", file=sys.stderr)
    for sentence in file.left_out:
        print(f"Not written: {sentence}", file=sys.stderr)


def _write_whole(path: Path, content: bytes) -> None:
    """All of it or nothing: written under another name beside it, then renamed."""
    if path.exists() and not path.is_file():
        path.write_bytes(content)  # a pipe or a device has no other name
        return
    unnamed = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with unnamed.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unnamed.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        unnamed.unlink(missing_ok=True)


# --- below: what every command needs ----------------------------------------------------------------------------


class _Stop(Exception):
    """A sentence to print on standard error, and the exit status."""

    def __init__(self, sentence: str, status: int = 1) -> None:
        super().__init__(sentence)
        self.status = status


@contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except EdgewiseError as error:
        print(error, file=sys.stderr)
        raise typer.Exit(1) from error
    except OSError as error:
        print(f"{error.filename or 'Writing'}: {error.strerror or error}.", file=sys.stderr)
        raise typer.Exit(1) from error
    except _Stop as stop:
        print(stop, file=sys.stderr)
        raise typer.Exit(stop.status) from stop


@contextmanager
def _study(store: str | None) -> Iterator[Viewer]:
    """Open a study that is there, for one command, and act as the terminal."""
    with _errors():
        place = _place(store)
        _check_place(place)
        with _opened(place) as viewer:
            yield viewer


@contextmanager
def _new_study(place: str) -> Iterator[Viewer]:
    """Make a study, or open the one that is there.

    A new file gets its name last: an act that fails or is interrupted leaves no half-made study behind.
    """
    path = Path(place).expanduser()
    with _errors():
        if "://" in place or path.exists():
            with _opened(place) as viewer:
                yield viewer
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        unnamed = path.with_name(f".{path.name}.{os.getpid()}.new")  # beside it: they share the files folder
        try:
            with _opened(str(unnamed)) as viewer:
                yield viewer
            unnamed.rename(path)
        finally:
            for ending in ("", "-wal", "-shm"):
                unnamed.with_name(unnamed.name + ending).unlink(missing_ok=True)


@contextmanager
def _opened(place: str) -> Iterator[Viewer]:
    from services.acting import terminal_viewer
    from services.study import open_study, use_study

    study = open_study(place, _settings().home)
    use_study(study)
    try:
        yield terminal_viewer()
    finally:
        use_study(None)
        study.close()


def _check_place(place: str) -> None:
    """SQLite makes a file for any name; a mistyped one is not a new study."""
    path = Path(place).expanduser()
    if "://" in place or path.is_file():
        return
    if path.exists():
        raise _Stop(f"{path} is a folder, not a study; name the study's file.")
    raise _Stop(f"There is no study at {path}; make one with: edgewise.py init --store {shlex.quote(str(path))}")


def _place(store: str | None) -> str:
    return store or _settings().store


def _settings() -> Settings:
    try:
        return read_settings()
    except ValueError:
        port = os.environ.get("STREAMLIT_SERVER_PORT")
        print(f"STREAMLIT_SERVER_PORT is {port!r}; a port's number is needed.", file=sys.stderr)
        raise typer.Exit(2) from None


def _new_id() -> str:
    from services.acting import new_act_id

    return new_act_id()


def _password(given: str | None) -> str | None:
    """As given; asked for at a terminal; none in a script (then an invitation or a local study lets people in)."""
    if given is not None or not sys.stdin.isatty():
        return given
    asked: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    return asked


def _read(file: Path) -> bytes:
    if str(file) == "-":
        return sys.stdin.buffer.read()
    try:
        return file.read_bytes()
    except OSError as error:
        raise EdgewiseError(f"{file} cannot be read: {error.strerror}.") from error


def _say(data: object, words: str, as_json: bool) -> None:
    print(json.dumps(data, ensure_ascii=False, default=str) if as_json else words)


if __name__ == "__main__":
    app()
