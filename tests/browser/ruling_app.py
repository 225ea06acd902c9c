"""The adjudicator's desk alone, over two graphs kept in memory: how it is drawn, and how it bears many differences."""

from __future__ import annotations

SCRIPT = """
import streamlit as st
from dataclasses import replace
from datetime import datetime
from components.figure.crop import Crop
from components.desk.tab import DeskTab
from components.adjudication.acts import (Note, RedoRuling, RuleAct, RuleName, SetArrow, WithdrawRuling, UndoRuling,
    read_ruling_act)
from components.adjudication.desk import RulingItem, RulingNode, ruling_data, ruling_desk
from components.desk.desk_state import DeskState
from core.adjudication.differences import Choice, DifferenceKind, Ruling, edge_key, differences_of, name_key
from core.papers.pages import Box
from core.graphs.alignment import OWN
from core.graphs.record import EdgeRecord, GraphRecord, NodeRecord
from core.adjudication.ground_truth import resolve
from core.sign import Sign
from services.adjudication.editor import in_words
from tests.browser.component_app import TESTER

st.set_page_config(layout="wide")
PICTURE = ("data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' width='960' height='600'>"
           "<rect width='960' height='600' fill='white'/></svg>")
kind = st.query_params.get("kind", "small")


def graph(names, edges, placed=True):
    nodes = {}
    for n, name in enumerate(names):
        x, y = 30 + n % 12 * 76, 25 + n // 12 * 47
        box = (x, y, x + 50, y + 12) if placed else None
        nodes[name] = NodeRecord(id=name, name=name, origin="drawn", confidence=None, x=x, y=y, box=box)
    drawn = [EdgeRecord(id=f"e{k}", source_id=a, sink_id=b, sign=s, delay=d, place=k) for k, (a, b, s,
        d) in enumerate(edges)]
    return GraphRecord(nodes, {edge.id: edge for edge in drawn})


def two():
    plus, minus = Sign.PLUS, Sign.MINUS
    if kind == "big":
        names = [f"Variable number {n}" for n in range(140)]
        pairs = [(n, (n + 1) % 140) for n in range(140)] + [(n, (n * 7 + 3) % 140) for n in range(140)]
        pairs = list(dict.fromkeys(pairs))
        pairs = [(a, b) for a, b in pairs if a != b][:205]
        first = [(names[a], names[b], plus, False) for a, b in pairs]
        second = [(b, a, s, d) if n % 7 == 0 else (a, b, minus, d) if n % 7 == 3 else (a, b, s, d)
                  for n, (a, b, s, d) in enumerate(first)]
        return graph(names, first), graph(names, second)
    alike = ("Debt", "Rain", None, False)
    return (
        graph(["Rain", "Harvest", "Income", "Debt"],
              [("Rain", "Harvest", plus, False), ("Harvest", "Income", plus, True), ("Income", "Debt", minus, False),
               alike]),
        graph(["Rain", "Harvst", "Income", "Debt"],
              [("Rain", "Harvst", plus, False), ("Harvst", "Income", plus, False), ("Debt", "Income", minus, False),
               alike]),
    )


@st.cache_resource
def kept(kind):
    return {"rulings": [{}], "at": 0, "log": [], "tab": DeskTab(seen=0, shown=None)}


held = kept(kind + st.query_params.get("subject", ""))


def now():
    return held["rulings"][held["at"]]


def laid():
    names = [r for r in now().values() if r.kind is DifferenceKind.NAME]
    by_key = {name_key(n): n for n in [node.name for node in SECOND.nodes.values()]}
    decided = {by_key[r.key]: r.reference if r.reference is not None else OWN for r in names}
    classes = {by_key[r.key]: r.name_class for r in names if r.name_class}
    return differences_of(FIRST, SECOND, decided, classes, now().values())


def put(key, ruling):
    after = {**now(), key: ruling} if ruling is not None else {k: r for k, r in now().items() if k != key}
    held["rulings"] = [*held["rulings"][: held["at"] + 1], after]
    held["at"] += 1


def apply(_viewer, sent, /, **_to):
    act = read_ruling_act(sent)
    held["log"].append(type(act).__name__)
    if isinstance(act, RuleAct):
        found = next(d for d in laid().differences if d.key == act.key)
        put(act.key, Ruling(key=act.key, kind=found.kind, choice=act.choice, reasons=act.why.reasons,
            comment=act.why.comment, is_gap=act.why.is_gap))
    elif isinstance(act, RuleName):
        key = name_key(act.name)
        put(key, Ruling(key=key, kind=DifferenceKind.NAME, choice=act.choice, reasons=act.why.reasons,
            comment=act.why.comment, is_gap=act.why.is_gap, reference=act.reference,
                        name_class=act.name_class, wording=act.wording))
    elif isinstance(act, SetArrow):
        key = edge_key(DifferenceKind.OWN, act.source, act.sink)
        put(key, Ruling(key=key, kind=DifferenceKind.OWN, choice=Choice.NEITHER, is_there=act.is_there, sign=act.sign,
            delay=act.delay))
    elif isinstance(act, WithdrawRuling):
        put(act.key, None)
    elif isinstance(act, UndoRuling):
        held["at"] = max(0, held["at"] - 1)
    elif isinstance(act, RedoRuling):
        held["at"] = min(len(held["rulings"]) - 1, held["at"] + 1)


FIRST, SECOND = two()
SUBJECT, IS_OPEN = "tester/" + kind + st.query_params.get("subject", ""), "closed" not in st.query_params


def data(_viewer):
    found = laid()
    resolved = resolve(found, now().values())
    nodes = []
    ours, theirs = {n.name: n for n in FIRST.nodes.values()}, {}
    for node in SECOND.nodes.values():
        theirs.setdefault(found.aligned[node.name], node)
    for name in dict.fromkeys((*ours, *theirs)):
        a, b = ours.get(name), theirs.get(name)
        some = a or b
        nodes.append(RulingNode(name, found.wording.get(name, name), a and a.name, b and b.name, Box(*some.box)))
    aligned = {text: name for name, text in found.wording.items()}
    return ruling_data(
        Crop(PICTURE, 960, 600, "Figure 1"),
        DeskState(subject=SUBJECT,
                 version=len(held["log"]), receipt=f"Saved {len(held['log'])}", editable=IS_OPEN,
                 can_undo=held["at"] > 0, can_redo=held["at"] < len(held["rulings"]) - 1),
        nodes=nodes,
        arrows=[replace(e, source=aligned.get(e.source, e.source), sink=aligned.get(e.sink, e.sink))
                for e in resolved.edges],
        names=[(q, now().get(q.key)) for q in found.names],
        differences=[RulingItem(d, now().get(d.key), *in_words(d, d.source, d.sink)) for d in found.differences],
        own=[r for r in now().values() if r.kind is DifferenceKind.OWN], waiting=resolved.waiting,
    )


held["tab"].serve(TESTER, apply, data)
ruling_desk("desk", held["tab"].mounted(TESTER))
st.code(" ".join(held["log"]) or "nothing yet")
"""
