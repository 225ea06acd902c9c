"""Files without errors or questions: many of them share one table instead of a card each."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import streamlit as st

from components import state
from core.words import counted
from exchange.file_reading import FileChoices
from pages.exchange.cards import Chosen, counts, edge_table, key_of
from pages.exchange.sources import PAGE, ImportSource
from services.graphs.import_reading import LONGEST_TITLE

# From this number on, files share a table: among fifty cards the one with a question is easily missed.
MANY = 6
HELD = state.key(PAGE, "source.clean")


def clean_ones(sources: Sequence[ImportSource]) -> list[ImportSource]:
    """Return the files with one sound graph and no question, or none if they are few.

    Files that the user answered about and pasted text are excluded, so that a card in use does not disappear.
    """
    clean = [source for source in sources if _is_clean(source)]
    return clean if len(clean) >= MANY else []


def _is_clean(source: ImportSource) -> bool:
    look = source.look
    if look.error or look.faults or len(look.graphs) != 1 or source.answer != FileChoices() or source.id == "paste":
        return False
    (graph,) = look.graphs
    return not graph.obstacle and (look.head is None or not graph.notices)


def clean_table(sources: Sequence[ImportSource]) -> dict[str, Chosen]:
    if not sources:
        return {}
    st.markdown(f":material/check: **{counted(len(sources), 'file')}** without faulty rows or open questions")
    memory = st.session_state
    remembered: dict[str, tuple[bool, str]] = memory.setdefault(f"{HELD}.held", {})
    key = f"{HELD}.{zlib.crc32(repr([source.id for source in sources]).encode())}"
    # The editor stores edits by row over its first rows, so these rows must stay the same while the files do.
    rows = memory.setdefault(f"{key}.rows", [_row(source, remembered) for source in sources])
    edited = st.data_editor(
        rows,
        hide_index=True,
        key=key,
        height=min(35 * len(rows) + 37, 527),
        disabled=[name for name in rows[0] if name not in ("Import", "Title")],
        column_config={
            "Title": st.column_config.TextColumn("Title", width="medium", max_chars=LONGEST_TITLE),
            "Notes": st.column_config.TextColumn("Notes", width="large"),
        },
    )
    by_id = {source.id: source for source in sources}
    shown = st.selectbox(
        "Preview",
        list(by_id),
        None,
        format_func=lambda key: by_id[key].name,
        key=f"{HELD}.shown",
        placeholder="Choose a file",
    )
    if shown is not None:
        edge_table(by_id[shown], by_id[shown].look.graphs[0].graph)
    chosen = {}
    for source, row in zip(sources, edited, strict=True):
        title = str(row["Title"] or "")
        remembered[source.id] = (bool(row["Import"]), title)
        chosen[source.id] = Chosen((0,), {0: title}) if row["Import"] else Chosen()
    return chosen


def _row(source: ImportSource, remembered: dict[str, tuple[bool, str]]) -> dict[str, object]:
    (graph,) = source.look.graphs
    # Below the limit, the title was entered on a card.
    is_imported, title = remembered.get(source.id, (True, st.session_state.get(key_of(source, "title"), graph.title)))
    return {
        "Import": is_imported,
        "File": source.name,
        "Title": title,
        **counts(graph),
        "Notes": " ".join(graph.notices),
    }
