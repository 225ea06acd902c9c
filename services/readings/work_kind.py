"""Texts in the work queue: who may build their graph, and its initial nodes.

The subject is a sample of a run. A person builds the graph of a text once, and only if they have not seen it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlmodel import Session

from core.errors import Refused
from core.graphs.record import GraphRecord, NodeRecord
from core.people import Permission, Viewer
from core.transcription.queue import Candidate
from services.acting import ReadContext, Writing
from services.queue.claim_expiry import GONE
from services.queue.rights import drawing_right
from services.queue.settings import settings_in
from services.queue.work import QueueWords, WorkKind
from services.readings.samples import counts, names_given, requested_samples
from store import assignments
from store.assignments import READING
from store.graphs import graphs
from store.runs import human_answers
from store.runs.human_answers import RequestedSample
from store.tables import AssignmentRow, GraphRow, new_id
from store.tables.runs import RunSampleRow

SEEN = (
    "You have seen a graph of this text: its figure's, a colleague's, an answer or its ground truth. Yours would not "
    "be blind."
)
AGAIN = "You built a graph of this text before, so another would not be blind."


class TextGraphWork(WorkKind):
    words = QueueWords(
        subject="text",
        in_events="sample",
        nothing_free=(
            "No text is free for you now. Texts appear here when a run asks people for graphs and places are free."
        ),
        full="All places of this text are taken. Take another text.",
        expired=GONE,
        skipped=GONE,
        changed="This graph has been changed elsewhere since you opened it.",
        submitted="This graph is submitted",
        not_own="This graph belongs to someone else and stays hidden.",
        missing="No such text has been assigned.",
    )
    acts = "reading"

    def permission(self, viewer: Viewer) -> Permission:
        return drawing_right(viewer)

    def stored_kinds(self, session: Session) -> tuple[str, ...]:
        return (READING,)

    def idle_limit(self, session: Session) -> timedelta:
        return settings_in(session).idle

    def candidates(self, r: ReadContext, person_id: str) -> Iterable[Candidate]:
        listed = requested_samples(r.session)
        if not listed:
            return []
        reason, (submitted, in_progress) = _blind_check(r.session, person_id), counts(r)
        return [
            Candidate(each.id, each.wanted, submitted[each.id] + in_progress[each.id])
            for each in listed
            if not reason(each)
        ]

    def claim_counts(self, w: Writing, subject: RunSampleRow, others: Sequence[AssignmentRow]) -> tuple[int, int]:
        return sum(row.state != "abandoned" for row in others), human_answers.sample_of(w.session, subject.id).wanted

    def refuse(self, w: Writing, subject: RunSampleRow, person_id: str, own: AssignmentRow | None) -> None:
        blind_sample(w.session, subject.id, person_id, own)

    def begin(self, w: Writing, subject: RunSampleRow, row: AssignmentRow) -> Mapping[str, Any]:
        """Create a graph of the given names; without nodes if only their number is given."""
        if row.graph_id is not None:
            return {}
        sample = human_answers.sample_of(w.session, subject.id)
        kind, subject_id = sample.subject or ("", "")
        figure = assignments.figure(w.session, subject_id) if kind == "figure" else None
        graph = GraphRow(
            kind="prediction",
            title=f"{sample.title}, run {sample.run}",
            figure_id=figure.id if figure is not None else None,
            paper_id=figure.paper_id if figure is not None else None,
            created_by=row.person_id,
            created_at=w.now,
        )
        names = names_given(w.session, sample)
        nodes = [NodeRecord(id=new_id(), name=name, origin="declared") for name in names]
        changes = graphs.insert_graph(w.session, graph, GraphRecord({node.id: node for node in nodes}, {}))
        row.graph_id = graph.id
        return {"changes": changes}


TEXT_GRAPHS = TextGraphWork()


def blind_sample(session: Session, sample_id: str, person_id: str, own: AssignmentRow | None) -> RequestedSample:
    """Return a sample for a person who builds its graph blind. Raises Refused if its run no longer asks people, if
    they have seen the graph, or built one of this text in a claim other than `own`."""
    sample = human_answers.sample_of(session, sample_id)
    if not sample.wanted:
        raise Refused("The run of this text is archived or cancelled. Your edges are kept; take another text.")
    if reason := _blind_check(session, person_id, own)(sample):
        raise Refused(reason)
    return sample


def _blind_check(
    session: Session, person_id: str, own: AssignmentRow | None = None
) -> Callable[[RequestedSample], str]:
    """Return a function that gives the reason why a sample is closed to a person; empty if it is open."""
    seen = human_answers.seen_by(session, person_id)
    built = [each for each in human_answers.texts_read(session, person_id) if own is None or each[0] != own.id]
    texts = {text for _assignment, text, _subject in built}
    subjects = {subject for _assignment, _text, subject in built if subject is not None}

    def reason(sample: RequestedSample) -> str:
        kind, subject_id = sample.subject or ("", "")
        if subject_id in {"figure": seen.figures, "sample": seen.rows}.get(kind, frozenset()):
            return SEEN
        return AGAIN if sample.text in texts or sample.subject in subjects else ""

    return reason
