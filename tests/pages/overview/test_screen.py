"""Overview alone: the next step by role, the study's counts, and the last events without names for blind work."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest
from uuid_utils import uuid7

from core.people import Viewer
from services.overview import overview
from services.people import study_name
from services.queue import settings
from services.queue.settings import QueueSettings
from services.study import Study
from services.transcription import transcribing
from tests.pages.screen import draw_alone, labels, press, texts


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.overview import screen as overview

    overview.show(viewer)


@pytest.fixture
def open_as(sqlite_study: Study) -> Callable[[Viewer], AppTest]:
    return partial(draw_alone, draw)


def lines(page: AppTest) -> list[str]:
    return texts(page).split("\n")


def submitted(viewer: Viewer, figure_id: str) -> str:
    work = transcribing.take(viewer, figure_id, act_id=str(uuid7())).subject_id
    transcribing.add_lines(viewer, work, "Rain -> Harvest", pasted=False, seen=1, act_id=str(uuid7()))
    transcribing.submit(viewer, work, seen=2, act_id=str(uuid7()))
    return work


def counts(viewer: Viewer) -> dict[str, int]:
    return {step.label: step.count for step in overview(viewer).funnel}


def test_an_empty_study_sends_a_researcher_to_the_papers_and_annotators_nowhere(
    open_as: Callable[[Viewer], AppTest], people: SimpleNamespace
) -> None:
    page = open_as(people.researcher)
    assert "**Add the first papers**" in lines(page)
    assert "No events yet." in lines(page)
    assert "Your queue is empty. New work appears here." in lines(open_as(people.annotator))


def test_the_owners_checklist_ticks_itself_and_opens_the_place_of_each_step(
    open_as: Callable[[Viewer], AppTest], sqlite_study: Study, people: SimpleNamespace
) -> None:
    page = open_as(people.owner)
    shown = lines(page)
    assert "Set up the study: 1 of 8" in shown  # the study has people
    assert ":material/circle: **Name the study**" in shown
    assert "**Add the first papers**" not in shown, "the checklist asks for them"
    assert [each.key for each in page.button if each.proto.type == "primary"] == ["setup.open.0"]
    assert sum(str(each.key).startswith("setup.open.") for each in page.button) == 7, "every open step has its button"
    study_name.rename(people.owner, "Farms", seen=0, act_id=str(uuid7()))
    page = open_as(people.owner)
    shown = lines(page)
    assert "Set up the study: 2 of 8" in shown and ":material/check_circle: Name the study" in shown
    assert not [line for line in lines(open_as(people.researcher)) if "Set up the study" in line]
    press(page, "Hide this list")
    page = open_as(people.owner)
    assert not [line for line in lines(page) if "Set up the study" in line]
    assert "**Add the first papers**" in lines(page), "a next step again"


def draw_way_back(viewer) -> None:  # type: ignore[no-untyped-def]
    from pages.overview import setup

    setup.way_back(viewer)


def test_the_screen_of_a_step_leads_back_to_the_checklist_and_on_once_the_step_is_done(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    assert draw_alone(draw_way_back, people.owner).button == [], "not opened from the checklist"
    page = draw_alone(draw_way_back, people.owner, setup="name")
    assert "Setup of the study: 1 of 8 steps done." in lines(page) and labels(page) == ["Back to setup"]
    study_name.rename(people.owner, "Farms", seen=0, act_id=str(uuid7()))
    page = draw_alone(draw_way_back, people.owner, setup="name")
    assert "Setup of the study: 2 of 8 steps done. Name the study: done." in lines(page)
    assert labels(page) == ["Back to setup", "Next: Write the guidelines"]
    assert labels(draw_alone(draw_way_back, people.researcher, setup="name")) == []


def test_an_annotator_goes_on_before_they_begin_anew(
    open_as: Callable[[Viewer], AppTest],
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    another_figure: Callable[..., SimpleNamespace],
) -> None:
    another_figure("Not started")
    work = transcribing.take(people.annotator, a_figure.id, act_id=str(uuid7())).subject_id
    transcribing.add_lines(people.annotator, work, "Rain -> Harvest", pasted=False, seen=1, act_id=str(uuid7()))
    shown = lines(open_as(people.annotator))
    assert "**Continue: Grain and people**" in shown
    assert "Figure 1 · 1 edge so far" in shown
    assert shown.index("**Continue: Grain and people**") < shown.index("**Take: Not started**")
    assert overview(people.annotator).next_steps[0].link == {"transcription": work}


def test_what_came_back_says_why(
    open_as: Callable[[Viewer], AppTest], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = submitted(people.annotator, a_figure.id)
    transcribing.return_to_annotator(people.reviewer, work, "The arrow on the left", act_id=str(uuid7()))
    shown = lines(open_as(people.annotator))
    assert "**Correct: Grain and people**" in shown
    assert "Figure 1 · The arrow on the left" in shown
    assert overview(people.annotator).next_steps[0].link == {"transcription": work}


def test_a_reviewer_is_told_how_much_waits_and_only_of_that(
    open_as: Callable[[Viewer], AppTest], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    settings.save_settings(people.owner, QueueSettings(1), seen=0, act_id=str(uuid7()))
    submitted(people.annotator, a_figure.id)
    page = open_as(people.reviewer)
    shown = lines(page)
    assert "**Review 1 submitted transcription**" in shown
    stages = [step.label for step in overview(people.reviewer).funnel if step.is_stage]
    assert "model runs" not in stages and len(page.get("progress")) == len(stages), "a bar is a share of the most"
    assert not [line for line in shown if line.startswith(("**Take", "**Screen"))]
    assert {step.page for step in overview(people.reviewer).next_steps} == {"transcribe"}


def test_the_funnel_counts_figures_not_clicks(
    people: SimpleNamespace, a_figure: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> None:
    submitted(people.annotator, a_figure.id)
    submitted(people.colleague, a_figure.id)
    transcribing.take(people.annotator, another_figure("Begun only").id, act_id=str(uuid7()))
    another_figure("Untouched")
    assert counts(people.owner) == {
        "papers": 3,
        "screened": 0,
        "figures located": 3,
        "transcription started": 2,
        "transcription submitted": 1,
        "all transcriptions submitted": 1,
        "to review": 0,
        "adjudicated": 0,
        "text ready": 0,
        "model runs": 0,
    }


@pytest.mark.parametrize(("who", "named"), [("annotator", ""), ("reviewer", ""), ("researcher", "The colleague")])
def test_last_events_name_colleagues_to_those_who_assign_work_alone(
    open_as: Callable[[Viewer], AppTest],
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    who: str,
    named: str,
) -> None:
    submitted(people.colleague, a_figure.id)
    frame = open_as(getattr(people, who)).dataframe[0].value
    assert list(frame["What"]) == ["submitted a transcription", "took a figure"]
    assert set(frame["Who"]) == {named} if named else "Who" not in frame
