"""Credit: what each person submitted, how much of it the ground truth accepted, and their share of the total.

Published practice credits in proportion to the nodes labelled; shares by edges are shown as well. Names are for the
owner; once identities are destroyed the same counts appear under pseudonyms.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields

from core.estimate import Estimate, ratio
from core.graphs.names import fold_name
from core.graphs.record import GraphRecord
from core.papers.releases import TruthOrigin
from core.people import Permission, Role, Viewer
from exchange.edge_table import table_bytes
from services.acting import ReadContext, consulting
from services.files import ExportedFile
from services.pseudonyms import pseudonyms
from store import assignments, efforts, people, releases, rulings
from store.assignments import ADJUDICATION, EXPLICITNESS, HANDED_IN, READING, SCORED_KINDS, TRANSCRIPTION, VERDICT
from store.graphs import graphs
from store.releases import Truth
from store.tables import AssignmentRow

NOTHING = "nothing has been submitted yet"
COLUMNS = (
    "name",
    "pseudonym",
    "roles",
    "transcriptions",
    "nodes",
    "edges",
    "nodes accepted",
    "edges accepted",
    "share by nodes",
    "share by edges",
    "adjudications",
    "triplets scored",
    "texts labelled",
    "graphs from texts",
    "sheets of verdicts",
    "active hours",
)


@dataclass(frozen=True, slots=True)
class Labelled:
    """Counts of submitted work, and of its elements that are in finished ground truth."""

    transcriptions: int = 0
    nodes: int = 0
    edges: int = 0
    nodes_accepted: int = 0
    edges_accepted: int = 0

    def __add__(self, other: Labelled) -> Labelled:
        return Labelled(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit:
    """One person's work. Shares are 0–1 of everything submitted; `active_hours` includes work not submitted."""

    person_id: str
    name: str
    pseudonym: str
    roles: tuple[Role, ...]
    transcriptions: int
    nodes: int
    edges: int
    nodes_accepted: int
    edges_accepted: int
    share_of_nodes: Estimate
    share_of_edges: Estimate
    adjudications: int
    triplets: int  # scored
    texts: int  # whose nodes they labelled
    text_graphs: int
    sheets: int  # of verdicts
    active_hours: float

    @property
    def is_any(self) -> bool:
        counts = (self.transcriptions, self.adjudications, self.triplets, self.texts, self.text_graphs, self.sheets)
        return any(counts) or self.active_hours > 0


@dataclass(frozen=True, slots=True)
class CreditReport:
    """Everyone who did something, most nodes first, and the totals behind the shares."""

    people: tuple[Credit, ...]
    nodes: int
    edges: int
    single: int = 0  # figures whose ground truth is one transcription: nobody compared it, so it is not "accepted"
    imported: int = 0  # figures whose ground truth was imported: its maker has no line here


def credit(viewer: Viewer) -> CreditReport:
    with consulting(viewer, Permission.MANAGE) as r:
        truths = _truths_of_study(r)
        origins = Counter(truth.origin for truth in truths.values())
        labelled = _count_labelled(r, truths)
        works = [work for kind in (TRANSCRIPTION, ADJUDICATION) for work in assignments.assignments_of(r.session, kind)]
        measured = efforts.active_seconds(r.session, [work.id for work in works])
        seconds: dict[str, float] = defaultdict(float)
        for work in works:
            seconds[work.person_id] += measured.get(work.id, 0.0)
        finished = assignments.assignments_in(r.session, ADJUDICATION, HANDED_IN)
        adjudicated = Counter(work.person_id for work in finished)
        submitted = assignments.submitted_by_person(r.session)
        called = pseudonyms(r)
        everyone = people.all_people(r.session)
    nodes, edges = (sum(getattr(each, what) for each in labelled.values()) for what in ("nodes", "edges"))
    lines = [
        Credit(
            person_id=row.id,
            name=row.name,
            pseudonym=called[row.id],
            roles=tuple(Role(role) for role in row.roles),
            transcriptions=own_counts.transcriptions,
            nodes=own_counts.nodes,
            edges=own_counts.edges,
            nodes_accepted=own_counts.nodes_accepted,
            edges_accepted=own_counts.edges_accepted,
            share_of_nodes=ratio(own_counts.nodes, nodes, NOTHING),
            share_of_edges=ratio(own_counts.edges, edges, NOTHING),
            adjudications=adjudicated[row.id],
            triplets=sum(done.get(kind, 0) for kind in SCORED_KINDS),
            texts=done.get(EXPLICITNESS, 0),
            text_graphs=done.get(READING, 0),
            sheets=done.get(VERDICT, 0),
            active_hours=seconds[row.id] / 3600,
        )
        for row in everyone
        for own_counts, done in [(labelled.get(row.id, Labelled()), submitted.get(row.id, {}))]
    ]
    worked = [line for line in lines if line.is_any]
    return CreditReport(
        tuple(sorted(worked, key=lambda line: (-line.nodes, -line.edges, -line.triplets, line.pseudonym))),
        nodes,
        edges,
        single=origins[TruthOrigin.SINGLE],
        imported=origins[TruthOrigin.IMPORTED],
    )


