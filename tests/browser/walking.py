"""From one page to another without loading Streamlit again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as TooLate

from tests.browser.conftest import settle

# As the browser's back button does it: a third of the work of loading the page anew. Ends when the script has run. A
# run whose beginning and end reach the browser together changes nothing that can be watched: then a while is waited.
GO = """
(link) => new Promise((done) => {
  const app = document.querySelector("[data-testid=stApp]");
  let began = false;
  const watch = new MutationObserver(() => {
    if (app.dataset.testScriptState !== "notRunning") { began = true; return; }
    if (began) { watch.disconnect(); done(); }
  });
  watch.observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
  setTimeout(() => { if (!began) { watch.disconnect(); done(); } }, 5_000);
  history.pushState({}, "", link);
  dispatchEvent(new PopStateEvent("popstate", { state: {} }));
})
"""


def walk(page: Page, link: str) -> None:
    """Go to a link of another page than the one that is open; within one page, what was chosen there last would
    outlive the link."""
    settle(page)  # what still runs would be taken for the beginning of the next
    page.evaluate(GO, link)
    settle(page)


# As above: a run may begin and end unseen.
COUNT = """
() => {
  const app = document.querySelector("[data-testid=stApp]");
  window.__ended = 0;
  const watch = new MutationObserver(() => { if (app.dataset.testScriptState === "notRunning") window.__ended += 1; });
  watch.observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
}
"""


@contextmanager
def ending_a_run(page: Page) -> Iterator[None]:
    """Wait until the run that is begun within has ended."""
    settle(page)
    page.evaluate(COUNT)
    yield
    with suppress(TooLate):
        page.wait_for_function("() => window.__ended > 0", timeout=5_000)
    settle(page)
