"""Texts and workbooks made to be slow: each took many seconds of processor time, a banner of 28 # forever."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import suppress

from core.errors import BadInput
from exchange.bundle import read_bundle
from exchange.references import read_references
from exchange.sheet_writing import NewSheet, write_sheets
from exchange.table_head import table_head

TEXTS = {
    "banner.txt": "#" * 60 + "\n# my graph\nPrice -> Demand\n",
    "slashes.txt": "/" * 60 + "\nPrice -> Demand\n",
    "comments.dot": "digraph { " + "/* " * 40_000,
    "tags.dot": "digraph { a [label=<" + "<!-- >" * 40_000 + ">] a -> b }",
    "fields.dot": 'digraph { a [shape=record, label="' + "<" * 160_000 + '"] a -> b }',
    "place.dagitty": 'dag { a [pos="0,' + "0" * 120_000 + 'x"] a -> b }',
    "comment.bif": "network x {}\n" + "/* " * 40_000,
    "quotes.bif": "network x {}\n" + '"\\' * 60_000,
    "name.txt": "network a" + "//x" * 60_000,
    "strings.json": "[" + '"\\' * 60_000,
    "blanks.csv": "title,authors\nx," + " " * 120_000 + "y\n",
    "lines.md": "\n" * 120_000 + "x,y\n",
}
_WIDE = "w" * 100_000
_COUNTED = range(20_000)
SHARED = {
    "title.dot": f'digraph "{_WIDE}" {{ node [label="\\G"]; ' + " ".join(f"n{n}" for n in _COUNTED) + " }",
    "label.dot": f'digraph {{ node [label="{_WIDE}"]; ' + " ".join(f"n{n}" for n in _COUNTED) + " }",
    "id.dot": f'digraph {{ "{_WIDE}" [label="' + "\\N" * 50_000 + '"] }',
    "defaults.dot": "digraph { "
    + " ".join(f"node [k{n}=1]" for n in range(2_000))
    + " ".join(f"n{n}" for n in _COUNTED)
    + " }",
    "groups.dot": "digraph { {"
    + " ".join(f"a{n}" for n in range(100))
    + "} -> {"
    + " ".join(f"b{n}" for n in range(100))
    + f'}} [label="{_WIDE}"] }}',
    "groups.dagitty": "dag { {"
    + " ".join(f"a{n}" for n in range(100))
    + "} -> {"
    + " ".join(f"b{n}" for n in range(100))
    + f'}} [label="{_WIDE}%20"] }}',
    "blocks.txt": "A 1 @0,0\nB 1 @1,1\n\nA B\n" + "n x " * 50_000,
    "space.graphml": f'<graphml xmlns="{_WIDE}"><graph>' + "<node/>" * 20_000 + "</graph></graphml>",
    "default.graphml": f'<graphml><key id="d" for="node" attr.name="label"><default>{_WIDE}</default></key><graph>'
    + "".join(f'<node id="{n}"/>' for n in range(8_000))
    + "</graph></graphml>",
    "key.graphml": f'<graphml><key id="d" for="edge" attr.name="{_WIDE}"/><graph><node id="a"/>'
    + '<edge source="a" target="a"><data key="d">x</data></edge>' * 2_000
    + "</graph></graphml>",
    "kind.gexf": f'<gexf><graph defaultedgetype="{_WIDE}"><edges>' + "<edge/>" * 20_000 + "</edges></graph></gexf>",
    "alias.xmile": f'<xmile><model><views><view><alias uid="1"><of>{_WIDE}</of></alias>'
    + '<connector><from><alias uid="1"/></from><to>b</to></connector>' * 2_000
    + "</view></views></model></xmile>",
    "columns.csv": ",".join(f"h{n}" for n in range(30_000)) + "\n" + "a," * 29_999 + "a\n",
    "label.json": f'{{"elements":[{{"_id":"a","label":"{_WIDE}"}}],"connections":['
    + ",".join(['{"from":"a","to":"a"}'] * 4_000)
    + "]}",
}
"""What is said once and holds for thousands: a default, a title, a heading, an alias."""


def workbook(member: str, before: str, filling: str) -> bytes:
    """A workbook with a comment in one of its parts; what is repeated packs to a hundredth."""
    sheet = NewSheet("Edges", [("from", 9), ("to", 9)], [["a", "b"]])
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(write_sheets([sheet]))) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            content = old.read(name).decode()
            assert name != member or before in content
            held = content.replace(before, f"<!-- {filling} -->{before}", 1) if name == member else content
            new.writestr(name, held, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def long_files() -> Iterator[tuple[str, bytes]]:
    for name, text in [*TEXTS.items(), *SHARED.items()]:
        yield name, text.encode()
    yield "sheets.xlsx", workbook("xl/workbook.xml", "<sheets", "<sheet " * 20_000)
    yield "merged.xlsx", workbook("xl/worksheets/sheet1.xml", "<sheetData", "<mergeCell " * 20_000)


def read_all() -> None:
    """Read each as graphs, as the top of a table and as references, and print its name when that is done."""
    for name, content in long_files():
        for read in (read_bundle, table_head, read_references):
            with suppress(BadInput):
                read(content, name)
        print(name, flush=True)


if __name__ == "__main__":
    read_all()
