"""Files of triplets before anything is kept: which of the dropped files they are, and what each was seen to hold.

Looks live in session state by content, for a file of two thousand rows takes longer to read than a click.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import streamlit as st

from components import state
from core.people import Viewer
from exchange.file_kinds import FileKind
from pages.exchange.sources import PAGE, TRIPLETS, Given
from services.exchange.file_reading import kind_of_file
from services.triplets import importing
from services.triplets.preview import TripletPreview

KINDS = state.key(PAGE, "kinds")


@dataclass(frozen=True, slots=True)
class TripletSource:
    """A file of triplets, with the JEL table that was dropped beside it, and what it holds in this encoding."""

    id: str
    name: str
    content: bytes
    jel: tuple[str, bytes] | None
    encoding: str
    look: TripletPreview


def by_kind(those: list[Given]) -> dict[FileKind, list[Given]]:
    """Dropped files by what they are; pasted text is looked at anew, a file never changes."""
    before: dict[str, FileKind] = st.session_state.get(KINDS, {})
    kinds = {
        each.id: before[each.id] if each.id in before and each.id != "paste" else kind_of_file(each.name, each.content)
        for each in those
    }
    st.session_state[KINDS] = kinds
    return {kind: [each for each in those if kinds[each.id] is kind] for kind in FileKind}


def triplet_sources(viewer: Viewer, those: list[Given], tables: list[Given]) -> list[TripletSource]:
    """Files of triplets, looked at; the last of the JEL tables gives codes to papers without any."""
    jel = (tables[-1].name, tables[-1].content) if tables else None
    held: dict[str, str] = {each.id: _encoding_of(each.id) for each in those}
    before: dict[str, TripletPreview] = st.session_state.get(TRIPLETS, {})
    kept, found = {}, []
    for each in those:
        mark = _mark(each, jel, held[each.id])
        look = before.get(mark) or importing.preview(viewer, each.name, each.content, jel=jel, encoding=held[each.id])
        kept[mark] = look
        found.append(TripletSource(each.id, each.name, each.content, jel, held[each.id], look))
    st.session_state[TRIPLETS] = kept
    return found


def look_anew() -> None:
    """Forget what was seen: the study has changed."""
    st.session_state.pop(TRIPLETS, None)


def key_of(source: TripletSource, name: str) -> str:
    """The key of a widget about this file; it is forgotten with the file."""
    return state.key(PAGE, f"source.{source.id}.{name}")


def take_encoding(source: TripletSource, encoding: str) -> None:
    """Take a person's answer; the file is read anew by it."""
    st.session_state[key_of(source, "encoding.taken")] = encoding


def _encoding_of(source_id: str) -> str:
    return str(st.session_state.get(state.key(PAGE, f"source.{source_id}.encoding.taken"), ""))


def _mark(each: Given, jel: tuple[str, bytes] | None, encoding: str) -> str:
    parts = (each.name.encode(), each.content, jel[1] if jel else b"", encoding.encode())
    return "/".join(hashlib.sha256(part).hexdigest() for part in parts)
