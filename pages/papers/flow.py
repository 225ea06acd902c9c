"""PRISMA flow of the screening: papers identified, excluded by reason, included."""

from __future__ import annotations

import html
from typing import TypeAlias

import streamlit as st

from components import shell
from core.papers.papers import ScreeningFlow
from core.people import Viewer
from exchange.edge_table import table_bytes
from pages.papers.links import go
from services.papers import papers

MOST_PARTS = 8
Parts: TypeAlias = list[tuple[str, int]]
HOW = """The flow counts the papers of this study that are not archived. Each paper is counted once per step.

Identified = papers with a file or a reference. A file or reference that is already in the study is counted once.

Excluded automatically = the abstract contains “workshop” or “group model build” (in upper or lower case, also
inside longer words), and no person decided otherwise (ReCITE, section 3.1).

Assessed = identified − excluded automatically. Assessed = excluded by people + included + still open.

A paper can have several words or reasons, so they can add up to more than the total."""


def show_flow(viewer: Viewer) -> None:
    flow = papers.screening_flow(viewer)
    with shell.top_row("Screening flow"):
        st.button("All papers", icon=":material/arrow_back:", on_click=go, key="papers.flow.back")
        st.download_button(
            "Download CSV",
            flow_csv(flow),
            file_name="screening-flow.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
            key="papers.flow.csv",
        )
    sources = [(name or "source not known", count) for name, count in flow.by_source]
    words = [(f"“{word}”", count) for word, count in flow.by_word if count]
    reasons = [(str(reason), count) for reason, count in flow.by_reason if count]
    if flow.without_reason:
        reasons.append(("no reason on record", flow.without_reason))
    drawing = (
        _step(_box("Identified", flow.identified, sources), _box("Excluded automatically", flow.automatic, words)),
        _step(
            _box("Assessed by people", flow.assessed, []),
            _box("Excluded by people", flow.excluded, reasons),
            _box("Still to screen", flow.open, []),
        ),
        _box("Included", flow.included, []),
    )
    st.html(f'<div class="ew-flow" role="group" aria-label="Screening flow">{"".join(drawing)}</div>')
    if flow.reinstated:
        st.caption(f"{flow.reinstated:,} of these matched the automatic rule, but a person included them.")
    with st.popover("How this is computed", type="tertiary"):
        st.text(HOW, width=420)


def _step(stays: str, *leave: str) -> str:
    """Return the HTML of one step: the box of papers that stay, an arrow to the boxes of those that leave or wait at
    the side, and an arrow down to the next step."""
    side = f'<div class="ew-flow-aside" aria-hidden="true">→</div><div class="ew-flow-side">{"".join(leave)}</div>'
    return f'{stays}{side}<div class="ew-flow-down" aria-hidden="true">↓</div>'


def _box(heading: str, count: int, parts: Parts) -> str:
    rows = [(name, number) for name, number in parts[:MOST_PARTS]]
    if len(parts) > MOST_PARTS:
        rows.append((f"{len(parts) - MOST_PARTS} others", sum(number for _name, number in parts[MOST_PARTS:])))
    listed = "".join(f"<li>{html.escape(name)} (n = {number:,})</li>" for name, number in rows)
    return f'<div class="ew-flow-box"><b>{heading}</b> (n = {count:,}){f"<ul>{listed}</ul>" if listed else ""}</div>'


def flow_csv(flow: ScreeningFlow) -> bytes:
    """Write every count of the flow: step, heading within the step ("" for the step itself), papers."""
    rows = [
        ("identified", "", flow.identified),
        *(("identified", name or "source not known", count) for name, count in flow.by_source),
        ("duplicates", "", flow.duplicates),
        ("excluded automatically", "", flow.automatic),
        *(("excluded automatically", word, count) for word, count in flow.by_word),
        ("assessed", "", flow.assessed),
        ("excluded by people", "", flow.excluded),
        *(("excluded by people", reason.value, count) for reason, count in flow.by_reason),
        ("excluded by people", "no reason on record", flow.without_reason),
        ("included", "", flow.included),
        ("open", "", flow.open),
        ("reinstated by people", "", flow.reinstated),
    ]
    return table_bytes(("step", "heading", "papers"), [(a, b, str(c)) for a, b, c in rows], safe=True)
