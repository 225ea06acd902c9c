"""`edgewise.py run` and what goes with it: from task files to tables, steered and taken away, without a key."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

import edgewise
from benchmarks.running_server import RunningServer, running_server
from cli.study import running
from cli.study.run_choices import may_ask, words_of
from cli.study.session import opened_study
from services.overview import overview
from services.runs import run_settings
from services.study import open_study
from tests.everything import EVERYTHING

SIGNS = ("+", "-", "None", "mixed")


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def store(sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty study; everything else a command writes goes below the test's own folder."""
    monkeypatch.setenv("EDGEWISE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    open_study(sqlite_url, tmp_path / "home").close()
    return sqlite_url


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Task files of twelve rows each: plain ones, and ones with two examples."""
    rows = [
        {
            "paper_id": n,
            "title": f"Paper {n}",
            "publication_year": 2000 + n,
            "published_venue": "Econometrica",
            "jel_codes": "J",
            "treatment": f"Cause {n}",
            "outcome": f"Effect {n}",
            "sign": SIGNS[n % 4],
            "context": f"A country in {2000 + n}.",
            "answer": SIGNS[n % 4],
        }
        for n in range(12)
    ]
    shown = [
        {"paper_id": "9", "treatment": "Cause", "outcome": "Effect", "context": "Elsewhere.", "sign": sign}
        for sign in ("+", "+")
    ]
    beside = [{**row, "example_details": json.dumps(shown)} for row in rows]
    made = tmp_path / "files"
    made.mkdir()
    for name, listed in (("first", rows), ("second", beside)):
        (made / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in listed))
    (made / "jel.csv").write_text("paper,jel\n1,J\n")
    return made


def call(store: str, *words: str) -> Result:
    return CliRunner().invoke(edgewise.app, [*words, "--store", store])


def told(store: str, *words: str) -> Any:
    done = call(store, *words, "--json")
    assert done.exit_code == 0, done.stderr + done.stdout
    return json.loads(done.stdout)


def test_baselines_run_from_a_folder_of_task_files_to_tables_without_a_key(
    store: str, folder: Path, tmp_path: Path
) -> None:
    plan = told(store, "run", "--input-dir", str(folder), "--dry-run")
    assert [(each["task"], each["samples"]) for each in plan["tasks"]] == [("task1", 12), ("task2", 12)]
    assert (plan["requests"], plan["items"], plan["faults"]) == (0, 2 * 12 * 4, [])
    assert told(store, "runs", "list") == []
    done = call(store, "run", "--input-dir", str(folder), "--output-dir", str(tmp_path / "out"), "--title", "Mine")
    assert done.exit_code == 0, done.stderr
    assert "Run 1 · Mine: done" in done.stdout and "72 of 96 answered, 24 excluded" in done.stdout
    written = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert "study-run-1.zip" in written and {"study-run-1-main.csv", "study-run-1-main.tex"} <= set(written)
    table = (tmp_path / "out" / "study-run-1-main.csv").read_text()
    assert "always-plus" in table and ",0.25," in table
    (line,) = told(store, "runs", "list")
    assert (line["number"], line["state"], line["total"]) == (1, "done", 96)
    assert "task1, task2  4 baselines  Mine" in call(store, "runs", "list").stdout
    shown = call(store, "runs", "show", "1").stdout
    assert "samples " in shown and "source first" in shown
    (step,) = told(store, "runs", "steps", "1")
    assert (step["step"], step["kind"], step["groups"], step["items"]["answered"]) == ("ask", "ask", 0, 72)
    assert (step["requests"], step["cost_usd"], step["cost_usd_reason"]) == (0, None, "no request was sent")
    assert told(store, "runs", "show", "1")["steps"] == [step]
    assert call(store, "runs", "steps", "1").stdout == "ask (ask, Answers): 72 of 96 answered, 24 excluded\n"
    assert "0 of 72 items changed" in call(store, "runs", "rescore", "1").stdout
    assert len(told(store, "cache", "stats")) == 4 and told(store, "cache", "list", "--limit", "2")["total"] == 72
    assert "main" in call(store, "runs", "results", "1", "--preset", "list").stdout
    assert "copy-examples" in call(store, "runs", "results", "1", "--preset", "mismatch").stdout
    plain = call(store, "runs", "results", "1", "--format", "tex").stdout
    both = call(store, "runs", "results", "1", "--format", "tex", "--intervals").stdout
    assert "\\toprule" in plain and "always-plus & 25.0" in plain and "The intervals are in the CSV" in plain
    assert re.search(r"always-plus & 25\.0\S* \{\[\}[0-9.]+(?:–|--)[0-9.]+\S*\{\]\} ", both)
    assert "In square brackets: intervals" in both


def test_models_are_added_asked_steered_and_answered_from_the_cache(
    store: str, folder: Path, tmp_path: Path, server: RunningServer
) -> None:
    server.play({})
    server.forget()
    assert call(store, "endpoints", "add", "lab", server.url).exit_code == 0
    assert told(store, "endpoints", "list")[0]["has_key"]
    assert told(store, "endpoints", "test", "lab", "scripted:plus")["ok"]
    assert call(store, "endpoints", "test", "lab", "nobody").exit_code == 1
    added = call(
        store,
        "models",
        "add",
        "Plus",
        "--endpoint",
        "lab",
        "--model",
        "scripted:plus",
        "--price-input",
        "1",
        "--price-output",
        "2",
        "--open",
        "--parameter",
        "max_tokens=50",
    )
    assert added.exit_code == 0, added.stderr
    (card,) = told(store, "models", "list")
    assert (card["parameters"], card["is_open_weight"]) == ({"max_tokens": 50}, True)
    seen = ("--images", "--no-pdfs", "--tokens-per-image", "1100", "--tokens-per-page", "1600")
    assert call(store, "models", "add", "Plus", "--provider", "somebody", *seen).exit_code == 0
    (changed,) = told(store, "models", "list")
    takes = {"takes_images": True, "takes_pdfs": False, "tokens_per_image": 1100, "tokens_per_page": 1600}
    assert changed == card | takes | {"provider": "somebody", "version": card["version"] + 1}
    assert "--endpoint" in call(store, "models", "add", "New").stderr
    server.forget()
    asked = (
        "run",
        "--input-dir",
        str(folder),
        "--models",
        "Plus,majority",
        "--tasks",
        "task1",
        "--samples",
        "8",
        "--seed",
        "3",
        "--repeat",
        "2",
        "--parameter",
        "temperature=0.5",
        "--budget",
        "1",
    )
    queued = told(store, *asked, "--queue")
    assert (queued["state"], queued["total"], queued["budget"]["usd"]) == ("queued", 8 * 2 + 8, 1.0)
    assert "It is paused now." in call(store, "runs", "pause", "1").stdout
    assert call(store, "worker", "--once").exit_code == 0
    assert server.log()["requests"] == 0
    assert "Run 1 is paused" in call(store, "runs", "pause", "1").stderr
    assert told(store, "runs", "budget", "1", "--requests", "100")["said"] == "Budget changed"
    for words in (("--budget", "2", "--budget-tokens", "9000", "--budget-requests", "7"), ("--usd", "3")):
        assert told(store, "runs", "budget", "1", *words)["said"] == "Budget changed"
        bound = told(store, "runs", "show", "1")["progress"]["budget"]
        assert bound["usd"] == float(words[1]) and bound["requests"] == (7 if len(words) > 2 else None)
    assert told(store, "runs", "resume", "1")["state"] == "queued"
    assert call(store, "worker", "--once").exit_code == 0
    shown = told(store, "runs", "show", "1")
    assert (shown["progress"]["state"], shown["progress"]["requests"]) == ("done", 16)
    assert {each["what"] for each in shown["card"]["deviations"]} >= {"repeats", "temperature (Plus)"}
    words = call(store, "runs", "show", "1").stdout
    assert "repeats: 2 (protocol: 1)" in words and f"  settings {shown['card']['hashes']['wanted']}" in words
    again = told(store, *asked)
    assert (again["state"], again["cached"], again["requests"]) == ("done", 16, 0)
    assert server.log()["requests"] == 16
    exported = told(store, "runs", "export", "2", "--out", str(tmp_path / "run.zip"))
    assert zipfile.is_zipfile(exported["path"])
    assert told(store, "runs", "archive", "2")["said"] == "Archived" and len(told(store, "runs", "list")) == 1
    assert told(store, "runs", "archive", "2", "--back")["said"] == "Restored"


def test_unparsable_items_are_asked_again_and_counted_in_every_command(
    store: str, folder: Path, server: RunningServer
) -> None:
    server.play({"rules": [{"matches": "Cause 4", "answer": "It rises."}, {"sign": "+"}]})
    server.forget()
    call(store, "endpoints", "add", "lab", server.url)
    call(store, "models", "add", "Plus", "--endpoint", "lab", "--model", "any")
    told(store, "run", "--input-dir", str(folder), "--models", "Plus", "--tasks", "task1")
    refused = call(store, "runs", "retry", "1")
    assert refused.exit_code == 1 and "no pending or failed item" in refused.stderr
    server.play({})
    again = told(store, "runs", "retry", "1", "--unparsable")
    assert (again["said"], again["state"]) == ("Unparsable items asked again: 1", "queued")
    assert call(store, "worker", "--once").exit_code == 0
    shown = call(store, "runs", "show", "1").stdout
    assert "Plus: 1 item asked again after a reply that could not be read" in shown
    latest, first = call(store, "runs", "results", "1"), call(store, "runs", "results", "1", "--first-replies")
    assert "1 item asked again" in latest.stderr and "by first replies" in first.stdout
    found = [next(csv.DictReader(each.stdout.splitlines())) for each in (latest, first)]
    assert [(each["asked_again"], each["unparsable"]) for each in found] == [("1", "0"), ("1", "1")]
    replaced = call(store, "cache", "list", "--limit", "500").stdout
    assert replaced.count("(replaced:1)") == 1


def test_queries_about_graphs_are_counted_asked_shown_and_written_as_chats(store: str, tmp_path: Path) -> None:
    asked = ("run", "--protocol", "causalgraph2llm")
    space = told(store, *asked, "--paper-set", "--encodings", "all", "--node-sampling", "all", "--dry-run")["space"]
    assert space == {"per_encoding": 106_718, "slice": 747_026, "yes": 5_901, "empty": 21_630}
    chosen = ("--kinds", "source,parent", "--levels", "graph", "--orders", "given,bfs", "--names", "own,neutral")
    plan = told(store, *asked, "--paper-set", *chosen, "--per-cell", "3", "--seed", "7", "--dry-run")
    assert [(each["task"], each["variant"], each["samples"]) for each in plan["tasks"]] == [
        ("source", "graph", 5 * 1 * 4),  # of each graph there is one query, told in four ways
        ("parent", "graph", 5 * 3 * 4),
    ]
    for name, lines, words in (
        ("chain", "A -> B\nB -> C\n", ""),
        ("loop", "A -> B\nB -> A\n", "loop: This graph has a feedback loop"),
    ):
        (tmp_path / f"{name}.txt").write_text(lines)
        done = call(store, *asked, "--graphs", f"{name}.txt", "--node-sampling", "all", "--dry-run", "--json")
        plan = json.loads(done.stdout)
        assert (done.exit_code, words in "".join(plan["faults"])) == (1 if words else 0, True)
    refused = call(store, *asked, "--graphs", "chain.txt", "--paper-set", "--dry-run")
    assert "Choose --graphs or --paper-set, not both." in refused.stderr
    done = call(store, *asked, "--paper-set", "--samples", "40", "--models", "null,always-no")
    assert done.exit_code == 0 and "Run 1 · " in done.stdout, done.stderr
    rows = csv.DictReader(
        call(store, "runs", "results", "1", "--preset", "encodings").stdout.lstrip("\ufeff").splitlines()
    )
    (null,) = [row for row in rows if (row["table"], row["row"], row["column"]) == ("Share of Null", "null", "JSON")]
    assert float(null["value"]) == 1
    chats = told(store, "runs", "export", "1", "--chat", "chat.jsonl", "--split", "0.5")
    written = [len((tmp_path / name).read_text().splitlines()) for name in ("chat.jsonl", "chat-held-out.jsonl")]
    assert written == [chats["train"], chats["held_out"]] and sum(written) + chats["left_out"] == 40


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--consensus-runs", "3"], 2, "--consensus-runs: EconCausal does not take this"),
        (["--graphs", "nothing"], 2, "--graphs: EconCausal does not take this"),
        (["--queue", "--output-dir", "out"], 2, "no results yet"),
        (["--parameter", "heat"], 2, "name=value"),
        (["--models", "nobody", "--tasks", "task1"], 1, "No collection is chosen"),
        (["--input-dir", "nowhere"], 1, "nowhere is not a folder"),
        (["--collection", "nothing"], 1, "called “nothing”"),
        (["--protocol", "unheard-of"], 1, "Unknown protocol “unheard-of”"),
    ],
)
def test_what_cannot_be_run_is_refused_with_its_exit_status(
    words: list[str], status: int, said: str, store: str
) -> None:
    done = call(store, "run", *words)
    assert done.exit_code == status
    assert said in " ".join(done.stderr.replace("│", " ").split())
    assert told(store, "runs", "list") == []


@pytest.mark.parametrize(
    ("models", "may"),
    [("", False), ("baselines", False), ("majority,copy-examples", False), ("majority,Plus", True), ("Plus", True)],
)
def test_only_a_run_that_may_ask_a_model_has_its_client_loaded_ahead(models: str, may: bool) -> None:
    assert may_ask(words_of([models])) is may


def test_a_dry_run_with_a_fault_says_so_and_ends_with_one(store: str, folder: Path) -> None:
    done = call(store, "run", "--input-dir", str(folder), "--models", "nobody", "--dry-run")
    assert done.exit_code == 1 and "Fault: No model card of this study is called “nobody”" in done.stdout
    assert call(store, "runs", "show", "7").stderr.strip() == "This study has no run 7."


def test_samples_are_built_from_triplets(store: str, folder: Path) -> None:
    plan = told(
        store,
        "run",
        "--input-dir",
        str(folder),
        "--build",
        "--tasks",
        "task1,task2",
        "--per-stratum",
        "5",
        "--threshold",
        "0.5",
        "--dry-run",
    )
    assert [each["samples"] for each in plan["tasks"]] == [12, 12] and plan["vectors_missing"] == 0
    assert {each["what"] for each in plan["deviations"]} >= {"per stratum", "threshold", "embedder"}


def test_an_option_is_given_by_its_own_flag_or_by_its_name_and_not_by_both(store: str, folder: Path) -> None:
    words = ("run", "--input-dir", str(folder), "--build", "--tasks", "task2", "--dry-run")
    plan = told(store, *words, "--threshold", "0.5", "--option", "most-examples=2", "--option", "flip_rule=target-sign")
    deviations = {each["what"]: each["chosen"] for each in plan["deviations"]}
    assert (deviations["threshold"], deviations["most examples"], deviations["flip rule"]) == (
        "0.5",
        "2",
        "target-sign",
    )
    for wrong, said in (
        (
            ("--option", "threshold=0.5", "--threshold", "0.5"),
            "threshold is given twice, by --option and by --threshold.",
        ),
        (("--option", "threshold"), "Option “threshold”: NAME=VALUE is needed, such as per_stratum=…."),
        (("--option", "speed=1"), "EconCausal has no option “speed”; choose from per_stratum, embedder, flip_rule"),
    ):
        refused = call(store, *words, *wrong)
        assert refused.exit_code == 1 and said in refused.stderr, refused.output


@pytest.mark.skipif(not EVERYTHING, reason="tests/runs/steps/test_embedding.py")
def test_samples_are_built_with_vectors_of_3072_numbers(
    store_url: str, folder: Path, tmp_path: Path, server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGEWISE_HOME", str(tmp_path / "home"))
    open_study(store_url, tmp_path / "home").close()
    rows = [
        {
            "paper_id": n,
            "publication_year": 2000,
            "published_venue": "Econometrica",
            "treatment": f"Cause {n}",
            "outcome": f"Effect {n}",
            "sign": "+-"[n % 2],
            "context": f"Place {n}.",
        }
        for n in range(20)
    ]
    for each in folder.iterdir():
        each.unlink()
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert call(store_url, "endpoints", "add", "lab", server.url).exit_code == 0
    words = (
        "run",
        "--input-dir",
        str(folder),
        "--build",
        "--tasks",
        "task2",
        "--threshold",
        "0.3",
        "--embedder",
        "lab/floats:3072",
    )
    done = call(store_url, *words)
    assert (done.exit_code, "40 of 40 texts without a vector of lab/floats:3072" in done.stderr) == (0, True), done
    near, ask = told(store_url, "runs", "steps", "1")
    assert (near["step"], near["items"]["answered"], near["requests"], near["made"]) == ("embed", 2, 2, 40)
    assert (ask["step"], ask["items"]["answered"] > 0, ask["requests"]) == ("ask", True, 0)
    server.forget()
    plan = told(store_url, *words, "--dry-run")
    assert (plan["vectors_missing"], server.log()["requests"]) == (0, 0)


def test_a_run_is_over_as_soon_as_its_worker_ends(
    store: str, folder: Path, server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.play({"latency_ms": 300})  # the command looks before the answers are there
    assert call(store, "endpoints", "add", "lab", server.url).exit_code == 0
    assert call(store, "models", "add", "Plus", "--endpoint", "lab", "--model", "scripted:plus").exit_code == 0
    slept: list[float] = []
    sleep = time.sleep
    monkeypatch.setattr("cli.study.running.time.sleep", lambda s: (slept.append(s), sleep(min(s, 1.0))))
    done = call(store, "run", "--input-dir", str(folder), "--models", "Plus", "--tasks", "task1")
    assert (done.exit_code, "12 of 12 answered" in done.stdout) == (0, True), done.stderr
    assert max(slept, default=0) < 1.0


def test_the_worker_of_a_run_loads_while_the_command_does_and_the_run_is_planned(
    store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[object] = []
    plan, options = running.planned, run_settings.options_of

    def beside() -> subprocess.Popen[bytes]:
        done.append("started")
        return subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)  # ends with its input too

    tell = running._tell
    monkeypatch.setattr(running.worker_prestart, "worker", beside)
    monkeypatch.setattr(running, "_tell", lambda process, words: (done.append(words), tell(process, words)))
    monkeypatch.setattr(run_settings, "options_of", lambda protocol: (done.append("options"), options(protocol))[1])
    monkeypatch.setattr(running, "planned", lambda *asked, **more: (done.append("planned"), plan(*asked, **more))[1])
    assert call(store, "run", "--models", "nobody", "--tasks", "task1").exit_code == 1  # there is nothing to ask about
    assert done[:3] == ["started", "client", "options"], "services are not loaded before the worker has its word"
    assert [each for each in done if each != "options"] == ["started", "client", "planned"]


def test_a_run_with_failures_is_told_in_the_same_words_by_list_show_and_the_run_itself(
    store: str, folder: Path, server: RunningServer
) -> None:
    server.play({"rules": [{"matches": "Cause (1|2|3)\\b", "fault": "bad_request"}]})
    assert call(store, "endpoints", "add", "lab", server.url).exit_code == 0
    assert call(store, "models", "add", "Plus", "--endpoint", "lab", "--model", "scripted:plus").exit_code == 0
    done = call(store, "run", "--input-dir", str(folder), "--models", "Plus", "--tasks", "task1")
    words = "9 of 12 answered, 3 failed"
    assert (done.exit_code, words in done.stdout) == (1, True)
    assert f"done       {words}  task1" in call(store, "runs", "list").stdout
    assert words in call(store, "runs", "show", "1").stdout
    (line,) = told(store, "runs", "list")
    shown = told(store, "runs", "show", "1")["progress"]
    assert line["by_status"] == shown["by_status"]
    assert [line["by_status"][each] for each in ("answered", "failed", "pending")] == [9, 3, 0]
    with opened_study(store) as viewer:
        steps = overview(viewer).next_steps
    assert [each.detail for each in steps if each.page == "runs"] == [words]
