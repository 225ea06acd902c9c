r"""XMILE identifiers: how names are written and which spellings are one name (XMILE 1.0, section 3.2.2).

Case is ignored, and spaces, underscores, no-break spaces and line breaks are equal. A name may be in double quotes; in
it, \" \\ and \n are a quote, a backslash and a line break, which is read as a space. Stella also writes \n in names
without quotes.
"""

from __future__ import annotations

import re

from exchange.vensim_names import RESERVED, name_key

__all__ = ["BUILT_IN", "identifier", "name_attribute", "name_key", "plain_name"]

BUILT_IN = RESERVED | {"dt", "starttime", "stoptime", "pi"}
"""Keys of XMILE's undeclared built-ins (XMILE 1.0, section 3.5), and of Vensim's."""

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPE = re.compile(r'\\(["\\n])')
_PLAIN = re.compile(r"[^\W\d_](?:[\w ]*[^\W_])?")


def plain_name(text: str) -> str:
    r"""Return the name of a `name` attribute or an identifier, with its underscores.

    >>> plain_name('"wom, multiplier"'), plain_name("Sales\\nForce")
    ('wom, multiplier', 'Sales Force')
    """
    stripped = text.strip()
    match = _QUOTED.fullmatch(stripped)
    return _ESCAPE.sub(lambda escape: " " if escape[1] == "n" else escape[1], match[1] if match else stripped)


def name_attribute(name: str) -> str:
    r"""Return the name as the value of a `name` attribute.

    >>> print(name_attribute('the "net" price'))
    the \"net\" price
    """
    return name.replace("\\", "\\\\").replace('"', '\\"')


def identifier(name: str) -> str:
    """Return the name as equations and connectors write it.

    >>> identifier("hare births"), identifier("births, deaths")
    ('hare_births', '"births,_deaths"')
    """
    joined = name.replace(" ", "_")
    return joined if _PLAIN.fullmatch(name) else f'"{name_attribute(joined)}"'
