"""What is spent, held and left of a budget, and whether a request still fits."""

from __future__ import annotations

import pytest

from core.runs.budget import Spending, account, dollars, dollars_alike, shortfall


class Bounds:
    def __init__(self, usd: float | None = None, tokens: int | None = None, requests: int | None = None) -> None:
        self.usd, self.tokens, self.requests = usd, tokens, requests


SPENT = Spending(requests=57, tokens=1_000, usd=0.1738, held=3, held_tokens=600, held_usd=0.1218)


def test_what_is_held_for_unknown_ends_is_said_and_the_parts_add_up() -> None:
    assert account(Bounds(0.3, 2_000, 60), SPENT) == (
        "Budget of $0.3000: $0.1738 spent, $0.1218 held for 3 requests of unknown outcome or cost, $0.0044 left",
        "Budget of 2,000 tokens: 1,000 spent, 600 held for 3 requests of unknown outcome or cost, 400 left",
        "Budget of 60 requests: 57 spent, 3 left",
    )
    assert account(Bounds(0.3), Spending(usd=0.1, requests=2)) == ("Budget of $0.3000: $0.1000 spent, $0.2000 left",)
    assert account(Bounds(), SPENT) == ()
    assert account(Bounds(0.2, requests=1), SPENT)[0].endswith(", $0 left")
    assert account(Bounds(requests=1), Spending(1))[0] == "Budget of 1 request: 1 spent, 0 left"


@pytest.mark.parametrize(
    ("bounds", "tokens", "usd", "reason"),
    [
        (Bounds(), 10**9, 10.0**9, ""),
        (Bounds(0.3), 9, 0.0044, ""),  # 0.1738 + 0.1218 + 0.0044 = 0.3000
        (
            Bounds(0.3),
            9,
            0.0045,
            "Budget of $0.3000: $0.1738 spent, $0.1218 held for 3 requests of unknown outcome or cost, $0.0044 left; "
            "the next request may cost $0.0045.",
        ),
        (Bounds(tokens=2_000), 400, None, ""),
        (
            Bounds(tokens=2_000),
            401,
            None,
            "Budget of 2,000 tokens: 1,000 spent, 600 held for 3 requests of unknown outcome or cost, 400 left; the "
            "next request may take 401.",
        ),
        (Bounds(requests=58), 1, 0.0, ""),
        (Bounds(requests=57), 1, 0.0, "Budget of 57 requests reached."),
    ],
)
def test_a_request_fits_or_it_is_said_what_is_short(bounds: Bounds, tokens: int, usd: float, reason: str) -> None:
    assert shortfall(bounds, SPENT, tokens, usd) == reason


def test_what_is_set_aside_for_others_counts_too() -> None:
    aside = Spending(1, 100, 0.002)
    assert shortfall(Bounds(0.3), SPENT, 1, 0.0024) == "" != shortfall(Bounds(0.3), SPENT, 1, 0.0025, aside)
    assert shortfall(Bounds(requests=58), SPENT, 1, 0.0, aside) != ""


@pytest.mark.parametrize(
    ("usd", "words"), [(0, "$0"), (0.00004, "<$0.0001"), (0.1738, "$0.1738"), (1, "$1.00"), (1234.5, "$1,234.50")]
)
def test_dollars_have_cents_from_a_dollar_on(usd: float, words: str) -> None:
    assert dollars(usd) == words


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ([], []),
        ([0, 0], ["$0", "$0"]),
        ([0, 0.0093, 12], ["$0.0000", "$0.0093", "$12.0000"]),
        ([0, 1, 1234.5], ["$0.00", "$1.00", "$1,234.50"]),
        ([0, 0.00004], ["$0.0000", "<$0.0001"]),
    ],
)
def test_dollars_of_one_column_have_the_same_decimals(column: list[float], words: list[str]) -> None:
    assert dollars_alike(column) == words
