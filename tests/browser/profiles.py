"""Browser profiles that tests hand on: one that knows a server's scripts opens a page in a third of the time.

A profile is emptied when it is taken: no cookie, no storage, nothing that an earlier test showed. It hands on its first
page too, on an empty address: a new page is a new process, which has to read and lay out all scripts again. What a test
does to a page that lasts (an init script, a route, a listener) spoils it, so that it is closed. What cannot be taken
back from a whole context belongs on a page instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, Request

EMPTY = "/_stcore/health"  # of the same site, so that the page's process stays
LASTING = {  # what a test does to a page that a later test would notice
    Page: (
        "add_init_script",
        "add_locator_handler",
        "expose_binding",
        "expose_function",
        "on",
        "once",
        "route",
        "route_from_har",
        "route_web_socket",
        "set_extra_http_headers",
    ),
    BrowserContext: ("new_cdp_session",),
}
MEDIA = {"color_scheme": "light", "reduced_motion": "reduce", "forced_colors": "none"}
"""If none is asked for. Without a graphics card, a picture that glides to each place takes a tenth of the work of a
desk's test; in a second tab it still does."""
# What Streamlit draws while somebody waits: bars that pulse, and what is out of date, which fades. Drawn sixty times a
# second without a graphics card, that is a quarter of the browser's work. The bars stand still, what fades does so at
# the end of its time.
STILL = """
const still = new CSSStyleSheet();
still.replaceSync(`
  [data-testid=stSkeleton], [data-testid=stSkeleton] * { animation: none !important; }
  [data-testid=stElementContainer] { transition-timing-function: step-end !important; }
`);
document.adoptedStyleSheets = [still];
"""
MOST_KEPT = 6  # profiles that nobody uses just now; each holds some 50 MB
TIMEOUT = 15_000  # ms


@dataclass
class Watch:
    """What went wrong in the pages of one test. `expected` holds patterns of faults that a test provokes."""

    faults: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def over_requests(self, page: Page) -> None:
        """Hear of every request of the page to another address, answered or not."""
        host = urlsplit(page.url).netloc

        def ask(request: Request) -> None:
            if not request.url.startswith((f"http://{host}/", f"ws://{host}/", "data:", "blob:", "about:")):
                self.faults.append(f"off-machine: {request.url}")

        page.on("request", ask)

    def unexpected(self) -> list[str]:
        return [fault for fault in self.faults if not any(re.search(pattern, fault) for pattern in self.expected)]


def listen(context: BrowserContext, watch: Callable[[], Watch | None]) -> None:
    """Tell whoever watches of errors in the console, and of uncaught ones.

    Who asks another machine for anything is among them: the policy of our pages forbids it, and in this browser no
    other machine has an address. To be told of each request takes a twenty-fifth of the work of a test.
    """

    def tell(fault: str) -> None:
        if (told := watch()) is not None:
            told.faults.append(fault)

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error":
            tell(f"console: {message.text} ({message.location.get('url')})")

    context.on("console", hear)
    context.on("weberror", lambda error: tell(f"uncaught: {error.error}"))


@dataclass
class Profile:
    """A context that knows a server's scripts, and the watch of the test that has it."""

    context: BrowserContext
    kind: tuple[str, str]
    media: Mapping[str, Any]
    watch: Watch | None = None
    page: Page | None = None  # the one that is handed on
    is_spoilt: bool = False

    def noticing(self, of: Page | BrowserContext) -> None:
        """Take note when a test does to it what lasts."""
        for name in LASTING[type(of)]:
            setattr(of, name, self._noticed(getattr(of, name)))

    def _noticed(self, does: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(does)
        def noticed(*given: Any, **named: Any) -> Any:
            self.is_spoilt = True
            return does(*given, **named)

        return noticed

    def leave(self) -> None:
        """Close every page but the one that is handed on, which ends at an empty address; that too if it is spoilt."""
        for page in self.context.pages:
            if page is not self.page or self.is_spoilt or not emptied(page):
                page.close()
        self.page = next(iter(self.context.pages), None)


def emptied(page: Page) -> bool:
    """Whether the server that it was of still answers, and it shows and stores nothing any more."""
    try:
        page.goto(EMPTY)
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); window.name = '' }")
        page.mouse.move(-1, -1)  # over nothing
    except Error:
        return False
    return True


class Profiles:
    """The profiles of one browser: free ones by server and kind of screen, the least used first."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._free: list[Profile] = []

    def take(self, url: str, watch: Watch, size: Mapping[str, int], options: Mapping[str, Any]) -> Profile:
        """An empty profile for the server at `url`. `options` are those of Playwright's `new_context`, and `script`,
        which every page of it begins with."""
        # A touch screen's size belongs to the device; any other is that of the page.
        fixed = {**options, "viewport": dict(size)} if options.get("is_mobile") else dict(options)
        kind = (url, repr(sorted(fixed.items())))
        found = next((profile for profile in reversed(self._free) if profile.kind == kind), None)
        if found is not None:
            self._free.remove(found)
        else:
            script = fixed.pop("script", None)
            context = self.browser.new_context(base_url=url, **{"viewport": dict(size), **fixed})
            context.add_init_script(STILL)
            if script is not None:
                context.add_init_script(script)
            context.set_default_timeout(TIMEOUT)
            found = Profile(context, kind, {name: fixed.get(name, usual) for name, usual in MEDIA.items()})
            listen(context, lambda: found.watch)
            found.noticing(context)
        found.context.clear_cookies()
        found.watch = watch
        return found

    def open(self, profile: Profile, size: Mapping[str, int]) -> Page:
        """An empty page of that size, and no storage of an earlier test."""
        if profile.page is None:
            profile.page = profile.context.new_page()
            emptied(profile.page)
            profile.is_spoilt = False
            profile.noticing(profile.page)
        profile.page.emulate_media(**profile.media)
        profile.page.set_viewport_size({"width": size["width"], "height": size["height"]})
        return profile.page

    def give_back(self, profile: Profile, *, has_failed: bool = False) -> None:
        """After a test; what one that failed has left half done on its page is not handed on."""
        profile.watch = None
        profile.context.set_offline(False)
        profile.is_spoilt |= has_failed
        profile.leave()
        self._free.append(profile)
        while len(self._free) > MOST_KEPT:
            self._free.pop(0).context.close()
