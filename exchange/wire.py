"""Values read from a file as lines of JSON, and back: the protocol of the child process that reads files. The types
of the values define the format: a dataclass is the list of its fields in order, a mapping the list of its pairs, an
error its name and message. Long tuples and mappings are on lines of their own, so that neither side needs much more
memory than the value, and decoding a line, which no other thread can interrupt, is short. Everything is checked
against its type: a child that read a hostile file is not trusted."""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from core.errors import (
    BadInput,
    BadRow,
    InvalidGraph,
    InvalidName,
    UnknownColumns,
    UnknownEncoding,
    UnknownSign,
    UnreadableFile,
)
from core.garbage import garbage_collection_off

PIECE = 250
"""Entries of a tuple or mapping per line; fewer if they are long."""
LONGEST_LINE = 1_000_000
_ON_LINES = "lines"
_ROWS = {kind.__name__: kind for kind in (BadRow, UnknownColumns)}
_ERRORS = {
    kind.__name__: kind for kind in (BadInput, InvalidGraph, InvalidName, UnknownSign, UnreadableFile, UnknownEncoding)
}
_ROW_FIELDS: tuple[tuple[str, type | tuple[type, ...]], ...] = (
    ("file", str),
    ("line", (int, type(None))),
    ("field", str),
    ("value", str),
    ("expected", str),
)

T = TypeVar("T", bound=Hashable)
Lines = list[bytes]
_Encode = Callable[[Any, Lines], Any]
_Decode = Callable[[Any, Lines], Any]


@garbage_collection_off()
def to_lines(kind: type[T], value: T) -> bytes:
    """Return a value of this type as lines of JSON; the last one is the value, earlier ones are parts of it."""
    lines: Lines = []
    encode, _ = _codec(kind)
    lines.append(_line(encode(value, lines)))
    return b"\n".join(lines)


@garbage_collection_off()
def from_lines(kind: type[T], content: bytes) -> T:
    """Return the value. Raises ValueError for anything but lines of this type."""
    lines = content.split(b"\n")
    _, decode = _codec(kind)
    try:
        value: T = decode(_parsed(lines[-1]), lines)
    except BadInput as error:  # a value that its own class refuses
        raise ValueError(str(error)) from None
    return value


def _line(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")  # halves of surrogate pairs are escaped


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except RecursionError:
        raise ValueError("a line is nested too deeply") from None


def _wrong(expected: str, value: object) -> ValueError:
    return ValueError(f"{expected} was expected, not {type(value).__name__}")


@cache
def _codec(kind: Any) -> tuple[_Encode, _Decode]:
    if kind is Any:
        return _as_it_is, _as_it_is
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _optional(arguments)
    if origin is tuple and arguments[1:] == (...,):
        return _several(arguments[0], tuple)
    if origin is frozenset:
        return _several(arguments[0], frozenset)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(*arguments)
    if kind in (str, int, bool, float, type(None)):
        return _plain(kind)
    if isinstance(kind, type) and issubclass(kind, BadInput):
        return _error(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum(kind)
    if is_dataclass(kind) and isinstance(kind, type):
        return _dataclass(kind)
    raise TypeError(f"{kind} has no form on the wire")


def _as_it_is(value: Any, _lines: Lines) -> Any:
    return value


def _plain(kind: type) -> tuple[_Encode, _Decode]:
    accepted = (int, float) if kind is float else (kind,)  # a place may be a whole number

    def checked(value: Any, _lines: Lines) -> Any:
        if type(value) not in accepted:
            raise _wrong(kind.__name__, value)
        return value

    return checked, checked


def _enum(kind: type[Enum]) -> tuple[_Encode, _Decode]:
    def encode(value: Any, _lines: Lines) -> Any:
        return value.value

    def decode(value: Any, _lines: Lines) -> Any:
        return kind(value)

    return encode, decode


def _optional(kinds: tuple[Any, ...]) -> tuple[_Encode, _Decode]:
    others = [kind for kind in kinds if kind is not type(None)]
    if len(others) != 1 or len(kinds) != 2:
        raise TypeError(f"of {kinds} one may be None and one other")
    encode_it, decode_it = _codec(others[0])

    def encode(value: Any, lines: Lines) -> Any:
        return None if value is None else encode_it(value, lines)

    def decode(value: Any, lines: Lines) -> Any:
        return None if value is None else decode_it(value, lines)

    return encode, decode


def _several(kind: Any, build: Callable[[list[Any]], Any]) -> tuple[_Encode, _Decode]:
    encode_one, decode_one = _codec(kind)

    def encode(value: Any, lines: Lines) -> Any:
        return _laid([encode_one(one, lines) for one in value], lines)

    def decode(value: Any, lines: Lines) -> Any:
        return build([decode_one(one, lines) for part in _parts(value, lines) for one in part])

    return encode, decode


def _mapping(key: Any, kind: Any) -> tuple[_Encode, _Decode]:
    (encode_key, decode_key), (encode_one, decode_one) = _codec(key), _codec(kind)

    def encode(value: Any, lines: Lines) -> Any:
        return _laid([[encode_key(name, lines), encode_one(one, lines)] for name, one in value.items()], lines)

    def decode(value: Any, lines: Lines) -> Any:
        pairs = (_list_of(pair, 2) for part in _parts(value, lines) for pair in part)
        return {decode_key(name, lines): decode_one(one, lines) for name, one in pairs}

    return encode, decode


def _dataclass(kind: type) -> tuple[_Encode, _Decode]:
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)]
    codecs = [_codec(hints[name]) for name in names]

    def encode(value: Any, lines: Lines) -> Any:
        return [one[0](getattr(value, name), lines) for name, one in zip(names, codecs, strict=True)]

    def decode(value: Any, lines: Lines) -> Any:
        parts = _list_of(value, len(names))
        values = (one[1](part, lines) for part, one in zip(parts, codecs, strict=True))
        return kind(**dict(zip(names, values, strict=True)))

    return encode, decode


