"""The adjudicator's desk: a figure with two blind transcriptions over it, one question at a time, and the list of all.

It draws what the page gives it, lays unanswered acts over that at once, and posts them to its tab. Nothing here says
who A and B are, or who submitted first.
"""

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
from core.adjudication.beside import DeskCourse, OverlookedEdge
from core.adjudication.differences import Difference, Mark, NameQuestion, Reason, Ruling, parts_of
from core.adjudication.ground_truth import TrueArrow
from core.graphs.alignment import NameClass
from core.graphs.likeness import likely_class
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
    """A variable by its aligned name: its wording in the ground truth, what A and B wrote (None: lacks it), and where
    it is printed (`box`) or put (`at`) on the page."""

    name: str
    wording: str
    in_a: str | None
    in_b: str | None
    box: Box | None = None
    at: Point | None = None


@dataclass(frozen=True, slots=True)
class RulingItem:
    """A difference with its ruling; the sentence and what each of the two says are shown as they are, and so is what
    the program read there, "" for nothing."""

    difference: Difference
    ruling: Ruling | None
    sentence: str
    a_says: str
    b_says: str
    read_says: str = ""


def ruling_desk(key: str, data: Data, *, on_finish: Callable[[], None] = redrawn) -> Any:
    """Place the desk. `st.session_state[key]` has `finish`, which grows when the person asks to finish, and `view`, for
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
    standing: DeskState,
    *,
    height_px: int = 600,
    nodes: Sequence[RulingNode],
    arrows: Sequence[TrueArrow],
    names: Sequence[tuple[NameQuestion, Ruling | None]],
    differences: Sequence[RulingItem],
    own: Sequence[Ruling],
    courses: Sequence[DeskCourse] = (),
    words: Sequence[tuple[str, Box]] = (),
    read: Sequence[OverlookedEdge] = (),
    name_reads: Mapping[str, str] | None = None,
    origin: str = "",
    waiting: Sequence[str],
    drawing: Mapping[str, Any] | None = None,
) -> Data:
    """The desk's data.

    `courses` are drawn for the edges of A and B that lie on the print.
    `words` are the names printed in the figure: a variable without a place stands at the first that reads the same.
    `read` are edges that differ from both, `name_reads` says by the key of a name's question how it is printed, and
    `origin` by what the figure was read, in words, "" if it was not.
    `drawing` is the ground truth as far as it is ruled (`record_picture`), wanted while `view` is "graph".
    `waiting` holds the keys without a ruling. The place in the list is kept in the browser with what is half-typed.

    Acts: rule {key, choice}, rule_name {name, choice, reference, name_class, wording}, note {key}, set_arrow {source,
    sink, is_there, sign, delay}, all with {reasons, comment, is_gap}; take_back {key}; undo {}; redo {}.

    Raises BadInput for a crop without extent.
    """
    return {
        "figure": crop.as_data(height_px),
        "nodes": [_node_data(node) for node in nodes],
        "arrows": [_arrow_data(arrow) for arrow in arrows],
        "names": [_name_data(question, ruling, (name_reads or {}).get(question.key, "")) for question, ruling in names],
        "differences": [_item_data(item) for item in differences],
        "own": [_own_data(ruling) for ruling in own],
        "courses": [_course_data(course) for course in courses],
        "words": [{"text": text, "box": [box.x0, box.y0, box.x1, box.y1]} for text, box in words],
        "read": [_read_data(item) for item in read],
        "read_origin": origin,
        "waiting": list(waiting),
        "drawing": drawing,
        "reasons": [reason.value for reason in Reason],
        "classes": [each.value for each in NAME_CLASSES],
        "longest": {"comment": LONGEST_COMMENT, "name": LONGEST_NAME},
        **standing.as_data(),
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


def _arrow_data(arrow: TrueArrow) -> dict[str, Any]:
    return {
        "source": arrow.source,
        "sink": arrow.sink,
        "sign": _sign_data(arrow.sign),
        "delay": arrow.delay,
        "origin": arrow.origin,
    }


def _course_data(course: DeskCourse) -> dict[str, Any]:
    return {
        "side": course.side,
        "source": course.source,
        "sink": course.sink,
        "sign": _sign_data(course.sign),
        "path": [list(point) for point in course.path],
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
    found = item.difference
    return {
        "key": found.key,
        "kind": found.kind.value,
        "source": found.source,
        "sink": found.sink,
        "a": _marks_data(found.a),
        "b": _marks_data(found.b),
        "legal": [choice.value for choice in found.legal],
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
