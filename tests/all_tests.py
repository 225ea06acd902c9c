"""Loads every test, as pytest does, when it is imported: by the process whose forks are a run's workers."""

from __future__ import annotations

from contextlib import suppress

import pytest
from _pytest.config import _prepareconfig
from _pytest.pathlib import import_path

from tests.forking import WORKERS


def load() -> None:
    config = _prepareconfig([])
    root = config.rootpath
    left_out = set(config.getini("norecursedirs"))
    for top in config.getini("testpaths"):
        for path in sorted((root / top).rglob("*.py")):
            is_test = path.name == "conftest.py" or path.name.startswith("test_")
            if is_test and not left_out & set(path.relative_to(root).parts):
                with suppress(Exception, pytest.skip.Exception):  # the worker that collects it says why
                    import_path(path, mode="importlib", root=root, consider_namespace_packages=False)
    config.pluginmanager.getplugin("capturemanager").stop_global_capturing()
    config._ensure_unconfigure()


WORKERS.begin()  # one for all workers of the run, as each would load two seconds' worth; it loads meanwhile
load()
