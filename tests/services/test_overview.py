"""The overview: the next step of each role, counts that add up, happenings without names for the blind."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import pytest
from sqlalchemy import text

from core.papers.papers import Screening
from core.people import Viewer
from core.runs.states import RunState
from services.overview import PARTS, WORDS, next_work, overview
from services.papers import importing, papers
from services.queue import settings
from services.queue.settings import QueueSettings
from services.study import Study
from services.transcription import queue, transcribing
from store.graphs.exposures import ExposureKind
from store.history import Actor, record
from store.runs import runs
from store.tables import new_id
from store.tables.runs import WorkerRow
from tests.conftest import Clock
from tests.pages import run_screens
from tests.parsed import no_garbage, walked
from tests.services.scoring_parts import hand_in, settle, take

__all__ = ["no_garbage"]  # a fixture of this module


def funnel(viewer: Viewer) -> dict[str, int]:
    return {step.label: step.count for step in overview(viewer).funnel}


def steps(viewer: Viewer) -> str:
    return "\n".join(step.sentence for step in overview(viewer).next_steps)


def draw(viewer: Viewer, figure: SimpleNamespace, *, submit: bool) -> str:
    work = transcribing.take(viewer, figure.id, act_id=new_id()).subject_id
    transcribing.add_lines(viewer, work, "A -> B", pasted=False, seen=1, act_id=new_id())
    if submit:
        transcribing.submit(viewer, work, seen=2, act_id=new_id())
    return work


def drawn_by(viewer: Viewer, number: int) -> None:
    """Have each figure drawn by so many people."""
    settings.save_settings(viewer, QueueSettings(number), seen=0, act_id=new_id())


def test_an_empty_study_asks_only_those_who_may_for_papers(study: Study, people: SimpleNamespace) -> None:
    assert set(funnel(people.owner).values()) == {0}
    assert steps(people.researcher) == "Add the first papers\nImport triplets to ask models about"
    assert steps(people.expert) == steps(people.reviewer) == steps(people.annotator) == ""


@pytest.mark.both
def test_counts_follow_papers_and_figures_through_the_study(
    study: Study, people: SimpleNamespace, another_figure: Callable[[str], SimpleNamespace]
) -> None:
    first, second, third = (another_figure(title) for title in ("One", "Two", "Three"))
    draw(people.annotator, first, submit=True)
    draw(people.colleague, first, submit=True)
    draw(people.annotator, second, submit=False)
    found = funnel(people.annotator)
    # Three papers with a figure each: two begun, one of them submitted by two people.
    assert found["papers"] == found["figures located"] == 3
    assert (
        found["transcription started"],
        found["transcription submitted"],
        found["all transcriptions submitted"],
        found["to review"],
    ) == (
        2,
        1,
        1,
        0,
    )
    papers.archive(people.researcher, third.paper_id, True, seen=1, act_id=new_id())
    assert funnel(people.annotator)["figures located"] == 2


def test_each_role_is_told_its_own_next_step(
    study: Study, people: SimpleNamespace, another_figure: Callable[[str], SimpleNamespace]
) -> None:
    first, _second = another_figure("One"), another_figure("Two")
    mine = draw(people.annotator, first, submit=False)
    links = [step.link for step in overview(people.annotator).next_steps]
    assert {"transcription": mine} in links
    assert steps(people.expert) == ""
    transcribing.submit(people.annotator, mine, seen=2, act_id=new_id())
    assert "submitted transcription" not in steps(people.reviewer), "a second one follows, and adjudication settles it"
    drawn_by(people.owner, 1)
    assert "1 submitted transcription" in steps(people.reviewer)
    assert "submitted" not in steps(people.colleague)
    transcribing.return_to_annotator(people.reviewer, mine, "Look again", act_id=new_id())
    assert "Look again" in "".join(step.detail for step in overview(people.annotator).next_steps)


def test_a_reviewer_is_asked_about_no_transcription_that_adjudication_settles(
    study: Study, people: SimpleNamespace, another_figure: Callable[[str], SimpleNamespace]
) -> None:
    twice, once = another_figure("One"), another_figure("Two")
    for viewer in (people.annotator, people.colleague):
        draw(viewer, twice, submit=True)
    drawn_by(people.owner, 1)
    draw(people.annotator, once, submit=True)
    assert funnel(people.reviewer)["to review"] == 1
    assert steps(people.reviewer) == "Adjudicate 1 figure\nReview 1 submitted transcription"


def test_many_unfinished_transcriptions_are_a_few_steps_and_one_for_the_rest(
    study: Study, people: SimpleNamespace, another_figure: Callable[[str], SimpleNamespace]
) -> None:
    for number in range(7):
        draw(people.annotator, another_figure(f"Paper {number}"), submit=False)
    told = steps(people.annotator).splitlines()
    assert [line.partition(":")[0] for line in told] == ["Continue"] * 5 + ["Continue 2 more transcriptions"]


def test_who_may_adjudicate_a_figure_is_not_asked_to_transcribe_it_too(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    drawn_by(people.owner, 3)
    for viewer in (people.annotator, people.colleague):
        draw(viewer, a_figure, submit=True)
    assert "Adjudicate 1 figure" in steps(people.owner) and "Take:" not in steps(people.owner)


def test_the_next_work_is_on_another_page_than_the_one_that_is_done(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    drawn_by(people.owner, 1)
    draw(people.annotator, a_figure, submit=True)
    step = next_work(people.reviewer)
    assert step is not None and step.page == "transcribe"
    assert next_work(people.reviewer, "transcribe") is None


def test_an_expert_s_overview_is_their_scoring_and_nothing_of_transcribing_or_runs(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    draw(people.annotator, a_figure, submit=True)
    run_screens.start(people.researcher, run_screens.triplets(people.researcher, 4))
    settle(people.owner, per_year=None)
    assert funnel(people.expert) == {"waiting for you": 4, "started by you": 0, "scored by you": 0}
    assert not any(step.is_stage for step in overview(people.expert).funnel), "no bar: nothing to compare them with"
    hand_in(people.expert, take(people.expert))
    take(people.expert)
    assert funnel(people.expert) == {"waiting for you": 2, "started by you": 1, "scored by you": 1}
    assert steps(people.expert) == "Continue scoring the triplet you started"
    told = {happening.what for happening in overview(people.expert).happenings}
    assert told == {"imported triplets", "changed the scoring settings", "scored a triplet"}


@pytest.mark.both(usually=False)
def test_model_runs_are_counted_and_named_where_they_wait_for_somebody(study: Study, people: SimpleNamespace) -> None:
    assert "first model run" not in steps(people.researcher), "there is nothing to ask about"
    collection = run_screens.triplets(people.researcher, 4)
    assert "Start a first model run" in steps(people.researcher)
    run = run_screens.start(people.researcher, collection)
    assert funnel(people.reviewer)["model runs"] == 1
    assert "Run 1 is waiting for a worker" in steps(people.researcher)
    assert "Run 1" not in steps(people.reviewer), "who may not steer is not asked to"
    now = study.clock()
    with study.store.writing() as session:
        session.add(WorkerRow(host="here", pid=1, started_at=now, seen_at=now))
    assert "Run 1" not in steps(people.researcher)
    with study.store.writing() as session:
        runs.set_state(session, run, RunState.STOPPED, "the budget is reached", now, only_from={RunState.QUEUED})
    (step,) = [one for one in overview(people.owner).next_steps if one.page == "runs"]
    assert (step.sentence, step.detail) == ("Run 1 stopped by itself", "the budget is reached")
    assert step.link == {"run": "1"}
    lost = "the server h:4000 refuses connections"
    with study.store.writing() as session:
        runs.set_state(session, run, RunState.WAITING, lost, now, only_from={RunState.STOPPED})
        session.execute(text("UPDATE run SET hindered = :said"), {"said": '{"endpoints": {"h": {}}}'})
    (step,) = [one for one in overview(people.owner).next_steps if one.page == "runs"]
    assert (step.sentence, step.detail) == ("Run 1 is waiting for a server", lost.capitalize())
    assert "started a model run" in {happening.what for happening in overview(people.owner).happenings}


def test_a_run_that_ended_with_failures_asks_to_be_asked_again(study: Study, people: SimpleNamespace) -> None:
    run = run_screens.start(people.researcher, run_screens.triplets(people.researcher, 4))
    with study.store.writing() as session:
        runs.set_state(session, run, RunState.DONE, "", study.clock(), only_from={RunState.QUEUED})
        session.execute(text("UPDATE run_item SET status = 'answered'"))
        session.execute(text("UPDATE run_item SET status = 'failed' WHERE id = (SELECT min(id) FROM run_item)"))
    (step,) = [one for one in overview(people.researcher).next_steps if one.page == "runs"]
    assert (step.sentence, step.detail) == ("Retry failed items of run 1", "3 of 4 answered, 1 failed")
    assert step.link == {"run": "1"}


@pytest.mark.both(usually=False)
def test_happenings_say_you_name_colleagues_to_those_who_assign_work_and_nobody_to_the_blind(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    draw(people.annotator, a_figure, submit=True)

    def who(viewer: Viewer) -> list[str]:
        return [h.who for h in overview(viewer).happenings if h.what == "submitted a transcription"]

    assert who(people.annotator) == ["you"]
    assert who(people.researcher) == who(people.owner) == ["The annotator"]
    assert who(people.colleague) == who(people.reviewer) == [""], "a reviewer may rule on it"
    assert who(people.expert) == [], "an expert's overview tells of scoring"


@pytest.mark.both
def test_the_newest_happening_comes_first(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    draw(people.annotator, a_figure, submit=True)
    whats = [happening.what for happening in overview(people.owner).happenings]
    assert whats == ["submitted a transcription", "took a figure"]


def test_edits_are_too_small_to_be_happenings(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    draw(people.annotator, a_figure, submit=False)
    assert [happening.what for happening in overview(people.owner).happenings] == ["took a figure"]


def test_one_person_doing_the_same_thing_many_times_is_one_happening(
    sqlite_study: Study, people: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> None:
    for number in range(3):
        transcribing.take(people.annotator, another_figure(f"Paper {number}").id, act_id=new_id())
    transcribing.take(people.colleague, another_figure("The last").id, act_id=new_id())
    last, first = overview(people.owner).happenings
    assert (last.who, first.who) == ("The colleague", "The annotator")
    assert first.what == f"{last.what} · 3 events"


def test_what_a_worker_does_is_done_by_the_program(
    lasting: None, sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, clock: Clock
) -> None:
    queue.want(people.owner, [a_figure.id], 1, act_id=new_id())
    transcribing.take(people.annotator, a_figure.id, act_id=new_id())
    clock.advance(hours=72)
    transcribing.take(people.colleague, a_figure.id, act_id=new_id())
    (expiry,) = [each for each in overview(people.owner).happenings if each.who == "the program"]
    assert "expire" in expiry.what


def test_an_included_paper_without_a_figure_is_to_be_located(study: Study, people: SimpleNamespace) -> None:
    drawn = b"@article{one, title = {A paper of levels and rates}, year = {2001}}"
    importing.import_references(people.researcher, "one.bib", drawn, act_id=new_id())
    (paper,) = papers.list_papers(people.researcher)
    assert "Screen 1 paper" in steps(people.researcher)
    assert "Locate" not in steps(people.researcher)
    seen = papers.paper(people.researcher, paper.id).version
    papers.screen(people.researcher, paper.id, Screening.INCLUDED, (), "", seen=seen, act_id=new_id())
    assert "Screen" not in steps(people.researcher)
    assert "Locate the diagram in 1 paper" in steps(people.researcher)
    assert "Locate" not in steps(people.annotator)


# --- words for events ---------------------------------------------------------------------------------------------

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = ("scoring", "labelling", "reading", "verdict", "coding")
"""Kinds of work that can be skipped, as their events call them."""
FORMED = {
    'f"{kind}.look"': {f"{kind}.look" for kind in get_args(ExposureKind)},
    'f"person.{kind}"': {"person.invite", "person.reset"},
    'f"queue.{field}"': {"queue.priority", "queue.wanted"},
    'f"adjudication.{what}"': {"adjudication.undo", "adjudication.redo"},
    'f"{kind.acts}.{act}"': {f"{acts}.{act}" for acts in ("transcription", *SKIPPED) for act in ("take", "resume")},
    'f"{kind.acts}.skip"': {f"{acts}.skip" for acts in SKIPPED},
}
"""Acts whose names are put together where they are recorded."""
NO_ACTS = {"json", "jsonl", "md", "sqlite"}


@cache
def recorded_acts() -> frozenset[str]:
    """Every act that code can record: strings of the form subject.verb of the subjects that acts are about."""
    strings, formed, subjects = set[str](), set[str](), set[str]()
    rooms = (ROOT / "services", ROOT / "runs", ROOT / "store")
    for path in (path for room in rooms for path in room.rglob("*.py")):
        if path.name == "overview.py" or {"tables", "versions"} & set(path.parts):  # these name columns
            continue
        source = path.read_text(encoding="utf-8")
        lines = [line.encode() for line in source.splitlines()]
        for node in walked(source):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if re.fullmatch(r"[a-z]+\.[a-z_]+", node.value):
                    strings.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                formed.add(lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode())
            if isinstance(node, ast.Call) and called(node).endswith("record"):
                subjects |= {act.partition(".")[0] for act in re.findall(r"'([a-z]+\.[a-z_]+)'", ast.unparse(node))}
    assert formed >= set(FORMED), "put together elsewhere now"
    known = {act for act in strings if act.partition(".")[0] in subjects and act.partition(".")[2] not in NO_ACTS}
    return frozenset(known.union(*FORMED.values()))


def called(node: ast.Call) -> str:
    """The last name of what is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def test_every_act_that_is_recorded_has_words_or_is_private_for_a_reason() -> None:
    private = {act: reason for part in PARTS for act, reason in part.private.items()}
    assert recorded_acts() - set(WORDS) - set(private) == set(), "hand in words, or say why nobody is told"
    assert (set(WORDS) | set(private)) - recorded_acts() == set(), "words of an act that nothing records"
    assert set(WORDS) & set(private) == set()
    assert all(private.values())
    assert sum(len(part.words) for part in PARTS) == len(WORDS), "two subjects tell one act"


