"""A report of the demo's runs in a browser without a network: it is whole, and asks for nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from services.acting import terminal_viewer
from services.results import report
from services.study import open_study, use_study
from tests.browser import axe
from tests.everything import usual
from tests.one_demo import copied


@pytest.mark.parametrize("scheme", usual(["light", "dark"], "dark"))
def test_a_report_opens_without_a_request_and_has_no_fault_of_access(
    scheme: str, made_demo: Path, tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "MOST_TABLES", 1)
    study = open_study(str(copied(made_demo, tmp_path)), tmp_path)
    use_study(study)
    (tmp_path / report.PAGE).write_bytes(report.report_files(terminal_viewer(), ["3"])[report.PAGE])
    use_study(None)
    study.close()
    requests, spoken = list[str](), list[str]()
    context = browser.new_context(color_scheme="dark" if scheme == "dark" else "light", offline=True)
    page = context.new_page()
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: spoken.append(message.text))
    page.goto((tmp_path / report.PAGE).as_uri())
    assert requests == [(tmp_path / report.PAGE).as_uri()]
    assert spoken == []
    assert page.locator(".chart svg").first.is_visible()
    for size in axe.SIZES.values():
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
    assert axe.found(page, f"report, {scheme}") == []
    context.close()
