"""The Failures screen: filters in the link, one answer whole, two models side by side, hostile text as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
from sqlalchemy import text
from streamlit.testing.v1 import AppTest

from benchmarks.running_server import RunningServer, running_server
from components.widgets.cells import width_of
from core.runs.filters import FailureFilters, Side
from pages.failures.neighbours import side_of
from pages.failures.parts import columns_of
from services.failures import failures
from services.runs import acts, reading
from services.study import Study
from tests.pages.run_screens import (
    choose,
    done,
    draw_failures,
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
from tests.pages.screen import choose_row
from tests.services.scoring_parts import act
from tests.shared_fixture import laid_once

HOSTILE = "![x](http://evil.example/x.png) <script>alert(1)</script> **bold** :material/home: $x$"


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def open_failures() -> Callable[..., AppTest]:
    return lambda viewer, **link: opened(draw_failures, viewer, **link)


@pytest.fixture
def compared(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer, request: pytest.FixtureRequest
) -> SimpleNamespace:
    """One run: eight samples of `Plus`, which always says +, and `Mended`, which says − in broken JSON, but for one
    sample that fails and one that it answers with prose."""
    server.play(
        {
            "rules": [
                {"model": "mended", "matches": "Setting number 6", "fault": "bad_request"},
                {"model": "mended", "matches": "Setting number 7", "answer": HOSTILE},
                {
                    "model": "mended",
                    "answer": '```json\n{"predicted_sign": "-", "reasoning": "It falls.",}\n```',
                    "reasoning": "Let me think.",
                },
            ]
        }
    )

    def make() -> SimpleNamespace:
        models(people.owner, server, Plus="scripted:plus", Mended="mended")
        run = done(sqlite_study, people.researcher, triplets(people.researcher), models=("Plus", "Mended"))
        return SimpleNamespace(run=run)

    return laid_once(request, sqlite_study, make, people)


def item_of(viewer, model: str, treatment: str) -> str:  # type: ignore[no-untyped-def]
    page = failures.failures(viewer, FailureFilters(models=(model,)))
    return next(line.item_id for line in page.lines if line.summary.title.startswith(f"{treatment} →"))


def test_without_a_run_the_screen_says_what_fills_it(
    sqlite_study: Study, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    page = open_failures(people.researcher)
    assert "No run yet." in texts(page)
    assert labels(page) == ["New run"]
    assert not labels(open_failures(people.reviewer))
    assert "does not allow this" in texts(open_failures(people.expert))


def test_what_is_wrong_stands_first_and_every_answer_can_be_listed(
    compared: SimpleNamespace, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    page = open_failures(people.reviewer)
    # Plus and always-plus: 4 of 8 wrong each; Mended: 5 of 6 that it answered (two of 8 are −), and one unparsable
    assert "**9 items** are wrong: 8 answered, 1 unparsable." in texts(page)
    assert next(iter(page.toggle)).label == "Baselines (4 hidden)"
    drawn(next(iter(page.toggle)).set_value(True))
    assert "**13 items** are wrong: 12 answered, 1 unparsable." in texts(page) and page.query_params["baselines"] == "1"
    assert {row["Result"] for row in table(page)} == {"wrong"}
    choose(page, "failures.filter.only", "all")
    assert "**24 items** match: 22 answered, 1 unparsable, 1 failed." in texts(page)
    assert page.query_params["only"] == "all"


def test_a_long_name_of_a_model_is_not_cut() -> None:
    name = "meta-llama/llama-3.3-70b-instruct (no reasoning)"
    lines = [SimpleNamespace(score=None, score_words="Score", model=each) for each in ("Plus", name)]
    assert columns_of(lines)["Model"]["width"] == width_of("Model", [name]) > 300  # type: ignore[arg-type]


def test_filters_stand_in_the_link_and_the_link_restores_them(
    compared: SimpleNamespace, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    page = open_failures(people.reviewer, only="all")
    drawn(next(box for box in page.multiselect if box.label == "Models").set_value(["Mended"]))
    drawn(next(box for box in page.multiselect if box.label == "Status").set_value(["unparsable", "failed"]))
    drawn(next(box for box in page.text_input if box.label == "Search").set_value("cause"))
    assert [row["Predicted"] for row in table(page)] == ["failed", "unparsable"]
    link = {name: page.query_params[name] for name in page.query_params}
    assert link == {"only": "all", "model": "Mended", "status": ["unparsable", "failed"], "search": "cause"}
    again = open_failures(people.reviewer, **link)
    assert table(again) == table(page)
    drawn(next(box for box in again.text_input if box.label == "In replies").set_value("no reply has these words"))
    assert again.query_params["reply"] == "no reply has these words" and not again.dataframe
    press(again, "Clear filters")
    assert dict(again.query_params) == {}
    assert "9 items" in texts(again)


def test_opened_by_the_menu_the_list_has_no_filter_of_what_was_shown_before(
    compared: SimpleNamespace, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    sides = {"a": f"{compared.run}:Plus", "b": f"{compared.run}:Mended"}
    page = open_failures(people.reviewer, show="compare", variant="context", search="cause", **sides)
    for name in list(page.query_params):
        del page.query_params[name]
    drawn(page)
    assert "**9 items** are wrong" in texts(page)
    assert dict(page.query_params) == {}
    drawn(next(box for box in page.multiselect if box.label == "Models").set_value(["Mended"]))
    assert page.query_params["model"] == "Mended", "a first choice on the page must not count as opening it by the menu"


def test_every_filter_that_is_on_is_counted_also_without_the_link(
    compared: SimpleNamespace, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    page = open_failures(people.reviewer, only="all")
    drawn(next(box for box in page.multiselect if box.label == "Status").set_value(["failed"]))
    del page.query_params["status"]
    drawn(page)
    assert page.query_params["status"] == ["failed"] or page.query_params["status"] == "failed"
    assert "More filters (1)" in popovers(page)


def popovers(page: AppTest) -> list[str]:
    return [block.proto.popover.label for block in page.get("popover")]


def test_a_broken_link_opens_the_list_as_it_begins_and_an_item_that_is_not_there_leads_back(
    compared: SimpleNamespace, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    for link in (
        {"only": "none", "page": "x"},
        {"model": "nobody", "years": "20-x"},
        {"show": "compare", "a": ":", "which": "?"},
    ):
        page = open_failures(people.reviewer, **link)
        assert not page.error
        assert page.dataframe
    page = open_failures(people.reviewer, item="gone")
    assert "No run of this study has this item." in texts(page)
    assert labels(page) == ["Back to list"]


def test_years_letters_and_what_was_said_narrow_the_list(
    compared: SimpleNamespace, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    page = open_failures(people.reviewer, only="all", model="Plus", years="2002-2003")
    assert [row["Sample"] for row in table(page)] == [f"Cause {n} → Effect {n}" for n in range(2, 6)]
    (search,) = [box for box in page.text_input if box.label == "Search"]
    assert search.placeholder == "Treatment, outcome, paper"  # of this protocol alone
    page = open_failures(people.reviewer, only="all", model="Plus", jel="H", run="1")
    assert page.query_params["run"] in (compared.run, [compared.run])
    assert {row["Sample"] for row in table(page)} == {"Cause 0 → Effect 0", "Cause 1 → Effect 1"}
    page = open_failures(people.reviewer, only="all", model="Mended", expected="-", predicted="-")
    assert [(row["True"], row["Predicted"], row["Result"]) for row in table(page)] == [("−", "−", "right")] * 2


def test_an_answer_opens_whole_with_the_exchange_and_how_it_was_read(
    compared: SimpleNamespace, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    page = open_failures(people.reviewer, model="Mended")
    choose_row(page, "failures.list", 0)
    said = texts(page)
    assert "Cause 0 → Effect 0" in said
    assert page.subheader[0].value == "What sign does the effect of “Cause 0” on “Effect 0” have\\?"
    assert ":green-badge[:material/check: + (increases)]" in said, "the right answer"
    assert ":red-badge[:material/close: − (decreases) · wrong]" in said, "the difference in colour, sign and word"
    assert "wrong · Mended · task 1, with context · run 1" in said
    assert "Setting number 0." in said and "Let me think." in said
    assert '{"predicted_sign": "-", "reasoning": "It falls.",}' in said, "the answer as it came"
    assert any(each.label.startswith("Parsed") for each in page.expander)
    assert "tokens in" in said and "finish reason: stop" in said
    assert [row["Predicted"] for row in table(page)] == ["+", "+"], "what the others said of it"
    assert page.query_params["at"] == "0"


def test_the_link_of_an_answer_shows_a_colleague_what_their_own_role_allows(
    compared: SimpleNamespace, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    item_id = item_of(people.researcher, "Plus", "Cause 1")
    page = open_failures(people.researcher, model="Plus", item=item_id, at="0")
    assert page.get("bidi_component")[0].proto.component_name == "edgewise_copy_link"
    link = {name: page.query_params[name] for name in page.query_params}
    assert "Cause 1 → Effect 1" in texts(open_failures(people.reviewer, **link))
    for colleague in (people.annotator, people.expert):
        shown = open_failures(colleague, **link)
        assert "does not allow this" in texts(shown) and "Cause 1" not in texts(shown)


def test_from_one_answer_to_the_next_through_the_filtered_list(
    compared: SimpleNamespace, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    first = item_of(people.reviewer, "Plus", "Cause 1")
    page = open_failures(people.reviewer, model="Plus", item=first, at="0")
    assert "1 of 4" in texts(page)
    assert next(button for button in page.button if button.label == "Previous").disabled
    press(page, "Next")
    assert "Cause 2 → Effect 2" in texts(page) and "2 of 4" in texts(page)
    again = open_failures(people.reviewer, **{name: page.query_params[name] for name in page.query_params})
    assert "2 of 4" in texts(again), "the link restores it"
    press(page, "Previous")
    assert "Cause 1 → Effect 1" in texts(page)
    press(page, "Back to list")
    assert "item" not in page.query_params and page.query_params["model"] == "Plus"


def test_hostile_answers_are_only_ever_text(
    compared: SimpleNamespace, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    item = item_of(people.reviewer, "Mended", "Cause 7")
    page = open_failures(people.reviewer, item=item)
    assert HOSTILE in [code.value for code in page.code], "as it came, in a place that draws nothing of it"
    drawn_as_markup = "\n".join(str(each.value) for each in [*page.markdown, *page.caption, *page.subheader])
    assert "![x](" not in drawn_as_markup and "<script>" not in drawn_as_markup
    assert not page.get("html")


def test_hostile_samples_are_only_ever_text(
    sqlite_study: Study, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    done(sqlite_study, people.researcher, triplets(people.researcher, 2, treatment=HOSTILE))
    page = open_failures(people.reviewer, only="all")
    assert table(page)[0]["Sample"].startswith(f"{HOSTILE} → ")
    choose_row(page, "failures.list", 0)
    drawn_as_markup = "\n".join(str(each.value) for each in [*page.markdown, *page.caption, *page.subheader])
    assert "![x](" not in drawn_as_markup and "<script>" not in drawn_as_markup
    assert "Baseline: it answers from the sample, without a request." in texts(page)


def test_a_link_puts_first_what_fewest_had_right(
    compared: SimpleNamespace, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    page = open_failures(people.reviewer, only="all", order="hardest")
    counts = [row["Answered correctly"] for row in table(page)]
    assert counts[0].startswith("0 of ") and counts != sorted(counts, reverse=True)
    drawn(next(box for box in page.selectbox if box.label == "Order").select_index(0))
    assert "Answered correctly" not in table(page)[0] and "order" not in page.query_params


def test_two_models_side_by_side_and_where_one_is_right_in_one_click(
    compared: SimpleNamespace, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    page = open_failures(people.reviewer, show="compare")
    # true: + − None + + − None + ; Plus: right on the four +; Mended (−): right on the two −, sample 6 failed,
    # sample 7 (true +) is no label and so wrong
    assert "Of 8 shared samples, only A (Plus) is right on **4** and only B (Mended) on **2**." in texts(page)
    assert "| **A right** | 0 | 4 |\n| **A wrong** | 2 | 1 |" in texts(page)
    assert "1 of 8 shared samples not scored for A, B or both" in texts(page)
    assert [(row["True"], row["A predicted"], row["B predicted"]) for row in table(page)] == [
        ("+", "+", "−"),
        ("+", "+", "−"),
        ("+", "+", "−"),
        ("+", "+", "unparsable"),
    ]
    choose(page, "failures.which", "second")
    assert [row["True"] for row in table(page)] == ["−", "−"]
    assert page.query_params["which"] == "second"
    choose(page, "failures.which", "differ")
    assert "Different answers 7" in next(each for each in page.button_group if each.key == "failures.which").options
    assert len(table(page)) == 7, "all but the one without an answer: none is both right or wrong in one way"
    choose(page, "failures.which", "both_wrong")
    assert [row["True"] for row in table(page)] == ["None"]


def test_a_compared_sample_opens_with_both_answers_and_steps_on(
    compared: SimpleNamespace, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    page = open_failures(people.reviewer, show="compare", which="second")
    choose_row(page, "failures.compared", 0)
    said = texts(page)
    assert "Answer of Plus" in said and "Reply of Mended" in said and "1 of 2" in said
    press(page, "Next")
    assert "2 of 2" in texts(page) and "Reply of Mended" in texts(page)
    press(page, "Back to list")
    assert page.query_params["show"] == "compare" and page.query_params["which"] == "second"


def test_sides_are_swapped_and_the_same_side_twice_is_no_comparison(
    compared: SimpleNamespace, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    page = open_failures(people.reviewer, show="compare")
    first = page.query_params["a"]
    press(page, "Swap sides")
    assert page.query_params["b"] == first
    assert "| **A right** | 0 | 2 |" in texts(page)
    drawn(next(box for box in page.selectbox if box.label == "A").set_value(first))
    assert "Both sides are the same." in texts(page)


def test_two_times_that_a_model_was_asked_are_compared(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer, open_failures: Callable[..., AppTest]
) -> None:
    server.play({})
    models(people.owner, server, Plus="scripted:plus")
    rows = triplets(people.researcher, published_venue="A newsletter")
    run = done(sqlite_study, people.researcher, rows, models=("Plus",), repeats=2)
    page = open_failures(people.reviewer, show="compare", a=f"{run}:Plus", b=f"{run}@2:Plus", which="both_right")
    assert [box.value for box in page.selectbox[:2]] == [f"{run}:Plus", f"{run}@2:Plus"]
    assert "| **A right** | 4 | 0 |\n| **A wrong** | 0 | 4 |" in texts(page)
    columns = ["Open", "True", "A predicted", "B predicted", "Sample", "Task", "Year", "JEL letters"]
    assert list(table(page)[0]) == columns, "no sample has a domain"
    assert any("Plus · run 1, repeat 2" in option for option in page.selectbox[1].options)


def test_a_side_is_a_model_and_the_time_it_was_asked_and_anything_else_is_none() -> None:
    for told in ("", ":", "r", "r:", ":m", "r@:m", "r@0:m", "r@x:m", "@2:m", "r@1234:m"):
        assert side_of(told) is None
    assert side_of("r:lab:m@1") == Side("r", "lab:m@1", 0)
    assert side_of("r@3:m") == Side("r", "m", 2)


def test_answers_that_are_never_right_or_wrong_are_compared_by_their_scores(
    compared: SimpleNamespace, sqlite_study: Study, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    score = "CASE status WHEN 'failed' THEN NULL ELSE (place % 3) * CASE model WHEN 'Plus' THEN 0.3 ELSE 0.2 END END"
    with sqlite_study.store.writing() as session:
        session.execute(
            text(
                f"UPDATE run_item SET is_right = NULL, predicted = NULL, score = (SELECT {score} FROM run_sample "
                "WHERE run_sample.id = run_item.sample_id)"
            )
        )
    page = open_failures(people.reviewer, show="compare")
    # places 0 to 7, modulo 3: 0 1 2 0 1 2 0 1; equal where 0, but the item at place 6 has failed; else Plus is higher
    assert "| **Score** | 5 | 2 | 0 |" in texts(page) and "A right" not in texts(page)
    assert "1 of 8 shared samples not scored for A, B or both" in texts(page)
    by_difference = [("0.600", "0.400")] * 2 + [("0.300", "0.200")] * 3
    assert [(row["Score of A"], row["Score of B"]) for row in table(page)] == by_difference
    assert "A predicted" not in table(page)[0]
    choose(page, "failures.which", "equal")
    assert [row["Score of A"] for row in table(page)] == ["0.000", "0.000"]
    choose(page, "failures.which", "unanswered")
    assert [row["B predicted"] for row in table(page)] == ["failed"]


def test_where_what_is_true_is_no_label_none_is_shown(
    compared: SimpleNamespace, sqlite_study: Study, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    with sqlite_study.store.writing() as session:
        session.execute(text("UPDATE run_sample SET answer = NULL"))
    page = open_failures(people.reviewer, model="Mended")
    assert not page.exception and "True" not in table(page)[0] and table(page)[0]["Predicted"] == "−"
    choose_row(page, "failures.list", 0)
    assert "Right answer" not in texts(page) and "− (decreases)" in texts(page)
    page = open_failures(people.reviewer, show="compare")
    assert not page.exception and table(page) and "True" not in table(page)[0]


def test_a_single_side_and_runs_of_other_samples_cannot_be_compared_and_an_archived_answer_still_opens(
    sqlite_study: Study, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    run = done(sqlite_study, people.researcher, triplets(people.researcher, 2))
    assert "there is one so far." in texts(open_failures(people.reviewer, show="compare"))
    assert "New run" in labels(open_failures(people.researcher, show="compare"))
    item = item_of(people.reviewer, "always-plus", "Cause 0")
    start(people.researcher, triplets(people.researcher, 2, context="Elsewhere."))
    assert "A and B share no sample." in texts(open_failures(people.reviewer, show="compare"))
    seen = reading.progress(people.researcher, run).version
    acts.archive(people.researcher, run, True, seen=seen, **act())
    assert "Cause 0 → Effect 0" in texts(open_failures(people.reviewer, item=item))


def test_a_long_list_goes_page_by_page_and_the_link_keeps_the_page(
    sqlite_study: Study, people: SimpleNamespace, open_failures: Callable[..., AppTest]
) -> None:
    done(sqlite_study, people.researcher, triplets(people.researcher, 60))
    page = open_failures(people.reviewer, only="all", page="2")
    assert [row["Sample"] for row in table(page)] == [f"Cause {n} → Effect {n}" for n in range(50, 60)]
    choose_row(page, "failures.list", 1)
    assert "52 of 60" in texts(page)
