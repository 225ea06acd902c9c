"""The owner's checklist of a new study: each step is done as soon as the store shows it."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func
from sqlmodel import col, select

from core.people import Permission, Viewer
from services.acting import ReadContext, consulting
from services.queue.settings import KEY as QUEUE
from services.transcription.guidelines import newest_number
from store import assignments
from store.assignments import ADJUDICATION
from store.documents import draft
from store.papers import papers
from store.settings import NAME, setting_row
from store.tables import FigureRow, InvitationRow, PaperRow, PersonRow, ReleaseRow

HIDDEN = "overview.setup"
"""Draft of an owner who hid the checklist: a study without figures never finishes it."""


@dataclass(frozen=True, slots=True)
class SetupStep:
    """A step of the checklist, with the page and the query parameters that open its place; `key` names it in links."""

    key: str
    sentence: str
    is_done: bool
    page: str
    link: dict[str, str]


def setup(viewer: Viewer) -> tuple[SetupStep, ...]:
    """Return the viewer's steps, as `setup_steps` does."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        return setup_steps(r)


def setup_steps(r: ReadContext) -> tuple[SetupStep, ...]:
    """Return the steps in their order, for people who manage the study; none once all are done or the viewer
    has hidden them."""
    if not r.viewer.may(Permission.MANAGE) or draft(r.session, r.viewer.person_id, HIDDEN) is not None:
        return ()

    def are_there(table: type[PersonRow | InvitationRow | ReleaseRow], least: int = 1) -> bool:
        return r.session.exec(select(func.count()).select_from(table)).one() >= least

    located = select(FigureRow.id).join(PaperRow, col(PaperRow.id) == col(FigureRow.paper_id))
    is_located = r.session.exec(located.where(papers.is_located()).limit(1)).first() is not None
    to_screen = papers.oldest_to_screen(r.session, "")
    steps = (
        SetupStep("name", "Name the study", setting_row(r.session, NAME) is not None, "settings", {}),
        SetupStep("guidelines", "Write the guidelines", newest_number(r.session) > 0, "people", {"part": "guidelines"}),
        SetupStep("people", "Invite people", are_there(PersonRow, 2) or are_there(InvitationRow), "people", {}),
        SetupStep("papers", "Add papers", papers.counts(r.session).papers > 0, "papers", {}),
        SetupStep(
            "queue",
            "Choose how many annotators draw each figure",
            setting_row(r.session, QUEUE) is not None,
            "settings",
            {"show": "figures"},
        ),
        SetupStep(
            "locate",
            "Locate figures",
            is_located,
            "papers",
            {"view": "sheet"} if to_screen is None else {"paper": to_screen.id, "tab": "screen"},
        ),
        SetupStep(
            "truth",
            "Have a figure transcribed twice and adjudicated",
            are_there(ReleaseRow) or bool(assignments.count_by_subject(r.session, ADJUDICATION, ("submitted",))),
            "transcribe",
            {"show": "queue"},
        ),
        SetupStep("release", "Freeze the first release", are_there(ReleaseRow), "releases", {}),
    )
    return () if all(step.is_done for step in steps) else steps
