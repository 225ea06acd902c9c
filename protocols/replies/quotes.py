"""Passages that a judge copied into its reply, read from possibly invalid YAML or JSON. Papers contain quotation marks,
backslashes and number signs, and models copy them unescaped. So a backslash is an escape only where it cannot be part
of a formula, and `#` begins no comment."""

from __future__ import annotations

import re
import textwrap

COUNTERPARTS, EVIDENCE = "counterparts", "evidence"

_BLOCK_SCALAR = re.compile(r"([|>])[-+0-9]{0,2}[ \t]*+(?:#[^\n]*+)?(?:\n|\Z)")
_BETWEEN_QUOTED = re.compile(r"""(?<=[^\\]["'])\s{0,20},\s{0,20}(?=["'])""")
_QUOTES = ('"', "'")
_DASH = re.compile(r"^([ \t]*+)-(?:[ \t]++|$)", re.MULTILINE)
_COMMENT = re.compile(r"""(?<=["'])\s++#[^"'\n]*+\Z""")
_LATEX = (
    "nu|nabla|ne|neq|neg|not|notin|nleq|theta|tau|tan|tanh|text[a-z]{0,9}|tfrac|tilde|times|to|top|triangle[a-z]{0,9}"
)
_ESCAPE = re.compile(rf"""((?:\\u[0-9a-fA-F]{{4}}){{1,20}})|\\(?:(["'\\/])|(?!(?:{_LATEX})(?![a-z]))([nt]))""")
_NAMED = {"n": "\n", "t": "\t"}


def read_quotes(raw: str) -> list[str]:
    """Return the passages after the key `evidence`: a list in brackets or of dashes, or one text.

    >>> read_quotes('["the "net" price", "$\\\\beta$ falls"]')
    ['the "net" price', '$\\\\beta$ falls']
    """
    text = raw.strip()
    if text.startswith("["):
        body = text[1:]
        end = body.rfind("]")
        body = (body[:end] if end >= 0 else body).strip()
        # Quotes at both ends: all passages are quoted, perhaps with unescaped quotes and commas inside.
        is_quoted = body.startswith(_QUOTES) and body.endswith(_QUOTES)
        parts = _BETWEEN_QUOTED.split(body) if is_quoted else _split_items(body)
    elif first := _DASH.match(lines := raw.lstrip("\n")):
        starts = [dash for dash in _DASH.finditer(lines) if dash[1] == first[1]]
        ends = [dash.start() for dash in starts[1:]] + [len(lines)]
        parts = [lines[dash.end() : end] for dash, end in zip(starts, ends, strict=True)]
    else:
        parts = [raw]
    return [quote for part in parts if (quote := _read_scalar(part))]


def _split_items(body: str) -> list[str]:
    """Split a list of quoted and bare passages at its commas, but not inside a quoted passage."""
    pieces = body.split(",")
    ends = [piece.rstrip()[-1:] for piece in pieces]
    last = {quote: max((place for place, end in enumerate(ends) if end == quote), default=-1) for quote in _QUOTES}
    items, start = list[str](), 0
    while start < len(pieces):
        end, quote = start, pieces[start].lstrip()[:1]
        while end < last.get(quote, -1) and (ends[end] != quote or pieces[end].strip() == quote):
            end += 1
        items.append(",".join(pieces[start : end + 1]))
        start = end + 1
    return items


def _read_scalar(part: str) -> str:
    scalar = _BLOCK_SCALAR.match(part.lstrip(" \t"))
    if scalar is not None:
        lines = textwrap.dedent(part.lstrip(" \t")[scalar.end() :]).strip("\n")
        return (lines if scalar[1] == "|" else _fold(lines)).rstrip()
    text = part.strip()
    quote = text[:1]
    if quote in ('"', "'") and len(text) > 1:
        text = _COMMENT.sub("", text)
        inner = text[1:-1] if text.endswith(quote) else text[1:]
        inner = _fold(inner)
        return inner.replace("''", "'") if quote == "'" else _ESCAPE.sub(_unescape, inner)
    return _fold(text)


def _unescape(escape: re.Match[str]) -> str:
    codes, mark, name = escape.groups()
    if not codes:
        return mark or _NAMED[name]
    units = bytes.fromhex(codes.replace("\\u", ""))
    return units.decode("utf-16-be", "replace")


def _fold(text: str) -> str:
    """Fold line breaks as YAML does: one becomes a space, further ones stay."""
    folded, blank = "", 0
    for number, line in enumerate(text.split("\n")):
        if number and not line.strip(" \t"):
            blank += 1
            continue
        between = ("\n" * blank or " ") if number else ""
        folded, blank = folded + between + line.strip(" \t"), 0
    return folded.strip()
