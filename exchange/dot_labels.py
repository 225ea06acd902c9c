"""Labels of a DOT file: displayed names, and signs."""

from __future__ import annotations

import re

from core.errors import UnknownSign
from core.sign import parse_edge_sign
from exchange.dot_tokens import DotToken
from exchange.entities import unescaped

_ENTITY = re.compile(r"&(?:#\d+|#x[0-9A-Fa-f]+|[A-Za-z][A-Za-z0-9]*);")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_BREAKING = re.compile(r"<!--|</?(?:br|hr|vr|td|tr|table|img)\b", re.IGNORECASE)
_TAG = re.compile(r"<[^>]*+>?")
_MOST_PUT_IN = 2_000
_FIELD_MARK = re.compile(r"(?<!\\)[{}|]")


def shown(label: DotToken, id: str = "", title: str = "") -> str:
    """Return a label as displayed: without tags, escapes resolved, line breaks as spaces."""
    if label.kind == "html":
        markup = _breaks_as_spaces(label.text)
        closed = markup.rfind(">") + 1
        return unescaped(_TAG.sub("", markup[:closed]) + markup[closed:]).strip()
    return displayed(label.text, id, title)


def displayed(text: str, id: str = "", title: str = "") -> str:
    r"""Return a text with its escapes resolved: \n, \l and \r are spaces, \N is the node's id, \G the graph's; entities
    are read. Ids are inserted up to the length of any name or title; further escapes stay.

    >>> displayed(r"Net\nincome of \N &amp; sons", "firm")
    'Net income of firm & sons'
    """
    inserted = 0

    def escape(match: re.Match[str]) -> str:
        nonlocal inserted
        letter = match.group(1)
        if letter in "nlr":
            return " "
        if letter in "NG" and inserted <= _MOST_PUT_IN:
            named = displayed(id if letter == "N" else title) if id or title else match.group()
            inserted += len(named)
            return named
        return letter if letter in "\\{}|<> " else match.group()

    return _ENTITY.sub(lambda found: unescaped(found.group()), _ESCAPE.sub(escape, text))


def is_sign(label: str) -> bool:
    """Return True for a sign or the word None, which must not become a note; a bare 1 is a weight."""
    if label.strip().lower() in ("none", "mixed"):
        return True
    try:
        return label.strip() != "1" and (label.strip() == "?" or parse_edge_sign(label) is not None)
    except UnknownSign:
        return False


def sign_or_text(label: str) -> str:
    """Return the sign in one spelling, for comparison."""
    try:
        return str(parse_edge_sign(label))
    except UnknownSign:
        return label


def protected(name: str) -> str:
    """Return a name in which nothing is read as an entity (`&lt;`), as Graphviz does in every label.

    >>> protected("R&D &amp; more")
    'R&D &amp;amp; more'
    """
    return _ENTITY.sub(lambda found: f"&amp;{found.group()[1:]}", name)


def without_fields(label: str) -> str:
    closed = label.rfind(">") + 1
    *pieces, last = _TAG.split(label[:closed])
    return " ".join(_FIELD_MARK.sub(" ", piece) for piece in [*pieces, last + label[closed:]])


def _breaks_as_spaces(markup: str) -> str:
    """Return HTML with a space for each comment and each tag that breaks a line; unclosed ones stay."""
    last = {"-->": markup.rfind("-->"), ">": markup.rfind(">")}
    written, place = [], 0
    for match in _BREAKING.finditer(markup):
        mark = "-->" if match.group() == "<!--" else ">"
        if match.start() >= place and last[mark] >= match.end():
            written.append(markup[place : match.start()])
            place = markup.index(mark, match.end()) + len(mark)
    return " ".join([*written, markup[place:]])
