"""The adjudicator's desk: a figure with two blind transcriptions over it, one question at a time, and the list of all.

It draws the page's data, shows unanswered acts at once, and posts them to its tab. Its data never says who A and B
are, or who submitted first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from components.adjudication.acts import LONGEST_COMMENT
from components.desk.desk_state import DeskState
from components.desk.tab import Data, redrawn
from components.figure.crop import Crop
from components.sources import script, sheets
from core.adjudication.differences import Difference, Mark, NameQuestion, Reason, Ruling, parts_of
from core.adjudication.ground_truth import TrueArrow
from core.adjudication.printed_context import DeskPath, OverlookedEdge
from core.graphs.alignment import NameClass
from core.graphs.name_similarity import likely_class
from core.graphs.names import LONGEST_NAME
from core.papers.pages import Box
from core.sign import Sign

Point = tuple[float, float]

NAME_CLASSES = (NameClass.TYPO, NameClass.MINOR, NameClass.MAJOR)

_mount = st.components.v2.component(
    "edgewise_ruling_desk",
    html="<div data-desk></div>",
    css=sheets("figure/panzoom.css", "canvas/canvas.css", "graph/view.css", "graph/views.css", "adjudication/desk.css"),
    js=script("adjudication/desk.js"),
)


@dataclass(frozen=True, slots=True)
class RulingNode:
    """A variable by its aligned name."""

    name: str
    wording: str  # in the ground truth
    in_a: str | None  # what A wrote; None: lacks it
    in_b: str | None
    box: Box | None = None  # where it is printed on the page
    at: Point | None = None  # where it was placed


@dataclass(frozen=True, slots=True)
class RulingItem:
    """A difference with its ruling."""

    difference: Difference
    ruling: Ruling | None
    sentence: str  # shown as it is, like the next three
    a_says: str
    b_says: str
    read_says: str = ""  # what the program read there; "" for nothing


def ruling_desk(key: str, data: Data, *, on_finish: Callable[[], None] = redrawn) -> Any:
    """Place the desk. `st.session_state[key]` has `finish`, which grows with each request to finish, and `view`, for
    `DeskTab.follow_view`."""
    return _mount(
        key=key,
        data=data,
        on_answered_change=redrawn,
        on_unsaved_change=redrawn,
        on_finish_change=on_finish,
        on_view_change=redrawn,
    )


def ruling_data(
    crop: Crop,
    desk_state: DeskState,
    *,
    height_px: int = 600,
    nodes: Sequence[RulingNode],
    arrows: Sequence[TrueArrow],
    names: Sequence[tuple[NameQuestion, Ruling | None]],
    differences: Sequence[RulingItem],
    own: Sequence[Ruling],
    courses: Sequence[DeskPath] = (),
    words: Sequence[tuple[str, Box]] = (),
    read: Sequence[OverlookedEdge] = (),
    name_reads: Mapping[str, str] | None = None,
    origin: str = "",
    waiting: Sequence[str],
    drawing: Mapping[str, Any] | None = None,
) -> Data:
    """Return the desk's data.

    `courses`: the edges of A and B that lie on the print.
    `words`: names printed in the figure; a variable without a place is drawn at the first that reads the same.
    `read`: edges that differ from both. `name_reads`: how a name is printed, by its question's key. `origin`:
    the source of the reading in words, "" if there is none.
    `drawing`: the ground truth as far as it is ruled (`record_picture`), needed while `view` is "graph".
    `waiting`: keys without a ruling. The browser stores the place in the list with unfinished text.

    Acts: rule {key, choice}, rule_name {name, choice, reference, name_class, wording}, note {key}, set_arrow {source,
    sink, is_there, sign, delay}, all with {reasons, comment, is_gap}; take_back {key}; undo {}; redo {}.
    Raises BadInput for a crop without extent."""
    return {
        "figure": crop.as_data(height_px),
        "nodes": [_node_data(node) for node in nodes],
        "arrows": [
            {
                "source": arrow.source,
                "sink": arrow.sink,
                "sign": _sign_data(arrow.sign),
                "delay": arrow.delay,
                "origin": arrow.origin,
            }
            for arrow in arrows
        ],
        "names": [_name_data(question, ruling, (name_reads or {}).get(question.key, "")) for question, ruling in names],
        "differences": [_item_data(item) for item in differences],
        "own": [_own_data(ruling) for ruling in own],
        "courses": [
            {
                "side": course.side,
                "source": course.source,
                "sink": course.sink,
                "sign": _sign_data(course.sign),
                "path": [list(point) for point in course.path],
            }
            for course in courses
        ],
        "words": [{"text": text, "box": [box.x0, box.y0, box.x1, box.y1]} for text, box in words],
        "read": [_read_data(item) for item in read],
        "read_origin": origin,
        "waiting": list(waiting),
        "drawing": drawing,
        "reasons": [reason.value for reason in Reason],
        "classes": [each.value for each in NAME_CLASSES],
        "longest": {"comment": LONGEST_COMMENT, "name": LONGEST_NAME},
        **desk_state.as_data(),
    }


def _node_data(node: RulingNode) -> dict[str, Any]:
    box = node.box
    return {
        "name": node.name,
        "wording": node.wording,
        "a": node.in_a,
        "b": node.in_b,
        "box": [box.x0, box.y0, box.x1, box.y1] if box else None,
        "at": list(node.at) if node.at else None,
    }


def _read_data(item: OverlookedEdge) -> dict[str, Any]:
    return {
        "source": item.read.source,
        "sink": item.read.sink,
        "sign": _sign_data(item.read.sign_to_set),
        "delay": item.read.delay,
        "is_turned": item.read.is_turned,
        "other_marks": item.other_marks,
        "sentence": item.sentence,
        "a_says": item.a_says,
        "b_says": item.b_says,
        "read_says": item.read_says,
        "origin": item.origin,
        "doubts": "; ".join(item.read.reasons),
        "path": [list(point) for point in item.read.path],
    }


def _name_data(question: NameQuestion, ruling: Ruling | None, read_says: str) -> dict[str, Any]:
    known = {*question.offers, *filter(None, (question.reference,))}
    return {
        "key": question.key,
        "name": question.name,
        "offers": list(question.offers),
        "likely": {offer: likely_class(offer, question.name).value for offer in known},
        "reference": question.reference,
        "is_folded": question.is_folded,
        "read_says": read_says,
        "ruling": _ruling_data(ruling),
    }


def _item_data(item: RulingItem) -> dict[str, Any]:
    difference = item.difference
    return {
        "key": difference.key,
        "kind": difference.kind.value,
        "source": difference.source,
        "sink": difference.sink,
        "a": _marks_data(difference.a),
        "b": _marks_data(difference.b),
        "legal": [choice.value for choice in difference.legal],
        "sentence": item.sentence,
        "a_says": item.a_says,
        "b_says": item.b_says,
        "read_says": item.read_says,
        "ruling": _ruling_data(item.ruling),
    }


def _ruling_data(ruling: Ruling | None) -> Mapping[str, Any] | None:
    if ruling is None:
        return None
    return {
        "choice": ruling.choice.value,
        "reasons": [reason.value for reason in ruling.reasons],
        "comment": ruling.comment,
        "is_gap": ruling.is_gap,
        "reference": ruling.reference,
        "name_class": ruling.name_class.value if ruling.name_class else None,
        "wording": ruling.wording,
    }


def _own_data(ruling: Ruling) -> dict[str, Any]:
    _kind, (source, sink) = parts_of(ruling.key)
    return {
        "key": ruling.key,
        "source": source,
        "sink": sink,
        "is_there": ruling.is_there,
        "sign": _sign_data(ruling.sign),
        "delay": ruling.delay,
        **(_ruling_data(ruling) or {}),
    }


def _marks_data(marks: Sequence[Mark]) -> list[dict[str, Any]]:
    return [{"sign": _sign_data(sign), "delay": delay} for sign, delay in marks]


def _sign_data(sign: Sign | None) -> str:
    return sign.value if sign else ""
