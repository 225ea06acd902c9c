"""Command line interface to the services. `--help` on any command lists its options."""

from __future__ import annotations

import atexit
import codecs
import gc
import io
import os
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cli.study import worker_prestart
from core.words import quoted

if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # products are small; threads that wait for another cost more
    worker_prestart.begin(sys.argv[1:])  # it loads while the imports below do

import typer

from cli.files import agreement as agreement_commands
from cli.files import causal_queries as causal_query_commands
from cli.files import graphs as graph_commands
from cli.files import score as score_commands
from cli.files import triplets as triplet_commands
from cli.files.analyse import analyse_command
from cli.files.corrected import score_corrected_command
from cli.files.evaluation_scores import score_evaluations_command
from cli.files.graph_scores import score_graphs_command
from cli.files.pairs import score_pairs_command
from cli.files.texts import text_app
from cli.files.verdict_scores import score_verdicts_command
from cli.study import backups as backup_commands
from cli.study import declined as declined_commands
from cli.study import models as model_commands
from cli.study import papers as paper_commands
from cli.study import people as identity_commands
from cli.study import questions as question_commands
from cli.study import queue as queue_commands
from cli.study import releases as release_commands
from cli.study import running as running_commands
from cli.study import runs as run_commands
from cli.study import samples as sample_commands
from cli.study import texts as text_commands
from cli.study import triplets as triplet_file_commands
from cli.study import verdicts as verdict_commands
from cli.study.report import report_command
from cli.study.run_results import frame_app
from cli.study.session import (
    JsonOption,
    Stop,
    StoreOption,
    check_place,
    errors,
    id_of,
    new_id,
    new_study,
    opened_study,
    password_from,
    place_of,
    say,
    settings,
)
from core.people import Role
from core.person_names import clean_person_name
from core.version import PROGRAM_VERSION

if TYPE_CHECKING:
    import uvicorn

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Build, check and audit causal ground truth.",
)
people_app = typer.Typer(no_args_is_help=True, help="The people of a study and their roles.")
app.add_typer(backup_commands.app)
app.add_typer(people_app, name="people")
app.add_typer(paper_commands.app)
app.add_typer(queue_commands.app)
app.add_typer(declined_commands.app)
app.add_typer(release_commands.app)
app.add_typer(identity_commands.app)
app.add_typer(running_commands.app)
app.add_typer(run_commands.app)
app.add_typer(frame_app, name="frame")
app.command("report")(report_command)
app.command("analyse")(analyse_command)
app.add_typer(model_commands.app)
app.add_typer(graph_commands.app)
app.add_typer(causal_query_commands.app, name="graph")
app.add_typer(agreement_commands.app)
triplet_commands.app.add_typer(triplet_file_commands.app)
app.add_typer(triplet_commands.app, name="triplets")
app.add_typer(triplet_file_commands.scores_app, name="scores")
score_commands.app.command("graphs")(score_graphs_command)
score_commands.app.command("verdicts")(score_verdicts_command)
score_commands.app.command("pairs")(score_pairs_command)
score_commands.app.command("corrected")(score_corrected_command)
score_commands.app.command("evaluations")(score_evaluations_command)
app.add_typer(score_commands.app, name="score")
text_app.add_typer(text_commands.app)
app.add_typer(text_app, name="text")
app.add_typer(sample_commands.app, name="samples")
app.add_typer(question_commands.app, name="questions")
app.add_typer(verdict_commands.app, name="verdicts")


def _print_version(is_requested: bool) -> None:
    if is_requested:
        print(f"Edgewise {PROGRAM_VERSION}")
        raise typer.Exit


