"""One tab for all tests of a component's app, on the bare page (bare_page.py).

A test ends the tab's session and empties its storage; the next one begins another in the same document. So the scripts
of the components are fetched, compiled and laid out once a file and not once a test.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from tests.browser.bare_page import BARE
from tests.browser.component_app import ComponentApp
from tests.browser.conftest import HAS_FAILED
from tests.browser.profiles import Profile, Profiles, Watch


class BareTab:
    """The tab of `app`; `options` are those of `new_page`."""

    def __init__(
        self, app: ComponentApp, profiles: Profiles, *, width: int = 1440, height: int = 900, **options: object
    ) -> None:
        self._profiles = profiles
        self._size = {"width": width, "height": height}
        self._profile: Profile = profiles.take(app.url, Watch(), self._size, options)

    def handed_to(self, request: pytest.FixtureRequest, watch: Watch) -> Iterator[Page]:
        """The tab with nothing on it, for one test."""
        self._profile.watch = watch
        page = self._profiles.open(self._profile, self._size)
        yield page
        for other in self._profile.context.pages:
            if other is not page:
                other.close()
        if request.node.stash.get(HAS_FAILED, False) or self._profile.is_spoilt or not _is_bare(page):
            self._profile.leave()
        else:
            page.evaluate("() => { leave(); localStorage.clear(); sessionStorage.clear() }")
            page.mouse.move(-1, -1)
        self._profile.watch = None

    def close(self) -> None:
        self._profiles.give_back(self._profile)


def visit(page: Page, url: str) -> None:
    """Open an address of a component's app: one of the bare page in the document that is open, if that is bare too."""
    if urlsplit(url).path == BARE and _is_bare(page):
        page.evaluate("address => visit(address)", url)
    else:
        page.goto(url, wait_until="domcontentloaded")


def _is_bare(page: Page) -> bool:
    return bool(page.evaluate("() => 'visit' in window"))
