"""The types that scripts declare of what crosses from and to Python (`types.d.ts`), compared with real values.

A declaration is read as far as such values need: objects, lists, tuples, unions, `&`, `Record` and literals. Anything
else is refused by name, so that a declaration cannot be passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMPONENTS = Path(__file__).resolve().parents[2] / "components"
_TOKEN = re.compile(r'\s+|(/\*.*?\*/|//[^\n]*)|("[^"]*"|\w+|[^\s\w])', re.DOTALL)
_PLAIN: Mapping[str, type | tuple[type, ...]] = {"string": str, "number": (int, float), "boolean": bool}


@dataclass(frozen=True)
class Plain:
    """string, number, boolean or null."""

    name: str


@dataclass(frozen=True)
class Literal:
    text: str


@dataclass(frozen=True)
class Fields:
    """name -> (type, whether it may be missing); `is_open`: any others may be there."""

    of: dict[str, tuple[Any, bool]]
    is_open: bool


@dataclass(frozen=True)
class Many:
    """A list, or a Record (`is_named`), of one type."""

    each: Any
    is_named: bool


@dataclass(frozen=True)
class Row:
    """A tuple."""

    of: tuple[Any, ...]


@dataclass(frozen=True)
class Either:
    of: tuple[Any, ...]


def unlike(room: str, name: str, *given: object) -> list[str]:
    """Where the values `given` differ from the type `name` of a room, and what of it none of them shows."""
    kind, found, shown = declared(room, name), [], dict[str, bool]()
    for value in given:
        found += _unlike(kind, json.loads(json.dumps(value)), name, shown)  # as it crosses: a tuple becomes a list
    return found + [f"{where}: always empty" for where, is_shown in shown.items() if not is_shown]


def fields_of(room: str, name: str, field: str) -> set[str]:
    """The names of the fields of an object that a type has under `field`."""
    return set(declared(room, name).of[field][0].of)


class Noted(Mapping[str, Any]):
    """What a browser sent, which notes the fields that are read of it."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data, self.read = data, set[str]()

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return self._data[name]

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("Fields are read by name.")

    def __len__(self) -> int:
        return len(self._data)


def fields_read(read: Callable[[Noted], object], data: Mapping[str, Any]) -> set[str]:
    noted = Noted(data)
    read(noted)
    return noted.read


def declared(room: str, name: str) -> Any:
    return _Reader(COMPONENTS / room / "types.d.ts", name).type()


