"""Triplet files before import: their kinds and previews.

Previews are in session state by content, because a file of 2,000 rows takes longer to parse than a rerun.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import streamlit as st

from components import state
from core.people import Viewer
from exchange.file_kinds import FileKind
from pages.exchange.sources import PAGE, TRIPLETS, UploadedSource
from services.exchange.file_reading import kind_of_file
from services.triplets import importing
from services.triplets.preview import TripletPreview

KINDS = state.key(PAGE, "kinds")


@dataclass(frozen=True, slots=True)
class TripletSource:
    """Triplet file in an encoding, with the JEL table dropped together with it."""

    id: str
    name: str
    content: bytes
    jel: tuple[str, bytes] | None
    encoding: str
    look: TripletPreview


def by_kind(files: list[UploadedSource]) -> dict[FileKind, list[UploadedSource]]:
    """Sort dropped files by kind; pasted text is classified at every rerun, because it can change."""
    before: dict[str, FileKind] = st.session_state.get(KINDS, {})
    kinds = {
        each.id: before[each.id] if each.id in before and each.id != "paste" else kind_of_file(each.name, each.content)
        for each in files
    }
    st.session_state[KINDS] = kinds
    return {kind: [each for each in files if kinds[each.id] is kind] for kind in FileKind}


def triplet_sources(viewer: Viewer, files: list[UploadedSource], tables: list[UploadedSource]) -> list[TripletSource]:
    """Preview triplet files; the last JEL table supplies codes to papers without any."""
    jel = (tables[-1].name, tables[-1].content) if tables else None
    encodings: dict[str, str] = {
        each.id: str(st.session_state.get(state.key(PAGE, f"source.{each.id}.encoding.taken"), "")) for each in files
    }
    before: dict[str, TripletPreview] = st.session_state.get(TRIPLETS, {})
    previews, triplet_files = {}, []
    for file in files:
        parts = (file.name.encode(), file.content, jel[1] if jel else b"", encodings[file.id].encode())
        mark = "/".join(hashlib.sha256(part).hexdigest() for part in parts)
        look = before.get(mark) or importing.preview(
            viewer, file.name, file.content, jel=jel, encoding=encodings[file.id]
        )
        previews[mark] = look
        triplet_files.append(TripletSource(file.id, file.name, file.content, jel, encodings[file.id], look))
    st.session_state[TRIPLETS] = previews
    return triplet_files


def refresh() -> None:
    st.session_state.pop(TRIPLETS, None)


def key_of(source: TripletSource, name: str) -> str:
    """Return a widget key that is cleared together with the file."""
    return state.key(PAGE, f"source.{source.id}.{name}")


def take_encoding(source: TripletSource, encoding: str) -> None:
    """Store the chosen encoding; the file is parsed again."""
    st.session_state[key_of(source, "encoding.taken")] = encoding
