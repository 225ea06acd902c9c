"""The browser and the seeded server of tests/browser, for the soak too."""

from tests.browser.conftest import browser, new_page, page_as, profiles, server, start_server, watch

__all__ = ["browser", "new_page", "page_as", "profiles", "server", "start_server", "watch"]
