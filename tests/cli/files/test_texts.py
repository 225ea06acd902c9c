"""Texts from files as a shell sees them: keys, faults, exit status, and that nothing is written with a fault."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from tests.cli.calling import Write, run, said

GRAPH = json.dumps({"edges": [{"source": "Rain", "sink": "Lake"}, {"source": "Lake", "sink": "Town"}]})
PROSE = "Much rain falls in spring and the lake rises by a metre or two before the town draws from it again. " * 5
SECTION = ["heading", "words", "lost", "lost_share", "invented", "invented_share", "moved"]
CHECKED = ["sections", "lost_share", "invented_share", "left", "leaks", "leaked_edges", "leaked_share"]


def test_check_has_its_keys_and_tells_loss_and_leaks(write: Write) -> None:
    source = write("source.txt", f"{PROSE}\n\nReferences\nBerg, A. (2001). Lakes.")
    text = write("text.md", f"# Lakes\n\n{PROSE}\n\nRain → Lake\n")
    found = said(run("text", "check", text, "--source", source, "--graph", write("g.json", GRAPH), "--json"))
    assert list(found) == [*CHECKED, "structural_edges", "structural_share", "passes", "reasons"]
    assert list(found["sections"][0]) == SECTION
    (leak,) = found["leaks"]
    assert leak == {
        "kind": "arrow",
        "line": 5,
        "text": "Rain → Lake",
        "nodes": ["Rain", "Lake"],
        "edges": [{"source": "Rain", "sink": "Lake"}],
    }
    assert (found["leaked_edges"], found["leaked_share"], found["passes"]) == (1, 0.5, False)
    assert found["lost_share"] == 0


def test_check_without_a_graph_says_that_no_leak_was_looked_for(write: Write) -> None:
    text = write("text.md", PROSE)
    found = said(run("text", "check", text, "--source", text, "--json"))
    assert (found["passes"], found["leaked_share"], found["leaked_share_reason"]) == (True, None, "no graph was named")


def test_normalise_writes_the_new_text_and_its_hash(write: Write, tmp_path: Path) -> None:
    text = write("text.md", "Rain fills the lake (see below) in spring, and the town drinks of it.\n")
    changes = write("c.json", {"normalizations": [{"start": " (see", "end": "below)", "replacement": ""}]})
    found = said(run("text", "normalise", text, "--changes", changes, "--out", tmp_path / "new.md", "--json"))
    assert found["text"] == "Rain fills the lake in spring, and the town drinks of it.\n"
    assert (found["applied"], found["faults"]) == (1, [])
    assert hashlib.sha256((tmp_path / "new.md").read_bytes()).hexdigest() == found["sha256"]


def test_normalise_with_a_fault_writes_nothing_and_ends_with_1(write: Write, tmp_path: Path) -> None:
    text = write("text.md", "Rain fills the lake.")
    changes = write(
        "c.json", {"normalizations": [{"start": "Rain", "end": "town", "replacement": ""}, {"start": "Rain"}]}
    )
    done = run("text", "normalise", text, "--changes", changes, "--out", tmp_path / "new.md", "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["applied"], found["text"]) == (1, 0, None)
    assert [(each["entry"], each["field"]) for each in found["faults"]] == [(1, "end"), (2, "end"), (2, "replacement")]
    assert not (tmp_path / "new.md").exists()


def test_explicitness_is_computed_only_of_whole_levels(write: Write) -> None:
    graph = write("g.json", GRAPH)
    whole = write("l.json", {"scores": {"Rain": 1, "Lake": 2, "Town": 3}})
    found = said(run("text", "explicitness", whole, "--graph", graph, "--json"))
    assert found == {
        "explicitness": 2 / 3,
        "strict": 1 / 3,
        "levels": {"1": 1, "2": 1, "3": 1},
        "faults": [],
    }
    twice = write("t.json", '{"scores": {"Rain": 1, "Rain": 2, "Lake": 2, "Sea": 1}}')
    result = run("text", "explicitness", twice, "--graph", graph, "--json")
    assert result.returncode == 1
    found = json.loads(result.stdout)
    assert found["explicitness"] is None
    assert found["faults"] == [
        "1 of 3 nodes have no level: “Town”.",
        "“Rain” has two levels.",
        "“Sea”: no such node in the graph.",
    ]
