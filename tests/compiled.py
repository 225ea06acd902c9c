"""What a run's workers load is compiled before they begin, each file once.

In a fresh clone every worker would compile all of our code, and rewrite the assertions of all tests, while the others
do the same: fourteen seconds of processor time each. Nothing is done where it is done already.
"""

from __future__ import annotations

import compileall
import os
import sys
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = {"build", "node_modules", "__pycache__"}


def compile_for_workers(config: pytest.Config) -> None:
    """In as many forks of this process as there are processors; returns when all are done. A file that cannot be
    compiled is left to the worker that loads it, which says why."""
    if sys.dont_write_bytecode:
        return
    files = sorted(ours(), key=lambda path: -path.stat().st_size)
    count = os.cpu_count() or 1
    forks = []
    for number in range(count):
        fork = os.fork()
        if fork == 0:
            _compile(config, files[number::count])
        forks.append(fork)
    for fork in forks:
        os.waitpid(fork, 0)


def ours() -> list[Path]:
    """Every file of ours in Python."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in LEFT_OUT and not name.startswith(".")]
        found += [Path(folder, name) for name in names if name.endswith(".py")]
    return found


def _compile(config: pytest.Config, files: list[Path]) -> None:
    """Never returns."""
    try:
        for path in files:
            if path.name == "conftest.py" or path.name.startswith("test_"):
                _rewrite(config, path)
            else:
                compileall.compile_file(path, quiet=2)
    finally:
        os._exit(0)


def _rewrite(config: pytest.Config, path: Path) -> None:
    """As pytest does when it loads a test file, under the name at which it looks for it."""
    folder = rewrite.get_cache_dir(path)
    kept = folder / f"{path.name.removesuffix('.py')}{rewrite.PYC_TAIL}"
    if rewrite.try_makedirs(folder) and rewrite._read_pyc(path, kept) is None:
        found, code = rewrite._rewrite_test(path, config)
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, found, kept)
