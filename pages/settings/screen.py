"""Settings of the study, in sections."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components import shell
from components.widgets import acts
from components.widgets.choosing import choose_part
from core.people import Permission, Viewer
from pages.settings.blinding import show_blinding
from pages.settings.model_readers import show_model_readers
from pages.settings.proposals import show_late, show_proposals
from pages.settings.queue import show_queue
from pages.settings.study import PAGE, show_name
from pages.settings.triplets import show_triplets
from pages.settings.verdicts import show_verdicts
from services.acting import consulting_once

# Section of the link → its title, and its parts: heading, permission, what draws it.
SECTIONS: dict[str, tuple[str, tuple[tuple[str, Permission, Callable[[Viewer], None]], ...]]] = {
    "study": ("Study", (("Name", Permission.MANAGE, show_name),)),
    "figures": (
        "Figures",
        (
            ("Queue of figures", Permission.ASSIGN, show_queue),
            ("Blinding to imported graphs", Permission.MANAGE, show_blinding),
        ),
    ),
    "proposals": (
        "Proposals",
        (
            ("Proposed edges", Permission.MANAGE, show_proposals),
            ("After submitting", Permission.MANAGE, show_late),
            ("Models as readers", Permission.MANAGE, show_model_readers),
        ),
    ),
    "triplets": ("Triplets", (("Queue and sample of triplets", Permission.ASSIGN, show_triplets),)),
    "verdicts": ("Verdicts", (("Sheets of verdicts", Permission.ASSIGN, show_verdicts),)),
}


@consulting_once()
def show(viewer: Viewer) -> None:
    own = {
        name: (title, [(heading, draw) for heading, permission, draw in parts if viewer.may(permission)])
        for name, (title, parts) in SECTIONS.items()
    }
    with shell.top_row("Settings", acts.last_receipt(PAGE)):
        chosen = choose_part(PAGE, {name: title for name, (title, parts) in own.items() if parts})
    for heading, draw in own[chosen][1]:
        st.subheader(heading, anchor=False)
        with shell.boundary():
            draw(viewer)