def test_acts_that_are_put_together_are_known_here() -> None:
    """A name in an f-string escapes the search above; each that reaches `record` is listed in FORMED."""
    for room in ("services", "runs", "store"):
        for path in (ROOT / room).rglob("*.py"):
            source = path.read_text(encoding="utf-8")
            for node in walked(source) if "record(" in source else ():
                if isinstance(node, ast.Call) and called(node).endswith("record"):
                    made = [
                        ast.get_source_segment(source, each) for each in node.args if isinstance(each, ast.JoinedStr)
                    ]
                    assert set(made) <= set(FORMED), f"{path}:{node.lineno}"


def test_a_release_is_told_with_its_number_and_the_end_of_identities_to_who_manages(
    study: Study, people: SimpleNamespace
) -> None:
    actor = Actor(people.researcher.person_id)
    with study.store.writing() as session:
        for number, (act, payload) in enumerate((("release.freeze", {"number": 3}), ("identities.destroy", {}))):
            record(
                session,
                actor,
                act,
                at=study.clock(),
                act_id=f"{new_id()}{number}",
                subject_kind="release",
                subject_id="x",
                payload=payload,
            )
    assert happenings(people.colleague) == {("", "froze release 3")}
    assert happenings(people.reviewer) == {(people.researcher.name, "froze release 3")}
    assert happenings(people.owner) > happenings(people.reviewer)


def happenings(viewer: Viewer) -> set[tuple[str, str]]:
    return {(each.who, each.what) for each in overview(viewer).happenings}
