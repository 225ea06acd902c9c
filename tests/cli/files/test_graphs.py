"""Commands about graph files as a shell sees them: keys, lists, errors in their place, exit status, and no weight."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest

from exchange.forms import GraphForm
from exchange.graphs import read_edges
from exchange.sheet_writing import NewSheet, write_sheets
from tests.cli.calling import Write, run, said
from tests.exchange.strategies import DATA

TOPOLOGY = [
    "nodes",
    "edges",
    "density",
    "average_degree",
    "sources",
    "sinks",
    "clustering",
    "cycles",
    "cycles_capped",
    "percent_in_cycles",
    "sccs",
    "largest_scc",
    "mean_path_length",
    "betweenness_variance",
    "chains",
    "forks",
    "colliders",
]
WELL = "source,sink,sign\nWells,Debt,+\nDebt,Wells,-\nDebt,Loans,\nAlone,,\n"
OTHER = "source,sink,sign\nWells,Debt,-\nLoans,Debt,\n"


# --- topology ---------------------------------------------------------------------------------------------------


def test_topology_has_its_keys_in_order_and_nothing_else(write: Write) -> None:
    done = run("topology", write("well.csv", WELL), "--json")
    found = said(done)
    assert list(found) == TOPOLOGY
    assert (found["nodes"], found["edges"], found["cycles"], found["cycles_capped"]) == (4, 3, 1, False)
    assert found["density"] == 3 / 12


def test_what_is_undefined_is_null_beside_its_reason() -> None:
    found = said(run("topology", "-", "--json", typed='{"nodes": ["A"], "edges": []}'))
    assert set(found) - set(TOPOLOGY) == {"density_reason", "mean_path_length_reason"}
    assert (found["density"], found["density_reason"]) == (None, "there are fewer than two nodes")


def test_several_graphs_give_a_list_with_errors_in_their_place(write: Write, tmp_path: Path) -> None:
    faulty = write("faulty.csv", "source,sink,sign\nA,B,sideways\nA,,+\n")
    done = run("topology", write("well.csv", WELL), faulty, tmp_path / "none.csv", write("b.csv", OTHER), "--json")
    first, second, third, last = said(done, status=1)
    assert (first["edges"], last["edges"]) == (3, 2)
    assert list(second) == list(third) == ["error"]
    assert "line 2, sign: found 'sideways'" in second["error"]
    assert "line 3" in second["error"]  # every faulty row is named
    assert third["error"] == f"{tmp_path / 'none.csv'} cannot be read: No such file or directory."
    assert second["error"] in done.stderr.decode()


def test_one_faulty_graph_is_an_error_and_no_document(write: Write) -> None:
    done = run("topology", write("faulty.csv", "source,sink,sign\nA,B,sideways\n"), "--json")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"found 'sideways'" in done.stderr


def test_without_json_the_figures_are_a_table_with_reasons() -> None:
    shown = run("topology", "-", typed='{"nodes": ["A"], "edges": []}').stdout.decode()
    assert "Density                               undefined: there are fewer than two nodes\n" in shown
    assert "Feedback loops                        0\n" in shown


# --- loops ------------------------------------------------------------------------------------------------------


def full_graph(n: int) -> str:
    names = [f"v{i}" for i in range(n)]
    return json.dumps({"edges": [{"source": a, "target": b, "sign": "+"} for a, b in permutations(names, 2)]})


def test_loops_have_nodes_and_a_type(write: Write) -> None:
    extra = write("more.csv", WELL + "Loans,Debt,+\nWells,Wells,\n")
    assert said(run("loops", extra, "--json")) == {
        "loops": [
            {"nodes": ["Wells"], "type": None},
            {"nodes": ["Wells", "Debt"], "type": "B"},
            {"nodes": ["Debt", "Loans"], "type": None},
        ],
        "capped": False,
    }
    assert run("loops", extra).stdout.decode().splitlines() == [
        "U  Wells → Wells",
        "B  Wells → Debt → Wells",
        "U  Debt → Loans → Debt",
    ]


def test_too_many_loops_stop_at_the_bound_and_say_so() -> None:
    done = run("loops", "-", "--json", typed=full_graph(14))
    found = said(done)
    assert (len(found["loops"]), found["capped"]) == (20_000, True)
    assert done.stderr.decode() == "standard input: first 20,000 shown, shortest first.\n"


def test_bounds_can_be_set(write: Write) -> None:
    full = write("full.json", full_graph(5))
    found = said(run("loops", full, "--json", "--most", "12"))
    assert [len(loop["nodes"]) for loop in found["loops"]] == [2] * 10 + [3] * 2
    capped = said(run("topology", full, "--json", "--most", "83"))
    assert (capped["cycles"], capped["cycles_capped"]) == (83, True)
    assert (
        "Feedback loops                        at least 83\n" in run("topology", full, "--most", "83").stdout.decode()
    )
    assert said(run("topology", full, "--json", "--seconds", "0"))["cycles_capped"]


# --- compare ----------------------------------------------------------------------------------------------------


def test_the_shared_graphs_compare_as_in_the_lab() -> None:
    truth, prediction = DATA / "faults/04-compare-truth.json", DATA / "faults/04-compare-prediction.json"
    if not truth.is_file():
        pytest.skip("the shared inputs are not on this machine")
    done = run("compare", truth, prediction, "--json")
    assert (said(done)["node"]["f1"], said(done)["edge"]["f1"]) == (0.75, 0.5)
    assert "“income” as “Income”, “eﬃciency” as “efficiency”, “CO₂” as “CO2”." in done.stderr.decode()


@pytest.mark.parametrize(
    ("ours", "theirs", "matched"),
    [
        ("Work–Life Balance", "work - life balance", True),
        ("STRASSE", "Straße", True),
        ("ＧＤＰ", "gdp", True),
        ("Farmer’s income", "farmer's  Income", True),
        ("GDP", "GNP", False),
        ("Interest-Rate", "interest rate", False),
    ],
)
def test_names_are_compared_after_folding(write: Write, ours: str, theirs: str, matched: bool) -> None:
    done = run(
        "compare", write("a.csv", f"source,sink\n{ours},X\n"), write("b.csv", f"source,sink\n{theirs},X\n"), "--json"
    )
    assert said(done)["edge"]["tp"] == matched
    folded = f"b.csv: Names equal after folding were compared as one: “{' '.join(theirs.split())}” as “{ours}”.\n"
    assert (folded in done.stderr.decode()) is matched


def test_a_name_that_folds_to_two_of_the_reference_is_left_alone(write: Write) -> None:
    done = run("compare", write("a.csv", "source,sink\ngdp,GDP\n"), write("b.csv", "source,sink\nGdp,X\n"), "--json")
    assert said(done)["node"]["tp"] == 0
    assert "Names equal to several of the reference after folding were left alone: “Gdp”." in done.stderr.decode()


def test_compare_has_its_keys_in_order_and_nothing_else(write: Write) -> None:
    found = said(run("compare", write("well.csv", WELL), write("other.csv", OTHER), "--json"))
    score = ["tp", "fp", "fn", "precision", "recall", "f1"]
    assert {key: list(value) if isinstance(value, dict) else value for key, value in found.items()} == {
        "node": score,
        "edge": score,
        "shd": ["missing", "extra", "reversed", "once", "twice"],
        "normalised": ["gold_pairs", "union_pairs", "gold_edges"],
        "kappa": pytest.approx(0.25),
        "as_released": ["precision", "recall", "f1", "shd", "normalized_shd"],
    }
    # Wells → Debt matched; Debt → Wells missing; Debt → Loans reversed.
    assert found["shd"] == {"missing": 1, "extra": 0, "reversed": 1, "once": 2, "twice": 3}
    assert found["edge"] == {"tp": 1, "fp": 1, "fn": 2, "precision": 1 / 2, "recall": 1 / 3, "f1": 2 / 5}


def test_pairs_alternate_and_a_faulty_one_keeps_its_place(write: Write, tmp_path: Path) -> None:
    well, other = write("well.csv", WELL), write("other.csv", OTHER)
    done = run("compare", well, other, well, tmp_path / "none", other, well, "--json")
    there, error, back = said(done, status=1)
    assert list(error) == ["error"]
    assert (there["edge"]["fp"], there["edge"]["fn"]) == (back["edge"]["fn"], back["edge"]["fp"])


def test_two_empty_graphs_have_no_score_and_the_reason(write: Write) -> None:
    empty = write("empty.json", '{"nodes": [], "edges": []}')
    found = said(run("compare", empty, empty, "--json"))
    assert (found["edge"]["f1"], found["edge"]["f1_reason"]) == (None, "neither graph has edges")
    assert found["kappa"] is None
    assert found["kappa_reason"]
    assert "F1 of edges" in run("compare", empty, empty).stdout.decode()


# --- convert ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", list(GraphForm))
def test_a_graph_is_converted_to_every_form(write: Write, tmp_path: Path, form: GraphForm) -> None:
    plain = write("plain.csv", "source,sink,sign\nA,B,+\nB,C,-\n")  # without a loop, which some forms cannot hold
    out = tmp_path / f"out{form.suffix}"
    done = run("convert", plain, "--to", form.value, "--out", out, "--json")
    found = said(done)
    assert found == {"format": form.value, "nodes": 3, "edges": 2, "lost": found["lost"]}
    assert set(found["lost"]) <= {"signs"}
    read = read_edges(out.read_bytes(), out.name)
    assert not read.faults
    assert {edge.pair for edge in read.graph.edges} == {("A", "B"), ("B", "C")}


def test_what_is_lost_is_said_and_the_graph_is_written_to_standard_output() -> None:
    done = run("convert", "-", "--to", "standard", typed=WELL)
    assert (done.returncode, done.stdout) == (0, b'"Wells" -> "Debt"\n"Debt" -> "Wells"\n"Debt" -> "Loans"\n')
    assert done.stderr.decode().endswith("standard input: standard leaves out isolated nodes, signs.\n")
    assert said(run("convert", "-", "--to", "standard", "--json", typed=WELL))["lost"] == ["isolated nodes", "signs"]


def test_what_a_form_cannot_hold_is_refused(write: Write, tmp_path: Path) -> None:
    out = tmp_path / "loop.bif"
    done = run("convert", write("well.csv", WELL), "--to", "bif", "--out", out)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr
    assert not out.exists()


def test_several_graphs_are_converted_into_a_folder(write: Write, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "converted"
    (tmp_path / "twin").mkdir()
    graphs = [write("one.csv", WELL), write("two.csv", OTHER), write("twin/one.csv", OTHER)]
    done = run("convert", *graphs, "--to", "json", "--out", folder, "--json")
    first, second, third = said(done, status=1)
    assert (first["edges"], second["edges"]) == (3, 2)
    assert "was just written from another graph of that name" in third["error"]
    assert sorted(path.name for path in folder.iterdir()) == ["one.json", "two.json"]
    assert len(read_edges((folder / "one.json").read_bytes(), "one.json").graph.edges) == 3


# --- what a file leaves open ------------------------------------------------------------------------------------

GERMAN = "Ursache;Wirkung;Vorzeichen\nBrücke;Verkehr;+\nVerkehr;Lärm;+\n"
NAMED = ("--columns", "source=Ursache, sink=Wirkung,sign=Vorzeichen")


def test_columns_are_said_and_the_error_tells_how(write: Write) -> None:
    german = write("german.csv", GERMAN)
    asking = run("topology", german)
    assert (asking.returncode, asking.stdout) == (1, b"")
    assert asking.stderr.decode().endswith("found Ursache, Wirkung, Vorzeichen. Name them: --columns source=…,sink=…\n")
    assert said(run("topology", german, *NAMED, "--json"))["edges"] == 2
    assert "No loops." in run("loops", german, *NAMED).stdout.decode()
    converted = run("convert", german, *NAMED, "--to", "arrows").stdout.decode()
    assert converted == '"Brücke" ->+ "Verkehr"\n"Verkehr" ->+ "Lärm"\n'
    assert said(run("compare", german, german, *NAMED, "--json"))["edge"]["tp"] == 2


def test_the_sign_may_have_no_column(write: Write) -> None:
    links = write("links.csv", "source,sink,sign\nA,B,strong\nB,C,weak\n")
    assert "line 2, sign: found 'strong'; an edge's sign is +, - or empty" in run("topology", links).stderr.decode()
    assert said(run("topology", links, "--columns", "sign=", "--json"))["edges"] == 2
    for wrong in ("source=", "sign", "=From"):
        assert run("topology", links, "--columns", wrong).returncode == 2
    table = write("gephi.csv", "Source,Target,Type,Id,Weight\nA,B,Directed,0,1\n")
    assert run("convert", table, "--to", "standard").stdout.decode() == '"A" -> "B"\n'


def test_an_encoding_is_said_for_the_files_that_need_it(write: Write, tmp_path: Path) -> None:
    old = tmp_path / "old.csv"
    old.write_bytes(GERMAN.encode("cp1252"))
    asking = run("loops", old, *NAMED)
    assert (asking.returncode, asking.stdout) == (1, b"")
    assert "Which encoding is it?" in asking.stderr.decode()
    assert asking.stderr.decode().endswith("Name it with --encoding, as in --encoding cp1252.\n")
    # The one in UTF-8 keeps its names, else nothing would match.
    done = run("compare", old, write("new.csv", GERMAN), *NAMED, "--encoding", "cp1252", "--json")
    assert said(done)["edge"]["f1"] == 1
    assert f"{old} was read as cp1252." in done.stderr.decode()
    assert "new.csv was read as" not in done.stderr.decode()


def test_the_question_for_the_encoding_shows_lines_that_tell(tmp_path: Path) -> None:
    rows = [f"Rain {n},Lake {n}" for n in range(50)] + ["Ärger,Öl", "plain,plain", "Müll,Fluß", "Éclair,Café", "Ü,Ö"]
    for encoding, telling in (("cp1252", "Ärger,Öl / Müll,Fluß / Éclair,Café"), ("mac_roman", "Müll,Fluß")):
        old = tmp_path / f"{encoding}.csv"
        old.write_bytes("\n".join(["source,sink", *rows]).encode(encoding))
        asking = run("topology", old).stderr.decode().splitlines()
        assert "line 52: not UTF-8. Which encoding is it?" in asking[0]
        assert "Rain" not in "".join(asking)
        (shown,) = [line for line in asking if line.startswith(f"{encoding}, ")]
        assert telling in shown
        assert len(asking) > 4


def test_a_sheet_is_said(tmp_path: Path) -> None:
    head = [("source", 10), ("sink", 10)]
    sheets = [NewSheet("First", head, [("A", "B")]), NewSheet("Second", head, [("C", "D"), ("D", "C")])]
    book = tmp_path / "book.xlsx"
    book.write_bytes(write_sheets(sheets))
    assert said(run("topology", book, "--json"))["edges"] == 1
    assert said(run("topology", book, "--sheet", "Second", "--json"))["edges"] == 2
    assert "its sheets are First, Second" in run("topology", book, "--sheet", "Third").stderr.decode()


def test_a_folder_is_no_graph_and_its_files_are_wanted(write: Write, tmp_path: Path) -> None:
    (tmp_path / "my graphs").mkdir()
    done = run("topology", tmp_path / "my graphs")
    assert (done.returncode, done.stdout) == (1, b"")
    folder = tmp_path / "my graphs"
    assert done.stderr.decode() == f"{folder} is a folder; name the files in it: '{folder}'/*\n"


# --- usage, and weight ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("topology",),
        ("topology", "-", "-"),
        ("topology", "-", "--most", "0"),
        ("loops", "-", "--seconds", "-1"),
        ("compare", "-"),
        ("compare", "-", "-"),
        ("convert", "-"),
        ("convert", "-", "--to", "smoke signals"),
        ("convert", "a.csv", "b.csv", "--to", "json"),
        ("topology", "-", "--columns", "source"),
        ("loops", "-", "--encoding", "rot of thirteen"),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_told_with_status_two(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, typed=WELL)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Usage:" in done.stderr
