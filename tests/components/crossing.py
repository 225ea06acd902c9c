"""What crosses from and to Python, written as TypeScript: `tsc` compares it with what scripts declare of it.

Each room's `test_types.py` has `samples()`: a type of a `types.d.ts`, with its room, and a value. `make check` writes
them to `build/crossing.ts` (`python -m tests.components.crossing`), as literals: of a literal `tsc` refuses fields that
are not declared, too. What it would let pass is closed: a part declared as anything, and one that may be missing.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

HERE = Path(__file__).resolve().parent
WRITTEN = HERE.parents[1] / "build" / "crossing.ts"
POSTED = {"answered": 1, "unsaved": 0}
Sample = tuple[str, object]

# An act in an outbox is open by intent: its further fields are those of its kind, which `…Acts` declares.
_COMPARING = """
type Closed<T> = unknown extends T
  ? "declared as anything"
  : T extends desk.Act
    ? T
    : T extends object
      ? { [Part in keyof T]-?: Closed<T[Part]> }
      : T;
declare function crosses<T>(value: Closed<T>): void;

// @ts-expect-error: declared as anything
crosses<{ parts: any[] }>({ parts: [1] });
// @ts-expect-error: declared, and not given
crosses<{ part?: number }>({});
// @ts-expect-error: given, and not declared
crosses<{ part: number }>({ part: 1, other: 1 });
"""


@dataclass(frozen=True)
class Mounted:
    """What a component is mounted with: its data, and the states whose changes the page takes."""

    data: Any
    states: frozenset[str]

    def told(self, **values: object) -> dict[str, object]:
        """The states with their values, of which none may be missing."""
        return {name: values[name] for name in sorted(self.states)}


def mounted(module: ModuleType, name: str, place: Callable[[], object], returned: object = None) -> Mounted:
    """What `place` mounts the component `name` of a module with."""
    with patch.object(module, name, return_value=returned) as mount:
        place()
    given = mount.call_args.kwargs
    taken = (re.fullmatch(r"on_(\w+)_change", each) for each in given)
    return Mounted(given["data"], frozenset(found[1] for found in taken if found))


def always_empty(samples: Iterable[Sample]) -> list[str]:
    """The places where no sample has anything, so that what is declared of them is compared with nothing."""
    shown: dict[str, bool] = {}
    for kind, value in samples:
        for where, is_shown in _places(kind, value):
            shown[where] = shown.get(where, False) or is_shown
    return [where for where, is_shown in shown.items() if not is_shown]


def _places(where: str, value: Any) -> Iterator[tuple[str, bool]]:
    is_act_alone = value == {} and re.search(r"Acts\.\w+$", where) is not None
    yield where, is_act_alone or value not in (None, (), [], {})
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _places(f"{where}.{name}", part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _places(f"{where}[]", part)


def as_typescript(rooms: Mapping[str, Iterable[Sample]]) -> str:
    lines = ["// What `python -m tests.components.crossing` wrote, for `make check`."]
    lines += [f'import type * as {room} from "../components/{room}/types.d.ts";' for room in rooms]
    lines += [_COMPARING]
    for samples in rooms.values():
        lines += [f"crosses<{kind}>({json.dumps(value, indent=2, allow_nan=False)});" for kind, value in samples]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    logging.disable(logging.WARNING)  # Streamlit warns that no app runs
    rooms = [path.parent.name for path in sorted(HERE.glob("*/test_types.py"))]
    WRITTEN.parent.mkdir(exist_ok=True)
    WRITTEN.write_text(
        as_typescript({room: import_module(f"tests.components.{room}.test_types").samples() for room in rooms}),
        encoding="utf-8",
    )
