"""Hands on the transcription canvas of the real page: every pick and every key counted by what it was for."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import settle
from tests.browser.lists import pick

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"

Edge = tuple[str, str, str]
"""Source, sink, and "+", "-" or "" for a sign that is not printed."""

LOCATE = """
from core.papers.pages import Box
from services.papers import figures, importing as paper_importing
made, ids = {}, {}
for key, path, page, box in given["figures"]:
    if path not in made:
        found = paper_importing.import_file(terminal, Path(path).name, Path(path).read_bytes(), act_id=new_act())
        made[path] = found.paper_id
    ids[key] = figures.locate(terminal, made[path], page, Box(*box), label=key, act_id=new_act()).subject_id
print(json.dumps(ids))
"""
UNREAD = """
from core.transcription.proposals import FigureProposals
from documents.reader import PROPOSALS_PRODUCER, PROPOSALS_VERSION
from services.study import current_study
from services.transcription import figure_proposals
from store import assignments, documents
nothing = FigureProposals(names=(), edges=(), origin="ocr", notice=given["notice"])
study = current_study()
with study.store.writing() as session:
    for key in ids:
        place = figure_proposals.place_of(SimpleNamespace(session=session), assignments.figure(session, ids[key]))
        documents.keep_derived(session, place.sha256, PROPOSALS_PRODUCER, str(PROPOSALS_VERSION), place.part,
                               nothing.as_json(), study.clock())
"""


def locate(
    server: Any, figures: Iterable[tuple[str, Path, int, Sequence[float]]], *, unread: str = ""
) -> dict[str, str]:
    """Figure ids by key, after putting (key, file, page, box) into a server's study. `unread`: the notice of figures
    that count as read already, with nothing found in them."""
    wanted = [(key, str(path), page, list(box)) for key, path, page, box in figures]
    code = f"from types import SimpleNamespace\n{LOCATE}{UNREAD if unread else ''}"
    found: dict[str, str] = json.loads(server.seed(code, figures=wanted, notice=unread).splitlines()[-1])
    return found


@dataclass
class Hand:
    """A person at a page: real pointer presses and key presses, counted by purpose."""

    page: Page
    acts: Counter[str] = field(default_factory=Counter)

    def pick(self, at: tuple[float, float], purpose: str) -> None:
        """One press of the mouse at a point of the window."""
        self.page.mouse.click(*at)
        self.acts[purpose] += 1

    def press(self, keys: Iterable[str], purpose: str) -> None:
        """One press for each key of `keys`: names of keys, or the letters of a text."""
        for key in keys:
            self.page.keyboard.press("Space" if key == " " else key)
            self.acts[purpose] += 1

    def write(self, text: str, purpose: str) -> None:
        """Put a text into the field under the caret, counted as a press for each letter."""
        self.page.keyboard.insert_text(text)
        self.acts[purpose] += len(text)


def open_figure(page: Page) -> None:
    """Wait for the canvas of the transcription that the page shows, and bring all of it into the window."""
    expect(page.locator(".cv[data-editable='true']")).to_be_visible(timeout=60_000)
    settle(page)
    expect(page.locator(".cv-viewport img.pz-image")).to_be_visible()
    page.locator(".cv-viewport").scroll_into_view_if_needed()


COURSES = """(all, start) => Object.fromEntries(all.map(one => [
    one.getAttribute("aria-label").slice(start.length).split(", ")[0], one.querySelector("path.line").getAttribute("d"),
]))"""


def courses(page: Page, kind: str) -> dict[str, str]:
    """The drawn course of each "edge" or "proposal" by "source to sink"; a proposal's is the printed arrow's."""
    start = "Proposed: " if kind == "proposal" else ""
    found: dict[str, str] = page.eval_on_selector_all(f"g.cv-{kind}", COURSES, start)
    return found


def place_of(page: Page, name: str) -> Locator:
    """The frame of a name on the figure: a node, or the first printed name that reads so."""
    text = json.dumps(name)
    node = page.locator(f"g.cv-node[data-key={text}]")
    if node.count():
        return node.locator("rect.line").first
    label = json.dumps(f"Printed name: {name}")
    return page.locator(f"g.cv-word[aria-label={label}]").first.locator("rect.line")


def middle_of(page: Page, name: str) -> tuple[float, float]:
    box = place_of(page, name).bounding_box()
    assert box is not None, f"{name} stands nowhere on the figure"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def on_screen(page: Page, at: tuple[float, float], figure: Sequence[float]) -> tuple[float, float]:
    """Where a point of the figure's page stands in the window; `figure` is its box, in the same points."""
    box = page.locator(".pz-content").bounding_box()
    assert box is not None
    x0, y0, x1, y1 = figure
    return box["x"] + (at[0] - x0) / (x1 - x0) * box["width"], box["y"] + (at[1] - y0) / (y1 - y0) * box["height"]


CHIPS = "all => all.map(one => [one.textContent, one.getBoundingClientRect().toJSON()])"


