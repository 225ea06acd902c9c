"""A release as samples: a figure with its text, one without, and a look at the truth that is noted."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from sqlalchemy import text
from sqlmodel import select

from core.runs.filters import FailureFilters
from core.runs.states import RunState
from exchange.recite import read_default
from services.failures import failures
from services.protocols.recite.public_tables import exporting
from services.runs import planning
from services.runs.items import graph_items
from services.study import Study
from services.texts import reading as texts
from store.tables import EventRow
from store.tables.runs import RunSampleRow
from tests.services.releases.test_releasing import freeze
from tests.services.releases.test_texts import license_paper
from tests.services.run_parts import finished, start
from tests.services.runs.narratives import BASELINES, wanted
from tests.services.text_parts import lay_pages, settle_truth
from tests.services.texts.test_labelling import NAMES, make_ready


@pytest.fixture
def released(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> SimpleNamespace:
    """Release 1: a figure whose text is ready, and one without a text."""
    lay_pages(study, a_figure.sha256)
    settle_truth(study, a_figure.id, NAMES)
    make_ready(people, a_figure.id)
    license_paper(study, a_figure, "CC BY 4.0")
    with study.store.writing() as session:
        session.execute(text("UPDATE paper SET publication_date = '2009-02' WHERE id = :id"), {"id": a_figure.paper_id})
    other = another_figure("Another paper")
    settle_truth(study, other.id, "A -> B +")
    number = freeze(people.researcher).version
    return SimpleNamespace(number=number, figure=a_figure.id, other=other.id)


@pytest.mark.both(usually=False)
def test_a_release_asks_its_figures_with_a_text_and_leaves_out_the_others(
    study: Study, people: SimpleNamespace, released: SimpleNamespace
) -> None:
    offered = planning.options(people.researcher).offers["release"]
    assert isinstance(offered, tuple)
    release, own_texts = offered
    assert (release.number, release.figures, release.texts, own_texts.ready) == (released.number, 2, 1, 1)
    config = wanted("", baselines=BASELINES, options={"release": released.number})
    plan = planning.plan(people.researcher, config)
    assert (plan.faults, plan.samples) == ((), 2)
    assert {(each.key, each.reason) for each in plan.excluded} == {(released.other, "no text was made")}
    run_id = start(people.researcher, config)
    assert finished(study, people.researcher, run_id).state is RunState.DONE
    with study.store.reading() as session:
        samples = session.exec(select(RunSampleRow).where(RunSampleRow.run_id == run_id)).all()
    view = texts.view(people.owner, released.figure)
    assert view is not None
    assert {(each.subject_kind, each.subject_id) for each in samples} == {("figure", released.figure)}
    assert {each.facts["text"] for each in samples} == {view.last.sha256}
    assert samples[0].truth["nodes"] == ["Coast", "Lake", "Rain", "Town", "Wells"]


def test_whoever_draws_figures_and_opens_such_an_item_has_looked_at_its_truth(
    sqlite_study: Study, people: SimpleNamespace, released: SimpleNamespace
) -> None:
    run_id = start(
        people.researcher, wanted("", baselines=("hub",), variants=("names",), options={"release": released.number})
    )
    finished(sqlite_study, people.researcher, run_id)
    (line,) = failures.failures(people.researcher, FailureFilters(runs=(run_id,))).lines
    found = graph_items.graph_item(people.researcher, line.item_id)
    assert found is not None and found.answer is not None and found.mentions
    with sqlite_study.store.reading() as session:
        looks = session.exec(select(EventRow).where(EventRow.act == "figure.look")).all()
    assert (released.figure, people.researcher.person_id) in {(each.subject_id, each.actor) for each in looks}


def test_a_run_exports_whole_dates(sqlite_study: Study, people: SimpleNamespace, released: SimpleNamespace) -> None:
    config = wanted("", baselines=("hub",), options={"release": released.number})
    run_id = start(people.researcher, config)
    finished(sqlite_study, people.researcher, run_id)
    made = exporting.export_public(people.researcher, ("1",))
    default = next(file for file in made.files if file.name == "default.parquet")
    (row,) = read_default(default.content, default.name).samples
    assert row.publication_date == "2009-02"
    (line, _) = failures.failures(people.researcher, FailureFilters(runs=(run_id,), years=(2009, 2009))).lines
    assert line.summary.labels["year"] == ("2009",)
