"""A form of many fields that outlives the browser: every change goes into the person's draft and comes back from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from components import state
from core.errors import EdgewiseError
from core.people import Viewer
from pages.drafts import kept


@dataclass(frozen=True)
class KeptForm:
    """`scope`: what its keys in the session begin with; `draft`: the key of the draft; `own`: each field and what it
    holds at first; `more`: further ones, of which others decide. What a field holds must be JSON."""

    scope: str
    draft: str
    own: Mapping[str, Any]
    more: Callable[[], Mapping[str, Any]] = dict

    @property
    def fields(self) -> dict[str, Any]:
        return {**self.more(), **self.own}

    def key(self, field: str) -> str:
        """The widget's key."""
        return state.key(self.scope, field)

    @property
    def _held(self) -> str:
        return self.key("held")

    @property
    def _fault(self) -> str:
        return self.key("unkept")

    def begin(self, viewer: Viewer) -> bool:
        """Fill the fields as they stood, or as the draft says; true if they come from a draft of before."""
        is_from_draft = False
        kept.offer_put_away(viewer, self.draft, "form.json")
        if self._held not in st.session_state:
            drafted = self._drafted(kept.load(viewer, self.draft))
            is_from_draft = bool(drafted)
            st.session_state[self._held] = {**self.fields, **drafted}
        # Widgets that were not drawn in the last run have lost their own state, so it is set every time.
        for field, value in st.session_state[self._held].items():
            st.session_state.setdefault(self.key(field), value)
        return is_from_draft

    def fill(self, viewer: Viewer, values: Mapping[str, Any]) -> None:
        """Begin anew with other values, and keep them."""
        state.forget(self.scope + ".")
        st.session_state[self._held] = {**self.fields, **values}
        self._keep(viewer)

    def keep(self, viewer: Viewer) -> None:
        """A callback: what the form holds now goes into the draft."""
        st.session_state[self._held] = self.values()
        self._keep(viewer)

    def _keep(self, viewer: Viewer) -> None:
        try:
            kept.keep(viewer, self.draft, json.dumps(st.session_state[self._held]))
        except EdgewiseError as error:
            st.session_state[self._fault] = str(error)
        else:
            st.session_state.pop(self._fault, None)

    def forget(self, viewer: Viewer) -> None:
        """It is done, or given up: the next drawing begins anew."""
        state.forget(self.scope + ".")
        kept.forget(viewer, self.draft)

    def values(self) -> dict[str, Any]:
        """Each field with what it holds now."""
        memory = st.session_state
        fields = self.fields
        held = {**fields, **memory.get(self._held, {})}
        return {field: memory.get(self.key(field), held[field]) for field in fields}

    def fault(self) -> None:
        """Say why the last change was not kept, if it was not."""
        if self._fault in st.session_state:
            st.text(f"Draft not saved: {st.session_state[self._fault]}")

    def _drafted(self, text: str) -> dict[str, Any]:
        """A kept draft; of one that an older version wrote, what is still known."""
        try:
            read = json.loads(text) if text else {}
        except ValueError:
            return {}
        if not isinstance(read, dict):
            return {}
        return {
            field: read[field] for field, usual in self.fields.items() if field in read and _fits(usual, read[field])
        }


def _fits(usual: Any, value: Any) -> bool:
    """Whether a drafted value is of the field's kind; a field that begins with None takes any."""
    if usual is None or value is None:
        return True
    if isinstance(usual, bool) or isinstance(value, bool):
        return isinstance(usual, bool) and isinstance(value, bool)
    if isinstance(usual, int | float):
        return isinstance(value, int | float)
    return isinstance(value, type(usual))
