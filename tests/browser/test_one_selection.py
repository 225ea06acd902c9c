"""One selection on the transcription desk: figure and list have the same edge selected, both bars name it, and what is
done changes that edge alone. Every act of both bars, then random ones."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.drawing import middle_of
from tests.everything import EVERYTHING

SEED = 53
ACTS = 200 if EVERYTHING else 20
NAMES = [
    *("Price", "Demand", "Supply", "Wages"),
    *("Rent", "Taxes", "Savings", "Imports"),
    *("Exports", "Housing", "Credit", "Growth"),
]
DRAWN = """
import pymupdf
from core.papers.pages import Box
from services.papers import figures, importing as paper_importing
page = (document := pymupdf.open()).new_page(width=600, height=440)
at = [(80 + 145 * (n % 4), 90 + 125 * (n // 4)) for n in range(12)]
for (x, y), name in zip(at, given["names"]):
    page.draw_rect(pymupdf.Rect(x - 36, y - 13, x + 36, y + 13))
    page.insert_text((x - pymupdf.get_text_length(name, fontsize=11) / 2, y + 4), name, fontsize=11)
def arrow(a, b, sign):
    (x0, y0), (x1, y1) = at[a], at[b]
    is_across = y0 == y1
    tail, tip = ((x0 + 36, y0), (x1 - 36, y1)) if is_across else ((x0, y0 + 13), (x1, y1 - 13))
    page.draw_line(tail, tip)
    wings = [(-8, -3), (-8, 3)] if is_across else [(-3, -8), (3, -8)]
    page.draw_polyline([tip, *[(tip[0] + x, tip[1] + y) for x, y in wings], tip], fill=(0, 0, 0))
    if sign:
        page.insert_text((tip[0] - 18, tip[1] - 5) if is_across else (tip[0] + 5, tip[1] - 12), sign, fontsize=11)
for n in range(12):
    if n % 4 < 3:
        arrow(n, n + 1, "+" if n % 2 else "")
    if n < 8:
        arrow(n, n + 4, "")
paper = paper_importing.import_file(terminal, "market.pdf", document.tobytes(), act_id=new_act()).paper_id
box = Box(20, 40, 580, 400)
made = [figures.locate(terminal, paper, 1, box, label=label, act_id=new_act()).subject_id for label in given["labels"]]
print(json.dumps(made))
"""
LABELS = ("acts", "random")
LOOK = """
() => {
  const SIGNS = { "": "", "+": " +", "-": " −", "no sign": "", plus: " +", minus: " −" };
  const roots = [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')].map((one) => one.shadowRoot);
  const [cv, desk] = [".cv", ".desk"].map((name) => roots.find((one) => one.querySelector(name)));
  const labelOf = (root, bar) =>
    bar.getAttribute("aria-labelledby").split(" ").map((id) => root.getElementById(id).textContent).join(" ").trim();
  const list = desk.querySelector(".list").getBoundingClientRect();
  const head = desk.querySelector(".head").getBoundingClientRect();
  const rows = [...desk.querySelectorAll(".row[aria-selected=true]")].map((row) => {
    const [source, sink] = row.querySelectorAll(".name");
    const at = row.getBoundingClientRect();
    const isSeen = at.height > 0 && at.top >= Math.max(list.top, head.bottom) - 1 && at.bottom <= list.bottom + 1;
    const sign = SIGNS[row.querySelector(".sign").dataset.sign];
    return { edge: `${source.textContent} → ${sink.textContent}${sign}`, isSeen };
  });
  const edgeOf = (one) => {
    const [ends, sign] = one.getAttribute("aria-label").replace("Proposed: ", "").split(", ");
    return ends.replace(" to ", " → ") + SIGNS[sign];
  };
  const lit = cv.querySelector("g.cv-proposal.chosen");
  return {
    figure: labelOf(cv, cv.querySelector(".cv-bar")),
    list: labelOf(desk, desk.querySelector(".bar")),
    rows,
    drawn: [...cv.querySelectorAll("g.cv-edge.chosen")].map(edgeOf),
    proposal: lit && edgeOf(lit),
    proposed: [...cv.querySelectorAll("g.cv-proposal")].map(edgeOf),
  };
}
"""
IS_STORED = """
() => {
  const roots = [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')].map((one) => one.shadowRoot);
  const [cv, desk] = [".cv", ".desk"].map((name) => roots.map((one) => one.querySelector(name)).find(Boolean)?.dataset);
  return cv?.waiting === "0" && desk?.waiting === "0" && cv.version === desk.version;
}
"""
NAMED = re.compile(r"Selected edge: (.+? → .+?)(, delay)?( ·.*)?$")
SIGNS = {None: "", "+": " +", "-": " −"}


@dataclass
class Desk:
    """A person at one transcription. Each act is held against what was named before it, and what is named after it."""

    page: Page
    server: Any
    graph: str
    draw: random.Random

    @property
    def rows(self) -> Locator:
        return self.page.locator(".row[aria-selected]:not([hidden])")

    def some_row(self) -> Locator:
        return self.rows.nth(self.draw.randrange(self.rows.count()))

    def look(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate(LOOK)
        return found

    def selected(self) -> str | None:
        """The selected edge by its ends and sign: the same in both bars, in the list, in sight, and on the figure."""
        seen = self.look()
        named = [match[1] if (match := NAMED.search(seen[bar])) else None for bar in ("figure", "list")]
        rows = [row["edge"] for row in seen["rows"]]
        assert named[0] == named[1], seen
        assert rows == seen["drawn"] == ([] if named[0] is None else [named[0]]), seen
        assert all(row["isSeen"] for row in seen["rows"]), seen
        return named[0]

    def ask(self, query: str, *values: Any) -> list[Any]:
        with sqlite3.connect(f"file:{self.server.store}?mode=ro", uri=True) as connection:
            return connection.execute(query, values).fetchall()

    def changed(self, after: int) -> list[tuple[str | None, str | None]]:
        """The edges that events after this one changed, as they were and as they are."""
        query = "SELECT payload FROM event WHERE graph_id = ? AND seq > ? ORDER BY seq"
        payloads = [json.loads(payload) for (payload,) in self.ask(query, self.graph, after)]
        changes = [change for payload in payloads for change in payload["changes"]]
        names = dict(self.ask("SELECT id, name FROM node WHERE graph_id = ?", self.graph))
        for change in changes:
            if change["kind"] == "node":  # a removed one is in no table
                node = change["before"] or change["after"]
                names.setdefault(node["id"], node["name"])

        def told(edge: dict[str, Any] | None) -> str | None:
            if edge is None:
                return None
            return f"{names[edge['source_id']]} → {names[edge['sink_id']]}{SIGNS[edge['sign']]}"

        return [(told(each["before"]), told(each["after"])) for each in changes if each["kind"] == "edge"]

    def act(self, name: str, do: Callable[[Desk], str | None]) -> bool:
        """Do something to the selected edge, or to one that `do` returns; whether anything was changed.
        Nothing but the named edge changes, and what changed is selected afterwards."""
        named = self.selected()
        ((before,),) = self.ask("SELECT max(seq) FROM event")
        other = do(self)
        self.page.wait_for_function(IS_STORED)
        changed, now = self.changed(before), self.selected()
        told = f"{name}: named {other or named}, changed {changed}, selected now {now}"
        if name in AGAIN:  # what it changes is known afterwards
            assert not changed or now == (changed[0][1] if len(changed) == 1 else None), told
            return bool(changed)
        if name in REJECTS:
            assert not changed and other not in self.look()["proposed"], told
        assert len(changed) < 2, told
        for was, became in changed:
            assert other in (was, became) if other else was == named, told
            assert became is None or now == became, told
        return bool(changed)


# --- what a person can do: each function returns the edge that it names, if that is not the selected one


def on_figure(*keys: str) -> Callable[[Desk], None]:
    def do(desk: Desk) -> None:
        desk.page.locator(".cv-viewport").focus()
        for key in keys:
            desk.page.keyboard.press(key)

    return do


def on_row(*keys: str) -> Callable[[Desk], None]:
    def do(desk: Desk) -> None:
        desk.page.locator(".row[aria-selected=true]").focus()
        for key in keys:
            desk.page.keyboard.press(key)

    return do


def in_line(key: str) -> Callable[[Desk], None]:
    """A key pressed in the empty line above the list."""
    return lambda desk: desk.page.get_by_label("Type an edge").press(key)


def in_bar(bar: str, name: str, *typed: str) -> Callable[[Desk], None]:
    """Press a button of a bar; `typed` goes into the field that opens, then Enter."""

    def do(desk: Desk) -> None:
        button = desk.page.locator(bar).get_by_role("button", name=name, exact=True)
        if button.is_enabled():  # there may be nothing to undo or redo
            button.click()
        for text in typed:
            desk.page.keyboard.insert_text(text)
            desk.page.keyboard.press("Enter")

    return do


def flag_in(bar: str) -> Callable[[Desk], None]:
    def do(desk: Desk) -> None:
        field = desk.page.locator(bar).get_by_label("Flag")
        field.select_option(index=(int(field.evaluate("one => one.selectedIndex")) + 1) % 3)

    return do


def on_proposal(do: Callable[[Desk], None], turned: bool = False) -> Callable[[Desk], str]:
    def answer(desk: Desk) -> str:
        edge = str(desk.look()["proposal"])
        do(desk)
        return re.sub(r"^(\w+) → (\w+)", r"\2 → \1", edge) if turned else edge

    return answer


def draw(desk: Desk) -> str:
    source, sink = desk.draw.sample(NAMES, 2)
    on_figure("Escape", "Escape", "Escape")(desk)
    for name in (source, sink):
        desk.page.mouse.click(*middle_of(desk.page, name))
    return f"{source} → {sink}"


def type_line(desk: Desk) -> str:
    source, sink = desk.draw.sample(NAMES, 2)
    desk.page.get_by_label("Type an edge").fill(f"{source} -> {sink}")
    desk.page.keyboard.press("Enter")
    return f"{source} → {sink}"


def sign_in_row(desk: Desk) -> str:
    row = desk.some_row()
    sign = row.get_by_role("button", name="Sign:")
    edge = " → ".join(row.locator(".name").all_inner_texts()) + SIGNS[sign.get_attribute("data-sign") or None]
    sign.click()
    return edge


def to_another(end: str) -> Callable[[Desk], None]:
    def do(desk: Desk) -> None:
        on_figure(end)(desk)
        desk.page.keyboard.insert_text(desk.draw.choice(NAMES))
        desk.page.keyboard.press("Enter")

    return do


def by_row(desk: Desk) -> None:
    desk.some_row().locator(".name").first.click()


FIGURE, LIST = ".cv-bar", ".tools"
Acts = dict[str, Callable[[Desk], str | None]]
IN_BARS: Acts = {  # to the selected edge
    **{f"figure, {name}": in_bar(FIGURE, name) for name in ("Plus (+)", "Minus (-)", "No printed sign (0)", "Delay")},
    "figure, Reverse": in_bar(FIGURE, "Reverse"),
    "figure, Source…": in_bar(FIGURE, "Source…", "Growth"),
    "figure, Sink…": in_bar(FIGURE, "Sink…", "Price"),
    "figure, flag": flag_in(FIGURE),
    "figure, Remove": in_bar(FIGURE, "Remove"),
    **{f"list, {name}": in_bar(LIST, name) for name in ("Plus", "Minus", "No printed sign", "Delay", "Remove")},
    "list, flag": flag_in(LIST),
    "list, Note": in_bar(LIST, "Note", "dashed"),
    "list, Edit": in_bar(LIST, "Edit", "Housing"),
}
OTHER_SIGNS = ("figure, Minus (-)", "figure, No printed sign (0)", "list, Minus", "list, No printed sign")
BESIDE: Acts = {f"figure, key {key}": on_figure(key) for key in "+-0dg"}  # also while a proposal is lit
BY_KEYS: Acts = {
    **BESIDE,
    "figure, key V": on_figure("v"),
    "figure, key <": to_another("<"),
    "figure, key >": to_another(">"),
    "figure, key Delete": on_figure("Delete"),
    **{f"list, key {key}": on_row(key) for key in ("+", "-", "0", "d", "f", "Delete")},
    "list, key n": on_row("n", "End", "x", "Enter"),
    "list, key Enter": on_row("Enter", "Tab", "T", "a", "x", "e", "s", "Enter"),
}
PROPOSED: Acts = {  # to the proposal that is lit
    "figure, Accept": on_proposal(in_bar(FIGURE, "Accept")),
    "figure, Reject": on_proposal(in_bar(FIGURE, "Reject")),
    "figure, Reverse a proposal": on_proposal(in_bar(FIGURE, "Reverse"), turned=True),
    "figure, key y": on_proposal(on_figure("y")),
    "figure, key x": on_proposal(on_figure("x")),
    "figure, key V on a proposal": on_proposal(on_figure("v"), turned=True),
}
REJECTS = ("figure, Reject", "figure, key x")
OTHERS: Acts = {"figure, two clicks": draw, "list, typed line": type_line, "list, sign in a row": sign_in_row}
AGAIN: Acts = {
    "figure, Undo": in_bar(".cv-foot", "Undo"),
    "figure, Redo": in_bar(".cv-foot", "Redo"),
    "list, Undo": in_line("Control+z"),
    "list, Redo": in_line("Control+y"),
    "figure, Ctrl Z": on_figure("Control+z"),
}


@pytest.fixture(scope="module")
def located(server: Any) -> dict[str, str]:
    made = json.loads(server.seed(DRAWN, names=NAMES, labels=LABELS).splitlines()[-1])
    return dict(zip(LABELS, made, strict=True))


@pytest.fixture
def open_desk(
    server: Any, located: dict[str, str], page_as: Callable[..., Page], settled: Callable[[Page], None]
) -> Callable[[str], Desk]:
    def open_figure(label: str) -> Desk:
        page = page_as("annotator", f"/transcribe?figure={located[label]}", on=server)
        expect(page.locator(".cv[data-editable='true']")).to_be_visible()
        expect(page.locator("g.cv-proposal")).to_have_count(17)
        settled(page)
        desk = Desk(page, server, "", random.Random(SEED))
        ((desk.graph,),) = desk.ask("SELECT graph_id FROM assignment WHERE subject_id = ?", located[label])
        return desk

    return open_figure


# --- every act of both bars


def changes(desk: Desk, name: str, do: Callable[[Desk], str | None]) -> None:
    """An act that changes something: of a sign that the edge has already there is nothing to see."""
    for _ in range(6):
        if desk.selected() is None or desk.look()["proposal"] is not None:
            by_row(desk)
        if desk.act(name, do):
            return
        on_figure("e")(desk)
    raise AssertionError(f"{name} changed nothing")


def test_each_act_of_both_bars_changes_the_edge_that_both_name(open_desk: Callable[[str], Desk]) -> None:
    desk = open_desk("acts")
    on_figure("p")(desk)
    for name in ("figure, key y", "figure, Accept"):
        assert desk.act(name, PROPOSED[name])
    assert desk.act("list, Remove", IN_BARS["list, Remove"])  # the edge accepted last, not the first of the list
    for name in ("figure, Undo", "list, Redo", "list, Undo", "figure, Redo"):
        assert desk.act(name, AGAIN[name])
    for name in ("figure, Accept", "figure, Reject", "figure, Reverse a proposal"):
        desk.act(name, PROPOSED[name])
    for name in ("figure, key +", "figure, key d"):  # the next proposal is lit
        desk.act(name, BESIDE[name])
    for name, do in (OTHERS | IN_BARS | BY_KEYS).items():
        if EVERYTHING or name not in (*BY_KEYS, *OTHER_SIGNS):
            changes(desk, name, do)
    on_figure("Escape", "p")(desk)
    desk.page.get_by_role("button", name=re.compile(r"^Accept \d+ certain$")).click()
    desk.page.wait_for_function(IS_STORED)
    assert desk.selected() is None  # of many that changed none is the one
    a_note_goes_to_the_edge_that_its_field_names(desk)
    no_selected_edge_is_hidden(desk)


def a_note_goes_to_the_edge_that_its_field_names(desk: Desk) -> None:
    by_row(desk)
    noted = desk.selected()
    in_bar(LIST, "Note")(desk)
    desk.page.locator(".editor input").fill("crossed out")
    on_figure("e")(desk)
    assert noted not in (None, NAMED.findall(desk.look()["figure"])[0][0])
    expect(desk.page.locator(".selected")).to_have_text(re.compile(f"^Note on {re.escape(str(noted))}(, delay)?$"))
    desk.page.get_by_role("button", name="Save", exact=True).click()
    desk.page.wait_for_function(IS_STORED)
    assert desk.selected() == noted
    expect(desk.page.get_by_text("Note: crossed out")).to_be_visible()


def no_selected_edge_is_hidden(desk: Desk) -> None:
    desk.page.get_by_label("Type an edge").fill(f"Growth -> {'; '.join(NAMES)}\nTaxes -> {'; '.join(NAMES)}")
    desk.page.keyboard.press("Enter")
    desk.page.wait_for_function(IS_STORED)
    field = desk.page.get_by_label("Find a node")  # of many edges only
    by_row(desk)
    field.fill("no such node")
    assert desk.selected() is None
    field.fill("Growth")
    expect(desk.rows.filter(has_text="Growth")).to_have_count(desk.rows.count())
    while "Growth" in (desk.selected() or "Growth"):
        on_figure("e")(desk)
    expect(field).to_have_value("")


# --- random acts


def select(desk: Desk) -> None:
    """Select an edge, a node, a proposal or nothing, in one of the ways to do so."""
    ways: list[Callable[[], object]] = [lambda: desk.page.mouse.click(*middle_of(desk.page, desk.draw.choice(NAMES)))]
    ways += [lambda key=key: on_figure(key)(desk) for key in ("e", "e", "Escape", "p", "ArrowDown", "ArrowRight")]
    if desk.rows.count():
        ways += [lambda: by_row(desk)] * 3
        ways += [lambda key=key: desk.some_row().press(key) for key in ("ArrowDown", "ArrowUp", "Home", "End")]
    desk.draw.choice(ways)()
    desk.page.wait_for_function(IS_STORED)  # a second click on a name draws an edge
    desk.selected()


def next_act(desk: Desk) -> tuple[str, Callable[[Desk], str | None]]:
    """One of the acts that are possible now, after what makes it possible."""
    kind = desk.draw.choices(("proposal", "beside", "selected", "other", "again"), (25, 10, 40, 12, 13))[0]
    has_rows = desk.rows.count() > 0
    acts = AGAIN if kind == "again" else OTHERS if has_rows else {name: OTHERS[name] for name in list(OTHERS)[:2]}
    if kind in ("proposal", "beside") and desk.page.locator("g.cv-proposal").count():
        if desk.look()["proposal"] is None:
            on_figure("p")(desk)
        acts = BESIDE if kind == "beside" and desk.selected() is not None else PROPOSED
    elif kind not in ("again", "other") and has_rows:
        if desk.look()["proposal"] is not None:
            on_figure("Escape")(desk)
        if desk.selected() is None:
            by_row(desk)
        acts = IN_BARS | BY_KEYS
    name = desk.draw.choice(list(acts))
    return name, acts[name]


@pytest.mark.skipif(not EVERYTHING, reason="each of these acts alone: above")
def test_random_acts_change_the_edge_that_both_bars_name(open_desk: Callable[[str], Desk]) -> None:
    desk = open_desk("random")
    tried, changed = Counter[str](), Counter[str]()
    for _ in range(ACTS):
        if desk.draw.random() < 0.5:
            select(desk)
        name, do = next_act(desk)
        tried[name] += 1
        changed[name] += desk.act(name, do)
    print(f"\nSeed {SEED}: {changed.total()} of {tried.total()} acts changed something.")
    assert changed.total() > ACTS / 2
