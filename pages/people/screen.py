"""People & study: people and their roles, guidelines, and the viewer's account."""

from __future__ import annotations

from datetime import datetime

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import shell
from components.widgets.choosing import choose_part
from core.people import Permission, Viewer
from core.words import counted
from pages.drafts import stored
from pages.people import credit, identities
from pages.people import practice as people_training
from pages.people.account import show_account
from pages.people.acts import PAGE, receipt, reload
from pages.people.guidelines import show_guidelines
from pages.people.inviting import invite, show_links
from pages.people.person import one_person, work_as, work_as_demo
from services.people import people as service
from services.people.people import PersonView
from services.transcription import practice

__all__ = ["show", "work_as"]

PARTS = {
    "people": "People",
    "guidelines": "Guidelines",
    "account": "My account",
    "credit": "Credit",
    "identities": "Destroy identities",
}

# Column widths in pixels; together they fit a screen of 1,440 pixels next to the acts.
WIDTHS = {"Name": 145, "Roles": 95, "State": 115, "Submitted": 200, "Last act": 90, "Practice": 75}


def show(viewer: Viewer) -> None:
    if not viewer.may(Permission.MANAGE):
        show_account(viewer, shell.top_row("My account"))
        return
    head = st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")
    with head:
        part = choose_part(PAGE, PARTS, "part")
    shown = {
        "people": _people,
        "guidelines": show_guidelines,
        "credit": credit.show_credit,
        "identities": identities.show_identities,
        "account": show_account,
    }[part]
    with stored.settling(viewer):
        shown(viewer, head)


# --- people -----------------------------------------------------------------------------------------------------


def _people(viewer: Viewer, head: DeltaGenerator) -> None:
    everyone = service.list_people(viewer)
    with head:
        shell.receipt_line(receipt())
    listed, acts = st.columns([2, 1], gap="large")
    with listed:
        practice_states = practice.practice_states(viewer)
        rows = {
            "Name": [person.name for person in everyone],
            "Roles": [", ".join(person.roles) for person in everyone],
            "State": [_state(person) for person in everyone],
            "Submitted": [_submitted(person) for person in everyone],
            "Last act": [_day(person.last_act_at) for person in everyone],
            "Practice": [people_training.word(practice_states.get(person.id)) for person in everyone],
        }
        columns = {name: st.column_config.TextColumn(name, width=width) for name, width in WIDTHS.items()}
        st.dataframe(rows, hide_index=True, height="content", column_config=columns)
        locked = [person.name for person in everyone if person.locked_until is not None]
        if locked:
            st.caption(shell.escaped(f"Sign-in locked after wrong passwords: {', '.join(locked)}"))
        many = "1 person" if len(everyone) == 1 else f"{len(everyone):,} people"
        st.caption(
            f"{many}. Owners, researchers and reviewers see these names; annotators and experts do not. Exports "
            "contain pseudonyms (A1, A2 …)."
        )
        with shell.boundary(reload):
            work_as_demo(viewer)
            show_links(viewer)
    with acts:
        with shell.boundary(reload):
            invite(viewer)
        with shell.boundary(reload):
            one_person(viewer, everyone)


def _submitted(person: PersonView) -> str:
    return ", ".join(counted(number, kind) for kind, number in person.submitted.items())


def _day(at: datetime | None) -> str:
    return "–" if at is None else f"{shell.local_time(at):%d %b %Y}"


def _state(person: PersonView) -> str:
    if not person.is_active:
        return "deactivated"
    if person.locked_until is not None:
        return f"sign-in locked until {shell.local_time(person.locked_until):%H:%M:%S}"
    if person.is_demo:
        return "demo account"
    return "active" if person.has_password else "no password yet"
