"""Text that would be code, a link or a picture anywhere else is text on every screen, and fetches nothing.

Every screen that shows people's, papers' or models' texts is opened once on a study full of hostile ones: each payload
on each screen is a case. Nothing runs (a flag), no dialog opens, nothing is asked of another machine (the watch of
every page), no element of theirs stands in the page, and where the screen shows the text, it shows it as typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Dialog, Page, expect

from benchmarks.running_server import running_server
from tests.browser.hostile import PAYLOADS, SINKS, Sink, filled

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


@pytest.fixture(scope="module")
def study(start_server: Callable[..., Any]) -> Iterator[tuple[Any, dict[str, Any]]]:
    with running_server() as models:
        server = start_server()
        yield server, filled(server, models)


@pytest.fixture
def opened(study: tuple[Any, dict[str, Any]], page_as: Callable[..., Page]) -> Iterator[Page]:
    """The owner's page; no text may have opened a dialog in it."""
    page = page_as("The owner", on=study[0])
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


def look(page: Page, sink: Sink, link: str, settled: Callable[[Page], None]) -> list[str]:
    """What is wrong on one screen."""
    page.goto(link)
    settled(page)
    for role, name in sink.press:
        page.get_by_role(role, name=name).click()  # type: ignore[arg-type]
        settled(page)
    wanted = {kind: re.sub(r"\s+", " ", PAYLOADS[kind]) for kind in sink.shows}
    text = read(page)
    for _patience in range(20):  # components draw after Streamlit is done
        if all(payload in text for payload in wanted.values()):
            break
        page.wait_for_timeout(100)
        text = read(page)
    faults = [f"{sink.name}: {kind} is not shown as typed" for kind, payload in wanted.items() if payload not in text]
    faults += [f"{sink.name}: made {element}" for element in page.evaluate(MADE)]
    if page.evaluate("window.__ran"):
        faults.append(f"{sink.name}: payload {page.evaluate('window.__ran')} RAN")
    if "fault in Edgewise" in text:
        faults.append(f"{sink.name}: the page failed")
    return faults


@pytest.mark.proof("T5", "hostile texts on every screen, in Chromium", gate="0 run, 0 requests elsewhere, 0 dialogs")
def test_no_text_is_more_than_text_on_any_screen(
    study: tuple[Any, dict[str, Any]],
    opened: Page,
    settled: Callable[[Page], None],
    record_property: Callable[[str, object], None],
) -> None:
    faults: list[str] = []
    for sink in SINKS:
        faults += look(opened, sink, sink.link.format(**study[1]), settled)
    cases = len(SINKS) * len(PAYLOADS)
    shown = sum(len(sink.shows) for sink in SINKS)
    record_property("repetitions", cases)
    record_property(
        "figure", f"{len(SINKS)} screens x {len(PAYLOADS)} payloads: {len(faults)} faults; {shown} shown as typed"
    )
    assert cases >= 60
    assert faults == [], "\n".join(faults)


def test_they_are_text_in_completion_dialog_and_conflict_too(
    opened: Page, study: tuple[Any, dict[str, Any]], settled: Callable[[Page], None]
) -> None:
    count = len(PAYLOADS)
    opened.goto(f"/transcribe?transcription={study[1]['own']}")
    settled(opened)
    line = opened.get_by_label("Type an edge")
    expect(line).to_be_editable()
    rows = opened.locator(".row[aria-selected]")
    expect(rows.nth(count - 1)).to_be_attached()
    edges = rows.count()  # more than that at a second try
    line.fill("<svg")
    expect(opened.locator("#names").get_by_role("option")).to_have_text([PAYLOADS["drawing"]])
    line.fill("")
    opened.get_by_text("Guidelines (").click()
    opened.get_by_role("button", name="Submit", exact=True).click()
    expect(opened.get_by_role("dialog").get_by_text(f"{count} nodes, {edges} edges")).to_be_visible()
    opened.keyboard.press("Escape")
    second = opened.context.new_page()
    second.goto(opened.url)
    settled(second)
    first_in = second.get_by_label("Type an edge")
    first_in.fill(f'"{PAYLOADS["picture"]}" -> "First {edges} {PAYLOADS["script"]}"')
    first_in.press("Enter")
    expect(second.get_by_text(f"{edges + 1} edges").first).to_be_visible()
    line.fill(f'"{PAYLOADS["link"]}" -> "Second {edges} {PAYLOADS["drawing"]}"')
    line.press("Enter")
    expect(opened.get_by_text("This was changed in another tab")).to_be_visible()
    settled(opened)
    assert opened.evaluate(MADE) == []
    opened.get_by_role("button", name="Go on with the newer version").click()
    expect(opened.get_by_text(f"{edges + 2} edges").first).to_be_visible()
    for page in (opened, second):
        assert page.evaluate(MADE) == []
        assert not page.evaluate("window.__ran")
