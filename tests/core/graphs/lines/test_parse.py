"""The typed grammar: what each line means, what is refused with which offer, and the law of the round trip."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidName
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.lines.parse import MostLines, parse_lines
from core.graphs.lines.write import format_edge, format_graph
from core.graphs.names import clean_name
from core.sign import Sign

PLUS, MINUS = Sign.PLUS, Sign.MINUS


def _is_legal(name: str) -> bool:
    try:
        return clean_name(name) == name
    except InvalidName:
        return False


_TRICKY = st.sampled_from(
    ['"', "->", ";", " ", ",", "-", "(+)", "%", "ü", "<", ">", "→", "''", "1. ", "- ", "A", "b", "=>"]
)
NAMES = st.one_of(st.text(min_size=1, max_size=12), st.lists(_TRICKY, min_size=1, max_size=8).map("".join)).filter(
    _is_legal
)
EDGES = st.builds(Edge, NAMES, NAMES, st.sampled_from([None, PLUS, MINUS]))
GRAPHS = st.builds(
    lambda edges, isolated: CausalGraph.of(edges, [*(n for e in edges for n in e.pair), *isolated]),
    st.lists(EDGES, max_size=6, unique_by=lambda edge: (edge.pair, edge.sign)),
    st.lists(NAMES, max_size=3),
)


@given(GRAPHS)
def test_reading_what_was_written_gives_the_same_graph(graph: CausalGraph) -> None:
    parsed = parse_lines(format_graph(graph, signs=True, isolated=True))
    assert parsed.faults == ()
    assert parsed.graph == graph


@given(GRAPHS)
def test_the_standard_format_keeps_every_pair(graph: CausalGraph) -> None:
    parsed = parse_lines(format_graph(graph))
    assert [(edge.source, edge.sink) for edge in parsed.edges] == list(dict.fromkeys(edge.pair for edge in graph.edges))
    assert parsed.nodes == ()


@given(
    st.lists(st.one_of(_TRICKY, st.sampled_from(["<-", "<->", "->-", "->?", "\n", "“", "\x00"])), max_size=12).map(
        "".join
    )
)
def test_any_text_is_read_or_refused_and_every_offer_is_taken(text: str) -> None:
    parsed = parse_lines(text)
    for fault in parsed.faults:
        assert fault.message
        assert text.split("\n")[fault.line - 1] == fault.text
        if fault.offer:
            assert parse_lines(fault.offer).faults == ()
    for edge in parsed.edges:
        assert _is_legal(edge.source) and _is_legal(edge.sink)


def edges_of(text: str) -> list[tuple[str, str, Sign | None]]:
    parsed = parse_lines(text)
    assert parsed.faults == ()
    return [(edge.source, edge.sink, edge.sign) for edge in parsed.edges]


@pytest.mark.parametrize(
    ("line", "edges"),
    [
        ("Price -> Demand", [("Price", "Demand", None)]),
        ("A -> B; C", [("A", "B", None), ("A", "C", None)]),
        ("A -> B -> C", [("A", "B", None), ("B", "C", None)]),
        ("A -> B -> C; D", [("A", "B", None), ("B", "C", None), ("B", "D", None)]),
        ("A ->- B", [("A", "B", MINUS)]),
        ("A ->− B", [("A", "B", MINUS)]),
        ("A ->+ B", [("A", "B", PLUS)]),
        ("A ->+ B ->- C", [("A", "B", PLUS), ("B", "C", MINUS)]),
        ("A ->+ B; C", [("A", "B", PLUS), ("A", "C", PLUS)]),
        ("A -> B (+)", [("A", "B", PLUS)]),
        ("A -> B (−)", [("A", "B", MINUS)]),
        ("A -> B (-); C (+)", [("A", "B", MINUS), ("A", "C", PLUS)]),
        ('"A" -> "B" (-)', [("A", "B", MINUS)]),
        ('"A" -> "B (+)"', [("A", "B (+)", None)]),
        ("A -> B (USD)", [("A", "B (USD)", None)]),
        ("A <-> B", [("A", "B", None), ("B", "A", None)]),
        ("A <- B", [("B", "A", None)]),
        ("A <- B; C", [("B", "A", None), ("C", "A", None)]),
        ("A -> B <- C", [("A", "B", None), ("C", "B", None)]),
        ("A -> A", [("A", "A", None)]),
        ('"A"->"B"', [("A", "B", None)]),
        ('Price -> "B; C"; D', [("Price", "B; C", None), ("Price", "D", None)]),
        ('"say ""yes""" -> B', [('say "yes"', "B", None)]),
        ('"NH4->NO3 rate" -> Yield', [("NH4->NO3 rate", "Yield", None)]),
        ("Income, net -> Trust, social", [("Income, net", "Trust, social", None)]),
        ("work-life balance -> A - B", [("work-life balance", "A - B", None)]),
        ("long–term view -> x", [("long–term view", "x", None)]),
        ("  A\u00a0 -> \tB  ", [("A", "B", None)]),
        ("<Price> -> B", [("<Price>", "B", None)]),
        ("None -> NA", [("None", "NA", None)]),
    ],
)
def test_a_line_means(line: str, edges: list[tuple[str, str, Sign | None]]) -> None:
    assert edges_of(line) == edges


