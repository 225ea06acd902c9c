"""Finding figures on all papers: whether it is wanted, how far it is, and one paper looked through.

What is found on a page is kept at once, so whoever goes on (the server's own thread after a restart, the command line
after a kill) begins at the first page that nobody has looked at.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from core.errors import EdgewiseError, Missing, Refused, UnreadableDocument
from core.papers.found import PageFigures
from core.people import May, Receipt, Viewer
from documents.reader import FIGURES_PRODUCER, PRODUCER, PRODUCER_VERSION
from services.acting import Writing, consulting, perform
from services.papers.figures import facts_from_json
from services.study import Study, current_study
from store import documents as derived
from store import settings
from store.papers import found as stored
from store.papers.found import PaperToSearch

KEY = "finding"
PASSING = ("busy", "reader failed", "closed")  # kinds of failure that may be gone at the next look
VERSION = str(PRODUCER_VERSION)
NOTHING_LEFT = "All pages have been looked at. Figures of papers that are added later can be found then."

asked = threading.Event()
"""Set when somebody of this process wants figures found; the server's thread waits for it."""


@dataclass(frozen=True, slots=True)
class PageFault:
    """A page that could not be read, and why."""

    paper_title: str
    page: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingProgress:
    """How far finding is, over the papers in use that have a file.

    `is_running`: it is wanted, and a page of a paper that was there when it was asked for is not looked at yet.
    `now` is the paper under way or next, with pages looked at and pages in all; None if nothing is left.
    """

    is_running: bool
    papers: int
    papers_done: int
    pages: int
    pages_done: int
    now: tuple[str, int, int] | None

    @property
    def is_done(self) -> bool:
        return self.pages_done >= self.pages


# --- wanted or not -----------------------------------------------------------------------------------------------


def find_all(viewer: Viewer, *, act_id: str) -> Receipt:
    """Have the figures of all papers found that are in use now. The server goes on until every page is looked at or
    somebody stops it, whoever closes a browser. Raises Refused if no page is left."""

    def act(w: Writing) -> Receipt:
        if progress_in(w.session).is_done:
            raise Refused(NOTHING_LEFT)
        return w.record("figures.find", "setting", KEY, version=_set(w, w.now))

    receipt = perform(viewer, May.CURATE, act_id, act)
    asked.set()
    return receipt


def stop(viewer: Viewer, *, act_id: str) -> Receipt:
    """Stop finding after the page under way. What was found stays."""

    def act(w: Writing) -> Receipt:
        return w.record("figures.stop", "setting", KEY, version=_set(w, None))

    return perform(viewer, May.CURATE, act_id, act)


def _set(w: Writing, since: datetime | None) -> int:
    """Keep when it was asked for, None: not any more; the setting's version."""
    return settings.set_setting(w.session, KEY, {"since": since and since.isoformat()}).version


def wanted_since(session: Session) -> datetime | None:
    """When somebody asked for the figures of all papers; None if nobody did, or it was stopped."""
    since = (settings.setting(session, KEY) or {}).get("since")
    return None if since is None else datetime.fromisoformat(since)


# --- how far it is -----------------------------------------------------------------------------------------------


def progress(viewer: Viewer) -> FindingProgress:
    with consulting(viewer, May.CURATE) as r:
        return progress_in(r.session)


def progress_in(session: Session) -> FindingProgress:
    """Counted anew from what is kept, so it is true whoever finds, and after a kill."""
    papers = stored.papers_to_search(session)
    done = stored.pages_done(session, FIGURES_PRODUCER, VERSION)
    since = wanted_since(session)
    left = [paper for paper in papers if done.get(paper.sha256, 0) < paper.page_count]
    wanted = [paper for paper in left if since is not None and paper.filed_at <= since]
    now = next(iter(wanted or left), None)
    return FindingProgress(
        is_running=bool(wanted),
        papers=len(papers),
        papers_done=len(papers) - len(left),
        pages=sum(paper.page_count for paper in papers),
        pages_done=sum(min(done.get(paper.sha256, 0), paper.page_count) for paper in papers),
        now=None if now is None else (now.title, done.get(now.sha256, 0), now.page_count),
    )


