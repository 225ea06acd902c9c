"""Folding of printed words for matching."""

import pytest

from documents.folding import folded


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        ("ﬂexibility", "flexibility"),
        ("eﬃcient", "efficient"),
        ("farmers’", "farmers'"),
        ("“quota”", '"quota"'),
        ("in\u00adcome", "income"),
        ("CO₂", "CO2"),
        ("ＧＤＰ", "GDP"),
        ("Größe", "Größe"),
        ("−", "−"),  # the minus sign is a sign, not a hyphen
    ],
)
def test_words_are_folded_for_matching(printed: str, text: str) -> None:
    assert folded(printed) == text
