"""The viewer's next figure, with its button."""

from __future__ import annotations

from components import shell, state
from components.desk.work_screen import next_card, show_failure
from core.people import Viewer
from core.words import counted
from pages.transcription import expectations
from pages.work_queue.screens import done_card, screen_of
from services.transcription import expected, transcribing
from services.transcription.lists import NextWork, WorkItem
from services.transcription.work_kind import FIGURES

PAGE = "next"
SCREEN = screen_of(PAGE, "transcription", FIGURES)
VERBS = {"Take": "Take next figure", "Continue": "Continue", "Correct": "Open returned figure"}


def show(viewer: Viewer, next_work: NextWork, *, has_done: bool) -> None:
    """Draw the viewer's next figure, or what else waits for them; `has_done`: they have submitted a figure."""
    work = next_work.work
    if work is None:
        show_failure(SCREEN)
        done = "All figures in your queue are transcribed" if has_done else "No figure is free for you now"
        done_card(viewer, "transcribe", done, "There is no other work for you now.")
        return
    figure = expected.expected(viewer, [work.figure_id]).get(work.figure_id)
    if work.assignment_id is None:
        free = f"{counted(next_work.free, 'figure')} in your queue" if next_work.free > 1 else ""
        facts = [work.figure_label, work.place, expectations.in_words(figure), free]
    else:
        edges = f"{counted(work.edges, 'edge')} so far"
        facts = [work.figure_label or work.place, work.comment[:160] if work.state == "returned" else edges, ends(work)]
    next_card(
        viewer,
        SCREEN,
        (work.paper_title, " · ".join(filter(None, facts))),
        VERBS[next_work.verb],
        opens=work.assignment_id or "",
        above="Next for you",
        picture="" if figure is None else expectations.thumbnail_url(work.figure_id, figure),
    )


def ends(work: WorkItem) -> str:
    """Return when an unfinished claim expires, in words."""
    return f"claim expires {shell.moment(work.expires_at)} unless you edit" if work.expires_at is not None else ""


def resume(viewer: Viewer, work: WorkItem) -> None:
    """Claim an expired or returned figure again, and open it."""
    name = state.key(PAGE, f"resume.{work.assignment_id}")
    receipt = transcribing.take(viewer, work.figure_id, act_id=state.act_id(name))
    state.spend(name)
    state.write_param("transcription", receipt.subject_id)
