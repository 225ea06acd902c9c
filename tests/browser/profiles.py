"""Browser profiles that tests hand on: one that knows a server's scripts opens a page in a third of the time.

A profile is emptied when it is taken: no cookie, no storage, no page of an earlier test. What cannot be taken back (an
init script or a route set on the whole context) belongs on the page instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

MOST_KEPT = 6  # profiles that nobody uses just now; each holds some 50 MB
TIMEOUT = 15_000  # ms


@dataclass
class Watch:
    """What went wrong in the pages of one test. `expected` holds patterns of faults that a test provokes."""

    faults: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def over(self, context: BrowserContext, host: str) -> None:
        listen(context, host, lambda: self)

    def unexpected(self) -> list[str]:
        return [fault for fault in self.faults if not any(re.search(pattern, fault) for pattern in self.expected)]


def listen(context: BrowserContext, host: str, watch: Callable[[], Watch | None]) -> None:
    """Tell whoever watches of errors in the console, uncaught ones, and requests to other machines."""

    def tell(fault: str) -> None:
        if (told := watch()) is not None:
            told.faults.append(fault)

    def hear(message: ConsoleMessage) -> None:
        # On a page with a path of its own, Streamlit's client first asks for these below that path, and is told no.
        is_probe = re.search(r"/[a-z]+/_stcore/(health|host-config)$", message.location.get("url", ""))
        if message.type == "error" and not is_probe:
            tell(f"console: {message.text} ({message.location.get('url')})")

    def ask(request: Request) -> None:
        if not request.url.startswith((f"http://{host}/", f"ws://{host}/", "data:", "blob:", "about:")):
            tell(f"off-machine: {request.url}")

    context.on("console", hear)
    context.on("weberror", lambda error: tell(f"uncaught: {error.error}"))
    context.on("request", ask)


@dataclass
class Profile:
    """A context that knows a server's scripts, and the watch of the test that has it."""

    context: BrowserContext
    kind: tuple[str, str]
    watch: Watch | None = None


class Profiles:
    """The profiles of one browser: free ones by server and kind of screen, the least used first."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._free: list[Profile] = []

    def take(self, url: str, watch: Watch, size: Mapping[str, int], options: Mapping[str, Any]) -> Profile:
        """An empty profile for the server at `url`; `options` are those of Playwright's `new_context`."""
        # A touch screen's size belongs to the device; any other is that of the page.
        fixed = {**options, "viewport": dict(size)} if options.get("is_mobile") else dict(options)
        kind = (url, repr(sorted(fixed.items())))
        found = next((profile for profile in reversed(self._free) if profile.kind == kind), None)
        if found is not None:
            self._free.remove(found)
        else:
            context = self.browser.new_context(base_url=url, **{"viewport": dict(size), **fixed})
            context.set_default_timeout(TIMEOUT)
            found = Profile(context, kind)
            listen(context, url.removeprefix("http://"), lambda: found.watch)
        found.context.clear_cookies()
        found.watch = watch
        return found

    def open(self, profile: Profile, size: Mapping[str, int]) -> Page:
        """A new page of that size, and no storage of an earlier test."""
        page = profile.context.new_page()
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        page.goto("/_stcore/health")
        page.evaluate("localStorage.clear()")
        return page

    def give_back(self, profile: Profile) -> None:
        for page in profile.context.pages:
            page.close()
        profile.watch = None
        profile.context.set_offline(False)
        self._free.append(profile)
        while len(self._free) > MOST_KEPT:
            self._free.pop(0).context.close()
