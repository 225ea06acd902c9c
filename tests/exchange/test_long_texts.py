"""Texts and workbooks made to be slow are read in linear time: each of these took many seconds, some forever."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.errors import BadRow
from exchange import bif, dagitty, dot
from exchange.bif_tokens import tokens as bif_tokens
from exchange.bundle import read_bundle
from exchange.dot_labels import shown, without_fields
from exchange.dot_tokens import DotToken, tokens
from exchange.graphs import GraphForm, read_edges, recognised
from tests.exchange import long_texts
from tests.processor_time import within

READ = "from tests.exchange import long_texts; long_texts.read_all()"


@pytest.mark.proof(
    "T6", "files made to be slow", gate="all read within 20 s of processor time; each took seconds or more"
)
def test_texts_made_to_be_slow_are_read_in_linear_time(record_property: Callable[[str, object], None]) -> None:
    read, made = within(20, READ), [*long_texts.TEXTS, *long_texts.SHARED, "sheets.xlsx", "merged.xlsx"]
    record_property("repetitions", len(made))
    record_property("figure", f"{len(set(made) & set(read))} of {len(made)} read")
    assert read == made


def test_a_banner_of_comments_stands_before_a_graph_of_any_form() -> None:
    banner = "#" * 60 + "\n# my graph\n"
    assert recognised(f"{banner}digraph {{ a -> b }}".encode(), "graph") is GraphForm.DOT
    (read,) = read_bundle(f"{banner}Price -> Demand\n".encode(), "graph.txt")
    assert [edge.pair for edge in read.graph.edges] == [("Price", "Demand")]


@pytest.mark.parametrize("text", ["# my digraph { of prices\nA -> B", "// graph {\nA -> B", "/* digraph { */\nA -> B"])
def test_a_graph_that_only_a_comment_speaks_of_is_none(text: str) -> None:
    assert not dot.is_mine(text)


def test_a_comment_that_is_never_closed_is_junk_and_hides_nothing() -> None:
    assert [token.text for token in tokens("a /* b /* c")] == ["a", "/", "*", "b", "/", "*", "c"]
    assert [token.text for token in bif_tokens("a /* b")] == ["a", "/", "*", "b"]
    assert [token.text for token in tokens("a /* b */ c")] == ["a", "c"]


def test_quotes_within_one_that_is_never_closed_are_none() -> None:
    assert [(token.kind, token.text) for token in bif_tokens('"a\\"b\n"c"')] == [
        ("other", '"'),
        ("word", "a\\"),
        ("other", '"'),
        ("word", "b"),
        ("quoted", "c"),
    ]


def test_what_is_never_closed_in_a_label_stays_as_it_is() -> None:
    assert shown(DotToken("html", "a<br>b<!-- c --><i>d</i> <!-- e < f", 1)) == "a b d <!-- e < f"
    assert shown(DotToken("html", "a <!-- b <td>c", 1)) == "a <!-- b c".replace("<!-- b ", "<!-- b  ")
    assert without_fields(r"<p>a|{b \| c} < d|e") == r" a  b \| c  < d e"


def test_names_of_networks_may_hold_slashes_and_be_followed_by_comments() -> None:
    assert bif.is_mine("network a/b {")
    assert bif.is_mine("network http://x {")
    assert bif.is_mine("network a// comment\n{")
    assert not bif.is_mine("network a// comment {")


def test_numbers_of_places_are_read_as_before() -> None:
    graph = dagitty.read('dag { a [pos="1.,-.5e1"] b [pos="0.5,2"] a -> b }', "g")
    assert set(graph.places) == {"a", "b"}
    held = "network x {} variable a { type discrete [2] { y, n }; property position = %s ; }"
    assert list(bif.read(held % "(1.5, 2)", "g").places) == ["a"]
    assert list(bif.read(held % "(12)", "g").places) == []  # was read as (1, 2)


def test_more_defaults_than_graphviz_knows_are_a_fault_said_once() -> None:
    many = "\n".join(f"node [k{n}=1]" for n in range(300))
    read = dot.read(f"digraph {{ {many}\na -> b }}", "g")
    assert [(fault.line, fault.value) for fault in read.faults] == [(201, "node")]
    assert read.graph.nodes == ("a", "b")
    long = ",".join(f"k{n}=1" for n in range(300))
    (fault,) = dot.read(f"digraph {{ a -> b [{long}]\nc -> d }}", "g").faults
    assert fault.expected == "at most 200 attributes are read"


def test_a_default_counts_for_what_is_named_after_it_alone() -> None:
    read = dot.read('digraph { a; node [label="x"]; b; { node [label="\\N!"]; c } d; b [label="y"] a -> b }', "g")
    assert read.graph.nodes == ("a", "y", "c!", "x")


def test_what_holds_for_every_element_of_xml_is_bounded() -> None:
    long = "w" * 1_001
    for file, text in {
        "h.graphml": f'<graphml><key for="node" attr.name="label"><default>{long}</default></key><graph/></graphml>',
        "g.gexf": f'<gexf><graph><attributes class="edge"><attribute title="sign"><default>{long}</default></attribute>'
        "</attributes></graph></gexf>",
    }.items():
        with pytest.raises(BadRow, match="at most 1,000 characters"):
            read_edges(text.encode(), file)


def test_a_chain_and_a_circle_of_modules_lead_to_one_variable() -> None:
    def model(name: str, ends: str) -> str:
        return f'<model name="{name}"><variables><aux name="a"/>{ends}</variables></model>'

    def module(name: str, source: str) -> str:
        return f'<module name="{name}"><connect to="a" from="{source}.a"/></module>'

    chain = "".join(module(f"M{n}", f"M{n - 1}" if n else "") for n in range(500))
    text = "<xmile>" + model("", chain) + "".join(model(f"M{n}", "") for n in range(500)) + "</xmile>"
    assert read_edges(text.encode(), "g.xmile").graph.nodes == ("a",)
    circle = module("M0", "M1") + module("M1", "M0") + module("M2", "M1")
    text = "<xmile>" + model("", circle) + "".join(model(f"M{n}", "") for n in range(3)) + "</xmile>"
    assert read_edges(text.encode(), "g.xmile").graph.nodes == ("a", "M0.a")
