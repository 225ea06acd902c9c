"""The command line as a shell sees it: what it prints where, its exit status, and what it leaves on the disk."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from core.errors import Refused
from services.people import access
from services.study import open_study, use_study
from tests.cli import calling
from tests.cli.calling import PLAIN, ROOT
from tests.everything import EVERYTHING
from tests.one_demo import copied

Run = subprocess.CompletedProcess[str]
Study = Callable[..., Run]

BIBTEX = """@article{one, title = {Loops of a shared well}, year = {2020}, author = {One, A.}}
@article{two, title = {Debts and wells}, year = {2021}, author = {Two, B.}}
"""


def in_words(done: calling.Run) -> Run:
    return Run(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def run(*arguments: str | Path, typed: str = "", **environment: str) -> Run:
    """The command in this process; see `tests/cli/calling.py`."""
    return in_words(calling.run(*arguments, typed=typed, **environment))


def run_alone(*arguments: str | Path, **environment: str) -> Run:
    """The command in a process of its own, for what only that has: a server, the encoding of its streams."""
    return in_words(calling.run_alone(*arguments, **environment))


@pytest.fixture(scope="module")
def home(made_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the module's own copy of the demo study lies."""
    return copied(made_demo, tmp_path_factory.mktemp("home")).parent


@pytest.fixture(scope="module")
def study(home: Path) -> Study:
    """`study("papers", "list")` runs a command on the module's demo study."""

    def command(*arguments: str | Path, typed: str = "", **environment: str) -> Run:
        return run(*arguments, typed=typed, EDGEWISE_HOME=str(home), **environment)

    return command


def document(done: Run) -> object:
    """The one JSON document a command printed; anything before or after it would not parse."""
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


def refused(done: Run, status: int = 1) -> str:
    """What a failed command said: on standard error, in words, and nothing on standard output."""
    assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    return done.stderr


LISTED_TITLES = "SELECT title FROM paper WHERE id NOT LIKE 'training-%'"
"""The paper of the training is in no list."""


# --- making a study, and not making one -------------------------------------------------------------------------


def test_a_new_study_has_its_owner_and_is_not_made_twice(tmp_path: Path) -> None:
    place = tmp_path / "deep" / "own.edgewise"
    made = run("init", "--store", place, "--owner", "Mine", "--json", EDGEWISE_HOME=str(tmp_path / "home"))
    assert document(made) == {"store": str(place), "owner": "Mine"}
    assert place.is_file()
    again = run("init", "--store", place, EDGEWISE_HOME=str(tmp_path / "home"))
    assert "has people already" in refused(again)


def test_a_study_that_could_not_be_made_leaves_no_file(tmp_path: Path) -> None:
    place = tmp_path / "own.edgewise"
    done = run("init", "--store", place, "--password", "short", EDGEWISE_HOME=str(tmp_path / "home"))
    assert "at least 10" in refused(done)
    assert list(tmp_path.iterdir()) == [tmp_path / "home"]


def test_a_killed_prompt_for_the_password_leaves_no_file(tmp_path: Path) -> None:
    master, terminal = os.openpty()
    command = [sys.executable, "edgewise.py", "init", "--store", str(tmp_path / "mine.edgewise")]
    with subprocess.Popen(command, cwd=ROOT, env=PLAIN, stdin=terminal, stdout=terminal, stderr=terminal) as process:
        shown = b""
        while b"Password" not in shown:
            shown += os.read(master, 1_000)
        process.kill()
    os.close(master)
    os.close(terminal)
    assert list(tmp_path.iterdir()) == []


def test_a_mistyped_study_is_named_and_not_made(tmp_path: Path) -> None:
    place = tmp_path / "mistyped.edgewise"
    said = refused(run("export", "--store", place, EDGEWISE_HOME=str(tmp_path / "home")))
    assert said == f"There is no study at {place}; make one with: edgewise.py init --store {place}\n"
    assert not place.exists()


@pytest.mark.parametrize("way", ["option", "environment"])
def test_serve_makes_no_demo_of_a_study_that_somebody_named(tmp_path: Path, way: str) -> None:
    place = tmp_path / "mistyped.edgewise"
    named = ["--store", place] if way == "option" else []
    done = run("serve", "--local", *named, EDGEWISE_HOME=str(tmp_path), EDGEWISE_STORE=str(place))
    assert f"There is no study at {place}" in refused(done)
    assert not list(tmp_path.iterdir())


