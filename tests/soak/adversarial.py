"""Texts made to stop a reader: banners, arrows, openings, nesting, labels, tables, packed traps.

None is over 240 kB: beyond 16 kB they are read outside the server, and the longest show what is left to it.

Seeded and numbered, so that a slow one can be found again: `adversarial(300)` gives the same files on every machine.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

from exchange.archive import open_archive
from exchange.sheet_writing import NewSheet, write_sheets

MOST = 240_000
"""Bytes of the longest text."""
LENGTHS = (60, 4_000, 15_500, MOST)
GRAPH_SUFFIXES = (
    "",
    ".txt",
    ".csv",
    ".tsv",
    ".json",
    ".dot",
    ".mdl",
    ".bif",
    ".dagitty",
    ".loopy",
    ".graphml",
    ".gexf",
    ".stmx",
)
TABLES = (".csv", ".tsv", ".txt")
File = tuple[str, bytes]

SKETCH = "\\\\\\---/// Sketch information\nV300  Do not put anything below this section\n"


def adversarial(count: int, seed: int = 7) -> list[File]:
    """`count` files, each of another kind or length than the one before."""
    rng = Random(seed)
    kinds = [
        _banners,
        _arrows,
        _openings,
        _nests,
        _labels,
        _tables,
        _structures,
        _numbers,
        _references,
        _triplets,
        _packed,
    ]
    streams = [(kind.__name__.strip("_"), kind(Random(rng.random()))) for kind in kinds]
    files = ((kind, next(stream)) for turn in iter(int, 1) for kind, stream in streams)
    return [
        (f"{place:03}-{kind}-{name}", content) for place, (kind, (name, content)) in enumerate(islice(files, count))
    ]


def _cut(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")[:MOST]


def _filled(piece: str, length: int) -> str:
    return piece * max(1, length // len(piece.encode("utf-8", "surrogatepass")))


def _rows(row: str, length: int, between: str = "") -> str:
    """A row with a number for each `#`, as often as fits."""
    return between.join(row.replace("#", str(number)) for number in range(length // (len(row) + 4)))


def _cycle(rng: Random, makers: list[Callable[[int], str]], suffixes: tuple[str, ...]) -> Iterator[File]:
    """Every maker at every length, in a drawn order; the suffix is drawn."""
    pairs = [(place, length) for place in range(len(makers)) for length in LENGTHS]
    while True:
        for place, length in rng.sample(pairs, len(pairs)):
            yield f"{place}-{length}{rng.choice(suffixes)}", _cut(makers[place](length))


def _banners(rng: Random) -> Iterator[File]:
    tail = "\n# my graph\nPrice -> Demand\n"
    pieces = [
        "#",
        "/",
        "//",
        "# ",
        "//\n",
        "#\n",
        "/*",
        "/**/",
        "/* *",
        "--",
        ";",
        "%",
        "*",
        "\n",
        " ",
        "\t",
        "\u2028",
        "//\t",
        "# /* ",
    ]
    return _cycle(
        rng, [lambda n, p=p: _filled(p, n) + tail for p in pieces], ("", ".txt", ".txt", ".dot", ".bif", ".dagitty")
    )


def _arrows(rng: Random) -> Iterator[File]:
    pieces = [
        "→",
        "<-",
        "->-",
        "-",
        "=",
        " ",
        "->",
        "-->",
        "<->",
        "⇒",
        "->+",
        "+-",
        ">",
        "<",
        "- >",
        ". ",
        "-\u200b",
        "→ ",
        '"->',
        "(+)",
        "; B",
        " -> B",
        " -> B; C",
    ]
    makers = [lambda n, p=p: "A" + _filled(p, n) + "B\n" for p in pieces]
    makers += [lambda n, p=p: ("A" + _filled(p, 400) + "B\n") * (n // 400 + 1) for p in pieces]
    makers += [lambda n: "A -> " + "; ".join(f"B{k}" for k in range(n // 8))]
    return _cycle(rng, makers, ("", ".txt", ".md"))


def _openings(rng: Random) -> Iterator[File]:
    pieces = [
        '"',
        "'",
        "<!--",
        "<![CDATA[",
        "/*",
        "<",
        "{",
        "[",
        "(",
        "<table>",
        "digraph {",
        "subgraph {",
        "&",
        "&#",
        "\\",
        '\\"',
        "%25",
        "<br ",
        "<!-- >",
        "a [label=<",
        "a=<",
        '"a" [',
        "?data=[[[1,2",
        "graph ",
        "strict ",
        "dag {",
        "variable ",
        "variable x { type ",
        "network x {",
        "\ufeff",
    ]
    makers = [lambda n, p=p: _filled(p, n) for p in pieces]
    makers += [lambda n, p=p: "digraph { a -> b\n" + _filled(p, n) + "}" for p in pieces]
    return _cycle(rng, makers, GRAPH_SUFFIXES)


def _nests(rng: Random) -> Iterator[File]:
    pairs = [
        ("[", "]"),
        ("{", "}"),
        ("(", ")"),
        ('{"a":', "}"),
        ("[{", "}]"),
        ("<a>", "</a>"),
        ("subgraph {", "}"),
        ("<b>", "</b>"),
        ('["', '"]'),
    ]
    makers = [lambda n, p=p: p[0] * (n // len(p[0] + p[1])) + "1" + p[1] * (n // len(p[0] + p[1])) for p in pairs]
    makers += [
        lambda n, p=p: (
            '{"edges": ' + p[0] * min(n, 30) + "1" + p[1] * min(n, 30) + ', "x": "' + _filled("\\u0041", n) + '"}'
        )
        for p in pairs[:3]
    ]
    return _cycle(rng, makers, ("", ".json", ".dot", ".graphml", ".gexf", ".stmx", ".loopy", ".txt"))


def _labels(rng: Random) -> Iterator[File]:
    pieces = [
        "<",
        "<a>",
        "|",
        "{",
        "\\",
        "\\n",
        "<!-- >",
        "<!--",
        "<br",
        "<br/>",
        "&amp",
        "&#x",
        "<td ",
        "{|",
        "<a|",
        "\\{",
        "]]>",
        "&&",
        "\\N",
        "\\G",
    ]
    makers = [lambda n, p=p: f'digraph {{ a [shape=record, label="{_filled(p, n)}"]; a -> b }}' for p in pieces]
    makers += [lambda n, p=p: f"digraph {{ a [label=<{_filled(p, n)}>]; a -> b }}" for p in pieces]
    makers += [
        lambda n, p=p: f'digraph {{ a -> b [label="{_filled(p, n)}", note="{_filled(p, n)}"] }}' for p in pieces[:8]
    ]
    makers += [
        lambda n, p=p: (
            'digraph { a [label="'
            + _filled(p, 100)
            + '"]\n'
            + "".join(f'n{k} [label="\\N"]\n' for k in range(n // 20))
            + "}"
        )
        for p in pieces[-2:]
    ]
    return _cycle(rng, makers, (".dot", "", ".gv"))


def _tables(rng: Random) -> Iterator[File]:
    def wide(n: int) -> str:
        names = [f"c{k}" for k in range(n // 7)]
        return ",".join(["source", "sink", *names]) + "\n" + ",".join(["a", "b", *["x"] * len(names)])

    makers = [
        wide,
        lambda n: "source,sink\n" + _filled("a,b\n", n),
        lambda n: "source,sink\n" + "".join(f"a{k},b\n" for k in range(n // 8)),
        lambda n: "source,sink\n" + _filled('"a,b\n', n),
        lambda n: "source,sink\n" + _filled('"', n),
        lambda n: "source,sink\n" + _filled(",", n),
        lambda n: "source,sink\n" + _filled("\n", n) + "a,b",
        lambda n: "source,sink,sign\n" + _filled("a,b,maybe\n", n),
        lambda n: 'source,sink,note\na,b,"' + _filled("'=", n) + '"',
        lambda n: "source,sink\n" + _filled("'", n) + "=,b",
        lambda n: _filled("source,", n) + "sink\na,b",
        lambda n: _filled("a;b|c\td,", n) + "\n1,2",
        lambda n: "sep=" + _filled(";", n) + "\nsource;sink\na;b",
        lambda n: "source,sink\n" + _filled("\r", n) + "a,b",
        lambda n: "source,sink\n" + _filled("\x0b\x0c\x85\u2028", n),
        lambda n: "paper_id,figure_label,annotator,source,sink\n" + "".join(f"p{k},f,a,x,y\n" for k in range(n // 14)),
        lambda n: "source,sink\n" + "".join(f"{'é' * (k % 300)},b\n" for k in range(n // 300)),
        lambda n: "source,sink\n" + _filled("A\u0301\u0302\u0303", n) + ",b",
    ]
    return _cycle(rng, makers, TABLES)


def _structures(rng: Random) -> Iterator[File]:
    """Texts that their reader takes for its own, and that are long in one part of it."""
    loopy, xmile = "https://ncase.me/loopy/v1.1/?data=[[", "<xmile><model><variables>"
    graphml, no_xmile = '<graphml><graph edgedefault="directed">', "</variables></model></xmile>"
    makers: list[Callable[[int], str]] = [
        lambda n: '{"edges": [' + _rows('{"source": "a", "sink": "b#"}', n, ",") + "]}",
        lambda n: '{"nodes": [' + _rows('"n#"', n, ",") + '], "edges": []}',
        lambda n: "{" + _rows('"k#":0', n, ",") + "}",
        lambda n: '{"edges": ["' + _filled("\\\\", n) + '"]}',
        lambda n: '{"graphs": [' + _rows('{"edges":[]}', n, ",") + "]}",
        lambda n: '{"elements": [' + _rows('{"label":"e#"}', n, ",") + '], "connections": []}',
        lambda n: '{"elements": [{"label": "A"}], "connections": [' + _rows('{"from": "A", "to": "A"}', n, ",") + "]}",
        lambda n: SKETCH + _rows("10,#,V#,1,1,1,1,8,3,0,0\n", n),
        lambda n: (SKETCH + "10,1,A,1,1,1,1,8,3,0,0\n") * (n // 100),
        lambda n: "{UTF-8}\n" + _filled("\\\\\\---///\n", n),
        lambda n: SKETCH + _filled("1,", n),
        lambda n: "digraph {" + _rows("a#->", n) + "b}",
        lambda n: "digraph {{" + _rows("a# ", min(n, 4_000)) + "} -> {" + _rows("b# ", min(n, 4_000)) + "}}",
        lambda n: "dag {" + _rows("a# -> b ", n) + "}",
        lambda n: "network x {}\n" + _rows("variable v# { type discrete [2] {y, n}; }\n", n),
        lambda n: "network x {}\nvariable a { type discrete [" + _filled("9", n) + "] {y}; }",
        lambda n: "network x {}\nprobability (a | " + _rows("b#", n, ",") + ") {}",
        lambda n: loopy + _rows("[#,1,1,0.5,%22a#%22,0]", n, ",") + "],[],[],1]",
        lambda n: loopy + "[1,1,1," + _filled("%2525", n),
        lambda n: graphml + _rows('<node id="n#"/>', n) + "</graph></graphml>",
        lambda n: "<graphml>" + _filled('<key id="a" for="node"/>', n) + '<graph edgedefault="directed"/></graphml>',
        lambda n: graphml + '<node id="a" ' + _rows('b#=""', n, " ") + "/></graph></graphml>",
        lambda n: "<gexf><graph><nodes>" + _rows('<node id="n#" label="l"/>', n) + "</nodes></graph></gexf>",
        lambda n: xmile + _rows('<aux name="v#"><eqn>v#</eqn></aux>', n) + no_xmile,
        lambda n: xmile + '<aux name="v"><eqn>' + _filled("v+", n) + "</eqn></aux>" + no_xmile,
        lambda n: "<graphml>" + _filled("<!-- -->", n) + "</graphml>",
        lambda n: "<graphml>" + _filled("&#65;", n) + "</graphml>",
        lambda n: "dagitty('dag {" + _filled("a -> b\n", n) + "}')",
        lambda n: _filled("x <- dagitty(\n", n),
        lambda n: _rows("V# 1 @#,1", n // 2, "\n") + "\n\n" + _rows("V# V0", n // 2, "\n"),
    ]
    return _cycle(rng, makers, GRAPH_SUFFIXES)


def _numbers(rng: Random) -> Iterator[File]:
    makers: list[Callable[[int], str]] = [
        lambda n: '{"edges": [{"source": "a", "sink": "b", "x": ' + _filled("9", n) + "}]}",
        lambda n: '{"edges": [{"source": "a", "sink": "b", "x": 0.' + _filled("9", n) + "}]}",
        lambda n: '{"edges": [{"source": "a", "sink": "b", "x": 1e' + _filled("9", min(n, 4000)) + "}]}",
        lambda n: '{"edges": [{"source": "a", "sink": "' + _filled("\\ud800", n) + '"}]}',
        lambda n: (
            '{"edges": [{"source": "a", "sink": "b"}], "places": {"a": [' + _filled("1", min(n, 4000)) + ", 1e999]}}"
        ),
        lambda n: "source,sink\n" + _filled("\ud800", n) + ",b",
        lambda n: "source,sink\n" + _filled("\x00", n) + ",b",
        lambda n: "source,sink\n" + _filled("\u202e", n) + ",b",
        lambda n: "10," + _filled("9", n) + ",1,1",
        lambda n: SKETCH + "10," + _filled("9", n) + ",A,1,1",
        lambda n: 'digraph { a [pos="' + _filled("1", n) + ',1"]; a -> b }',
        lambda n: 'digraph { a [pos="' + _filled("1.", n) + ',1"]; a -> b }',
        lambda n: 'dag { a [pos="' + _filled("1", n) + ',1"] a -> b }',
        lambda n: 'dag { a [pos="1e' + _filled("9", 3) + ',1"] a -> b }' + _filled(" ", n),
        lambda n: _filled("\ufeff", n) + "a -> b",
    ]
    return _cycle(rng, makers, GRAPH_SUFFIXES)


def _references(rng: Random) -> Iterator[File]:
    makers: list[Callable[[int], str]] = [
        lambda n: "@article{a, title = {" + _filled("{", n),
        lambda n: "@article{a, title = {" + _filled("{", n // 2) + _filled("}", n // 2) + "}}",
        lambda n: _filled("@article{", n),
        lambda n: _filled("@", n),
        lambda n: _filled("@article{a, title={A}}\n", n),
        lambda n: "@article{a, author = {" + _filled("A and ", n) + "B}, title={T}}",
        lambda n: "@article{a, author = {" + _filled(" ", n) + "and B}, title={T}}",
        lambda n: "@article{a, title = {" + _filled("\\'e", n) + "}}",
        lambda n: "@article{a, title = {" + _filled("\\", n) + "}}",
        lambda n: "@article{a, title = {" + _filled("$", n) + "}}",
        lambda n: "@article{a, " + ", ".join(f"f{k} = {{x}}" for k in range(n // 12)) + "}",
        lambda n: '@string{a = "' + _filled("x # ", n) + '"}\n@article{b, title = a}',
        lambda n: "@article{a, title = " + _filled('"x" # ', n) + '"y"}',
        lambda n: _filled("TY  - JOUR\n", n),
        lambda n: "TY  - JOUR\nTI  - T\n" + _filled("AU  - A\n", n) + "ER  - \n",
        lambda n: _filled("TY  - JOUR\nTI  - T\nER  - \n", n),
        lambda n: "TY  - JOUR\nTI  - " + _filled(" ", n) + "\nER  - \n",
        lambda n: "title,authors\n" + "x," + _filled(" ;", n),
        lambda n: "title,authors\n" + "x," + _filled(" ", n) + "x",
        lambda n: ",".join(f"t{k}" for k in range(n // 7)) + ",title\n",
        lambda n: "title,doi\n" + _filled("x,10.1234/a\n", n),
        lambda n: "title,doi\nx,10.1234/" + _filled("/", n),
        lambda n: "title,date\nx,2020" + _filled("/", n),
        lambda n: "title,date\nx,2020-01-01/" + _filled("/a", n),
        lambda n: "title\n" + _filled('"', n),
    ]
    return _cycle(rng, makers, (".bib", ".ris", ".csv", ".txt"))


def _triplets(rng: Random) -> Iterator[File]:
    whole = {"treatment": "A", "outcome": "B", "sign": "+"}
    makers: list[Callable[[int], str]] = [
        lambda n: json.dumps(whole | {"context": "x" * n}),
        lambda n: "\n".join([json.dumps(whole)] * (n // 50)),
        lambda n: json.dumps(whole) + "\n" + _filled("{\n", n),
        lambda n: json.dumps(whole)[:-1] + ', "x": ' + "[" * (n // 2) + "]" * (n // 2) + "}",
        lambda n: json.dumps(whole)[:-1] + ', "paper_id": ' + _filled("9", n) + "}",
        lambda n: json.dumps(whole)[:-1] + "".join(f', "k{k}": 0' for k in range(n // 10)) + "}",
        lambda n: json.dumps(whole | {"identification_methods": _filled("IV; ", n)}),
        lambda n: json.dumps(whole | {"jel_codes": _filled("J31, ", n)}),
        lambda n: json.dumps(whole | {"paper_url": "10.1234/" + _filled("/", n)}),
        lambda n: json.dumps(whole | {"score_sum": "1" + _filled("/9", n)}),
        lambda n: json.dumps(whole | {"score_sum": "1e" + _filled("9", min(n, 9))}),
        lambda n: json.dumps(whole | {"example_details": "[" * min(n, 60_000)}),
        lambda n: "treatment,outcome,sign\n" + _filled("A,B,+\n", n),
        lambda n: "treatment,outcome,sign\n" + _filled('"A,B\n', n),
        lambda n: "treatment,outcome,sign," + ",".join(f"c{k}" for k in range(n // 7)) + "\nA,B,+",
        lambda n: (
            "treatment,outcome,sign,critic,criterion,score\n" + "".join(f"A,B,+,c{k},sign,1\n" for k in range(n // 18))
        ),
        lambda n: "paper,jel\n" + _filled("w0001,J31\n", n),
        lambda n: "paper,jel\n" + _filled('"', n),
        lambda n: "treatment,outcome" + _filled(" ", n) + "\nsign",
    ]
    return _cycle(rng, makers, (".jsonl", ".csv", ".json", ""))


# --- packed -------------------------------------------------------------------------------------------------------


def _zipped(*members: tuple[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


def _changed(part: str, old: bytes, new: bytes) -> bytes:
    """A sound workbook with a piece of one part replaced."""
    book = write_sheets([NewSheet("edges", [("source", 9), ("sink", 9)], [["A", "B"]])])
    return _zipped(
        *((m.name, m.content.replace(old, new) if m.name == part else m.content) for m in open_archive(book, "b"))
    )


def _packed(rng: Random) -> Iterator[File]:
    sheet, book = "xl/worksheets/sheet1.xml", "xl/workbook.xml"
    inner, plain = _zipped(("a.csv", b"source,sink\nA,B\n")), _changed(sheet, b"A", b"B")
    begin, end, merge = b"<sheetData>", b"</sheetData>", b'<mergeCell ref="A1:B9"/>'
    graphml = b'<graphml><graph edgedefault="directed">'
    makers: list[tuple[str, Callable[[int], bytes]]] = [
        ("list.xlsx", lambda n: _changed(book, b"<sheets>", b"<!--" + b"<sheet " * (n // 7) + b"--><sheets>")),
        ("merged.xlsx", lambda n: _changed(sheet, begin, b"<!--" + b"<mergeCell " * (n // 11) + b"-->" + begin)),
        ("merges.xlsx", lambda n: _changed(sheet, end, end + b"<mergeCells>" + merge * (n // 24) + b"</mergeCells>")),
        ("rows.xlsx", lambda n: _changed(sheet, end, b'<row r="1048570"><c r="A1048570"/></row>' * (n // 40) + end)),
        ("gap.xlsx", lambda n: _changed(sheet, end, b'<row r="999999999"/>' + end + b" " * n)),
        ("column.xlsx", lambda n: _changed(sheet, end, b'<row r="3"><c r="XFD3"><v>1</v></c></row>' + end + b" " * n)),
        ("open.xlsx", lambda n: _changed(sheet, b"<sheetData>", b"<sheetData>" + b"<row>" * (n // 5))),
        ("entity.xlsx", lambda n: _changed(sheet, b"<sheetData>", b"&a;" * (n // 3) + b"<sheetData>")),
        ("formula.xlsx", lambda n: _changed(sheet, end, b"<f" * (n // 2) + end)),
        ("bomb.zip", lambda n: _zipped(("a.csv", b"source,sink\n" + b"a,b\n" * (n * 100)))),
        ("inside.zip", lambda n: _zipped(*((f"{k}.zip", inner) for k in range(min(n // 100, 1_999) + 1)))),
        ("many.zip", lambda n: _zipped(*((f"{k}.csv", b"source,sink\nA,B\n") for k in range(min(n // 60, 1_999) + 1)))),
        ("books.zip", lambda n: _zipped(*((f"{k}.xlsx", plain) for k in range(min(n // 6_000, 30) + 1)))),
        ("cut.zip", lambda n: inner[: 30 + n % 60]),
        ("noise.xlsx", lambda n: b"PK\x03\x04" + bytes(range(256)) * (n // 256 + 1)),
        ("old.xls", lambda n: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(n)),
        ("noise.parquet", lambda n: b"PAR1" + bytes(n) + b"\xff\xff\xff\x7fPAR1"),
        ("large.csv", lambda n: b"source,sink\n" + b"a,b\n" * (n * 8)),
        ("large.txt", lambda n: b"xx -> \n" * (n * 6)),
        ("large.json", lambda n: b'{"edges": [' + b",".join([b'{"source":"a","sink":"b"}'] * (n * 2)) + b"]}"),
        ("large.jsonl", lambda n: b'{"treatment": "a", "outcome": "b"}\n' + b"{\n" * (n * 10)),
        ("large.bib", lambda n: b"@article{a, title={A}}\n" * (n * 2)),
        ("large.dot", lambda n: b"digraph {" + b"a -> b\n" * (n * 4) + b"}"),
        ("large.graphml", lambda n: graphml + b'<node id="a"/>' * (n * 4) + b"</graph></graphml>"),
    ]
    pairs = [(place, length) for place in range(len(makers)) for length in LENGTHS]
    while True:
        for place, length in rng.sample(pairs, len(pairs)):
            name, make = makers[place]
            yield f"{length}-{name}", make(length)
