"""Every act that a desk sends is called by words, not by the name it has in code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from components.adjudication import acts as adjudication
from components.transcription import acts as transcription
from components.triplets import acts as triplets
from core.papers.pages import Box

WORDS = dict(
    re.findall(
        r'^  (\w+): "(.+)",$',
        (Path(__file__).resolve().parents[3] / "components/desk/act_words.js").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
)


@pytest.mark.parametrize(
    "kinds",
    [
        transcription.readers(Box(0, 0, 1, 1)).keys(),
        adjudication._READERS.keys(),
        triplets._READERS.keys(),
    ],
    ids=["transcription", "adjudication", "triplets"],
)
def test_every_act_has_words_of_its_own(kinds: set[str]) -> None:
    assert kinds <= WORDS.keys()
    assert not [kind for kind in kinds if "_" in WORDS[kind]]
