"""The Results screen: values by hand arithmetic, every cell down to its answers, reasons, files, empty states."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.running_server import RunningServer, running_server
from core.analysis.slices import Failures
from core.people import Viewer
from core.runs.filters import FailureFilters
from core.runs.sample_flags import FlagReason
from protocols import PROTOCOLS
from services.failures import failures
from services.results import results
from services.runs import acts, planning, reading, sample_flags
from services.runs.run_settings import variant_words
from services.runs.settings import RunConfig, SampleSource
from services.study import Study
from tests.pages.run_screens import (
    choose,
    done,
    draw_failures,
    draw_results,
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
from tests.pages.screen import choose_place, choose_row, param
from tests.runs.begun import work
from tests.services.run_parts import finished
from tests.services.scoring_parts import act, bring_in
from tests.shared_fixture import laid_once
from tests.sixty_rows import sixty_files

CHARTS = ("Chart (SVG)", "Chart (PNG)", "Chart (PDF)")
PRESETS = PROTOCOLS["econcausal"].tables.presets


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def open_results() -> Callable[..., AppTest]:
    return lambda viewer, **link: opened(draw_results, viewer, **link)


@pytest.fixture
def asked(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer, request: pytest.FixtureRequest
) -> SimpleNamespace:
    """Eight samples, true + − None + + − None +, two a paper, in four years from 2001 on; `Plus` says + and is 0.9
    sure, is cut off on sample 0 and gives no label on sample 1; beside it always-plus."""
    server.play(
        {
            "rules": [
                {"matches": "Setting number 0", "sign": "+", "finish_reason": "length"},
                {"matches": "Setting number 1", "answer": "nothing"},
                {"sign": "+", "chances": {"+": 0.9, "-": 0.1}},
            ]
        }
    )

    def make() -> SimpleNamespace:
        models(people.owner, server, Plus="any")
        run = done(
            sqlite_study,
            people.researcher,
            triplets(people.researcher),
            models=("Plus",),
            title="The first",
            parameters={"logprobs": True, "top_logprobs": 20},
        )
        return SimpleNamespace(run=run)

    return laid_once(request, sqlite_study, make, people)


def cells(page: AppTest) -> dict[str, list[str]]:
    return {row[0]: list(row[1:]) for row in page.dataframe[0].value.values.tolist()}


def test_without_a_run_the_screen_says_what_fills_it(
    sqlite_study: Study, people: SimpleNamespace, open_results: Callable[..., AppTest]
) -> None:
    page = open_results(people.researcher)
    assert "A run of baselines is enough to start" in texts(page)
    assert labels(page) == ["New run"]
    assert "does not allow this" in texts(open_results(people.annotator))


def test_the_main_table_holds_accuracy_and_f1_by_hand_arithmetic_and_is_taken_away_in_three_files(
    asked: SimpleNamespace, people: SimpleNamespace, open_results: Callable[..., AppTest]
) -> None:
    page = open_results(people.reviewer)
    # Plus: sample 0 is cut off and not scored; of 7, the three other + are right: 3 / 7. always-plus: 4 / 8
    assert cells(page) == {"Plus": ["42.9%"], "always-plus": ["50.0%"]}
    words = texts(page)
    assert "Accuracy **42.9%** [95%:" in words and "8 asked = 7 scored" in words
    assert table(page, 1) == [{"Answered": "6", "Truncated": "1", "Unparsable": "1"}]
    names = [button.label for button in page.get("download_button")]  # type: ignore[attr-defined]
    assert names == ["CSV (all values)", "LaTeX (booktabs)", "LaTeX with intervals", *CHARTS, "Report (ZIP)"]
    choose(page, "results.says", "counts")
    assert cells(page) == {"Plus": ["7 of 8"], "always-plus": ["8 of 8"]}
    drawn(page.selectbox(key="results.part.main").set_value(1))
    choose(page, "results.says", "value")
    # F1 of +: precision 3 of the 6 that said +, recall 3 of 3: 2/3; other signs 0; over four: 1/6
    assert cells(page)["Plus"] == ["0.167"]
    assert (page.query_params["part"], "says" in page.query_params) == ("1", False)


def test_the_samples_that_every_model_answered_are_chosen_where_models_answered_others(
    asked: SimpleNamespace, people: SimpleNamespace, open_results: Callable[..., AppTest]
) -> None:
    page = open_results(people.reviewer)
    assert "7 of 8 have one of every model" in texts(page)
    choose(page, "results.samples", "same")
    # without sample 0, a +, which is cut off, always-plus is right in 3 of 7
    assert cells(page) == {"Plus": ["42.9%"], "always-plus": ["42.9%"]}
    assert "7 of 8 samples, which every model has an answer for" in texts(page)
    assert cells(open_results(people.reviewer, samples="same"))["always-plus"] == ["42.9%"]


def test_flagged_samples_are_left_out_at_one_click_and_are_columns_by_their_reasons(
    asked: SimpleNamespace, people: SimpleNamespace, open_results: Callable[..., AppTest]
) -> None:
    assert "results.flagged" not in {each.key for each in open_results(people.reviewer).button_group}
    lines = failures.failures(people.reviewer, FailureFilters(models=("Plus",))).lines
    by_cause = {line.summary.title.split(" →")[0]: line.item_id for line in lines}
    for cause, reasons in (
        ("Cause 2", (FlagReason.LABEL_WRONG, FlagReason.AMBIGUOUS)),
        ("Cause 3", (FlagReason.AMBIGUOUS,)),
    ):
        sample_flags.flag(people.reviewer, by_cause[cause], reasons, seen=0, **act())
    page = open_results(people.reviewer)
    assert cells(page) == {"Plus": ["42.9%"], "always-plus": ["50.0%"]}
    choose(page, "results.flagged", "out")
    # sample 2, a None, and 3, a +, are left out: Plus is right in 2 of 5, always-plus in 3 of 6
    assert cells(page) == {"Plus": ["40.0%"], "always-plus": ["50.0%"]}
    assert "6 of 8 samples, which nobody flagged as bad" in texts(page)
    link = {"flagged": "out", "by": "fact.flag"}
    assert cells(open_results(people.reviewer, **link))["Plus"] == ["40.0%"]
    sample_flags.flag(people.reviewer, by_cause["Cause 3"], (), seen=1, **act())
    page = open_results(people.reviewer, by="fact.flag")
    heads = list(page.dataframe[0].value.columns)
    assert [head for head in heads if head in ("label wrong", "ambiguous", "no flag")] == [
        "ambiguous",
        "label wrong",
        "no flag",
    ]


def test_items_that_were_asked_again_are_counted_and_scored_by_their_first_replies_at_one_click(
    asked: SimpleNamespace,
    sqlite_study: Study,
    people: SimpleNamespace,
    server: RunningServer,
    open_results: Callable[..., AppTest],
) -> None:
    assert not any("Items asked again" in each.label for each in open_results(people.reviewer).get("button_group"))
    server.play({"rules": [{"sign": "-"}]})
    seen = reading.progress(people.researcher, asked.run).version
    acts.retry_unparsable(people.researcher, asked.run, seen=seen, **act())
    work(sqlite_study.store)
    page = open_results(people.reviewer)
    # Sample 1 is a −: 4 of 7 are right now.
    assert cells(page)["Plus"] == ["57.1%"]
    assert "8 asked = 7 scored" in texts(page) and ", 1 asked again" in texts(page)
    assert "1 item asked again after a reply that could not be read (Plus 1); the latest reply counts" in texts(page)
    choose(page, "results.replies", "first")
    assert cells(page)["Plus"] == ["42.9%"]
    assert "by first replies" in texts(page) and param(page, "replies") == "first"
    linked = open_results(people.reviewer, replies="first")
    assert cells(linked)["Plus"] == ["42.9%"]
    shown = opened(draw_failures, people.reviewer, item=_unread(people.reviewer, asked.run))
    assert any(each.label.startswith("Earlier reply 1") for each in shown.expander)


def _unread(viewer: Viewer, run_id: str) -> str:
    """The item that was asked again."""
    lines = failures.failures(viewer, FailureFilters(runs=(run_id,), models=("Plus",)), limit=20).lines
    return next(line.item_id for line in lines if failures.item(viewer, line.item_id).earlier)


def test_a_cell_opens_its_answers_and_from_one_the_next(
    asked: SimpleNamespace, people: SimpleNamespace, open_results: Callable[..., AppTest]
) -> None:
    page = open_results(people.reviewer, table="sign")
    choose_place(page, "results.cell", 1, 2)
    assert "Model: always-plus · Task and true sign: Task 1 · −" in texts(page)
    assert "Accuracy **0.0%**" in texts(page)
    behind = table(page, 1)
    assert [(each["Sample"], each["Result"]) for each in behind] == [
        ("Cause 1 → Effect 1", "wrong"),
        ("Cause 5 → Effect 5", "wrong"),
    ]
    choose_row(page, "results.page", 0)
    assert "Cause 1 → Effect 1" in texts(page) and "1 of 2" in texts(page)
    link = {name: page.query_params[name] for name in page.query_params}
    press(page, "Next")
    assert "Cause 5 → Effect 5" in texts(page)
    again = open_results(people.reviewer, **link)
    assert "Cause 1 → Effect 1" in texts(again) and "1 of 2" in texts(again), "the link restores it"
    press(again, "Back to table")
    assert "Model: always-plus · Task and true sign: Task 1 · −" in texts(again), "at the same cell"


def test_what_is_undefined_says_why(
    asked: SimpleNamespace, people: SimpleNamespace, open_results: Callable[..., AppTest]
) -> None:
    page = open_results(people.reviewer, table="sign", column="3")
    assert cells(page)["Plus"][-1] == "–"
    assert "– means undefined." in texts(page) and "there are no items" in texts(page)


def test_every_table_is_drawn_as_wide_as_its_longest_cell_and_explained_or_says_what_would_fill_it(
    asked: SimpleNamespace, people: SimpleNamespace, open_results: Callable[..., AppTest]
) -> None:
    empty = {"unknown": "allows the answer “unknown”", "mismatch": "of these runs shows examples"}
    assert set(empty) < set(PRESETS)
    for preset in PRESETS:
        page = open_results(people.reviewer, table=preset, says="interval")
        words = texts(page)
        assert bool(page.dataframe) == (preset not in empty), preset
        if preset in empty:
            assert empty[preset] in words
            continue
        assert "bootstrap over papers" in words and PRESETS[preset].told in words, preset
        if preset == "confusion":  # whose rows and columns are both signs
            assert "**Confusion matrix: " in words
            assert page.dataframe[0].value.columns[0] == "True sign ↓ predicted sign →"
        if preset == "classes":
            assert "Precision of the sign −" in next(box for box in page.selectbox if box.label == "Table").options
        if preset in ("main", "jel", "sign"):
            is_as_wide_as_its_longest_cell(page)


def is_as_wide_as_its_longest_cell(page: AppTest) -> None:
    config = json.loads(page.dataframe[0].proto.columns)
    shown = page.dataframe[0].value
    for column in shown.columns[1:]:
        longest = max(map(len, [column, *shown[column]]))
        assert config[column]["width"] >= 6 * longest + 16, "a cell at the right that is too narrow loses its value"
    assert "[" in shown.to_string() and config[shown.columns[0]]["pinned"]


def test_calibration_is_drawn_as_a_diagram_with_its_bins(
    asked: SimpleNamespace, people: SimpleNamespace, open_results: Callable[..., AppTest]
) -> None:
    page = open_results(people.reviewer, table="calibration")
    # Sample 1 gives no log-probabilities of a label. Six are 0.9 sure of +, and 3 of them are right: |3/6 − 0.9|
    assert cells(page)["Plus"][-1] == "0.400"
    assert "6 items with log-probabilities, all domains; 1 without" in texts(page)
    bins = next(frame for frame in page.dataframe if "Confidence" in frame.value).value
    assert bins[bins["Confidence"] == "0.8–0.9"].to_dict("records") == [
        {"Confidence": "0.8–0.9", "Items": "6", "Accuracy": "0.500", "Mean confidence": "0.900"}
    ]
    choose_place(page, "results.cell", 1, 1)
    assert "returned no log-probabilities" in texts(page)


def test_several_runs_stand_in_one_table_and_in_the_link(
    asked: SimpleNamespace,
    sqlite_study: Study,
    people: SimpleNamespace,
    open_results: Callable[..., AppTest],
) -> None:
    second = done(sqlite_study, people.researcher, triplets(people.researcher, 4, context="Elsewhere."), title="Later")
    page = open_results(people.reviewer, run=["1", "2"])
    assert set(cells(page)) == {"Plus", "always-plus (run 1)", "always-plus (run 2)"}
    assert set(page.query_params["run"]) == {asked.run, second}
    drawn(page.multiselect[0].set_value([]))
    assert "Choose at least one run." in texts(page)


def test_a_run_that_has_only_begun_has_a_table_of_what_is_missing(
    sqlite_study: Study, people: SimpleNamespace, open_results: Callable[..., AppTest]
) -> None:
    start(people.researcher, triplets(people.researcher))
    page = open_results(people.reviewer)
    assert cells(page) == {"always-plus": ["–"]}
    assert "8 asked = 0 scored" in texts(page) and "no item is scored" in texts(page).lower()


def test_the_screen_opens_on_the_newest_finished_run_with_a_scored_answer(
    asked: SimpleNamespace,
    sqlite_study: Study,
    people: SimpleNamespace,
    server: RunningServer,
    open_results: Callable[..., AppTest],
) -> None:
    server.play({"rules": [{"sign": "+", "finish_reason": "length"}]})
    source = triplets(people.researcher, 2, context="Elsewhere.")
    done(sqlite_study, people.researcher, source, title="Cut off", models=("Plus",), baselines=())
    start(people.researcher, source, title="Waiting")
    page = open_results(people.reviewer)
    assert page.query_params["run"] == asked.run
    assert set(cells(page)) == {"Plus", "always-plus"}


def test_a_broken_link_opens_the_screen_as_it_begins(
    asked: SimpleNamespace, people: SimpleNamespace, open_results: Callable[..., AppTest]
) -> None:
    for link in (
        {"table": "none"},
        {"part": "99", "line": "x", "column": "99"},
        {"run": "gone", "item": "", "says": "?"},
    ):
        page = open_results(people.reviewer, **link)
        assert not page.error
        assert cells(page)["Plus"] == ["42.9%"]


@pytest.fixture
def of_all_tasks(sqlite_study: Study, people: SimpleNamespace, request: pytest.FixtureRequest) -> None:
    """Sixty rows of tasks 1, 2 and 3, task 1 also with `unknown`, answered by one baseline."""

    def make() -> None:
        brought = tuple(bring_in(people.researcher, rows) for rows in sixty_files().values())
        wanted = RunConfig(
            title="Sixty",
            source=SampleSource(brought),
            tasks=("task1", "task2", "task3"),
            variants=("context", "unknown"),
            baselines=("always-plus",),
        )
        planning.start(people.researcher, wanted, **act())
        work(sqlite_study.store)

    laid_once(request, sqlite_study, make, people)


def pills(page: AppTest, key: str) -> list[str]:
    (group,) = [each for each in page.button_group if each.key == key]
    return list(group.value)


@pytest.mark.usefixtures("of_all_tasks")
def test_a_table_is_of_the_papers_slice_until_another_is_chosen_and_the_link_keeps_it(
    people: SimpleNamespace, open_results: Callable[..., AppTest]
) -> None:
    page = open_results(people.reviewer, table="jel")
    assert "**Accuracy**: **25.0%** (G) to **58.3%** (numeric) · Task 1, with context · 36 samples" in texts(page)
    assert pills(page, "results.task.jel") == ["task1"] and pills(page, "results.variant.jel") == ["context"]
    assert not {"task", "variant"} & set(page.query_params)
    choose(page, "results.task.jel", ["task1", "task3"])
    assert " · Tasks 1 and 3, with context, pooled · 48 samples" in texts(page)
    assert page.query_params["task"] == ["task1", "task3"]
    again = open_results(people.reviewer, **{name: page.query_params[name] for name in page.query_params})
    assert "Tasks 1 and 3, with context, pooled · 48 samples" in texts(again)
    choose(again, "results.preset", "main")
    assert " · Tasks 1, 2 and 3, with context · 60 samples" in texts(again)
    assert "task" not in again.query_params
    choose(again, "results.variant.main", [])
    assert pills(again, "results.variant.main") == ["context"], "of nothing there is no table"
    choose(again, "results.task.main", ["task2"])
    choose(again, "results.variant.main", ["unknown"])
    assert "Choose others above" in texts(again)


def test_a_fact_of_the_samples_fills_the_columns_and_is_part_of_the_link(
    asked: SimpleNamespace, people: SimpleNamespace, open_results: Callable[..., AppTest]
) -> None:
    page = open_results(people.reviewer)
    assert page.selectbox(key="results.by").options[:2] == ["Nothing", "Collection"]
    drawn(page.selectbox(key="results.by").set_value("fact.year"))
    # Of 2001 only sample 1 is scored and cannot be read; of every other year one of two true signs is a +.
    assert list(table(page)[0])[1:] == ["2001", "2002", "2003", "2004"]
    assert cells(page) == {"Plus": ["0.0%", "50.0%", "50.0%", "50.0%"], "always-plus": ["50.0%"] * 4}
    choose(page, "results.cut", "quartiles")
    assert list(table(page)[0])[1:] == ["≤ 2001.75", "> 2001.75 to 2002.5", "> 2002.5 to 2003.25", "> 2003.25"]
    assert "samples of these runs by year: ≤ 2001.75: 2" in texts(page)
    link = {name: param(page, name) for name in ("by", "cut")}
    assert link == {"by": "fact.year", "cut": "quartiles"}
    assert cells(open_results(people.reviewer, **link)) == cells(page)
    drawn(page.selectbox(key="results.by").set_value("fact.title"))
    assert "is no number. Slice by" in texts(page)
    assert not open_results(people.reviewer, table="confusion").selectbox(key="results.part.confusion").disabled
    assert "results.by" not in [box.key for box in open_results(people.reviewer, table="confusion").selectbox]


def test_failed_answers_are_counted_as_0_at_one_click_and_the_heading_says_so(
    asked: SimpleNamespace, people: SimpleNamespace, open_results: Callable[..., AppTest]
) -> None:
    page = open_results(people.reviewer)
    choose(page, "results.failures.left-out", Failures.ZERO)
    assert cells(page)["Plus"] == ["37.5%"]  # the sample that was cut off is wrong: 3 of 8
    assert "refused, truncated and failed answers count as 0" in texts(page)
    assert param(page, "failures") == "zero"
    assert cells(open_results(people.reviewer, failures="zero")) == cells(page)


@pytest.mark.usefixtures("of_all_tasks")
def test_the_answers_behind_a_cell_are_those_of_its_slice_and_an_unknown_slice_opens_the_tables_own(
    people: SimpleNamespace, open_results: Callable[..., AppTest]
) -> None:
    page = open_results(people.reviewer, table="jel", task=["task2", "task3"])
    total = texts(page).split("Items in this cell: ")[1].split("**")[0]
    choose_row(page, "results.page", 0)
    assert f"1 of {total}" in texts(page), "the neighbours are those of the cell"
    page = open_results(people.reviewer, table="year", task="task9", variant="x")
    assert not page.error
    assert "Task 1, with context · 36 samples" in texts(page)


def test_variants_are_said_in_words() -> None:
    words = [variant_words(name) for name in ("context", "no-context", "unknown", "unknown-no-context", "as-released")]
    assert words == [
        "with context",
        "without context",
        "unknown allowed",
        "unknown allowed, without context",
        "as released",
    ]


OF_QUERIES = RunConfig(
    title="Queries",
    protocol="causalgraph2llm",
    source=SampleSource(),
    tasks=("mediator",),
    variants=("graph", "node"),
    baselines=("always-no", "null"),
    options={"graphs": "cancer", "per_cell": 2},
)


def test_a_table_opens_on_its_first_cell_with_a_value(sqlite_study: Study, people: SimpleNamespace) -> None:
    run_id = planning.start(people.researcher, OF_QUERIES, **act()).subject_id
    finished(sqlite_study, people.researcher, run_id)
    page = opened(draw_results, people.researcher, run=run_id)
    assert "always-no" in cells(page)
    assert "**Model: null · " in texts(page), "always-no answers no list"
    assert "F1" in page.dataframe[-1].value.columns and "Score" not in page.dataframe[-1].value.columns
    choose_place(page, "results.cell", 0, 1)
    assert "**Model: always-no · " in texts(page)
    assert param(page, "line") == "0", "the first line is not where the table opens"


def test_runs_are_chosen_by_protocol_and_tables_without_a_scored_answer_are_left_out(
    asked: SimpleNamespace, sqlite_study: Study, people: SimpleNamespace, open_results: Callable[..., AppTest]
) -> None:
    queries = planning.start(people.researcher, OF_QUERIES, **act()).subject_id
    finished(sqlite_study, people.researcher, queries)
    page = open_results(people.reviewer)
    (protocol,) = [each for each in page.selectbox if each.label == "Protocol"]
    assert len(protocol.options) == 2
    assert page.query_params["run"] == queries, "the newest run with a scored answer"
    page = drawn(protocol.set_value("econcausal"))
    assert page.query_params["run"] == asked.run
    (tables,) = [each for each in page.button_group if each.key == "results.preset"]
    views = results.presets_of(people.reviewer, [asked.run])
    assert list(tables.options) == [view.title for view in views if view.is_filled]
    assert len(tables.options) < len(views)
    # A link names a table that is empty, or runs of two protocols: the screen says so.
    empty = next(view for view in views if not view.is_filled)
    assert empty.nothing in texts(open_results(people.reviewer, run=asked.run, table=empty.key))
    both = open_results(people.reviewer, run=[asked.run, queries])
    assert "A table is of one protocol: run 2 left out." in texts(both)
    assert both.query_params["run"] == asked.run


def test_a_pair_opens_the_answers_of_both_sides_and_their_comparison(
    asked: SimpleNamespace, people: SimpleNamespace, open_results: Callable[..., AppTest]
) -> None:
    page = open_results(people.reviewer, table="paired", column="9")
    (row,) = cells(page)
    assert row == "Plus − always-plus"
    assert cells(page)[row][-1] == "7", "sample 0 is cut off for one of the sides"
    assert "**Samples in this cell: 7**" in texts(page)
    (questions,) = [rows for place in range(len(page.dataframe)) if "always-plus" in (rows := table(page, place))[0]]
    assert len(questions) == 7, "a line for each question"
    assert {line["Plus"].partition(" · ")[0] for line in questions} == {"+", "unparsable"}
    assert {line["always-plus"] for line in questions} == {"+ · right", "+ · wrong"}
    assert "Compare answers" in labels(page)
    (chart,) = page.get("vega_lite_chart")
    assert "Plus − always-plus" in chart.proto.alt
