"""Locating diagrams on pages, and the pages' facts."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from core.errors import BadInput
from core.papers.pages import Box, FigureRegion, PageFacts, Word
from core.people import Permission, Receipt, Viewer
from documents.reader import PRODUCER, PRODUCER_VERSION
from services.acting import Writing, consulting, perform, require_seen
from services.papers import images
from store import assignments
from store import documents as derived
from store.papers import papers as stored
from store.tables import FigureRow

SMALLEST = 12.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LocatedFigure:
    """A diagram on a page: rectangle in points of the displayed page, and its place as text."""

    id: str
    version: int
    page: int
    box: Box
    place: str
    label: str
    caption: str
    is_archived: bool


def page(viewer: Viewer, paper_id: str, number: int) -> PageFacts:
    """Return size, words and figure regions of one page; computed once, then read from the store.

    Raises Missing if the paper has no file or no such page, UnreadableDocument if the page cannot be read.
    """
    with consulting(viewer, Permission.READ_STUDY) as r:
        study, now = r.study, r.now
        sha256, path = images.file_of(r.session, paper_id, number)
        stored_facts = derived.derived(r.session, sha256, PRODUCER, str(PRODUCER_VERSION), f"page {number}")
    if stored_facts is not None:
        return facts_from_json(stored_facts)
    facts = study.reader.page(path, sha256, number)
    with study.store.writing() as session:
        derived.keep_derived(session, sha256, PRODUCER, str(PRODUCER_VERSION), f"page {number}", asdict(facts), now)
    return facts


def figures_of(viewer: Viewer, paper_id: str, *, with_archived: bool = False) -> tuple[LocatedFigure, ...]:
    with consulting(viewer, Permission.READ_STUDY) as r:
        stored.study_paper(r.session, paper_id)
        return tuple(
            LocatedFigure(
                id=row.id,
                version=row.version,
                page=row.page,
                box=Box(row.x0, row.y0, row.x1, row.y1),
                place=row.place,
                label=row.label,
                caption=row.caption,
                is_archived=row.archived_at is not None,
            )
            for row in stored.figures_of(r.session, paper_id, with_archived=with_archived)
        )


def locate(
    viewer: Viewer,
    paper_id: str,
    page_number: int,
    box: Box,
    *,
    place: str = "",
    label: str = "",
    caption: str = "",
    act_id: str,
) -> Receipt:
    """Record the place of a paper's diagram. An empty `place` is derived from page and position.

    Raises BadInput for a rectangle outside the page or smaller than 12 points.
    """
    facts = page(viewer, paper_id, page_number)
    rectangle = _on_page(box, facts)

    def act(w: Writing) -> Receipt:
        stored.study_paper(w.session, paper_id)
        row = FigureRow(
            paper_id=paper_id,
            page=page_number,
            x0=rectangle.x0,
            y0=rectangle.y0,
            x1=rectangle.x1,
            y1=rectangle.y1,
            place=place.strip() or place_in_words(rectangle, facts),
            label=label.strip(),
            caption=caption.strip(),
            created_by=w.viewer.person_id,
            created_at=w.now,
        )
        w.session.add(row)
        w.session.flush()
        return w.record("figure.locate", "figure", row.id, version=row.version, payload=_payload(row))

    return perform(viewer, Permission.CURATE, act_id, act)


def relocate(
    viewer: Viewer,
    figure_id: str,
    box: Box,
    place: str,
    label: str,
    *,
    caption: str | None = None,
    seen: int,
    act_id: str,
) -> Receipt:
    """Correct a figure's rectangle, place, label or caption (None leaves it) on its page."""
    with consulting(viewer, Permission.CURATE) as r:
        row = assignments.study_figure(r.session, figure_id)
        paper_id, number = row.paper_id, row.page
    facts = page(viewer, paper_id, number)
    rectangle = _on_page(box, facts)

    def act(w: Writing) -> Receipt:
        row = require_seen(assignments.study_figure(w.session, figure_id), seen, "figure")
        before = _payload(row)
        row.x0, row.y0, row.x1, row.y1 = rectangle.x0, rectangle.y0, rectangle.x1, rectangle.y1
        row.place, row.label = place.strip() or place_in_words(rectangle, facts), label.strip()
        row.caption = row.caption if caption is None else caption.strip()
        w.session.add(row)
        w.session.flush()
        return w.record(
            "figure.relocate",
            "figure",
            row.id,
            version=row.version,
            payload={"before": before, "after": _payload(row)},
        )

    return perform(viewer, Permission.CURATE, act_id, act)


def archive_figure(viewer: Viewer, figure_id: str, is_archived: bool, *, seen: int, act_id: str) -> Receipt:
    """Hide a figure from lists, or restore it; its transcriptions stay."""

    def act(w: Writing) -> Receipt:
        row = require_seen(assignments.study_figure(w.session, figure_id), seen, "figure")
        row.archived_at = w.now if is_archived else None
        w.session.add(row)
        w.session.flush()
        return w.record("figure.archive" if is_archived else "figure.restore", "figure", row.id, version=row.version)

    return perform(viewer, Permission.CURATE, act_id, act)


def _payload(row: FigureRow) -> dict[str, Any]:
    return {
        "page": row.page,
        "box": [row.x0, row.y0, row.x1, row.y1],
        "place": row.place,
        "label": row.label,
        "caption": row.caption,
    }


def _on_page(box: Box, facts: PageFacts) -> Box:
    sides = (box.x0, box.y0, box.x1, box.y1)
    if not all(math.isfinite(side) for side in sides):
        raise BadInput("The rectangle has a side that is not a number.")
    clipped = Box(max(0.0, box.x0), max(0.0, box.y0), min(facts.width, box.x1), min(facts.height, box.y1))
    if clipped.width < SMALLEST or clipped.height < SMALLEST:
        raise BadInput(f"The rectangle must lie on the page and be at least {SMALLEST:.0f} points wide and high.")
    return clipped


def place_in_words(box: Box, facts: PageFacts) -> str:
    """Return the place as text, such as "Top left of page 7".

    >>> place_in_words(Box(0, 0, 600, 300), PageFacts(7, 612, 792, (), ()))
    'Top of page 7'
    """
    down, across = (box.y0 + box.y1) / 2 / facts.height, (box.x0 + box.x1) / 2 / facts.width
    is_whole = box.width * box.height >= 0.8 * facts.width * facts.height
    if is_whole:
        return f"Whole page {facts.number}"
    row = "Top" if down < 1 / 3 else "Bottom" if down > 2 / 3 else "Middle"
    side = "" if box.width > facts.width / 2 else " left" if across < 0.45 else " right" if across > 0.55 else ""
    return f"{row}{side} of page {facts.number}"


def facts_from_json(data: dict[str, Any]) -> PageFacts:
    return PageFacts(
        number=data["number"],
        width=data["width"],
        height=data["height"],
        words=tuple(Word(**{**word, "box": Box(**word["box"])}) for word in data["words"]),
        regions=tuple(FigureRegion(**{**region, "box": Box(**region["box"])}) for region in data["regions"]),
    )
