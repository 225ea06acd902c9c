"""What is made of a vector figure: outlined letters keep its lines, pictures keep its size, and a seed fixes a scan."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.documents.foreign.corpus import FIGURES

FACTS = Path(__file__).with_name("damage_facts.py")
FIGURE = FIGURES / "draw-4.pdf"  # with shaded boxes, dashes and hairlines


@pytest.fixture(scope="module")
def facts() -> dict[str, dict[str, Any]]:
    done = subprocess.run([sys.executable, FACTS, FIGURE], check=True, capture_output=True, text=True, timeout=120)
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return found


def test_each_variant_is_one_page_of_the_figures_size(facts: dict[str, dict[str, Any]]) -> None:
    assert list(facts) == ["vector", "outlined", "png", "jpeg", "scan"]
    for variant, one in facts.items():
        assert one["pages"] == 1, variant
        assert one["size"] == facts["vector"]["size"], variant


def test_outlined_letters_are_paths_beside_the_figures_own(facts: dict[str, dict[str, Any]]) -> None:
    plain, outlined = facts["vector"], facts["outlined"]
    assert plain["letters"] > 100 and plain["pictures"] == []
    assert outlined["letters"] == 0 and outlined["pictures"] == []
    assert outlined["paths"] >= plain["paths"] + 100


def test_a_figure_looks_the_same_with_outlined_letters_and_as_a_picture(facts: dict[str, dict[str, Any]]) -> None:
    for variant in ("outlined", "png", "jpeg"):
        assert facts[variant]["unlike"] < 0.08, variant


@pytest.mark.parametrize("variant", ["png", "jpeg", "scan"])
def test_a_picture_holds_the_whole_page_at_150_dpi_and_nothing_else(
    facts: dict[str, dict[str, Any]], variant: str
) -> None:
    one = facts[variant]
    assert one["letters"] == one["paths"] == 0
    wide, high = one["size"]
    ((across, down),) = one["pictures"]
    assert abs(across - wide * 150 / 72) <= 3 and abs(down - high * 150 / 72) <= 3


def test_a_figure_is_damaged_in_the_same_way_each_time_and_a_scan_by_its_seed(facts: dict[str, dict[str, Any]]) -> None:
    assert all(facts[variant]["same"] for variant in ("outlined", "png", "jpeg", "scan"))
    assert facts["scan"]["differs by seed"]
    assert not any(facts[variant]["differs by seed"] for variant in ("outlined", "png", "jpeg"))
