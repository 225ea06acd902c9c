"""A figure without a graph: declined with a verdict, decided by two, ruled on, taken out, returned, and counted."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from sqlmodel import select

from core.adjudication.differences import VERDICT_KEY, Choice, DifferenceKind
from core.agreement.edges import View
from core.errors import BadInput, Conflict, Refused
from core.papers.papers import ExclusionReason, Screening
from core.people import Role, Viewer
from core.transcription.declining import FigureOutcome, FigureVerdict
from services import overview
from services.adjudication import adjudicating, editor, feedback, rounds
from services.adjudication import lists as adjudication_lists
from services.adjudication.editor import AdjudicationView
from services.agreement import annotators, files
from services.graphs import exporting
from services.papers import papers
from services.queue.work import claim_next
from services.releases import releasing
from services.study import Study
from services.transcription import declining, effort, lists, practice, reading, transcribing
from services.transcription.work_kind import FIGURES
from store.tables import AssignmentRow, EventRow, new_id
from tests.services.queue_hands import line_of, settle

NOT_CAUSAL, ILLEGIBLE, PART = FigureVerdict
LINES = "Rain -> Harvest\nHarvest -> Price"


def taken(viewer: Viewer, figure_id: str, lines: str = "") -> tuple[str, int]:
    """The viewer's work on the figure, and the version of its graph."""
    work = transcribing.take(viewer, figure_id, act_id=new_id()).subject_id
    if not lines:
        return work, 1
    drawn = transcribing.add_lines(viewer, work, lines, pasted=True, seen=1, act_id=new_id())
    assert drawn.receipt is not None
    return work, drawn.receipt.version


def decline(viewer: Viewer, figure_id: str, verdict: FigureVerdict = ILLEGIBLE, lines: str = "") -> str:
    work, version = taken(viewer, figure_id, lines)
    declining.decline(viewer, work, verdict, "  The print is too grey. ", seen=version, act_id=new_id())
    return work


def submit(viewer: Viewer, figure_id: str, lines: str = LINES) -> str:
    work, version = taken(viewer, figure_id, lines)
    transcribing.submit(viewer, work, seen=version, act_id=new_id())
    return work


def rule(viewer: Viewer, case: str, key: str, choice: Choice) -> AdjudicationView:
    version = editor.desk(viewer, case).version
    adjudicating.rule(viewer, case, key, choice, seen=version, act_id=new_id())
    return editor.desk(viewer, case)


def finish(viewer: Viewer, case: str) -> None:
    rounds.finish(viewer, case, seen=editor.desk(viewer, case).version, act_id=new_id())


def in_list(viewer: Viewer) -> declining.DeclinedFigure:
    (found,) = declining.declined_figures(viewer).figures
    return found


# --- one verdict -------------------------------------------------------------------------------------------------


