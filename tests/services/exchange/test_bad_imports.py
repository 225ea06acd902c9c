"""Bad files and rows, each with the sentence a person reads; and whatever is wrong, nothing is partly imported."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from sqlalchemy import func
from sqlmodel import select

from core.errors import BadInput, Missing
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from exchange.graphs import GraphForm
from exchange.study import StudyGraph, export_study
from services.graphs import importing
from services.study import Study
from store.tables import EdgeRow, EventRow, GraphRow, NodeRow, new_id

SKETCH = (
    "\\\\\\---/// Sketch information\nV300  Do not put anything below this section\n*View 1\n$0,0,Arial|12||0-0-0\n"
)
VARIABLE = "10,1,A,100,100,20,10,8,3,0,0,0,0,0,0\n"
GRAPHML = (
    b'<graphml><graph edgedefault="%s"><node id="a"/><node id="b"/><edge source="a" target="%s"/></graph></graphml>'
)
KUMU = {
    "elements": [{"label": "A"}, {"label": "B"}],
    "connections": [{"from": "A", "to": "B", "direction": "undirected"}],
}
BOMB = b'<!DOCTYPE l [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><graphml>&b;</graphml>'
ARROW = "1,2,1,9,0,0,43,0,0,128,0,-1--1--1,,1|(0,0)|\n"
PART = {"good.csv": b"source,sink\nA,B\n", "bad.csv": b"source,sink,sign\nA,B,maybe\n"}


def zipped(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/"), content)
    return buffer.getvalue()


def many(count: int) -> bytes:
    return zipped(**{f"g{number}.csv": b"source,sink\nA,B\n" for number in range(count)})


def study_file(**changes: object) -> bytes:
    named = StudyGraph("Paper", "p1", "Figure 1", "A1", "submitted", CausalGraph.of([Edge("A", "B")]))
    value = json.loads(export_study([named], GraphForm.JSON))
    return json.dumps(value | changes).encode()


def twisted_study() -> bytes:
    value = json.loads(study_file())
    value["graphs"][0]["edges"][0]["sink"] = "C"
    return json.dumps(value).encode()


def whole(content: bytes | Callable[[], bytes]) -> bytes:
    return content if isinstance(content, bytes) else content()


# Name, content, and what the person reads. Nothing of these may be imported. Content that takes long to make is made by
# the one test that reads it, not by every worker that lists the tests.
REFUSED: list[tuple[str, bytes | Callable[[], bytes], str]] = [
    # the file as a whole
    ("empty.csv", b"", "empty.csv: the file is empty"),
    ("blank.csv", b"  \n\n", "the file is empty"),
    ("mark.csv", b"\xef\xbb\xbf", "the file is empty"),
    ("login.csv", b"<!DOCTYPE html><html><body>Sign in", "is a web page"),
    ("login.graphml", b"<html><body>Sign in</body></html>", "is a web page"),
    ("paper.csv", b"%PDF-1.7 ...", "is a PDF"),
    ("picture.json", b"\x89PNG\r\n\x1a\n...", "is a picture"),
    ("latin.csv", "source,sink\nPreis,Ärger\n".encode("latin-1"), "line 2: not UTF-8. Which encoding is it?"),
    ("list.yaml", b"a: &anchor [b]\n", "is YAML; these are read: .bif, .csv"),
    ("letter.docx", b"PK\x03\x04 Word", "letter.docx"),
    # tables
    ("twice.csv", b"source,sink,source\nA,B,C\n", "two columns are named source; rename one"),
    ("missing.csv", b"first,second\nA,B\n", "needs the columns source and sink; found first, second"),
    ("quote.csv", b'source,sink\nA,B\n"C,D\nE,F\n', "line 3; a quote is opened here and never closed"),
    ("ragged.csv", b"source,sink\nA,B,C,D\nE,F\n", "line 2: found 'A,B,C,D'; 4 fields, expected 2"),
    ("sign.csv", b"source,sink,sign\nA,B,maybe\n", "line 2, sign: found 'maybe'; an edge's sign is"),
    ("none.csv", b"source,sink,sign\nA,B,None\n", "line 2, sign: found 'None'"),
    ("mixed.csv", b"source,sink,sign\nA,B,mixed\n", "line 2, sign: found 'mixed'"),
    ("delay.csv", b"source,sink,delay\nA,B,soon\n", "line 2, delay: found 'soon'; a delay mark is yes, no or empty"),
    ("flag.csv", b"source,sink,flag\nA,B,odd\n", "line 2, flag: found 'odd'; a flag is one of"),
    # names
    ("nul.csv", b"source,sink\nA\x00x,B\n", "a control character .U.0000. at position 2; remove it"),
    ("long.csv", b"source,sink\n" + b"x" * 10_000 + b",B\n", "has 10,000 characters; a name may have at most 300"),
    ("zero.csv", "source,sink\n\u200b,B\n".encode(), "line 2, source: .*The name is empty"),
    ("right.csv", "source,sink\nA\u202eb,B\n".encode(), "a text-direction character .U.202E. at position 2"),
    ("blank-sink.json", b'{"edges": [{"source": "A", "sink": " "}]}', r"edges\[0\].sink; an edge needs a sink"),
    # arrows
    ("glued.txt", b"NH4->NO3 rate -> Yield\n", "An arrow touches a name"),
    ("no-arrow.txt", b"Price\n", "line 1: found 'Price'; There is no arrow"),
    ("loopy.txt", b"https://ncase.me/loopy/v1.1/?data=[[[1,2", "loopy.txt"),
    # JSON
    ("line.json", b'{"edges": [\n{"source": "A", "sink": "B"},\n{"source": "A" "sink"}]}', "line 3; not JSON"),
    ("nan.json", b'{"edges": [{"source": "A", "sink": "B", "w": NaN}]}', "NaN is not a JSON value; write null"),
    ("key.json", b'{"edges": [{"source": "A", "source": "C", "sink": "B"}]}', 'the key "source" is listed twice'),
    ("deep.json", b"[" * 1_000_000, "brackets are nested deeper than 32"),
    ("index.json", b'{"id": "index"}', "index.json, edges; there are none; a graph is"),
    ("number.json", b"42", 'a graph is {"nodes"'.replace("{", r"\{")),
    ("undirected.json", json.dumps(KUMU).encode(), "found 'undirected'; an undirected edge"),
    ("newer.json", study_file(version=3), "made with version 3; this Edgewise reads version 1"),
    # XML
    ("bomb.graphml", BOMB, "DOCTYPE. is not allowed"),
    ("outside.stmx", b'<!DOCTYPE l SYSTEM "file:///etc/passwd"><xmile/>', "line 1: .*DOCTYPE. is not allowed"),
    ("cut.graphml", b'<graphml><graph edgedefault="directed"><node id="a"/>', "it is cut short"),
    ("undirected.graphml", GRAPHML % (b"undirected", b"b"), "an edge has a direction"),
    ("dangling.graphml", GRAPHML % (b"directed", b"c"), "found 'c'"),
    # programs
    ("equations.mdl", b"{UTF-8}\nA = B ~ ~ |\n", "has no sketch"),
    ("dangling.mdl", (SKETCH + VARIABLE + ARROW).encode(), "line 6, to: found '9'"),
    ("lines.dot", b"graph { a -- b }", "a causal graph needs directed edges .digraph, ->."),
    ("cut.dot", b'digraph { "a" -> ', "the file ends in the middle of a statement"),
    ("hidden.dagitty", b"dag { A <-> B }", "<-> means a hidden common cause"),
    ("parent.bif", b"network x {}\nvariable A { type discrete [2] {y, n}; }\nprobability (A | B) { }\n", "found 'B'"),
    # packed files
    ("damaged.xlsx", b"PK\x03\x04 not really", "damaged.xlsx is damaged"),
    ("locked.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600, "save it as .xlsx"),
    ("up.zip", zipped(**{"..__..__evil.csv": b"source,sink\nA,B\n"}), r"\.\./\.\./evil.csv"),
    ("many.zip", lambda: many(2_001), "2,001"),
    ("huge.zip", lambda: zipped(**{"huge.csv": b"source,sink\n" + b"A,B\n" * 20_000_000}), "huge.csv"),
    ("nested.zip", zipped(**{"inner.zip": many(1)}), "inner.zip"),
    ("part.zip", zipped(**PART), "part.zip/bad.csv, line 2"),
]

# What looks odd and is right: kept whole, and the notice that says how it was understood ("" if none is needed).
KEPT: list[tuple[str, bytes, str, int]] = [
    ("mark.csv", "\ufeffsource,sink\nÄ,B\n".encode(), "", 1),
    ("wide.csv", "source,sink\nPreis,Ärger\n".encode("utf-16"), "was read as UTF-16", 1),
    ("semicolon.csv", b"source;sink\nA, net;B\n", "separated by a semicolon", 1),
    ("words.csv", b"source,sink\nNone,NA\nnull,007\nNaN,nan\n", "", 3),
    ("formula.csv", b"source,sink\n=1+1,B\n", "begin like a formula", 1),
    ("script.csv", b"source,sink\n<script>alert(1)</script>,B\n", "", 1),
    ("cafe.csv", "source,sink\nCafé,B\nCafe\u0301\u00a0,C\n".encode(), "White space or accents were tidied", 2),
    ("loop.csv", b"source,sink\nA,A\n", "", 1),
    ("again.csv", b"source,sink\nA,B\nA,B\n", 'line 3: "A" -> "B" is already listed in line 2', 1),
    ("both.csv", b"source,sink,sign\nA,B,+\nA,B,-\n", "2 different signs; all are kept", 2),
    ("chain.txt", "a -> b -> c\nd → e\n".encode(), "", 3),
    ("signs.csv", "source,sink,sign\nA,B,positive\nB,C,1\nC,D,–\n".encode(), "“positive” was read as +", 3),
    ("changed.json", twisted_study(), "[Cc]hanged since", 1),
]


def counts(study: Study) -> tuple[int, ...]:
    with study.store.reading() as session:
        tables = (GraphRow, NodeRow, EdgeRow, EventRow)
        return tuple(session.exec(select(func.count()).select_from(table)).one() for table in tables)


def test_at_least_forty_bad_inputs_are_tried() -> None:
    assert len({(name, message) for name, _, message in REFUSED}) >= 40


@pytest.mark.parametrize(("name", "content", "message"), REFUSED, ids=[f"{name}" for name, _, _ in REFUSED])
def test_a_bad_file_says_what_is_wrong_and_nothing_is_imported(
    sqlite_study: Study, people: SimpleNamespace, name: str, content: bytes | Callable[[], bytes], message: str
) -> None:
    content = whole(content)
    before = counts(sqlite_study)
    file = importing.preview(people.owner, [(name, content)]).files[0]
    said = "\n".join([file.error, *(str(fault) for fault in file.faults), *(g.obstacle for g in file.graphs)])
    assert re.search(message, said), said
    with pytest.raises((BadInput, Missing)):
        importing.import_graphs(
            people.owner, [("good.csv", b"source,sink\nA,B\n"), (name, content)], with_faulty=False, act_id=new_id()
        )
    assert counts(sqlite_study) == before


@pytest.mark.parametrize(("name", "content", "notice", "edges"), KEPT, ids=[name for name, *_ in KEPT])
def test_what_only_looks_odd_is_kept_whole(
    sqlite_study: Study, people: SimpleNamespace, name: str, content: bytes, notice: str, edges: int
) -> None:
    graph = importing.preview(people.owner, [(name, content)]).files[0].graphs[0]
    assert not graph.faults
    assert re.search(notice, "\n".join(graph.notices)) if notice else True, graph.notices
    before = counts(sqlite_study)
    importing.import_graphs(people.owner, [(name, content)], with_faulty=False, act_id=new_id())
    after = counts(sqlite_study)
    assert (after[0] - before[0], after[2] - before[2]) == (1, edges)
