"""For every browser test: one running Edgewise and one Chromium per worker, and pages signed in by role.

A page that logs an error, throws, or asks for anything off this machine fails its test.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from benchmarks.harness import FLAGS, chromium_path
from tests.browser.component_app import ComponentApp
from tests.browser.driver import playing
from tests.browser.fresh_tries import SPOIL, FreshTries
from tests.browser.profiles import Profile, Profiles, Watch, emptied
from tests.browser.serving import begin, end, environment_with, hand_on, nursery, take_port
from tests.durations import by_file

expect.set_options(timeout=20_000)  # ms; five seconds are too few on a busy machine, and a passing test waits for none

ROOT = Path(__file__).resolve().parents[2]
PEOPLE = {
    "owner": "owner",
    "annotator": "annotator",
    "annotator2": "annotator",
    "expert": "expert",
    "reviewer": "reviewer",
    "researcher": "researcher",
    "newcomer": "annotator",
}
OPEN_STUDY = """
import json, os, sys
from pathlib import Path
from uuid_utils import uuid7
from core.people import Role, Viewer
from services.people import access, invitations, passwords, people
from services.acting import terminal_viewer
from services.study import open_study, use_study

study = open_study(os.environ["EDGEWISE_STORE"], Path(os.environ["EDGEWISE_HOME"]))
use_study(study)
terminal = terminal_viewer()
def new_act(): return str(uuid7())
given = json.loads(sys.argv[1])
"""
SEED = """
from store import milestones
hashed = passwords.hash_password(given["password"])
with study.store.writing() as session:
    for name, role in given["people"].items():
        person = access.new_person(session, name, [Role(role)], study.clock(), password_hash=hashed)
        if name in given["untrained"]:
            continue
        # Figures open to them at once: the training is waived, and guidelines of any version are read.
        now, by = study.clock(), "terminal"
        milestones.keep_milestone(session, person.id, milestones.TRAINING, 0, by, now, {"how": "waived"})
        milestones.keep_milestone(session, person.id, milestones.GUIDELINES, 1_000_000, by, now, {})
"""
UNKNOWN_S = 30.0
"""A file takes that long until a run has measured it."""
UNTRAINED = ("newcomer",)
PASSWORD = "a long password"


@dataclass
class Server:
    """A running Edgewise with a study of its own. `password` is that of every person in `people` (name to role)."""

    home: Path
    port: int
    environment: Mapping[str, str] = field(default_factory=dict)
    door: str = "server:app"
    people: Mapping[str, str] = field(default_factory=lambda: dict(PEOPLE))
    password: str = PASSWORD
    process: psutil.Process | None = None
    sessions: dict[str, list[Any]] = field(default_factory=dict)  # cookies by name, of people signed in before

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def store(self) -> Path:
        return self.home / "tested.edgewise"

    @property
    def _environment(self) -> dict[str, str]:
        return {"EDGEWISE_HOME": str(self.home), "EDGEWISE_STORE": str(self.store), **self.environment}

    def seed(self, source: str, **given: object) -> str:
        """Run `source` with the study open in a process of its own, and return what it prints.

        It finds `study`, `terminal` (a viewer who may do all), `new_act()`, `Role`, `access`, `invitations`,
        `passwords`, `people` and `given`.
        """
        arguments = [json.dumps(given)]
        whole = OPEN_STUDY + source + "\nstudy.close()\n"
        return nursery().run(whole, arguments, environment_with(self._environment), self.home)

    def start(self) -> None:
        self.process = begin(self.door, self.port, self._environment, self.home / "server.log")

    def stop(self) -> None:
        if self.process is not None:
            end(self.process)

    def log(self) -> str:
        return (self.home / "server.log").read_text(errors="replace")


@pytest.fixture(scope="module")
def start_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Server]]:
    """`start_server(**variables)` starts a further server with a seeded study, or with a copy of the one at `demo`; all
    stop with their module, since two dozen idle ones would take most of a small machine's memory."""
    yield from _starter(tmp_path_factory)


_seeded: list[Path] = []  # the worker's study with people in it, which each server begins with a copy of


def _starter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Server]]:
    running: list[Server] = []
    if not _seeded:
        first = Server(tmp_path_factory.mktemp("seeded"), 0)
        first.seed(SEED, people=first.people, password=first.password, untrained=UNTRAINED)
        _seeded.append(first.home)

    def start(*, door: str = "server:app", demo: Path | None = None, **variables: str) -> Server:
        home = tmp_path_factory.mktemp("edgewise")
        shutil.copytree(demo or _seeded[0], home, dirs_exist_ok=True)
        server = Server(home, take_port(), variables, door)
        if demo is not None:
            next(home.glob("*.edgewise")).rename(server.store)
        running.append(server)
        server.start()
        return server

    yield start
    for server in running:
        server.stop()
        hand_on(server.port)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The worker's Edgewise, where everybody signs in with a password."""
    for start in _starter(tmp_path_factory):
        yield start()