@pytest.mark.both
def test_declining_ends_the_work_with_verdict_and_reason_and_keeps_what_was_drawn(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = decline(people.annotator, a_figure.id, lines=LINES)
    with study.store.reading() as session:
        row = session.get(AssignmentRow, work)
        assert row is not None
        assert (row.state, row.verdict, row.reason) == ("declined", "illegible", "The print is too grey.")
        assert row.submitted_at == study.clock()
        event = session.exec(select(EventRow).where(EventRow.act == "transcription.decline")).one()
        assert event.payload["verdict"] == "illegible" and event.subject_id == work
    shown = reading.transcription(people.annotator, work)
    assert (shown.state, shown.may_edit, len(shown.record.edges)) == ("declined", False, 2)
    assert (shown.verdict, shown.reason) == (ILLEGIBLE, "The print is too grey.")
    with pytest.raises(Refused, match="You declined this figure"):
        transcribing.add_lines(people.annotator, work, "A -> B", pasted=True, seen=2, act_id=new_id())
    with pytest.raises(Refused, match="You declined this figure"):
        declining.decline(people.annotator, work, PART, "Again", seen=2, act_id=new_id())
    (own,) = lists.own_lists(people.annotator).mine
    assert (own.state, own.verdict, own.can_resume) == ("declined", "illegible: The print is too grey.", False)


def test_declining_asks_for_a_reason_and_for_the_graph_as_it_stands(
    people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work, version = taken(people.annotator, a_figure.id, LINES)
    with pytest.raises(BadInput, match="Write why"):
        declining.decline(people.annotator, work, PART, "  ", seen=version, act_id=new_id())
    with pytest.raises(BadInput, match="2,001 characters; at most 2,000"):
        declining.decline(people.annotator, work, PART, "x" * 2_001, seen=version, act_id=new_id())
    with pytest.raises(Conflict):
        declining.decline(people.annotator, work, PART, "Why", seen=version - 1, act_id=new_id())
    with pytest.raises(Refused, match="Only its annotator"):
        declining.decline(people.colleague, work, PART, "Why", seen=version, act_id=new_id())
    assert reading.transcription(people.annotator, work).may_edit


@pytest.mark.both
def test_the_same_act_again_declines_once(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    work, version = taken(people.annotator, a_figure.id)
    act_id = new_id()
    first, second = (
        declining.decline(people.annotator, work, PART, "Why", seen=version, act_id=act_id) for _ in range(2)
    )
    assert second.is_repeat and second.seq == first.seq


def test_the_training_is_not_declined(
    people: SimpleNamespace, newcomer: Callable[..., Viewer], untrained: None
) -> None:
    viewer = newcomer("Fresh", Role.ANNOTATOR)
    work = practice.begin(viewer, act_id=new_id()).subject_id
    version = reading.transcription(viewer, work).version
    with pytest.raises(Refused, match="practice diagram"):
        declining.decline(viewer, work, PART, "Why", seen=version, act_id=new_id())
    now = reading.transcription(viewer, work)
    assert (now.may_edit, now.version, now.verdict) == (True, version, None)


def test_the_queue_goes_on_and_the_figure_goes_to_a_second_annotator(
    people: SimpleNamespace, a_figure: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> None:
    other = another_figure("Another paper")
    work = decline(people.annotator, a_figure.id)
    following = claim_next(people.annotator, FIGURES, act_id=new_id()).subject_id
    assert following != work
    assert reading.transcription(people.annotator, following).figure.id == other.id
    assert claim_next(people.colleague, FIGURES, act_id=new_id()).subject_id is not None
    assert line_of(people.owner, a_figure).holders[0].name == people.colleague.name


def test_a_figure_for_one_person_is_wanted_by_two_once_it_was_declined(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    settle(people.owner, overlap=1)
    decline(people.annotator, a_figure.id)
    assert (line_of(people.owner, a_figure).wanted, line_of(people.owner, a_figure).free) == (2, 1)
    submit(people.colleague, a_figure.id)
    assert line_of(people.owner, a_figure).free == 0


# --- two verdicts ------------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_two_equal_verdicts_close_the_figure_and_one_click_takes_it_and_its_paper_out(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    settle(people.owner, overlap=3)
    decline(people.annotator, a_figure.id)
    assert (in_list(people.owner).outcome, in_list(people.owner).decided) == (FigureOutcome.WAITING, None)
    with pytest.raises(Refused, match="once two annotators"):
        declining.take_out(people.owner, a_figure.id, act_id=new_id())
    decline(people.colleague, a_figure.id)
    third = newcomer("Third", Role.ANNOTATOR)
    assert lists.own_lists(third).free == () and line_of(people.owner, a_figure).free == 0
    with pytest.raises(Refused, match="Two annotators found no graph"):
        transcribing.take(third, a_figure.id, act_id=new_id())
    assert adjudication_lists.waiting(people.reviewer) == ()
    with pytest.raises(Refused, match="for the same reason"):
        rounds.begin(people.reviewer, a_figure.id, act_id=new_id())
    assert [
        step.sentence for step in overview.overview(people.owner).next_steps if "without a graph" in step.sentence
    ] == ["Exclude or reopen 1 figure without a graph"]
    found = in_list(people.owner)
    assert (found.outcome, found.decided, found.excludes_paper) == (FigureOutcome.CLOSED, ILLEGIBLE, True)
    assert [(each.verdict, each.reason) for each in found.verdicts] == [(ILLEGIBLE, "The print is too grey.")] * 2
    declining.take_out(people.owner, a_figure.id, act_id=new_id())
    assert in_list(people.owner).is_out
    paper = papers.paper(people.owner, found.paper_id)
    assert (paper.screening, paper.reasons) == (Screening.EXCLUDED, (ExclusionReason.POOR_LEGIBILITY,))
    with pytest.raises(Refused, match="already excluded from the study"):
        declining.take_out(people.owner, a_figure.id, act_id=new_id())


def test_a_paper_with_another_figure_stays_in(
    study: Study, people: SimpleNamespace, many_figures: Callable[[int], list[str]]
) -> None:
    first, _second = many_figures(2)
    for viewer in (people.annotator, people.colleague):
        decline(viewer, first)
    found = in_list(people.owner)
    assert not found.excludes_paper
    declining.take_out(people.owner, first, act_id=new_id())
    assert papers.paper(people.owner, found.paper_id).screening is not Screening.EXCLUDED
    assert in_list(people.owner).is_out


@pytest.mark.both(usually=False)
def test_the_owner_reopens_and_everything_is_as_before(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    before = papers.paper(people.owner, only_paper(people.owner)).screening
    first = decline(people.annotator, a_figure.id, lines=LINES)
    decline(people.colleague, a_figure.id)
    declining.take_out(people.owner, a_figure.id, act_id=new_id())
    with pytest.raises(BadInput, match="Write what to check again"):
        declining.reopen(people.owner, a_figure.id, " ", act_id=new_id())
    declining.reopen(people.owner, a_figure.id, "Zoom in, please look", act_id=new_id())
    assert papers.paper(people.owner, only_paper(people.owner)).screening is before
    shown = reading.transcription(people.annotator, first)
    assert (shown.state, shown.may_edit, shown.comment) == ("returned", True, "Zoom in, please look")
    assert (shown.verdict, len(shown.record.edges)) == (None, 2)
    transcribing.submit(people.annotator, first, seen=shown.version, act_id=new_id())
    assert declining.declined_figures(people.owner).figures == ()
    with pytest.raises(Refused, match="Nobody has declined"):
        declining.reopen(people.owner, a_figure.id, "Again", act_id=new_id())


def only_paper(viewer: Viewer) -> str:
    (line,) = papers.list_papers(viewer)
    return line.id


# --- a verdict against a graph -----------------------------------------------------------------------------------


def test_a_verdict_against_a_graph_is_the_first_difference_and_upheld_leaves_no_graph(
    people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    first = decline(people.annotator, a_figure.id, NOT_CAUSAL, lines="Draft -> Only")
    second = submit(people.colleague, a_figure.id)
    (waits,) = adjudication_lists.waiting(people.reviewer)
    assert (waits.state, waits.has_verdict) == ("ready", True)
    case = rounds.begin(people.reviewer, a_figure.id, act_id=new_id()).subject_id
    desk = editor.desk(people.reviewer, case)
    assert desk.waiting == (VERDICT_KEY,) and desk.nodes == () and desk.arrows == ()
    (only,) = desk.differences
    assert (only.difference.kind, only.sentence) == (DifferenceKind.VERDICT, "Is there a graph in this figure?")
    assert (only.a_says, only.b_says) == ("not a causal diagram", "a graph")
    with pytest.raises(Refused, match="Rule first that the figure has a graph"):
        adjudicating.set_arrow(people.reviewer, case, "A", "B", is_there=True, seen=desk.version, act_id=new_id())
    desk = rule(people.reviewer, case, VERDICT_KEY, Choice.A)
    assert desk.waiting == () and desk.arrows == ()
    finish(people.reviewer, case)
    assert in_list(people.owner).decided is NOT_CAUSAL
    assert [each.reason for each in releasing.preview(people.owner).left_out] == [
        "it was ruled to contain no graph: not a causal diagram"
    ]
    (upheld,) = feedback.feedback(people.annotator, first).rows
    assert (upheld.own, upheld.ruling, upheld.stood) == ("not a causal diagram", "not a causal diagram", True)
    (overruled,) = feedback.feedback(people.colleague, second).rows
    assert (overruled.own, overruled.stood) == ("a graph", False)
    declining.take_out(people.owner, a_figure.id, act_id=new_id())
    declining.reopen(people.owner, a_figure.id, "It is one after all", act_id=new_id())
    with pytest.raises(Refused, match="Reopen its adjudication"):
        declining.reopen(people.owner, a_figure.id, "Again", act_id=new_id())
    rounds.reopen(people.reviewer, case, "Looked at it again", act_id=new_id())
    assert rule(people.reviewer, case, VERDICT_KEY, Choice.B).has_graph


def test_an_overruled_verdict_opens_every_arrow_of_the_other_for_ruling(
    people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = decline(people.annotator, a_figure.id, NOT_CAUSAL, lines="Draft -> Only")
    submit(people.colleague, a_figure.id)
    case = rounds.begin(people.reviewer, a_figure.id, act_id=new_id()).subject_id
    desk = rule(people.reviewer, case, VERDICT_KEY, Choice.B)
    assert [one.sentence for one in desk.differences[1:]] == [
        "“Rain” → “Harvest” is drawn by B only",
        "“Harvest” → “Price” is drawn by B only",
    ]
    for one in desk.differences[1:]:
        desk = rule(people.reviewer, case, one.difference.key, Choice.B)
    finish(people.reviewer, case)
    assert [(arrow.source, arrow.sink) for arrow in desk.arrows] == [("Rain", "Harvest"), ("Harvest", "Price")]
    assert in_list(people.owner).decided is None
    with pytest.raises(Refused, match="once two annotators"):
        declining.take_out(people.owner, a_figure.id, act_id=new_id())
    assert releasing.preview(people.owner).left_out == ()
    found = feedback.feedback(people.annotator, work)
    assert [row.stood for row in found.rows] == [False, False, False]
    assert annotators.study_agreement(people.reviewer).rows(View.ALIGNED) == ()


def test_two_different_verdicts_are_ruled_on_too(people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    decline(people.annotator, a_figure.id, NOT_CAUSAL)
    decline(people.colleague, a_figure.id, PART)
    assert in_list(people.owner).outcome is FigureOutcome.DISPUTED
    case = rounds.begin(people.reviewer, a_figure.id, act_id=new_id()).subject_id
    (only,) = editor.desk(people.reviewer, case).differences
    assert (only.a_says, only.b_says) == ("not a causal diagram", "part of another figure")
    rule(people.reviewer, case, VERDICT_KEY, Choice.B)
    finish(people.reviewer, case)
    assert (in_list(people.owner).decided, in_list(people.owner).excludes_paper) == (PART, False)


# --- agreement, blindness, transfer ------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_agreement_tabulates_verdicts_and_leaves_such_figures_out_of_the_edge_tables(
    study: Study, people: SimpleNamespace, many_figures: Callable[[int], list[str]]
) -> None:
    figures = many_figures(5)
    for viewer in (people.annotator, people.colleague):
        submit(viewer, figures[0])
        submit(viewer, figures[1])
        decline(viewer, figures[2], ILLEGIBLE)
    decline(people.annotator, figures[3], NOT_CAUSAL)
    submit(people.colleague, figures[3])
    decline(people.annotator, figures[4], PART)  # by one only: not yet a pair
    declining.take_out(people.owner, figures[2], act_id=new_id())
    found = annotators.study_agreement(people.reviewer)
    assert len(found.figures) == 2
    assert found.verdicts.counts == ((2, 0, 0, 0), (1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 0))
    assert (found.verdicts.figures, found.verdicts.declined) == (4, 2)
    # Of 4 figures 3 alike. By chance: graph 2/4 · 3/4, illegible 1/4 · 1/4, together 7/16; κ = (12 - 7) / (16 - 7).
    assert found.verdicts.same.value == pytest.approx(0.75)
    assert found.verdicts.kappa.value == pytest.approx(5 / 9)
    assert files.words_of_declined(found).startswith("2 figures left out")
    lines = files.export_verdicts(people.reviewer).content.decode("utf-8-sig").splitlines()
    assert "figures,not a causal diagram,a graph,1," in lines
    assert any(line.startswith("kappa,,,0.55555") for line in lines)


def test_a_look_before_declining_is_told_and_others_verdicts_bar_their_viewer_from_drawing(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    decline(people.annotator, a_figure.id)
    assert in_list(people.researcher).verdicts[0].name == people.annotator.name
    with pytest.raises(Refused, match="seen or reviewed"):
        transcribing.take(people.researcher, a_figure.id, act_id=new_id())
    (done,) = line_of(people.owner, a_figure).done
    assert (done.state, done.looked_at) == ("declined", None)


def test_whoever_draws_a_figure_does_not_see_that_a_colleague_declined_it(
    people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    decline(people.annotator, a_figure.id)
    taken(people.researcher, a_figure.id)
    found = declining.declined_figures(people.researcher)
    assert (found.figures, found.left_out) == ((), 1)
    assert lists.submitted_work(people.reviewer) == ()
    with pytest.raises(Refused, match="until it is submitted"):
        reading.transcription(people.reviewer, lists.own_lists(people.annotator).mine[0].assignment_id or "")


def test_a_declined_draft_is_in_no_export_and_its_time_is_no_pace(
    people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    decline(people.annotator, a_figure.id, lines=LINES)
    counts = exporting.count_export(people.owner)
    assert (counts.graphs, counts.drafts) == (0, 0)
    (task,) = effort.study_effort(people.owner).tasks
    assert (task.state, task.edges, task.edges_per_minute.reason) == (
        "declined",
        None,
        "declined: no graph was submitted",
    )
    assert effort.study_effort(people.owner).total.tasks == 0


@pytest.mark.parametrize("name", ["Ada Lindqvist", "annotator7"])
def test_the_adjudicator_reads_why_there_is_no_graph_and_nobodys_name(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, newcomer: Callable[..., Viewer], name: str
) -> None:
    author = newcomer(name, Role.ANNOTATOR)
    work, version = taken(author, a_figure.id)
    said = f"A flow chart, says {name.split()[-1]}; {name} asked {people.colleague.name}: Boxes of a company."
    declining.decline(author, work, NOT_CAUSAL, said, seen=version, act_id=new_id())
    submit(people.colleague, a_figure.id)
    case = rounds.begin(people.reviewer, a_figure.id, act_id=new_id()).subject_id
    reasons = editor.desk(people.reviewer, case).reasons
    assert reasons == ("A flow chart, says A; A asked B: Boxes of a company.", "")
    assert name not in reasons[0] and people.colleague.name not in reasons[0]