def _error(kind: type[BadInput]) -> tuple[_Encode, _Decode]:
    def encode(value: Any, _lines: Lines) -> Any:
        name = next(each.__name__ for each in type(value).__mro__ if each.__name__ in {**_ROWS, **_ERRORS})
        if name in _ROWS:
            return [name, *(getattr(value, field) for field, _ in _ROW_FIELDS)]
        return [name, str(value)]

    def decode(value: Any, _lines: Lines) -> Any:
        name, *parts = _list_of(value)
        if type(name) is not str:
            raise _wrong("the name of an error", name)
        if name in _ROWS and issubclass(_ROWS[name], kind):
            for part, (field, expected_type) in zip(_list_of(parts, len(_ROW_FIELDS)), _ROW_FIELDS, strict=True):
                if not isinstance(part, expected_type) or isinstance(part, bool):
                    raise _wrong(field, part)
            return _ROWS[name](*parts)
        if name in _ERRORS and issubclass(_ERRORS[name], kind) and isinstance(_list_of(parts, 1)[0], str):
            return _ERRORS[name](parts[0])
        raise ValueError(f"{name!r} is not a known error")

    return encode, decode


def _laid(entries: list[Any], lines: Lines) -> Any:
    """Return few entries unchanged; many are moved to lines, and their line numbers returned."""
    if len(entries) <= PIECE:
        return entries
    first = len(lines)
    for start in range(0, len(entries), PIECE):
        _put(entries[start : start + PIECE], lines)
    return {_ON_LINES: [first, len(lines)]}


def _put(entries: list[Any], lines: Lines) -> None:
    line = _line(entries)
    if len(line) <= LONGEST_LINE or len(entries) == 1:
        lines.append(line)
        return
    middle = len(entries) // 2
    _put(entries[:middle], lines)
    _put(entries[middle:], lines)


def _parts(value: Any, lines: Lines) -> list[list[Any]] | Any:
    if not isinstance(value, dict):
        return [_list_of(value)]
    first, last = _list_of(value.get(_ON_LINES), 2)
    if not (type(first) is type(last) is int and 0 <= first <= last < len(lines)):
        raise ValueError("parts refer to lines that do not exist")
    return (_list_of(_parsed(line)) for line in lines[first:last])


def _list_of(value: Any, length: int | None = None) -> list[Any]:
    if type(value) is not list or (length is not None and len(value) != length):
        raise _wrong("a list" if length is None else f"a list of {length}", value)
    return value
