"""Licences by whatever name they go: only those that let a changed text be handed on pass."""

from __future__ import annotations

import pytest

from core.papers.licences import may_redistribute

ALLOWED = (
    "CC BY 4.0",
    "CC-BY-SA-3.0",
    "cc-by-nc",
    "CC BY-NC-SA 4.0",
    "CC BY 3.0 US",
    "CC BY 3.0 IGO",
    "Creative Commons Attribution License",
    "Creative Commons Attribution 4.0 International",
    "Creative Commons Attribution-NonCommercial-ShareAlike 4.0 International",
    "https://creativecommons.org/licenses/by/4.0/",
    "http://creativecommons.org/licenses/by-nc-sa/3.0",
    "http://creativecommons.org/publicdomain/zero/1.0/",
    "CC0 1.0 Universal",
    "Public domain",
)
NOT_ALLOWED = (
    "",
    " ",
    "CC BY-ND 4.0",
    "CC BY-NC-ND 4.0",
    "Creative Commons Attribution-NonCommercial-NoDerivatives 4.0",
    "https://creativecommons.org/licenses/by-nc-nd/4.0/",
    "CC BY 4.0, figures excepted",
    "CC BY 4.0 not for texts",
    "by",
    "CC",
    "Open Access",
    "All rights reserved",
    "Elsevier user licence",
    "MIT",
)


@pytest.mark.parametrize("licence", ALLOWED)
def test_these_let_a_text_be_handed_on(licence: str) -> None:
    assert may_redistribute(licence)


@pytest.mark.parametrize("licence", NOT_ALLOWED)
def test_these_do_not_or_are_not_known_to(licence: str) -> None:
    assert not may_redistribute(licence)