# --- people -----------------------------------------------------------------------------------------------------


def test_people_are_added_invited_and_listed_with_their_roles(study: Study) -> None:
    added = document(study("people", "add", "New expert", "--role", "expert", "--role", "annotator", "--json"))
    assert isinstance(added, dict)
    assert added["name"] == "New expert"
    listed = document(study("people", "list", "--json"))
    assert isinstance(listed, list)
    mine = next(person for person in listed if person["id"] == added["id"])
    assert (sorted(mine["roles"]), mine["active"]) == (["annotator", "expert"], True)
    link = document(study("people", "invite", "--role", "annotator", "--base", "https://edgewise.example/", "--json"))
    assert isinstance(link, dict)
    site, _, token = link["link"].rpartition("/")
    assert site == "https://edgewise.example/invitation"
    assert len(token) >= 32
    names = ("--name", "Ada, expert, reviewer", "--name", "Emmy")
    several = document(study("people", "invite", *names, "--role", "annotator", "--json"))
    assert isinstance(several, dict)
    invited = [(each["name"], each["roles"]) for each in several["links"]]
    assert invited == [("Ada", ["expert", "reviewer"]), ("Emmy", ["annotator"])]
    assert several["link"] == several["links"][0]["link"] != several["links"][1]["link"]


def test_a_name_that_waits_after_wrong_passwords_is_unlocked(study: Study, home: Path) -> None:
    (name,) = asked(home / "demo.edgewise", "SELECT name FROM person ORDER BY created_at LIMIT 1")[0]
    opened = open_study(str(home / "demo.edgewise"), home)
    use_study(opened)
    try:
        for _ in range(5):
            with pytest.raises(Refused, match="wrong"):
                access.sign_in(str(name), "not the password", "127.0.0.1")
    finally:
        use_study(None)
        opened.close()
    said = study("people", "unlock", str(name).upper())
    assert (said.returncode, said.stdout) == (0, f"{name} can sign in again.\n")
    again = document(study("people", "unlock", str(name), "--json"))
    assert isinstance(again, dict)
    assert (again["name"], again["was_locked"]) == (name, False)
    assert "There is nobody called “Nobody”" in refused(study("people", "unlock", "Nobody"))


@pytest.mark.parametrize(
    ("command", "named"),
    [
        (("people", "add", "Someone", "--role", "boss"), ["annotator", "expert", "reviewer", "researcher", "owner"]),
        (("people", "add", "Someone"), ["--role"]),
        (("export", "--format", "spreadsheet"), ["standard", "csv", "safe csv", "json"]),
    ],
    ids=["unknown role", "missing role", "unknown form"],
)
def test_a_wrong_word_is_a_fault_of_use_and_the_right_ones_are_named(
    tmp_path: Path, command: tuple[str, ...], named: list[str]
) -> None:
    said = refused(run(*command, EDGEWISE_HOME=str(tmp_path), COLUMNS="200"), 2)
    for word in named:
        assert word in said
    assert not list(tmp_path.iterdir())


# --- papers -----------------------------------------------------------------------------------------------------


def test_a_faulty_paper_is_reported_and_the_good_ones_are_kept(study: Study, tmp_path: Path, home: Path) -> None:
    bad = tmp_path / "bad.pdf"
    bad.write_bytes(b"%PDF-1.7\nthis is not a PDF")
    fresh = tmp_path / "references.bib"
    fresh.write_text(BIBTEX)
    known = ROOT / "demo" / "reservoir.pdf"
    missing = tmp_path / "missing.pdf"
    done = study("papers", "add", known, bad, fresh, missing, "--json")
    assert done.returncode == 1
    paper, fault, references, absent = json.loads(done.stdout)
    assert (paper["file"], paper["duplicate"]) == (str(known), True)
    assert "bad.pdf" in fault["error"]
    assert "id" not in fault
    assert (references["added"], references["known"], references["faults"]) == (2, 0, [])
    assert absent["error"] == f"{missing} cannot be read: No such file or directory."
    titles = [title for (title,) in asked(home / "demo.edgewise", LISTED_TITLES)]
    assert {"Loops of a shared well", "Debts and wells"} <= set(titles)
    assert len(titles) == 4 + 2  # three papers and a reference of the demo, and the two of this list