@app.callback()
def _program(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    pass


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
    from services.people import people

    with errors():
        owner = clean_person_name(owner)
    password = password_from(password)  # before the study's file is made: a prompt that is killed leaves nothing
    with new_study(place_of(store)) as viewer:
        if people.list_people(viewer):
            raise Stop("This study has people already; add more with: edgewise.py people add NAME --role ROLE")
        people.add_person(viewer, owner, [Role.OWNER], password, act_id=new_id())
    place = place_of(store)
    say(
        {"store": place, "owner": owner},
        f"Made the study {place}; its owner is {owner}.\n"
        f"Open it on this computer: edgewise.py serve --local --store {place}",
        as_json,
    )


@app.command()
def demo(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Make a demo study: three short papers, half transcribed, and people to try roles with."""
    from services.demo.study import make_demo

    with new_study(place_of(store)):
        make_demo()
    say({"store": place_of(store)}, f"Made the demo study {place_of(store)}.", as_json)


@app.command()
def serve(
    store: StoreOption = None,
    local: Annotated[
        bool, typer.Option("--local", help="Open the study signed in as its owner, on this computer only.")
    ] = False,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int | None, typer.Option(help="Port; default: STREAMLIT_SERVER_PORT, else 8501.")] = None,
    has_worker: Annotated[
        bool, typer.Option("--worker/--no-worker", help="Run a worker for model runs along with the server.")
    ] = True,
) -> None:
    """Serve the study to browsers; if there is no study and none is named, the demo study is made first."""
    environment = settings()
    chosen, shown_port = place_of(store), port or environment.port
    if not (store or os.environ.get("EDGEWISE_STORE")):
        # A mistyped name must not become a demo, so only the study that nobody named is made on its own.
        _make_demo_if_new(chosen)
    with errors():
        check_place(chosen)
        _check_port(host, shown_port)
        os.environ.update(EDGEWISE_STORE=chosen, STREAMLIT_SERVER_PORT=str(shown_port))
        if local:
            os.environ["EDGEWISE_LOCAL"] = "1"
        from web.hosts import check_address

        check_address(host, settings())  # before the server is loaded, which takes seconds
        import uvicorn

        import server
        from services.backups.study_lock import begin_serving
        from web.request_timeout import RequestTimeoutProtocol

        begin_serving(chosen)
    shown_host = f"[{host}]" if ":" in host else host
    print(f"Edgewise: http://{shown_host}:{shown_port}  (study {chosen}; stop with Ctrl+C)", flush=True)
    config = uvicorn.Config(
        server.app,
        host=host,
        port=shown_port,
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        ws_max_size=50 * 1024 * 1024,
        timeout_graceful_shutdown=3,
        http=RequestTimeoutProtocol,
    )
    _serve(uvicorn.Server(config), chosen if has_worker else None)


def _serve(http: uvicorn.Server, with_worker_of: str | None) -> None:
    """Serve until the process is stopped; the worker stops with the server, and neither stops the other on its own."""
    from runs.supervisor import WorkerSupervisor

    # uvicorn re-raises its signal after shutdown; by default that would end this process before the worker.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    keeper = (
        WorkerSupervisor(with_worker_of, lambda: http.started, lambda: http.should_exit) if with_worker_of else None
    )
    if keeper:
        keeper.start()
    with suppress(KeyboardInterrupt):
        try:
            http.run()
        finally:
            if keeper:
                keeper.stop()
            # Shutdown is complete; if a thread still blocks the interpreter, the next signal ends it
            # (web/shutdown_watchdog.py).
            for sign in (signal.SIGTERM, signal.SIGINT):
                signal.signal(sign, signal.SIG_DFL)


def _make_demo_if_new(place: str) -> None:
    if Path(place).exists():
        return
    from services.demo.study import make_demo

    print(f"Making the demo study {place} …", flush=True)
    with new_study(place):
        make_demo()


def _check_port(host: str, port: int) -> None:
    """Raise the error before startup that uvicorn would report after it."""
    kind = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(kind) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise Stop(f"Port {port} of {host} cannot be used ({error.strerror}); name another with --port.") from None


# --- people -----------------------------------------------------------------------------------------------------


@people_app.command("list")
def people_list(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List everyone in the study."""
    from services.people import people

    with opened_study(store) as viewer:
        rows: list[dict[str, Any]] = [
            {"id": p.id, "name": p.name, "roles": [r.value for r in p.roles], "active": p.is_active}
            for p in people.list_people(viewer)
        ]
    lines = [
        f"{row['name']}: {', '.join(map(str, row['roles']))}{'' if row['active'] else ' (inactive)'}" for row in rows
    ]
    say(rows, "\n".join(lines) or "No people yet.", as_json)


@people_app.command("add")
def people_add(
    name: str,
    role: Annotated[list[Role], typer.Option(help="Role of the person; may be repeated.")],
    password: Annotated[str | None, typer.Option(help="Asked for at a terminal if not given.")] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add a person."""
    from services.people import people

    with opened_study(store) as viewer:
        name = clean_person_name(name)  # before a password is asked for
        receipt = people.add_person(viewer, name, role, password_from(password), act_id=new_id())
    say({"id": receipt.subject_id, "name": name}, f"Added {name}.", as_json)


@people_app.command("invite")
def people_invite(
    role: Annotated[
        list[Role] | None, typer.Option(help="Role that a link gives if its name has none; may be repeated.")
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(
            help="For whom a link is, or “name, role”; shown in the list of open invitations; may be repeated."
        ),
    ] = None,
    base: Annotated[
        str | None, typer.Option(help="Address at which people reach the server; default: this computer.")
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a link for each name, or one for anyone, that lets one person join."""
    from core.invited import read_invited
    from services.people import invitations

    with opened_study(store) as viewer:
        invitation_links = invitations.invite(viewer, read_invited("\n".join(name or ()), role or ()), act_id=new_id())
    address = (base or f"http://127.0.0.1:{settings().port}").rstrip("/")
    links = [f"{address}/invitation/{each.token}" for each in invitation_links]
    rows = [
        {"name": each.name, "roles": list(each.roles), "link": link}
        for each, link in zip(invitation_links, links, strict=True)
    ]
    lines = [f"{each.name}: {link}" if each.name else link for each, link in zip(invitation_links, links, strict=True)]
    ends = "It works once" if len(links) == 1 else "Each works once"
    say({"link": links[0], "links": rows}, "\n".join([*lines, f"{ends}, for 14 days."]), as_json)


@people_app.command("unlock")
def people_unlock(
    name: Annotated[str, typer.Argument(help="Name or ID of the person.")],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Unlock a name that is locked after wrong passwords."""
    from services.people import people

    with opened_study(store) as viewer:
        everyone = {person.id: person for person in people.list_people(viewer)}
        meant = id_of(name, {person.id: person.name for person in everyone.values()})
        if meant is None:
            raise Stop(f"There is nobody called {quoted(name)} in this study; see: edgewise.py people list")
        person = everyone[meant]
        people.unlock(viewer, person.id, act_id=new_id())
    was_locked = person.locked_until is not None
    words = "can sign in again." if was_locked else "was not locked; earlier wrong passwords no longer count."
    say({"id": person.id, "name": person.name, "was_locked": was_locked}, f"{person.name} {words}", as_json)


def _print_any_name() -> None:
    """Replace undecodable bytes of file names by U+FFFD in output, in any locale."""

    def replaced(error: UnicodeError) -> tuple[bytes, int]:
        assert isinstance(error, UnicodeEncodeError), "these streams are written"
        return "\ufffd".encode(error.encoding, "replace") * (error.end - error.start), error.end

    codecs.register_error("edgewise.replaced", replaced)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="edgewise.replaced")


if __name__ == "__main__":
    _print_any_name()
    # Modules stay in memory. Collecting garbage while they load takes a tenth of a command, and again at its end.
    gc.set_threshold(20_000)
    if sys.argv[1:2] == ["serve"]:
        gc.disable()  # until the screens are loaded (server.py): one full collection takes a tenth of a second
    atexit.register(gc.freeze)
    app()
