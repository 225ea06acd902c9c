"""Coverage check: nodes not swept, unused printed texts and arrows, open doubts.

Transcribers rarely invent but often miss things, so a figure is checked node by node and text by text. The annotator's
answers are stored as marks, with the same history and undo as the edges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.errors import BadInput, Missing, Refused
from core.graphs.checks import Doubt, DoubtKind
from core.graphs.names import clean_name
from core.papers.pages import Box
from core.people import Permission, Receipt, Viewer
from core.transcription.arrow_matching import arrow_id
from core.transcription.label_nodes import unused_labels
from core.transcription.marks import MarkChange, Marks, key_of
from core.transcription.sweep import ABOUT_NODES, doubt_key, open_doubts, pair_key, text_key
from core.transcription.unmatched_arrows import UnmatchedArrow, both_printed, unmatched_arrows
from core.words import quoted
from services.acting import consulting
from services.transcription.editing import Edit, LockedTranscription, as_same, edit, renamed
from services.transcription.figure_proposals import place_of, proposals_at_hand, read_proposals
from services.transcription.proposal_settings import withheld_from
from services.transcription.reading import NOTHING_READ, require_visible
from store import assignments
from store.graphs import graphs
from store.graphs import marks as stored_marks

LONGEST_TEXT = 1_000
MOST_ABOUT = 10
MOST_ARROWS = 1_000

Decided = Literal["distinct", "same", ""]


@dataclass(frozen=True, slots=True)
class NodeCoverage:
    """A node, with the number of edges that leave and reach it."""

    id: str
    name: str
    outgoing: int
    incoming: int
    swept: bool  # the annotator stated that all edges out of it are drawn


@dataclass(frozen=True, slots=True)
class UnusedText:
    """A printed text that no node uses, dismissed if the annotator stated that it is no variable."""

    text: str
    box: Box
    is_dismissed: bool


@dataclass(frozen=True, slots=True)
class Coverage:
    nodes: tuple[NodeCoverage, ...]
    unused: tuple[UnusedText, ...]  # in reading order
    open_doubts: tuple[Doubt, ...]  # by kind
    bare: tuple[UnmatchedArrow, ...]  # printed arrows without an edge, from top to bottom

    @property
    def is_complete(self) -> bool:
        is_all_read = all(text.is_dismissed for text in self.unused) and all(one.is_dismissed for one in self.bare)
        return is_all_read and all(node.swept for node in self.nodes) and not self.open_doubts


def coverage(viewer: Viewer, assignment_id: str) -> Coverage:
    """Return the current coverage; slow if the figure was not read yet. Raises Refused for others' unsubmitted work."""
    with consulting(viewer, Permission.OPEN_WORK) as r:
        row = assignments.assignment(r.session, assignment_id)
        require_visible(r, row)
        graph_id = row.graph_id or ""
        record, marks = graphs.read_graph(r.session, graph_id), stored_marks.read_marks(r.session, graph_id)
        try:
            figure, is_offered = assignments.figure(r.session, row.subject_id), not withheld_from(row)
            place = place_of(r, figure, with_models=is_offered)
        except Missing:
            place = None  # a paper without a file prints nothing
    reading = read_proposals(place) if place else NOTHING_READ
    dismissed = marks.of("not a variable")
    unused = tuple(
        UnusedText(label.text, label.box, text_key(label.text) in dismissed)
        for label in unused_labels(reading.printed, record, marks)
    )
    printed = [text.text for text in unused if not text.is_dismissed]
    bare = unmatched_arrows(reading, record, marks, is_offered=not withheld_from(row))
    doubts = open_doubts(record.graph(), printed, marks, both_printed(reading, record, marks))
    out = Counter(edge.source_id for edge in record.edges.values())
    into = Counter(edge.sink_id for edge in record.edges.values())
    swept = marks.swept
    nodes = tuple(
        NodeCoverage(node.id, node.name, out[node.id], into[node.id], node.id in swept)
        for node in record.nodes.values()
    )
    return Coverage(nodes, unused, doubts, bare)


def attest(viewer: Viewer, assignment_id: str, name: str, swept: bool, *, seen: int, act_id: str) -> Receipt:
    """State that all edges out of a node are drawn, or withdraw it. Removing such an edge withdraws it too.

    Raises InvalidGraph if there is no such node.
    """

    def make(locked: LockedTranscription) -> Edit:
        return Edit(marks=locked.marks.setting("swept", locked.node(name).id, {} if swept else None))

    return edit(
        viewer, assignment_id, make, seen=seen, act_id=act_id, note="sweep" if swept else "sweep again", asked=(name,)
    )


def not_a_variable(viewer: Viewer, assignment_id: str, text: str, is_none: bool, *, seen: int, act_id: str) -> Receipt:
    """State that a printed text is no variable (a title, a loop's mark), or withdraw it. Raises BadInput."""
    shown = " ".join(text.split())
    if not shown or len(shown) > LONGEST_TEXT:
        raise BadInput(f"The printed text has {len(shown):,} characters; it must have 1 to {LONGEST_TEXT:,}.")

    def make(locked: LockedTranscription) -> Edit:
        value = {"text": shown} if is_none else None
        key = text_key(shown)
        is_same = value is not None and locked.marks.get("not a variable", key) is not None
        return Edit(marks=() if is_same else locked.marks.setting("not a variable", key, value))

    return edit(viewer, assignment_id, make, seen=seen, act_id=act_id, note="not a variable", asked=(shown, is_none))


