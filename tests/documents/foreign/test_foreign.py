"""The foreign corpus is whole: every figure has a truth that its page prints, and what is made of a figure is the same
each time. One figure of each family is read in every run; `make bench` (`proposals_foreign`) scores all of them.
"""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from core.transcription.proposals import FigureProposals
from tests.documents.foreign import corpus
from tests.documents.foreign.corpus import FAMILIES, FIGURES, ForeignFigure, figures

HERE = Path(__file__).parent
LARGEST = 10_000_000  # bytes of all figures and truths


def of_each_family() -> list[ForeignFigure]:
    first = {one.family: one for one in reversed(figures("development"))}
    return [first[family] for family in sorted(FAMILIES.values())]


@pytest.fixture(scope="module")
def readings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    """What is proposed for the first development figure of each family, and the text of its page."""
    out = tmp_path_factory.mktemp("foreign") / "readings.json"
    paths = [one.path for one in of_each_family()]
    subprocess.run([sys.executable, HERE / "readings.py", out, "vector", "1", *paths], check=True, timeout=120)
    found: dict[str, dict[str, object]] = json.loads(out.read_text(encoding="utf-8"))
    return found


def compact(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def test_one_figure_of_each_family_is_read_and_prints_the_names_of_its_truth(
    readings: dict[str, dict[str, object]],
) -> None:
    assert len(readings) == len(FAMILIES) == 14
    for one in of_each_family():
        text = compact(str(readings[one.stem]["text"]))
        assert [name for name in (*one.names, *one.groups) if compact(name) not in text] == [], one.stem
        found = FigureProposals.from_json(readings[one.stem]["proposals"])  # type: ignore[arg-type]
        assert found.names, one.stem


def test_the_split_is_the_one_drawn_by_its_seed() -> None:
    kept = json.loads(corpus.SPLIT.read_text(encoding="utf-8"))
    assert kept == corpus.parted([path.stem for path in FIGURES.glob("*.pdf")])


def test_each_family_has_three_figures_or_more_in_both_parts() -> None:
    counts = Counter((one.family, one.part) for one in figures())
    assert set(counts) == {(family, part) for family in FAMILIES.values() for part in ("development", "proof")}
    assert min(counts.values()) >= 3
    assert len(figures()) >= 60


def test_a_truth_is_in_itself_consistent() -> None:
    for one in figures():
        pairs = [edge.pair for edge in one.edges]
        assert 6 <= len(one.names) <= 30 and 8 <= len(pairs) <= 45, one.stem
        assert len(set(one.names)) == len(one.names) and len(set(pairs)) == len(pairs), one.stem
        assert {name for pair in pairs for name in pair} == set(one.names), one.stem
        assert all(edge.source != edge.sink and edge.sign in ("", "+", "-") for edge in one.edges), one.stem
        assert not set(one.groups) & set(one.names), one.stem


def test_the_files_stay_small_and_come_in_pairs() -> None:
    files = [path for path in FIGURES.iterdir() if path.suffix in (".pdf", ".json")]
    assert sum(path.stat().st_size for path in files) <= LARGEST
    assert Counter(path.stem for path in files) == dict.fromkeys((one.stem for one in figures()), 2)
    assert all(path.read_bytes().startswith(b"%PDF-") for path in files if path.suffix == ".pdf")
