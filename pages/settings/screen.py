"""Settings of the study, in sections."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from components import shell, state
from components.widgets import acts
from components.widgets.choosing import choose_part
from core.people import Permission, Viewer
from pages.settings.blinding import show_blinding
from pages.settings.model_readers import show_model_readers
from pages.settings.proposals import show_late, show_proposals
from pages.settings.queue import show_queue
from pages.settings.releases import show_releases
from pages.settings.study import PAGE, show_name
from pages.settings.triplets import show_triplets
from pages.settings.verdicts import show_verdicts
from services.acting import consulting_once


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a section: what it decides, in a sentence, who may, and what draws it."""

    heading: str
    decides: str
    permission: Permission
    draw: Callable[[Viewer], None]


# Section of the link → its title and its parts.
SECTIONS: dict[str, tuple[str, tuple[Part, ...]]] = {
    "study": (
        "Study",
        (Part("Name", "What this study is called wherever people see it.", Permission.MANAGE, show_name),),
    ),
    "figures": (
        "Figures",
        (
            Part(
                "Queue of figures",
                "How many annotators transcribe each figure, and when an idle claim expires.",
                Permission.ASSIGN,
                show_queue,
            ),
            Part(
                "Blinding to imported graphs",
                "Whether annotators see graphs that could show them a figure's answer.",
                Permission.MANAGE,
                show_blinding,
            ),
            Part(
                "Single transcriptions",
                "Whether a figure that one person transcribed can be ground truth.",
                Permission.MANAGE,
                show_releases,
            ),
        ),
    ),
    "proposals": (
        "Proposals",
        (
            Part(
                "Proposed edges",
                "Whether the program proposes edges while annotators draw.",
                Permission.MANAGE,
                show_proposals,
            ),
            Part(
                "After submitting",
                "Whether annotators see then where the program read the figure differently.",
                Permission.MANAGE,
                show_late,
            ),
            Part("Models as readers", "Which models may be sent figures.", Permission.MANAGE, show_model_readers),
        ),
    ),
    "triplets": (
        "Triplets",
        (
            Part(
                "Queue and sample of triplets",
                "Which triplets experts score, on which form, and how many experts score each.",
                Permission.ASSIGN,
                show_triplets,
            ),
        ),
    ),
    "verdicts": (
        "Verdicts",
        (
            Part(
                "Sheets of verdicts",
                "What reviewers see of a judge while they label, and how many label the same sheet.",
                Permission.ASSIGN,
                show_verdicts,
            ),
        ),
    ),
}


@consulting_once()
def show(viewer: Viewer) -> None:
    own = {
        name: (title, [part for part in parts if viewer.may(part.permission)])
        for name, (title, parts) in SECTIONS.items()
    }
    with shell.top_row("Settings", acts.last_receipt(PAGE)):
        chosen = choose_part(PAGE, {name: title for name, (title, parts) in own.items() if parts})
    for part in own[chosen][1]:
        with st.container(border=True, key=state.key(PAGE, f"part.{part.heading}")):
            st.subheader(part.heading, anchor=False)
            st.caption(part.decides)
            with shell.boundary():
                part.draw(viewer)
