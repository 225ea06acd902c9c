"""Samples of runs as lines: kinds, limits and order in the link, opened in their order, downloaded as shown."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.errors import BadInput, Missing
from core.runs.sample_filters import SampleFilter, SampleFilters
from services.results import samples
from services.results.samples import SampleForm
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
    table,
    texts,
    triplets,
)
from tests.pages.screen import choose_row
from tests.shared_fixture import laid_once

PLUS, MINUS = {"model": "plus", "answer": '{"predicted_sign": "+"}'}, '{"predicted_sign": "-"}'


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def signs_run(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer, request: pytest.FixtureRequest
) -> SimpleNamespace:
    """A run of eight triplets: `Plus` says +; `Minus` says −, but + about the second cause, whose label is −."""
    rule = {"model": "minus", "matches": "Setting number 1", "answer": '{"predicted_sign": "+"}'}
    server.play({"rules": [PLUS, rule, {"model": "minus", "answer": MINUS}]})

    def make() -> SimpleNamespace:
        models(people.owner, server, Plus="plus", Minus="minus")
        run = done(sqlite_study, people.researcher, triplets(people.researcher), models=("Plus", "Minus"))
        return SimpleNamespace(run=run)

    return laid_once(request, sqlite_study, make, people)


def test_kinds_count_samples_and_the_chosen_one_is_in_the_link(
    signs_run: SimpleNamespace, people: SimpleNamespace
) -> None:
    page = opened(draw_failures, people.reviewer, show="samples")
    assert "**8 samples** match." in texts(page)
    first = next(row for row in table(page) if row["Sample"].startswith("Cause 1 →"))
    assert (first["True"], first["Most common"], first["Right"], first["Agreement"]) == ("−", "+", "0%", "100%")
    assert first["Evidence"] == "2 of 2 models answered +; the label says −" and "Doubt" not in first
    choose(page, "failures.samples.kind", SampleFilter.FAILED)
    # both models are wrong about the two None and about cause 1
    assert "**3 samples** of 8 are answered wrong by every model." in texts(page)
    assert page.query_params["kind"] == "failed"
    again = opened(draw_failures, people.reviewer, **{name: page.query_params[name] for name in page.query_params})
    assert table(again) == table(page)


def test_limits_and_order_are_in_the_link_and_a_sample_opens_with_steps_through_the_list(
    signs_run: SimpleNamespace, people: SimpleNamespace
) -> None:
    page = opened(draw_failures, people.reviewer, show="samples", limit="right:to0.5", sorted="right-down")
    assert [row["Right"] for row in table(page)] == ["50%"] * 5 + ["0%"] * 3
    choose_row(page, "failures.samples.list.1", 5)
    assert "6 of 8" in texts(page)
    press(page, "Next")
    assert "7 of 8" in texts(page)
    assert table(opened(draw_failures, people.reviewer, show="samples", limit="nothing:1", sorted="nothing"))


def test_a_sample_is_flagged_by_a_key_on_its_answer_and_found_in_the_list(
    signs_run: SimpleNamespace, people: SimpleNamespace
) -> None:
    page = opened(draw_failures, people.reviewer, show="samples")
    choose_row(page, "failures.samples.list.1", 1)
    assert {each.label: each.proto.shortcut for each in page.button}["Answer leaks"] == "2"
    press(page, "Label wrong")
    press(page, "Ambiguous")
    (note,) = page.text_input
    drawn(note.set_value("The paper says −."))
    assert "Flagged by you" in texts(page)
    press(page, "Next")
    assert not page.text_input
    press(page, "Back to list")
    choose(page, "failures.samples.kind", SampleFilter.FLAGGED)
    assert "**1 sample** of 8 is flagged as bad." in texts(page)
    assert [row["Bad sample"] for row in table(page)] == ["Label wrong, ambiguous"]
    file = samples.export_samples(people.reviewer, [signs_run.run], SampleForm.CSV)
    rows = csv.DictReader(io.StringIO(file.content.decode("utf-8-sig")))
    assert [row["flag"] for row in rows if row["flag"]] == ['["label wrong", "ambiguous"]']
    choose_row(page, "failures.samples.list.1", 0)
    press(page, "Label wrong")
    press(page, "Ambiguous")
    assert "Flagged by you" not in texts(page)


def test_a_file_has_what_the_filters_let_through(signs_run: SimpleNamespace, people: SimpleNamespace) -> None:
    filters = SampleFilters(only=SampleFilter.SPLIT, order="sample", search="cause 4")
    file = samples.export_samples(people.researcher, [signs_run.run], SampleForm.CSV, filters)
    (row,) = csv.DictReader(io.StringIO(file.content.decode("utf-8-sig")))
    assert row["title"].startswith("Cause 4 →") and float(row["right"]) == 0.5 and row["answers"] == "2"
    lines = samples.export_samples(people.researcher, [signs_run.run], SampleForm.JSONL).content.decode().splitlines()
    assert len(lines) == 8 and json.loads(lines[0])["is_failed"] is False


def test_an_unknown_column_no_run_and_one_that_is_not_there_are_refused(
    signs_run: SimpleNamespace, people: SimpleNamespace
) -> None:
    for filters in (SampleFilters(order="title"), SampleFilters(limits={"task": (1, None)})):
        with pytest.raises(BadInput, match=r"is no column that samples can be filtered or ordered by\."):
            samples.samples(people.reviewer, [signs_run.run], filters)
    with pytest.raises(BadInput, match="No run is chosen"):
        samples.samples(people.reviewer, [])
    with pytest.raises(Missing):
        samples.samples(people.reviewer, ["99"])


def test_a_view_saved_by_one_person_opens_by_its_name_for_another(
    signs_run: SimpleNamespace, people: SimpleNamespace
) -> None:
    page = opened(draw_failures, people.researcher, show="samples", kind="failed")
    drawn(next(box for box in page.text_input if box.label == "Name").set_value("Nobody right"))
    press(page, "Save this view")
    colleague = opened(draw_failures, people.reviewer)
    press(colleague, "Nobody right")
    assert "**3 samples** of 8" in texts(colleague) and colleague.query_params["kind"] in ("failed", ["failed"])
    assert "Remove" not in labels(colleague)
