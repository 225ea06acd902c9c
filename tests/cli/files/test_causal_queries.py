"""Commands about texts of graphs and queries as a shell sees them: keys, lists, errors in their place, exit status."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.files.causal_queries import NOTE
from tests.cli.calling import ROOT, Write, run, said

FORK = {"nodes": ["Z", "M", "A", "B"], "edges": [{"source": s, "sink": t} for s, t in ("AM", "MB", "AB", "ZA", "ZB")]}
LOOP = "source,sink\nA,B\nB,A\n"
NETWORKS = ROOT / "demo" / "networks"
ALARM = NETWORKS / "alarm.json"


# --- encode and decode ------------------------------------------------------------------------------------------


def test_encode_has_its_keys_in_order_and_says_what_is_left_out(write: Write) -> None:
    graph = write("well.csv", "source,sink,sign\nWells,Debt,+\nDebt,Loans,\nAlone,,\nWells,Debt,+\n")
    done = run("graph", "encode", graph, "--as", "single", "--json")
    assert said(done) == {
        "encoding": "single",
        "order": "given",
        "text": "Wells causes Debt. Debt causes Loans.\nNodes without relations: Alone.",
        "nodes": 4,
        "edges": 2,
        "isolated": ["Alone"],
        "left_out": ["signs"],
        "names": None,
    }
    assert f"{graph}: single leaves out signs." in done.stderr.decode()
    shown = run("graph", "encode", graph, "--as", "adjacency", "--order", "bfs-reversed").stdout.decode()
    assert shown == "(Debt, Loans) (Wells, Debt)\nNodes without relations: Alone.\n"


def test_neutral_names_come_with_the_graphs_own(write: Write) -> None:
    graph = write("fork.json", FORK)
    found = said(run("graph", "encode", graph, "--as", "json", "--names", "neutral", "--seed", "4", "--json"))
    assert sorted(found["names"]) == ["0", "1", "2", "3"]
    assert sorted(found["names"].values()) == ["A", "B", "M", "Z"]
    other = said(run("graph", "encode", graph, "--as", "json", "--names", "neutral", "--seed", "5", "--json"))
    assert other["names"] != found["names"]
    turned = said(run("graph", "encode", graph, "--as", "adjacency", "--names", "reversed", "--json"))
    assert turned["text"] == "(M, A) (B, M) (B, A) (A, Z) (B, Z)"


def test_decode_gives_the_plain_form_of_what_encode_wrote(write: Write) -> None:
    text = run("graph", "encode", write("fork.json", FORK), "--as", "matrix").stdout.decode()
    found = said(run("graph", "decode", "-", "--from", "matrix", "--json", typed=text))
    assert found["nodes"] == ["Z", "M", "A", "B"]
    assert {(edge["source"], edge["sink"]) for edge in found["edges"]} == {
        (edge["source"], edge["sink"]) for edge in FORK["edges"]
    }
    shown = run("graph", "decode", "-", "--from", "matrix", typed=text)
    assert said(shown) == found  # the plain form is JSON without --json too


def test_a_text_of_another_encoding_is_an_error_in_its_place(write: Write) -> None:
    dot = write("g.dot", "digraph G {\n  A -> B;\n}\n")
    pairs = write("g.txt", "(A, B)")
    faulty, good = said(run("graph", "decode", dot, pairs, "--from", "adjacency", "--json"), status=1)
    assert good == {"nodes": ["A", "B"], "edges": [{"source": "A", "sink": "B", "sign": None}]}
    assert faulty["error"] == (
        f"{dot}: Line 1: found “digraph G {{”; expected “(”. The text looks like the encoding graphviz."
    )


def test_a_graph_too_large_to_encode_is_refused_with_its_number(write: Write) -> None:
    graph = write("large.json", {"nodes": [str(n) for n in range(2_001)], "edges": []})
    done = run("graph", "encode", graph, "--as", "json")
    assert done.returncode == 1
    assert done.stderr.decode() == (f"{graph}: This graph has 2,001 nodes; a graph of at most 2,000 can be encoded.\n")


# --- query ------------------------------------------------------------------------------------------------------


def test_query_has_its_keys_in_order_and_the_edges_of_its_answer(write: Write) -> None:
    graph = write("fork.json", FORK)
    found = said(run("graph", "query", graph, "--kind", "mediator", "--between", "A", "B", "--json"))
    assert list(found) == ["kind", "variant", "of", "between", "node", "answer", "why"]
    assert found == {
        "kind": "mediator",
        "variant": None,
        "of": None,
        "between": ["A", "B"],
        "node": None,
        "answer": ["M"],
        "why": [{"source": "A", "sink": "M"}, {"source": "M", "sink": "B"}],
    }
    asked = said(run("graph", "query", graph, "--kind", "mediator", "--between", "B", "A", "--node", "M", "--json"))
    assert (asked["answer"], asked["why"]) == (False, [])  # a pair is answered in the order it is given


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        ("--kind source", ["Z"]),
        ("--kind sink", ["B"]),
        ("--kind parent --of B", ["Z", "M", "A"]),  # in node order
        ("--kind child --of A --node M", True),
        ("--kind confounder --between M B", ["A"]),
        ("--kind confounder --variant confounder-common-ancestor --between M B", ["Z", "A"]),
        ("--kind confounder --variant confounder-fork", ["Z", "A"]),
        ("--kind mediator --variant mediator-any-path --between Z B", ["M", "A"]),
        ("--kind intervention --of M", ["B"]),
        ("--kind intervention --of M --node A", False),
        ("--kind intervention --variant intervention-pair --of M --between A B", True),
    ],
)
def test_every_kind_and_variant_has_its_options(write: Write, options: str, answer: object) -> None:
    assert said(run("graph", "query", write("fork.json", FORK), *options.split(), "--json"))["answer"] == answer


def test_in_words_an_answer_is_a_name_a_line_with_what_makes_it_so_and_what_is_cut(write: Write) -> None:
    graph = write("fork.json", FORK)
    shown = run("graph", "query", graph, "--kind", "intervention", "--of", "M").stdout.decode()
    assert shown == "B\n\nEdges:\n  M → B\n\nCut:\n  A → M\n"
    assert run("graph", "query", graph, "--kind", "child", "--of", "B").stdout == b"No variable\n"
    assert run("graph", "query", graph, "--kind", "source", "--node", "Z").stdout == b"Yes\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--kind parent --of HRR", "{file} has no variable “HRR”; near are HR, HRBP, HREKG."),
        ("--kind mediator --between HR HR", "Two different variables are needed."),
        (
            "--kind source --variant confounder-fork",
            "The variant confounder-fork belongs to confounder, not source.",
        ),
    ],
)
def test_what_a_graph_cannot_be_asked_is_told(options: str, message: str) -> None:
    done = run("graph", "query", ALARM, *options.split())
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == f"{message.format(file=ALARM)}\n"


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ("--kind parent", "parent needs --of."),
        ("--kind source --of HR", "source does not take --of."),
        ("--kind confounder --of HR", "confounder does not take --of."),
        ("--kind mediator", "mediator needs --between."),
        ("--kind intervention --variant intervention-pair --of A --between B C --node D", "does not take --node."),
    ],
)
def test_missing_and_superfluous_options_are_mistakes_of_usage(options: str, hint: str) -> None:
    done = run("graph", "query", ALARM, *options.split())
    assert done.returncode == 2
    assert hint in " ".join(done.stderr.decode().replace("│", " ").split())


def test_a_graph_with_a_cycle_answers_what_is_defined_there(write: Write) -> None:
    loop, fork = write("loop.csv", LOOP), write("fork.json", FORK)
    assert said(run("graph", "query", loop, "--kind", "intervention", "--of", "A", "--json"))["answer"] == ["B"]
    any_path = ("--kind", "mediator", "--variant", "mediator-any-path", "--between", "A", "B")
    faulty, good = said(run("graph", "query", loop, fork, *any_path, "--json"), status=1)
    assert good["answer"] == ["M"]
    assert faulty["error"].startswith(f"{loop}: ") and faulty["error"].endswith("no causal order: A → B → A.")


# --- count and sample -------------------------------------------------------------------------------------------


def test_count_says_what_the_paper_has_and_what_it_prints() -> None:
    found = said(run("graph", "count", "--nodes", "27", "37", "10", "20", "30", "--json"))
    assert list(found) == [
        *("graph_level", "node_level", "total", "encodings", "times_encodings", "printed", "note"),
    ]
    kinds = ["source", "sink", "parent", "child", "mediator", "confounder"]
    assert (list(found["graph_level"]), list(found["node_level"])) == (kinds, kinds)
    assert (found["graph_level"]["mediator"], found["node_level"]["mediator"]) == (1_687, 48_045)
    assert (found["total"], found["encodings"], found["times_encodings"], found["printed"]) == (
        *(106_718, 7, 747_026, 747_754),
    )


def test_count_of_files_is_of_all_of_them_together() -> None:
    networks = sorted(NETWORKS.glob("*.json"))
    found = said(run("graph", "count", *networks, "--json"))
    assert (found["total"], found["times_encodings"], found["printed"]) == (12_316_046, 86_212_322, None)
    assert found["printed_reason"] == "the paper prints a total of its own five graphs only"
    andes = said(run("graph", "count", NETWORKS / "andes.json", "--json"))["total"]
    for number in (found["total"], found["times_encodings"], andes):
        assert f"{number:,}" in NOTE


def test_count_in_words_is_a_table() -> None:
    shown = run("graph", "count", "--nodes", "8").stdout.decode()
    assert "Mediator    28               168\n" in shown
    assert "538 queries of 1 graph per encoding, 3,766 in 7 encodings.\n" in shown


@pytest.mark.parametrize("wrong", ["ten", "0", "1.5"])
def test_sizes_are_numbers(wrong: str) -> None:
    done = run("graph", "count", "--nodes", wrong)
    assert done.returncode == 2
    assert f"found “{wrong}”" in done.stderr.decode()


def test_a_sample_is_numbered_true_and_contains_every_smaller_one(write: Write) -> None:
    graphs = [write("fork.json", FORK), NETWORKS / "asia.json"]
    found = said(run("graph", "sample", *graphs, "--size", "60", "--seed", "3", "--json"))
    assert [list(row) for row in found] == [
        ["number", "graph", "encoding", "order", "kind", "level", "args", "answer"]
    ] * 60
    assert {row["graph"] for row in found} == {str(graph) for graph in graphs}
    assert len({row["number"] for row in found}) == 60
    assert said(run("graph", "sample", *graphs, "--size", "9", "--seed", "3", "--json")) == found[:9]
    for row in found[:12]:
        options = ["--kind", row["kind"]]
        options += ["--of", row["args"]["of"]] if row["args"]["of"] else []
        options += ["--between", *row["args"]["between"]] if row["args"]["between"] else []
        options += ["--node", row["args"]["node"]] if row["args"]["node"] else []
        assert said(run("graph", "query", row["graph"], *options, "--json"))["answer"] == row["answer"]


def test_a_sample_in_words_is_a_table() -> None:
    shown = run("graph", "sample", NETWORKS / "asia.json", "--size", "5").stdout.decode().splitlines()
    assert len(shown) == 6
    assert shown[0].split() == ["Number", "Graph", "Encoding", "Kind", "Of", "Between", "Node", "Answer"]


@pytest.mark.parametrize("command", ["count", "sample"])
def test_a_graph_with_a_cycle_has_no_queries_by_number(write: Write, command: str) -> None:
    loop = write("loop.csv", LOOP)
    done = run("graph", command, NETWORKS / "asia.json", loop)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode().startswith(f"{loop}: ")
    assert done.stderr.decode().endswith("no causal order: A → B → A.\n")


def test_more_queries_than_there_are_cannot_be_drawn(write: Write) -> None:
    done = run("graph", "sample", write("fork.json", FORK), "--size", "1000")
    assert (done.returncode, done.stderr.decode()) == (
        1,
        "A sample of 1,000 needs as many queries; there are 546.\n",
    )


# --- generate ---------------------------------------------------------------------------------------------------


def test_generate_gives_a_graph_that_every_command_reads(tmp_path: Path) -> None:
    found = said(run("graph", "generate", "--nodes", "10", "--edges", "12", "--seed", "7", "--json"))
    assert (len(found["nodes"]), len(found["edges"])) == (10, 12)
    done = run("graph", "generate", "--nodes", "10", "--edges", "12", "--seed", "7")
    (tmp_path / "drawn.json").write_bytes(done.stdout)
    assert said(run("topology", tmp_path / "drawn.json", "--json"))["cycles"] == 0


def test_more_edges_than_fit_are_refused_with_the_bound() -> None:
    done = run("graph", "generate", "--nodes", "10", "--edges", "60")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"10 variables without a cycle hold at most 45 edges; found 60.\n"