def code_beside(page: Page, name: str) -> str:
    """The hint code that stands beside a name, found as the eye finds it: the chip next to its frame."""
    box = place_of(page, name).bounding_box()
    assert box is not None
    left, right, middle = box["x"], box["x"] + box["width"], box["y"] + box["height"] / 2
    chips: list[Any] = page.locator(".cv-chip-hint").evaluate_all(CHIPS)
    gaps = [
        (min(math.dist((left, middle), (rect["right"], y)), math.dist((right, middle), (rect["left"], y))), code)
        for code, rect in chips
        for y in [(rect["top"] + rect["bottom"]) / 2]
    ]
    gap, code = min(gaps)
    assert gap < 12, f"no code stands beside {name}"
    return str(code)


# --- the ways ---------------------------------------------------------------------------------------------------


def draw_by_picks(hand: Hand, edges: Sequence[Edge]) -> None:
    """Two picks for an edge; its sign is a key between them."""
    for source, sink, sign in edges:
        hand.pick(middle_of(hand.page, source), "edge")
        hand.press(sign, "sign")
        hand.pick(middle_of(hand.page, sink), "edge")


def draw_by_codes(hand: Hand, edges: Sequence[Edge]) -> list[int]:
    """Both codes for an edge, then its sign; returns the keys of each edge without the sign."""
    hand.page.locator(".cv-viewport").focus()
    hand.press("h", "begin")
    codes = {name: code_beside(hand.page, name) for name in dict.fromkeys(end for edge in edges for end in edge[:2])}
    for source, sink, sign in edges:
        hand.press(codes[source] + codes[sink], "edge")
        hand.press(sign, "sign")
    return [len(codes[source] + codes[sink]) for source, sink, _sign in edges]


LIT = re.compile(r"^Proposed: (.*), (plus|minus|no sign)(, .*)?$")
SIGNS = {"plus": "+", "minus": "-", "no sign": ""}


def draw_by_proposals(hand: Hand, edges: Sequence[Edge]) -> list[Edge]:
    """Every proposal looked at and answered with one key, a wrong sign put right; returns what was not proposed."""
    wanted = {(f"{source} to {sink}"): (source, sink, sign) for source, sink, sign in edges}
    missing = dict(wanted)
    expect(hand.page.locator("g.cv-proposal").first).to_be_attached()
    hand.page.locator(".cv-viewport").focus()
    hand.press("p", "begin")
    while (lit := hand.page.locator("g.cv-proposal.chosen")).count():
        told = LIT.match(lit.get_attribute("aria-label") or "")
        assert told is not None
        ends, sign = told[1], SIGNS[told[2]]
        turned = " to ".join(reversed(ends.split(" to ")))
        is_turned = ends not in missing and turned in missing
        if ends not in missing and not is_turned:
            hand.press("x", "refused")
            continue
        hand.press("v" if is_turned else "y", "turned" if is_turned else "edge")
        right = missing.pop(turned if is_turned else ends)[2]
        if right != sign:
            hand.press(right or "0", "sign")
    return list(missing.values())


BARE = re.compile(r"Printed arrow \d+ of (\d+) without an edge")


def answer_bare_arrows(hand: Hand) -> int:
    """Look at every printed arrow without an edge, and say that none is one; returns how many were listed."""
    hand.page.locator(".cv-viewport").focus()
    hand.press("b", "begin")
    asked = hand.page.locator(".cv-asked")
    told = BARE.match(asked.inner_text()) if asked.count() else None
    for _ in range(listed := int(told[1]) if told else 0):
        expect(asked).to_have_text(BARE)
        hand.press("t", "checked")
    none = hand.page.get_by_role("status").filter(has_text="All printed arrows are checked.")
    if not listed:
        expect(none).to_have_count(1)
    return listed


def write_names(hand: Hand, places: dict[str, tuple[float, float]], figure: Sequence[float]) -> None:
    """Names of a picture: a press at each place, the name typed, Enter; Escape, so that no edge begins."""
    for name, at in places.items():
        hand.pick(on_screen(hand.page, at, figure), "name")
        hand.write(name, "name")
        hand.press(["Enter", "Escape"], "name")


# --- what came of it --------------------------------------------------------------------------------------------


def stored(page: Page, nodes: int, edges: int) -> None:
    """Wait until the store has answered for everything and counts so many nodes and edges."""
    expect(page.locator(".cv[data-waiting='0']")).to_be_visible(timeout=60_000)
    counts = f"{nodes} node{'' if nodes == 1 else 's'}, {edges} edge{'' if edges == 1 else 's'}"
    expect(page.locator(".receipt")).to_have_text(re.compile(rf"^Saved .* · {counts}$"))


ARROW = re.compile(r'^"(.*)" ->([+-]?) "(.*)"$')


def exported(page: Page, form: str = "Signed edge list") -> list[Edge]:
    """The edges in the order they were drawn, as the page hands them out."""
    settle(page)
    page.get_by_text("Download edges").click()
    page.get_by_role("button", name="Download as").scroll_into_view_if_needed()  # room for the list of forms
    pick(page, page.get_by_role("combobox", name="Format"), form)
    with page.expect_download() as waiting:
        page.get_by_role("button", name=f"Download as {form}").click()
    text = Path(waiting.value.path()).read_text(encoding="utf-8")
    found = [ARROW.match(line) for line in text.splitlines()]
    assert all(found), text
    return [(arrow[1], arrow[3], arrow[2]) for arrow in found if arrow]
