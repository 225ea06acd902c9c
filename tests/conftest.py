"""What tests of the store, the services and the screens share: an empty study on each database, people, a figure.

PostgreSQL is one real cluster a run, started by the first test that needs it; see tests/postgresql.py.
"""

from __future__ import annotations

import gc
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import settings
from sqlmodel import Session

from core.people import Role, Viewer
from documents.limits import PICTURES
from documents.pool import Pool
from documents.reader import PRODUCER, PRODUCER_VERSION
from services import study as studies
from services.exchange import file_pool
from services.people import access
from services.study import Study, open_study, use_study
from store import milestones
from store.engine import Store, study_file
from store.files import sha256_of
from store.migrate import migrate
from store.tables import DerivedRow, FigureRow, FileRow, PaperRow
from tests.browser.serving import NURSERY, RUN
from tests.cheap_passwords import hash_cheaply
from tests.compiled import compile_for_workers
from tests.durations import Durations
from tests.everything import EVERYTHING
from tests.fast_polling import look_often
from tests.forked_workers import fork_workers
from tests.forking import fork_model_servers
from tests.in_process_steps import work_out_here
from tests.insert_people import WAIVED, laid_down
from tests.no_fsync import wait_for_no_disk
from tests.one_report_per_test import tell_once
from tests.postgresql import CLUSTER, Reused, new_database, start_cluster, stop_cluster
from tests.statements import keep_compiled
from tests.study_fixtures import LAID, begun, copy_begun, open_begun

EXAMPLES = 200 if EVERYTHING else 5
# The same cases on every machine.
settings.register_profile("edgewise", deadline=None, database=None, derandomize=True, max_examples=EXAMPLES)
settings.load_profile("edgewise")
keep_compiled()

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


class Clock:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> None:
        self.now += timedelta(**by)


def advance(study: Study, **by: float) -> None:
    """Move the clock of a test's study."""
    assert isinstance(study.clock, Clock)
    study.clock.advance(**by)


