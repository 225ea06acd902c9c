"""The sheet of a graph from a text: the worst first in the list, names marked in the text, both graphs, two answers."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.runs.filters import FailureFilters, ItemOrder
from exchange.recite import ReciteRow, write_default
from services.failures import failures
from services.graphs import lab, sample_tables
from services.runs.items import graph_items
from services.runs.views import FailureLine
from services.study import Study
from tests.pages.run_screens import done, draw_failures, labels, opened, press, texts, triplets
from tests.services.run_parts import act, finished, start
from tests.services.runs.narratives import wanted

TEXT = "Rain increases the harvest. Harvest leads to income.\n\n<b>Income</b> depends on trade; ![x](http://evil/x.png)"


@pytest.fixture
def run(sqlite_study: Study, people: SimpleNamespace) -> str:
    rows = [
        ReciteRow(
            id=number,
            title=f"Paper {number}",
            nodes=("Rain", "Harvest", "Income", "Trade"),
            edges=(("Rain", "Harvest"), ("Harvest", "Income"), ("Trade", "Income")),
            input_text=f"{TEXT}\n\nNumber {number}.",
        )
        for number in range(3)
    ]
    table = sample_tables.import_samples(
        people.researcher, "t.parquet", write_default(rows), with_faulty=False, **act()
    ).subject_id
    run_id = start(people.researcher, wanted(table, baselines=("random", "co-mention"), variants=("names",)))
    finished(sqlite_study, people.researcher, run_id)
    return run_id


def lines(viewer: object, run_id: str) -> tuple[FailureLine, ...]:
    return failures.failures(viewer, FailureFilters(runs=(run_id,), order=ItemOrder.LOWEST), limit=60).lines  # type: ignore[arg-type]


def test_the_lowest_score_comes_first_and_has_its_column(run: str, people: SimpleNamespace) -> None:
    scores = [line.score for line in lines(people.researcher, run)]
    assert scores == sorted(scores, key=lambda each: (each is None, each)) and len(scores) == 6
    shown = opened(draw_failures, people.researcher, run=run, only="all", order="lowest")
    assert shown.dataframe[0].value["Edge F1"].tolist() == [f"{each:.3f}" for each in scores]


def test_a_run_of_graphs_opens_on_all_with_the_lowest_score_first(run: str, people: SimpleNamespace) -> None:
    """None of its answers is right or wrong, so that *Wrong* would be empty."""
    for link in ({"run": run}, {}):
        shown = opened(draw_failures, people.researcher, **link)
        scores = [line.score for line in lines(people.researcher, run)]
        assert shown.dataframe[0].value["Edge F1"].tolist() == [f"{each:.3f}" for each in scores]
        assert [button.label for button in shown.button if button.label == "Clear filters"] == (
            ["Clear filters"] if link else []
        )
    assert "No item matches" in texts(opened(draw_failures, people.researcher, run=run, only="wrong"))
    in_order = opened(draw_failures, people.researcher, run=run, only="all")
    assert in_order.selectbox(key="failures.order").value is ItemOrder.RUN


def test_beside_runs_of_labels_wrong_answers_come_first(sqlite_study: Study, run: str, people: SimpleNamespace) -> None:
    done(sqlite_study, people.researcher, triplets(people.researcher), baselines=("always-plus",))
    shown = opened(draw_failures, people.researcher)
    assert "Edge F1" not in shown.dataframe[0].value.columns
    assert "wrong" in shown.dataframe[0].value["Result"].tolist()


def test_an_item_shows_its_text_with_names_marked_both_graphs_and_its_scores(run: str, people: SimpleNamespace) -> None:
    line = next(each for each in lines(people.researcher, run) if each.model == "co-mention")
    shown = opened(draw_failures, people.researcher, item=line.item_id, only="all")
    said = texts(shown)
    assert ":blue-background[Rain] increases the :blue-background[harvest]." in said
    raw = "\n".join(each.value for each in shown.markdown)
    assert "Number" in raw and "<b>" not in raw and "![x](" not in raw
    sheet = shown.dataframe[0].value
    assert sheet["F1"].tolist()[0] == f"{line.score:.3f}"
    assert "SHD" in said and "Names are equal after folding" not in said and "cannot be aligned" not in said
    searched = shown.text_input(key="failures.text.words").set_value("depends").run()
    assert "1 passage of the text" in texts(searched)


def test_two_answers_stand_on_one_layout_and_one_is_opened_in_the_graph_lab(run: str, people: SimpleNamespace) -> None:
    first, second = (
        next(each for each in lines(people.researcher, run) if (each.model, each.key) == (model, "1"))
        for model in ("random", "co-mention")
    )
    shown = opened(draw_failures, people.researcher, item=first.item_id, only="all", **{"with": second.item_id})
    assert shown.dataframe[0].value["Model"].tolist() == ["random", "random", "co-mention", "co-mention"]
    before = len(lab.list_graphs(people.researcher).lines)
    press(shown, "Open graph")
    assert len(lab.list_graphs(people.researcher).lines) == before + 1


def test_names_of_an_imported_row_cannot_be_aligned_and_the_sheet_says_why(
    sqlite_study: Study, run: str, people: SimpleNamespace
) -> None:
    table = sample_tables.sample_tables(people.researcher)[0].id
    other = start(people.researcher, wanted(table, baselines=("random",), variants=("standard",)))
    finished(sqlite_study, people.researcher, other)
    item = lines(people.researcher, other)[0].item_id
    lab_graphs = graph_items.in_lab(people.researcher, item)
    assert (lab_graphs.truth, lab_graphs.no_truth) == (None, graph_items.OF_TABLE)
    shown = opened(draw_failures, people.researcher, item=item, only="all")
    assert lab_graphs.no_truth in texts(shown)
    press(shown, "Open graph")
    assert "Align names" not in labels(shown)
