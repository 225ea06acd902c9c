"""Places in the queue of texts to build graphs from: what is free for whom, and giving one out.

The subject is a sample of a run. As in every queue, a place is given while the subject's row is held, after dead claims
on it were ended and the live ones counted. Somebody builds the graph of a text once, and only if they know none of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from sqlmodel import Session

from core.errors import InvalidName, Refused
from core.graphs.names import clean_name
from core.graphs.record import GraphRecord, NodeRecord
from core.transcription.queue import QueueState, offered
from protocols import PROTOCOLS
from protocols.protocol import GraphTask
from services.acting import Reading, Writing
from services.queue.claim_expiry import expire, state_now
from services.queue.first_free import first_free
from services.queue.settings import settings_in
from store import assignments, queue
from store.assignments import EDITABLE, HANDED_IN, READING
from store.graphs import graphs
from store.runs import by_people, items
from store.runs.by_people import Seen, WantedSample
from store.tables import AssignmentRow, GraphRow, new_id
from store.tables.runs import RunSampleRow

NOTHING = "No text is free for you now. Texts appear here when a run asks people for graphs and places are free."
FULL = "All places of this text are taken. Take another text."
ENDED = "The run of this text is archived or cancelled. Your edges are kept; take another text."
SEEN = (
    "You have seen a graph of this text: its figure's, a colleague's, an answer or its ground truth. Yours would not "
    "be blind."
)
AGAIN = "You built a graph of this text before, so another would not be blind."


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


def open_to(r: Reading, person_id: str) -> list[WantedSample]:
    """The samples this person may take now, the one to hand out next first."""
    listed = wanted(r.session)
    if not listed:
        return []
    handed_in, at_it = counts(r)
    standings = [
        QueueState(subject_id=each.id, wanted=each.wanted, handed_in=handed_in[each.id], in_progress=at_it[each.id])
        for each in listed
    ]
    is_closed = _closed(r.session, person_id)
    by_id = {each.id: each for each in listed}
    closed = {each.id for each in listed if is_closed(each)}
    return [by_id[standing.subject_id] for standing in offered(standings, closed)]


def counts(r: Reading) -> tuple[Counter[str], Counter[str]]:
    """By sample, how many people submitted, and how many are at it."""
    handed_in, at_it = Counter[str](), Counter[str]()
    for row in assignments.assignments_of(r.session, READING):
        handed_in[row.subject_id] += row.state in HANDED_IN
        at_it[row.subject_id] += state_now(r.session, row, r.now) in EDITABLE
    return handed_in, at_it


def _closed(session: Session, person_id: str) -> Callable[[WantedSample], bool]:
    seen = by_people.seen_by(session, person_id)
    read = by_people.texts_read(session, person_id)
    texts = {text for _assignment, text, _subject in read}
    subjects = {subject for _assignment, _text, subject in read if subject is not None}
    return lambda each: each.text in texts or each.subject in subjects or is_seen(each, seen)


def is_seen(sample: WantedSample, seen: Seen) -> bool:
    """Whether its graph is among what somebody has seen."""
    kind, subject_id = sample.subject or ("", "")
    return subject_id in {"figure": seen.figures, "sample": seen.rows}.get(kind, frozenset())


def refuse_seen(session: Session, row: AssignmentRow, sample: WantedSample) -> None:
    """Raises Refused if its person has seen the graph meanwhile, or built one of this text under another sample."""
    if is_seen(sample, by_people.seen_by(session, row.person_id)):
        raise Refused(SEEN)
    for assignment_id, text, subject in by_people.texts_read(session, row.person_id):
        if assignment_id != row.id and (text == sample.text or (subject is not None and subject == sample.subject)):
            raise Refused(AGAIN)


# --- giving places -----------------------------------------------------------------------------------------------


def take_free(w: Writing, person_id: str) -> tuple[AssignmentRow, list[dict[str, Any]]]:
    """A place at the best free text for this person, who is held, and what the graph begins with. Raises Refused if
    there is none."""
    by_id = {each.id: each for each in open_to(w, person_id)}
    found = first_free(
        w.session,
        by_id,
        lambda sample_id, wait: queue.held_subject(w.session, READING, sample_id, wait=wait),
        lambda sample: _begun(w, sample, by_id[sample.id], person_id),
    )
    if found is None:
        raise Refused(NOTHING)
    return found


def _begun(
    w: Writing, row: RunSampleRow, sample: WantedSample, person_id: str
) -> tuple[AssignmentRow, list[dict[str, Any]]]:
    refuse_full(w, row, sample)
    kind, subject_id = sample.subject or ("", "")
    figure = assignments.figure(w.session, subject_id) if kind == "figure" else None
    graph = GraphRow(
        kind="prediction",
        title=f"{sample.title}, run {sample.run}",
        figure_id=figure.id if figure is not None else None,
        paper_id=figure.paper_id if figure is not None else None,
        created_by=person_id,
        created_at=w.now,
    )
    names = names_given(w.session, sample)
    nodes = [NodeRecord(id=new_id(), name=name, origin="declared") for name in names]
    changes = graphs.insert_graph(w.session, graph, GraphRecord({node.id: node for node in nodes}, {}))
    own = AssignmentRow(
        kind=READING,
        subject_id=sample.id,
        person_id=person_id,
        graph_id=graph.id,
        claimed_at=w.now,
        expires_at=w.now + settings_in(w.session).idle,
    )
    w.session.add(own)
    w.session.flush()
    return own, changes


def refuse_full(w: Writing, row: RunSampleRow, sample: WantedSample, but: str = "") -> None:
    """End dead claims on a sample that is held, but of the assignment `but`; raises Refused if no place is left, or its
    run asks nobody any more."""
    if not sample.wanted:
        raise Refused(ENDED)
    others = [each for each in queue.work_on(w.session, READING, row.id) if each.id != but]
    for each in others:
        expire(w.session, each, w.now)
    if sum(each.state != "abandoned" for each in others) >= sample.wanted:
        raise Refused(FULL)
