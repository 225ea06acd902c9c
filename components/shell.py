"""Shared parts of all screens: the error boundary, the sidebar, the banner, the top row, and untrusted text."""

from __future__ import annotations

import logging
import os
import re
import secrets
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.menu.menu import MenuPage, menu
from components.sources import script, sheets
from core.errors import Conflict, EdgewiseError, SignedOut
from core.people import PERMISSIONS, Permission, Receipt, Role, Viewer
from core.version import PROGRAM_VERSION

_log = logging.getLogger("edgewise.screens")
FAULT = "Edgewise has an internal fault"
"""Start of the message about an internal fault; tests look for it on every screen."""
_FAULTS = "boundary.faults"
_doors = st.components.v2.component(
    "edgewise_doors",
    html="<div data-doors></div>",
    css=sheets("widgets/doors.css"),
    js=script("widgets/doors.js"),
)

# --- untrusted text ---------------------------------------------------------------------------------------------

_MARKUP = re.compile(r"([!-/:-@\[-`{-~])")  # every ASCII punctuation mark; Markdown lets all of them be escaped
_ARROW = re.compile(r"([-<>=~])(?=[->=])")  # Streamlit writes -> as one character, after escaping
_URL_START = re.compile(r"(?i)\b(https?|ftp|mailto|www)(?=[:.])")


def plain(text: str) -> DeltaGenerator:
    """Show text that came from outside. Markdown would fetch a remote picture named in it."""
    return st.text(text)


def escaped(text: str) -> str:
    """Escape text from outside where Streamlit insists on Markdown: labels, headings, alerts.

    Line breaks become spaces, since a line can begin a list or a table. A word joiner keeps addresses from becoming
    links after escaping, and typed arrows from becoming one sign."""
    unlinked = _URL_START.sub("\\1\u2060", " ".join(text.split()).replace("@", "\u2060@"))
    unlinked = _ARROW.sub("\\1\u2060", unlinked)
    return _MARKUP.sub(r"\\\1", unlinked)


def outline(text: str) -> str:
    """Return Markdown of which only headings, list marks, quotes and paired ** remain; all else is shown as typed.
    For texts that people write for each other: no picture is fetched, no link made, no HTML drawn."""
    return "\n".join(_outlined(line) for line in text.splitlines())


def _outlined(line: str) -> str:
    marks = re.match(r"\s{0,8}(?:#{1,4}\s+|[-*+]\s+|\d{1,3}[.)]\s+|>\s+)?", line)
    start = marks.end() if marks else 0
    pieces = line[start:].split("**")
    if len(pieces) % 2 == 0:
        pieces = [line[start:]]
    shown = [escaped(piece) for piece in pieces]
    bold = [f"**{piece}**" if place % 2 and piece else piece for place, piece in enumerate(shown)]
    spaced = [
        (" " if raw[:1].isspace() else "") + piece + (" " if raw.rstrip() != raw and raw.strip() else "")
        for raw, piece in zip(pieces, bold, strict=True)
    ]
    return line[:start] + "".join(spaced) + ("  " if line.strip() else "")


# --- errors -----------------------------------------------------------------------------------------------------


@contextmanager
def boundary(reload: Callable[[], None] | None = None) -> Iterator[None]:
    """Turn an error inside into one clear message. Around every page, and inside every fragment.

    `reload`: drops the page's state, for "Load newer version" after a conflict; without it the page is only redrawn."""
    try:
        yield
    except SignedOut as error:
        _say(error, ":material/logout:")
        page_anchor("Sign in", "/sign-in?next=" + quote(_here(), safe=""))
    except Conflict as error:
        _say(error, ":material/call_split:")
        st.button("Load newer version", key="boundary.reload", on_click=reload)
    except EdgewiseError as error:
        _say(error, ":material/error:")
    except Exception:  # noqa: BLE001
        # The last handler before the user: they get an id, the log gets the rest.
        fault = secrets.token_hex(4)
        st.session_state[_FAULTS] = faults_met() + 1
        _log.error("fault %s\n%s", fault, redacted(traceback.format_exc()))
        st.error(
            f"{FAULT} (ID {fault}). Your last change was not saved. Tell the owner of the "
            "study this ID; the log explains it.",
            icon=":material/bug_report:",
        )


def faults_met() -> int:
    """Return how many internal faults this session has met."""
    return int(st.session_state.get(_FAULTS, 0))


def _say(error: EdgewiseError, icon: str) -> None:
    st.error(escaped(str(error)), icon=icon)


def _here() -> str:
    parts = urlsplit(st.context.url or "/")
    query = "&".join(f"{quote(name)}={quote(value)}" for name, value in st.query_params.items())
    return (parts.path or "/") + (f"?{query}" if query else "")


def redacted(text: str) -> str:
    """Return `text` without what must never reach a log: keys and passwords of the environment, tokens, URLs."""
    for name, value in os.environ.items():
        if re.search(r"KEY|SECRET|TOKEN|PASS", name) and len(value) >= 6:
            text = text.replace(value, f"[{name}]")
    text = re.sub(r"[^\s@]+@?", _without_password, text)
    text = re.sub(r"\bsk-[\w-]{8,}", "[key]", text)
    text = re.sub(r"(?m)^\[parameters: .*$", "[parameters: hidden]", text)  # of a failed statement
    named = r"""(?i)(bearer |(?:password|token)["']?[=: ]+["']?|/invitation/)[\w.~+/=-]{6,}"""
    return re.sub(named, r"\1[hidden]", text)