def faults(viewer: Viewer) -> tuple[PageFault, ...]:
    """The pages of papers in use that could not be read."""
    with consulting(viewer, May.CURATE) as r:
        papers = stored.papers_to_search(r.session)
        found = stored.found_on(r.session, (paper.sha256 for paper in papers), FIGURES_PRODUCER, VERSION)
    return tuple(
        PageFault(paper.title, page.number, page.fault)
        for paper in papers
        for page in found.get(paper.sha256, ())
        if page.fault
    )


# --- looking -----------------------------------------------------------------------------------------------------


def papers_to_look_through(viewer: Viewer, ids: Sequence[str] | None = None) -> tuple[PaperToSearch, ...]:
    """The papers in use that have a file, or those of these ids, in the order in which they are looked through.

    Raises Missing for an id that is none of them.
    """
    with consulting(viewer, May.CURATE) as r:
        papers = stored.papers_to_search(r.session, ids)
    unknown = sorted(set(ids or ()) - {paper.id for paper in papers})
    if unknown:
        raise Missing(f"{unknown[0]} is no paper in use with a file. The command papers list shows the IDs.")
    return tuple(papers)


def look_through(viewer: Viewer, paper: PaperToSearch) -> Iterator[PageFigures]:
    """The pages of a paper as they are looked at, first those that were before; each is kept before it is given.

    Raises UnreadableDocument for a failure that may be gone at the next look ("busy", "reader failed", "closed");
    Missing or StoreTrouble if the file is not there. Any other page that cannot be read has its `fault`.
    """
    study = current_study()
    with consulting(viewer, May.CURATE) as r:
        before = stored.found_on(r.session, [paper.sha256], FIGURES_PRODUCER, VERSION).get(paper.sha256, [])
    yield from before
    yield from pages_left(study, paper, lambda: True)


def pages_left(study: Study, paper: PaperToSearch, goes_on: Callable[[], bool]) -> Iterator[PageFigures]:
    """The pages of a paper that nobody has looked at, one by one, as long as `goes_on`; each is kept before it is
    given. Raises as `look_through`."""
    with study.store.reading() as session:
        known = stored.pages_of(session, paper.sha256, FIGURES_PRODUCER, VERSION)
    for number in range(1, paper.page_count + 1):
        if number in known:
            continue
        if not goes_on():
            return
        page = _looked_at(study, paper.sha256, number)
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


def _looked_at(study: Study, sha256: str, number: int) -> PageFigures:
    """The words of a page stay out of it: they are most of what its reading brings, and nobody needs them here."""
    with study.store.reading() as session:
        kept = derived.derived(session, sha256, PRODUCER, VERSION, f"page {number}")
        path = None if kept is not None else study.shelf.path(session, sha256)
    try:
        facts = facts_from_json(kept) if path is None else study.reader.page(path, sha256, number)
    except UnreadableDocument as error:
        if error.kind in PASSING:
            raise
        return PageFigures(number, 0, 0, (), str(error))
    return PageFigures(number, facts.width, facts.height, facts.regions)


def work_off(study: Study, goes_on: Callable[[], bool]) -> EdgewiseError | None:
    """Look through all papers that somebody asked for, one after another, as long as it is wanted and `goes_on`.

    Returns the last failure that may be gone at a later look; a paper whose file cannot be read holds up no other.
    """
    trouble: EdgewiseError | None = None

    def is_wanted() -> bool:
        with study.store.reading() as session:
            return goes_on() and wanted_since(session) is not None

    with study.store.reading() as session:
        since = wanted_since(session)
        papers = stored.papers_to_search(session) if since is not None else []
    for paper in papers:
        if since is not None and paper.filed_at <= since and goes_on():
            try:
                for _page in pages_left(study, paper, is_wanted):
                    pass
            except EdgewiseError as error:
                trouble = error
    return trouble
