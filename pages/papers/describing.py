"""Metadata of a paper. Typed text survives a closed browser; a conflict shows both versions."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import Any

import streamlit as st

from components import state
from components.widgets.acts import keep
from core.errors import Conflict, EdgewiseError
from core.papers.papers import PaperReference
from core.people import Receipt, Viewer
from pages.drafts import stored
from pages.papers.links import PAGE, scope
from services.papers import papers
from services.papers.papers import EDITABLE_FIELDS, PaperView

LABELS = {
    "title": "Title",
    "authors": "Authors, one per line",
    "source": "Source (publisher, journal or archive)",
    "publication_date": "Publication date",
    "doi": "DOI",
    "url": "Link",
    "abstract": "Abstract",
    "domains": "Domains, one per line, broad to narrow",
    "licence": "Licence",
}
LISTS = frozenset(field.name for field in fields(PaperReference) if field.type == "tuple[str, ...]")
HINTS = {"publication_date": "2026, 2026-03 or 2026-03-14", "doi": "Example: 10.1371/journal.pone.0195141"}


def show_describing(viewer: Viewer, paper: PaperView) -> None:
    form = state.key(PAGE, f"describe.{paper.id}")
    _load(viewer, paper, form)
    stored.show_archived(viewer, _draft_key(paper), "metadata.json")
    changed = partial(_keep_typed, viewer, paper, form)
    left, right = st.columns(2, gap="large")
    with left:
        for name in ("title", "authors", "source", "publication_date"):
            _field(form, name, changed)
    with right:
        for name in ("doi", "url", "licence", "domains"):
            _field(form, name, changed)
    _field(form, "abstract", changed)
    if trouble := st.session_state.get(form + ".unkept"):
        st.text(f"Your text is not saved yet: {trouble}")
    is_saved = st.session_state.pop(form + ".again", False)
    with st.container(horizontal=True, vertical_alignment="center"):
        is_saved = st.button("Save metadata", type="primary", key=state.act_key(form, "submit")) or is_saved
        if _typed(form) != paper.reference:
            _drop_button(viewer, paper, form, "Discard changes")
            st.caption("Not saved yet. Your changes are kept as a draft.")
    if form + ".theirs" in st.session_state:
        own = _typed(form)
        differing = [name for name in EDITABLE_FIELDS if getattr(own, name) != getattr(paper.reference, name)]
        with st.container(border=True, key="papers.conflict"):
            st.markdown("**Someone else changed this paper.** Nothing is lost. Both versions are shown here.")
            for name in differing:
                other_column, own_column = st.columns(2, gap="medium")
                other_column.caption(f"{LABELS[name]}: theirs")
                other_column.text(_as_text(paper.reference, name) or "–")
                own_column.caption("yours")
                own_column.text(_as_text(own, name) or "–")
            with st.container(horizontal=True):
                st.button("Save my version", key=form + ".mine", on_click=_save_mine, args=(form, paper))
                _drop_button(viewer, paper, form, "Use their version")
    if is_saved:
        keep(scope(paper.id), form, partial(_describe, viewer, paper, form), then=partial(_drop, viewer, paper, form))
        if form + ".theirs" in st.session_state:
            st.rerun()  # someone else's version was detected: draw both


# --- contents of the fields -------------------------------------------------------------------------------------


def _load(viewer: Viewer, paper: PaperView, form: str) -> None:
    """Fill the fields from the draft, with the version it was started on, or from the store."""
    memory = st.session_state
    base: PaperReference | None = memory.get(form + ".base")
    is_drawn = f"{form}.title" in memory
    is_untouched = is_drawn and base is not None and _typed(form) == base
    if is_drawn and not (is_untouched and memory[form + ".seen"] != paper.version):
        return
    text = stored.load(viewer, _draft_key(paper))
    draft = json.loads(text) if text else None
    memory[form + ".seen"] = draft["seen"] if draft else paper.version
    memory[form + ".base"] = None if draft and draft["seen"] != paper.version else paper.reference
    for name in LABELS:
        memory[f"{form}.{name}"] = draft[name] if draft else _as_text(paper.reference, name)


def _keep_typed(viewer: Viewer, paper: PaperView, form: str) -> None:
    """Store the draft; a callback outside the page's boundary, so an error is kept for the next rerun."""
    memory = st.session_state
    values = {name: memory.get(f"{form}.{name}") or "" for name in LABELS} | {"seen": memory[form + ".seen"]}
    text = "" if _typed(form) == memory[form + ".base"] else json.dumps(values, ensure_ascii=False)
    try:
        stored.keep(viewer, _draft_key(paper), text)
    except EdgewiseError as error:
        memory[form + ".unkept"] = str(error)
    else:
        memory.pop(form + ".unkept", None)


def _draft_key(paper: PaperView) -> str:
    return f"paper/{paper.id}/metadata"


def _drop(viewer: Viewer, paper: PaperView, form: str) -> None:
    stored.forget(viewer, _draft_key(paper))
    state.forget(form)


def _drop_button(viewer: Viewer, paper: PaperView, form: str, word: str) -> None:
    if st.button(word, type="tertiary", key=state.act_key(form, word)):
        _drop(viewer, paper, form)
        st.rerun()


def _field(form: str, name: str, changed: Callable[[], None]) -> None:
    key = f"{form}.{name}"
    if name == "abstract":
        st.text_area(LABELS[name], key=key, height=220, max_chars=papers.LONGEST_FIELD, on_change=changed)
    elif name in LISTS:
        st.text_area(LABELS[name], key=key, height=108, max_chars=10_000, on_change=changed)
    else:
        st.text_input(LABELS[name], key=key, max_chars=2_000, on_change=changed, placeholder=HINTS.get(name, ""))


def _as_text(reference: PaperReference, name: str) -> str:
    value = getattr(reference, name)
    return "\n".join(value) if isinstance(value, tuple) else value


def _typed(form: str) -> PaperReference:
    values: dict[str, Any] = {}
    for name in LABELS:
        text = str(st.session_state.get(f"{form}.{name}") or "")
        lines = tuple(line.strip() for line in text.splitlines() if line.strip())
        values[name] = lines if name in LISTS else text.strip()
    return PaperReference(**values)


# --- saving, and someone else's version -------------------------------------------------------------------------


def _describe(viewer: Viewer, paper: PaperView, form: str, act_id: str) -> Receipt:
    """Save the fields. A version that changed in other respects (a screening) is no conflict."""
    memory = st.session_state
    save = partial(papers.describe, viewer, paper.id, _typed(form), act_id=act_id)
    try:
        return save(seen=memory[form + ".seen"])
    except Conflict:
        newest = papers.paper(viewer, paper.id)
        if newest.reference != memory[form + ".base"]:
            memory[form + ".theirs"] = newest.version
            raise
        return save(seen=newest.version)


def _save_mine(form: str, paper: PaperView) -> None:
    memory = st.session_state
    memory[form + ".seen"], memory[form + ".base"] = paper.version, paper.reference
    memory[form + ".again"] = True
    memory.pop(form + ".theirs", None)
