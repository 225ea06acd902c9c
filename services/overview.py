"""The overview: what is next for the viewer, how far the study is, and what happened last.

Each subject hands in its part (`services/<subject>/overview.py`); here they are put in order, and told to whom they are
for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from core.people import May, Role, Viewer
from core.words import counted
from services.acting import Reading, consulting
from services.adjudication import overview as adjudication
from services.graphs import overview as graphs
from services.overview_parts import FunnelStep, NextStep, SubjectNow
from services.papers import overview as papers
from services.people import overview as people
from services.questions import overview as questions
from services.queue import overview as queue
from services.readings import overview as readings
from services.releases import overview as releases
from services.runs import overview as runs
from services.texts import overview as texts
from services.transcription import overview as transcription
from services.triplets import overview as triplets
from services.verdicts import overview as verdicts
from store import history
from store.people import names_of
from store.tables import EventRow

PARTS = (
    triplets.OVERVIEW,
    papers.OVERVIEW,
    transcription.OVERVIEW,
    adjudication.OVERVIEW,
    texts.OVERVIEW,
    runs.OVERVIEW,
    readings.OVERVIEW,
    verdicts.OVERVIEW,
    queue.OVERVIEW,
    graphs.OVERVIEW,
    questions.OVERVIEW,
    releases.OVERVIEW,
    people.OVERVIEW,
)
"""In the order of the funnel's rows."""
WORDS = {act: words for part in PARTS for act, words in part.words.items()}
MANAGERS = frozenset[str]().union(*(part.managers for part in PARTS))
OF_EXPERTS = ("triplets.", "scoring.", "guidelines.")
"""Acts that are told to who scores and does nothing else."""
KINDS = (
    "first papers",
    "first triplets",
    "drawing",
    "scoring",
    "review",
    "curation",
    "declined",
    "ruling",
    "verdicts",
    "runs",
)
"""Kinds of next steps, in the order in which a study goes."""
FIRST: Mapping[Role, tuple[str, ...]] = {
    Role.EXPERT: ("scoring",),
    Role.ANNOTATOR: ("drawing",),
    Role.REVIEWER: ("ruling", "review", "verdicts"),
}
"""The kinds of work that a role's overview begins with; others go as a study does."""
NO_PEOPLE = {"worker": "the program"}
"""Actors that are no people → what screens call them; the history keeps its own word."""
MOST_TOLD = 12
LOOKED_BACK = 120
"""Events read for the last ones told: somebody who scores an afternoon makes one line of many events."""


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
        found = [part.now(r) for part in PARTS]
        return Overview(_next_steps(r.viewer, found), _funnel(r.viewer, found), _happenings(r))


def _next_steps(viewer: Viewer, found: list[SubjectNow]) -> tuple[NextStep, ...]:
    begins = [kind for role in FIRST if role in viewer.roles for kind in FIRST[role]]
    kinds = dict.fromkeys((*begins, *KINDS))
    return tuple(step for kind in kinds for subject in found for step in subject.steps.get(kind, ()))


def _funnel(viewer: Viewer, found: list[SubjectNow]) -> tuple[FunnelStep, ...]:
    """An expert's begins with their own scoring, and is nothing else if they neither draw nor review."""
    if Role.EXPERT in viewer.roles and not viewer.may(May.OPEN_WORK):
        return found[0].funnel
    return tuple(row for subject in found for row in subject.funnel)


def _happenings(r: Reading) -> tuple[Happening, ...]:
    shown = [act for act in WORDS if act not in MANAGERS or r.viewer.may(May.MANAGE)]
    if not (r.viewer.may(May.OPEN_WORK) or r.viewer.may(May.RUN)):
        shown = [act for act in shown if act.startswith(OF_EXPERTS)]
    events = history.last_events(r.session, LOOKED_BACK, shown)
    actors = {event.actor for event in events} | {event.on_behalf_of for event in events if event.on_behalf_of}
    names = names_of(r.session, actors)
    told: list[Happening] = []
    for (who, what), alike in groupby(events, key=lambda event: (_who(r.viewer, event, names), _what(event))):
        run = list(alike)
        told.append(Happening(run[0].at, who, what if len(run) == 1 else f"{what} · {counted(len(run), 'event')}"))
    return tuple(told[:MOST_TOLD])


def _what(event: EventRow) -> str:
    return WORDS[event.act].format_map(event.payload)


def _who(viewer: Viewer, event: EventRow, names: dict[str, str]) -> str:
    """Colleagues stay unnamed to people who work blind; reviewers, researchers and the owner see names."""
    actor = event.on_behalf_of or event.actor
    if actor == viewer.person_id:
        return "you"
    if actor not in names:
        return NO_PEOPLE.get(actor, actor)
    is_blind = not (viewer.may(May.REVIEW) or Role.OWNER in viewer.roles)
    return "someone" if is_blind else names[actor]
