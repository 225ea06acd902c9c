"""The contact sheet: figures detected on the papers' pages, and the decision on each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlmodel import Session

from core.errors import Missing, Refused
from core.papers.detected_figures import (
    DecisionHere,
    DetectedFigure,
    FigureDecision,
    FoundState,
    is_same_place,
    state_of,
)
from core.papers.pages import Box, PageFacts, part_of
from core.people import Permission, Receipt, Viewer
from documents.reader import FIGURES_PRODUCER
from services.acting import Writing, consulting, perform
from services.papers import finding, images
from services.papers.figures import place_in_words
from services.papers.finding import VERSION
from services.study import current_study
from store import assignments, queue
from store.assignments import TRANSCRIPTION
from store.papers import found as stored
from store.papers import papers as paper_rows
from store.papers.found import PaperToSearch
from store.tables import FigureRow, RegionDecisionRow

SHEET = 60  # detected figures on one sheet
ALREADY_STARTED = (
    "An annotator has started this figure, so it is not left out from here. Archive it under its paper: its "
    "transcriptions stay."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFigure:
    """A figure detected on a page. `part` is the key of its place in the file; page sizes are in points."""

    paper_id: str
    paper_title: str
    sha256: str
    page: int
    page_width: float
    page_height: float
    number: int  # on the page, from 0
    part: str
    box: Box
    label: str
    caption: str
    decision: FigureDecision
    figure_id: str | None

    @property
    def key(self) -> str:
        return f"{self.paper_id}/{self.part}"


@dataclass(frozen=True, slots=True)
class ContactSheet:
    """One sheet of detected figures, in the order of papers and pages, and the number by decision."""

    figures: tuple[FoundFigure, ...]
    counts: dict[FigureDecision, int]


def sheet(viewer: Viewer, decision: FigureDecision, *, after: str = "", most: int = SHEET) -> ContactSheet:
    """Return the first figures with this decision after the key `after`; from the start again if none follows."""
    with consulting(viewer, Permission.CURATE) as r:
        everything = list(_detected_figures(r.session, stored.papers_to_search(r.session)))
    matching = [each for each in everything if each.decision is decision]
    place = next((n for n, each in enumerate(everything, start=1) if each.key == after), 0)
    before = {each.key for each in everything[:place]}
    following = [each for each in matching if each.key not in before]
    return ContactSheet(tuple((following or matching)[:most]), dict(Counter(each.decision for each in everything)))


def of_keys(viewer: Viewer, keys: Sequence[str]) -> tuple[FoundFigure, ...]:
    """Return these figures with their current decisions, in this order; missing ones are left out."""
    with consulting(viewer, Permission.CURATE) as r:
        papers = stored.papers_to_search(r.session, {key.partition("/")[0] for key in keys})
        by_key = {each.key: each for each in _detected_figures(r.session, papers)}
    return tuple(by_key[key] for key in keys if key in by_key)


def counts_of(viewer: Viewer, paper_id: str) -> dict[FigureDecision, int]:
    with consulting(viewer, Permission.CURATE) as r:
        figures = list(_detected_figures(r.session, stored.papers_to_search(r.session, [paper_id])))
    return {decision: sum(each.decision is decision for each in figures) for decision in FigureDecision}


def decide(
    viewer: Viewer,
    paper_id: str,
    part: str,
    decision: FigureDecision,
    *,
    was: FigureDecision,
    act_id: str,
) -> Receipt:
    """Locate a detected figure, reject it, or withdraw the decision (waiting). `was`: the decision that the viewer saw.

    Raises Refused if the decision has changed, or if an annotator has started a figure that would be removed.
    """

    def act(w: Writing) -> Receipt:
        paper_rows.study_paper(w.session, paper_id)
        papers = stored.papers_to_search(w.session, [paper_id])
        if not papers:
            raise Refused("This paper is archived, excluded or has no file. Nothing is located in it.")
        figure = next((each for each in _detected_figures(w.session, papers[:1]) if each.part == part), None)
        if figure is None:
            raise Missing("This figure is not among those found. Reload the page.")
        if figure.decision is not was:
            raise Refused(f"Someone has decided on this figure meanwhile: it is {figure.decision} now.")
        return _decide(w, figure, decision)

    receipt = perform(viewer, Permission.CURATE, act_id, act, asked=(paper_id, part, decision, was))
    finding.detection_requested.set()  # wakes the server's thread: a located figure can be prefetched
    return receipt


def thumbnail(viewer: Viewer, paper_id: str, page: int, number: int) -> Path:
    """Return a small PNG of a detected figure, cached on disk by content and place. Raises Missing."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        sha256, path = images.file_of(r.session, paper_id, page)
        pages = stored.found_on(r.session, [sha256], FIGURES_PRODUCER, VERSION).get(sha256, [])
    regions = next((each.regions for each in pages if each.number == page), ())
    if not 0 <= number < len(regions):
        raise Missing(f"No figure {number} was found on page {page}.")
    return current_study().reader.thumbnail(path, sha256, page, regions[number].box)


