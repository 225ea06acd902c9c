"""SVG as a document: words and arrows of figures as programs export them, and files that mean harm."""

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from PIL import Image

from core.errors import UnreadableDocument
from core.papers.pages import Box, PageFacts
from documents.reader import Reader

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{w}" height="{h}">'


def svg(body: str, *, wide: int = 500, high: int = 300, before: str = "") -> bytes:
    return (before + HEAD.format(w=wide, h=high) + body + "</svg>").encode()


def stored(folder: Path, content: bytes) -> tuple[Path, str]:
    path = folder / "figure.svg"
    path.write_bytes(content)
    return path, hashlib.sha256(content).hexdigest()


def page_of(reader: Reader, folder: Path, content: bytes) -> PageFacts:
    reader.inspect(content, "figure.svg")
    return reader.page(*stored(folder, content), 1)


def words(page: PageFacts) -> list[str]:
    return [word.text for word in page.words]


MARKER = """<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">
<path d="M0 0L10 5L0 10z"/></marker></defs>"""
SHEET = """<style>@import url(http://127.0.0.1:9/x.css); .box {fill: #eef; stroke: #333} .edge {fill: none;
stroke: #222} text {font: 14px "A font of nobody"}</style>"""
DIAGRAM = f"""<title>A loop</title>{SHEET}{MARKER}
<rect class="box" x="20" y="20" width="120" height="40"/><text x="80" y="45" text-anchor="middle">Rainfall</text>
<rect class="box" x="340" y="20" width="120" height="40"/><text x="400" y="45" text-anchor="middle">Crop yield</text>
<g transform="translate(200 200)"><rect class="box" width="120" height="40"/><foreignObject width="120" height="40">
<div xmlns="http://www.w3.org/1999/xhtml"><p>Farm<br/>income</p></div></foreignObject></g>
<path class="edge" d="M140 40 C200 10 280 10 338 38" marker-end="url(#tip)"/><text x="318" y="18">+</text>
<path class="edge" d="M400 60 L 300 198" marker-end="url(#tip)"/>"""


def test_a_figure_of_style_sheets_markers_and_html_labels_is_read_like_a_pdf(reader: Reader, tmp_path: Path) -> None:
    path, sha256 = stored(tmp_path, svg(DIAGRAM))
    assert reader.inspect(path.read_bytes(), "figure.svg").media_type == "image/svg+xml"
    page = reader.page(path, sha256, 1)
    assert (page.width, page.height) == (500, 300)
    assert words(page) == ["Rainfall", "Crop", "yield", "Farm", "income", "+"]
    reading = reader.proposals(path, sha256, 1, Box(0, 0, 500, 300))
    names = [name.text for name in reading.names]
    assert reading.origin == "vector"
    assert {(names[edge.source], names[edge.sink], edge.sign) for edge in reading.edges} == {
        ("Rainfall", "Crop yield", "+"),
        ("Crop yield", "Farm income", ""),
    }


def test_the_fallback_of_an_html_label_is_read_once(reader: Reader, tmp_path: Path) -> None:
    label = '<foreignObject width="100%" height="100%"><p>Price</p></foreignObject><text y="50">Price</text>'
    assert words(page_of(reader, tmp_path, svg(f"<switch>{label}</switch>"))) == ["Price"]


def test_a_shadow_does_not_turn_its_text_into_pixels(reader: Reader, tmp_path: Path) -> None:
    shadow = '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter>'
    first, second = (
        '<g filter="url(#f)"><text y="40">Price</text></g>',
        '<text style="filter:url(#f)" y="90">Cost</text>',
    )
    assert words(page_of(reader, tmp_path, svg(shadow + first + second))) == ["Price", "Cost"]


@pytest.fixture
def requests() -> Iterator[tuple[str, list[str]]]:
    """An HTTP server on this machine, and the paths that it was asked for."""
    paths: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_error(404)

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", paths
    server.shutdown()
    server.server_close()
    thread.join()


def test_nothing_outside_the_file_is_read_or_requested(
    reader: Reader, tmp_path: Path, requests: tuple[str, list[str]]
) -> None:
    url, paths = requests
    secret = tmp_path / "secret.png"
    Image.new("RGB", (60, 60), "black").save(secret)
    (tmp_path / "secret.svg").write_bytes(svg('<rect width="99" height="99"/>'))
    places = (secret.as_uri(), str(secret), "secret.png", f"{url}/a.png", str(tmp_path / "secret.svg"))
    images = "".join(
        f'<image {key}="{place}" width="90" height="90"/>' for place in places for key in ("href", "xlink:href")
    )
    nested = "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciPjwvc3ZnPg=="
    body = f"""{images}<image href="data:image/svg+xml;base64,{nested}" width="90" height="90"/>
<use href="{url}/b.svg#part"/><style>@import url("{url}/c.css"); rect {{fill: url({url}/d.svg#paint)}}</style>
<rect width="40" height="40" style="fill:url({url}/e.svg#paint)" onload="fetch('{url}/f')"/><script href="{url}/g.js"/>
<a href="{url}/h"><text y="280">Price</text></a>"""
    path, sha256 = stored(tmp_path, svg(body, before=f'<?xml-stylesheet href="{url}/i.css"?>'))
    assert words(reader.page(path, sha256, 1)) == ["Price"]
    drawn = Image.open(reader.page_image(path, sha256, 1, 100)).convert("L")
    assert drawn.getpixel((60, 60)) == 255, "no picture is drawn there"
    assert paths == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (svg("<text>&b;</text>", before='<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'), "defines entities"),
        (
            svg("<text>&a;</text>", before='<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>'),
            "defines entities",
        ),
        (svg("<g>"), "no complete XML file"),
        (b"<svg " + bytes(50), "no complete XML file"),
        (b"<svg><rect/></svg>", "cannot be drawn"),
    ],
)
def test_entities_and_damaged_files_are_refused(reader: Reader, content: bytes, words: str) -> None:
    with pytest.raises(UnreadableDocument, match=words) as refused:
        reader.inspect(content, "figure.svg")
    assert refused.value.kind == "damaged picture"


def test_a_doctype_without_entities_is_read(reader: Reader, tmp_path: Path) -> None:
    doctype = '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://127.0.0.1:9/svg11.dtd">'
    assert words(page_of(reader, tmp_path, svg('<text y="40">Price</text>', before=doctype))) == ["Price"]


@pytest.mark.parametrize(
    "body",
    [
        '<g id="g0"><rect width="9" height="9"/></g>'
        + "".join(f'<g id="g{n}">' + f'<use href="#g{n - 1}"/>' * 10 + "</g>" for n in range(1, 12)),
        "<g>" * 100_000 + "</g>" * 100_000,
    ],
    ids=["parts used ten times each, eleven deep", "nested very deep"],
)
def test_a_bomb_ends_its_child_and_the_next_file_is_read(reader: Reader, tmp_path: Path, body: str) -> None:
    with pytest.raises(UnreadableDocument):
        reader.inspect(svg(body), "bomb.svg")
    assert words(page_of(reader, tmp_path, svg('<text y="40">Price</text>'))) == ["Price"]
