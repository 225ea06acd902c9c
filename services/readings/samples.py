"""Samples of runs that people are asked for: what is said of each, and how many people submitted or are at it."""

from __future__ import annotations

from collections import Counter

from sqlmodel import Session

from core.errors import InvalidName
from core.graphs.names import clean_name
from protocols import PROTOCOLS
from protocols.protocol import GraphTask
from services.acting import Reading
from services.queue.claim_expiry import state_now
from store import assignments
from store.assignments import EDITABLE, HANDED_IN, READING
from store.runs import by_people, items
from store.runs.by_people import WantedSample


def terms_of(sample: WantedSample) -> GraphTask | None:
    """What people are told of a sample; None for one that only models answer."""
    protocol = PROTOCOLS.get(sample.protocol)
    tasks = () if protocol is None else protocol.tasks
    return next((task for task in tasks if task.name == sample.task and isinstance(task, GraphTask)), None)


def names_given(session: Session, sample: WantedSample) -> dict[str, str]:
    """The names that are told, as a person types them → as they are in the truth; none where only their number is."""
    terms = terms_of(sample)
    if terms is None or sample.variant not in terms.given_in:
        return {}
    found: dict[str, str] = {}
    for name in items.kept_sample(session, sample.id).truth["nodes"]:
        found.setdefault(_typed(name), name)
    return found


def _typed(name: str) -> str:
    try:
        return clean_name(name)
    except InvalidName:  # as released; nobody can type it, and it is listed all the same
        return name


def wanted(session: Session) -> list[WantedSample]:
    """Every sample that people are asked for."""
    return [each for each in by_people.wanted_samples(session) if terms_of(each) is not None]


def counts(r: Reading) -> tuple[Counter[str], Counter[str]]:
    """By sample, how many people submitted, and how many are at it."""
    handed_in, at_it = Counter[str](), Counter[str]()
    for row in assignments.assignments_of(r.session, READING):
        handed_in[row.subject_id] += row.state in HANDED_IN
        at_it[row.subject_id] += state_now(r.session, row, r.now) in EDITABLE
    return handed_in, at_it
