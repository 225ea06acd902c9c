"""Submission of a graph that a person built from a text as a model of a run.

Edges are typed on the edge list, with the actions of transcriptions (`services.transcription.transcribing`). A graph
is invisible to others until it is submitted; then it is an answer of the run, parsed and scored like a model's."""

from __future__ import annotations

from core.errors import Missing, Refused
from core.people import Receipt, Viewer
from core.runs.human_answers import human
from core.words import counted, quoted
from protocols import PROTOCOLS
from protocols.replies.graphs import write_graph
from runs.item_outcomes import outcome_of
from runs.offline.human_answers import reply_row, snapshot
from services.acting import Writing, perform
from services.pseudonyms import pseudonyms
from services.queue.rights import drawing_right
from services.queue.work import get_own
from services.readings.samples import names_given
from services.readings.work_kind import TEXT_GRAPHS, blind_sample
from services.transcription.editing import LockedTranscription, hold
from store import efforts
from store.assignments import touch
from store.runs import human_answers, items, replies
from store.runs.human_answers import RequestedSample
from store.runs.items import StoredReply

MOST_NAMES_SHOWN = 5


def submit(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Receipt:
    """Submit the user's graph: the final answer of the model human:PSEUDONYM, with the active time as its latency.
    `seen` is the version of the graph. Raises Refused without an edge, with a node that is not a given name, and for
    a user who has seen the text's graph or whose claim ended; Conflict if the graph changed."""

    def act(w: Writing) -> Receipt:
        get_own(w, TEXT_GRAPHS, assignment_id)
        transcription = hold(w, assignment_id, seen)
        row = transcription.row
        sample = blind_sample(w.session, row.subject_id, row.person_id, row)
        text = _answer(w, transcription, sample)
        row.state, row.submitted_at, row.expires_at = "submitted", w.now, None
        touch(w.session, row)
        protocol = PROTOCOLS.get(sample.protocol)
        if protocol is None:
            raise Missing(f"This Edgewise does not know the protocol {quoted(sample.protocol)}.")
        model = human(pseudonyms(w)[w.viewer.person_id])
        stored = items.sample_as_stored(w.session, sample.id)
        active = efforts.active_seconds(w.session, [row.id]).get(row.id, 0.0)
        reply = reply_row(model, row.id, stored.hash, text, active, w.now)
        replies.insert_replies(w.session, [reply])
        stored_reply = StoredReply(reply["request_hash"], "", text, None, reply["finish_reason"], None)
        run = human_answers.held_run(w.session, sample.run_id)
        if model not in run.settings["models"]:
            run.settings = {**run.settings, "models": {**run.settings["models"], model: snapshot(model)}}
        outcome = outcome_of(protocol, stored, stored_reply)
        item_id = human_answers.add_answer(w.session, sample, model, reply["request_hash"], outcome, w.now)
        w.session.add(run)
        w.session.flush()
        payload = {"run": sample.run, "item": item_id, "model": model, "graph_version": seen}
        return w.record("reading.submit", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, drawing_right(viewer), act_id, act)


def _answer(w: Writing, transcription: LockedTranscription, sample: RequestedSample) -> str:
    """Return the graph as a model would write it: by the numbers of the given names, or by its own names. Raises
    Refused for one that is no valid answer."""
    graph = transcription.record.graph()
    if not graph.edges:
        raise Refused("The graph has no edge. Draw at least one before you submit.")
    names = names_given(w.session, sample)
    if names and (others := [name for name in graph.nodes if name not in names]):
        shown = ", ".join(map(quoted, others[:MOST_NAMES_SHOWN])) + (" …" if len(others) > MOST_NAMES_SHOWN else "")
        raise Refused(
            f"Not submitted: {counted(len(others), 'node')} not among the given names: {shown}. Rename or remove them."
        )
    pairs = dict.fromkeys(edge.pair for edge in graph.edges)  # two edges of different sign are one here
    if not names:
        return write_graph(pairs)
    numbered = items.sample_as_stored(w.session, sample.id).truth["nodes"]
    return write_graph([(names[source], names[sink]) for source, sink in pairs], numbered)
