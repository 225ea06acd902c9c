"""Samples of runs that people are asked for: their task, and numbers of people who submitted or work on them."""

from __future__ import annotations

from collections import Counter

from sqlmodel import Session

from core.errors import InvalidName
from core.graphs.names import clean_name
from protocols import PROTOCOLS
from protocols.protocol import GraphTask
from services.acting import ReadContext
from services.queue.claim_expiry import state_now
from store import assignments
from store.assignments import EDITABLE, HANDED_IN, READING
from store.runs import human_answers, items
from store.runs.human_answers import RequestedSample


def terms_of(sample: RequestedSample) -> GraphTask | None:
    """Return the task as people see it; None if only models answer the sample."""
    protocol = PROTOCOLS.get(sample.protocol)
    tasks = () if protocol is None else protocol.tasks
    return next((task for task in tasks if task.name == sample.task and isinstance(task, GraphTask)), None)


def names_given(session: Session, sample: RequestedSample) -> dict[str, str]:
    """Return the given names, as a person types them → as in the truth; empty if only their number is given."""
    terms = terms_of(sample)
    if terms is None or sample.variant not in terms.given_in:
        return {}
    names: dict[str, str] = {}
    for name in items.sample_as_stored(session, sample.id).truth["nodes"]:
        try:
            typed = clean_name(name)
        except InvalidName:  # a released name that nobody can type; it is listed all the same
            typed = name
        names.setdefault(typed, name)
    return names


def requested_samples(session: Session) -> list[RequestedSample]:
    """Return every sample that people are asked for."""
    return [each for each in human_answers.requested_samples(session) if terms_of(each) is not None]


def counts(r: ReadContext) -> tuple[Counter[str], Counter[str]]:
    """Return by sample the number of people who submitted, and of those who work on it."""
    submitted, at_it = Counter[str](), Counter[str]()
    for row in assignments.assignments_of(r.session, READING):
        submitted[row.subject_id] += row.state in HANDED_IN
        at_it[row.subject_id] += state_now(r.session, row, r.now) in EDITABLE
    return submitted, at_it
