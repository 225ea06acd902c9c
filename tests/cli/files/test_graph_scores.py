"""`score graphs` as a shell sees it: keys, pairs, the two variants, answers that cannot be read, exit status."""

from __future__ import annotations

import json
from functools import partial

import networkx as nx
import pytest

from tests.cli.calling import ROOT, Write, said
from tests.cli.calling import run as run_command

DATA = ROOT.parent / "shared" / "data" / "cld"
TRUTH = json.dumps(
    {
        "nodes": ["Rain", "Area", "GDP", "Wind"],
        "edges": [{"source": "Rain", "sink": "Area"}, {"source": "Area", "sink": "GDP"}],
    }
)

run = partial(run_command, "score", "graphs")


def answer(*pairs: tuple[object, object]) -> str:
    return json.dumps({"relationships": [{"source": one, "target": other} for one, other in pairs]})


def test_an_answer_by_names_has_its_keys_in_order_and_nothing_else(write: Write) -> None:
    done = run(
        write("truth.json", TRUTH), write("answer.txt", f"So: {answer(('rain', 'area'), ('GDP', 'Area'))}"), "--json"
    )
    found = said(done)
    assert list(found) == ["status", "parse_stage", "flags", "nodes", "edges", "scores"]
    assert (found["status"], found["parse_stage"], found["flags"]) == ("answered", "unwrapped", [])
    assert found["nodes"] == ["rain", "area", "GDP", "Area"]
    assert found["edges"] == [{"source": "rain", "sink": "area"}, {"source": "GDP", "sink": "Area"}]
    # area and Area are one node of the truth: Rain → Area is matched, GDP → Area reversed.
    assert found["scores"]["edge"] | {} == {"tp": 1, "fp": 1, "fn": 1, "precision": 0.5, "recall": 0.5, "f1": 0.5}
    assert (found["scores"]["node"]["tp"], found["scores"]["node"]["fn"]) == (3, 1)
    assert found["scores"]["shd"] == {"missing": 0, "extra": 0, "reversed": 1, "once": 1, "twice": 2}
    assert "the answer names 4 nodes" not in done.stderr.decode()


def test_an_answer_by_numbers_is_read_in_code_point_order(write: Write) -> None:
    # Area 1, GDP 2, Rain 3, Wind 4.
    text = answer((3, 1), ("1", "GDP"))
    found = said(run(write("truth.json", TRUTH), write("answer.txt", text), "--variant", "names", "--json"))
    assert found["edges"] == [{"source": "Rain", "sink": "Area"}, {"source": "Area", "sink": "GDP"}]
    assert found["flags"] == ["unused ids", "names for ids"]
    assert found["scores"]["edge"]["f1"] == 1.0
    assert found["scores"]["node"]["recall"] == 0.75


@pytest.mark.parametrize("text", ["", "Rain makes the area grow.", '{"relationships": [{"source": "Rain", "si'])
def test_an_answer_that_cannot_be_read_is_unparsable_and_no_error(write: Write, text: str) -> None:
    done = run(write("truth.json", TRUTH), write("answer.txt", text), "--json")
    found = said(done)
    assert done.returncode == 0
    assert (found["status"], found["scores"], found["nodes"], found["edges"]) == ("unparsable", None, [], [])
    assert found["parse_stage"] is None
    assert found["scores_reason"]


def test_bytes_that_are_no_utf_8_are_read_all_the_same(write: Write) -> None:
    file = write("answer.txt", "")
    file.write_bytes(answer(("Rain", "Area")).encode() + b"\xff\xfe")
    assert said(run(write("truth.json", TRUTH), file, "--json"))["status"] == "answered"


def test_pairs_give_a_list_and_a_truth_that_cannot_be_read_an_error_in_its_place(write: Write) -> None:
    one = write("answer.txt", answer(("Rain", "Area")))
    done = run(write("no.json", "{"), one, write("truth.json", TRUTH), one, "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert "error" in found[0]
    assert found[1]["scores"]["edge"]["precision"] == 1.0


def test_an_odd_number_of_files_is_a_mistake_of_usage(write: Write) -> None:
    assert run(write("truth.json", TRUTH)).returncode == 2


def test_the_words_name_the_scores_and_what_is_flagged(write: Write) -> None:
    done = run(write("truth.json", TRUTH), write("answer.txt", answer(("Rain", "Area"), ("Rain", "Area"))))
    words = done.stdout.decode()
    assert "Duplicates" in words
    assert "exact names" in words
    assert "the answer names 2 nodes; the ground truth has 4" in done.stderr.decode()


@pytest.mark.skipif(not DATA.exists(), reason="the shared data are not there")
def test_thirty_narratives_score_as_sets_of_networkx(write: Write) -> None:
    """Each person's graph is the answer to the next person's: any score between none and all."""
    files = sorted((DATA / "sdbot_lake_urmia").glob("p*.json"))
    graphs = [json.loads(file.read_text("utf-8")) for file in files]
    pairs: list[object] = []
    expected = []
    for number, (file, truth) in enumerate(zip(files, graphs, strict=True)):
        other = graphs[(number + 1) % len(graphs)]
        edges = [(each["source"], each["sink"]) for each in (*truth["edges"][::2], *other["edges"])]
        pairs += [file, write(f"answer{number}.txt", answer(*edges))]
        expected.append(_f1(truth, edges))
    found = json.loads(run(*pairs, "--json").stdout)
    assert [each["scores"]["edge"]["f1"] for each in found] == pytest.approx(expected, abs=1e-12)
    assert len({round(each, 3) for each in expected}) > 10


def _f1(truth: dict[str, list[dict[str, str]]], edges: list[tuple[str, str]]) -> float:
    def graph(pairs: list[tuple[str, str]]) -> nx.DiGraph:
        return nx.DiGraph(
            [(" ".join(one.split()).casefold(), " ".join(other.split()).casefold()) for one, other in pairs]
        )

    ours, theirs = graph([(each["source"], each["sink"]) for each in truth["edges"]]), graph(edges)
    both = len(set(ours.edges) & set(theirs.edges))
    return 2 * both / (ours.number_of_edges() + theirs.number_of_edges())
