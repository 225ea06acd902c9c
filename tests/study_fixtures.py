"""Studies as most tests begin them, on SQLite: opened once, with the people of `people` and the figure of `a_figure`
where a test asks for them. Each kind is made once a worker, by the same calls; a further test gets a copy of its bytes.

Opening a new study, laying down eight people and a figure took twenty milliseconds of each of some thousand tests.
Every copy has a secret and ids of its own: all ids of a kind begin alike, since they were made within the same minute,
and another beginning of the same length keeps their order, and so the order of all indexes.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.people import Viewer
from services import study as studies
from services.study import Study

LAID = {"people": pytest.StashKey[SimpleNamespace](), "a_figure": pytest.StashKey[SimpleNamespace]()}
"""What a test's study was begun with, by the fixture that gives it."""
SHARED = len("01a21c04-")
"""So much of an id says when it was made, to 65 seconds."""
COPIES = count(1)


@dataclass(frozen=True)
class Begun:
    content: bytes
    files: dict[Path, bytes]  # beside the study, by path
    secret: str
    shared: str  # how all ids begin
    found: tuple[SimpleNamespace, ...]


_MADE: dict[tuple[object, ...], Begun] = {}


def begun(
    kind: tuple[object, ...], new_folder: Callable[[], Path], make: Callable[[Path], tuple[Study, tuple[Any, ...]]]
) -> Begun:
    """The study of that kind. `make` opens one in a new folder, and returns it with the namespaces of what it holds."""
    while kind not in _MADE:
        folder = new_folder()
        study, found = make(folder)
        secret, path = study.secret, study.store.path
        study.close()
        assert path is not None
        files = {each.relative_to(folder): each.read_bytes() for each in folder.rglob("*") if each.is_file()}
        content = files.pop(path.relative_to(folder))
        shared = {each[:SHARED] for each in _ids(found)}
        if len(shared) <= 1:
            _MADE[kind] = Begun(content, files, secret, next(iter(shared), ""), found)
    return _MADE[kind]


def copy_begun(kept: Begun, path: Path) -> tuple[SimpleNamespace, ...]:
    """Put a copy at the path; returns what it holds."""
    content = kept.content.replace(kept.secret.encode(), secrets.token_hex(32).encode())
    own = f"{next(COPIES):08x}-"
    if kept.shared:
        content = content.replace(kept.shared.encode(), own.encode())
    path.write_bytes(content)
    for name, held in kept.files.items():
        place = path.parent / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(held)
    return tuple(
        SimpleNamespace(**{name: _renamed(one, own) for name, one in vars(each).items()}) for each in kept.found
    )


def open_begun(path: Path, home: Path, clock: Callable[[], Any]) -> Study:
    """Open it, whose tables are known to be this version's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(studies, "migrate", lambda store: None)
        return studies.open_study(str(path), home, clock=clock)


def laid_in(node: pytest.Item) -> list[SimpleNamespace]:
    """What the test's study was begun with."""
    return [node.stash[key] for key in LAID.values() if key in node.stash]


def _ids(found: tuple[SimpleNamespace, ...]) -> list[str]:
    values = [value for each in found for value in vars(each).values()]
    viewers = [value for value in values if isinstance(value, Viewer)]
    texts = [value for value in values if isinstance(value, str) and "-" in value[:SHARED]]
    return [*texts, *(each.person_id for each in viewers), *(each.session_id for each in viewers)]


def _renamed(value: Any, own: str) -> Any:
    if isinstance(value, Viewer):
        return replace(value, person_id=own + value.person_id[SHARED:], session_id=own + value.session_id[SHARED:])
    return own + value[SHARED:] if "-" in value[:SHARED] else value
