"""Overview of transcription: the viewer's own work, the next figure of the queue, and what waits for review."""

from __future__ import annotations

from core.people import Permission
from core.transcription.queue import QueueState
from core.words import counted
from services.acting import ReadContext
from services.overview_contributions import FunnelStep, NextStep, OverviewPart, SubjectStatus
from services.transcription import claims, comments, declining, lists, practice
from store import assignments
from store.assignments import TRANSCRIPTION

WORDS = {
    "transcription.take": "took a figure",
    "transcription.resume": "resumed a figure",
    "transcription.submit": "submitted a transcription",
    "transcription.decline": "declined a figure",
    "transcription.return": "returned a transcription",
    "transcription.accept": "accepted a transcription",
    "guidelines.write": "saved new guidelines",
    "proposals.settings": "changed the proposal settings",
    "late.settings": "changed whether the reading is shown after submitting",
    "proposals.models": "changed which models may be sent figures",
    "training.waive": "waived someone's practice diagram",
    "training.ask": "asked someone to draw the practice diagram",
}
MANAGERS = frozenset({"training.waive", "training.ask"})
MOST_WORKS = 5  # of the viewer's own unfinished transcriptions, each shown as a step
_UNFINISHED = "a step of one person's work, which is blind until it is submitted"
_LEARNING = "how someone learns is between them and who manages people"
_LATE = "a step of one person's work, after it was submitted and before it is final"
PRIVATE = {
    "graph.edit": _UNFINISHED,
    "graph.same": _UNFINISHED,
    "graph.undo": _UNFINISHED,
    "graph.redo": _UNFINISHED,
    "transcription.comment": "comments are between an annotator and reviewers",
    "late.open": _LATE,
    "late.close": _LATE,
    "guidelines.acknowledge": _LEARNING,
    "guidelines.picture": "a picture is seen once the guidelines that show it are saved",
    "training.begin": _LEARNING,
    "training.check": _LEARNING,
}


def _current(r: ReadContext) -> SubjectStatus:
    places = claims.places(r)
    figures = [place.state for place in places]
    waiting = assignments.count_by_subject(r.session, TRANSCRIPTION, ("submitted",))
    # Where two draw a figure, adjudication settles what they submit; a reviewer is asked about the others.
    drawn_twice = {each.subject_id for each in figures if max(each.wanted, each.submitted) >= 2 or each.is_closed}
    to_review = sum(number for figure, number in waiting.items() if figure not in drawn_twice)
    return SubjectStatus(
        {
            "comments": _comments(r),
            "drawing": _drawing(r, places) if r.viewer.may(Permission.TRANSCRIBE) else [],
            "review": _review(to_review) if r.viewer.may(Permission.REVIEW) else [],
            "declined": _declined(declining.count_declined(r)) if r.viewer.may(Permission.CURATE) else [],
        },
        _funnel(r, figures, to_review),
    )


def _comments(r: ReadContext) -> list[NextStep]:
    steps, unread = list[NextStep](), comments.unread(r) if r.viewer.may(Permission.OPEN_WORK) else ()
    for is_mine, words in ((True, "on your transcriptions"), (False, "by annotators")):
        works = [each for each in unread if each.is_mine is is_mine]
        if works:
            figure, paper = assignments.subject_of(r.session, works[0].figure_id)
            sentence = f"Read {counted(sum(each.number for each in works), 'new comment')} {words}"
            link = {"transcription": works[0].assignment_id}
            steps.append(NextStep(sentence, f"{paper.title} · {figure.label or figure.place}", "transcribe", link))
    return steps


def _drawing(r: ReadContext, places: list[claims.QueuedFigure]) -> list[NextStep]:
    waits, steps = practice.due_in(r), list[NextStep]()
    if waits.guidelines:
        steps.append(NextStep("Read the guidelines", f"Version {waits.guidelines} is new to you", "transcribe", {}))
    elif waits.training:
        steps.append(NextStep("Draw the practice diagram", "Before your first figure opens", "transcribe", {}))
    known = claims.known_to(r, r.viewer.person_id)
    own, total = lists.own_unfinished(r, places, known, MOST_WORKS)
    for work in own:
        word = {"open": "Continue", "returned": "Correct"}.get(work.state, "Expired")
        so_far = f"{counted(work.edges, 'edge')} so far"
        about = f"{work.figure_label or work.place} · {work.comment or so_far}"
        link = {"transcription": work.assignment_id or ""}
        steps.append(NextStep(f"{word}: {work.paper_title}", about, "transcribe", link))
    if total > len(own):
        more = counted(total - len(own), "more transcription")
        steps.append(NextStep(f"Continue {more}", "Taken by you, and not submitted yet", "transcribe", {}))
    free = [] if waits.is_anything else claims.free_figures(places, known, r.viewer.person_id)
    if r.viewer.may(Permission.ADJUDICATE):  # they are asked to rule on these, and nobody rules on their own work
        free = [place for place in free if place.state.submitted < 2]
    if free:
        first = free[0].figure
        about = f"{first.label or first.place} · {counted(len(free), 'figure')} in your queue"
        steps.append(NextStep(f"Take: {first.paper_title}", about, "transcribe", {}))
    return steps


def _review(submitted: int) -> list[NextStep]:
    if not submitted:
        return []
    what = f"Review {counted(submitted, 'submitted transcription')}"
    return [NextStep(what, "Accept, or return with a comment", "transcribe", {})]


def _declined(figures: int) -> list[NextStep]:
    if not figures:
        return []
    what = f"Exclude or reopen {counted(figures, 'figure')} without a graph"
    return [NextStep(what, "Two annotators or an adjudicator found no graph", "transcribe", {"show": "declined"})]


def _funnel(r: ReadContext, figures: list[QueueState], to_review: int) -> tuple[FunnelStep, ...]:
    page = "papers" if r.viewer.may(Permission.CURATE) else ""
    work = "transcribe" if r.viewer.may(Permission.OPEN_WORK) else ""
    return (
        FunnelStep("figures located", len(figures), page, {"show": "located"}),
        FunnelStep("transcription started", sum(figure.taken > 0 for figure in figures), work, {}),
        FunnelStep("transcription submitted", sum(_drawn(figure) > 0 for figure in figures), work, {}),
        # By the queue's count: a figure that needs three transcriptions is not complete with two.
        FunnelStep(
            "all transcriptions submitted", sum(_drawn(figure) >= max(2, figure.wanted) for figure in figures), work, {}
        ),
        FunnelStep("to review", to_review, work, {}),
    )


def _drawn(figure: QueueState) -> int:
    return figure.submitted - figure.declined


OVERVIEW = OverviewPart(WORDS, PRIVATE, MANAGERS, _current)
