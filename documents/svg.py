"""SVG as a document of one page, its text kept, so that it is read like a PDF. Runs in a child process only.

What could reach outside or run is removed before anything draws the file: scripts, references other than to its own
parts, pictures that are not stored in it. Entities are refused, which could grow without bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError, SubElement, register_namespace, tostring

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from core.errors import UnreadableDocument
from documents.pdf import open_pdf
from documents.pdf_library import pymupdf

SVG = "{http://www.w3.org/2000/svg}"
HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
# Filters are shadows and blurs, which turn text into pixels and take seconds.
REMOVED = frozenset({"script", "filter", "animate", "animateMotion", "animateTransform", "set", "iframe"})
STORED_PICTURE = re.compile(r"\s*data:image/(png|jpeg|gif|webp);base64,", re.IGNORECASE)
# A font that this machine lacks would lose its text, so every text has the same one.
FAMILY = re.compile(r"(?<![\w-])(?:font-family|filter)\s*:[^;}]{0,500}")
FONT = re.compile(r"(?<![\w-])font\s*:[^;}\d]{0,100}(\d[\d.]{0,10}(?:px|pt|em)?)[^;}]{0,500}")
OUTSIDE = re.compile(r"@import[^;@]*+;?|url\(\s*+[\"']?+(?!#)[^()\s]*+\s*+\)?")
LINE_HEIGHT = 1.2  # letters between the lines of a label


def open_svg(content: bytes) -> pymupdf.Document:
    """Return the drawing as a PDF of one page. Raises UnreadableDocument: "damaged picture"."""
    import vl_convert

    try:
        root = fromstring(content, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except DefusedXmlException as error:
        message = "The SVG defines entities or refers to other files; export it again as plain SVG, or as PDF."
        raise UnreadableDocument("damaged picture", message) from error
    except (ParseError, ValueError, LookupError) as error:
        message = f"The SVG is no complete XML file ({error}); export it again."
        raise UnreadableDocument("damaged picture", message) from error
    register_namespace("", SVG[1:-1])
    _clean(root)
    root.set("font-family", "sans-serif")
    try:
        pdf = vl_convert.svg_to_pdf(tostring(root, encoding="unicode"))
    except RuntimeError as error:  # of any fault that vl-convert finds
        message = "The SVG cannot be drawn; export it again, or as PDF or PNG."
        raise UnreadableDocument("damaged picture", message) from error
    return open_pdf(pdf)


def _clean(root: Element) -> None:
    """Remove what runs, reaches outside or hides text; labels in HTML become text of the drawing."""
    for parent in list(root.iter()):
        for child in list(parent):
            name = _local(child)
            is_outside = name == "image" and not any(STORED_PICTURE.match(child.get(href, "")) for href in HREFS)
            if name in REMOVED or is_outside:
                parent.remove(child)
            elif name == "foreignObject":
                place = list(parent).index(child)
                parent.remove(child)
                if _local(parent) != "switch":  # it has a fallback for programs without HTML
                    parent.insert(place, _as_text(child))
    for element in root.iter():
        for key, value in list(element.attrib.items()):
            is_reference = key in HREFS and _local(element) != "image" and not value.startswith("#")
            if is_reference or key.lower().startswith("on") or key in ("filter", "font-family"):
                del element.attrib[key]
            elif key == "style" or "url(" in value:
                element.set(key, _cleaned(value))
        if _local(element) == "style":
            element.text = _cleaned(element.text or "")


def _cleaned(css: str) -> str:
    return OUTSIDE.sub("none", FAMILY.sub("", FONT.sub(r"font-size:\1", css)))


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _as_text(label: Element) -> Element:
    """Return the words of an HTML label as text in the middle of its rectangle, in its lines."""
    lines = [" ".join(line.split()) for line in "".join(_pieces(label)).split("\n") if line.strip()]
    x, y, width, height = (_number(label.get(key)) for key in ("x", "y", "width", "height"))
    text = Element(f"{SVG}text", {"text-anchor": "middle", "dominant-baseline": "central", "stroke": "none"})
    for number, line in enumerate(lines):
        dy = f"{(number and LINE_HEIGHT) - (not number and LINE_HEIGHT * (len(lines) - 1) / 2)}em"
        part = SubElement(text, f"{SVG}tspan", {"x": f"{x + width / 2}", "dy": dy})
        part.text = line
    text.set("y", f"{y + height / 2}")
    return text


def _pieces(element: Element) -> Iterator[str]:
    if _local(element) in ("br", "p", "div", "li"):
        yield "\n"
    yield " ".join((element.text or "").split("\n"))
    for child in element:
        yield from _pieces(child)
        yield " ".join((child.tail or "").split("\n"))


def _number(value: str | None) -> float:
    match = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?)(?:px)?\s*", value or "")
    return float(match[1]) if match else 0.0
