"""Every screen and state once, on a study full of hostile text: one visit shows all that can be told by looking.

- axe finds nothing serious and nothing critical; pairings of size and theme by turns, all four of them with everything.
- Text that would be code, a link or a picture anywhere else is text: each payload on each screen is a case. Nothing
  runs (a flag), no dialog opens, nothing is asked of another machine (the watch of every page), no element of theirs
  stands in the page, and where the screen shows the text, it shows it as typed.
- Nothing scrolls sideways at 1440 and at 390 pixels.
- No page has failed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Dialog, Page, expect

from benchmarks.running_server import running_server
from components.shell import FAULT
from tests.browser import axe
from tests.browser.hostile import PAYLOADS, filled
from tests.browser.profiles import Watch
from tests.browser.screens import IS_WHOLE, OUTSIDE, Screen, visits
from tests.browser.walking import ending_a_run, walk
from tests.everything import EVERYTHING

# Everything that can be read in the page: through shadow roots, of fields their values, of elements their labels.
READ = """
() => {
  const found = [];
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) { found.push(node.data); return; }
    if (["SCRIPT", "STYLE"].includes(node.nodeName)) return;
    for (const name of ["aria-label", "title", "value", "placeholder", "alt"])
      if (node.getAttribute?.(name)) found.push(node.getAttribute(name));
    if (typeof node.value === "string") found.push(node.value);
    for (const child of node.childNodes) walk(child);
    if (node.shadowRoot) walk(node.shadowRoot);
  };
  walk(document.body);
  return found.join(" ");
}
"""
# Elements that only a payload can have made.
MADE = """
() => {
  const selector = "img[src=x], img[src*=evil], [onload], [onerror], iframe[srcdoc*=__ran], a[href^=javascript i], " +
    "link[href*=evil], .katex";
  const found = [];
  const walk = (root) => {
    for (const one of root.querySelectorAll(selector)) found.push(one.outerHTML.slice(0, 200));
    for (const one of root.querySelectorAll("style")) if (one.textContent.includes("evil.example")) found.push("style");
    for (const one of root.querySelectorAll("*")) if (one.shadowRoot) walk(one.shadowRoot);
  };
  walk(document);
  return found;
}
"""
IS_TOO_WIDE = "document.documentElement.scrollWidth > innerWidth"
# What stands out to the right of the window, but for what scrolls within itself.
STANDS_OUT = """
() => [...document.querySelectorAll("[data-testid=stMain] *")]
  .filter((it) => it.getBoundingClientRect().right > innerWidth + 1
    && !it.closest("[data-testid=stDataFrame], [data-testid=stCode], [data-testid=stTable]"))
  .map((it) => it.outerHTML.slice(0, 120))
