"""Form whose values are stored in a draft and restored from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from components import state
from core.errors import EdgewiseError
from core.people import Viewer
from pages.drafts import stored


@dataclass(frozen=True)
class DraftForm:
    """Form stored as a draft. Values must be JSON.

    Attributes:
        scope: prefix of its session keys
        draft: key of the draft
        own: fields with initial values
        more: further fields that other modules define
    """

    scope: str
    draft: str
    own: Mapping[str, Any]
    more: Callable[[], Mapping[str, Any]] = dict

    @property
    def fields(self) -> dict[str, Any]:
        return {**self.more(), **self.own}

    def key(self, field: str) -> str:
        return state.key(self.scope, field)

    @property
    def _values_key(self) -> str:
        return self.key("held")

    @property
    def _fault_key(self) -> str:
        return self.key("unkept")

    def begin(self, viewer: Viewer) -> bool:
        """Initialise the fields from session or draft; return True if they come from a stored draft."""
        is_from_draft = False
        stored.show_archived(viewer, self.draft, "form.json")
        if self._values_key not in st.session_state:
            drafted = self._drafted(stored.load(viewer, self.draft))
            is_from_draft = bool(drafted)
            st.session_state[self._values_key] = {**self.fields, **drafted}
        # Widgets not drawn in the last rerun have lost their state, so it is set every time.
        for field, value in st.session_state[self._values_key].items():
            st.session_state.setdefault(self.key(field), value)
        return is_from_draft

    def fill(self, viewer: Viewer, values: Mapping[str, Any]) -> None:
        state.forget(self.scope + ".")
        st.session_state[self._values_key] = {**self.fields, **values}
        self._keep(viewer)

    def keep(self, viewer: Viewer) -> None:
        st.session_state[self._values_key] = self.values()
        self._keep(viewer)

    def _keep(self, viewer: Viewer) -> None:
        try:
            stored.keep(viewer, self.draft, json.dumps(st.session_state[self._values_key]))
        except EdgewiseError as error:
            st.session_state[self._fault_key] = str(error)
        else:
            st.session_state.pop(self._fault_key, None)

    def forget(self, viewer: Viewer) -> None:
        state.forget(self.scope + ".")
        stored.forget(viewer, self.draft)

    def values(self) -> dict[str, Any]:
        memory = st.session_state
        fields = self.fields
        current = {**fields, **memory.get(self._values_key, {})}
        return {field: memory.get(self.key(field), current[field]) for field in fields}

    def fault(self) -> None:
        if self._fault_key in st.session_state:
            st.text(f"Draft not saved: {st.session_state[self._fault_key]}")

    def _drafted(self, text: str) -> dict[str, Any]:
        """Parse a draft; fields that this version does not know are dropped."""
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
    """Return True if a value has the type of the field's initial value; None allows any."""
    if usual is None or value is None:
        return True
    if isinstance(usual, bool) or isinstance(value, bool):
        return isinstance(usual, bool) and isinstance(value, bool)
    if isinstance(usual, int | float):
        return isinstance(value, int | float)
    return isinstance(value, type(usual))