# --- reading -----------------------------------------------------------------------------------------------------


def _detected_figures(session: Session, papers: Sequence[PaperToSearch]) -> Iterator[FoundFigure]:
    hashes = [paper.sha256 for paper in papers]
    pages = stored.found_on(session, hashes, FIGURES_PRODUCER, VERSION)
    figures = stored.figures_by_paper(session, (paper.id for paper in papers))
    decisions = stored.decisions_by_file(session, hashes)
    for paper in papers:
        rows, decided = figures.get(paper.id, []), decisions.get(paper.sha256, [])
        for page in pages.get(paper.sha256, ()):
            for number, region in enumerate(page.regions):
                state = _decision_state(page.number, region.box, rows, decided)
                yield FoundFigure(
                    paper_id=paper.id,
                    paper_title=paper.title,
                    sha256=paper.sha256,
                    page=page.number,
                    page_width=page.width,
                    page_height=page.height,
                    number=number,
                    part=part_of(page.number, region.box),
                    box=region.box,
                    label=region.label,
                    caption=region.caption,
                    decision=state.decision,
                    figure_id=state.figure_id,
                )


def _decision_state(
    page: int, box: Box, figures: Iterable[FigureRow], decisions: Iterable[RegionDecisionRow]
) -> FoundState:
    located = [DetectedFigure(row.id, _box(row), row.archived_at is not None) for row in figures if row.page == page]
    decided = [
        DecisionHere(_box(row), FigureDecision(row.decision), row.figure_id) for row in decisions if row.page == page
    ]
    return state_of(box, located, decided)


def _box(row: FigureRow | RegionDecisionRow) -> Box:
    return Box(row.x0, row.y0, row.x1, row.y1)


# --- deciding ----------------------------------------------------------------------------------------------------


def _decide(w: Writing, figure: FoundFigure, decision: FigureDecision) -> Receipt:
    if decision is FigureDecision.LOCATED:
        if figure.figure_id is not None:
            row = assignments.study_figure(w.session, figure.figure_id)
            row.archived_at, event = None, "figure.restore"
        else:
            event, row = "figure.locate", _new_row(w, figure)
        w.session.add(row)
        w.session.flush()
        _store_decision(w, figure, decision, row.id)
        payload = {"page": row.page, "box": [row.x0, row.y0, row.x1, row.y1], "label": row.label, "found": figure.part}
        return w.record(event, "figure", row.id, version=row.version, payload={**payload, "caption": row.caption})
    if figure.decision is FigureDecision.LOCATED and figure.figure_id is not None:
        row = queue.held_subject(w.session, TRANSCRIPTION, figure.figure_id)
        if any(work.state != "abandoned" for work in queue.work_on(w.session, TRANSCRIPTION, row.id)):
            raise Refused(ALREADY_STARTED)
        row.archived_at = w.now
        w.session.add(row)
        w.session.flush()
        _store_decision(w, figure, decision, row.id)
        payload = {"found": figure.part, "decision": decision.value}
        return w.record("figure.archive", "figure", row.id, version=row.version, payload=payload)
    version = _store_decision(w, figure, decision, figure.figure_id)
    event = "figure.leave_out" if decision is FigureDecision.LEFT_OUT else "figure.ask_again"
    return w.record(event, "paper", figure.paper_id, version=version, payload={"found": figure.part})


def _new_row(w: Writing, figure: FoundFigure) -> FigureRow:
    box = figure.box
    page = PageFacts(figure.page, figure.page_width, figure.page_height, (), ())
    return FigureRow(
        paper_id=figure.paper_id,
        page=figure.page,
        x0=box.x0,
        y0=box.y0,
        x1=box.x1,
        y1=box.y1,
        place=place_in_words(box, page),
        label=figure.label,
        caption=figure.caption,
        created_by=w.viewer.person_id,
        created_at=w.now,
    )


def _store_decision(w: Writing, figure: FoundFigure, decision: FigureDecision, figure_id: str | None) -> int:
    """Store the decision under the place at which it was first made; return its version."""
    decided = stored.decisions_by_file(w.session, [figure.sha256]).get(figure.sha256, [])
    row = next((r for r in decided if r.page == figure.page and is_same_place(_box(r), figure.box)), None)
    if row is None:
        box = figure.box
        row = RegionDecisionRow(
            file_sha256=figure.sha256,
            part=figure.part,
            page=figure.page,
            x0=box.x0,
            y0=box.y0,
            x1=box.x1,
            y1=box.y1,
            decision=decision.value,
            decided_by=w.viewer.person_id,
            decided_at=w.now,
        )
    row.decision, row.figure_id = decision.value, figure_id
    row.decided_by, row.decided_at = w.viewer.person_id, w.now
    w.session.add(row)
    w.session.flush()
    return row.version
