"""JSON documents and JSON lines from files or standard input; errors name line and field."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cli.files.files import content_of, name_of
from core.errors import BadInput, BadRow, UnreadableFile


def read_json(file: Path) -> Any:
    """Return the document of a file, or of standard input for `-`. Raises UnreadableFile if it is none."""
    return document_of(content_of(file), name_of(file))


def document_of(content: bytes, shown: str) -> Any:
    return _parsed(_text(content, shown), shown, 1)


def read_json_lines(file: Path) -> list[tuple[int, dict[str, Any]]]:
    """Return line number and object of every line that is not blank. Raises UnreadableFile, and BadInput naming
    every line that is no object."""
    shown = name_of(file)
    rows: list[tuple[int, dict[str, Any]]] = []
    faults: list[BadRow] = []
    for number, line in enumerate(
        _text(content_of(file), shown).split("\n"), 1
    ):  # splitlines would cut at U+2028 inside a text
        if not line.strip():
            continue
        try:
            value = _parsed(line, shown, number)
        except BadRow as fault:
            faults.append(fault)
            continue
        if isinstance(value, dict):
            rows.append((number, value))
        else:
            faults.append(BadRow(shown, number, "", shortened(value), "expected a JSON object, one per line"))
    refuse(faults)
    return rows


def refuse(faults: Sequence[BadRow]) -> None:
    """Raise BadInput with every fault on its own line, if there are any."""
    if faults:
        raise BadInput("\n".join(map(str, faults)))


def object_of(value: object, where: str, shown: str) -> Mapping[str, Any]:
    """Return the value as a JSON object. Raises BadRow."""
    if not isinstance(value, dict):
        raise BadRow(shown, None, where, shortened(value), "expected a JSON object")
    return value


def list_of(value: object, where: str, shown: str) -> list[Any]:
    """Return the value as a JSON list. Raises BadRow."""
    if not isinstance(value, list):
        raise BadRow(shown, None, where, shortened(value), "expected a JSON list")
    return value


def shortened(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _text(content: bytes, shown: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"{shown} is not UTF-8 (byte {error.start:,}); JSON files are in UTF-8.") from None


def _parsed(text: str, shown: str, line: int) -> Any:
    try:
        value = json.loads(text)
        if "\\ud" in text.lower():
            json.dumps(value, ensure_ascii=False).encode()  # a lone surrogate can be read, but not written
        return value
    except UnicodeEncodeError:
        raise BadRow(shown, line, "", "", "it contains half of a surrogate pair, which is not a character") from None
    except json.JSONDecodeError as error:
        raise BadRow(
            shown, line + error.lineno - 1, "", "", f"it is not JSON: {error.msg} at column {error.colno}"
        ) from None
    except (RecursionError, ValueError):
        raise BadRow(shown, line, "", "", "it is nested too deeply, or contains a number too long to read") from None
