"""The overview: what is next for the viewer, how far the study is, and what happened last."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.papers import Screening
from core.people import May, Role, Viewer
from services import training, worklists
from services.acting import Reading, consulting
from store import assignments, history, papers, people
from store.assignments import EDITABLE, HANDED_IN, TRANSCRIPTION
from store.tables import EventRow

WORDS = {
    "paper.import": "added a paper",
    "paper.references": "imported references",
    "paper.reference": "added a reference",
    "paper.attach": "added a paper's file",
    "paper.describe": "described a paper",
    "paper.screen": "screened a paper",
    "paper.archive": "archived a paper",
    "paper.restore": "restored a paper",
    "figure.locate": "located a figure",
    "figure.relocate": "corrected a figure's place",
    "figure.archive": "archived a figure",
    "figure.restore": "restored a figure",
    "transcription.take": "took a figure",
    "transcription.submit": "submitted a transcription",
    "transcription.return": "returned a transcription",
    "transcription.accept": "accepted a transcription",
    "adjudication.begin": "began to adjudicate a figure",
    "adjudication.take_over": "went on with an adjudication",
    "adjudication.finish": "adjudicated a figure",
    "adjudication.reopen": "reopened an adjudication",
    "guidelines.write": "wrote new guidelines",
    "training.waive": "waived someone's training",
    "training.ask": "asked someone to take the training",
    "person.add": "added a person",
    "person.accept": "joined the study",
    "person.roles": "changed someone's roles",
    "person.deactivate": "deactivated someone",
    "person.activate": "reactivated someone",
    "graph.align": "aligned the names of two graphs",
    "study.import": "imported graphs",
    "study.export": "exported the study",
}
PRIVATE = (
    "person.add",
    "person.accept",
    "person.roles",
    "person.deactivate",
    "person.activate",
    "training.waive",
    "training.ask",
)


@dataclass(frozen=True, slots=True)
class NextStep:
    """One thing to do: a sentence, the page it is on and the query parameters that open it there."""

    sentence: str
    detail: str
    page: str
    link: dict[str, str]


@dataclass(frozen=True, slots=True)
class FunnelStep:
    label: str
    count: int
    page: str
    link: dict[str, str]


@dataclass(frozen=True, slots=True)
class Happening:
    """An event in words. `who` is a name the viewer may see, "you", or empty."""

    at: datetime
    who: str
    what: str


@dataclass(frozen=True, slots=True)
class Overview:
    next_steps: tuple[NextStep, ...]
    funnel: tuple[FunnelStep, ...]
    happenings: tuple[Happening, ...]


def overview(viewer: Viewer) -> Overview:
    with consulting(viewer, May.READ_STUDY) as r:
        funnel = _funnel(r)
        happenings = _happenings(r)
        live = r.viewer
    return Overview(_next_steps(live, funnel), funnel, happenings)


def _next_steps(viewer: Viewer, funnel: tuple[FunnelStep, ...]) -> tuple[NextStep, ...]:
    steps: list[NextStep] = []
    waits = training.due(viewer) if viewer.may(May.TRANSCRIBE) else training.Due()
    if waits.guidelines:
        steps.append(NextStep("Read the guidelines", f"Version {waits.guidelines} is new to you", "transcribe", {}))
    elif waits.training:
        steps.append(NextStep("Draw the training figure", "Before your first figure opens", "transcribe", {}))
    if viewer.may(May.TRANSCRIBE):
        for work in worklists.my_work(viewer):
            if work.assignment_id is None or work.state not in EDITABLE:
                continue
            word = "Continue" if work.state == "open" else "Came back"
            so_far = f"{work.edges} edge{'' if work.edges == 1 else 's'} so far"
            steps.append(
                NextStep(
                    f"{word}: {work.paper_title}",
                    f"{work.figure_label or work.place} · {work.comment or so_far}",
                    "transcribe",
                    {"transcription": work.assignment_id},
                )
            )
        free = worklists.figures_to_take(viewer)
        if free:
            waiting = f"{len(free)} located figure{'' if len(free) == 1 else 's'} you have not drawn"
            steps.append(NextStep(f"Take: {free[0].paper_title}", waiting, "transcribe", {}))
    counts = {step.label: step.count for step in funnel}
    if viewer.may(May.REVIEW) and counts["submitted"]:
        steps.append(
            NextStep(f"Review {counts['submitted']} submitted", "Accept, or return with a comment", "transcribe", {})
        )
    if viewer.may(May.CURATE):
        steps.extend(_curation(counts))
    return tuple(steps)


def _curation(counts: dict[str, int]) -> list[NextStep]:
    if not counts["candidates"]:
        return [NextStep("Add the first papers", "Drop PDFs or pictures, or import references", "papers", {})]
    steps = []
    unscreened = counts["candidates"] - counts["screened"]
    if unscreened:
        steps.append(NextStep(f"Screen {unscreened}", "Candidates without a decision", "papers", {"show": "open"}))
    return steps


def _funnel(r: Reading) -> tuple[FunnelStep, ...]:
    lines = papers.paper_lines(r.session)
    figures = assignments.located_figures(r.session)
    begun = assignments.count_by_subject(r.session, TRANSCRIPTION, (*EDITABLE, *HANDED_IN))
    done = assignments.count_by_subject(r.session, TRANSCRIPTION, HANDED_IN)
    waiting = assignments.count_by_subject(r.session, TRANSCRIPTION, ("submitted",))
    ids = {figure.id for figure, _paper in figures}
    page = "papers" if r.viewer.may(May.CURATE) else ""
    work = "transcribe" if r.viewer.may(May.OPEN_WORK) else ""
    return (
        FunnelStep("candidates", len(lines), page, {}),
        FunnelStep("screened", sum(row.screening != Screening.OPEN for row, *_ in lines), page, {"show": "screened"}),
        FunnelStep("figures located", len(figures), page, {"show": "located"}),
        FunnelStep("begun", len(ids & begun.keys()), work, {}),
        FunnelStep("transcribed once", len(ids & done.keys()), work, {}),
        FunnelStep("twice", sum(done.get(figure_id, 0) >= 2 for figure_id in ids), work, {}),
        FunnelStep("submitted", sum(waiting.values()), work, {}),
    )


def _happenings(r: Reading) -> tuple[Happening, ...]:
    shown = [act for act in WORDS if act not in PRIVATE or r.viewer.may(May.MANAGE)]
    events = history.last_events(r.session, 12, shown)
    actors = {event.actor for event in events} | {event.on_behalf_of for event in events if event.on_behalf_of}
    names = people.names_of(r.session, actors)
    return tuple(Happening(event.at, _who(r.viewer, event, names), WORDS[event.act]) for event in events)


def _who(viewer: Viewer, event: EventRow, names: dict[str, str]) -> str:
    """Colleagues stay unnamed to people who work blind; reviewers, researchers and the owner see names."""
    actor = event.on_behalf_of or event.actor
    if actor == viewer.person_id:
        return "you"
    if actor not in names:
        return actor
    is_blind = not (viewer.may(May.REVIEW) or Role.OWNER in viewer.roles)
    return "someone" if is_blind else names[actor]
