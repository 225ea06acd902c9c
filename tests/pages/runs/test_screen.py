"""The Runs screen: setting up with a dry run first, live numbers that add up, the card, models and endpoints."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import text
from streamlit.testing.v1 import AppTest

from benchmarks.running_server import RunningServer, running_server
from core.runs.states import Blocker, RunState, format_blockers
from pages.runs.screen import _asked
from prompts.loader import load
from protocols import PROTOCOLS, USUAL
from protocols.econcausal.tasks import PLACEHOLDERS
from protocols.protocol import ModelRole
from runs.budget import Amount
from runs.endpoint.endpoints import SCRIPTED
from runs.ledger_rows import sent_row
from services import drafts
from services.runs import model_cards, planning, reading
from services.runs.endpoints import EndpointDraft, list_endpoints, save_endpoint
from services.runs.model_cards import ModelCardDraft
from services.runs.settings import BudgetSettings, PlannedEmbedding
from services.study import Study
from store import run_blockers
from store.runs import replies, runs
from store.tables.runs import WorkerRow
from tests.pages.run_screens import (
    choose,
    done,
    draw_runs,
    drawn,
    labels,
    models,
    opened,
    press,
    start,
    table,
    texts,
    triplets,
)
from tests.runs.begun import now, work
from tests.services.scoring_parts import act, bring_in
from tests.sixty_rows import sixty_files


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def open_runs() -> Callable[..., AppTest]:
    return lambda viewer, **link: opened(draw_runs, viewer, **link)


def field(page: AppTest, kind: str, label: str):  # type: ignore[no-untyped-def]
    return next(each for each in getattr(page, kind) if each.label == label)


# --- the list ---------------------------------------------------------------------------------------------------


def test_an_empty_list_says_what_fills_it_and_that_no_key_is_needed(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    page = open_runs(people.researcher)
    assert "Baselines need no key: they run on this computer." in texts(page)
    assert "New run" in labels(page)
    assert "New run" not in labels(open_runs(people.reviewer))


def test_a_run_stands_in_the_list_with_its_state_and_numbers(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    collection = triplets(people.researcher)
    done(
        sqlite_study,
        people.researcher,
        collection,
        title="Two [baselines](http://evil.example)",
        baselines=("always-plus", "majority"),
    )
    start(people.researcher, collection, title="")
    page = open_runs(people.reviewer)
    said = texts(page)
    assert "**Run 2 · task 1**" in said, "its task, where it has no title"
    assert "EconCausal, tasks 1–3 · 8 samples × 1 baseline · queued · 0 of 8 answered, 8 pending" in said
    assert "8 samples × 2 baselines · done · 16 of 16 answered" in said
    assert "](http" not in "\n".join(str(each.value) for each in page.markdown), "a title is only text"
    press(page, "Open run")
    assert page.query_params["run"] == "2"
    assert "EconCausal, tasks 1–3 · queued" in texts(page)
    assert "econcausal" not in texts(page), "a protocol has its title on screens"


def test_archived_runs_leave_the_list_until_they_are_asked_for(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    run = done(sqlite_study, people.researcher, triplets(people.researcher), title="Old one")
    page = open_runs(people.researcher, run="1")
    press(page, "Archive")
    assert reading.runs(people.researcher) == ()
    page = open_runs(people.researcher)
    assert "All runs are archived." in texts(page)
    drawn(page.toggle[0].set_value(True))
    assert "Old one" in texts(page)
    press(open_runs(people.researcher, run="1"), "Restore")
    assert reading.runs(people.researcher)[0].id == run


# --- a new run --------------------------------------------------------------------------------------------------


def test_without_triplets_the_form_begins_with_queries_about_graphs(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    page = open_runs(people.researcher, show="new")
    assert page.button(key="runs.new.choose.causalgraph2llm").label == "Chosen"
    assert "Missing: triplets or a task file." in texts(page)
    page = drawn(page.button(key="runs.new.choose.econcausal").click())
    assert page.session_state["runs.new.protocol"] == "econcausal"
    assert "No triplets yet." in texts(page)
    assert "Choose a collection." in texts(page)


def test_a_run_is_counted_before_it_starts_and_again_after_every_change(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    triplets(people.researcher)
    page = open_runs(people.researcher, show="new")
    assert "Start run" not in labels(page), "nothing starts that was not counted"
    press(page, "Start dry run")
    again = next(button for button in page.button if button.label == "Start dry run")
    assert again.disabled, "the second half of a double click meets it, not Start run"
    assert "**16 items** from 8 samples" in texts(page)
    assert "**No cost**" in texts(page)
    assert table(page, 1) == [
        {"Task": "task 1, with context", "Samples": "8", "Truth: +": "4", "Truth: −": "2", "Truth: None": "2"}
    ]
    drawn(field(page, "number_input", "Maximum samples per task and variant").set_value(3))
    assert "Settings have changed. Run the dry run again." in texts(page)
    assert "Start run" not in labels(page)
    press(page, "Start dry run")
    assert "**6 items** from 3 samples" in texts(page)
    press(page, "Start run")
    (run,) = reading.runs(people.researcher)
    assert (run.samples, run.total, run.baselines) == (3, 6, ("always-plus", "majority"))
    assert page.query_params["run"] == "1"
    assert "Saved" in texts(page) and "queued" in texts(page)
    assert drafts.draft(people.researcher, "run.new") == "", "the next form begins empty"


def test_scripted_judges_are_no_models_of_a_run_that_asks_for_answers(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    scripts = EndpointDraft(name="scripts", base_url=SCRIPTED, concurrency=1, deadline_s=10)
    save_endpoint(people.owner, scripts, seen=0, **act())
    for name, model in (("Reader", "demo:reader"), ("Judge", "judge:honest")):
        model_cards.save_card(people.owner, ModelCardDraft(name=name, endpoint="scripts", model=model), seen=0, **act())
    triplets(people.researcher)
    page = open_runs(people.researcher, show="new")
    (box,) = [each for each in page.multiselect if each.label == "Models"]
    assert [each.partition(" · ")[0] for each in box.options] == ["Reader"]


@pytest.mark.parametrize(
    ("total", "words"),
    [(12, "6 samples × 1 model, 1 baseline"), (7, "6 samples · 1 model, 1 baseline, not each of every sample")],
)
def test_a_list_of_runs_multiplies_only_what_makes_its_items(total: int, words: str) -> None:
    run: Any = SimpleNamespace(samples=6, models=("m",), baselines=("b",), repeats=1, total=total)
    assert _asked(run) == words


def test_what_building_offers_is_drawn_kept_and_asked_as_the_protocol_says(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    triplets(people.researcher)
    page = open_runs(people.researcher, show="new")
    numbers = ["Triplets per year and domain (task 1)", "Minimum similarity", "Maximum examples"]
    assert not {each.label for each in page.number_input} & set(numbers), "rows as they are leave nothing to choose"
    choose(page, "runs.new.way", "built")
    shown = [field(page, "number_input", label) for label in numbers]
    assert [each.placeholder for each in shown] == ["protocol: 30", "protocol: 0.8", "protocol: 5"]
    assert [
        field(page, "selectbox", label).options for label in ("Vectors for comparable pairs", "False signs (task 3)")
    ] == [
        ["built-in vectors", "lexical"],
        ["protocol: example-sign", "example-sign", "target-sign"],
    ]
    drawn(shown[0].set_value(1))
    drawn(field(page, "number_input", "Minimum similarity").set_value(0.0))
    page = open_runs(people.researcher, show="new")
    press(page, "Start dry run")
    press(page, "Start run")
    (run,) = reading.runs(people.researcher)
    wanted = reading.card(people.researcher, run.id).settings["wanted"]
    assert (wanted["per_stratum"], wanted["threshold"], wanted["most_examples"]) == (1, 0.0, None)
    assert (wanted["embedder"], wanted["flip_rule"], "options" in wanted) == ("", "", False)
    again = open_runs(people.researcher, show="new", like=str(run.number))
    assert field(again, "number_input", "Triplets per year and domain (task 1)").value == 1


def test_what_is_typed_comes_back_in_another_browser(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    triplets(people.researcher)
    page = open_runs(people.researcher, show="new")
    drawn(field(page, "text_input", "Title").set_value("Half written"))
    drawn(field(page, "number_input", "Budget ($)").set_value(2.5))
    choose(page, "runs.new.baselines", ["majority"])
    again = open_runs(people.researcher, show="new")
    assert field(again, "text_input", "Title").value == "Half written"
    assert field(again, "number_input", "Budget ($)").value == 2.5
    press(again, "Start dry run")
    assert "**8 items**" in texts(again), "the one baseline that was left"


def baselines_on(page: AppTest) -> list[str]:
    (group,) = [each for each in page.button_group if each.key == "runs.new.baselines"]
    return list(group.value)


def test_all_baselines_of_the_chosen_tasks_are_on_also_of_a_task_that_comes_later(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    files = [bring_in(people.researcher, rows, f"{name}.jsonl") for name, rows in sixty_files().items()]
    page = open_runs(people.researcher, show="new")
    of_task1, of_examples = ["always-plus", "majority"], ["copy-examples", "first-not-shown"]
    drawn(field(page, "multiselect", "Collections").set_value(files[:1]))
    assert baselines_on(page) == of_task1
    drawn(field(page, "multiselect", "Collections").set_value(files))
    assert baselines_on(page) == [*of_task1, *of_examples]
    choose(page, "runs.new.tasks", ["task1"])
    assert baselines_on(page) == of_task1
    choose(page, "runs.new.baselines", ["always-plus"])
    choose(page, "runs.new.tasks", ["task1", "task2"])
    assert baselines_on(page) == ["always-plus", *of_examples], "the one that was taken off stays off"
    again = open_runs(people.researcher, show="new")
    assert baselines_on(again) == ["always-plus", *of_examples]
    choose(again, "runs.new.tasks", ["task1"])
    choose(again, "runs.new.tasks", ["task1", "task3"])
    assert baselines_on(again) == ["always-plus", *of_examples], "also after another browser"


def test_a_run_like_another_keeps_its_baselines_and_gets_those_of_a_further_task(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    files = [bring_in(people.researcher, rows, f"{name}.jsonl") for name, rows in sixty_files().items()]
    start(people.researcher, files[0], baselines=("majority",))
    page = open_runs(people.researcher, show="new", like="1")
    assert baselines_on(page) == ["majority"]
    drawn(field(page, "multiselect", "Collections").set_value([files[0], files[2]]))
    assert baselines_on(page) == ["majority", "copy-examples", "first-not-shown"]


def test_a_draft_that_makes_no_sense_gives_what_is_still_known_of_it(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    triplets(people.researcher)
    for draft in (
        '{"baselines": [7, "majority"], "baselines_off": 3, "baselines_on": ["x"]}',
        "{",
        "[1]",
        '{"title": 7, "models": "x", "tasks": ["task9"], "gone": 1}',
    ):
        drafts.keep_draft(people.researcher, "run.new", draft)
        page = open_runs(people.researcher, show="new")
        assert not page.error
        assert field(page, "text_input", "Title").value == ""


def test_a_form_begins_as_another_run_that_the_link_names(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    start(
        people.researcher,
        triplets(people.researcher),
        title="The first",
        most_samples=5,
        seed=7,
        parameters={"temperature": 0.5, "logprobs": True, "top_logprobs": 20, "top_p": 0.9},
        budget=BudgetSettings(usd=4.0),
    )
    page = open_runs(people.researcher, show="new", like="1")
    assert "like" not in page.query_params
    held = {each.label: each.value for each in [*page.text_input, *page.number_input, *page.text_area, *page.checkbox]}
    assert (held["Title"], held["Random seed"], held["Maximum samples per task and variant"]) == (
        "The first",
        7,
        5,
    )
    assert (held["Temperature"], held["Request log-probabilities"], held["Budget ($)"]) == (0.5, True, 4.0)
    assert json.loads(held["Further parameters (JSON)"]) == {"top_p": 0.9}


def test_parameters_that_are_no_json_are_refused_where_they_are_typed(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    triplets(people.researcher)
    page = open_runs(people.researcher, show="new")
    drawn(field(page, "text_area", "Further parameters (JSON)").set_value("top_p 0.9"))
    assert "Further parameters: not valid JSON" in page.error[0].value.replace("\\", "")
    drawn(field(page, "text_area", "Further parameters (JSON)").set_value("[1]"))
    assert "expected a JSON object" in page.error[0].value.replace("\\", "")
    drawn(field(page, "text_area", "Further parameters (JSON)").set_value('{"top_p": 0.9}'))
    assert not page.error


VECTORS = PlannedEmbedding(
    step="Vectors",
    embedder="lab/words",
    texts=9,
    missing=7,
    requests=1,
    tokens_in=33,
    tokens_in_most=140,
    cost_likely=0.002,
    cost_most=0.01,
    cost_reason="",
)
MISSING: dict[str, Any] = {"is_bound": True, "embeddings": (VECTORS,), "vectors_missing": 7}


def test_the_dry_run_says_what_models_would_cost_and_what_is_kept_already(
    sqlite_study: Study,
    people: SimpleNamespace,
    open_runs: Callable[..., AppTest],
    server: RunningServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server.play({})
    collection = triplets(people.researcher)
    models(people.owner, server, Priced="scripted:plus")
    model_cards.save_card(
        people.owner, ModelCardDraft(name="Unpriced", endpoint="lab", model="scripted:minus"), seen=0, **act()
    )
    done(sqlite_study, people.researcher, collection, models=("Priced",), baselines=(), most_samples=2)
    page = open_runs(people.researcher, show="new")
    drawn(field(page, "multiselect", "Models").set_value(["Priced"]))
    press(page, "Start dry run")
    said = texts(page)
    assert "**6 requests** to send; 2 cached replies used" in said
    assert "tokens out" in said and "About **$0.00" in said
    row = table(page)[0]
    assert (row["Model"], row["Requests"], row["Cached"]) == ("Priced", "6", "2")
    drawn(field(page, "multiselect", "Models").set_value(["Priced", "Unpriced"]))
    press(page, "Start dry run")
    assert "Cost unknown (Unpriced: no price is known" in texts(page)
    plan = planning.plan
    monkeypatch.setattr(planning, "plan", lambda *given: replace(plan(*given), **MISSING))
    drawn(field(page, "multiselect", "Models").set_value(["Priced"]))
    press(page, "Start dry run")
    said = texts(page)
    assert "**7 texts** of 9 without a vector of lab/words  \nAbout **33** tokens in 1 request" in said
    assert "items** from 8 samples" in said.partition("At most **")[2]
    assert "At most **6 requests** to send; 2 cached" in said
    assert "Expected up to **$0.00" in said and ", at most **$0.0" in said and "never over" not in said
    assert table(page)[0]["Requests (at most)"] == "6"
    assert field(page, "button", "Start run")
    drawn(field(page, "multiselect", "Models").set_value([]))
    press(page, "Start dry run")
    assert "no request is sent except for vectors" in texts(page) and "No cost" not in texts(page)


# --- one run ----------------------------------------------------------------------------------------------------


def test_roles_of_a_protocol_are_offered_with_the_cards_that_may_take_them(
    sqlite_study: Study,
    people: SimpleNamespace,
    open_runs: Callable[..., AppTest],
    server: RunningServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    triplets(people.researcher)
    models(people.owner, server, Critic="scripted:plus")
    page = open_runs(people.researcher, show="new")
    assert "Judge" not in [each.label for each in page.multiselect]
    monkeypatch.setattr(type(PROTOCOLS[USUAL]), "roles", {"judge": ModelRole(title="Judge", kinds=("instruct",))})
    page = open_runs(people.researcher, show="new")
    assert field(page, "multiselect", "Judge").options == ["Critic"]
    press(page, "Start dry run")
    assert "Judge: 0 cards named for this role; expected 1." in texts(page)
    drawn(field(page, "multiselect", "Judge").set_value(["Critic"]))
    press(page, "Start dry run")
    press(page, "Start run")
    (run,) = reading.runs(people.researcher)
    assert reading.card(people.researcher, run.id).settings["roles"] == {"judge": ["Critic"]}


def test_a_run_without_a_worker_says_so_and_reviewers_look_and_steer_nothing(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    start(people.researcher, triplets(people.researcher))
    page = open_runs(people.reviewer, run="1")
    assert "No worker is running, so nothing is sent." in page.warning[0].value
    assert page.code[0].value == "python edgewise.py worker"
    now = sqlite_study.clock()
    with sqlite_study.store.writing() as session:
        session.add(WorkerRow(host="here", pid=1, started_at=now, seen_at=now))
    page = open_runs(people.reviewer, run="1")
    assert not page.warning and labels(page) == ["All runs", "Show items", "Show results"]
    assert "This study has no run 7." in texts(open_runs(people.reviewer, run="7"))
    assert "does not allow this" in texts(open_runs(people.annotator))


def test_every_status_has_its_number_and_they_add_up(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest], server: RunningServer
) -> None:
    server.play(
        {
            "rules": [
                {"matches": "Setting number 0", "answer": "no idea"},
                {"matches": "Setting number 1", "sign": "+", "finish_reason": "length"},
                {"matches": "Setting number 2", "fault": "bad_request"},
                {"matches": "Setting number 3", "times": 1, "fault": "server_error"},
            ]
        }
    )
    models(people.owner, server, Model="scripted:plus")
    run = done(sqlite_study, people.researcher, triplets(people.researcher), models=("Model",))
    page = open_runs(people.researcher, run="1")
    one, baseline, both = table(page)
    assert [each["Model"] for each in (one, baseline, both)] == ["Model", "always-plus", "All models"]
    assert [each["Answered"] for each in (one, baseline, both)] == ["5", "8", "13"]
    assert both == {
        "Model": "All models",
        "Pending": "0",
        "Answered": "13",
        "Unparsable": "1",
        "Truncated": "1",
        "Refused": "0",
        "Excluded": "0",
        "Failed": "1",
        "All": "16",
    }
    (chart,) = page.get("vega_lite_chart")
    assert "Model, Answered: 5" in chart.proto.alt and "Pending" not in chart.proto.alt
    assert open_runs(people.researcher, run="1").get("vega_lite_chart")[0].proto.spec == chart.proto.spec
    assert {"Show 1 failed", "Show 1 unparsable", "Retry 1 failed"} <= set(labels(page))
    assert [each.label.replace("\\", "") for each in page.expander] == [
        "Request rejected by the provider: 1 attempt, 1 item still without a reply",
        "Provider error: 1 attempt, all answered since then",
    ]
    assert labels(page).count("Open item") == labels(page).count("Open endpoint") == 2
    assert "9 requests sent" in texts(page) and "$0." in texts(page)
    server.play({})
    press(page, "Retry 1 failed")
    work(sqlite_study.store)
    assert reading.progress(people.researcher, run).state is RunState.DONE
    again = open_runs(people.researcher, run="1")
    assert "Retry 1 failed" not in labels(again)
    assert table(again)[0]["Failed"] == "0"
    press(again, "Retry unparsable")
    work(sqlite_study.store)
    last = open_runs(people.researcher, run="1")
    assert ("Retry unparsable" in labels(last), table(last)[0]["Unparsable"]) == (False, "0")
    card = open_runs(people.researcher, run="1", part="card")
    assert {row["Model"]: row["Asked again"] for row in table(card)} == {"Model": "1", "always-plus": "0"}


def test_a_run_is_paused_resumed_and_cancelled_by_its_buttons_and_what_comes_too_late_says_why(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    run = start(people.researcher, triplets(people.researcher))
    page = open_runs(people.researcher, run=run)
    assert page.query_params["run"] == "1", "the link says the number"
    press(page, "Pause")
    assert "Saved" in texts(page) and "Resume" in labels(page)
    press(page, "Resume")
    assert reading.progress(people.researcher, run).state is RunState.QUEUED
    assert "Cancelling is final: 8 items will not be asked." in texts(page)
    late = open_runs(people.researcher, run=run)
    press(page, "Cancel run")
    assert reading.progress(people.researcher, run).state is RunState.CANCELLED
    assert not {"Pause", "Resume", "Cancel run"} & set(labels(page))
    press(late, "Pause")
    assert "Run 1 is cancelled" in late.error[0].value.replace("\\", "")


def test_a_run_that_waits_says_for_what_and_since_when_and_can_be_tried_at_once(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    run = start(people.researcher, triplets(people.researcher))
    lost = Blocker("lab", "the server h:4000 refuses <b>connections</b>", sqlite_study.clock())
    with sqlite_study.store.writing() as session:
        runs.set_state(session, run, RunState.RUNNING, "", sqlite_study.clock(), only_from=[RunState.QUEUED])
        session.execute(text("UPDATE run_item SET model = 'm'"))
        row = runs.run_row(session, run)
        row.settings = {**row.settings, "models": {"m": {"kind": "instruct", "endpoint": {"name": "lab"}}}}
        session.flush()
        run_blockers.note(session, run, sqlite_study.clock(), found=[lost])
        session.add(WorkerRow(host="here", pid=1, started_at=lost.since, seen_at=lost.since))
    said = texts(open_runs(people.reviewer))
    why = f"waiting: {lost.why} since {format_blockers([lost], lambda at: at, now()).rpartition('since ')[2]}"
    assert why in said.replace("\\", "")
    page = open_runs(people.researcher, run="1")
    assert f"**Waiting**{why.removeprefix('waiting')}" in texts(page).replace("\\", "")
    assert "Edgewise retries the server" in texts(page)
    assert {"Try now", "Pause", "Cancel run"} <= set(labels(page))
    assert "Try now" not in labels(open_runs(people.reviewer, run="1"))
    press(page, "Try now")
    assert reading.progress(people.researcher, run).state is RunState.QUEUED
    assert "Try now" not in labels(page)


def test_a_run_is_renamed_and_given_another_budget(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    start(people.researcher, triplets(people.researcher))
    page = open_runs(people.researcher, run="1")
    field(page, "text_input", "Title").set_value("A better name")
    press(page, "Rename")
    assert "Run 1 · A better name" in texts(page)
    field(page, "number_input", "Budget (requests)").set_value(40)
    press(page, "Change budget")
    assert reading.card(people.researcher, "1").budget == BudgetSettings(requests=40)
    (export,) = page.get("link_button")
    assert export.proto.label == "Download run (ZIP)"
    assert export.proto.url == f"/export/run/{reading.progress(people.researcher, '1').run_id}"


def test_a_run_out_of_budget_says_what_is_spent_held_and_left_and_asks_for_a_larger_one(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest], server: RunningServer
) -> None:
    server.play({})
    models(people.owner, server, Model="scripted:plus")
    run = start(
        people.researcher,
        triplets(people.researcher),
        models=("Model",),
        baselines=(),
        budget=BudgetSettings(usd=0.0105),
        parameters={"max_tokens": 1_000},
    )
    with sqlite_study.store.writing() as session:  # three requests of a worker that died
        (item,) = session.execute(text("SELECT id, request_hash FROM run_item LIMIT 1")).all()
        replies.begin_worker(session, "gone", "h", 1, now())
        most = Amount(1_500, 0.002)
        replies.insert_attempts(
            session,
            [
                sent_row(
                    attempt_id=str(n),
                    run_id=run,
                    item_id=item.id,
                    request_hash=item.request_hash,
                    number=1,
                    endpoint="lab",
                    model="Model",
                    worker_id="gone",
                    most=most,
                    now=now(),
                )
                for n in range(3)
            ],
        )
    work(sqlite_study.store)
    stopped = reading.progress(people.researcher, run)
    assert (stopped.state, stopped.spending.held, stopped.spending.held_usd) == (
        RunState.STOPPED,
        3,
        pytest.approx(0.006),
    )
    page = open_runs(people.researcher, run="1")
    (said,) = [each for each in texts(page).replace("\\", "").split("\n") if "held" in each]
    assert f"${stopped.spending.usd:.4f} spent, $0.0060 held for 3 requests of unknown outcome or cost, $" in said
    left = 0.0105 - stopped.spending.usd - 0.006
    assert f"${left:.4f} left; the next request may cost $" in said
    (resume,) = [each for each in page.button if each.label == "Resume"]
    assert resume.proto.type == "secondary" and resume.help.startswith("The run would stop at once. Budget of $0.0105")
    assert labels(page).count("Change budget") == 1
    field(page, "number_input", "Budget ($)").set_value(1.0)
    press(page, "Change budget")
    (resume,) = [each for each in page.button if each.label == "Resume"]
    assert (resume.proto.type, resume.help) == ("primary", "")
    assert "Budget of $1.00: $" in texts(page).replace("\\", "")
    press(page, "Resume")
    work(sqlite_study.store)
    assert reading.progress(people.researcher, run).state is RunState.DONE


def test_a_prompt_that_changed_stops_the_resume_and_shows_the_difference(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    folder = sqlite_study.cache.parent / "prompts" / "mine" / "econcausal"
    folder.mkdir(parents=True)
    file = folder / "task1.txt"
    built_in = load("econcausal/task1", placeholders=PLACEHOLDERS)
    doubled = 'Reply as {{"predicted_sign": "+"}}.'
    text = f"=== system ===\n{built_in.system}\n=== user ===\n{built_in.user}\n{doubled}\n"
    file.write_text(text, encoding="utf-8")
    run = start(people.researcher, triplets(people.researcher), prompts_folder="mine")
    page = open_runs(people.researcher, run="1")
    press(page, "Pause")
    file.write_text(text + "\nBe brief.\n", encoding="utf-8")
    press(page, "Resume")
    assert "Run 1 cannot resume" in page.error[0].value.replace("\\", "")
    assert any("+Be brief." in each.value for each in page.code)
    card = open_runs(people.researcher, run="1", part="card")
    assert "Doubled braces, {{ and }}, are sent as single ones." in texts(card).replace("\\", "")
    assert reading.progress(people.researcher, run).state is RunState.PAUSED


# --- the card ---------------------------------------------------------------------------------------------------


def test_the_card_holds_hashes_prompts_models_parameters_and_what_deviates(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest], server: RunningServer
) -> None:
    server.play({})
    models(people.owner, server, Model="scripted:plus")
    run = done(
        sqlite_study,
        people.researcher,
        triplets(people.researcher),
        models=("Model",),
        seed=5,
        parameters={"temperature": 1.0},
    )
    page = open_runs(people.reviewer, run="1", part="card")
    card = reading.card(people.reviewer, run)
    shown = "\n".join(str(frame.value.to_dict("list")) for frame in page.dataframe)
    assert all(value in shown for value in card.hashes.values())
    assert {"temperature", "max_tokens"} <= set(card.parameters)
    assert "temperature" in shown.lower() and "1.0" in shown
    assert [row["Model"] for row in table(page)] == ["Model", "always-plus"]
    assert table(page)[0]["Requests"] == "8" and table(page)[1]["Cost"] == "$0.0000"
    assert any(prompt.user in [code.value for code in page.code] for prompt in card.prompts)
    ledger = next(line for line in texts(page).splitlines() if line.startswith("Ledger:"))
    assert ledger.startswith("Ledger: 8 requests sent, ") and " 0 " not in ledger and "nothing" not in ledger
    assert "Created" in shown
    assert page.query_params["part"] == "card"
    assert {
        f"collection “{part.removeprefix('source ')}” (first 16 hex digits)"
        for part in card.hashes
        if part.startswith("source ")
    } <= {row["Part"] for frame in page.dataframe if "Part" in frame.value for row in frame.value.to_dict("records")}
    listed = open_runs(people.reviewer)
    assert "8 cached replies" in [each.label for each in listed.expander]
    assert not listed.dataframe, "who uses them is looked up for whoever opens it"
    listed.session_state["runs.kept"] = True
    listed.run()
    assert [row["Model ID"] for row in table(listed)] == ["scripted:plus"], "baselines are no models"


# --- models and endpoints ---------------------------------------------------------------------------------------


def test_a_model_is_described_tried_and_changed(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest], server: RunningServer
) -> None:
    server.play({})
    save_endpoint(people.owner, EndpointDraft(name="lab", base_url=server.url), seen=0, **act())
    page = open_runs(people.researcher, show="models", model="new")
    drawn(field(page, "text_input", "Name in tables").set_value("Small one"))
    drawn(field(page, "selectbox", "Endpoint").set_value("lab"))
    drawn(field(page, "text_input", "Model ID at the endpoint").set_value("scripted:plus"))
    drawn(field(page, "number_input", "Input ($)").set_value(0.5))
    press(page, "Save model")
    (card,) = model_cards.list_cards(people.researcher)
    assert (card.name, card.endpoint, card.model, card.price_input) == ("Small one", "lab", "scripted:plus", 0.5)
    assert page.query_params["model"] == card.id and "Saved" in texts(page)
    assert "Sends up to 3 small requests" in texts(page)
    press(page, "Test connection")
    assert "log-probabilities: yes" in texts(page)
    drawn(field(page, "selectbox", "Weights").set_value("open"))
    drawn(field(page, "selectbox", "Accepts pictures").set_value("yes"))
    drawn(field(page, "number_input", "Maximum tokens per page").set_value(1600))
    press(page, "Save model")
    (card,) = model_cards.list_cards(people.researcher)
    assert (card.is_open_weight, card.takes_images, card.takes_pdfs, card.tokens_per_page) == (True, True, None, 1600)


def test_a_card_that_somebody_else_changed_is_not_overwritten(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    card_id = model_cards.save_card(people.owner, ModelCardDraft(name="One"), seen=0, **act()).subject_id
    page = open_runs(people.researcher, show="models", model=card_id)
    drawn(field(page, "text_input", "Family").set_value("mine"))
    model_cards.save_card(people.owner, ModelCardDraft(name="One", id=card_id, family="theirs"), seen=1, **act())
    press(page, "Save model")
    assert "has changed since you opened it" in page.error[0].value.replace("\\", "")
    press(page, "Load newer version")
    assert field(page, "text_input", "Family").value == "theirs"
    assert model_cards.list_cards(people.researcher)[0].family == "theirs"


def test_half_a_card_is_kept_until_it_is_saved_or_given_up_also_beside_another_tab(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    page = open_runs(people.researcher, show="models", model="new")
    drawn(field(page, "text_input", "Name in tables").set_value("Not done"))
    again = open_runs(people.researcher, show="models", model="new")
    assert field(again, "text_input", "Name in tables").value == "Not done"
    assert "Draft restored; not saved yet." in texts(again)
    press(again, "Discard changes")
    assert field(again, "text_input", "Name in tables").value == ""
    # Discarding leaves the draft that another tab typed.
    drawn(field(again, "text_input", "Name in tables").set_value("Of this tab"))
    drawn(field(page, "text_input", "Name in tables").set_value("Of the other"))
    press(again, "Discard changes")
    assert "Of the other" in drafts.draft(people.researcher, "model.card.new")


def test_only_the_owner_changes_endpoints_without_a_key_and_researchers_try_them(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest], server: RunningServer
) -> None:
    page = open_runs(people.owner, show="endpoints", endpoint="new")
    drawn(field(page, "text_input", "Name").set_value("lab"))
    drawn(field(page, "text_input", "Address").set_value("nowhere"))
    press(page, "Save endpoint")
    assert "Address “nowhere”" in page.error[0].value.replace("\\", "")
    drawn(field(page, "text_input", "Address").set_value("https://api.example.org/v1"))
    drawn(field(page, "text_input", "Environment variable with the key").set_value("sk-secret-value-123"))
    press(page, "Save endpoint")
    assert "never a key itself" in page.error[0].value.replace("\\", "")
    assert "sk-secret" not in page.error[0].value
    drawn(field(page, "text_input", "Environment variable with the key").set_value(""))
    drawn(field(page, "text_input", "Address").set_value("http://127.0.0.1:9/v1"))
    press(page, "Save endpoint")
    assert [each.name for each in list_endpoints(people.owner)] == ["lab"]
    page = open_runs(people.researcher, show="endpoints", endpoint="lab")
    assert "Save endpoint" not in labels(page) and "Add endpoint" not in labels(page)
    drawn(field(page, "text_input", "Model ID at the endpoint").set_value("any"))
    press(page, "Test connection")
    assert page.error, "nobody listens there, and the screen says so"


def test_a_connection_test_that_cannot_be_sent_says_so_before_it_is_pressed(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LAB_API_KEY", raising=False)
    address = "https://api.example.org/v1"
    draft = EndpointDraft(name="lab", base_url=address, key_variable="LAB_API_KEY")
    save_endpoint(people.owner, draft, seen=0, **act())
    card = ModelCardDraft(name="One", endpoint="lab", model="any")
    card_id = model_cards.save_card(people.owner, card, seen=0, **act()).subject_id
    page = open_runs(people.researcher, show="models", model=card_id)
    (button,) = [each for each in page.button if each.label == "Test connection"]
    assert button.disabled
    assert "lab cannot be asked from here: the environment variable LAB_API_KEY is not set here." in texts(
        page
    ).replace("\\", "")


def test_reviewers_read_models_and_see_no_endpoints(
    sqlite_study: Study, people: SimpleNamespace, open_runs: Callable[..., AppTest]
) -> None:
    card = model_cards.save_card(
        people.owner, ModelCardDraft(name="One", provider="Someone"), seen=0, **act()
    ).subject_id
    page = open_runs(people.reviewer, show="models", model=card)
    assert {"Name": "Provider", "Value": "Someone"} in table(page, 1)
    assert not {"Save model", "Add model", "Test connection"} & set(labels(page))
    (parts,) = [each for each in page.button_group if each.key == "runs.part"]
    assert "Endpoints" not in parts.options
