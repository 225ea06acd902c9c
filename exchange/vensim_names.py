"""Vensim's rules for names: quoting in a .mdl file, and which spellings are one variable. Vensim ignores case and
does not distinguish underscores from spaces (Vensim help, "Variable types" and "Rules for variable names"). A name
with other characters than letters, digits, spaces and underscores is in double quotes, in which a quote and a
backslash are escaped by a backslash, and backslash and n is a line break, read as a space."""

from __future__ import annotations

import re
import unicodedata

_ESCAPES = re.compile(r'\\(["\\n])')
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"(?=,|$)')

RESERVED = frozenset({"time", "final time", "initial time", "saveper", "time step"})
"""Keys of the variables that run a simulation. Vensim sets them itself, so one that is drawn as a shadow is no node."""
CLOCK = "time"
"""Key of the one that no model defines: it is never a node."""


def name_key(name: str) -> str:
    """Return the form in which Vensim's spellings of one variable are equal.

    >>> name_key("Expert_Time  per Task") == name_key("expert time per task")
    True
    """
    return re.sub(r"[\s_]+", " ", unicodedata.normalize("NFC", name)).strip().lower()


def quoted(name: str) -> str:
    """Return the name as written in a .mdl file.

    >>> quoted("Price"), quoted('Price, "net"')
    ('Price', '"Price, \\\\"net\\\\""')
    """
    if name[0].isalpha() and all(letter.isalnum() or letter in " _" for letter in name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def split_name(text: str) -> tuple[str, str] | None:
    """Return the name at the start of `text` without its quotes, and the text after its comma.

    None if a quote is opened and not closed before a comma.

    >>> split_name('"a, b",10,20'), split_name("a,10,20"), split_name('"a,10')
    (('a, b', '10,20'), ('a', '10,20'), None)
    """
    if not text.startswith('"'):
        name, _, rest = text.partition(",")
        return name, rest
    match = _QUOTED.match(text)
    if match is None:
        return None
    return _ESCAPES.sub(lambda escape: " " if escape[1] == "n" else escape[1], match[1]), text[match.end() + 1 :]


def without_brackets(name: str) -> str:
    """Return the variable of a shadow, which is shown as <name>.

    >>> without_brackets("<Price>"), without_brackets("<>")
    ('Price', '<>')
    """
    inner = name.strip()
    return inner[1:-1] if is_bracketed(inner) else name


def is_bracketed(name: str) -> bool:
    return len(name) > 2 and name[0] == "<" and name[-1] == ">" and bool(name[1:-1].strip())
