"""A figure's outlined letters, read by a process of its own from a foreign figure of the development part."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.transcription.proposals import FigureProposals
from tests.documents.diagram_scores import score
from tests.documents.foreign.corpus import figures
from tests.everything import usual

READER = Path(__file__).parents[1] / "foreign" / "readings.py"
STEMS = ("networkx_matplotlib-4", "tikz-7", "powerpoint-6")  # lines over letters, signs, pictures of shadows
READ = usual(STEMS, *STEMS[1:])


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, FigureProposals]:
    out = tmp_path_factory.mktemp("letters") / "readings.json"
    paths = [one.path for one in figures("development") if one.stem in READ]
    subprocess.run([sys.executable, READER, out, "outlined", "1", *paths], check=True, timeout=120)
    readings = json.loads(out.read_text(encoding="utf-8"))
    return {stem: FigureProposals.from_json(one["proposals"]) for stem, one in readings.items()}


@pytest.mark.parametrize("stem", READ)
def test_outlined_letters_are_read_apart_from_the_lines_over_them(stem: str, found: dict[str, FigureProposals]) -> None:
    (figure,) = [one for one in figures("development") if one.stem == stem]
    scored = score(found[stem], figure.edges)
    assert {name.text for name in found[stem].names} == set(figure.names)
    assert scored.right == scored.found == scored.true
    assert scored.signs == scored.signed
    assert not scored.certain and found[stem].origin == "ocr"
