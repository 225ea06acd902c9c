"""Edits on the figure itself: placing nodes at printed names, moving and joining them, drawing edges.

New elements get ids derived from the act's id (`core.act_ids`), so the canvas knows them before the store answers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from core.errors import BadInput
from core.graphs import edits
from core.graphs.names import clean_name
from core.graphs.record import Change, EdgeRecord, NodeRecord
from core.papers.pages import Box
from core.people import Receipt, Viewer
from core.sign import Sign
from core.transcription.joining import joined
from core.transcription.label_nodes import LEAST_SHARED, shared
from core.transcription.proposals import Point, ProposedName
from core.words import quoted
from services.transcription.editing import Edit, LockedTranscription, edit
from services.transcription.figure_proposals import proposals_at_hand
from services.transcription.proposal_settings import withheld_from

PLACED = ("printed", "drawn")


def place_node(
    viewer: Viewer, assignment_id: str, name: str, at: Point, box: Box | None, origin: str, *, seen: int, act_id: str
) -> Receipt:
    """Place a node of this name at a point of the page; a node that exists already is moved there.

    `box` is the printed name's rectangle, None if it is not printed. Raises InvalidName, or BadInput for an invalid
    point, box or origin.
    """
    cleaned = clean_name(name)
    x, y = _finite(at)
    corners = None if box is None else _corners(box)
    if origin not in PLACED:
        raise BadInput(f"A name on a figure is printed or drawn, not {quoted(origin)}.")

    def make(locked: LockedTranscription) -> Edit:
        node = locked.record.node_named(cleaned)
        if node is None:
            node_made = NodeRecord(
                id=locked.ids()(),
                name=cleaned,
                origin="printed" if origin == "printed" else "drawn",
                confidence=None,
                x=x,
                y=y,
                box=corners,
            )
            return Edit((Change(None, node_made),))
        return Edit(_changed(node, replace(node, x=x, y=y, box=corners)))

    return edit(
        viewer,
        assignment_id,
        make,
        seen=seen,
        act_id=act_id,
        note="place variable",
        asked=(cleaned, (x, y), corners, origin),
    )


def join_names(
    viewer: Viewer,
    assignment_id: str,
    name: str,
    nodes: Sequence[str],
    words: Sequence[tuple[str, Box]],
    *,
    seen: int,
    act_id: str,
) -> Receipt:
    """Merge nodes and printed texts into one node of this name, for instance when text recognition split a name.

    The first node stays and takes over the edges of the others. `words` are texts of the figure with their boxes.
    Raises InvalidName, BadInput for a text that the figure does not show, Refused if they do not form one name
    (`core.transcription.joining.joined`).
    """
    cleaned = clean_name(name)

    def make(locked: LockedTranscription) -> Edit:
        is_offered = not withheld_from(locked.row)
        reading = proposals_at_hand(locked.w.session, locked.row.subject_id, with_models=is_offered)
        printed = reading.printed if reading else ()
        labels = [_printed(text, box, printed) for text, box in words]
        join = joined(cleaned, nodes, labels, printed, locked.record, locked.marks, new_id=locked.ids())
        return Edit(join.changes, join.marks, is_fold=True)

    request = (cleaned, *nodes, *((text, _corners(box)) for text, box in words))
    return edit(viewer, assignment_id, make, seen=seen, act_id=act_id, note="join names", asked=request)


def _printed(text: str, box: Box, printed: Sequence[ProposedName]) -> ProposedName:
    for label in printed:
        if label.text == text and shared(label.box, box) > LEAST_SHARED:
            return label
    raise BadInput(f"The figure no longer shows the text {quoted(text)} there. Reload the page.")


def move_node(viewer: Viewer, assignment_id: str, name: str, at: Point, *, seen: int, act_id: str) -> Receipt:
    """Move a node to another point and detach it from the printed name. Raises InvalidGraph, BadInput."""
    x, y = _finite(at)

    def make(locked: LockedTranscription) -> Edit:
        node = locked.node(name)
        return Edit(_changed(node, replace(node, x=x, y=y, box=None)))

    return edit(viewer, assignment_id, make, seen=seen, act_id=act_id, note="move variable", asked=(name, (x, y)))


def connect(
    viewer: Viewer,
    assignment_id: str,
    source: str,
    sink: str,
    sign: Sign | None,
    delay: bool,
    *,
    lit: str = "",
    seen: int,
    act_id: str,
) -> Receipt:
    """Draw an edge between two names, adding missing nodes. An edge that exists with this sign is left unchanged.

    The edge takes the path of the printed arrow it lies on; `lit` is the id of the one that was highlighted as having
    no edge. Raises InvalidName, or BadInput beyond the largest number of edges.
    """
    ends = (clean_name(source), clean_name(sink))

    def make(locked: LockedTranscription) -> Edit:
        changes, _listed = edits.add_edges(locked.record, [(*ends, sign)], [], new_id=locked.ids(), origin="drawn")
        if delay:
            changes = tuple(
                Change(None, replace(change.after, delay=True)) if isinstance(change.after, EdgeRecord) else change
                for change in changes
            )
        return Edit(changes, lit=lit)

    request = (*ends, sign, delay, *([lit] if lit else []))
    return edit(viewer, assignment_id, make, seen=seen, act_id=act_id, note="connect", asked=request)


def _changed(before: NodeRecord, after: NodeRecord) -> tuple[Change, ...]:
    return () if before == after else (Change(before, after),)


def _finite(at: Point) -> Point:
    x, y = float(at[0]), float(at[1])
    if not (math.isfinite(x) and math.isfinite(y)):
        raise BadInput("A place on the page is two finite numbers, in points.")
    return x, y


def _corners(box: Box) -> tuple[float, float, float, float]:
    corners = (float(box.x0), float(box.y0), float(box.x1), float(box.y1))
    if not all(math.isfinite(side) for side in corners) or box.width < 0 or box.height < 0:
        raise BadInput("The box of a printed name is four finite numbers, its left and top first.")
    return corners
