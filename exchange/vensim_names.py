"""Vensim's rules for names: how they are quoted in a .mdl file and when two spellings are one variable.

Vensim does not tell upper from lower case, nor an underscore from a space (Vensim help, "Variable types" and
"Rules for variable names"). A name that is not letters, digits, spaces and underscores stands in double quotes,
in which a quote and a backslash have a backslash before them, and backslash and n is a line break, read as a space.
"""

from __future__ import annotations

import re
import unicodedata

_ESCAPES = re.compile(r'\\(["\\n])')
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"(?=,|$)')

RESERVED = frozenset({"time", "final time", "initial time", "saveper", "time step"})
"""Keys of the variables that run a simulation. Vensim sets them itself, so one that is drawn as a shadow is no node."""
CLOCK = "time"
"""The key of the one among them that no model defines: it is never a node."""


def name_key(name: str) -> str:
    """The form in which Vensim's spellings of one variable are equal.

    >>> name_key("Expert_Time  per Task") == name_key("expert time per task")
    True
    """
    return re.sub(r"[\s_]+", " ", unicodedata.normalize("NFC", name)).strip().lower()


def quoted(name: str) -> str:
    """The name as a .mdl file holds it.

    >>> quoted("Price"), quoted('Price, "net"')
    ('Price', '"Price, \\\\"net\\\\""')
    """
    if name[0].isalpha() and all(letter.isalnum() or letter in " _" for letter in name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def split_name(text: str) -> tuple[str, str] | None:
    """The name at the beginning of `text` without its quotes, and what follows its comma.

    None if a quote is opened and not closed before a comma.

    >>> split_name('"a, b",10,20'), split_name("a,10,20"), split_name('"a,10')
    (('a, b', '10,20'), ('a', '10,20'), None)
    """
    if not text.startswith('"'):
        name, _, rest = text.partition(",")
        return name, rest
    found = _QUOTED.match(text)
    if found is None:
        return None
    return _ESCAPES.sub(_unescaped, found[1]), text[found.end() + 1 :]


def without_brackets(name: str) -> str:
    """A shadow variable is shown as <name>; the variable it stands for.

    >>> without_brackets("<Price>"), without_brackets("<>")
    ('Price', '<>')
    """
    inner = name.strip()
    return inner[1:-1] if is_bracketed(inner) else name


def is_bracketed(name: str) -> bool:
    return len(name) > 2 and name[0] == "<" and name[-1] == ">" and bool(name[1:-1].strip())


def _unescaped(found: re.Match[str]) -> str:
    return " " if found[1] == "n" else found[1]
