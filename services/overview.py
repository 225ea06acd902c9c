"""The overview: what is next for the viewer, how far the study is, and what happened last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from core.papers.papers import Screening
from core.people import May, Role, Viewer
from core.runs.states import AT_WORK, ItemStatus, RunState, standing
from core.transcription.queue import QueueState
from core.words import counted
from services.acting import Reading, consulting
from services.adjudication import feedback, lists
from services.runs.reading import LIVELY, summed
from services.transcription import claims, declining, practice
from services.transcription import lists as worklists
from services.triplets import scoring
from store import assignments, history, papers, people
from store.assignments import ADJUDICATION, EDITABLE, TRANSCRIPTION
from store.runs import counts as run_counts
from store.runs import replies
from store.runs import runs as stored_runs
from store.tables import EventRow, PaperRow
from store.triplets import triplets

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
    "figure.take_out": "took a figure without a graph out of the study",
    "figure.reopen": "returned a declined figure to its annotators",
    "transcription.take": "took a figure",
    "transcription.submit": "submitted a transcription",
    "transcription.decline": "declined a figure",
    "transcription.return": "returned a transcription",
    "transcription.accept": "accepted a transcription",
    "adjudication.begin": "began to adjudicate a figure",
    "adjudication.take_over": "went on with an adjudication",
    "adjudication.finish": "adjudicated a figure",
    "adjudication.reopen": "reopened an adjudication",
    "queue.assign": "handed out a figure",
    "queue.free": "gave a figure back to the queue",
    "triplets.import": "imported triplets",
    "scoring.submit": "scored a triplet",
    "scoring.settings": "changed how triplets are handed out for scoring",
    "queue.settings": "changed how figures are handed out",
    "blindness.settings": "changed which imported graphs annotators see",
    "guidelines.write": "wrote new guidelines",
    "training.waive": "waived someone's training",
    "training.ask": "asked someone to take the training",
    "person.add": "added a person",
    "person.accept": "joined the study",
    "person.roles": "changed someone's roles",
    "person.deactivate": "deactivated someone",
    "person.activate": "reactivated someone",
    "person.unlock": "unlocked someone’s sign-in",
    "graph.align": "aligned the names of two graphs",
    "run.start": "set up a model run",
    "run.pause": "paused a model run",
    "run.stop": "stopped a model run",
    "run.wait": "had a model run wait for a server",
    "run.go_on": "went on with a model run",
    "run.try": "had a server tried again",
    "run.finish": "finished a model run",
    "run.resume": "resumed a model run",
    "run.cancel": "cancelled a model run",
    "run.retry": "asked again what had failed in a model run",
    "run.rescore": "read a model run’s replies again",
    "run.budget": "changed the budget of a model run",
    "run.archive": "archived a model run",
    "run.restore": "brought a model run back",
    "endpoint.save": "set up where models are asked",
    "model.save": "wrote a model card",
    "study.import": "imported graphs",
    "study.export": "exported the study",
}
OF_EXPERTS = ("triplets.", "scoring.", "guidelines.")
"""Acts that are told to who scores and does nothing else."""
FIRST: Mapping[Role, tuple[str, ...]] = {
    Role.EXPERT: ("scoring",),
    Role.ANNOTATOR: ("drawing",),
    Role.REVIEWER: ("ruling", "review"),
}
"""The kinds of work that a role's overview begins with; others go as a study does."""
TRIPLET_FILES = "EconCausal's task files, or triplets of your own, as JSON lines, CSV or Parquet"
MOST_TOLD = 12
MOST_RUNS = 3
LOOKED_BACK = 120
"""Events read for the last ones told: somebody who scores an afternoon makes one line of many events."""
PRIVATE = (
    "person.add",
    "person.accept",
    "person.roles",
    "person.deactivate",
    "person.activate",
    "person.unlock",
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
        lines = papers.paper_lines(r.session)
        funnel = _funnel(r, lines)
        declined = declining.count_declined(r) if r.viewer.may(May.CURATE) else 0
        unlocated = sum(row.screening == Screening.INCLUDED and not figures for row, _pages, figures in lines)
        happenings = _happenings(r)
        ruling, runs = _ruling(r), _running(r)
        has_triplets = bool(triplets.collections(r.session))
        live = r.viewer
    steps = {
        **_next_steps(live, funnel, unlocated, has_triplets=has_triplets),
        "declined": list(_declined(declined)),
        "ruling": ruling,
        "runs": runs,
    }
    begins = [kind for role in FIRST if role in live.roles for kind in FIRST[role]]
    ordered = [step for kind in dict.fromkeys((*begins, *steps)) for step in steps[kind]]
    return Overview(tuple(ordered), _seen_funnel(live, funnel), happenings)


def _next_steps(
    viewer: Viewer, funnel: tuple[FunnelStep, ...], unlocated: int, *, has_triplets: bool
) -> dict[str, list[NextStep]]:
    """By kind of work, in the order in which a study goes."""
    ways, steps = list[NextStep](), list[NextStep]()
    found: dict[str, list[NextStep]] = {"ways": ways, "drawing": steps, "scoring": [], "review": [], "curation": []}
    waits = practice.due(viewer) if viewer.may(May.TRANSCRIBE) else practice.Due()
    counts = {step.label: step.count for step in funnel}
    if viewer.may(May.CURATE) and not counts["candidates"]:
        ways.append(NextStep("Add the first papers", "Drop PDFs or pictures, or import references", "papers", {}))
        if viewer.may(May.RUN) and not has_triplets:
            ways.append(NextStep("Import triplets to ask models about", TRIPLET_FILES, "exchange", {}))
    if waits.guidelines:
        steps.append(NextStep("Read the guidelines", f"Version {waits.guidelines} is new to you", "transcribe", {}))
    elif waits.training:
        steps.append(NextStep("Draw the training figure", "Before your first figure opens", "transcribe", {}))
    if viewer.may(May.TRANSCRIBE):
        steps.extend(_drawing(viewer, is_ready=not waits.is_anything))
    if viewer.may(May.SCORE):
        found["scoring"] = _scoring(viewer)
    if viewer.may(May.REVIEW) and counts["to review"]:
        what = f"Review {counted(counts['to review'], 'submitted transcription')}"
        found["review"] = [NextStep(what, "Accept, or return with a comment", "transcribe", {})]
    if viewer.may(May.CURATE):
        found["curation"] = _curation(counts["candidates"] - counts["screened"], unlocated)
    return found


def _drawing(viewer: Viewer, *, is_ready: bool) -> list[NextStep]:
    """One's own unfinished work, what lapsed and can be taken up again, and the figure that the queue gives next."""
    steps = []
    for work in worklists.my_work(viewer):
        if work.assignment_id is None or not (work.state in EDITABLE or work.can_resume):
            continue
        word = {"open": "Continue", "returned": "Came back"}.get(work.state, "Lapsed")
        so_far = f"{counted(work.edges, 'edge')} so far"
        about = f"{work.figure_label or work.place} · {work.comment or so_far}"
        steps.append(
            NextStep(f"{word}: {work.paper_title}", about, "transcribe", {"transcription": work.assignment_id})
        )
    free = worklists.figures_to_take(viewer) if is_ready else ()
    if free:
        waiting = f"{free[0].figure_label or free[0].place} · {counted(len(free), 'figure')} with a free place"
        steps.append(NextStep(f"Take: {free[0].paper_title}", waiting, "transcribe", {}))
    return steps


def _ruling(r: Reading) -> list[NextStep]:
    """What waits for an adjudicator, and rulings on one's own work that one has not looked at."""
    steps = []
    fresh = feedback.count_new(r) if r.viewer.may(May.TRANSCRIBE) else 0
    if fresh:
        what = "1 of your transcriptions was" if fresh == 1 else f"{fresh} of your transcriptions were"
        steps.append(NextStep("See what changed in your work", f"{what} ruled on", "transcribe", {}))
    ready, begun = lists.count_ready(r) if r.viewer.may(May.ADJUDICATE) else (0, 0)
    if begun:
        steps.append(NextStep(f"Go on adjudicating {counted(begun, 'figure')}", "Begun by you", "adjudicate", {}))
    if ready:
        steps.append(NextStep(f"Adjudicate {counted(ready, 'figure')}", "Transcribed twice, blind", "adjudicate", {}))
    return steps


def _running(r: Reading) -> list[NextStep]:
    """Model runs that go on only if somebody does something."""
    if not r.viewer.may(May.RUN):
        return []
    rows = stored_runs.runs(r.session)
    if not rows and triplets.collections(r.session):
        return [NextStep("Set up a first model run", "Baselines alone need no key", "runs", {"show": "new"})]
    by_model = run_counts.by_status(r.session, [row.id for row in rows])
    counts = {row.id: summed(by_model.get(row.id, {})) for row in rows}
    has_worker = bool(replies.workers(r.session, r.now - LIVELY))
    steps = []
    for row in rows:
        link = {"run": str(row.number)}
        if row.state == RunState.STOPPED:
            steps.append(NextStep(f"Run {row.number} stopped by itself", row.reason, "runs", link))
        elif row.state in AT_WORK and not has_worker:
            steps.append(NextStep(f"Run {row.number} waits for a worker", "No worker is running", "runs", link))
        elif row.state == RunState.WAITING:
            reason = row.reason[:1].upper() + row.reason[1:]
            steps.append(NextStep(f"Run {row.number} waits for a server", reason, "runs", link))
        elif row.state == RunState.DONE and counts[row.id][ItemStatus.FAILED]:
            steps.append(NextStep(f"Ask again what failed in run {row.number}", standing(counts[row.id]), "runs", link))
    return steps[:MOST_RUNS]


def _scoring(viewer: Viewer) -> list[NextStep]:
    """The triplet one began, what lapsed, and how many wait."""
    waits = scoring.waiting(viewer)
    own = f"{waits.in_expertise:,} of your own fields come first" if waits.in_expertise else ""
    if waits.unfinished:
        return [NextStep("Continue scoring the triplet you began", own, "triplets", {})]
    steps = [NextStep(f"{waits.free:,} {_wait(waits.free)} for your scores", own, "triplets", {})] if waits.free else []
    if waits.lapsed:
        lapsed = f"{waits.lapsed:,} {'triplet' if waits.lapsed == 1 else 'triplets'} of yours lapsed"
        steps.append(NextStep(lapsed, "What you scored is kept", "triplets", {"which": "lapsed"}))
    return steps


def _wait(n: int) -> str:
    return "triplet waits" if n == 1 else "triplets wait"


def _declined(figures: int) -> list[NextStep]:
    """Figures of which it is decided that they hold no graph, and that are in the study still."""
    if not figures:
        return []
    what = f"Take out {counted(figures, 'figure')} without a graph, or ask again"
    return [NextStep(what, "Declined alike by two annotators, or ruled so", "transcribe", {"show": "declined"})]


def _curation(unscreened: int, unlocated: int) -> list[NextStep]:
    """Papers to decide on, and included ones whose diagram nobody has shown yet."""
    steps = []
    if unscreened:
        what = f"Screen {counted(unscreened, 'paper')}"
        steps.append(NextStep(what, "Candidates without a decision", "papers", {"show": "open"}))
    if unlocated:
        what = f"Locate the diagram in {counted(unlocated, 'paper')}"
        steps.append(NextStep(what, "Included, and no figure to transcribe yet", "papers", {"show": "unlocated"}))
    return steps


def _seen_funnel(viewer: Viewer, funnel: tuple[FunnelStep, ...]) -> tuple[FunnelStep, ...]:
    """An expert's begins with their own scoring, and is nothing else if they neither draw nor review."""
    if Role.EXPERT not in viewer.roles:
        return funnel
    waits = scoring.waiting(viewer)
    own = (
        FunnelStep("waiting for you", waits.free, "triplets", {}),
        FunnelStep("begun by you", waits.unfinished, "triplets", {}),
        FunnelStep("scored by you", waits.submitted, "triplets", {"which": "submitted"}),
    )
    return (*own, *funnel) if viewer.may(May.OPEN_WORK) else own


def _funnel(r: Reading, lines: list[tuple[PaperRow, int | None, int]]) -> tuple[FunnelStep, ...]:
    figures = [place.standing for place in claims.places(r)]
    waiting = assignments.count_by_subject(r.session, TRANSCRIPTION, ("submitted",))
    # Where two draw a figure, adjudication settles what they submit; a reviewer is asked about the others.
    drawn_twice = {each.subject_id for each in figures if max(each.wanted, each.handed_in) >= 2 or each.is_closed}
    to_review = sum(number for figure, number in waiting.items() if figure not in drawn_twice)
    ruled = assignments.assignments_in(r.session, ADJUDICATION, ("submitted",))
    page = "papers" if r.viewer.may(May.CURATE) else ""
    work = "transcribe" if r.viewer.may(May.OPEN_WORK) else ""
    return (
        FunnelStep("candidates", len(lines), page, {}),
        FunnelStep("screened", sum(row.screening != Screening.OPEN for row, *_ in lines), page, {"show": "screened"}),
        FunnelStep("figures located", len(figures), page, {"show": "located"}),
        FunnelStep("begun", sum(figure.taken > 0 for figure in figures), work, {}),
        FunnelStep("transcribed once", sum(_drawn(figure) > 0 for figure in figures), work, {}),
        # As the queue counts it: a figure that three people shall draw is not done with two.
        FunnelStep("transcribed twice", sum(_drawn(figure) >= max(2, figure.wanted) for figure in figures), work, {}),
        FunnelStep("to review", to_review, work, {}),
        FunnelStep("adjudicated", len(ruled), "adjudicate" if r.viewer.may(May.ADJUDICATE) else "", {}),
        FunnelStep("model runs", len(stored_runs.runs(r.session)), "runs" if r.viewer.may(May.REVIEW) else "", {}),
    )


def _drawn(figure: QueueState) -> int:
    """How many graphs of it were handed in."""
    return figure.handed_in - figure.declined


def _happenings(r: Reading) -> tuple[Happening, ...]:
    shown = [act for act in WORDS if act not in PRIVATE or r.viewer.may(May.MANAGE)]
    if not (r.viewer.may(May.OPEN_WORK) or r.viewer.may(May.RUN)):
        shown = [act for act in shown if act.startswith(OF_EXPERTS)]
    events = history.last_events(r.session, LOOKED_BACK, shown)
    actors = {event.actor for event in events} | {event.on_behalf_of for event in events if event.on_behalf_of}
    names = people.names_of(r.session, actors)
    told: list[Happening] = []
    for (who, what), alike in groupby(events, key=lambda event: (_who(r.viewer, event, names), WORDS[event.act])):
        run = list(alike)
        told.append(Happening(run[0].at, who, what if len(run) == 1 else f"{what}, {len(run)} times"))
    return tuple(told[:MOST_TOLD])


def _who(viewer: Viewer, event: EventRow, names: dict[str, str]) -> str:
    """Colleagues stay unnamed to people who work blind; reviewers, researchers and the owner see names."""
    actor = event.on_behalf_of or event.actor
    if actor == viewer.person_id:
        return "you"
    if actor not in names:
        return actor
    is_blind = not (viewer.may(May.REVIEW) or Role.OWNER in viewer.roles)
    return "someone" if is_blind else names[actor]
