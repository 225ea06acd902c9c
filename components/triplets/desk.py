"""The desk on which one triplet is scored: the triplet, its evidence, and the criteria of a form.

It draws the page's data, shows unanswered acts at once, and posts them to its tab. The data reaches the browser: it
must not contain critics' scores before the user's are submitted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

import streamlit as st

from components.desk.desk_state import DeskState
from components.desk.tab import Data, redrawn
from components.figure.crop import check_extent
from components.sources import script, sheets
from components.triplets.acts import LONGEST_TEXT
from core.errors import BadInput
from core.papers.pages import Box
from core.sign import Sign
from core.triplets.criteria import words_of
from core.triplets.directions import DIRECTION_OF
from core.triplets.forms import CriterionWords
from core.triplets.passages import Match
from core.triplets.phrases import HighlightedText, highlight_phrases

SIGN_WORDS = {
    Sign.PLUS: ("+", "increases"),
    Sign.MINUS: ("−", "decreases"),
    Sign.NONE: ("None", "has no effect on"),
    Sign.MIXED: ("mixed", "has mixed effects on"),
}
"""A sign as written, and the verb it means."""
SKIP_REASONS = (
    "The evidence is not sufficient",
    "Outside my field",
    "I contributed to this paper",
    "The triplet is unclear",
)

DIRECTION_WORDS = {sign: (word, "") for sign, word in DIRECTION_OF.items()} | {Sign.MIXED: SIGN_WORDS[Sign.MIXED]}
"""The same on a form that asks for the direction of Lee et al."""

State = Literal["open", "submitted", "skipped", "lapsed"]

_mount = st.components.v2.component(
    "edgewise_scoring_desk",
    html="<div data-desk></div>",
    css=sheets("figure/panzoom.css", "canvas/canvas.css", "triplets/desk.css"),
    js=script("triplets/desk.js"),
)


@dataclass(frozen=True, slots=True)
class DeskPlace:
    """The place of a paragraph: a picture of the page, its size in points, and a box around each line."""

    page: int
    image_url: str
    width: float
    height: float
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class DeskEvidence:
    """A paragraph of evidence."""

    text: str
    found: str = ""  # where and how it was located
    flag: str = ""  # what to be careful of
    places: tuple[DeskPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class DeskPaper:
    """A paper's heading."""

    title: str
    about: str  # one line: authors, year, venue, codes
    url: str = ""  # becomes a link only if it is an address of the web


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskClaim:
    """The triplet to be scored."""

    treatment: str
    outcome: str
    sign: Sign
    context: str
    methods: str
    paper: DeskPaper
    evidence: tuple[DeskEvidence, ...]
    evidence_note: str = ""
    phrases: tuple[str, str] = ("Treatment", "Outcome")  # names of treatment and outcome on the form
    # shown in place of evidence on forms that ask about it, both phrases highlighted; "" if the file has none, None on
    # other forms
    abstract: str | None = None
    # how the form writes a sign, and its verb
    signs: Mapping[Sign, tuple[str, str]] = field(default_factory=lambda: SIGN_WORDS)


@dataclass(frozen=True, slots=True)
class DeskCritic:
    name: str
    is_synthetic: bool
    scores: Mapping[str, int]
    reasons: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """Shown after the scores are submitted: the resulting verdict, its reason, and the critics' scores."""

    verdict: str
    total: str
    reason: str
    critics: tuple[DeskCritic, ...] = ()
    critics_note: str = ""


def scoring_desk(key: str, data: Data, *, on_next: Callable[[], None] | None = None) -> Any:
    """Place the desk; `st.session_state[key]["next"]` grows with each request for the next triplet."""
    return _mount(
        key=key,
        data=data,
        on_answered_change=redrawn,
        on_unsaved_change=redrawn,
        on_next_change=on_next or redrawn,
    )


