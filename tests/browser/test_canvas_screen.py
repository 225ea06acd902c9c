"""Drawing on the figure on the screen itself: by keyboard alone, in reach, and for everybody."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import found
from tests.everything import usual

DEMO = Path(__file__).resolve().parents[2] / "demo" / "reservoir.pdf"
# Each opened as it is: another size would shut what is open over the canvas.
PHONE, DARK = {"width": 390, "height": 844}, {"color_scheme": "dark"}
SCREENS = {"light": {}, "dark phone": {**PHONE, **DARK}, "dark": DARK, "phone": PHONE}
LABELS = ("keys", "ways", *SCREENS)
FIGURES = """
from core.papers.pages import Box
from services.papers import figures, importing as paper_importing
from services.transcription import proposals as proposing, transcribing
pdf = Path(given["pdf"]).read_bytes()
paper = paper_importing.import_file(terminal, "reservoir.pdf", pdf, act_id=new_act()).paper_id
made = {label: figures.locate(terminal, paper, 1, Box(90, 420, 540, 590), label=label, act_id=new_act()).subject_id
        for label in given["labels"]}
print(json.dumps(made))
"""
EDGES = """
from services.transcription import transcribing, lists as worklists
for person in people.list_people(terminal):
    if person.name == "annotator":
        me = Viewer(person_id=person.id, name=person.name, roles=frozenset(person.roles), session_id="terminal")
found = transcribing.transcription(me, given["work"])
edges = [[e.source, e.sink, e.sign.value if e.sign else ""] for e in found.record.graph().edges]
print(json.dumps({"edges": edges, "swept": len(found.marks.swept), "nodes": len(found.record.nodes),
                  "state": found.state}))
"""

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def drawn(start_server: Callable[..., Any]) -> tuple[Any, dict[str, str]]:
    """A server whose study has one figure per test."""
    server = start_server()
    return server, json.loads(server.seed(FIGURES, pdf=str(DEMO), labels=LABELS))


@pytest.fixture
def take(drawn: tuple[Any, dict[str, str]], page_as: Open, settled: Callable[[Page], None]) -> Callable[..., Page]:
    """`take(label, **screen)`: that figure's transcription, opened by the annotator."""

    def open_figure(label: str, **screen: Any) -> Page:
        server, figures = drawn
        page = page_as("annotator", f"/transcribe?figure={figures[label]}", on=server, **screen)
        expect(page.locator(".cv[data-editable='true']")).to_be_visible()
        settled(page)
        return page

    return open_figure


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def codes(page: Page) -> dict[str, str]:
    """Name -> hint code, while every name is but a printed one."""
    shown: dict[str, str] = page.locator(".cv").evaluate(
        """(root) => Object.fromEntries([...root.querySelectorAll(".cv-overlay g[data-kind=word]")]
            .map((group, place) => [group.getAttribute("aria-label").replace(/^Printed name: /, ""), place]))"""
    )
    chips = page.locator(".cv-chip-hint").all_inner_texts()
    return dict(zip(shown, chips, strict=True))


def proposed(page: Page) -> tuple[str, str, str]:
    """The lit proposal, from the line below the figure."""
    found = re.search(r": (.+) → (.+?)( [+−])?(?:, delay)? · ", page.locator(".cv-words").inner_text())
    assert found is not None
    return found[1], found[2], (found[3] or "").strip().replace("−", "-")


def tab_to(page: Page, name: str, key: str = "Tab") -> None:
    """Go by key to the button of this name."""
    for _step in range(60):
        page.keyboard.press(key)
        if page.evaluate("document.activeElement.innerText ?? ''").strip() == name:
            return
    raise AssertionError(f"no way by {key} to {name}")


def kept(drawn: tuple[Any, dict[str, str]], page: Page) -> dict[str, Any]:
    work = page.url.split("transcription=")[1]
    found: dict[str, Any] = json.loads(drawn[0].seed(EDGES, work=work))
    return found


def answered(page: Page) -> None:
    expect(page.locator(".cv[data-waiting='0']")).to_be_visible()