# --- graphs -----------------------------------------------------------------------------------------------------


def test_files_whose_names_are_no_utf8_are_taken_and_named_with_a_mark(tmp_path: Path) -> None:
    store, strict = tmp_path / "odd.edgewise", {"PYTHONIOENCODING": "utf-8:strict"}
    assert run("init", "--store", store, "--owner", "Owner", "--password", "long enough to take").returncode == 0
    graph, broken, papers = (
        Path(os.fsdecode(bytes(tmp_path) + name)) for name in (b"/bad\xff.csv", b"/broken\xff.csv", b"/papers\xff.bib")
    )
    graph.write_text("source,sink\nA,B\n")
    broken.write_text("source,sink\nA,B,C\n")
    papers.write_text(BIBTEX)
    kept = document(run("import", graph, "--store", store, "--json"))
    assert kept["graphs"][0]["title"] == "bad\ufffd"  # type: ignore[index]
    said = refused(run("import", broken, "--store", store, "--json"))
    assert "broken\ufffd.csv, line 2" in said
    (row,) = document(run_alone("papers", "add", papers, "--store", store, "--json", **strict))  # type: ignore[misc]
    assert (row["file"], row["added"]) == (f"{tmp_path}/papers\ufffd.bib", 2)


def test_a_faulty_edge_list_is_refused_whole_with_the_place_of_the_fault(study: Study, tmp_path: Path) -> None:
    faulty = tmp_path / "faulty.csv"
    faulty.write_text("source,sink,sign\nPrice,Demand,-\nPrice,Sales,sideways\n")
    said = refused(study("import", faulty))
    assert "faulty.csv, line 3" in said
    assert said.endswith("Nothing was imported.\n")


def test_an_exported_transcription_is_read_back_as_the_same_graph(study: Study, home: Path) -> None:
    exported = document(study("export", "--format", "json", "--drafts"))
    assert isinstance(exported, dict)
    graphs = exported["graphs"]
    # The demo: one figure ruled on, one submitted twice; of the third, one came back and the owner's own is a draft.
    states = ["accepted", "accepted", "open", "returned", "submitted", "submitted"]
    assert sorted(graph["state"] for graph in graphs) == states
    assert {graph["annotator"] for graph in graphs} == {"A1", "A2", "A3"}
    whole = max(graphs, key=lambda graph: len(graph["edges"]))
    alone = json.dumps({"nodes": whole["nodes"], "edges": whole["edges"]})
    brought_in = document(study("import", "-", "--json", typed=alone))
    assert isinstance(brought_in, dict)
    read_back = asked(home / "demo.edgewise", EDGES_OF_GRAPH, brought_in["graphs"][0]["id"])
    assert sorted(read_back) == sorted(
        (e["source"], e["sink"], e.get("sign"), e.get("delay", False)) for e in whole["edges"]
    )


def test_the_standard_form_holds_the_edges_and_says_what_it_leaves_out(
    study: Study, home: Path, tmp_path: Path
) -> None:
    # No submitted diagram of the demo prints signs, so one edge gets one, in a copy.
    copy = tmp_path / "signed.edgewise"
    with sqlite3.connect(home / "demo.edgewise") as demo, sqlite3.connect(copy) as signed:
        demo.backup(signed)
        work, graph, edges = signed.execute(LARGEST_SUBMITTED).fetchone()
        signed.execute("UPDATE edge SET sign = '+' WHERE graph_id = ? AND place = 1", [graph])
    out = tmp_path / "edges.txt"
    done = study("export", "--format", "standard", "--transcription", work, "--out", out, "--store", copy)
    assert (done.returncode, done.stdout) == (0, "")
    lines = out.read_text(encoding="utf-8").splitlines()
    assert len(lines) == edges
    assert lines[0] == '"Water stored in the reservoir" -> "Perceived water security"'
    assert done.stderr == "This format leaves out: signs.\n"


EDGES_OF_GRAPH = """SELECT source.name, sink.name, edge.sign, edge.delay FROM edge
    JOIN node source ON source.id = edge.source_id JOIN node sink ON sink.id = edge.sink_id WHERE edge.graph_id = ?"""
