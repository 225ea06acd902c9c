"""State of a browser session between reruns: key names, ids of acts, query parameters, drafts.

Session state holds ids and unfinished text; facts are in the store."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from typing import Any, Literal

import streamlit as st
import uuid_utils

from core.errors import EdgewiseError
from core.people import Viewer

_ACT = "act."
_SEEN = "seen."
_OWNER = "session.owner"


def key(page: str, name: str) -> str:
    """Return the session-state and widget key of something on a page."""
    return f"{page}.{name}"


def belong_to(viewer: Viewer) -> None:
    """Clear the state if it belongs to someone else.

    Streamlit lets a reconnecting browser resume its old session state, also after another person has signed in; and an
    owner who begins to work as someone else must not bring their own along."""
    mark = (viewer.session_id, viewer.person_id)
    if st.session_state.get(_OWNER, mark) != mark:
        st.session_state.clear()
    st.session_state[_OWNER] = mark


def owner() -> tuple[str, str] | None:
    """Return ids of session and person of this state. None before `belong_to`, and outside of a study."""
    mark: tuple[str, str] | None = st.session_state.get(_OWNER)
    return mark


def forget(prefix: str) -> None:
    """Delete all keys that begin with `prefix`, so that the page reads the store again."""
    for name in [
        str(name) for name in st.session_state if str(name).startswith((prefix, _ACT + prefix, _SEEN + prefix))
    ]:
        del st.session_state[name]


# --- acts -------------------------------------------------------------------------------------------------------


def act_id(name: str) -> str:
    """Return the id of the next act of the form `name`: one UUIDv7 per rendered form, until it is spent."""
    stored: str = st.session_state.setdefault(_ACT + name, str(uuid_utils.uuid7()))
    return stored


def act_key(name: str, part: str = "") -> str:
    """Return a widget key bound to the form's act id. The second half of a double click may reach the server after the
    act is spent. It then names a widget that no longer exists and does nothing; and a spent form comes back empty."""
    return ".".join(filter(None, (name, part, act_id(name))))


def seen(name: str, version: int) -> int:
    """Return the version of the thing when the form `name` was first drawn, regardless of its present one.

    Only so can the store detect that someone else changed it while the form was being filled in."""
    version_seen: int = st.session_state.setdefault(_SEEN + name, version)
    return version_seen


def spend(name: str) -> None:
    """End the act after success: the next drawing of the form is a new act."""
    st.session_state.pop(_ACT + name, None)
    st.session_state.pop(_SEEN + name, None)


# --- links ------------------------------------------------------------------------------------------------------


def read_param(name: str, default: str = "") -> str:
    """Return a query parameter of the page's link. It comes from outside: check it before use."""
    return st.query_params.get(name, default)


def write_param(name: str, value: str) -> None:
    """Put `value` into the page's link, or remove it if empty, so that the link restores what is shown."""
    if not value:
        st.query_params.pop(name, None)
    elif st.query_params.get(name) != value:
        st.query_params[name] = value


def read_params(name: str) -> tuple[str, ...]:
    """Return every value of a repeated query parameter. They come from outside: check before use."""
    return tuple(st.query_params.get_all(name))


def write_params(name: str, values: Sequence[str]) -> None:
    """Put all of `values` into the page's link under one name, or remove the name if there are none."""
    if not values:
        st.query_params.pop(name, None)
    elif tuple(st.query_params.get_all(name)) != tuple(values):
        st.query_params[name] = list(values)


# --- typed text -------------------------------------------------------------------------------------------------


def draft_text(
    label: str,
    name: str,
    *,
    load: Callable[[], str],
    keep: Callable[[str], None],
    lines: Literal["one", "many"] = "many",
    **options: Any,
) -> str:
    """Draw a text field whose text outlives the browser: `load` fills it when first drawn, `keep` stores every change.
    `options`: further arguments of st.text_area or st.text_input. If `keep` raises an EdgewiseError, the text stays in
    the field with the reason below it."""
    memory: MutableMapping[Any, Any] = st.session_state
    fault = name + ".unkept"
    if name not in memory:
        memory[name] = load()

    def changed() -> None:
        # A callback runs outside the page's boundary, so its error is stored for the drawing.
        try:
            keep(memory[name])
        except EdgewiseError as error:
            memory[fault] = str(error)
        else:
            memory.pop(fault, None)

    field = st.text_area if lines == "many" else st.text_input
    text = field(label, key=name, on_change=changed, **options)
    if fault in memory:
        st.text(f"Draft not saved: {memory[fault]}")
    return text or ""