def test_a_figure_is_proposed_drawn_swept_and_submitted_without_the_mouse(
    drawn: tuple[Any, dict[str, str]], take: Callable[..., Page]
) -> None:
    page = take("keys")
    expect(page.locator(".cv-viewport")).to_be_focused()
    press(page, "h")
    code = codes(page)
    press(page, "Shift+P")
    first = proposed(page)
    press(page, "x")
    expect(page.locator(".cv-words")).to_contain_text("1 of 8")
    second = proposed(page)
    press(page, "y", "Shift+Y")
    expect(page.locator("g.cv-edge")).to_have_count(8)
    press(page, "Escape", *code[first[0]], *code[first[1]], *([first[2]] if first[2] else []))
    expect(page.locator("g.cv-edge")).to_have_count(9)
    expect(page.locator(".receipt")).to_contain_text("7 nodes, 9 edges")
    press(page, "Shift+W")
    expect(page.get_by_label("Type an edge")).to_be_focused()
    page.keyboard.type("Rainfall -> Irrigation demand")
    press(page, "Enter", "Escape")
    expect(page.locator(".receipt")).to_contain_text("8 nodes, 10 edges")
    expect(page.locator(".cv-viewport")).to_be_focused()
    press(page, "Control+z")
    expect(page.locator(".receipt")).to_contain_text("7 nodes, 9 edges")
    press(page, "Shift+S", *["Shift+T"] * 7)
    expect(page.locator(".cv-words")).to_contain_text("nodes are swept")
    answered(page)
    tab_to(page, "Submit", "Shift+Tab")
    press(page, "Enter")
    expect(page.get_by_role("dialog")).to_contain_text("A submitted transcription cannot be changed.")
    expect(page.get_by_role("dialog")).not_to_contain_text("not swept")
    tab_to(page, "Submit")
    press(page, "Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()  # its sentence holds the word too
    expect(page.get_by_text("Submitted")).to_be_visible()
    found = kept(drawn, page)
    assert (found["state"], found["swept"], found["nodes"], len(found["edges"])) == ("submitted", 7, 7, 9)
    assert list(first) in found["edges"]
    assert list(second) in found["edges"]


def test_what_is_not_swept_is_listed_at_submitting_and_leads_into_the_sweep(take: Callable[..., Page]) -> None:
    page = take("ways", width=1440, height=900)
    figure_and_list_stand_side_by_side_in_reach(page)
    press(page, "Shift+Y")
    expect(page.locator(".receipt")).to_contain_text("9 edges")
    page.get_by_label("Type an edge").fill("Farm incomes -> Irrigation demand")
    page.get_by_label("Type an edge").press("Enter")
    asked = page.get_by_text("differ only in singular and plural")
    expect(asked).to_be_visible()
    page.get_by_role("button", name="Submit", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("8 of 8 nodes not swept")
    dialog.get_by_role("button", name="One variable: “Farm income”").click()
    expect(dialog).to_contain_text("7 of 7 nodes not swept")
    dialog.get_by_role("button", name="Continue sweep").click()
    expect(dialog).to_be_hidden()
    expect(page.locator(".cv-banner")).to_contain_text("Any more?")
    expect(page.locator(".cv-viewport")).to_be_focused()
    press(page, "t")
    expect(page.locator(".cv-banner")).to_contain_text("6 left")
    expect(page.get_by_role("button", name="Sweep: 1 of 7 nodes swept")).to_be_visible()
    page.get_by_role("radio", name="Graph").click()
    expect(page.locator(".cv-viewport")).to_have_count(0)
    page.get_by_role("radio", name="Figure").click()
    expect(page.get_by_role("button", name="Sweep: 1 of 7 nodes swept")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".cv-viewport")).to_be_visible()
    page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")


def figure_and_list_stand_side_by_side_in_reach(page: Page) -> None:
    figure, desk = (page.locator(one).bounding_box() for one in (".cv-viewport", ".desk"))
    assert figure is not None and desk is not None
    assert figure["width"] / (figure["width"] + desk["width"]) > 0.6
    assert figure["y"] + figure["height"] < 900
    assert desk["x"] > figure["x"] + figure["width"]


@pytest.mark.parametrize("screen", usual(list(SCREENS), "light", "dark", "phone"))
def test_no_state_of_the_canvas_has_a_serious_fault(
    take: Callable[..., Page], settled: Callable[[Page], None], screen: str
) -> None:
    page = take(screen, **SCREENS[screen])
    page.locator(".cv-viewport").focus()
    said = []
    states = {
        "proposal": ("Shift+P",),
        "hints": ("Escape", "Shift+H"),
        "name box": ("Shift+H", "/"),
        "keys": ("Escape", "?"),
    }
    for state, keys in states.items():
        press(page, *keys)
        said += found(page, state)
    press(page, "Escape", "Shift+Y")
    answered(page)
    settled(page)
    press(page, "Shift+S")
    expect(page.locator(".cv-banner")).to_be_visible()
    said += found(page, "sweep")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    said += found(page, "dialog")
    assert said == []