LARGEST_SUBMITTED = """SELECT assignment.id, edge.graph_id, count(*) AS edges FROM assignment
    JOIN edge ON edge.graph_id = assignment.graph_id WHERE assignment.state = 'submitted'
    GROUP BY assignment.id ORDER BY edges DESC LIMIT 1"""


def asked(store: Path, query: str, *values: str) -> list[tuple[object, ...]]:
    """What the store's own file says, past all of our code."""
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        return connection.execute(query, values).fetchall()


def test_a_file_that_cannot_be_written_is_named(study: Study, tmp_path: Path) -> None:
    nowhere = tmp_path / "no folder" / "edges.csv"
    assert refused(study("export", "--out", nowhere)).startswith(f"{nowhere}: No such file")


# --- backup -----------------------------------------------------------------------------------------------------


def test_a_restored_study_equals_the_one_that_was_backed_up(study: Study, home: Path, tmp_path: Path) -> None:
    archive, place = tmp_path / "study.zip", tmp_path / "again" / "restored.edgewise"
    made = document(study("backup", archive, "--json"))
    assert isinstance(made, dict)
    assert (made["path"], made["size_bytes"]) == (str(archive), archive.stat().st_size)
    back = document(study("restore", archive, place, "--json"))
    assert isinstance(back, dict)
    assert (back["store"], back["files"], back["missing"], back["moved"]) == (str(place), made["files"], [], None)
    listed = document(study("papers", "list", "--json", "--store", place))
    assert isinstance(listed, list)
    titles = asked(home / "demo.edgewise", LISTED_TITLES)
    assert sorted(row["title"] for row in listed) == sorted(title for (title,) in titles)
    for table in ("event", "person", "paper", "edge"):
        everything = f"SELECT * FROM {table} ORDER BY id"
        assert asked(place, everything) == asked(home / "demo.edgewise", everything) != []
    kept, restored = home / "files", place.parent / "files"
    assert sorted(p.name for p in restored.rglob("*") if p.is_file()) == sorted(
        p.name for p in kept.rglob("*") if p.is_file()
    )


