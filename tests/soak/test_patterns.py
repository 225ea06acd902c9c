"""Every pattern of the product, timed on texts made of its own letters: the checker's word, tried by the clock.

What is linear takes 16 times as long for 16 times the text, what grows with the square 256 times.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.patterns.adversaries import recipes
from tests.patterns.growth import Use
from tests.patterns.made_later import MADE_LATER
from tests.patterns.product import patterns, product_sources
from tests.soak.table import share

SIZES = (4_000, 64_000)
MOST_GROWTH = 64
TRIES = 3


def seconds(pattern: re.Pattern[Any], use: Use, text: Any) -> float:
    """Processor time of the best of three."""
    times = []
    for _ in range(TRIES):
        began = time.process_time_ns()
        if use == "search":
            for _found in pattern.finditer(text):
                pass
        else:
            getattr(pattern, use)(text)
        times.append(time.process_time_ns() - began)
    return max(min(times), 1_000) / 1e9


def growth(pattern: re.Pattern[Any], use: Use, sizes: tuple[int, int] = SIZES) -> tuple[float, int]:
    """How many times as long the pattern takes for the longer texts, at worst, and how many texts were tried."""
    made = recipes(pattern.pattern, pattern.flags & ~re.UNICODE)
    worst = 1.0
    for recipe in made:
        short, long = (_as(pattern, recipe.text(size)) for size in sizes)
        worst = max(worst, seconds(pattern, use, long) / seconds(pattern, use, short))
    return worst, len(made)


def _as(pattern: re.Pattern[Any], text: str) -> str | bytes:
    return text.encode("latin-1") if isinstance(pattern.pattern, bytes) else text


@pytest.mark.proof(
    "T6",
    "every pattern of the product on 64,000 of its own letters",
    gate="at most 64 times as long as on 4,000: 16 is linear, 256 the square",
)
def test_no_pattern_grows_with_the_square(record_property: Callable[[str, object], None]) -> None:
    found = patterns(product_sources(), MADE_LATER)
    chosen = found[:: max(1, round(1 / share()))]
    tried, worst, slowest = 0, 0.0, ""
    over = []
    for one in chosen:
        factor, count = growth(one.compiled(), one.use)
        tried += count
        if factor > worst:
            worst, slowest = factor, str(one)
        if factor > MOST_GROWTH:
            over.append(f"{one}: {factor:.0f} times")
    record_property("repetitions", tried)
    record_property("figure", f"{len(chosen)} patterns: at most {worst:.0f} times as long ({slowest})")
    assert over == []


@pytest.mark.proof("T6", "planted patterns that grow with the square", gate="each over 64 times as long")
@pytest.mark.parametrize(
    ("pattern", "use"), [(r"a*b", "search"), (r"\s*\n\s*x", "match"), (r"<[^>]*>", "search"), (r"\d+\.?\d*$", "match")]
)
def test_a_planted_pattern_is_over_the_gate(
    pattern: str, use: Use, record_property: Callable[[str, object], None]
) -> None:
    factor, count = growth(re.compile(pattern), use, (500, 8_000))
    record_property("repetitions", count)
    record_property("figure", f"{pattern}: {factor:.0f} times as long")
    assert factor > MOST_GROWTH
