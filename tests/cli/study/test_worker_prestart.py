"""The worker of `run` is started before the command line is loaded, and only where one will be wanted."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cli.study import worker_prestart

CAT = (sys.executable, "-c", "import sys; sys.stdin.read()")


@pytest.mark.parametrize(
    ("arguments", "is_wanted"),
    [
        (["run", "--models", "m"], True),
        (["run", "--models", "m", "--dry-run"], False),
        (["run", "--queue"], False),
        (["run", "--help"], False),
        (["runs", "list"], False),
        ([], False),
    ],
)
def test_a_worker_is_started_ahead_where_a_run_will_want_one(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], is_wanted: bool
) -> None:
    begun = []

    def start() -> subprocess.Popen[bytes]:
        begun.append(subprocess.Popen(CAT, stdin=subprocess.PIPE))
        return begun[-1]

    monkeypatch.setattr(worker_prestart, "start", start)
    monkeypatch.setattr(worker_prestart, "_prestarted", [])
    worker_prestart.begin(arguments)
    assert len(begun) == is_wanted
    first, second = worker_prestart.worker(), worker_prestart.worker()
    assert len(begun) == 2  # one was there already if it was started ahead
    assert first is not second
    for each in (first, second):
        each.communicate(timeout=30)


def test_nothing_that_takes_time_is_loaded_before_it_starts() -> None:
    heavy = "{'typer', 'sqlalchemy', 'pydantic', 'numpy'} & set(sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; from cli.study import worker_prestart; sys.exit(bool({heavy}))"],
        cwd=worker_prestart.ROOT,
        check=False,
    )
    assert done.returncode == 0
