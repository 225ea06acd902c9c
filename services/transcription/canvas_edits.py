"""Drawing on the figure itself: names placed where they are printed, edges by their two names.

What an act makes has the act's ids (`core.act_ids`), so that the canvas names it before the store has answered.
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
from core.transcription.printed import LEAST_SHARED, shared
from core.transcription.proposals import Point, ProposedName
from core.words import quoted
from services.transcription.editing import Edit, LockedTranscription, edit
from services.transcription.figure_proposals import proposals_at_hand
from services.transcription.proposal_settings import withheld_from

PLACED = ("printed", "drawn")


def place_node(
    viewer: Viewer, assignment_id: str, name: str, at: Point, box: Box | None, origin: str, *, seen: int, act_id: str
) -> Receipt:
    """Put a name on the figure, at a point of the page; `box` if it is printed there. A name that is there already
    gets that place. `origin` is "printed" or "drawn".

    Raises InvalidName for a name that cannot be kept, BadInput for a place or origin that is none.
    """
    cleaned = clean_name(name)
    x, y = _finite(at)
    corners = None if box is None else _corners(box)
    if origin not in PLACED:
        raise BadInput(f"A name on a figure is printed or drawn, not {quoted(origin)}.")

    def make(held: LockedTranscription) -> Edit:
        before = held.record.node_named(cleaned)
        if before is None:
            made = NodeRecord(
                id=held.ids()(),
                name=cleaned,
                origin="printed" if origin == "printed" else "drawn",
                confidence=None,
                x=x,
                y=y,
                box=corners,
            )
            return Edit((Change(None, made),))
        return Edit(_changed(before, replace(before, x=x, y=y, box=corners)))

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
    """Make nodes and printed texts one node of this name, as when a reader of words split it: the first node stays and
    takes the edges of the others. `words` are texts of the figure with their boxes.

    Raises InvalidName for a name that cannot be kept, BadInput for a text that the figure does not show, Refused if
    they are no single name (`core.transcription.joining.joined`).
    """
    cleaned = clean_name(name)

    def make(held: LockedTranscription) -> Edit:
        is_offered = not withheld_from(held.row)
        found = proposals_at_hand(held.w.session, held.row.subject_id, with_models=is_offered)
        printed = found.printed if found else ()
        labels = [_printed(text, box, printed) for text, box in words]
        done = joined(cleaned, nodes, labels, printed, held.record, held.marks, new_id=held.ids())
        return Edit(done.changes, done.marks, is_fold=True)

    asked = (cleaned, *nodes, *((text, _corners(box)) for text, box in words))
    return edit(viewer, assignment_id, make, seen=seen, act_id=act_id, note="join names", asked=asked)


def _printed(text: str, box: Box, printed: Sequence[ProposedName]) -> ProposedName:
    for label in printed:
        if label.text == text and shared(label.box, box) > LEAST_SHARED:
            return label
    raise BadInput(f"The figure no longer shows the text {quoted(text)} there. Reload the page.")


def move_node(viewer: Viewer, assignment_id: str, name: str, at: Point, *, seen: int, act_id: str) -> Receipt:
    """Put a node at another point of the page, away from the print it was taken from.

    Raises InvalidGraph if there is no such node, BadInput for a place that is none.
    """
    x, y = _finite(at)

    def make(held: LockedTranscription) -> Edit:
        before = held.node(name)
        return Edit(_changed(before, replace(before, x=x, y=y, box=None)))

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
    """Draw an edge between two names; a name not yet there becomes a node. An edge listed already with this sign
    stays as it is. It takes the course of the printed arrow it means; `lit` is the id of the one that was shown without
    an edge when it was drawn.

    Raises InvalidName for a name that cannot be kept, BadInput beyond the largest number of edges.
    """
    ends = (clean_name(source), clean_name(sink))

    def make(held: LockedTranscription) -> Edit:
        changes, _listed = edits.add_edges(held.record, [(*ends, sign)], [], new_id=held.ids(), origin="drawn")
        return Edit(tuple(_delayed(change) for change in changes) if delay else changes, lit=lit)

    asked = (*ends, sign, delay, *([lit] if lit else []))
    return edit(viewer, assignment_id, make, seen=seen, act_id=act_id, note="connect", asked=asked)


def _changed(before: NodeRecord, after: NodeRecord) -> tuple[Change, ...]:
    return () if before == after else (Change(before, after),)


def _delayed(change: Change) -> Change:
    made = change.after
    return Change(None, replace(made, delay=True)) if isinstance(made, EdgeRecord) else change


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