_launched: list[Browser] = []
SHORT_LIVED = ("--js-flags=--no-maglev --no-opt",)
"""A page lives for seconds here: to optimise its scripts takes a quarter of the work of loading it, and gains less."""


ALONE = ("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",)
"""No other machine has an address: what is asked of one fails, and says so in the console."""


@pytest.fixture(scope="session")
def browser(pytestconfig: pytest.Config) -> Iterator[Browser]:
    """The worker's Chromium. The soak, which times pages and keeps them for longer, has this fixture from here too;
    Playwright starts once in a process."""
    if _launched:
        yield _launched[0]
        return
    with playing() as playwright:
        is_soak = pytestconfig.pluginmanager.hasplugin("tests.soak.plugin")
        flags = (*FLAGS, *ALONE) if is_soak else (*FLAGS, *ALONE, *SHORT_LIVED)
        _launched.append(playwright.chromium.launch(executable_path=chromium_path(), args=list(flags)))
        yield _launched[0]
        _launched.pop().close()


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Every context of the test reports here; at the end nothing unexpected may have been heard."""
    heard = Watch()
    yield heard
    assert heard.unexpected() == []


@pytest.fixture(scope="session")
def profiles(browser: Browser) -> Profiles:
    return Profiles(browser)


@pytest.fixture
def new_page(request: pytest.FixtureRequest, profiles: Profiles, watch: Watch) -> Iterator[Callable[..., Page]]:
    """`new_page(server, width=1440, ...)` opens an empty page of a signed-out, empty, watched browser profile."""
    taken: list[Profile] = []

    def open_page(server: Server | ComponentApp, *, width: int = 1440, height: int = 900, **options: object) -> Page:
        size = {"width": width, "height": height}
        taken.append(profiles.take(server.url, watch, size, options))
        return profiles.open(taken[-1], size)

    yield open_page
    for profile in taken:
        profiles.give_back(profile, has_failed=request.node.stash.get(HAS_FAILED, False))


HAS_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[HAS_FAILED] = report.failed
    return report


@pytest.fixture
def page_as(server: Server, new_page: Callable[..., Page]) -> Callable[..., Page]:
    """`page_as("annotator", path="/papers?…", width=390, height=844)`: a page signed in as that person, settled.

    `after`: a page of somebody who is done with it. The next person gets it, emptied, which takes half of the work of
    a browser profile beside it.
    """

    def open_page(
        name: str, path: str = "/", *, on: Server | None = None, after: Page | None = None, **options: object
    ) -> Page:
        where = on or server
        page = after or new_page(where, **options)
        if after is not None:
            after.context.clear_cookies()
            assert emptied(after)
        sign_in(page.context, where, name)
        page.goto(path)
        settle(page)
        return page

    return open_page


def sign_in(context: BrowserContext, server: Server, name: str) -> None:
    """Sign in; again with the session of an earlier test if it still holds."""
    if name in server.sessions:
        context.add_cookies(server.sessions[name])
    asked = context.request.get("/sign-in", max_redirects=0)
    if asked.status == 303:
        return
    found = re.search(r'name="form" value="([^"]+)"', asked.text())
    assert found is not None
    fields = {"name": name, "password": server.password, "form": found[1]}
    answer = context.request.post("/sign-in", form=fields, max_redirects=0)
    assert answer.status == 303, answer.text()
    server.sessions[name] = context.cookies()


def settle(page: Page) -> None:
    """Wait until Streamlit has drawn the page and is idle."""
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
    page.wait_for_function("() => !document.querySelector('[data-testid=stSkeleton]')")


@pytest.fixture
def settled() -> Callable[[Page], None]:
    return settle


def pytest_configure(config: pytest.Config) -> None:
    here = Path(__file__).parent.relative_to(config.rootpath).as_posix()
    fresh = FreshTries(here, kept={"browser", "profiles"}, spoils=config.getoption(SPOIL))
    config.pluginmanager.register(fresh)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last, the long files before the short ones, and each test gets two more tries.

    Last, since Playwright keeps an event loop running in the main thread for as long as its browser is open, and no
    test can start another there. Long files first, so that no worker is left with one when the other is done: by the
    seconds that runs before took, here or, in a fresh clone, elsewhere; a file that none knows comes early. Two more
    tries, since on a busy machine a test may look a moment too early; the summary counts each ("1 rerun"), and a test
    that needs them often is wrong and is to be mended.
    """
    here = f"{Path(__file__).parent}{os.sep}"
    took = by_file()

    def place(item: pytest.Item) -> tuple[bool, float]:
        is_ours = str(item.path).startswith(here)
        return is_ours, -took.get(item.path, UNKNOWN_S) if is_ours else 0

    items.sort(key=place)  # stable: otherwise as they were
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.flaky(reruns=2))