def _without_password(match: re.Match[str]) -> str:
    """Hide the password of an address (`postgresql://me:secret@host`) in words up to an @."""
    words = match.group()
    address = re.search(r"://[^:/]*+:(?!@)", words) if words.endswith("@") else None
    return words if address is None else f"{words[: address.end()]}[password]@"


# --- links that leave the page ----------------------------------------------------------------------------------


def page_anchor(text: str, href: str, *, name: str = "link") -> None:
    """Draw a link in this tab to a page outside the app (Streamlit's links open another tab)."""
    _doors(key=f"doors.{name}", data={"href": href, "text": text}, height="content")


# --- the frame of a screen --------------------------------------------------------------------------------------


def top_row(title: str, receipt: Receipt | None = None, note: str = "") -> DeltaGenerator:
    """Draw the top row (title and receipt) and return its right part: `with top_row(...):` adds the primary button.
    `title` and `note` may come from outside."""
    row = st.container(horizontal=True, vertical_alignment="center", key="shell_top")
    row.subheader(escaped(title), anchor=False, width="stretch")
    with row:
        receipt_line(receipt, note)
    return row.container(horizontal=True, width="content", vertical_alignment="center")


def receipt_line(receipt: Receipt | None, note: str = "") -> None:
    """Show when the store last saved, and the state of the thing; nothing if neither is known."""
    saved = f"Saved {local_time(receipt.at):%H:%M:%S}" if receipt else ""
    line = " · ".join(part for part in (saved, note) if part)
    if line:
        st.caption((":material/check_circle: " if receipt else "") + escaped(line), width="content")


def local_time(at: datetime) -> datetime:
    """Return `at` in the browser's time zone; UTC if that is unknown."""
    aware = at if at.tzinfo else at.replace(tzinfo=UTC)
    try:
        return aware.astimezone(ZoneInfo(st.context.timezone or "UTC"))
    except (ZoneInfoNotFoundError, ValueError):
        return aware


def day(at: datetime) -> str:
    """Format as "22 Nov 2026", in the browser's time zone."""
    local = local_time(at)
    return f"{local.day} {local:%b %Y}"


def moment(at: datetime) -> str:
    """Format as "22 Nov 2026, 14:05", in the browser's time zone."""
    return f"{day(at)}, {local_time(at):%H:%M}"


def banner(
    viewer: Viewer, *, go_back: Callable[[], Any], is_dismissed: Callable[[], bool], dismiss: Callable[[], Any]
) -> None:
    """Show a banner if this is not an ordinary sign-in: the owner working as someone else, or a local study until its
    note is dismissed, which `is_dismissed` reads once a session and `dismiss` stores."""
    if viewer.acting_owner is not None:
        with st.container(horizontal=True, vertical_alignment="center", border=True, key="shell_banner"):
            st.markdown(
                f"You are working as **{escaped(viewer.name)}** ({_roles(viewer)}). Your acts are recorded as theirs."
            )
            if st.button("Back to owner", key="shell_go_back"):
                go_back()
                st.rerun()
    elif viewer.is_local:
        note = "shell_local_note"
        if f"{note}.dismissed" not in st.session_state:
            st.session_state[f"{note}.dismissed"] = is_dismissed()
        if st.session_state[f"{note}.dismissed"]:
            return
        with st.container(horizontal=True, vertical_alignment="center", key=note):
            st.caption(
                "Local study: everyone at this computer is the owner.",
                width="stretch",
                help="To share the study, invite people and serve it to a team, as the user guide says.",
            )
            if st.button("Dismiss", type="tertiary", key=f"{note}.dismiss"):
                dismiss()
                st.session_state[f"{note}.dismissed"] = True
                st.rerun()


def forbidden_page(title: str, may: Permission) -> None:
    """Explain that a page belongs to other roles."""
    *others, last = (role.value for role in Role if may in PERMISSIONS[role])
    roles = f"{', '.join(others)} or {last}" if others else last
    st.info(
        f"The page {escaped(title)} is for people who may {may.value}: {roles}. Your roles do not include that; "
        "ask the study's owner if you need it.",
        icon=":material/lock:",
    )
    page_anchor("Open overview", "/")


def sidebar(viewer: Viewer, sections: Mapping[str, Sequence[MenuPage]], opened: str, *, study: str, store: str) -> None:
    """Draw the menu, `opened` the path of the screen, and About. `store`: the study's database in words."""
    with st.sidebar, st.container(gap="xxsmall", key="shell_who"):
        menu(sections, opened, study=study, person=viewer.name, roles=_roles(viewer), csrf=viewer.csrf)
        if st.button("About", type="tertiary", key="shell_about"):
            _about(study, store)


def _roles(viewer: Viewer) -> str:
    return ", ".join(sorted(role.value for role in viewer.roles))


@st.dialog("About Edgewise", width="small")
def _about(study: str, store: str) -> None:
    st.text(
        f"Edgewise {PROGRAM_VERSION}\n"
        f"Study: {study}, kept in {store}\n"
        "Licence: GNU Affero General Public License, version 3 or later (AGPL-3.0-or-later).\n"
        "Comes without any warranty."
    )
