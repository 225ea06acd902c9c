"""The desk on which a sheet of verdict items is labelled, compared with the judge, and corrected.

Both graphs, the items and the text are in step: choosing an item in one highlights it in the others. The data reaches
the browser: it must not contain judges' labels of an item whose own labels are not compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import streamlit as st

from components.desk.desk_state import DeskState
from components.desk.tab import Data, redrawn
from components.sources import script, sheets
from components.verdicts.acts import LONGEST_TEXT
from core.verdicts.label_words import field_title, label_text, label_word
from core.verdicts.labels import LEGAL, PRESENCE, LabelBlock, Section
from core.verdicts.pictured import PicturedEdge
from core.verdicts.review import OverrideReason, after_presence, fields_of

State = Literal["open", "submitted", "skipped", "lapsed"]
Labels = Mapping[tuple[LabelBlock, str], str]

_mount = st.components.v2.component(
    "edgewise_verdict_desk",
    html="<div data-desk></div>",
    css=sheets("figure/panzoom.css", "canvas/canvas.css", "graph/view.css", "verdicts/desk.css"),
    js=script("verdicts/desk.js"),
)


@dataclass(frozen=True, slots=True)
class DeskMark:
    """Characters of the text, and where the mark comes from."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class DeskJudge:
    """A judge's labels; `is_corrected`: the sheet corrects this judge's verdict."""

    name: str
    is_corrected: bool
    labels: Labels


@dataclass(frozen=True, slots=True)
class DeskRuling:
    """A ruling in words; `by` is a pseudonym."""

    words: str
    by: str
    is_mine: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskItem:
    """An item of the sheet."""

    number: int
    names: tuple[str, ...]
    at: tuple[int, ...]  # places of its nodes in the graph
    own: Labels
    is_compared: bool
    is_flagged: bool
    judges: tuple[DeskJudge, ...]
    current: Labels  # current labels
    score: float | None  # 0–1 by the current labels, None until they are shown or if one is missing
    rulings: tuple[DeskRuling, ...]
    oddities: tuple[str, ...]
    warnings: tuple[str, ...]
    marks: tuple[DeskMark, ...]
    quotes: tuple[tuple[str, DeskMark], ...]  # of the judge, with their place; a mark of 0 to 0 has none


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskNode:
    """A node of both graphs on one picture: the lines of its label, its middle and size in pixels."""

    name: str
    lines: tuple[str, ...]
    x: float
    y: float
    width: float
    height: float
    truth: int  # its number in the graph, 0 if it is not there
    answer: int


@dataclass(frozen=True, slots=True)
class DeskLink:
    """A pair of nodes, one of the truth and one of the answer, by their numbers."""

    truth: int
    answer: int
    by: str  # who says that they are one: you, the judge, or maybe
    is_one: bool  # they are drawn as one


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskGraph:
    """Both graphs on one picture."""

    nodes: Sequence[DeskNode]
    edges: Sequence[PicturedEdge]
    links: Sequence[DeskLink]
    states: Mapping[Section, Mapping[int, str]]  # section → number → state, as far as it may be shown
    is_whole: bool  # the states are complete
    may_show_whole: bool  # all states may be requested


@dataclass(frozen=True, slots=True)
class DeskScores:
    """Scores in words: "0.460", or an en dash; `changed`: "2 labels overridden"."""

    judge: str
    reviewed: str
    changed: str


def verdict_desk(
    key: str,
    data: Data,
    *,
    start: int,
    on_next: Callable[[], None],
    on_whole: Callable[[], None],
    on_item: Callable[[], None],
) -> Any:
    """Place the desk, at first on the item `start`. Of its state `["next"]` grows with each request for the next sheet,
    `["whole"]` with each request for all of the judge's labels, and `["item"]` is the number of the open item."""
    return _mount(
        key=key,
        data={**data, "start": start},
        on_answered_change=redrawn,
        on_unsaved_change=redrawn,
        on_next_change=on_next,
        on_whole_change=on_whole,
        on_item_change=on_item,
    )