def export_credit(viewer: Viewer) -> ExportedFile:
    """Export the report as a CSV for spreadsheets; an undefined share is an empty cell."""
    with consulting(viewer, Permission.MANAGE) as r:
        name = f"{r.study.name}-credit.csv"
    rows = (_cells(line) for line in credit(viewer).people)
    return ExportedFile(name, "text/csv", table_bytes(COLUMNS, rows, safe=True))


def _cells(line: Credit) -> list[str]:
    shares = (line.share_of_nodes.value, line.share_of_edges.value)
    counts = (line.transcriptions, line.nodes, line.edges, line.nodes_accepted, line.edges_accepted)
    return [
        line.name,
        line.pseudonym,
        " ".join(line.roles),
        *map(str, counts),
        *("" if share is None else f"{share:.6f}" for share in shares),
        *map(str, (line.adjudications, line.triplets, line.texts, line.text_graphs, line.sheets)),
        f"{line.active_hours:.3f}",
    ]


# --- counting ---------------------------------------------------------------------------------------------------


def _truths_of_study(r: ReadContext) -> dict[str | None, Truth]:
    """Return figure → its finished ground truth."""
    return {
        truth.graph.figure_id: truth
        for truth in releases.ground_truths(r.session)
        if truth.adjudication is None or truth.adjudication.state in HANDED_IN
    }


def _count_labelled(r: ReadContext, truths: Mapping[str | None, Truth]) -> dict[str, Labelled]:
    works = assignments.assignments_in(r.session, TRANSCRIPTION, HANDED_IN)
    counts = graphs.count_elements(r.session, [work.graph_id or "" for work in works])
    accepted = _count_accepted(r, works, truths)
    by_person: dict[str, Labelled] = defaultdict(Labelled)
    for work in works:
        nodes, edges = counts[work.graph_id or ""]
        by_person[work.person_id] += Labelled(1, nodes, edges, *accepted[work.id])
    return by_person


def _count_accepted(
    r: ReadContext, works: Iterable[AssignmentRow], truths: Mapping[str | None, Truth]
) -> Mapping[str, tuple[int, int]]:
    pairs = rulings.between_of(r.session, [truth.adjudication for truth in truths.values() if truth.adjudication])
    records = graphs.read_graphs(r.session, [truth.graph.id for truth in truths.values()])
    by_work: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for work in works:
        truth = truths.get(work.subject_id)
        if truth is not None and truth.origin is not TruthOrigin.SINGLE:
            pair = pairs.get(truth.adjudication.id) if truth.adjudication else None
            own = graphs.read_graph(r.session, work.graph_id or "")
            # Origin in the ground truth, "" if the transcription was not one of the two adjudicated.
            side = "" if pair is None else {pair.first: "first", pair.second: "second"}.get(work.id, "")
            by_work[work.id] = _accepted_elements(own, records[truth.graph.id], side)
    return by_work


def _accepted_elements(own: GraphRecord, truth: GraphRecord, side: str) -> tuple[int, int]:
    """Count adjudicated work by origin, since a ruling may have reworded a variable; other work by name."""
    if side:
        origins = ("both", side)
        return (
            sum(node.origin in origins for node in truth.nodes.values()),
            sum(edge.origin in origins for edge in truth.edges.values()),
        )
    names = [{fold_name(node.name) for node in record.nodes.values()} for record in (own, truth)]
    pairs = [{(fold_name(e.source), fold_name(e.sink)) for e in record.graph().edges} for record in (own, truth)]
    return len(names[0] & names[1]), len(pairs[0] & pairs[1])