def scoring_data(
    desk_state: DeskState,
    *,
    claim: DeskClaim,
    criteria: Sequence[CriterionWords],
    scores: Mapping[str, int],
    own_verdict: bool | None,
    comment: str,
    reason: str = "",
    state: State,
    answer: ModelAnswer | None = None,
    onward: str,
) -> Data:
    """Return the desk's data.

    `reason`: why it was skipped. `onward`: label of the button to the next triplet. The browser stores the chosen
    criterion with unfinished text.
    Acts: score {criterion, value or null}, with "verdict" 1, 0 or null; comment {text}; skip {reason}; submit {}.
    Raises BadInput for an answer to scores that are not submitted, and for a page without extent."""
    if answer is not None and state != "submitted":
        raise BadInput("The outcome and the critics' scores are sent only after the scores are submitted.")
    return {
        "claim": _claim_data(claim),
        "criteria": [
            {"key": each.key, "name": criterion_name(each.key), "question": each.question, "words": list(each.words)}
            for each in criteria
        ],
        "scores": dict(scores),
        "own_verdict": own_verdict,
        "comment": comment,
        "reason": reason,
        "state": state,
        "answer": asdict(answer) if answer is not None else None,
        "onward": onward,
        "reasons": list(SKIP_REASONS),
        "longest": LONGEST_TEXT,
        **desk_state.as_data(),
    }


def criterion_name(key: str) -> str:
    """Return a criterion as people read it: "main claim"."""
    return words_of(key).capitalize()


def sign_words(sign: Sign) -> str:
    """Return a sign as it is written, with the verb it means."""
    mark, verb = SIGN_WORDS[sign]
    return f"{mark} {verb}" if sign in (Sign.PLUS, Sign.MINUS) else verb


def direction_words(sign: Sign) -> str:
    """Return a sign on the form that asks for a direction: "increase"."""
    return DIRECTION_WORDS[sign][0]


def web_address(text: str) -> str:
    """Return `text` if a link may lead to it, else "": `javascript:` is an address too."""
    try:
        parts = urlsplit(text.strip())
    except ValueError:
        return ""
    return text.strip() if parts.scheme in ("http", "https") and parts.netloc else ""


def _claim_data(claim: DeskClaim) -> dict[str, Any]:
    mark, verb = claim.signs[claim.sign]
    marked = highlight_phrases(claim.abstract or "", (claim.treatment, claim.outcome))
    return {
        "treatment": claim.treatment,
        "outcome": claim.outcome,
        "sign": mark,
        "verb": verb,
        "phrases": list(claim.phrases),
        "context": claim.context,
        "methods": claim.methods,
        "paper": {
            "title": claim.paper.title,
            "about": claim.paper.about,
            "url": web_address(claim.paper.url),
            "printed": claim.paper.url,
        },
        "evidence": [
            {
                "text": each.text,
                "found": each.found,
                "flag": each.flag,
                "places": [_place_data(place) for place in each.places],
            }
            for each in claim.evidence
        ],
        "evidence_note": claim.evidence_note,
        "abstract": None
        if claim.abstract is None
        else [
            {"text": part.text, "of": " ".join(claim.phrases[place] for place in part.phrases)} for part in marked.parts
        ],
        "abstract_note": _phrases_note(claim, marked) if claim.abstract else "",
    }


def _phrases_note(claim: DeskClaim, marked: HighlightedText) -> str:
    """Return which phrase is not in the abstract as written, as sentences."""
    remarks = {
        Match.NOT_FOUND: "not found word for word",
        Match.TYPOGRAPHY: "found but for hyphens, blanks or kinds of quotes",
    }
    notes = (
        f"{name} {remarks[match]}"
        for name, match in zip(claim.phrases, marked.matches, strict=True)
        if match in remarks
    )
    return "".join(f"{note}. " for note in notes).strip()


def _place_data(place: DeskPlace) -> dict[str, Any]:
    check_extent(place.width, place.height)
    return {
        "page": place.page,
        "image_url": place.image_url,
        "width": place.width,
        "height": place.height,
        "boxes": [[box.x0, box.y0, box.x1, box.y1] for box in place.boxes],
    }
