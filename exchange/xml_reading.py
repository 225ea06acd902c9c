"""Untrusted XML read safely, each element with its line; and XML written reproducibly. No document types, no
entities, no network access (defusedxml); at most 20 MB, 500,000 elements, 64 levels. Namespaces are ignored, so that
an undeclared prefix, as some converters write, is only reported."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder
from xml.parsers import expat
from xml.parsers.expat.errors import codes as _CODES  # noqa: N812  a table of constants, named like one

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from core.errors import BadInput, BadRow, UnknownEncoding, UnreadableFile
from core.words import quoted
from exchange.decode import decode_text

__all__ = [
    "Element",
    "attribute",
    "children",
    "descendants",
    "escaped_controls",
    "find",
    "line_of",
    "local",
    "parse_xml",
    "prefix_notice",
    "restored_controls",
    "text_of",
    "xml_bytes",
]

MOST_BYTES = 20_000_000
"""The largest graph measured (223 nodes) has 0.1 MB; reading 20 MB takes about 10 s."""
MOST_ELEMENTS = 500_000
DEEPEST = 64
"""Nested elements; GraphML has four, a drawing inside it about ten."""

_DECLARATION = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z][\w.:-]*)["']""")
_NOT_FOR_XML = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"})
"""Python codecs that no genuine XML file uses; some take quadratic time."""
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_WEB_PAGE = re.compile(r"\s*<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE)

_CODE_OF = {message: _CODES[message] for message in _CODES}
_UNFINISHED = frozenset(
    _CODE_OF[message] for message in ("no element found", "unclosed token", "unclosed CDATA section")
)
_REASONS = {
    "not well-formed (invalid token)": "broken markup; in text and values, & is written &amp; and < is written &lt;",
    "syntax error": "there is text where a <tag> must be; an XML file begins with <",
    "undefined entity": "an entity that XML does not know (such as &nbsp;); write the character itself",
    "junk after document element": "something follows the end of the document; remove it",
    "duplicate attribute": "an attribute is listed twice in one element; remove one",
    "XML or text declaration not at start of entity": "the <?xml …?> line must be the very first thing in the file",
    "reference to invalid character number": "a character that XML does not allow; remove it",
}
_REASON_OF = {_CODE_OF[message]: reason for message, reason in _REASONS.items()}


def parse_xml(content: bytes, filename: str) -> Element:
    """Return the root element of an XML file; `line_of` returns the line of each of its elements. The encoding is
    that of the byte order mark, else of the XML declaration, else UTF-8 (or unmarked UTF-16). Raises UnreadableFile
    if the file is empty, too large, not text, or a web page; BadRow with line and column if it is not well-formed,
    in another encoding, nested too deep, or has a document type or an entity."""
    if len(content) > MOST_BYTES:
        size = f"{len(content) / 1e6:.0f} MB"
        raise UnreadableFile(f"{filename} has {size}; XML is read up to {MOST_BYTES // 1_000_000} MB.")
    text = _decoded(content, filename)
    if _WEB_PAGE.match(text):
        raise _web_page(filename)
    parser = _LinedParser(filename)
    try:
        parser.feed(text.encode("utf-8"))
        root: Element = parser.close()
    except DefusedXmlException:
        raise parser.refused("a document type or entity is not allowed; remove it") from None
    except ParseError as error:
        raise parser.broken(error) from None
    return root


def line_of(element: Element) -> int | None:
    """Return the line (1-based) on which an element of `parse_xml` starts; None for an element made in memory."""
    return element.line if isinstance(element, _LinedElement) else None


def local(tag: str) -> str:
    """Return a tag or attribute name without its prefix.

    >>> local("viz:position")
    'position'
    """
    return tag.rpartition(":")[2]


def prefix_notice(root: Element) -> tuple[str, ...]:
    """Return the notice of undeclared prefixes in a file of `parse_xml`; none if it declares all."""
    unbound = root.unbound if isinstance(root, _LinedElement) else {}
    return (f"Prefixes that no xmlns declares were read like any other: {', '.join(unbound)}.",) if unbound else ()


def children(element: Element, *names: str) -> Iterator[Element]:
    """Yield the direct children whose local name is one of `names`, in order; all without names."""
    return (child for child in element if not names or local(child.tag) in names)


def find(element: Element, name: str) -> Element | None:
    return next(children(element, name), None)


def descendants(element: Element, *names: str) -> Iterator[Element]:
    """Yield every descendant whose local name is one of `names`, in order."""
    return (inner for inner in element.iter() if inner is not element and local(inner.tag) in names)


def attribute(element: Element, name: str) -> str | None:
    """Return an attribute by its local name, with any prefix; None if it is missing. The plain name takes
    precedence."""
    if name in element.attrib:
        return element.attrib[name]
    return next((value for key, value in element.attrib.items() if local(key) == name), None)


def text_of(element: Element) -> str:
    return "".join(element.itertext())


def xml_bytes(root: Element) -> bytes:
    """Return the tree as UTF-8 with two spaces of indentation; the same tree gives the same bytes and is read back
    exactly. Names are written unchanged ("viz:position"): prefixes and their xmlns attributes are the caller's.
    Raises BadInput naming the element if a text or value contains a character that XML cannot; see
    `escaped_controls`."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>\n']
    _write(root, "\n", lines)
    return "".join([*lines, "\n"]).encode("utf-8")


def escaped_controls(text: str) -> str:
    """Return the text with each character that XML 1.0 cannot contain as _xHHHH_, as in Excel's files.

    An underscore that would start such an escape becomes _x005F_, so that `restored_controls` returns exactly
    this text. Text without such characters, nearly all text, is unchanged.

    >>> escaped_controls("page\\x0c2")
    'page_x000C_2'
    """
    return _TO_ESCAPE.sub(lambda found: f"_x{ord(found.group()):04X}_", text)


def restored_controls(text: str) -> str:
    """Return the text that `escaped_controls` escaped; an escape of a valid character stays."""
    return _ESCAPED.sub(lambda found: chr(int(found.group(1) or "5F", 16)), text)


_FORBIDDEN = "\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff"  # XML 1.0, production 2
_UNWRITABLE = re.compile(f"[{_FORBIDDEN}]")
_TO_ESCAPE = re.compile(f"[{_FORBIDDEN}]|_(?=x[0-9A-Fa-f]{{4}})")
_ESCAPED = re.compile(
    "_x(00(?:0[0-8BCEFbcef]|1[0-9A-Fa-f])|[Dd][89A-Fa-f][0-9A-Fa-f]{2}|[Ff]{3}[EFef])_|_x005[Ff]_(?=x[0-9A-Fa-f]{4})"
)
_IN_TEXT = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}
_IN_VALUE = _IN_TEXT | {'"': "&quot;", "\n": "&#10;", "\t": "&#9;"}  # a parser makes spaces of bare ones


class _LinedElement(Element):
    """An element with its line; the root also has the undeclared prefixes."""

    line: int | None = None
    unbound: Mapping[str, None] = MappingProxyType({})


class _LinedParser(DefusedXMLParser):
    """The standard library's pure-Python parser without document types and namespaces, with lines, depth and a
    count."""

    def __init__(self, filename: str) -> None:
        target = TreeBuilder(element_factory=_LinedElement)
        super().__init__(target=target, encoding="utf-8", forbid_dtd=True, forbid_entities=True, forbid_external=True)
        self._file = filename
        self._open: list[Element] = []
        self._count = 0
        self._declared: list[frozenset[str]] = [frozenset(["xml"])]
        self._unbound: dict[str, None] = {}
        with_namespaces, self.parser = self.parser, expat.ParserCreate("utf-8")
        self.parser.buffer_text = self.parser.ordered_attributes = True
        for name in dir(with_namespaces):  # one that knows namespaces stops at a prefix that is not declared
            if "Handler" in name and (handler := getattr(with_namespaces, name)) is not None:
                setattr(self.parser, name, handler)

    def _start(self, tag: str, attr_list: list[str]) -> Element:
        prefixes = [tag.partition(":")[0]] if ":" in tag else []
        declared = self._declared[-1]
        joined = " ".join(attr_list[::2])
        if ":" in joined or "xmlns" in joined:
            values = dict(zip(attr_list[::2], attr_list[1::2], strict=True))
            declared |= {name[6:] for name in values if name.startswith("xmlns:")}
            values = {name: value for name, value in values.items() if name[:6] not in ("xmlns", "xmlns:")}
            prefixes += (name.partition(":")[0] for name in values if ":" in name)
            attr_list = [part for pair in values.items() for part in pair]
        self._declared.append(declared)
        for prefix in prefixes:
            if prefix not in declared:
                self._unbound[prefix] = None
        element: _LinedElement = super()._start(tag, attr_list)  # type: ignore[misc]  # the pure parser's own
        element.line = self.parser.CurrentLineNumber
        self._count += 1
        if self._count == 1:
            element.unbound = self._unbound
        if self._count == 1 and local(element.tag).lower() == "html":
            raise _web_page(self._file)
        self._open.append(element)
        if len(self._open) > DEEPEST:
            raise self.refused(f"elements are nested deeper than {DEEPEST}")
        if self._count > MOST_ELEMENTS:
            raise self.refused(f"more than {MOST_ELEMENTS:,} elements; split the file")
        return element

    def _end(self, tag: str) -> Element:
        self._open.pop()
        self._declared.pop()
        element: Element = super()._end(tag)  # type: ignore[misc]
        return element

    def defused_start_doctype_decl(self, name: str, sysid: Any, pubid: Any, has_internal_subset: Any) -> None:
        if name.lower() == "html":
            raise _web_page(self._file)
        raise self.refused("a document type (DOCTYPE) is not allowed, nor the entities it defines; remove it", name)

    def refused(self, expected: str, value: str = "") -> BadRow:
        return BadRow(self._file, self.parser.CurrentLineNumber, "", value, expected)

    def broken(self, error: ParseError) -> BadRow:
        """Return the fault of invalid XML: place, reason and the open element."""
        line, column = error.position
        inner = self._open[-1] if self._open else None
        if error.code in _UNFINISHED:
            reason = "the file contains no element"
            if inner is not None:
                reason = (
                    f"the file ends before <{local(inner.tag)}> of line {line_of(inner)} is closed; it is cut short"
                )
        elif error.code == _CODE_OF["mismatched tag"] and inner is not None:
            reason = f"a closing tag that does not match; <{local(inner.tag)}> of line {line_of(inner)} is still open"
        else:
            reason = _REASON_OF.get(error.code, str(error).partition(":")[0])
        return BadRow(self._file, line, f"column {column + 1}", "", f"not well-formed XML: {reason}")


def _web_page(filename: str) -> UnreadableFile:
    return UnreadableFile(f"{filename} is a web page, not a graph; download the file itself.")


def _decoded(content: bytes, filename: str) -> str:
    declared = _declared_encoding(content, filename)
    try:
        return content.decode(declared) if declared else decode_text(content, filename)[0]
    except UnknownEncoding:
        line = _line_of_bad_byte(content, "utf-8")
        expected = (
            'not UTF-8, and no other encoding is declared; begin the file with <?xml version="1.0" encoding="…"?>'
        )
    except UnicodeError:
        line = _line_of_bad_byte(content, declared)
        expected = f"not {declared}, which the first line declares; correct the encoding there"
    raise BadRow(filename, line, "", "", expected)


def _declared_encoding(content: bytes, filename: str) -> str:
    """Return the encoding of the XML declaration; "" without one, or if a byte order mark decides. A declaration of
    UTF-16 that is legible byte by byte is wrong (a known error of .NET programs)."""
    declaration = None if content.startswith(_MARKS) else _DECLARATION.match(content.lstrip())
    if not declaration:
        return ""
    name = declaration.group(1).decode("ascii")
    try:
        codec = codecs.lookup(name)
    except LookupError:
        codec = None
    if codec is None or not codec._is_text_encoding or codec.name in _NOT_FOR_XML:
        raise BadRow(filename, 1, "encoding", name, "not a known encoding; save the file as UTF-8")
    return "" if codec.name.startswith(("utf-8", "utf-16", "utf-32")) else codec.name


def _line_of_bad_byte(content: bytes, encoding: str) -> int | None:
    try:
        content.decode(encoding)
    except UnicodeDecodeError as error:
        return content.count(b"\n", 0, error.start) + 1
    except UnicodeError:
        return None
    return None


def _write(element: Element, margin: str, lines: list[str]) -> None:
    """Append an element; `margin` is the line end and indentation before its closing tag."""
    tag = element.tag
    attributes = "".join(f' {key}="{_quoted(value, _IN_VALUE, tag)}"' for key, value in element.attrib.items())
    lines.append(f"<{tag}{attributes}")
    if not len(element) and not element.text:
        lines.append("/>")
        return
    lines.append(">")
    around = [element.text or "", *(child.tail or "" for child in element)]
    is_indented = bool(len(element)) and not any(map(str.strip, around))  # next to text, white space would change it
    lines.append(_quoted("" if is_indented else around[0], _IN_TEXT, tag))
    for child, tail in zip(element, around[1:], strict=True):
        lines.append(f"{margin}  " if is_indented else "")
        _write(child, f"{margin}  ", lines)
        lines.append(_quoted("" if is_indented else tail, _IN_TEXT, tag))
    lines.append(f"{margin if is_indented else ''}</{tag}>")


def _quoted(text: str, escapes: Mapping[str, str], tag: str) -> str:
    if match := _UNWRITABLE.search(text):
        code = f"U+{ord(match.group()):04X}"
        place = f"<{tag}>, character {match.start() + 1} of {quoted(text[:40])}"
        raise BadInput(f"XML cannot store the control character {code} in {place}; remove it.")
    return "".join(escapes.get(character, character) for character in text)
