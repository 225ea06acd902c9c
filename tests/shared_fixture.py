"""What a fixture has done to a study, done once a file and copied into the open study of each further test.

A fixture that lets people draw, score or rule takes a third of a second by the services, and twenty tests of a file
ask for it; a copy takes a hundredth. On PostgreSQL it is done anew; where other rows were there before, once for each
such beginning.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

from services.study import Study
from tests.study_fixtures import laid_in

T = TypeVar("T")


@dataclass
class _Kept:
    content: sqlite3.Connection  # in memory
    files: dict[Path, bytes]  # by path within the study's folder
    now: datetime
    secret: str
    known: tuple[dict[str, Any], ...]
    found: Any


_KEPT: dict[tuple[object, ...], _Kept] = {}


def laid_once(
    request: pytest.FixtureRequest, study: Study, make: Callable[[], T], *known: SimpleNamespace, kind: object = None
) -> T:
    """What `make` returns, for the fixture that asks. `known` are the namespaces that hold what was in the study
    before (`people`, `a_figure`): they are given the ids of the copy, as is what the test's study was begun with. A
    fixture that makes several says the `kind` of each."""
    path = study.store.path
    if path is None:
        return make()
    begun = [each for each in laid_in(request.node) if not any(each is one for one in known)]
    known = (*known, *begun)
    before = _rows(path)
    key = (request.path, request.fixturename, kind, "untrained" in request.fixturenames, len(begun), *before.items())
    kept = _KEPT.get(key)
    if kept is None:
        found = make()
        _KEPT[key] = _keep(study, path, known, found)
        return found
    _copy(kept, study, path, known)
    return deepcopy(kept.found)  # type: ignore[no-any-return]


def _rows(path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        counted = " UNION ALL ".join(f"SELECT '{name}', count(*) FROM \"{name}\"" for name in tables)
        return dict(connection.execute(counted))


def _keep(study: Study, path: Path, known: tuple[SimpleNamespace, ...], found: Any) -> _Kept:
    content = sqlite3.connect(":memory:", check_same_thread=False)
    with closing(sqlite3.connect(path)) as connection:
        connection.backup(content)
    files = {each.relative_to(path.parent): each.read_bytes() for each in _files(path)}
    everyone = tuple(deepcopy(vars(each)) for each in known)
    return _Kept(content, files, study.clock(), study.secret, everyone, deepcopy(found))


def _copy(kept: _Kept, study: Study, path: Path, known: tuple[SimpleNamespace, ...]) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        kept.content.backup(connection)
    for name, content in kept.files.items():
        place = path.parent / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            place.write_bytes(content)
    study.clock.now = kept.now  # type: ignore[attr-defined]
    object.__setattr__(study, "secret", kept.secret)
    for each, there in zip(known, kept.known, strict=True):
        vars(each).update(deepcopy(there))


def _files(path: Path) -> list[Path]:
    """All beside the study's own file: its files, and what is in the home of its test."""
    return [each for each in path.parent.rglob("*") if each.is_file() and not each.name.startswith(path.name)]
