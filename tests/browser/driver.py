"""Playwright's driver, which describes no page in words for an `expect` that has to wait.

It would, by the roles and names of all that the page holds, at each look in case it is the last: an eighth of all that
scripts do in the pages of these tests. What an `expect` that fails says of the element itself stays.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Playwright, sync_playwright

SCRIPT = Path(__file__).with_suffix(".js")


@contextmanager
def playing() -> Iterator[Playwright]:
    """Playwright, as `sync_playwright` gives it."""
    with ExitStack() as begun:
        with pytest.MonkeyPatch.context() as patch:  # other programs of node begin as they are
            patch.setenv("NODE_OPTIONS", f'{os.environ.get("NODE_OPTIONS", "")} --require "{SCRIPT}"')
            playwright = begun.enter_context(sync_playwright())
        yield playwright
