"""Building the graph of a text as a model of a run: the next text, its edges, skip and submit.

The edges are typed on the edge list, by the acts of transcriptions (`services.transcription.transcribing`), which know
a graph and whose it is. Nobody sees a graph before it is submitted; then it is an answer of the run, read and scored
like a model's.
"""

from __future__ import annotations

from core.errors import BadInput, Missing, Refused
from core.people import Receipt, Viewer
from core.runs.by_people import human
from core.words import counted, quoted
from protocols import PROTOCOLS
from protocols.replies.graphs import write_graph
from runs.outcomes import outcome_of
from runs.unsent.by_people import reply_row, snapshot
from services.acting import Writing, perform
from services.pseudonyms import pseudonyms
from services.queue.rights import drawing_right
from services.queue.settings import settings_in
from services.readings import claims
from services.readings.reading import own, state_of
from services.transcription.editing import LockedTranscription, hold
from store import assignments, efforts, queue
from store.assignments import HANDED_IN, READING
from store.runs import by_people, items, replies
from store.runs.by_people import WantedSample
from store.runs.items import KeptReply

LONGEST_REASON = 2_000
MOST_TOLD = 5


def take_next(viewer: Viewer, *, act_id: str) -> Receipt:
    """Go on with one's own unfinished graph, else take the next text. The receipt's subject is the assignment. Raises
    Refused if no text has a place for this person."""

    def act(w: Writing) -> Receipt:
        queue.hold_person(w.session, w.viewer.person_id)
        mine = assignments.assignments_of_person(w.session, READING, w.viewer.person_id)
        row = next((one for one in mine if state_of(w, one) == "open"), None)
        if row is not None:
            return w.record("reading.resume", "assignment", row.id, version=row.version)
        row, changes = claims.take_free(w, w.viewer.person_id)
        payload = {"sample": row.subject_id, "changes": changes}
        return w.record(
            "reading.take", "assignment", row.id, version=row.version, graph_id=row.graph_id, payload=payload
        )

    return perform(viewer, drawing_right(viewer), act_id, act)


def resume(viewer: Viewer, assignment_id: str, *, act_id: str) -> Receipt:
    """Go on with a text that one skipped, or whose claim lapsed.

    Raises Refused if its places are taken by now, if its run asks nobody any more, or if one has seen its graph.
    """

    def act(w: Writing) -> Receipt:
        row = own(w, assignment_id)
        subject = queue.held_subject(w.session, READING, row.subject_id)
        assert subject is not None, "nothing is ever deleted"
        w.session.refresh(row)
        if row.state in HANDED_IN:
            raise Refused("This graph is submitted.")
        sample = by_people.sample_of(w.session, row.subject_id)
        claims.refuse_seen(w.session, row, sample)
        if state_of(w, row) != "open":
            claims.refuse_full(w, subject, sample, but=row.id)
        row.state, row.reason, row.expires_at = "open", "", w.now + settings_in(w.session).idle
        w.session.add(row)
        w.session.flush()
        return w.record("reading.resume", "assignment", row.id, version=row.version)

    return perform(viewer, drawing_right(viewer), act_id, act)


def skip(viewer: Viewer, assignment_id: str, reason: str, *, seen: int, act_id: str) -> Receipt:
    """Give a text up and say why; its place is free for someone else, and it is not offered to oneself again. The edges
    so far are kept, and count nowhere. `seen`: the version of the graph. Raises BadInput without a reason, Refused for
    somebody else's, submitted or lapsed work, Conflict if the graph moved on."""
    plain = reason.replace("\x00", "").strip()
    if not plain:
        raise BadInput("Give a reason for skipping this text.")
    if len(plain) > LONGEST_REASON:
        raise BadInput(f"This text has {len(plain):,} characters; at most {LONGEST_REASON:,} are allowed.")

    def act(w: Writing) -> Receipt:
        row = _held(w, assignment_id, seen).row
        row.state, row.reason, row.expires_at = "abandoned", plain, None
        w.session.add(row)
        w.session.flush()
        return w.record("reading.skip", "assignment", row.id, version=row.version, payload={"reason": plain})

    return perform(viewer, drawing_right(viewer), act_id, act)


def submit(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Receipt:
    """Submit one's graph, for good: it is an answer of the model human:PSEUDONYM of its run, with one's active time in
    the place of a latency. `seen`: the version of the graph.

    Raises Refused without an edge, with a node that is not among the given names, or for whoever has seen the text's
    graph meanwhile; Conflict if the graph moved on; as `skip` otherwise.
    """

    def act(w: Writing) -> Receipt:
        held = _held(w, assignment_id, seen)
        row = held.row
        sample = by_people.sample_of(w.session, row.subject_id)
        if not sample.wanted:
            raise Refused(claims.ENDED)
        claims.refuse_seen(w.session, row, sample)
        text = _answer(w, held, sample)
        row.state, row.submitted_at, row.expires_at = "submitted", w.now, None
        w.session.add(row)
        w.session.flush()
        model, item_id = _keep(w, row.id, sample, text)
        payload = {"run": sample.run, "item": item_id, "model": model, "graph_version": seen}
        return w.record("reading.submit", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, drawing_right(viewer), act_id, act)


def _held(w: Writing, assignment_id: str, seen: int) -> LockedTranscription:
    own(w, assignment_id)
    return hold(w, assignment_id, seen)


def _answer(w: Writing, held: LockedTranscription, sample: WantedSample) -> str:
    """The graph as a model would write it: by the numbers of the given names, or by its own. Raises Refused for one
    that is no answer."""
    graph = held.record.graph()
    if not graph.edges:
        raise Refused("The graph has no edge. Draw at least one before you submit.")
    given = claims.names_given(w.session, sample)
    if given and (others := [name for name in graph.nodes if name not in given]):
        shown = ", ".join(map(quoted, others[:MOST_TOLD])) + (" …" if len(others) > MOST_TOLD else "")
        raise Refused(
            f"Not submitted: {counted(len(others), 'node')} not among the given names: {shown}. Rename or remove them."
        )
    pairs = dict.fromkeys(edge.pair for edge in graph.edges)  # two edges of different sign are one here
    if not given:
        return write_graph(pairs)
    numbered = items.kept_sample(w.session, sample.id).truth["nodes"]
    return write_graph([(given[source], given[sink]) for source, sink in pairs], numbered)


def _keep(w: Writing, assignment_id: str, sample: WantedSample, text: str) -> tuple[str, str]:
    """Write the answer into its run; (the model's name there, the item)."""
    protocol = PROTOCOLS.get(sample.protocol)
    if protocol is None:
        raise Missing(f"This Edgewise does not know the protocol {quoted(sample.protocol)}.")
    model = human(pseudonyms(w)[w.viewer.person_id])
    kept = items.kept_sample(w.session, sample.id)
    active = efforts.active_seconds(w.session, [assignment_id]).get(assignment_id, 0.0)
    reply = reply_row(model, assignment_id, kept.hash, text, active, w.now)
    replies.insert_replies(w.session, [reply])
    said = KeptReply(reply["request_hash"], "", text, None, reply["finish_reason"], None)
    run = by_people.held_run(w.session, sample.run_id)
    if model not in run.settings["models"]:
        run.settings = {**run.settings, "models": {**run.settings["models"], model: snapshot(model)}}
    outcome = outcome_of(protocol, kept, said)
    item_id = by_people.add_answer(w.session, sample, model, reply["request_hash"], outcome, w.now)
    w.session.add(run)
    w.session.flush()
    return model, item_id
