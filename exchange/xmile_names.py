r"""XMILE identifiers: how names are written and which spellings are one name (XMILE 1.0, section 3.2.2).

Capitals do not count, and spaces, underscores, no-break spaces and line breaks are one and the same. A name may
stand in double quotes; in it \" \\ and \n stand for a quote, a backslash and a line break, which is read as the
space it equals. Stella writes \n in names without quotes too.
"""

from __future__ import annotations

import re

from exchange.vensim_names import RESERVED, name_key

__all__ = ["BUILT_IN", "identifier", "name_attribute", "name_key", "plain_name"]

BUILT_IN = RESERVED | {"dt", "starttime", "stoptime", "pi"}
"""Keys of what every model has without declaring it (XMILE 1.0, section 3.5), and of what Vensim's models have."""

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPE = re.compile(r'\\(["\\n])')
_PLAIN = re.compile(r"[^\W\d_](?:[\w ]*[^\W_])?")


def plain_name(text: str) -> str:
    r"""The name a `name` attribute or an identifier stands for; its underscores are kept.

    >>> plain_name('"wom, multiplier"'), plain_name("Sales\\nForce")
    ('wom, multiplier', 'Sales Force')
    """
    stripped = text.strip()
    found = _QUOTED.fullmatch(stripped)
    return _ESCAPE.sub(_unescaped, found[1] if found else stripped)


def name_attribute(name: str) -> str:
    r"""The name as the value of a `name` attribute.

    >>> print(name_attribute('the "net" price'))
    the \"net\" price
    """
    return name.replace("\\", "\\\\").replace('"', '\\"')


def identifier(name: str) -> str:
    """The name as equations and connectors write it.

    >>> identifier("hare births"), identifier("births, deaths")
    ('hare_births', '"births,_deaths"')
    """
    joined = name.replace(" ", "_")
    return joined if _PLAIN.fullmatch(name) else f'"{name_attribute(joined)}"'


def _unescaped(found: re.Match[str]) -> str:
    return " " if found[1] == "n" else found[1]
