"""One demo study a run, made by the command as a person makes it and copied for every test that asks for it."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from services import study as studies
from tests.cli.calling import run
from tests.postgresql import one_at_a_time

NAME = "demo.edgewise"


def made_demo(factory: pytest.TempPathFactory) -> Path:
    """The folder with the demo's file and its files; made by the first of all workers that asks. Not to be changed."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "demo"
    folder.mkdir(exist_ok=True)
    with one_at_a_time(folder):
        if not (folder / "made").exists():
            before = studies._current
            done = run("demo", "--json", EDGEWISE_HOME=str(folder / "home"))
            studies.use_study(before)
            assert done.returncode == 0, done.stderr
            assert json.loads(done.stdout) == {"store": str(folder / "home" / NAME)}
            (folder / "made").touch()
    return folder / "home"


def copied(made: Path, home: Path) -> Path:
    """A demo of one's own below `home`; returns its file."""
    shutil.copytree(made, home, dirs_exist_ok=True)
    return home / NAME
