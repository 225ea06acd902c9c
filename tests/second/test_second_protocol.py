"""A second benchmark edits nothing outside its folder: it is set up, asked, scored, listed and told like the first."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import Result
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

import edgewise
from benchmarks.running_server import RunningServer, running_server
from core.errors import BadInput
from core.runs.filters import FailureFilters, OutcomeFilter
from core.runs.states import ItemStatus, RunState
from protocols import PROTOCOLS, USUAL
from services.failures import failures
from services.results import results
from services.runs import acts, planning, reading
from services.runs.benchmarks import ExportTarget, export_in_form
from services.runs.exports import files
from services.runs.run_settings import config_of, settings_json
from services.runs.settings import RunConfig, SampleSource
from services.study import Study, open_study, use_study
from tests.pages.run_screens import choose, draw_failures, draw_runs, drawn, opened, press, table, texts
from tests.second.registering import HERE, register
from tests.services.run_parts import act, finished, set_up, start, work_here

SAYS_YES = {"answer": '{"answer": "yes", "reasoning": "So."}'}
NAMED = re.compile(r"[\"'/]parity|parity-1|most-said|last-digit")


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        running.play({"rules": [{"matches": "Is 9, ", "answer": "Perhaps."}, SAYS_YES]})
        yield running


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def config(**given: Any) -> RunConfig:
    asked = {"title": "Numbers", "tasks": ("even", "prime"), "variants": ("plain",), **given}
    return RunConfig(protocol="parity", source=SampleSource(), **asked)


@pytest.mark.both(usually=False)
def test_it_is_planned_asked_scored_and_told_like_the_first(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    v = people.researcher
    set_up(people.owner, server, ["yes-man"], price_input=1.0, price_output=1.0)
    baselines = tuple(PROTOCOLS["parity"].baselines)
    wanted = config(models=("yes-man",), baselines=baselines, options={"highest": 10, "skip": 5, "order": "down"})
    plan = planning.plan(v, wanted)
    assert plan.faults == () and [(each.task, each.samples) for each in plan.tasks] == [("even", 8), ("prime", 10)]
    assert [(each.key, each.reason) for each in plan.excluded] == [
        ("number 10", "it is a multiple of 5"),
        ("number 5", "it is a multiple of 5"),
    ]
    assert (plan.requests, plan.cached, plan.vectors_missing) == (18, 0, 0)
    assert [(each.what, each.default, each.chosen) for each in plan.deviations] == [
        ("order", "up", "down"),
        ("skip", "–", "5"),
    ]
    run_id = start(v, wanted)
    now = finished(study, v, run_id)
    assert now.state is RunState.DONE and now.by_status[ItemStatus.UNPARSABLE] == 2
    card = reading.card(v, run_id)
    assert card.hashes["source numbers"] and config_of(card.settings["wanted"]) == wanted
    assert (card.settings["wanted"]["highest"], card.settings["wanted"]["thing"]) == (10, "")
    assert card.settings["models"]["most-said"]["majority"] == {"even/plain": "yes", "prime/plain": "no"}

    (accuracy,) = results.results(v, [run_id], "main", with_interval=False)
    shares = {(row, column): cell.estimate.value for (row, column), cell in accuracy.cells.items()}
    # 1 to 10 without 5 and 10: 4 of 8 are even; of all ten, 2, 3, 5 and 7 are prime.
    assert shares["yes-man", "even"] == 4 / 8 and shares["yes-man", "prime"] == 4 / 10
    assert shares["always-no", "prime"] == 6 / 10 and shares["last-digit", "even"] == 1.0
    with pytest.raises(BadInput, match="Unknown table “jel”; choose from main, digits"):
        results.results(v, [run_id], "jel")

    wrong = FailureFilters(runs=(run_id,), models=("yes-man",), only=OutcomeFilter.WRONG, labels=(("digits", ("2",)),))
    (line,) = failures.failures(v, wrong).lines
    assert (line.key, line.task, line.answer, line.predicted) == ("n10", "prime", "no", "yes")
    assert failures.item(v, line.item_id).messages[0][1].startswith("Is 10, a count of things, prime?")
    again = acts.rescore(v, run_id, seen=reading.progress(v, run_id).version, **act())
    assert again.subject_id == run_id
    assert planning.plan(v, wanted).cached == 18
    packed = io.BytesIO()
    files.export_run(v, run_id, packed)
    with zipfile.ZipFile(packed) as archive:
        assert len(archive.read("samples.jsonl").splitlines()) == 18
        assert json.loads(archive.read("manifest.json"))["settings"]["wanted"] == settings_json(wanted)


def test_what_it_has_no_use_for_is_refused_in_its_own_words(study: Study, people: SimpleNamespace) -> None:
    def faults(**given: Any) -> tuple[str, ...]:
        return planning.plan(people.researcher, config(**{"baselines": ("always-no",), **given})).faults

    assert faults() == ()
    assert faults(options={"threshold": 0.5}) == (
        "Parity has no option “threshold”; choose from highest, order, skip, thing.",
    )
    assert faults(options={"order": "sideways", "highest": "many", "skip": 0}) == (
        "Order of numbers: found 'sideways'; expected one of up, down.",
        "Highest number: found 'many'; expected 1 to 1,000.",
        "Leave out multiples of: found 0; expected 2 to 100.",
    )
    assert faults(tasks=("task1",)) == ("Even and prime has no task “task1”; choose from even, prime.",)
    assert faults(baselines=("copy-examples",)) == (
        "Unknown baseline “copy-examples”; choose from always-no, most-said, last-digit.",
    )
    assert faults(tasks=("even",), options={"highest": 1, "skip": 2}) == ()


def field(page: AppTest, kind: str, label: str) -> Any:
    return next(each for each in getattr(page, kind) if each.label == label)


def test_new_run_draws_it_from_what_it_says_of_itself(sqlite_study: Study, people: SimpleNamespace) -> None:
    page = opened(draw_runs, people.researcher, show="new")
    usual = "the usual protocol is the first, and has no triplets here"
    assert page.session_state["runs.new.protocol"] == "causalgraph2llm", usual
    assert [each.key.rpartition(".")[2] for each in page.button if each.label in ("Choose", "Chosen")] == [
        "econcausal",
        "econcausal-pipeline",
        "recite",
        "recite-texts",
        "causalgraph2llm",
        "lee",
        "lee-pipeline",
        "figure-reading",
        "proposed-codes",
        "parity",
    ]
    drawn(page.button(key="runs.new.choose.parity").click())
    assert not [each for each in page.button_group if each.key == "runs.new.way"]
    numbers = {each.label: each.placeholder for each in page.number_input}
    assert (numbers["Highest number"], numbers["Leave out multiples of (even)"]) == ("protocol: 12", "protocol default")
    assert field(page, "selectbox", "Order of numbers").options == [
        "protocol: smallest first",
        "smallest first",
        "largest first",
    ]
    assert field(page, "text_input", "Numbers of what").placeholder == "protocol: things"
    (baselines,) = [each for each in page.button_group if each.key == "runs.new.baselines"]
    assert baselines.value == ["always-no", "most-said", "last-digit"]
    drawn(field(page, "number_input", "Highest number").set_value(6))
    drawn(field(page, "text_input", "Numbers of what").set_value("pears"))
    (variants,) = [each for each in page.button_group if each.key == "runs.new.variants"]
    assert list(variants.options) == ["Plain", "In few words"]
    choose(page, "runs.new.tasks", ["prime"])
    assert "Leave out multiples of (even)" not in {each.label for each in page.number_input}
    press(page, "Start dry run")
    assert "**12 items** from 6 samples" in texts(page)
    assert table(page, 1) == [{"Task": "prime, plain", "Samples": "6", "Truth: no": "3", "Truth: yes": "3"}]
    press(page, "Start run")
    (run,) = reading.runs(people.researcher)
    wanted = reading.card(people.researcher, run.id).settings["wanted"]
    assert (wanted["protocol"], wanted["highest"], wanted["skip"], wanted["thing"]) == ("parity", 6, None, "pears")
    assert wanted["baselines"] == ["always-no", "most-said"] and wanted["source"]["collections"] == []
    again = opened(draw_runs, people.researcher, show="new", like=str(run.number))
    assert field(again, "number_input", "Highest number").value == 6


def test_commands_offer_its_options(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: RunningServer
) -> None:
    monkeypatch.setenv("EDGEWISE_HOME", str(tmp_path / "home"))
    open_study(sqlite_url, tmp_path / "home").close()

    def call(*words: str) -> Result:
        return CliRunner().invoke(edgewise.app, [*words, "--store", sqlite_url])

    assert call("endpoints", "add", "lab", server.url).exit_code == 0
    assert call("models", "add", "Yes", "--endpoint", "lab", "--model", "yes-man").exit_code == 0
    numbers = (
        "run",
        "--protocol",
        "parity",
        "--option",
        "highest=6",
        "--option",
        "skip=4",
        "--models",
        "Yes,baselines",
    )
    planned = call(*numbers, "--dry-run", "--json")
    assert planned.exit_code == 0, planned.output
    plan = json.loads(planned.stdout)
    assert [(each["task"], each["variant"], each["samples"]) for each in plan["tasks"]] == [
        ("even", "plain", 5),
        ("prime", "plain", 6),
    ]
    assert call(*numbers, "--queue").exit_code == 0
    study = open_study(sqlite_url, tmp_path / "home")
    use_study(study)
    try:
        work_here(study)
    finally:
        use_study(None)
        study.close()
    shown = json.loads(call("runs", "show", "1", "--json").stdout)
    assert shown["card"]["settings"]["wanted"]["highest"] == 6
    # Five numbers are asked whether they are even and six whether they are prime, of a model and three baselines.
    assert sum(shown["progress"]["by_status"].values()) == 11 * 4
    by_flags = call("run", "--protocol", "parity", "--whether", "prime", "--highest", "4", "--dry-run", "--json")
    assert [(each["task"], each["samples"]) for each in json.loads(by_flags.stdout)["tasks"]] == [("prime", 4)]
    out = tmp_path / "asked.txt"
    assert call("runs", "export", "1", "--form", "numbers", "--out", str(out)).exit_code == 0
    assert sorted(set(out.read_text().split())) == ["n1", "n2", "n3", "n4", "n5", "n6"]
    for words, said in (
        (("--option", "highest=many"), "Highest number: found 'many'; expected 1 to 1,000."),
        (("--option", "per_stratum=3"), "Parity has no option “per_stratum”"),
    ):
        refused = call("run", "--protocol", "parity", *words, "--dry-run")
        assert refused.exit_code == 1 and said in refused.stderr, refused.output
    strange = call("run", "--protocol", "parity", "--build", "--dry-run")
    assert strange.exit_code == 2
    said = " ".join(strange.stderr.replace("│", " ").split())
    assert "--build: Parity does not take this; its flags are --whether, --highest." in said
    assert call("run", "--whether", "prime", "--dry-run").exit_code == 2, "nor does another take its flags"


def test_run_help_has_its_flags_in_a_panel_of_their_own() -> None:
    helped = " ".join(CliRunner().invoke(edgewise.app, ["run", "--help"]).stdout.replace("│", " ").split())
    assert "─ Parity ─" in helped
    assert "--whether" in helped and "What is asked of a number" in helped
    assert "--highest" in helped and "Highest number." in helped


@pytest.fixture
def asked(sqlite_study: Study, people: SimpleNamespace) -> str:
    """A finished run of its baselines."""
    run_id = start(people.researcher, config(baselines=("always-no", "last-digit")))
    assert finished(sqlite_study, people.researcher, run_id).state is RunState.DONE
    return run_id


def test_an_item_has_its_view(asked: str, people: SimpleNamespace) -> None:
    wrong = FailureFilters(runs=(asked,), models=("always-no",), only=OutcomeFilter.WRONG, labels=(("digits", ("2",)),))
    lines = failures.failures(people.researcher, wrong).lines
    item = next(each.item_id for each in lines if each.key == "n12")
    shown = opened(draw_failures, people.researcher, item=item)
    assert "12 has 2 digits." in [each.value for each in shown.caption]


def test_results_have_its_tables(asked: str, people: SimpleNamespace) -> None:
    (preset, *_) = [each for each in results.presets_of(people.researcher, [asked]) if each.key == "digits"]
    assert preset.title == "By digits"
    (table_of, *_) = results.results(people.researcher, [asked], "digits", with_interval=False)
    assert table_of.column_labels == ("1", "2")
    # 10 and 12 are even, 11 is not: "no" is right once in three; none of the three but 11 is prime: twice.
    assert table_of.cells["always-no", "2"].estimate.value == 3 / 6


def test_a_run_is_exported_in_its_form(asked: str, people: SimpleNamespace, tmp_path: Path) -> None:
    target = ExportTarget(path=tmp_path / "numbers.txt", open=lambda path: path.open("wb"))
    made = export_in_form(people.researcher, "numbers", [asked], target)
    assert made.data["numbers"] == 24 and (tmp_path / "numbers.txt").read_text().startswith("n1\nn2\n")
    with pytest.raises(BadInput, match=r"Unknown form “letters”; choose from zip, recite, chat, numbers\."):
        export_in_form(people.researcher, "letters", [asked], target)


def test_nothing_outside_its_folder_knows_it() -> None:
    """Nor is it the usual one, though its files are found beside the others'."""
    assert USUAL != "parity"
    root = HERE.parents[1]
    rooms = ("core", "prompts", "protocols", "runs", "store", "services", "cli", "components", "pages", "web")
    files_of_rooms = (path for room in rooms for path in (root / room).rglob("*.py"))
    assert [path for path in files_of_rooms if NAMED.search(path.read_text(encoding="utf-8"))] == []
