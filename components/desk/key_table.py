"""The form of every desk's keys: one table for the handling of presses, the `?` sheet, the caption and the guide.

Each desk's `keys.py` has the table; `python docs/generate.py` writes its `key_table.js` and its section of the guide.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DeskKey:
    """A key of a desk. A press is a browser's key name with "Ctrl+" and "Shift+" in front (letters: Shift shows as the
    capital). A command without presses is done with the pointer or by typing."""

    section: str
    keys: str  # as shown to a person
    does: str
    command: str = ""  # its name in the desk's commands.js
    presses: tuple[str, ...] = ()
    repeats: bool = False  # repeated while the key is held


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyTable:
    """All keys of one desk."""

    label: str  # names their sheet for screen readers
    note: str = ""  # shown above them
    caption: tuple[tuple[str, str], ...] = ()  # the most used ones, (key, word), for the line below the desk
    keys: tuple[DeskKey, ...]
