"""A page with two graphs in one figure, and what tests ask of it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.bare_tab import visit

SCRIPT = """
import json
import streamlit as st
from components.graph.view import StyledEdge, ViewMark, ViewNode, graph_view
from core.graphs.layouts.layout import Point

st.set_page_config(layout="wide")
asked = st.query_params
kind = asked.get("graph", "overlay")
given = {}
if kind == "overlay":
    nodes = [
        ViewNode("income", "Household income", "matched", "2 names"),
        ViewNode("grain", "Total grain output", "matched"),
        ViewNode("school", "Années d’éducation", "matched"), ViewNode("poverty", "Rural poverty", "missed"),
        ViewNode("rain", "Rainfall", "spurious"), ViewNode("land", "Land in use"),
    ]
    edges = [
        StyledEdge(id="m1", source_id="income", sink_id="grain", sign="+", style="matched"),
        StyledEdge(id="m2", source_id="grain", sink_id="income", sign="+", style="matched"),
        StyledEdge(id="wrong", source_id="school", sink_id="income", sign="-", style="matched", differs="+ → −"),
        StyledEdge(id="miss", source_id="poverty", sink_id="income", sign="-", style="missed"),
        StyledEdge(id="extra", source_id="rain", sink_id="grain", sign="-", delay=True, style="spurious"),
        StyledEdge(id="turned", source_id="grain", sink_id="school", sign="+",
            style="reversed"), StyledEdge(id="self", source_id="land", sink_id="land", sign="+"),
        StyledEdge(id="plain", source_id="land", sink_id="grain", flag="ambiguous arrow"),
    ]
    spots = {"income": (0, 0), "grain": (360, 0), "school": (0, 200), "poverty": (-260, 0), "rain": (360, -180),
             "land": (620, 0)}
    loops = [ViewMark("R1", ("income", "grain")), ViewMark("B1", ("income", "school", "grain")),
             ViewMark("R2", ("land",))]
else:
    n = int(kind)
    styles = ["matched", "missed", "spurious"]
    nodes = [ViewNode(f"n{i}", f"Variable number {i}", styles[i % 3]) for i in range(n)]
    spots = {f"n{i}": (i % 12 * 200, i // 12 * 100) for i in range(n)}
    loops = []
    pairs = [(i, (i + 1) % n) for i in range(n)] + [(i, (i * 7 + 3) % n) for i in range(n)]
    edges = [StyledEdge(id=f"e{k}", source_id=f"n{i}", sink_id=f"n{j}", sign="+-"[k % 2],
        style=styles[k % 3]) for k, (i, j) in
             enumerate(pairs[: 205 if n == 140 else None])]
st.button("Again")
if st.button("Light R1"):
    st.session_state["lit"] = ["income", "grain", "m1", "m2"]
if st.button("Light nothing"):
    st.session_state["lit"] = None
truth = st.button("Truth only")
if truth or st.session_state.get("truth"):
    st.session_state["truth"] = True
    given["hidden"] = ["spurious", "reversed"]
if st.button("Go to the last"):
    st.session_state["centre"] = nodes[-1].id
if "marks" in asked:
    given["marks"] = loops
if "bare" in asked:
    given["tools"] = False
if "still" not in asked:
    def keep(moved):
        st.session_state.setdefault("moves", []).append({name: [p.x, p.y] for name, p in moved.items()})
    given["on_moved"] = keep
moves = st.session_state.get("moves", [])
places = {name: Point(*spot) for name, spot in spots.items()}
for move in moves:
    places |= {name: Point(*spot) for name, spot in move.items()}
st.session_state["runs"] = st.session_state.get("runs", 0) + 1
chosen = graph_view(
    nodes, edges, places, key="graph", height=460, lit=st.session_state.get("lit"),
    centre=st.session_state.get("centre"), **given,
)
st.text("chosen " + json.dumps([chosen.kind, chosen.id] if chosen else None))
st.text("moves " + json.dumps(moves))
st.text(f"runs {st.session_state['runs']}")
"""
LOOK = Path(__file__).with_name("graph_look.js").read_text(encoding="utf-8").strip().removesuffix(";")
LIGHT = {"matched": "#3A3A3A", "missed": "#0072B2", "spurious": "#C44601"}
DARK = {"matched": "#D6D3CD", "missed": "#5BB0E8", "spurious": "#F08A4B"}


def open_graph(page: Page, address: str, query: str = "") -> None:
    visit(page, f"{address}?{query}")
    page.locator(".figure[data-nodes]").wait_for(timeout=60_000)
    settled(page)


def look(page: Page) -> dict[str, Any]:
    """How every node and edge is drawn, by id, and the marks of loops."""
    seen: dict[str, Any] = json.loads(page.locator(".figure").evaluate(LOOK))
    return seen


def settled(page: Page) -> dict[str, Any]:
    """Wait until two looks at the figure are the same."""
    until = time.monotonic() + 20
    before: dict[str, Any] = {}
    while time.monotonic() < until:
        page.wait_for_timeout(150)
        seen = look(page)
        if seen == before:
            return seen
        before = seen
    pytest.fail("the figure does not come to rest")


def pixels(page: Page, colour: str) -> int:
    """Pixels of the canvas within a few steps of the colour."""
    return int(
        page.locator(".stage canvas").evaluate(
            """(canvas, colour) => {
              const wanted = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
              const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
              let n = 0;
              for (let i = 0; i < data.length; i += 4) {
                if (data[i + 3] > 250 && wanted.every((value, k) => Math.abs(data[i + k] - value) < 4)) n += 1;
              }
              return n;
            }""",
            colour,
        )
    )


def full(seen: dict[str, Any]) -> set[str]:
    """Ids of what is at full strength."""
    both = {**seen["nodes"], **seen["edges"]}
    return {name for name, drawn in both.items() if drawn["strength"] == 1}


def click_node(page: Page, name: str, *, twice: bool = False) -> None:
    node = look(page)["nodes"][name]
    canvas, spot = page.locator(".stage canvas"), {"x": node["x"], "y": node["y"]}
    if twice:
        canvas.dblclick(position=spot)
    else:
        canvas.click(position=spot)


def focus(page: Page) -> None:
    page.locator(".stage").focus()
