"""Detecting figures on all papers: request, progress, and the search of one paper.

The result of a page is stored at once, so a restarted server or command line continues at the first unsearched page.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from core.errors import EdgewiseError, Missing, Refused, UnreadableDocument
from core.papers.detected_figures import PageFigures
from core.people import Permission, Receipt, Viewer
from documents.reader import FIGURES_PRODUCER, PRODUCER, PRODUCER_VERSION
from services.acting import Writing, consulting, perform
from services.papers.figures import facts_from_json
from services.study import Study, current_study
from store import documents as derived
from store import settings
from store.papers import found as stored
from store.papers.found import PaperToSearch

KEY = "finding"
PASSING = ("busy", "reader failed", "closed")  # kinds of failure that may have passed at the next attempt
VERSION = str(PRODUCER_VERSION)
NOTHING_LEFT = "All pages have been looked at. Figures of papers that are added later can be found then."

detection_requested = threading.Event()  # set on a request in this process; wakes the server's thread


@dataclass(frozen=True, slots=True)
class PageFault:
    paper_title: str
    page: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingProgress:
    is_running: bool  # requested, and a page of a paper that existed then is not searched yet
    papers: int
    papers_done: int
    pages: int
    pages_done: int
    now: tuple[str, int, int] | None  # title, pages searched and pages of the current or next paper; None if none

    @property
    def is_done(self) -> bool:
        return self.pages_done >= self.pages


# --- request -----------------------------------------------------------------------------------------------------


def find_all(viewer: Viewer, *, act_id: str) -> Receipt:
    """Request detection on all active papers. The server continues until every page is searched or it is stopped.

    Raises Refused if no page is left.
    """

    def act(w: Writing) -> Receipt:
        if progress_in(w.session).is_done:
            raise Refused(NOTHING_LEFT)
        return w.record("figures.find", "setting", KEY, version=_store_request(w, w.now))

    receipt = perform(viewer, Permission.CURATE, act_id, act)
    detection_requested.set()
    return receipt


def stop(viewer: Viewer, *, act_id: str) -> Receipt:
    """Stop detection after the current page. Results stay."""

    def act(w: Writing) -> Receipt:
        return w.record("figures.stop", "setting", KEY, version=_store_request(w, None))

    return perform(viewer, Permission.CURATE, act_id, act)


def _store_request(w: Writing, since: datetime | None) -> int:
    return settings.set_setting(w.session, KEY, {"since": since and since.isoformat()}).version


def requested_since(session: Session) -> datetime | None:
    """Return the time of the request; None if there is none, or it was stopped."""
    since = (settings.setting(session, KEY) or {}).get("since")
    return None if since is None else datetime.fromisoformat(since)


# --- progress ----------------------------------------------------------------------------------------------------


def progress(viewer: Viewer) -> FindingProgress:
    with consulting(viewer, Permission.CURATE) as r:
        return progress_in(r.session)


def progress_in(session: Session) -> FindingProgress:
    """Return the progress, counted from stored results: correct for any process, and after a kill."""
    papers = stored.papers_to_search(session)
    done = stored.pages_done(session, FIGURES_PRODUCER, VERSION)
    since = requested_since(session)
    left = [paper for paper in papers if done.get(paper.sha256, 0) < paper.page_count]
    requested = [paper for paper in left if since is not None and paper.filed_at <= since]
    now = next(iter(requested or left), None)
    return FindingProgress(
        is_running=bool(requested),
        papers=len(papers),
        papers_done=len(papers) - len(left),
        pages=sum(paper.page_count for paper in papers),
        pages_done=sum(min(done.get(paper.sha256, 0), paper.page_count) for paper in papers),
        now=None if now is None else (now.title, done.get(now.sha256, 0), now.page_count),
    )


def faults(viewer: Viewer) -> tuple[PageFault, ...]:
    with consulting(viewer, Permission.CURATE) as r:
        papers = stored.papers_to_search(r.session)
        pages_by_file = stored.found_on(r.session, (paper.sha256 for paper in papers), FIGURES_PRODUCER, VERSION)
    return tuple(
        PageFault(paper.title, page.number, page.fault)
        for paper in papers
        for page in pages_by_file.get(paper.sha256, ())
        if page.fault
    )


# --- searching ---------------------------------------------------------------------------------------------------


def papers_to_scan(viewer: Viewer, ids: Sequence[str] | None = None) -> tuple[PaperToSearch, ...]:
    """Return the active papers that have a file, or those of these ids, in search order.

    Raises Missing for an id that is none of them.
    """
    with consulting(viewer, Permission.CURATE) as r:
        papers = stored.papers_to_search(r.session, ids)
    unknown = sorted(set(ids or ()) - {paper.id for paper in papers})
    if unknown:
        raise Missing(f"{unknown[0]} is no paper in use with a file. The command papers list shows the IDs.")
    return tuple(papers)


def scan_pages(viewer: Viewer, paper: PaperToSearch) -> Iterator[PageFigures]:
    """Yield the pages of a paper, searched ones first; each is stored before it is yielded.

    Raises UnreadableDocument for a failure that may pass ("busy", "reader failed", "closed"), Missing or
    StoreUnavailable without a file. Any other unreadable page has its `fault`.
    """
    study = current_study()
    with consulting(viewer, Permission.CURATE) as r:
        before = stored.found_on(r.session, [paper.sha256], FIGURES_PRODUCER, VERSION).get(paper.sha256, [])
    yield from before
    yield from pages_left(study, paper, lambda: True)


def pages_left(study: Study, paper: PaperToSearch, goes_on: Callable[[], bool]) -> Iterator[PageFigures]:
    """Yield the unsearched pages of a paper while `goes_on`; each is stored before it is yielded.

    Raises as `scan_pages`.
    """
    with study.store.reading() as session:
        known = stored.pages_of(session, paper.sha256, FIGURES_PRODUCER, VERSION)
    for number in range(1, paper.page_count + 1):
        if number in known:
            continue
        if not goes_on():
            return
        page = _search_page(study, paper.sha256, number)
        with study.store.writing() as session:
            derived.keep_derived(
                session,
                paper.sha256,
                FIGURES_PRODUCER,
                VERSION,
                f"{stored.PAGE}{number}",
                page.as_json(),
                study.clock(),
            )
        yield page


def _search_page(study: Study, sha256: str, number: int) -> PageFigures:
    # The page's words are dropped: they are most of its reading, and are not needed here.
    with study.store.reading() as session:
        stored_facts = derived.derived(session, sha256, PRODUCER, VERSION, f"page {number}")
        path = None if stored_facts is not None else study.shelf.path(session, sha256)
    try:
        facts = facts_from_json(stored_facts) if path is None else study.reader.page(path, sha256, number)
    except UnreadableDocument as error:
        if error.kind in PASSING:
            raise
        return PageFigures(number, 0, 0, (), str(error))
    return PageFigures(number, facts.width, facts.height, facts.regions)


def process_queue(study: Study, goes_on: Callable[[], bool]) -> EdgewiseError | None:
    """Search all requested papers, one after another, while requested and `goes_on`.

    Returns the last failure that may pass; a paper whose file cannot be read does not block others.
    """
    trouble: EdgewiseError | None = None

    def is_requested() -> bool:
        with study.store.reading() as session:
            return goes_on() and requested_since(session) is not None

    with study.store.reading() as session:
        since = requested_since(session)
        papers = stored.papers_to_search(session) if since is not None else []
    for paper in papers:
        if since is not None and paper.filed_at <= since and goes_on():
            try:
                for _page in pages_left(study, paper, is_requested):
                    pass
            except EdgewiseError as error:
                trouble = error
    return trouble