@pytest.mark.parametrize("arrow", ["->", "-->", "--->", "=>", "==>", "→", "⟶", "➔", "➝", "⇒"])
def test_every_forward_arrow_is_understood(arrow: str) -> None:
    assert edges_of(f"A {arrow} B") == [("A", "B", None)]


@pytest.mark.parametrize(("arrow", "both"), [("←", False), ("<--", False), ("↔", True), ("<-->", True), ("<=>", True)])
def test_back_and_double_arrows_are_understood(arrow: str, both: bool) -> None:
    assert edges_of(f"A {arrow} B") == ([("A", "B", None)] if both else []) + [("B", "A", None)]


@pytest.mark.parametrize(
    ("line", "says", "offer"),
    [
        ("A->B", "touches", '"A" -> "B"'),
        ("A→B", "touches", '"A" -> "B"'),
        ("A<-B", "touches", '"A" <- "B"'),
        ("A->B->C", "touches", '"A" -> "B" -> "C"'),
        ("A->-B", "touches", '"A" ->- "B"'),
        ("A->B; C", "touches", '"A" -> "B"; "C"'),
        ("NH4->NO3 rate -> Yield", "touches", '"NH4->NO3 rate" -> "Yield"'),
        ('"A"->B', "both sides", '"A" -> "B"'),
        ('A->"B"', "quote", '"A" -> "B"'),
        ("A; B -> C", "contains a ;", '"A; B" -> "C"'),
        ('"A" -> "B', "not closed", '"A" -> "B"'),
        ('A" -> B', "not balanced", '"A" -> "B"'),
        ('5" pipe -> X', "not balanced", '"5"" pipe" -> "X"'),
        ('the "new" rule -> X', "quote", '"the ""new"" rule" -> "X"'),
        ('"A" -> "B",', "follows a closing quote", '"A" -> "B"'),
        ('"A" and -> "B"', "follows a closing quote", '"A and" -> "B"'),
        ("“A” -> “B”", "curly", '"A" -> "B"'),
        ("1. A -> B", "“1.”", '"A" -> "B"'),
        ("- A -> B", "“-”", '"A" -> "B"'),
        ("• A -> B", "“•”", '"A" -> "B"'),
        ("A ->? B", "sign", '"A" -> "B"'),
        ("A -> B (+/-)", "sign", '"A" -> "B"'),
        ("A -> - B", "sign", '"A" ->- "B"'),
        ("A ->+ B (-)", "keep one", ""),
        ("A -> B (+) -> C", "on the arrow", ""),
        ("A ->", "sink is empty", ""),
        ("-> B", "source is empty", ""),
        ("A -> B;", "sink is empty", '"A" -> "B"'),
        ("A -> ; B", "missing before ;", ""),
        ('"" -> B', "empty", ""),
        ("Price", "no arrow", '"Price"'),
        ("Price\tDemand", "no arrow", '"Price" -> "Demand"'),
        ("A;B", "no arrow", ""),
        ("A -> B; C -> D", "end of a line", ""),
        ("A -> a\x07b", "control character", ""),
        ("A -> " + "x" * 301, "301", ""),
        ("A -> " + "x" * 20_000, "20,005", ""),
    ],
)
def test_a_faulty_line_is_refused_with_an_offer(line: str, says: str, offer: str) -> None:
    parsed = parse_lines(line)
    assert parsed.edges == () and parsed.nodes == ()
    (fault,) = parsed.faults
    assert says in fault.message
    assert (fault.line, fault.text, fault.offer) == (1, line, offer)


