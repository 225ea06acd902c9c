"""The overview: the viewer's next steps, the state of the study, and recent events.

Each subject contributes its part (`services/<subject>/overview.py`); here they are ordered and filtered by role.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from core.people import Permission, Role, Viewer
from core.words import counted
from services.acting import TERMINAL, ReadContext, consulting
from services.adjudication import overview as adjudication
from services.failures import overview as failures
from services.graphs import overview as graphs
from services.overview_contributions import FunnelStep, NextStep
from services.papers import overview as papers
from services.people import overview as people
from services.questions import overview as questions
from services.queue import overview as queue
from services.readings import overview as readings
from services.releases import overview as releases
from services.runs import overview as runs
from services.setup_steps import SetupStep, setup_steps
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
    failures.OVERVIEW,
    queue.OVERVIEW,
    graphs.OVERVIEW,
    questions.OVERVIEW,
    releases.OVERVIEW,
    people.OVERVIEW,
)
WORDS = {act: words for part in PARTS for act, words in part.words.items()}
MANAGERS = frozenset[str]().union(*(part.managers for part in PARTS))
OF_EXPERTS = ("triplets.", "scoring.", "guidelines.")  # acts shown to people who only score
# Kinds of next steps, in the order of a study.
KINDS = (
    "first papers",
    "first triplets",
    "comments",
    "drawing",
    "scoring",
    "review",
    "curation",
    "declined",
    "ruling",
    "verdicts",
    "codes",
    "runs",
)
# Kinds of work that come first on a role's overview; the others keep the order of a study.
FIRST: Mapping[Role, tuple[str, ...]] = {
    Role.EXPERT: ("scoring",),
    Role.ANNOTATOR: ("comments", "drawing"),
    Role.REVIEWER: ("comments", "ruling", "review", "verdicts"),
}
NO_PEOPLE = {
    "worker": "the program",
    TERMINAL: "the command line",
}  # actors that are no people → their names on screens
MOST_ACTIVITY_LINES = 12
LOOKED_BACK = 120  # events that are read for these lines: an afternoon of scoring is one line of many events


@dataclass(frozen=True, slots=True)
class ActivityLine:
    """An event as text. `who` is a name the viewer may see, "you", or empty for a colleague whom they may not know."""

    at: datetime
    who: str
    what: str


@dataclass(frozen=True, slots=True)
class Overview:
    setup: tuple[SetupStep, ...]  # the owner's checklist; empty for others and once all is done
    next_steps: tuple[NextStep, ...]
    funnel: tuple[FunnelStep, ...]
    happenings: tuple[ActivityLine, ...]


def overview(viewer: Viewer) -> Overview:
    with consulting(viewer, Permission.READ_STUDY) as r:
        subjects = [part.now(r) for part in PARTS]
        setup = setup_steps(r)
        kinds = KINDS[1:] if setup else KINDS  # the checklist asks for the first papers
        first = [kind for role in FIRST if role in r.viewer.roles for kind in FIRST[role]]
        steps = (s for kind in dict.fromkeys((*first, *kinds)) for part in subjects for s in part.steps.get(kind, ()))
        # An expert's funnel starts with their own scoring, and ends there if they neither draw nor review.
        is_expert_only = Role.EXPERT in r.viewer.roles and not r.viewer.may(Permission.OPEN_WORK)
        funnel = (row for part in (subjects[:1] if is_expert_only else subjects) for row in part.funnel)
        return Overview(setup, tuple(steps), tuple(funnel), _activity(r))


def next_work(viewer: Viewer, page: str = "") -> NextStep | None:
    """Return the viewer's first next step that is on another page than `page`; None if there is none."""
    return next((step for step in overview(viewer).next_steps if step.page != page), None)


def _activity(r: ReadContext) -> tuple[ActivityLine, ...]:
    shown = [act for act in WORDS if act not in MANAGERS or r.viewer.may(Permission.MANAGE)]
    if not (r.viewer.may(Permission.OPEN_WORK) or r.viewer.may(Permission.RUN)):
        shown = [act for act in shown if act.startswith(OF_EXPERTS)]
    events = history.last_events(r.session, LOOKED_BACK, shown)
    actors = {event.actor for event in events} | {event.on_behalf_of for event in events if event.on_behalf_of}
    names = names_of(r.session, actors)
    lines: list[ActivityLine] = []
    by_text = groupby(events, key=lambda e: (_actor_name(r.viewer, e, names), WORDS[e.act].format_map(e.payload)))
    for (who, what), alike in by_text:
        run = list(alike)
        lines.append(ActivityLine(run[0].at, who, what if len(run) == 1 else f"{what} · {counted(len(run), 'event')}"))
    return tuple(lines[:MOST_ACTIVITY_LINES])


def _actor_name(viewer: Viewer, event: EventRow, names: dict[str, str]) -> str:
    """Return the actor's name; colleagues are unnamed for people who work blind, annotators for those who rule."""
    actor = event.on_behalf_of or event.actor
    if actor == viewer.person_id:
        return "you"
    if actor not in names:
        return NO_PEOPLE.get(actor, actor)
    may_know = Permission.ASSIGN if event.act.startswith("transcription.") else Permission.REVIEW
    is_blind = not (viewer.may(may_know) or Role.OWNER in viewer.roles)
    return "" if is_blind else names[actor]
