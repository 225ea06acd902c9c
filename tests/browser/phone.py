"""A page that becomes that of a phone: narrow, under a finger that taps.

A browser profile with a touch screen of its own costs a process that reads and lays out all scripts again; here the
page that a test has already turns into one, and back.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import BrowserContext, CDPSession, Locator, Page, ViewportSize

from tests.browser.conftest import settle

SIZE: ViewportSize = {"width": 390, "height": 844}
IS_COARSE = "wanted => matchMedia('(pointer: coarse)').matches === wanted"


@dataclass(frozen=True)
class Finger:
    """On the page of a phone."""

    page: Page
    session: CDPSession

    def tap(self, on: Locator) -> None:
        """Where the finger would: in the middle of what is in view."""
        on.scroll_into_view_if_needed()
        box = on.bounding_box()
        assert box is not None
        self.tap_at(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def tap_at(self, x: float, y: float) -> None:
        self.touch("touchStart", (x, y))
        self.touch("touchEnd")

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        """A touch event with a finger at each of the points."""
        fingers = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})


@contextmanager
def phone(page: Page) -> Iterator[Finger]:
    """The page on a phone until the end of the block. What it does to the page is taken back, so that it can be handed
    on (profiles.py)."""
    before = page.viewport_size
    assert before is not None
    session = BrowserContext.new_cdp_session(page.context, page)
    _turn(page, session, SIZE, has_touch=True)
    yield Finger(page, session)
    _turn(page, session, before, has_touch=False)
    session.detach()


def _turn(page: Page, session: CDPSession, size: ViewportSize, *, has_touch: bool) -> None:
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": has_touch, "maxTouchPoints": 5 if has_touch else 1})
    page.set_viewport_size(size)
    page.wait_for_function(IS_COARSE, arg=has_touch)
    settle(page)