def test_a_glued_arrow_shows_both_readings() -> None:
    message = parse_lines("NH4->NO3 rate -> Yield").faults[0].message
    assert '"NH4" -> "NO3 rate" -> "Yield"' in message
    assert '"NH4->NO3 rate" -> "Yield"' in message


def test_good_lines_are_kept_and_faults_carry_their_number() -> None:
    parsed = parse_lines('A -> B\r\n\r\nbad\n"C"\nB -> A\r"unclosed -> D\n')
    assert [(edge.source, edge.sink, edge.line) for edge in parsed.edges] == [("A", "B", 1), ("B", "A", 5)]
    assert [(node.name, node.line) for node in parsed.nodes] == [("C", 4)]
    assert [fault.line for fault in parsed.faults] == [3, 6]
    assert parsed.graph.nodes == ("A", "B", "C")


def test_a_line_separator_never_joins_two_lines() -> None:
    assert edges_of("A -> B\u2028C -> D") == [("A", "B", None), ("C", "D", None)]


def test_exact_duplicates_are_kept_once_with_a_notice() -> None:
    parsed = parse_lines("A -> B\nB -> A\nA  ->  B\nA ->+ B")
    assert [edge.line for edge in parsed.edges] == [1, 2, 4]
    assert [(notice.line, notice.message) for notice in parsed.notices] == [
        (3, '"A" -> "B" is already listed in line 1; kept once.')
    ]


def test_a_list_mark_before_a_quoted_name_is_left_out_with_a_notice() -> None:
    parsed = parse_lines('1. "A" -> "B"\n"- C" -> "2) D"')
    assert [(edge.source, edge.sink) for edge in parsed.edges] == [("A", "B"), ("- C", "2) D")]
    assert [notice.line for notice in parsed.notices] == [1]


def test_the_standard_format_quotes_always_and_leaves_signs_and_isolated_nodes_out() -> None:
    graph = CausalGraph.of([Edge("A", 'B "x"', MINUS, delay=True)], ["lone"])
    assert format_graph(graph) == '"A" -> "B ""x"""\n'
    assert format_graph(graph, signs=True, isolated=True) == '"A" ->- "B ""x"""\n"lone"\n'
    assert format_edge(graph.edges[0]) == '"A" -> "B ""x"""'
    assert format_graph(CausalGraph.of([])) == ""


@pytest.mark.parametrize(
    "bad", ["- " * 9_000, "A ->? " * 3_000, '"' * 19_999, "A->" * 6_000, "; " * 9_000, "-" * 10**6]
)
def test_hostile_lines_are_refused_at_once(bad: str) -> None:
    parsed = parse_lines(bad)
    assert parsed.edges == ()
    assert len(parsed.faults) == 1


@pytest.mark.parametrize(("row", "found"), [("a{} -> b", (3, 0, 0)), ('"a{}"', (0, 4, 0)), ("no arrow {}", (0, 0, 5))])
def test_a_text_is_read_no_further_than_is_of_use(row: str, found: tuple[int, int, int]) -> None:
    """A paste of a hundred thousand faulty lines was read whole before it was refused."""
    text = "\n".join(row.format(number) for number in range(1_000))
    parsed = parse_lines(text, most=MostLines(edges=2, nodes=3, faults=4))
    assert (len(parsed.edges), len(parsed.nodes), len(parsed.faults)) == found
    assert (len(parse_lines(text[:200], most=MostLines(99, 99, 99)).nodes) > 3) == (found == (0, 4, 0))


def test_an_empty_text_is_an_empty_graph() -> None:
    assert parse_lines(" \n\n").graph == CausalGraph((), ())