def verdict_data(
    desk_state: DeskState,
    *,
    section: Section,
    title: str,
    state: State,
    items: Sequence[DeskItem],
    graph: DeskGraph,
    text: str,
    to_judge: Sequence[DeskMark],
    label_first: bool,
    review_version: int,
    scores: DeskScores | None,
    judge: str,
    judged: str,
    reasoning: str,
    onward: str,
) -> Data:
    """Return the desk's data. `reasoning`: address of the judge's reasoning. Acts: label {number, block, field, label
    or null}; compare {number}; keep {number, reason, note, seen_review}; concede, both {number, seen_review}; flag
    {number, note}; take_back {number}; counterpart {truth, answer, is_one}; submit {}; skip {reason}."""
    return {
        "section": section.value,
        "title": title,
        "state": state,
        "fields": [_field(section, block, field) for block, field in fields_of(section)],
        "items": [_item(each, text) for each in items],
        "nodes": [
            {
                "name": n.name,
                "lines": list(n.lines),
                "x": n.x,
                "y": n.y,
                "width": n.width,
                "height": n.height,
                "truth": n.truth,
                "answer": n.answer,
            }
            for n in graph.nodes
        ],
        "edges": [{"source": e.source, "sink": e.sink, "truth": e.truth, "answer": e.answer} for e in graph.edges],
        "links": [{"truth": k.truth, "answer": k.answer, "by": k.by, "is_one": k.is_one} for k in graph.links],
        "states": {
            each.value: {str(number): state for number, state in graph.states.get(each, {}).items()} for each in Section
        },
        "is_whole": graph.is_whole,
        "may_show_whole": graph.may_show_whole,
        "text": text,
        "to_judge": [_mark(each, text) for each in to_judge],
        "label_first": label_first,
        "review_version": review_version,
        "scores": None
        if scores is None
        else {"judge": scores.judge, "reviewed": scores.reviewed, "changed": scores.changed},
        "judge": judge,
        "judged": judged,
        "reasoning": reasoning,
        "start": 0,
        "reasons": [each.value for each in OverrideReason],
        "onward": onward,
        "longest": LONGEST_TEXT,
        **desk_state.as_data(),
    }


def key_of(block: LabelBlock, field: str) -> str:
    """Return a field's name in the browser."""
    return f"{block.value}.{field}"


def _field(section: Section, block: LabelBlock, field: str) -> dict[str, Any]:
    return {
        "key": key_of(block, field),
        "title": field_title(block, field),
        "choices": [
            {"label": label, "word": label_word(label), "told": label_text(label)}
            for label in LEGAL[section, block][field]
        ],
        "settles": [
            {"label": label, "key": key_of(*place), "to": to}
            for label in LEGAL[section, block][field]
            if field == PRESENCE
            for place, to in after_presence(section, block, label).items()
        ],
    }


def _item(item: DeskItem, text: str) -> dict[str, Any]:
    return {
        "number": item.number,
        "names": list(item.names),
        "at": list(item.at),
        "own": _labels(item.own),
        "is_compared": item.is_compared,
        "is_flagged": item.is_flagged,
        "judges": [
            {"name": judge.name, "is_corrected": judge.is_corrected, "labels": _labels(judge.labels)}
            for judge in item.judges
        ],
        "stands": _labels(item.current),
        "score": item.score,
        "rulings": [{"words": ruling.words, "by": ruling.by, "is_mine": ruling.is_mine} for ruling in item.rulings],
        "oddities": list(item.oddities),
        "warnings": list(item.warnings),
        "marks": [_mark(mark, text) for mark in item.marks],
        "quotes": [{"quote": quote, **_mark(mark, text)} for quote, mark in item.quotes],
    }


def _labels(labels: Labels) -> dict[str, str]:
    return {key_of(block, field): label for (block, field), label in labels.items()}


def _mark(mark: DeskMark, text: str) -> dict[str, Any]:
    return {"start": _in_browser(text, mark.start), "end": _in_browser(text, mark.end), "kind": mark.kind}


def _in_browser(text: str, place: int) -> int:
    """Return a place in UTF-16 units, as a browser counts: a character beyond the first 65,536 is two."""
    return place if _is_plain(text) else place + sum(each > "\uffff" for each in text[:place])


@lru_cache(maxsize=4)
def _is_plain(text: str) -> bool:
    return max(text, default="") <= "\uffff"
