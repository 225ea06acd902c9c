"""What was read comes over the wire as it was, whichever reader read it; anything else that comes is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BadInput, BadRow, InvalidName, UnknownColumns, UnreadableFile
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from exchange import wire
from exchange.file_kinds import FileKind
from exchange.file_reading import (
    FileChoices,
    GraphsRead,
    ReferencesRead,
    TripletsRead,
    graphs_of,
    references_of,
    triplets_of,
)
from exchange.graphs import GraphForm, obstacle, write_graph
from exchange.study import StudyGraph, export_study
from exchange.wire import from_lines, to_lines
from tests.exchange.strategies import GRAPHS, TRICKY


def same(one: Any, other: Any) -> bool:
    """Equal, of the same types all the way down; errors by their class and words."""
    if type(one) is not type(other):
        return False
    if isinstance(one, BadInput):
        return str(one) == str(other) and vars(one) == vars(other)
    if is_dataclass(one):
        return all(same(getattr(one, each.name), getattr(other, each.name)) for each in fields(one))
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, Mapping):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    return bool(one == other)


def assert_returns(kind: type[object], value: Any) -> None:
    again = from_lines(kind, to_lines(kind, value))
    assert same(again, value), (again, value)


@pytest.mark.parametrize("form", GraphForm)
@settings(max_examples=12)
@given(graph=GRAPHS)
def test_graphs_of_every_form_come_back(form: GraphForm, graph: CausalGraph) -> None:
    places = {name: Point(40.5 * k - 100, 1 / (k + 1)) for k, name in enumerate(graph.nodes)}
    if not obstacle(graph, form):
        content = write_graph(graph, form, places)
        assert_returns(GraphsRead, graphs_of(f"a{form.suffix}", content, FileChoices()))


@pytest.mark.parametrize("form", GraphForm)
@given(data=st.data())
def test_what_is_said_of_damaged_files_comes_back(form: GraphForm, data: st.DataObject) -> None:
    """Faults, notices, refusals, heads and encodings: a sound file with a piece cut out and another put in."""
    graph = TRICKY if not obstacle(TRICKY, form) else CausalGraph.of(TRICKY.edges[:1])
    content = write_graph(graph, form, {}) if not obstacle(graph, form) else b"a -> b"
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 20)))
    piece = data.draw(st.sampled_from([b"", b'"', b"\xff\xe4", b",,\n", b"\x00", b"<a>", b"}{", b"\\ud800", b"NaN"]))
    damaged = content[:start] + piece + content[end:]
    assert_returns(
        GraphsRead, graphs_of(data.draw(st.sampled_from([f"a{form.suffix}", "a.txt"])), damaged, FileChoices())
    )


def test_a_study_comes_back_with_its_answers() -> None:
    named = [StudyGraph("P, 1", "p", f"F{n}", "A1", "submitted", TRICKY) for n in range(3)]
    for form in (GraphForm.CSV, GraphForm.JSON, GraphForm.SAFE_CSV, GraphForm.TSV):
        assert_returns(GraphsRead, graphs_of(f"s{form.suffix}", export_study(named, form), FileChoices()))
    asked = FileChoices("cp1252", {"source": "von", "sink": "nach"})
    read = graphs_of("a.csv", "von,nach\nÄ,Ö\n".encode("cp1252"), asked)
    assert read.graphs[0].graph.nodes == ("Ä", "Ö")
    assert_returns(GraphsRead, read)


CELLS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6)
VALUES = st.recursive(CELLS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner))
SCORES = st.dictionaries(
    st.text(min_size=1, max_size=3),
    st.dictionaries(st.sampled_from(["sign", "causality"]), st.integers(0, 4), max_size=2),
    max_size=2,
)
TRIPLETS = st.lists(
    st.fixed_dictionaries(
        {"treatment": st.text(max_size=5), "outcome": st.just("B"), "sign": st.sampled_from(["+", "None", "x"])},
        optional={
            "context": CELLS,
            "paper_id": CELLS,
            "jel_codes": CELLS,
            "publication_year": CELLS,
            "other": VALUES,
            "critics": SCORES,
            "evidence": st.lists(st.text(max_size=4), max_size=2),
        },
    ),
    min_size=1,
    max_size=5,
)


@given(rows=TRIPLETS, codes=st.sampled_from([None, b"paper,jel\nw0001,J31\nw2,??\n", b"nothing"]))
def test_triplets_come_back_with_every_cell(rows: list[dict[str, Any]], codes: bytes | None) -> None:
    content = "\n".join(json.dumps(row) for row in rows).encode()
    assert_returns(TripletsRead, triplets_of("t.jsonl", content, None if codes is None else ("j.csv", codes), ""))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("r.bib", '@article{a, title={T{\\"u}r}, author={A, B and C}, year={2001}}\n@article{b, title={}}'),
        ("r.ris", "TY  - JOUR\nTI  - T\nAU  - A\nPY  - 2001/05/\nER  - \nTY  - JOUR\n"),
        ("r.csv", "title;authors;doi\nA;B, C;10.1234/x\nB;;no\n"),
        ("r.csv", "no heading\n"),
    ],
)
def test_references_come_back(name: str, content: str) -> None:
    assert_returns(ReferencesRead, references_of(name, content.encode()))


# --- how long values lie on the wire ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Held:
    numbers: tuple[int, ...] = ()
    names: Mapping[str, tuple[str, ...]] | None = None
    anything: Any = None


def test_long_values_stand_on_short_lines() -> None:
    value = Held(tuple(range(10_000)), {str(n): ("x" * 3,) * 300 for n in range(300)})
    lines = to_lines(Held, value).split(b"\n")
    assert max(map(len, lines)) < 10_000
    assert from_lines(Held, b"\n".join(lines)) == value
    long = GraphsRead(graphs_of("a.csv", b"source,sink\n" + b"a,b\n" * 900, FileChoices()).graphs)
    assert to_lines(GraphsRead, long).count(b"\n") == 4  # 899 notices, 250 a line


def test_a_line_is_never_much_longer_than_a_megabyte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "LONGEST_LINE", 1_000)
    value = Held(names={str(n): ("x" * 100,) for n in range(251)})
    assert max(map(len, to_lines(Held, value).split(b"\n"))) <= 1_000
    assert from_lines(Held, to_lines(Held, value)) == value


def test_values_that_look_like_lines_stay_values() -> None:
    assert_returns(Held, Held(anything={"lines": [0, 1]}, names={"lines": ("a",)}))


# --- what is not believed -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"[[1,2],null]",
        b'[["1"],null,null]',
        b"[[true],null,null]",
        b"[[1.0],null,null]",
        b'[[],{"a":["b"]},null]',
        b'[[],[["a"]],null]',
        b'[[],[["a","b"]],null]',
        b'[{"lines":[0,1]},null,null]',
        b'[1]\n[{"lines":[0,9]},null,null]',
        b'["x"]\n[{"lines":[0,1]},null,null]',
        b'[{"lines":[-1,0]},null,null]',
        b'[{"lines":null},null,null]',
        b"[" * 100_000,
        b"[[" + b"9" * 5_000 + b"],null,null]",
        b"\xff",
    ],
)
def test_anything_else_is_a_value_error(content: bytes) -> None:
    with pytest.raises(ValueError):
        from_lines(Held, content)


@pytest.mark.parametrize(
    "content",
    [
        b'[[],null,["SystemExit","1"],[]]',
        b'[[],null,["BadRow","a",1,"b","c"],[]]',
        b'[[],null,["BadInput",1],[]]',
        b'[[],null,["BadRow","a","1","b","c","d"],[]]',
        b'[[],null,["BadRow","a",true,"b","c","d"],[]]',
        b"[[],null,[],[]]",
        b'[[],null,["UnreadableDocument","x"],[]]',
        b'[[],null,[["BadInput"],"x"],[]]',
    ],
)
def test_no_other_error_can_be_made_than_those_of_readers(content: bytes) -> None:
    with pytest.raises(ValueError):
        from_lines(GraphsRead, content)


def test_a_value_that_its_class_refuses_is_a_value_error() -> None:
    content = to_lines(GraphsRead, graphs_of("a.csv", b"source,sink,sign\na,b,+\n", FileChoices()))
    assert content.count(b'"b","+"') == 2
    with pytest.raises(ValueError, match="belongs to triplets"):
        from_lines(GraphsRead, content.replace(b'"b","+"', b'"b","mixed"'))


def test_errors_keep_their_class_their_words_and_their_place() -> None:
    for error in (
        BadInput("a"),
        UnreadableFile("b"),
        InvalidName("c"),
        BadRow("f", None, "x", "y", "z"),
        UnknownColumns("f", 3, "", "\ud800", "ü"),
    ):
        assert_returns(GraphsRead, GraphsRead(refusal=error))


def test_a_kind_of_file_is_one_of_three() -> None:
    assert from_lines(FileKind, to_lines(FileKind, FileKind.JEL)) is FileKind.JEL
    with pytest.raises(ValueError, match="'other' is not a valid FileKind"):
        from_lines(FileKind, b'"other"')
