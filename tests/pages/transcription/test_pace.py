"""Pace: one's own under one's work, everyone's for those who run the study, each number with how it is computed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest

from components.activity import activity
from pages.transcription import active_time
from services.study import Study
from services.transcription import effort, transcribing
from store.tables import new_id
from tests.pages.screen import draw_alone, texts


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own
    from pages.transcription import screen as transcribe

    transcribe.show(viewer)


opened = partial(draw_alone, draw)


@pytest.fixture
def timed(sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> str:
    """The annotator's transcription: 2 edges in 60 active seconds, submitted."""
    work = transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id
    transcribing.add_lines(people.annotator, work, "A -> B; C", pasted=False, seen=1, act_id=new_id())
    sqlite_study.clock.advance(seconds=60)  # type: ignore[attr-defined]
    effort.beat(people.annotator, work, 60, beat_id=new_id())
    transcribing.submit(people.annotator, work, seen=2, act_id=new_id())
    return work


def test_ones_own_pace_stands_under_ones_work(timed: str, people: SimpleNamespace) -> None:
    page = opened(people.annotator)
    (own,) = [each for each in page.expander if each.label.startswith("Your active time")]
    assert own.label == "Your active time: 1 min, 2.0 edges per minute in submitted transcriptions"
    row = page.dataframe[0].value.iloc[0].to_dict()
    assert (row["Edges"], row["Acts"], row["Active time (min)"], row["Edges per minute"]) == ("2", "1", "1.0", "2.0")
    assert "Longer pauses and hidden tabs count 0" in texts(page)
    assert "Annotator" not in page.dataframe[0].value.columns


def test_nothing_is_said_of_pace_before_something_was_measured(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    assert "active time" not in texts(opened(people.annotator)).lower()
    assert "No active time yet" in texts(opened(people.researcher, show="pace"))


def test_those_who_run_the_study_find_everyones_pace(timed: str, people: SimpleNamespace) -> None:
    for viewer in (people.owner, people.researcher):
        page = opened(viewer, show="pace")
        assert "1 submitted, 2 edges, 1 min of active time, 2.0 edges per minute" in texts(page)
        assert [chart.proto.alt for chart in page.get("vega_lite_chart")] == [
            "Active time in minutes by annotator. The annotator: 1.0",
            "Active time in minutes by figure size. small, with proposals: 1.0",
        ]
        by_person, by_size, tasks = (frame.value for frame in page.dataframe)
        assert by_person["Annotator"].tolist() == ["The annotator"]
        assert by_size["Figure size"].tolist() == ["small, with proposals"]
        assert tasks["Annotator"].tolist() == ["The annotator"]
        assert "Longer pauses and hidden tabs count 0" in texts(page)


@pytest.mark.parametrize("role", ["annotator", "reviewer"])
def test_others_find_no_door_to_it_also_by_the_link(timed: str, people: SimpleNamespace, role: str) -> None:
    page = opened(getattr(people, role), show="pace")
    assert "submitted, " not in texts(page)
    assert not page.button_group


def test_a_draft_shows_a_dash_and_why(
    sqlite_study: Study, timed: str, people: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> None:
    transcribing.take(people.colleague, another_figure("Rice").id, act_id=new_id())
    page = opened(people.owner, show="pace")
    tasks = page.dataframe[2].value
    assert tasks[tasks["Annotator"] == "The colleague"].iloc[0]["Edges"] == "–"
    assert "– means undefined: not submitted yet (counts appear then)" in texts(page)


def test_a_report_is_kept_once_and_one_that_is_refused_is_dropped(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id
    sqlite_study.clock.advance(seconds=60)  # type: ignore[attr-defined]
    name = f"effort.watch.{work}"
    held = {name: {"report": {"id": new_id(), "subject": work, "seconds": 20, "attempt": 1}}}
    monkeypatch.setattr(active_time.st, "session_state", held)
    for _ in range(2):
        active_time._count(people.annotator, work, name)
    assert effort.my_effort(people.annotator)[0].active_s == 20
    active_time._count(people.colleague, work, name)  # somebody else's task
    assert held[f"{name}.answered"].count(held[name]["report"]["id"]) == 3  # type: ignore[attr-defined]
    held[name] = {"report": {"id": "forged"}}
    active_time._count(people.annotator, work, name)
    assert effort.my_effort(people.annotator)[0].active_s == 20
    assert activity.read_report(None) is None