"""
ELSEWHERE = """
from core.people import Viewer
from services.acting import TERMINAL
from services.transcription import reading, transcribing
owner = next(one for one in people.list_people(terminal) if one.name == "The owner")
owner = Viewer(person_id=owner.id, name=owner.name, roles=frozenset(owner.roles), session_id=TERMINAL)
seen = reading.transcription(owner, given["work"]).version
transcribing.add_lines(owner, given["work"], given["line"], pasted=False, seen=seen, act_id=new_act())
"""
"""What a second tab would do."""
BETWEEN = "/texts"
"""A page with little on it."""
PARTS = 2 if IS_WHOLE else 1
"""One light, one dark, each with a page of its own and every other state of every page; a usual run has one, of fewer
states, and turns dark in its middle."""
SAME_COLOURS = {rule: {"enabled": False} for rule in axe.COLOURS["values"]}
FILES = {
    f"{PAYLOADS['image']} faulty.csv": f'source,sink,sign\nA,"{PAYLOADS["image"]}",maybe\nB,C,+\n',
    "asked.csv": "a,b\nc,d\n",
    "encoded.csv": "source,sink\n\u00c4rger,Schlaf\n",
}


@pytest.fixture(scope="module")
def study(start_server: Callable[..., Any]) -> Iterator[tuple[Any, dict[str, Any]]]:
    with running_server() as models:
        server = start_server()
        yield server, filled(server, models)


@pytest.fixture
def opened(study: tuple[Any, dict[str, Any]], page_as: Callable[..., Page], watch: Watch) -> Iterator[Page]:
    """The owner's page; no text may have opened a dialog in it, or asked another machine for anything."""
    page = page_as("The owner", on=study[0])
    watch.over_requests(page)
    dialogs: list[str] = []

    def heard(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", heard)
    yield page
    assert dialogs == []


def read(page: Page) -> str:
    """The page's text as a person reads it: Streamlit's Markdown needs invisible joiners in addresses and arrows."""
    return re.sub(r"\s+", " ", str(page.evaluate(READ)).replace("\u2060", ""))


def reach(page: Page, screen: Screen, ids: dict[str, Any], settled: Callable[[Page], None]) -> list[str]:
    """Go to a screen and press what it wants; what is wrong with the way there."""
    link = screen.link.format(**ids)
    if link:
        if urlsplit(page.url).path == urlsplit(link).path:
            walk(page, BETWEEN)  # what was chosen on the same page would outlive the link
        walk(page, link)
    for role, name in screen.press:
        if role == "files":
            drop_files(page)
        elif role == "text":
            page.get_by_text(name).click()
        else:
            page.get_by_role(role, name=name, exact=True).click()  # type: ignore[arg-type]
        settled(page)
    there, wanted = urlsplit(page.url), urlsplit(link)
    is_elsewhere = there.path != wanted.path or bool(asked(wanted.query) - asked(there.query))
    return [f"{screen.name}: led to {page.url}"] if link and is_elsewhere else []


def asked(query: str) -> set[tuple[str, str]]:
    """What a page keeps of its link. A run is known by its id and by its number, and a page may put the one for the
    other; a figure's link leads on to its adjudication; a protocol and its figures go into the form of a new run."""
    taken = ("figure", "protocol", "figures", "graphs")
    return {(key, "" if key == "run" else value) for key, value in parse_qsl(query) if key not in taken}


def drop_files(page: Page) -> None:
    """Files of which one has faulty rows, one asks what its columns are and one in which encoding it is written."""
    page.locator("input[type=file]").set_input_files(
        [{"name": name, "mimeType": "text/csv", "buffer": text.encode("cp1252")} for name, text in FILES.items()]
    )
    expect(page.get_by_text("encoded.csv cannot be read yet")).to_be_visible()


def is_text(page: Page, screen: Screen) -> list[str]:
    """What of the hostile text is more than text, or not shown as typed."""
    wanted = {kind: re.sub(r"\s+", " ", PAYLOADS[kind]) for kind in screen.shows}
    text = read(page)
    for _patience in range(200):  # components draw after Streamlit is done, late on a busy machine
        if all(payload in text for payload in wanted.values()):
            break
        page.wait_for_timeout(100)
        text = read(page)
    said = [f"{screen.name}: {kind} is not shown as typed" for kind, payload in wanted.items() if payload not in text]
    if said:
        said.append(f"{screen.name}: at {page.url} stands {text[-1_500:]}")
    said += [f"{screen.name}: made {element}" for element in page.evaluate(MADE)]
    if page.evaluate("window.__ran"):
        said.append(f"{screen.name}: payload {page.evaluate('window.__ran')} RAN")
    if FAULT in text or page.get_by_test_id("stException").count():
        said.append(f"{screen.name}: the page failed")
    return said


def look(page: Page, screen: Screen, *, with_menu: bool) -> list[str]:
    """All that can be told of a screen as it stands. It is left in the other size, in which the next is looked at.

    What a press leads to is looked at on a phone, where there is least room, and its colours with everything: they are
    those of the screen that it is on.
    """
    said = is_text(page, screen)
    if not screen.link and not EVERYTHING:
        axe.resize(page, "phone")
        return said + axe.found(page, f"{screen.name}, phone", rules=SAME_COLOURS) + fits(page, screen)
    if EVERYTHING:
        said += axe.faults(page, screen.name, to_and_fro=False)
    else:
        said += axe.found(page, f"{screen.name}, {page.viewport_size}", with_menu=with_menu)
    said += fits(page, screen)
    axe.resize(page, "phone" if page.viewport_size == axe.SIZES["desktop"] else "desktop")
    return said + fits(page, screen)


def fits(page: Page, screen: Screen) -> list[str]:
    """What is wider than the window."""
    said: list[str] = []
    if page.viewport_size == axe.SIZES["phone"] and urlsplit(page.url).path in ("/runs", "/failures", "/results"):
        said = [f"{screen.name}: stands out: {element}" for element in page.evaluate(STANDS_OUT)]
    if page.evaluate(IS_TOO_WIDE):
        said.append(f"{screen.name}: scrolls sideways, {page.viewport_size}")
    return said


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.proof("T5", "hostile texts on every screen, in Chromium", gate="0 run, 0 requests elsewhere, 0 dialogs")
def test_no_screen_has_a_serious_fault_runs_a_text_or_scrolls_sideways(
    study: tuple[Any, dict[str, Any]],
    opened: Page,
    settled: Callable[[Page], None],
    record_property: Callable[[str, object], None],
    part: int,
) -> None:
    faults: list[str] = []
    opened.add_style_tag(content=axe.STILL)
    axe.turn(opened, "dark" if part % 2 else "light")
    screens = [screen for visit in visits(part, PARTS) for screen in visit]
    for place, screen in enumerate(screens):
        if place == len(screens) // 2 and not IS_WHOLE:
            axe.turn(opened, "dark")
        faults += reach(opened, screen, study[1], settled)
        faults += look(opened, screen, with_menu=place < 2)  # in both sizes; the parts differ in theme
    cases = len(screens) * len(PAYLOADS)
    shown = sum(len(screen.shows) for screen in screens)
    counts = {"screens": len(screens), "faults": len(faults), "shown": shown}
    record_property("repetitions", cases)
    record_property("counts", counts)  # of this part; the row of the proof adds the parts up
    record_property(
        "figure", f"{{screens}} screens x {len(PAYLOADS)} payloads: {{faults}} faults; {{shown}} shown as typed"
    )
    assert cases >= 60
    assert faults == [], "\n".join(faults)


def test_no_screen_before_the_sign_in_has_a_serious_fault_or_scrolls_sideways(
    study: tuple[Any, dict[str, Any]], new_page: Callable[..., Page], watch: Watch
) -> None:
    server, ids = study
    watch.expected.append("403.*/invitation/unknown")
    outside = new_page(server)
    said = []
    for path in (path.format(**ids) for path in OUTSIDE):
        outside.goto(path)
        for size, theme in axe.LOOKS:
            outside.set_viewport_size(axe.SIZES[size])
            outside.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            said += axe.found(outside, f"{path}, {size}, {theme}")
            if outside.evaluate(IS_TOO_WIDE):
                said.append(f"{path}: scrolls sideways at {size}")
    assert said == []


@pytest.mark.skipif(not EVERYTHING, reason="long: six states of one desk")
def test_they_are_text_in_completion_dialog_and_conflict_too(
    opened: Page, study: tuple[Any, dict[str, Any]], settled: Callable[[Page], None]
) -> None:
    count = len(PAYLOADS)
    walk(opened, f"/transcribe?transcription={study[1]['own']}")
    line = opened.get_by_label("Type an edge")
    expect(line).to_be_editable()
    rows = opened.locator(".row[aria-selected]")
    expect(rows.nth(count - 1)).to_be_attached()
    edges = rows.count()  # more than that at a second try
    line.fill("<svg")
    names = opened.locator("#names").get_by_role("option")
    expect(names.filter(has_text=re.compile(f"^{re.escape(PAYLOADS['drawing'])}$"))).to_have_count(1)
    line.fill("")
    opened.get_by_text("Guidelines (").click()
    opened.get_by_role("button", name="Submit", exact=True).click()
    expect(opened.get_by_role("dialog").get_by_text(f"{count} nodes, {edges} edges")).to_be_visible()
    assert axe.found(opened, "dialog") == []
    with ending_a_run(opened):  # that came later, it would bring what is written now, and nothing would be in conflict
        opened.keyboard.press("Escape")
    expect(opened.get_by_role("dialog")).to_be_hidden()
    study[0].seed(
        ELSEWHERE, work=study[1]["own"], line=f'"{PAYLOADS["picture"]}" -> "First {edges} {PAYLOADS["script"]}"'
    )
    line.fill(f'"{PAYLOADS["link"]}" -> "Second {edges} {PAYLOADS["drawing"]}"')
    line.press("Enter")
    expect(opened.get_by_text("Another tab changed this transcription")).to_be_visible()
    settled(opened)
    assert opened.evaluate(MADE) == []
    assert axe.found(opened, "conflict") == []
    opened.get_by_role("button", name="Use newer version").click()
    expect(opened.get_by_text(f"{edges + 2} edges").first).to_be_visible()
    assert opened.evaluate(MADE) == []
    assert not opened.evaluate("window.__ran")
