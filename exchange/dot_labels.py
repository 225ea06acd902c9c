"""What the labels of a DOT file say: names as they are seen, and signs."""

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
    """A label as it is seen: without tags, escapes done, line breaks as spaces."""
    if label.kind == "html":
        return unescaped(_without_tags(_breaks_as_spaces(label.text))).strip()
    return displayed(label.text, id, title)


def displayed(text: str, id: str = "", title: str = "") -> str:
    r"""A text with its escapes done: \n, \l and \r are spaces, \N is the node's id, \G the graph's; entities are read.
    Ids go in until they make up more than any name or title may have; what is left of them stays as it is.

    >>> displayed(r"Net\nincome of \N &amp; sons", "firm")
    'Net income of firm & sons'
    """
    put_in = 0

    def escape(found: re.Match[str]) -> str:
        nonlocal put_in
        letter = found.group(1)
        if letter in "nlr":
            return " "
        if letter in "NG" and put_in <= _MOST_PUT_IN:
            named = displayed(id if letter == "N" else title) if id or title else found.group()
            put_in += len(named)
            return named
        return letter if letter in "\\{}|<> " else found.group()

    return _ENTITY.sub(lambda found: unescaped(found.group()), _ESCAPE.sub(escape, text))


def is_sign(label: str) -> bool:
    """Whether a label is a sign, or the word None, which must not pass for a note; a bare 1 is a weight."""
    if label.strip().lower() in ("none", "mixed"):
        return True
    try:
        return label.strip() != "1" and (label.strip() == "?" or parse_edge_sign(label) is not None)
    except UnknownSign:
        return False


def sign_or_text(label: str) -> str:
    """The sign in one spelling, to compare labels."""
    try:
        return str(parse_edge_sign(label))
    except UnknownSign:
        return label


def protected(name: str) -> str:
    """A name in which no piece is taken for an entity (`&lt;`), as Graphviz does in every label.

    >>> protected("R&D &amp; more")
    'R&D &amp;amp; more'
    """
    return _ENTITY.sub(lambda found: f"&amp;{found.group()[1:]}", name)


def without_fields(label: str) -> str:
    """A record's label without its ports and the marks between its fields."""
    closed = label.rfind(">") + 1
    *pieces, last = _TAG.split(label[:closed])
    return " ".join(_FIELD_MARK.sub(" ", piece) for piece in [*pieces, last + label[closed:]])


def _breaks_as_spaces(markup: str) -> str:
    """HTML with a space for each comment and each tag that breaks a line; what is never closed stays."""
    last = {"-->": markup.rfind("-->"), ">": markup.rfind(">")}
    written, place = [], 0
    for found in _BREAKING.finditer(markup):
        mark = "-->" if found.group() == "<!--" else ">"
        if found.start() >= place and last[mark] >= found.end():
            written.append(markup[place : found.start()])
            place = markup.index(mark, found.end()) + len(mark)
    return " ".join([*written, markup[place:]])


def _without_tags(markup: str) -> str:
    closed = markup.rfind(">") + 1
    return _TAG.sub("", markup[:closed]) + markup[closed:]
