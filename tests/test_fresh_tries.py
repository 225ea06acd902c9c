"""A further try of a test finds nothing of the try before: in a small run of pytest, with tests that note each step."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FIXTURES = """
import os
from pathlib import Path
import pytest
from tests.browser.fresh_tries import FreshTries

def pytest_configure(config):
    config.pluginmanager.register(FreshTries("screens", {"kept"}, spoils=SPOILS))

def pytest_collection_modifyitems(items):
    for item in items:
        item.add_marker(pytest.mark.flaky(reruns=1))

def lasting(name):
    note(f"{name} begins")
    yield [name]
    note(f"{name} ends")

def note(step):
    with Path(os.environ["STEPS"]).open("a") as steps:
        print(step, file=steps)

@pytest.fixture(scope="session")
def kept():
    yield from lasting("kept")

@pytest.fixture(scope="session")
def server(kept):
    yield from lasting("server")

@pytest.fixture(scope="module")
def study(server):
    yield from lasting("study")

@pytest.fixture
def step():
    return note
"""
LEAVES_A_PERSON = """
def test_first(study, step, tries=[]):
    tries.append(1)
    study.append("person")
    step(f"first {study[1:]}")
    assert len(tries) == 2

def test_next(study, step):
    step(f"next {study[1:]}")
"""
AS_THE_FIRST = ["kept begins", "server begins", "study begins", "first ['person']"]


def steps_of(folder: Path, tests: str, *, spoils: bool = False) -> tuple[list[str], str]:
    """What the fixtures and tests noted, and the last line of pytest."""
    screens = folder / "screens"
    screens.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\n")
    (screens / "conftest.py").write_text(FIXTURES.replace("SPOILS", str(spoils)))
    (screens / "test_screens.py").write_text(tests)
    steps = folder / "steps.txt"
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT), "STEPS": str(steps)}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")} | alone
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "pytest_rerunfailures"]
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return steps.read_text().splitlines(), ran.stdout.splitlines()[-1]


def test_a_second_try_begins_with_fixtures_of_its_own_and_each_ends_once(tmp_path: Path) -> None:
    steps, said = steps_of(tmp_path, LEAVES_A_PERSON)
    anew = ["study ends", "server ends", "server begins", "study begins", "first ['person']"]
    rest = ["next ['person']", "study ends", "server ends", "kept ends"]  # a test that passes shares as ever
    assert steps == [*AS_THE_FIRST, *anew, *rest]
    assert said.startswith("2 passed, 1 rerun")


def test_first_tries_can_be_spoilt_to_see_which_tests_cannot_be_tried_again(tmp_path: Path) -> None:
    once = "\ndef test_once(step, tries=[]):\n    tries.append(1)\n    assert len(tries) == 1\n"
    steps, said = steps_of(tmp_path, LEAVES_A_PERSON + once, spoils=True)
    assert steps.count("study begins") == 3  # for the first, for its second try, for that of the next
    assert said.startswith("1 failed, 2 passed, 3 rerun")