def not_an_edge(viewer: Viewer, assignment_id: str, arrow: str, is_none: bool, *, seen: int, act_id: str) -> Receipt:
    """State that a printed arrow is no edge (a legend, an axis), or withdraw it. `arrow` is its id. Raises BadInput."""

    def make(locked: LockedTranscription) -> Edit:
        if not is_none:
            return Edit(marks=locked.marks.setting("not an edge", arrow, None))
        reading = proposals_at_hand(locked.w.session, locked.row.subject_id) or NOTHING_READ
        path = next((one.path for one in reading.arrows if arrow_id(one) == arrow), None)
        if path is None:
            raise BadInput("The figure no longer shows this arrow. Reload the page.")
        return Edit(marks=locked.marks.setting("not an edge", arrow, {"path": [[x, y] for x, y in path]}))

    return edit(viewer, assignment_id, make, seen=seen, act_id=act_id, note="not an edge", asked=(arrow, is_none))


def decide_names(
    viewer: Viewer, assignment_id: str, first: str, second: str, decided: Decided, *, seen: int, act_id: str
) -> Receipt:
    """Decide whether two similar names are one variable.

    "distinct": two variables. "same": `second` is another spelling of `first`; a node of that name is merged into
    `first`. "": undecided, ask again. Raises InvalidGraph if `first` is no node for "same", Refused for "" after "same"
    (undo the merge instead), BadInput for one name twice or another answer, InvalidName.
    """
    one, other = clean_name(first), clean_name(second)
    if one == other:
        raise BadInput(f"“{one}” is one name; two different names are needed.")
    if decided not in ("distinct", "same", ""):
        raise BadInput(f"Two names are distinct, same or not decided (empty), not {quoted(decided)}.")

    def make(locked: LockedTranscription) -> Edit:
        if decided == "same":
            locked.node(one)
            node = locked.record.node_named(other)
            if node is None:  # a printed spelling that never became a node
                return Edit(marks=as_same(locked.marks, other, one))
            return renamed(locked, node, one)
        if decided == "distinct":
            return Edit(marks=_mark_distinct(locked.marks, one, other))
        if locked.marks.merged.get(other) == one or locked.marks.merged.get(one) == other:
            raise Refused(f"“{one}” and “{other}” are merged into one node. Undo the merge first.")
        return Edit(marks=locked.marks.setting("distinct", pair_key(one, other), None))

    return edit(
        viewer, assignment_id, make, seen=seen, act_id=act_id, note=f"names {decided}".strip(), asked=(one, other)
    )


def as_printed(
    viewer: Viewer, assignment_id: str, kind: str, about: Sequence[str], is_as_printed: bool, *, seen: int, act_id: str
) -> Receipt:
    """State that the doubt of this `kind` and subjects is printed so in the figure, or (`is_as_printed` False) withdraw
    it.

    Raises BadInput for an unknown kind, or for none or too many names.
    """
    if kind not in {each.value for each in ABOUT_NODES}:
        raise BadInput(f"A doubt of the kind {quoted(kind)} cannot be marked as printed.")
    names = [str(name) for name in about]
    if not 1 <= len(names) <= MOST_ABOUT or any(len(name) > LONGEST_TEXT for name in names):
        raise BadInput(f"A doubt is about 1 to {MOST_ABOUT} names of at most {LONGEST_TEXT:,} characters.")

    def make(locked: LockedTranscription) -> Edit:
        value = {"kind": str(kind), "about": names} if is_as_printed else None
        return Edit(marks=locked.marks.setting("as printed", doubt_key(kind, names), value))

    return edit(
        viewer, assignment_id, make, seen=seen, act_id=act_id, note="as printed", asked=(kind, names, is_as_printed)
    )


def not_in_figure(
    viewer: Viewer, assignment_id: str, pairs: Sequence[tuple[str, str]], *, seen: int, act_id: str
) -> Receipt:
    """State that the figure has none of these rejected edges: one act, each with the effect of `as_printed`.

    `pairs` are the subjects of their doubts. Raises BadInput for none or more than 1,000.
    """
    if not 1 <= len(pairs) <= MOST_ARROWS:
        raise BadInput(f"Answer for 1 to {MOST_ARROWS:,} edges at once, not for {len(pairs):,}.")
    kind = DoubtKind.REFUSED_ARROW.value

    def make(locked: LockedTranscription) -> Edit:
        answers = {doubt_key(kind, pair): {"kind": kind, "about": list(pair)} for pair in pairs}
        return Edit(
            marks=tuple(mark for at, value in answers.items() for mark in locked.marks.setting("as printed", at, value))
        )

    return edit(viewer, assignment_id, make, seen=seen, act_id=act_id, note="not in the figure", asked=(*pairs,))


def _mark_distinct(marks: Marks, one: str, other: str) -> tuple[MarkChange, ...]:
    """Return the marks that make two names distinct, dropping a mark that made one a spelling of the other."""
    freed = [
        change
        for name, into in ((one, other), (other, one))
        if marks.merged.get(name) == into
        for change in marks.setting("same", key_of(name), None)
    ]
    return (*freed, *marks.setting("distinct", pair_key(one, other), {"names": sorted((one, other))}))