class _Reader:
    """Reads one declaration of a file."""

    def __init__(self, path: Path, name: str) -> None:
        self._path, self._text = path, path.read_text(encoding="utf-8")
        self._tokens = self._of(name)
        self._at = 0

    def _of(self, name: str) -> list[str]:
        found = re.search(
            rf"^export type {name} =(.*?);$(?=\n\n|\n(?:export|//|/\*)|\Z)", self._text + "\n", re.M | re.S
        )
        assert found is not None, f"{self._path.parent.name}/types.d.ts declares no {name}"
        return [each[2] for each in _TOKEN.finditer(found[1]) if each[2]]

    def _next(self, *wanted: str) -> bool:
        is_it = self._tokens[self._at : self._at + len(wanted)] == list(wanted)
        self._at += len(wanted) if is_it else 0
        return is_it

    def _take(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]

    def type(self) -> Any:
        self._next("|")
        found = [self._both()]
        while self._next("|"):
            found.append(self._both())
        return found[0] if len(found) == 1 else Either(tuple(found))

    def _both(self) -> Any:
        found = [self._listed()]
        while self._next("&"):
            found.append(self._listed())
        if len(found) == 1:
            return found[0]
        assert all(isinstance(each, Fields) for each in found), "& joins objects only"
        of = {name: field for each in found for name, field in each.of.items()}
        return Fields(of, any(each.is_open for each in found))

    def _listed(self) -> Any:
        found = self._single()
        while self._next("[", "]"):
            found = Many(found, is_named=False)
        return found

    def _single(self) -> Any:
        token = self._take()
        if token == "{":
            return self._fields()
        if token == "[":
            of = [self.type()]
            while self._next(","):
                of.append(self.type())
            assert self._next("]")
            return Row(tuple(of))
        if token.startswith('"'):
            return Literal(token[1:-1])
        if token in (*_PLAIN, "null"):
            return Plain(token)
        if token == "Record":
            assert self._next("<", "string", ","), "a Record is by strings"
            each = self.type()
            assert self._next(">")
            return Many(each, is_named=True)
        assert re.fullmatch(r"[A-Z]\w*", token), f"{token!r} is no type that is read here"
        taken = re.search(rf'^import type \{{[^}}]*\b{token}\b[^}}]*\}} from "([^"]+)";$', self._text, re.MULTILINE)
        return _Reader(self._path.parent / taken[1] if taken else self._path, token).type()

    def _fields(self) -> Fields:
        of: dict[str, tuple[Any, bool]] = {}
        is_open = False
        while not self._next("}"):
            if self._next("["):
                self._take()
                is_open = self._next(":", "string", "]", ":", "any", ";") or self._next(":", "string", "]", ":", "any")
                assert is_open, "only fields of any kind are open"
                continue
            name, may_miss = self._take(), self._next("?")
            assert self._next(":"), f"{name!r} is no field that is read here"
            of[name] = (self.type(), may_miss)
            self._next(";")
        return Fields(of, is_open)


def _unlike(kind: Any, value: Any, where: str, shown: dict[str, bool]) -> list[str]:
    """shown: for each list, and each place that may be null, whether a value had something there."""
    match kind:
        case Plain(name) if _is_plain(value, name):
            return []
        case Literal(text) if value == text:
            return []
        case Fields() if isinstance(value, dict):
            return _unlike_fields(kind, value, where, shown)
        case Many(each, is_named) if isinstance(value, dict if is_named else list):
            shown[where] = shown.get(where, False) or len(value) > 0
            items = value.values() if is_named else value
            return [fault for item in items for fault in _unlike(each, item, f"{where}[]", shown)]
        case Row(of) if isinstance(value, list) and len(value) == len(of):
            pairs = enumerate(zip(of, value, strict=True))
            return [fault for place, (each, item) in pairs for fault in _unlike(each, item, f"{where}[{place}]", shown)]
        case Either(of):
            if Plain("null") in of:
                shown[where] = shown.get(where, False) or value not in (None, [], {})
            tried = [_unlike(each, value, where, shown) for each in of]
            if [] in tried:
                return []
            deeper = [faults for faults in tried if not any(fault.startswith(f"{where}: ") for fault in faults)]
            if deeper:
                return min(deeper, key=len)
    return [f"{where}: {value!r} is not {_told(kind)}"]


def _is_plain(value: Any, name: str) -> bool:
    if name == "null":
        return value is None
    return isinstance(value, _PLAIN[name]) and (name == "boolean") == isinstance(value, bool)


def _unlike_fields(fields: Fields, value: dict[str, Any], where: str, shown: dict[str, bool]) -> list[str]:
    found = [f"{where}.{name}: not declared" for name in value if not fields.is_open and name not in fields.of]
    for name, (kind, may_miss) in fields.of.items():
        if may_miss:
            shown[f"{where}.{name}"] = shown.get(f"{where}.{name}", False) or name in value
        if name in value:
            found += _unlike(kind, value[name], f"{where}.{name}", shown)
        elif not may_miss:
            found.append(f"{where}.{name}: declared and not given")
    return found


def _told(kind: Any) -> str:
    match kind:
        case Plain(name):
            return name
        case Literal(text):
            return f'"{text}"'
        case Either(of):
            return " | ".join(_told(each) for each in of)
    return type(kind).__name__.lower()