@pytest.fixture(autouse=True)
def order_of_submission(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first to submit is A; tests of the draw set it themselves."""
    monkeypatch.setattr("services.adjudication.rounds.randbelow", lambda _many: 0)


# --- the PostgreSQL cluster --------------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out every browser and PostgreSQL (make quick)")
    words = "fail the first try of each browser test at its end, to see which cannot be tried again"
    parser.addoption("--spoil-first-tries", action="store_true", help=words)


SLOW_FIXTURES = {"cluster", "reused", "postgresql_url", "postgresql_study"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("quick"):
        return
    slow = [item for item in items if _needs_browser_or_postgresql(item)]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if item not in set(slow)]


def _needs_browser_or_postgresql(item: pytest.Item) -> bool:
    asked = set(getattr(item, "fixturenames", ()))
    given = getattr(getattr(item, "callspec", None), "params", {}).values()
    is_in_browser = "browser" in item.path.relative_to(item.config.rootpath).parts
    return is_in_browser or bool(asked & SLOW_FIXTURES) or "postgresql" in given


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", BOTH_MARK)
    if not config.pluginmanager.has_plugin("tests.soak.plugin"):
        wait_for_no_disk()
        hash_cheaply()
        look_often()
        work_out_here()
        fork_model_servers()
    if not getattr(config.option, "numprocesses", None):  # this process collects: alone, or as a worker
        gc.disable()
    if hasattr(config, "workerinput"):
        tell_once(config)
    else:
        # Not below pytest's own temporary folder: that one is closed to the user that PostgreSQL runs as.
        os.environ[CLUSTER] = tempfile.mkdtemp(prefix="edgewise-pg-")
        os.environ[NURSERY] = tempfile.mkdtemp(prefix="edgewise-nursery-")
        os.environ[RUN] = str(os.getpid())
        config.pluginmanager.register(Durations())
        if getattr(config.option, "numprocesses", None):
            compile_for_workers(config)
            fork_workers(config)


def pytest_unconfigure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        return
    folder = Path(os.environ.pop(CLUSTER))
    stop_cluster(folder)
    shutil.rmtree(folder)
    shutil.rmtree(os.environ.pop(NURSERY))  # the process ends with this one


@pytest.fixture(scope="session")
def cluster() -> str:
    """URL of the running cluster, with `{}` where the database's name belongs."""
    return start_cluster(Path(os.environ[CLUSTER]))


@pytest.fixture(scope="session")
def reused(cluster: str) -> Iterator[Reused]:
    """The database that this worker's tests hand on, emptied."""
    databases = Reused(cluster)
    yield databases
    databases.close()


def pytest_collection_finish(session: pytest.Session) -> None:
    """What was imported and collected stays: no collection of garbage has to walk it again and again.

    Nor is anything installed while tests run, of which each page that Streamlit's own harness draws would read all.
    """
    if "streamlit.testing.v1" in sys.modules:
        from streamlit.components.v2 import manifest_scanner
        from streamlit.testing.v1 import local_script_runner

        manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
        local_script_runner.require_widgets_deltas = _join(local_script_runner.require_widgets_deltas)
    gc.enable()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _join(look: Callable[..., None]) -> Callable[..., None]:
    """`look` asks a thousand times a second whether a script has ended, and takes the interpreter from it each time."""

    def joined_first(runner: Any, timeout: float = 3) -> None:
        runner._script_thread.join(timeout)
        look(runner, timeout if not runner._script_thread.is_alive() else 0)

    return joined_first


# --- places for a store ------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "template.edgewise"
    store = Store(str(path))
    migrate(store)
    store.close()
    return path


@pytest.fixture
def sqlite_url(tmp_path: Path, migrated_sqlite: Path) -> str:
    """Path of a migrated, empty SQLite store."""
    return shutil.copyfile(migrated_sqlite, tmp_path / "study.edgewise").as_posix()


@pytest.fixture
def postgresql_url(reused: Reused) -> str:
    """URL of a migrated, empty PostgreSQL database, the test's own while it runs."""
    return reused.emptied()


# What runs on which database: SQLite alone, for words, shapes and arithmetic, unless a test (or its file, by
# `pytestmark`) is marked `both`: of the store, claims, locks, history, JSON, order, or what differs in SQL.
# Where others of its kind run on both, it is marked `both(usually=False)`: on PostgreSQL if everything is asked for.
BOTH = ("sqlite", "postgresql")
BOTH_MARK = (
    "both(usually=True): on SQLite and on PostgreSQL; for the store, claims, locks, history, JSON, order and SQL's "
    "dialects; not usually: on PostgreSQL with EDGEWISE_EVERYTHING=1 alone"
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    mark = metafunc.definition.get_closest_marker("both")
    on_both = mark is not None and (EVERYTHING or mark.kwargs.get("usually", True))
    chosen = any(mark.args[0] == "store_url" for mark in metafunc.definition.iter_markers("parametrize"))
    for url in ("store_url", "bare_url"):
        if url in metafunc.fixturenames and not chosen:
            metafunc.parametrize(url, BOTH if on_both else BOTH[:1], indirect=True)


@pytest.fixture
def store_url(request: pytest.FixtureRequest) -> str:
    """A migrated, empty store, on SQLite; a test marked `both` runs once on each database."""
    return str(request.getfixturevalue(f"{request.param}_url"))


@pytest.fixture
def bare_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database without any table, on SQLite; a test marked `both` runs once on each kind."""
    if request.param == "sqlite":
        yield str(tmp_path / "bare.edgewise")
    else:
        with new_database(request.getfixturevalue("cluster"), "template0") as url:
            yield url


# --- the demo --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def made_demo(one_reader: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of the run's one demo study; copy it before anything is done to it (`tests/one_demo.py`)."""
    from tests import one_demo  # only here: the command line is needed by few

    return one_demo.made_demo(tmp_path_factory)


# --- the readers of files and of documents -----------------------------------------------------------------------


class _KeptPool(Pool):
    """One for all studies of a run: closing a study leaves it open."""

    def close(self) -> None:
        pass


@pytest.fixture(scope="session", autouse=True)
def one_reader() -> Iterator[None]:
    """The child that reads files, and the children that read documents: each starts when the first test needs it and
    reads for all others too. Before, every study whose page asked for a document started one, a second of processor
    time each."""
    documents = _KeptPool(documents_per_child=1_000, requests_per_child=10_000, prestart=0)
    pictures = _KeptPool(PICTURES, 1, documents_per_child=10, requests_per_child=10, prestart=0, restarts=False)
    kept = _KeptPool(
        file_pool.LIMITS, 1, requests_per_child=10_000, program=file_pool.PROGRAM, prestart=0, sentences=file_pool.FILES
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(studies, "file_pool", lambda: kept)
        patch.setattr(studies, "Pool", lambda **how: pictures if how.get("limits") == PICTURES else documents)
        yield
    for each in (kept, pictures, documents):
        Pool.close(each)


@pytest.fixture
def own_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a test that closes its study's readers of documents; to be asked for before the study."""
    monkeypatch.setattr(studies, "Pool", Pool)


# --- an open study -----------------------------------------------------------------------------------------------


@pytest.fixture
def clock() -> Clock:
    return Clock()


@contextmanager
def _in_use(study: Study) -> Iterator[Study]:
    use_study(study)
    try:
        yield study
    finally:
        use_study(None)
        study.close()


def _opened(url: str, clock: Clock, request: pytest.FixtureRequest) -> Study:
    """Open a test's empty study; on SQLite as a copy of one that was begun, if nothing was done to it before."""
    path, home = study_file(url), request.getfixturevalue("tmp_path") / "home"
    if path is None or clock.now != NOON:
        return open_study(url, home, clock=clock)
    empty: Path = request.getfixturevalue("migrated_sqlite")
    if path.read_bytes() != empty.read_bytes():
        return open_study(url, home, clock=clock)
    asked = set(request.fixturenames)
    names = [] if "lasting" in asked else [name for name in LAID if name in asked]
    is_trained = "untrained" not in asked
    kind = (*names, is_trained and "people" in names)

    def make(folder: Path) -> tuple[Study, tuple[SimpleNamespace, ...]]:
        study = open_study(shutil.copyfile(empty, folder / path.name).as_posix(), folder / "home", clock=Clock())
        lays = {"people": lambda: _people(study, is_trained), "a_figure": lambda: add_figure(study)}
        return study, tuple(lays[name]() for name in names)

    folders: pytest.TempPathFactory = request.getfixturevalue("tmp_path_factory")
    found = copy_begun(begun(kind, lambda: folders.mktemp("begun"), make), path)
    for name, each in zip(names, found, strict=True):
        request.node.stash[LAID[name]] = each
    return open_begun(path, home, clock)


@pytest.fixture
def study(store_url: str, tmp_path: Path, clock: Clock, request: pytest.FixtureRequest) -> Iterator[Study]:
    """An open study with nobody in it, on SQLite or, marked `both`, once on each database; no document reader runs
    before it is asked."""
    with _in_use(_opened(store_url, clock, request)) as opened:
        yield opened


@pytest.fixture
def sqlite_study(sqlite_url: str, tmp_path: Path, clock: Clock, request: pytest.FixtureRequest) -> Iterator[Study]:
    """The same on SQLite only; not to be asked for together with `study`."""
    with _in_use(_opened(sqlite_url, clock, request)) as opened:
        yield opened


@pytest.fixture
def postgresql_study(cluster: str, tmp_path: Path, clock: Clock) -> Iterator[Study]:
    """The same on PostgreSQL only, for what SQLite does not have; no earlier test has left a byte in its files."""
    with new_database(cluster) as url, _in_use(open_study(url, tmp_path / "home", clock=clock)) as opened:
        yield opened


@pytest.fixture
def open_one(request: pytest.FixtureRequest) -> Study:
    """Whichever study this test has asked for."""
    asked = (name for name in ("study", "postgresql_study") if name in request.fixturenames)
    found = request.getfixturevalue(next(asked, "sqlite_study"))
    assert isinstance(found, Study)
    return found


@pytest.fixture
def untrained() -> None:
    """For tests of the training and of what stands before a first figure: people join without any of it."""


@pytest.fixture
def newcomer(open_one: Study, request: pytest.FixtureRequest) -> Callable[..., Viewer]:
    """`newcomer(name, *roles)` adds a person without a password and signs them in.

    They have the training behind them and every version of the guidelines, so that figures open to them; not in a
    test that asks for `untrained`.
    """
    is_trained = "untrained" not in request.fixturenames

    def join(name: str, *roles: Role, is_demo: bool = False, is_local: bool = False) -> Viewer:
        with open_one.store.writing() as session:
            return joined(session, open_one.clock(), name, roles, is_trained, is_demo=is_demo, is_local=is_local)

    return join


def joined(
    session: Session,
    now: datetime,
    name: str,
    roles: Iterable[Role],
    is_trained: bool,
    *,
    is_demo: bool = False,
    is_local: bool = False,
) -> Viewer:
    """A new person, signed in, inside a caller's transaction."""
    person = access.new_person(session, name, roles, now, is_demo=is_demo)
    if is_trained:
        set_ready(session, person.id, now)
    return access.open_session(session, person, now, is_local=is_local).viewer


def set_ready(session: Session, person_id: str, now: datetime) -> None:
    """Training waived and guidelines read up to any version, without an event of it."""
    for what, number, details in WAIVED:
        milestones.keep_milestone(session, person_id, what, number, "terminal", now, details)


@pytest.fixture
def people(open_one: Study, request: pytest.FixtureRequest) -> SimpleNamespace:
    """A signed-in viewer per role, by the role's name, and `colleague`, a second annotator; all in one write."""
    return request.node.stash.get(LAID["people"], None) or _people(open_one, "untrained" not in request.fixturenames)


def _people(study: Study, is_trained: bool) -> SimpleNamespace:
    named = [(f"The {role.value}", role) for role in Role]
    with study.store.writing() as session:
        *viewers, colleague = laid_down(session, study.clock(), [*named, ("The colleague", Role.ANNOTATOR)], is_trained)
    return SimpleNamespace(**dict(zip((role.value for role in Role), viewers, strict=True)), colleague=colleague)


@pytest.fixture
def a_figure(open_one: Study, request: pytest.FixtureRequest) -> SimpleNamespace:
    """A paper of three US Letter pages with one located figure (`id`, `paper_id`, `sha256`); no PDF is opened.

    The file is a few bytes that only look like a PDF; the facts of its pages are laid down as already read.
    """
    return request.node.stash.get(LAID["a_figure"], None) or add_figure(open_one)


@pytest.fixture
def another_figure(open_one: Study) -> Callable[..., SimpleNamespace]:
    """`another_figure(title)` adds one more paper with one located figure."""
    return lambda title: add_figure(open_one, title)


def add_figure(study: Study, title: str = "Grain and people") -> SimpleNamespace:
    content = f"%PDF-1.7 {title}".encode()
    now = study.clock()
    file = FileRow(
        sha256=sha256_of(content), media_type="application/pdf", size_bytes=len(content), page_count=3, created_at=now
    )
    paper = PaperRow(title=title, file_sha256=file.sha256, created_by="terminal", created_at=now)
    figure = FigureRow(
        paper_id=paper.id,
        page=2,
        x0=72,
        y0=72,
        x1=540,
        y1=360,
        place="Top of page 2",
        label="Figure 1",
        created_by="terminal",
        created_at=now,
    )
    with study.store.writing() as session:
        study.shelf.put(session, file, content)
        session.add(paper)
        session.flush()
        session.add(figure)
        for number in (1, 2, 3):
            session.add(_page_facts(file.sha256, number, now))
    return SimpleNamespace(id=figure.id, paper_id=paper.id, sha256=file.sha256)


def _page_facts(sha256: str, number: int, now: datetime) -> DerivedRow:
    content = {"number": number, "width": 612.0, "height": 792.0, "words": [], "regions": []}
    return DerivedRow(
        source_hash=sha256,
        producer=PRODUCER,
        producer_version=str(PRODUCER_VERSION),
        part=f"page {number}",
        content=content,
        created_at=now,
    )


@pytest.fixture
def integrity() -> Callable[[Path], str]:
    """`integrity(path)` is SQLite's own verdict on a store's file, asked through a connection of its own."""

    def verdict(path: Path) -> str:
        with sqlite3.connect(path) as connection:
            return str(connection.execute("PRAGMA integrity_check").fetchone()[0])

    return verdict


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real inputs, beside the repository; absent on a machine that has only the repository."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real inputs in ../shared/data are not on this machine")
    return folder
