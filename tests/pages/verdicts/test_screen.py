"""The verdicts page: draws, the queue, the desk's data, and an item opened by a link."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from sqlmodel import select, text
from streamlit.testing.v1 import AppTest

from benchmarks.running_server import RunningServer, running_server
from components.verdicts import desk
from core.estimate import Estimate, undefined
from core.people import Viewer
from core.verdicts.labels import LEGAL, RECALL, LabelBlock, Section
from core.verdicts.review import fields_of
from core.verdicts.settings import VerdictSettings
from pages.verdicts.parts import estimate_columns
from services.queue.work import skip
from services.study import Study
from services.verdicts import acts as verdict_acts
from services.verdicts import audit, samples, settings
from services.verdicts.work_kind import SHEETS
from store.runs import reviewed_verdicts as stored
from store.tables import EventRow
from tests.pages.run_screens import draw_failures, draw_results, drawn, opened, texts
from tests.pages.screen import choose_row, open_settings, table_of_key
from tests.services.run_parts import act
from tests.services.verdicts.handmade import MILL, bring_case
from tests.services.verdicts.reviewing import compare, judged_run, label, rule, take
from tests.services.verdicts.reviewing import drawn as draw_sheets
from tests.shared_fixture import laid_once


def draw_verdicts(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from components import shell
    from pages.verdicts import screen

    with shell.boundary():
        screen.show(viewer)


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def judged(study: Study, people: SimpleNamespace, server: RunningServer, request: pytest.FixtureRequest) -> str:
    """A run of one honest judge over answers of two baselines."""
    return laid_once(request, study, lambda: judged_run(study, people, server, 1, ("judge:honest",)), people)


@pytest.fixture
def by_two(study: Study, people: SimpleNamespace, server: RunningServer, request: pytest.FixtureRequest) -> str:
    """The same answers, judged by an honest and a random judge."""
    return laid_once(request, study, lambda: judged_run(study, people, server, 1), people)


def desk_data(viewer: Viewer, **link: str) -> Any:
    with patch.object(desk, "_mount") as mount:
        page = opened(draw_verdicts, viewer, **link)
        assert not page.exception
        return mount.call_args.kwargs["data"]


def test_sheets_are_drawn_taken_and_listed(study: Study, people: SimpleNamespace, server: RunningServer) -> None:
    page = opened(draw_verdicts, people.researcher)
    assert "No run of judges yet" in texts(page)
    judged_run(study, people, server, 1)
    page = opened(draw_verdicts, people.researcher)
    button = next(each for each in page.button if each.label == "Draw sheets")
    page = drawn(button.click())
    assert not page.error
    assert "Take next sheet" in [each.label for each in page.button]
    (table,) = [each.value for each in page.dataframe if "Drawn" in each.value.columns]
    assert list(table["Drawn"]) == ["At random"]
    # A reviewer labels and draws nothing.
    page = opened(draw_verdicts, people.reviewer)
    labels = [each.label for each in page.button]
    assert "Take next sheet" in labels and "Draw sheets" not in labels


def test_the_desk_is_given_a_judges_labels_of_compared_items_alone(
    study: Study, people: SimpleNamespace, by_two: str
) -> None:
    draw_sheets(people.researcher, by_two, 500)
    view = take(people.reviewer)
    number = view.items[0].number
    data = desk_data(people.reviewer, sheet=view.assignment_id)
    assert {len(each["judges"]) for each in data["items"]} == {0}
    assert (data["judge"], data["judged"], data["scores"]) == ("", "", None)
    assert "judge:" not in repr(data) and "hub" not in repr(data["title"])
    assert len(data["edges"]) >= len(view.graphs.truth.edges)
    assert all(each["truth"] or each["answer"] for each in data["nodes"])
    assert set(map(str, data["states"].values())) == {"{}"}
    label(people.reviewer, view, number)
    compare(people.reviewer, view, number)
    data = desk_data(people.reviewer, sheet=view.assignment_id, item=str(number))
    assert data["start"] == number
    assert [len(each["judges"]) for each in data["items"]] == [2 * (each["number"] == number) for each in data["items"]]
    # Somebody else's sheet leads to a sentence and back to the list.
    page = opened(draw_verdicts, people.researcher, sheet=view.assignment_id)
    assert "someone else" in texts(page) + " ".join(each.value for each in page.error)
    assert "All sheets" in [each.label for each in page.button]


def test_a_link_to_a_judges_item_opens_it_with_its_verdict(study: Study, people: SimpleNamespace, judged: str) -> None:
    with study.store.reading() as session:
        item = next(stored.judge_items(session, judged, "judge"))
    page = opened(draw_failures, people.reviewer, item=item.item_id)
    assert "Review verdict" in [each.label for each in page.button]
    data = desk_data(people.reviewer, judged=item.item_id, item="1")
    assert [each["number"] for each in data["items"]] == [1]
    assert data["judge"] == "judge:honest" and data["scores"] is not None
    assert not data["label_first"]


@pytest.mark.usefixtures("by_two")
def test_judges_are_held_against_each_other_and_a_run_of_one_has_no_pair(study: Study, people: SimpleNamespace) -> None:
    page = opened(draw_verdicts, people.reviewer, show="audit")
    assert "No item of the random draw is labelled yet" in texts(page)
    (against,) = [each for each in page.get("segmented_control") if each.label == "Judges against"]
    page = drawn(against.set_value("judges"))
    assert not page.exception and not page.error
    tables = [each.value for each in page.dataframe]
    (pairs,) = [each for each in tables if "First − second" in each.columns]
    assert (list(pairs["First"]), list(pairs["Second"])) == (["judge:honest"], ["judge:random"])
    (chart,) = page.get("vega_lite_chart")
    difference, _, _ = pairs["First − second"][0].partition(" (")
    assert f"judge:honest − judge:random: {difference}" in chart.proto.alt
    (fields,) = [each for each in tables if "AC1" in each.columns]
    assert set(fields["Section"]) == {"Nodes, precision", "Nodes, recall", "Edges, precision", "Edges, recall"}
    said = texts(page)
    for table in tables:
        assert not any(set(map(str, column)) == {"–"} for _name, column in table.items()), "a column without a value"
    assert "judge:honest compared with judge:random: the model card of judge:honest names no family." in said
    assert "No judge was asked repeatedly" in said
    assert re.search(r"\*\*[−0-9.]+.*\*\* in overall F1: judge:honest − judge:random, over \d+ of \d+ answers", said)
    # A count of labels leads to its items, and from one to the desk. The link restores the part.
    page = opened(draw_verdicts, people.reviewer, show="audit", against="judges")
    page.session_state["verdicts.judges.confusion.open"] = True
    page = drawn(page)
    page = choose_row(page, "verdicts.judges.confusion", 0)
    assert len(table_of_key(page, "verdicts.judges.confusion.item").value)
    page = choose_row(page, "verdicts.judges.confusion.item", 0)
    assert "Open verdict" in [each.label for each in page.button]


def test_a_chosen_score_offers_the_draw_of_what_its_correction_is_missing(people: SimpleNamespace) -> None:
    run_id = bring_case(people.owner, MILL, many=25)
    draw_sheets(people.owner, run_id, 1)
    view = take(people.reviewer)
    for each in view.items:
        label(people.reviewer, view, each.number)
        compare(people.reviewer, view, each.number)

    def score_of(page: AppTest) -> AppTest:
        listed = table_of_key(page, "audit.corrected").value
        rows = [tuple(each) for each in zip(listed["Model"], listed["Score"], strict=True)]
        return choose_row(page, "audit.corrected", rows.index(("big", "Edges, recall")))

    page = score_of(opened(draw_verdicts, people.owner, show="audit"))
    (table,) = [each.value for each in page.dataframe if "Labelled" in each.value.columns]
    assert list(table["Score"]) == ["F1", "Nodes, precision", "Nodes, recall", "Edges, precision", "Edges, recall"]
    missing = set(table["Labels missing for ±0.02"][1:])
    assert missing <= {f"Label {many} more samples to correct this score" for many in (19, 20)}
    assert "Corrected" not in table and "–" not in set(table["Measured"])
    assert "1 column without any value is not shown: Corrected (" in texts(page)
    opening = drawn(next(each for each in page.button if each.label == "Open draws").click())
    assert "Draw sheets" in [each.label for each in opening.button]
    page = score_of(opened(draw_verdicts, people.owner, show="audit"))
    (button,) = [each for each in page.button if each.label.endswith("sheets") and each.label.startswith("Draw ")]
    sheets = int(button.label.split()[1])
    page = drawn(button.click())
    assert not page.exception and not page.error
    (line,) = samples.drawn_of(people.owner, run_id)
    assert line.sheets == 1 + sheets
    assert "of this score are drawn and not labelled yet" in texts(page)
    assert not [each for each in page.button if each.label.startswith("Draw ")]
    reader = score_of(opened(draw_verdicts, people.reviewer, show="audit"))
    assert not [each for each in reader.button if each.label.startswith("Draw ")]


def test_the_audit_counts_the_labels_that_it_leaves_out_for_their_earlier_meaning(
    study: Study, people: SimpleNamespace, judged: str
) -> None:
    draw_sheets(people.researcher, judged, 500)
    while (view := take(people.reviewer)).section not in RECALL:
        skip(people.reviewer, SHEETS, view.assignment_id, "another section", seen=view.version, **act())
    number = view.items[0].number
    label(people.reviewer, view, number)
    with study.store.writing() as session:  # as labels are that were given before an update
        session.execute(text("UPDATE person_label SET wording = 1"))
    compare(people.reviewer, view, number)
    said = texts(opened(draw_verdicts, people.reviewer, show="audit"))
    where = "Nodes, recall" if view.section is Section.NODE_RECALL else "Edges, recall"
    assert f"leaves out 1 item of {where}" in said
    place = (view.section, LabelBlock.ITEM, "abstraction_label")
    found = audit.audit_run(people.owner, judged).judges.values()
    assert {(each.fields[place].n, each.fields[place].left_out) for each in found} == {(0, 1)}


def test_a_judge_and_people_are_drawn_by_section_once_a_sheet_is_labelled_whole(
    study: Study, people: SimpleNamespace, judged: str
) -> None:
    draw_sheets(people.researcher, judged, 500)
    assert not opened(draw_verdicts, people.reviewer, show="audit").get("vega_lite_chart")
    view = take(people.reviewer)
    for each in view.items:
        label(people.reviewer, view, each.number)
    page = opened(draw_verdicts, people.reviewer, show="audit")
    (chart,) = page.get("vega_lite_chart")
    (sections,) = [each.value for each in page.dataframe if "Judge − people" in each.value.columns]
    (row,) = [row for row in sections.to_dict("records") if row["People"] != "–"]
    assert f"{row['Section']}, People: {row['People'].partition(' ')[0]}" in chart.proto.alt


def test_a_cell_of_results_leads_to_a_verdict_and_from_it_to_the_desk_where_it_is_visible(
    study: Study, people: SimpleNamespace, judged: str
) -> None:
    page = opened(draw_results, people.reviewer, run=judged, table="verdicts")
    assert not page.exception and not page.error
    assert "**Default, judge only**" in texts(page)
    answer = choose_row(page, "results.page", 0).query_params["item"]
    with study.store.reading() as session:
        every = list(stored.judge_items(session, judged, "judge"))
    item = max((each for each in every if each.facts.get("item") == answer), key=lambda each: each.facts["items"])
    page = opened(draw_failures, people.reviewer, item=answer)
    assert not page.exception and not page.error
    ids = page.session_state[f"failures.verdicts.{answer}.ids"]
    assert sorted(ids) == sorted(each.item_id for each in every if each.facts.get("item") == answer)
    choose_row(page, "failures.verdicts", ids.index(item.item_id))
    assert any(each.label == "Open verdict" for each in page.button)
    sheet = opened(draw_failures, people.reviewer, item=item.item_id)
    assert any(each.label == "Review verdict" for each in sheet.button)
    data = desk_data(people.reviewer, judged=item.item_id)
    assert [each["number"] for each in data["items"]] == list(range(1, min(50, item.facts["items"]) + 1))
    assert all(each["judges"] for each in data["items"])
    assert not data["label_first"]


def test_what_reviewers_see_first_is_set_by_those_who_assign_and_told_beside_the_numbers(
    study: Study, people: SimpleNamespace, judged: str
) -> None:
    page = open_settings(people.researcher, "verdicts")
    boxes = {each.label: each for each in page.checkbox}
    assert all(each.value for each in boxes.values()) and len(boxes) == 2
    boxes["Label first"].uncheck()
    boxes["Hide judged models' names"].uncheck()
    page = drawn(next(each for each in page.button if each.label == "Save settings").click())
    assert not page.error and not page.exception
    with study.store.reading() as session:
        event = session.exec(select(EventRow).where(EventRow.act == "verdict.settings")).one()
    assert (event.payload["before"]["label_first"], event.payload["after"]["label_first"]) == (True, False)
    told = "Label first is off: labels given beside the judge's are in no agreement. Names of judged models are shown."
    assert told in texts(opened(draw_verdicts, people.reviewer, show="audit"))
    draw_sheets(people.researcher, judged, 500)
    view = take(people.reviewer)
    assert view.judged and all(each.judges for each in view.items)
    # What was corrected beside the verdict says so in the tables of the run.
    item, (block, field) = view.items[0], fields_of(view.section)[0]
    other = next(each for each in LEGAL[view.section, block][field] if each != item.judges[0].labels[block, field])
    label(people.reviewer, view, item.number, {f"{block.value}.{field}": other})
    rule(people.reviewer, view, verdict_acts.keep_mine, item.number, "direction")
    page = opened(draw_results, people.reviewer, run=judged, table="verdicts", part="1")
    assert not page.exception
    assert told in texts(page)


def test_names_of_judged_models_may_be_shown_while_labels_stay_hidden(
    study: Study, people: SimpleNamespace, judged: str
) -> None:
    settings.save_settings(people.researcher, VerdictSettings(hides_models=False), seen=0, **act())
    draw_sheets(people.researcher, judged, 500)
    view = take(people.reviewer)
    assert view.judged in ("random", "hub")
    assert (view.judge, view.scores, [each.judges for each in view.items]) == ("", None, [()] * len(view.items))


def test_reasons_name_labels_as_the_sheet_does() -> None:
    why = undefined("the first rater gave every unit PRESENCE_STRONG_MATCH, so κ has no variance")
    columns = estimate_columns({"κ": [why, Estimate(0.5)]})
    assert columns.notes == "– in κ: the first rater gave every unit “strong match”, so κ has no variance."
