"""What an `expect` that fails says, and what it leaves unsaid."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect


def test_a_wait_describes_the_element_and_not_the_page(browser: Browser) -> None:
    with browser.new_page() as page:
        page.set_content("<button>Save</button>")
        with pytest.raises(AssertionError, match="expected to have text 'Saved'\nActual value: Save") as other:
            expect(page.get_by_role("button")).to_have_text("Saved", timeout=1)
        with pytest.raises(AssertionError, match="element") as missing:
            expect(page.get_by_role("link")).to_be_visible(timeout=1)
    assert "snapshot" not in f"{other.value} {missing.value}".lower()
