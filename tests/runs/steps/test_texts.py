"""Texts of papers made over HTTP by scripted models: every fault has its status and its sentence, and a killed worker
changes nothing."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.running_server import RunningServer
from core.runs.states import RunState
from runs.scripted.texts import INVENTED
from store.engine import Store
from store.migrate import migrate
from tests.everything import EVERYTHING
from tests.runs.begun import finished, rows, state, work, worker
from tests.runs.text_runs import (
    GRAPH,
    LEAK,
    METHODS,
    RESULTS,
    TEXT,
    begin,
    faults_of_rounds,
    items,
    made,
    paper,
    states,
)
from tests.runs.toy_protocol import told

Entry = tuple[str, str, str]
ALL = ("markdown", "normalise", "explicitness")
M = "some-model"
DECIDES = (RunState.WAITING, "for people to decide 1 group of step decide")
NOTHING = '{"normalizations": []}'


def changes(*entries: Entry) -> str:
    return json.dumps(
        {"normalizations": [dict(zip(("start", "end", "replacement"), each, strict=True)) for each in entries]}
    )


def scores(**levels: Any) -> str:
    named = {"rainfall": 1, "water level": 1, "fish stock": 1, "income of fishers": 1, "hidden debt": 3}
    wanted = {**named, **{name.replace("_", " "): level for name, level in levels.items()}}
    return json.dumps({"scores": {name: level for name, level in wanted.items() if level is not None}})


def normalised(store: Store, server: RunningServer, first: str, again: str | None = None, fault: str = "") -> str:
    """A run in which the first round, of a text with the leak, is answered with `first`; a list of faults that names
    `fault` with `again` or the same; a text without the leak with nothing."""
    rules = [
        {"model": M, "matches": f"(?s)^Nothing was changed.*{re.escape(fault)}", "answer": again or first},
        {"model": M, "matches": re.escape(LEAK), "answer": first},
        {"model": M, "answer": NOTHING},
    ]
    server.play({"rules": rules})
    run_id = begin(store, server.url, ["normalise"], models=[M])
    work(store)
    return run_id


def lost(text: dict[str, Any]) -> int:
    return sum(each["lost"] for each in text["kept"]["sections"])


# --- Markdown and its guard --------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_a_faithful_model_makes_a_text_that_people_decide_on(store: Store, model_server: RunningServer) -> None:
    run_id = begin(store, model_server.url, ALL)
    work(store)
    assert state(store, run_id) == DECIDES
    (markdown,), (text,), (laid,) = (made(store, run_id, step) for step in ("guards", "text", "decide"))
    assert (markdown["state"], lost(markdown), markdown["reasons"]) == ("draft", 0, [])
    assert (
        "[3]" not in markdown["text"] and "References" not in markdown["text"] and "Causal loop" not in markdown["text"]
    )
    assert text["text"] == markdown["text"].replace(LEAK, "") and text == laid
    assert (text["state"], text["flags"], text["leaks"]["findings"]) == ("draft", [], [])
    assert [[each["was"] for each in changes] for changes in text["rounds"]] == [[LEAK]]
    ((status, fault, levels),) = items(store, run_id, "explicitness")
    assert (status, fault, levels["explicitness"], levels["strict"]) == ("answered", "", 0.8, 0.8)
    assert levels["of"] == text["sha256"]
    assert store.check() == []


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        ("texts:drops", "“Results”: 88 of 88 words are gone (100 %; 5 % may be)."),
        (
            "texts:invents",
            "“Methods”: 15 of 79 words are not in the paper (19 %; 0.5 % may be). “It is well known that such loops "
            "always return to an equilibrium…” appears in the text and nowhere in the paper.",
        ),
    ],
)
def test_a_dropped_section_and_an_invented_sentence_are_refused_and_go_no_further(
    sqlite_store: Store, model_server: RunningServer, model: str, reason: str
) -> None:
    assert 1 + len(RESULTS.split()) == 88 and len(INVENTED.split()) == 15, "with the heading"
    run_id = begin(sqlite_store, model_server.url, ALL, models=[model])
    work(sqlite_store)
    (text,) = made(sqlite_store, run_id, "decide")
    assert (text["state"], " ".join(text["reasons"]), text["flags"]) == ("refused", reason, text["reasons"])
    left_out = (
        f"1 left out: The lake: the text is refused: {reason.removesuffix('.')}; no sample can be made of its inputs"
    )
    for step in ("normalise", "explicitness"):
        assert states(sqlite_store, run_id)[step] == [("done", left_out)]
        assert items(sqlite_store, run_id, step) == []


def test_a_moved_paragraph_is_neither_lost_nor_invented(sqlite_store: Store, model_server: RunningServer) -> None:
    run_id = begin(sqlite_store, model_server.url, ["markdown"], models=["texts:moves"])
    work(sqlite_store)
    (text,) = made(sqlite_store, run_id, "decide")
    sections = text["kept"]["sections"]
    assert (text["state"], text["reasons"]) == ("draft", [])
    assert [(sum(each[name] for each in sections)) for name in ("lost", "invented")] == [0, 0]
    assert sum(each["moved"] for each in sections) > 60


def test_a_paper_longer_than_a_reply_goes_in_parts_that_are_joined(
    sqlite_store: Store, model_server: RunningServer
) -> None:
    run_id = begin(sqlite_store, model_server.url, ["markdown"], [paper(reply_tokens=180)])
    work(sqlite_store)
    parts = made(sqlite_store, run_id, "raw")
    assert [(each["part"], each["parts"]) for each in parts] == [(1, 3), (2, 3), (3, 3)]
    assert [each["text"].split("\n")[0] for each in parts] == ["Introduction", "Methods", "Results"]
    assert len(model_server.log()["entries"]) == 3
    (text,) = made(sqlite_store, run_id, "guards")
    assert (text["state"], lost(text)) == ("draft", 0)
    whole = begin(sqlite_store, model_server.url, ["markdown"])
    work(sqlite_store)
    assert made(sqlite_store, whole, "guards")[0]["text"] == text["text"]


def test_a_part_that_was_cut_off_leaves_no_text_of_its_model(sqlite_store: Store, model_server: RunningServer) -> None:
    cut = {
        "matches": "(?s)Methods.*part 2 of 3",
        "model": "texts:faithful",
        "answer": "## Met",
        "finish_reason": "length",
    }
    model_server.play({"rules": [cut]})
    run_id = begin(
        sqlite_store,
        model_server.url,
        ["markdown"],
        [paper(reply_tokens=180)],
        models=["texts:faithful", "texts:moves"],
    )
    work(sqlite_store)
    ((kind, reason),) = states(sqlite_store, run_id)["guards"]
    assert (kind, reason) == ("done", "1 of 6 answers left out: 1 truncated; texts:faithful: no text of part 2 of 3")
    assert [each["by"] for each in made(sqlite_store, run_id, "guards")] == ["texts:moves"]


def test_a_file_without_words_is_refused_in_one_sentence(sqlite_store: Store, model_server: RunningServer) -> None:
    run_id = begin(sqlite_store, model_server.url, ["markdown"], [paper(blocks=())])
    work(sqlite_store)
    sentence = "This file has no text layer; its text cannot be made. Attach the PDF of the publisher."
    assert states(sqlite_store, run_id)["raw"] == [("blocked", sentence)]


# --- rounds of normalisation -------------------------------------------------------------------------------------

OUT, ALL_WORDS = (len(re.findall(r"\w+", each)) for each in (f"Methods {METHODS}", TEXT))
SHARE = f"{100 * OUT / ALL_WORDS:.1f}"
FEEDS, GROWS = "the water level is high", "fish stock grows"


@pytest.mark.parametrize(
    ("entries", "faults"),
    [
        pytest.param(
            [(LEAK, LEAK, ""), (FEEDS, LEAK, "")],
            ["Round 1, entry 2: the end “{leak}” does not appear after its start"],
            id="an end that is gone",
        ),
        pytest.param(
            [(GROWS, "grows", ""), (FEEDS, "young fish", "x")],
            ["Round 1: entry 2 reaches into what entry 1 replaced"],
            id="an overlap",
        ),
        pytest.param(
            [(GROWS, "as shown below.", "")],
            ["Round 1, entry 1: the end “as shown below.” does not appear after its start"],
            id="a missing end",
        ),
        pytest.param(
            [("relationships", '"source"', "")],
            ["Round 1, entry 1: the start “relationships” is in the graph, not in the paper"],
            id="in the graph",
        ),
        pytest.param(
            [("You prepare papers", "papers", "")],
            ["Round 1, entry 1: the start “You prepare papers” does not appear in the text"],
            id="before the paper",
        ),
        pytest.param(
            [("## Methods", "(Miller, 2011).", "")],
            [f"Round 1: this round takes out {SHARE} % of the words; at most 20 %"],
            id="too much",
        ),
        pytest.param(
            [("", "x", "y"), ("never there", "x", "y")],
            [
                "Round 1, entry 1: the start is empty",
                "Round 1, entry 2: the start “never there” does not appear in the text",
            ],
            id="two faults",
        ),
    ],
)
def test_a_faulty_list_changes_nothing_and_is_asked_again_with_its_faults(
    sqlite_store: Store, model_server: RunningServer, entries: list[Entry], faults: list[str]
) -> None:
    expected = "; ".join(faults).replace("{leak}", LEAK[:59] + "…")
    told_to = expected.partition(": ")[2].partition(";")[0][1:]  # the model is told no number of the round
    run_id = normalised(sqlite_store, model_server, changes(*entries), changes((LEAK, LEAK, "")), told_to)
    assert faults_of_rounds(sqlite_store) == [(2, "round 1, faults listed", expected), (3, "round 2", "")]
    ((status, _fault, value),) = items(sqlite_store, run_id, "normalise")
    assert (status, value["state"], value["text"]) == ("answered", "normalised", TEXT.replace(LEAK, ""))


def test_faults_that_stay_leave_the_item_incomplete_with_the_sentence(
    sqlite_store: Store, model_server: RunningServer
) -> None:
    run_id = normalised(sqlite_store, model_server, changes((GROWS, "as shown below.", "")))
    ((status, fault, value),) = items(sqlite_store, run_id, "normalise")
    assert (status, fault) == (
        "incomplete",
        "round 1 was refused 4 times; Round 1, entry 1: the end “as shown below.” does not appear after its start",
    )
    assert value["text"] == TEXT and value["rounds"] == []
    assert len(faults_of_rounds(sqlite_store)) == 3, "asked again three times"
    assert states(sqlite_store, run_id)["text"] == [("done", "1 of 1 answer left out: 1 incomplete")]


def test_equal_start_and_end_are_that_text_alone_and_equal_entries_two_places(
    sqlite_store: Store, model_server: RunningServer
) -> None:
    entries = [(LEAK, LEAK, ""), ("rainfall", "rainfall", "rain"), ("lake", "lake", ""), ("lake", "lake", "")]
    run_id = normalised(sqlite_store, model_server, changes(*entries))
    ((status, fault, value),) = items(sqlite_store, run_id, "normalise")
    assert (status, fault) == ("answered", "")
    assert value["text"] == TEXT.replace(LEAK, "").replace("rainfall", "rain", 1).replace("lake", "", 2)
    (text,) = made(sqlite_store, run_id, "text")
    flag = "Round 1, entry 2: “rain” in the replacement and nowhere near it."
    assert text["flags"] == [flag]


def test_rounds_without_end_leave_the_text_unfinished(sqlite_store: Store, model_server: RunningServer) -> None:
    run_id = begin(sqlite_store, model_server.url, ["normalise", "explicitness"], models=["texts:endless"])
    work(sqlite_store)
    (text,) = made(sqlite_store, run_id, "decide")
    assert (text["state"], len(text["rounds"])) == ("unfinished", 6)
    assert text["flags"] == ["Unfinished: round 6 still asks for changes."]
    assert [purpose for _, purpose, _ in faults_of_rounds(sqlite_store)] == [f"round {n}" for n in range(2, 7)]
    ((kind, reason),) = states(sqlite_store, run_id)["explicitness"]
    assert kind == "done" and reason.startswith("1 left out: The lake: the text is unfinished; a person ends")


def test_a_text_without_a_closed_ground_truth_is_not_asked_about(
    sqlite_store: Store, model_server: RunningServer
) -> None:
    why = "its adjudication is open; finish it first"
    open_one = paper(graph=None, graph_hash="", no_graph=why)
    run_id = begin(sqlite_store, model_server.url, ["normalise"], [open_one])
    work(sqlite_store)
    reason = f"1 left out: The lake: {why}; no sample can be made of its inputs"
    assert states(sqlite_store, run_id)["normalise"] == [("done", reason)]
    assert model_server.log()["entries"] == []


# --- levels ------------------------------------------------------------------------------------------------------

FAULTY = [
    pytest.param(scores(hidden_debt=None), "1 of 5 nodes have no level: “hidden debt”", id="missing"),
    pytest.param(scores(GDP=2), "“GDP”: no such node in the graph", id="extra"),
    pytest.param(
        scores().replace('"rainfall": 1', '"rainfall": 1, "rainfall": 2'), "“rainfall” has two levels", id="twice"
    ),
    pytest.param(scores(rainfall=4), "“rainfall” has the level 4; expected 1, 2 or 3", id="level 4"),
    pytest.param("All are named.", "there is no JSON object with “scores”", id="no JSON"),
]


@pytest.mark.parametrize(("answer", "fault"), FAULTY)
def test_faulty_levels_are_asked_again_naming_the_nodes(
    sqlite_store: Store, model_server: RunningServer, answer: str, fault: str
) -> None:
    again = {"model": M, "matches": "^Your answer could not be used", "answer": scores()}
    model_server.play({"rules": [again, {"model": M, "answer": answer}]})
    run_id = begin(sqlite_store, model_server.url, ["explicitness"], models=[M])
    work(sqlite_store)
    assert faults_of_rounds(sqlite_store) == [(2, "faults listed", fault)]
    ((status, left, value),) = items(sqlite_store, run_id, "explicitness")
    assert (status, left, list(value["scores"])) == ("answered", "", list(GRAPH.nodes))
    parts = json.loads(rows(sqlite_store, "SELECT CAST(parts AS TEXT) FROM run_item")[0][0])
    # Four of five names stand in the text, and the model says so too.
    assert (parts["strict"], parts["by_name_alone"], parts["alike"], parts["nodes"]) == (0.8, 0.8, 5, 5)


@pytest.mark.parametrize(("answer", "fault"), FAULTY)
def test_levels_that_stay_faulty_are_incomplete(
    sqlite_store: Store, model_server: RunningServer, answer: str, fault: str
) -> None:
    model_server.play({"rules": [{"model": M, "answer": answer}]})
    run_id = begin(sqlite_store, model_server.url, ["explicitness"], models=[M])
    work(sqlite_store)
    assert items(sqlite_store, run_id, "explicitness") == [
        ("incomplete", f"the levels were refused 4 times; {fault}", None)
    ]
    assert len(model_server.log()["entries"]) == 4


# --- cards, kills ------------------------------------------------------------------------------------------------


def test_each_step_asks_the_card_of_its_role(sqlite_store: Store, model_server: RunningServer) -> None:
    roles = {"normaliser": "n", "leveller": "l"}
    rules = [{"model": "n", "answer": NOTHING}, {"model": "l", "answer": scores()}]
    model_server.play({"rules": rules})
    two = ["texts:faithful", "texts:moves"]
    run_id = begin(sqlite_store, model_server.url, ALL, models=two, roles=roles)
    work(sqlite_store)
    asked = rows(
        sqlite_store,
        "SELECT s.step, i.model, count(*) FROM run_item i JOIN run_sample s ON s.id = i.sample_id "
        "GROUP BY s.step, i.model ORDER BY s.step, i.model",
    )
    assert asked == [
        ("explicitness", "l", 2),
        ("markdown", "texts:faithful", 1),
        ("markdown", "texts:moves", 1),
        ("normalise", "n", 2),
    ]
    assert sorted(each["by"] for each in made(sqlite_store, run_id, "text")) == two


def killed_once(place: str, attempts: int) -> None:
    """A worker is killed as soon as so many requests have left."""
    process, store = worker(place, "--once"), Store(place)
    deadline = time.monotonic() + 60
    while rows(store, "SELECT count(*) FROM attempt")[0][0] < attempts and time.monotonic() < deadline:
        assert process.poll() is None, "it ended before its kill"
        time.sleep(0.005)
    process.kill()
    process.communicate()
    store.close()


@pytest.mark.parametrize("kills", [(4, 9)])
@pytest.mark.skipif(not EVERYTHING, reason="tests/runs/test_rounds.py, test_group_progress.py")
def test_a_worker_killed_between_rounds_loses_none_and_the_end_is_that_of_a_twin(
    tmp_path: Path, model_server: RunningServer, kills: Sequence[int]
) -> None:
    """Of three papers two go through all rounds and one is asked again for its faults; the twin is disturbed by
    nobody."""
    model_server.play(
        {
            "latency_ms": 30,
            "rules": [
                {"model": "texts:endless", "matches": "never there", "answer": changes((LEAK, LEAK, ""))},
                {"model": "texts:endless", "matches": "nowhere near", "answer": changes(("never there", "x", ""))},
            ],
        }
    )
    papers = [paper(f"paper {n}", text=TEXT.replace("dry country", f"dry country {n}")) for n in range(2)]
    papers += [paper("paper 2", text=TEXT.replace("dry", "nowhere near dry", 1))]
    found = []
    for name in ("twin", "killed"):
        place = str(tmp_path / f"{name}.edgewise")
        store = Store(place)
        migrate(store)
        run_id = begin(
            store, model_server.url, ["normalise"], papers, models=["texts:endless"], concurrency=2, deadline_s=10.0
        )
        for attempts in kills if name == "killed" else ():
            killed_once(place, attempts)
        finished(worker(place, "--once"))
        assert store.check() == []
        found.append((told(store, run_id), _rounds(store), state(store, run_id)))
        store.close()
    assert found[0] == found[1]
    assert len(found[0][1]) == 20, "rounds were there to be lost"


def _rounds(store: Store) -> list[Any]:
    """Every request after the first of an item, by what it asks and came to."""
    query = (
        "SELECT s.key, r.number, r.purpose, r.fault, r.request_hash, r.status FROM run_round r "
        "JOIN run_item i ON i.id = r.item_id JOIN run_sample s ON s.id = i.sample_id"
    )
    return sorted(rows(store, query))
