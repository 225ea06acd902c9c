"""What an import is made of: dropped files and pasted text, the answers given to each, and what each was seen to hold.

Files live in Streamlit's uploader, pasted text in the person's drafts; session state holds answers and looks.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import partial

import streamlit as st

from components import state
from core.people import Viewer
from services import drafts, importing
from services.import_reading import Answer, FilePreview

PAGE = "exchange"
DRAFT = "exchange/paste"
TURN = state.key(PAGE, "turn")
ANSWERS = state.key(PAGE, "answers")
LOOKS = state.key(PAGE, "looks")
PASTED = "(pasted text)"


@dataclass(frozen=True, slots=True)
class Source:
    """One file to import from. `id` names it in session state; `look` is what it holds under its answer."""

    id: str
    name: str
    content: bytes
    answer: Answer
    look: FilePreview


def sources(viewer: Viewer) -> list[Source]:
    """Draw the drop area and the text field, and return what is in them, looked at."""
    turn: int = st.session_state.setdefault(TURN, 0)
    left, right = st.columns(2, gap="medium")
    with left:
        files = st.file_uploader(
            "Files, many at once: tables, workbooks, JSON, models, zips", accept_multiple_files=True,
            key=state.key(PAGE, f"files.{turn}"),
        )  # fmt: skip
    with right:
        text = state.kept_text(
            "Or paste: arrows, a Loopy link, DOT, DAGitty, JSON, CSV", state.key(PAGE, f"paste.{turn}"),
            load=partial(drafts.draft, viewer, DRAFT), keep=partial(drafts.keep_draft, viewer, DRAFT),
            height=110, placeholder="Rain -> Harvest\nPrice ->- Demand",
        )  # fmt: skip
    given = [(file.file_id, file.name, file.getvalue()) for file in files]
    if text.strip():
        given.append(("paste", PASTED, text.encode()))
    return _looked_at(viewer, given)


def _looked_at(viewer: Viewer, given: list[tuple[str, str, bytes]]) -> list[Source]:
    """A look is kept as long as its content and answer stay: reading a large file takes longer than a click."""
    answers: dict[str, Answer] = st.session_state.setdefault(ANSWERS, {})
    before: dict[str, tuple[str, Answer, FilePreview]] = st.session_state.get(LOOKS, {})
    kept, found = {}, []
    for source_id, name, content in given:
        answer, mark = answers.get(source_id, Answer()), hashlib.sha256(content).hexdigest()
        known = before.get(source_id)
        if known is not None and known[:2] == (mark, answer):
            look = known[2]
        else:
            look = importing.preview(viewer, [(name, content)], {0: answer}).files[0]
        kept[source_id] = (mark, answer, look)
        found.append(Source(source_id, name, content, answer, look))
    st.session_state[LOOKS] = kept
    return found


def answer(source: Source, given: Answer) -> None:
    """Take a person's answer about a source; the file is read anew by it."""
    st.session_state.setdefault(ANSWERS, {})[source.id] = given


def clear(viewer: Viewer) -> None:
    """Empty the drop area, the text and everything held about them."""
    drafts.keep_draft(viewer, DRAFT, "")
    turn = st.session_state.get(TURN, 0)
    state.forget(state.key(PAGE, "source."))
    for name in (ANSWERS, LOOKS):
        st.session_state.pop(name, None)
    st.session_state[TURN] = turn + 1


def counted(number: int, word: str) -> str:
    """ "1 edge", "2,000 edges"; "entry" becomes "entries"."""
    plural = f"{word[:-1]}ies" if word.endswith("ry") else f"{word}s"
    return f"{number:,} {word if number == 1 else plural}"