# --- serve ------------------------------------------------------------------------------------------------------


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def serving(study: Study, home: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, ROOT / "edgewise.py", "serve", "--local"],
        cwd="/",
        text=True,
        env={**PLAIN, "EDGEWISE_HOME": str(home), "STREAMLIT_SERVER_PORT": str(port)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    yield process
    if process.poll() is None:
        process.kill()
    process.communicate()


def test_serve_answers_says_where_and_stops_when_told(
    serving: subprocess.Popen[str], study: Study, port: int, home: Path
) -> None:
    assert _answer(f"http://127.0.0.1:{port}/_stcore/health", serving) == 200
    assert f"http://127.0.0.1:{port}" in serving.stdout.readline()  # type: ignore[union-attr]
    taken = refused(run("serve", "--port", str(port), EDGEWISE_HOME=str(home)))  # before any of the server is loaded
    assert f"Port {port} of 127.0.0.1 cannot be used" in taken
    second = refused(study("serve", "--port", "0"))
    words = f"is already being served (process {serving.pid}); stop that server first. A study has one server."
    assert second == f"The study {home / 'demo.edgewise'} {words}\n"
    assert document(study("backup", home / "served.zip", "--json")), "other commands go on beside the server"
    worker = _worker_of(serving)  # begun some seconds after the server
    serving.send_signal(signal.SIGTERM)
    _said, complained = serving.communicate(timeout=20)
    # Ended by the signal is what a shell calls 143.
    assert serving.returncode in (0, 143, -signal.SIGTERM), complained
    assert "Traceback" not in complained
    assert not worker.is_running(), "the worker for model runs ends with the server"
    assert not (home / "demo.edgewise.serving").exists()


def test_serve_says_of_a_newer_study_one_sentence_and_nothing_before_it(tmp_path: Path, port: int) -> None:
    place = tmp_path / "newer.edgewise"
    with sqlite3.connect(place) as raw:
        raw.executescript(
            "CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('9999')"
        )
    raw.close()
    said = refused(run("serve", "--store", place, "--port", str(port), EDGEWISE_HOME=str(tmp_path)))
    assert len(said.splitlines()) == 1 and "newer Edgewise (revision 9999)." in said


@pytest.mark.skipif(os.name == "nt", reason="limits of a process are POSIX's")
def test_a_backup_on_a_full_disk_is_one_sentence_and_leaves_nothing(study: Study, home: Path, tmp_path: Path) -> None:
    import resource

    done = subprocess.run(
        [sys.executable, "edgewise.py", "backup", str(tmp_path / "out" / "one.zip")],
        cwd=ROOT,
        env={**PLAIN, "EDGEWISE_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000)),
    )
    words = "is full or cannot be written. Free space, or name a file on another disk."
    assert refused(done) == f"No backup was written: the disk of {tmp_path / 'out'} {words}\n"
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.skipif(not EVERYTHING, reason="another signal than the SIGTERM above")
def test_serve_and_its_worker_end_on_an_interrupt_too(serving: subprocess.Popen[str], port: int) -> None:
    assert _answer(f"http://127.0.0.1:{port}/_stcore/health", serving) == 200
    worker = _worker_of(serving)
    serving.send_signal(signal.SIGINT)
    _said, complained = serving.communicate(timeout=30)
    assert "Traceback" not in complained
    assert not worker.is_running()


HANGING = """
import re, sys, threading, time
from pathlib import Path
import edgewise
from web import shutdown_watchdog
from runs.supervisor import WorkerSupervisor

shutdown_watchdog.PATIENCE_S = 1.0
WorkerSupervisor.__init__.__kwdefaults__["settled_s"] = 0.0

sign = Path(sys.argv[1])

def hang():
    while not sign.exists():
        time.sleep(0.05)
    re.match(r"(a*)*b", "a" * 40)  # holds the interpreter's lock for hours

threading.Thread(target=hang).start()
sys.argv = ["edgewise", "serve", "--local"]
edgewise.app()
"""


@pytest.mark.proof("T6", "SIGTERM to a served study while a regular expression holds the interpreter", gate="it ends")
@pytest.mark.skipif(not EVERYTHING, reason="tests/web/test_shutdown_watchdog.py")
def test_serve_ends_when_told_whatever_its_threads_do(study: Study, home: Path, port: int, tmp_path: Path) -> None:
    sign = tmp_path / "hang now"
    process = subprocess.Popen(
        [sys.executable, "-c", HANGING, sign],
        cwd=ROOT,
        text=True,
        env={**PLAIN, "EDGEWISE_HOME": str(home), "STREAMLIT_SERVER_PORT": str(port)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        health = f"http://127.0.0.1:{port}/_stcore/health"
        assert _answer(health, process) == 200
        worker = _worker_of(process)
        sign.touch()
        with pytest.raises(OSError):
            while urllib.request.urlopen(health, timeout=2):
                pass
        process.send_signal(signal.SIGTERM)
        _said, complained = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == -signal.SIGTERM  # what a shell calls 143
    assert "The server did not end within 1 s of SIGTERM; ending it now.\n" in complained
    deadline = time.monotonic() + 10  # it ends with its input
    while worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline, "the worker outlived the server"
        time.sleep(0.05)


def _worker_of(process: subprocess.Popen[str]) -> psutil.Process:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for child in psutil.Process(process.pid).children():
            if child.cmdline()[1:3] == ["-m", "runs"]:
                return child
        time.sleep(0.2)
    raise AssertionError("no worker was begun")


def _answer(url: str, process: subprocess.Popen[str]) -> int:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=2) as answer:
                return int(answer.status)
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise AssertionError(f"serve did not answer: {process.poll()}")


def test_serve_refuses_an_address_of_the_network_without_a_proxy(home: Path, port: int) -> None:
    said = refused(run("serve", "--host", "0.0.0.0", "--port", str(port), EDGEWISE_HOME=str(home)))
    assert "EDGEWISE_BEHIND_PROXY=1" in said


def test_a_port_that_is_no_number_is_a_fault_of_use(tmp_path: Path) -> None:
    done = run("serve", EDGEWISE_HOME=str(tmp_path), STREAMLIT_SERVER_PORT="eight")
    assert refused(done, 2).startswith("STREAMLIT_SERVER_PORT is “eight”;")
