"""The form of every desk's keys: one table for what a press does, for the `?` sheet, for the caption and for the guide.

A room's `keys.py` says the table; `python docs/generate.py` writes its `key_table.js` and its section of the guide.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DeskKey:
    """`keys` as shown to a person, `does` in words; `command` is what the room's commands.js calls it, `presses` what
    does it, `repeats` whether it is done again while the key is held.

    A press is a browser's key name with "Ctrl+" and "Shift+" in front (letters: Shift shows as the capital). A command
    without presses is done with the pointer or by typing.
    """

    section: str
    keys: str
    does: str
    command: str = ""
    presses: tuple[str, ...] = ()
    repeats: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyTable:
    """All keys of one desk. `label` names their sheet for screen readers, `note` is said above them; `caption` are the
    most used ones, (key, word), for the line below the desk."""

    label: str
    note: str = ""
    caption: tuple[tuple[str, str], ...] = ()
    keys: tuple[DeskKey, ...]
