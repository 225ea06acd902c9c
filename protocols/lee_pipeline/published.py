"""Counts that Lee et al. 2025 print of their corpus and questions, for comparison with a run."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from core.questions.questions import FALSE, TRUE
from core.questions.relation import PERIODS

PAPERS, RELATIONS = 14_977, 11_869  # Sections 3.1.1 and 3.1.2
TREATMENTS, OUTCOMES, PER_PAPER, AGREED_SHARE = 9_657, 10_202, 1.87, 0.79
"""Table 1. RELATIONS ÷ PAPERS is 0.79, so the mean of 1.87 is not over all papers; the paper does not say of which."""
BEFORE = 67_914  # questions before filtering (section 3.2.2); types and answers are printed after filtering only
AFTER: Mapping[int, Mapping[str, int]] = MappingProxyType(
    {
        1: {TRUE: 10_012},
        2: {TRUE: 2_797, FALSE: 1_206},
        3: {TRUE: 4_986, FALSE: 1_571},
        4: {TRUE: 7_952, FALSE: 2_455},
        5: {"increase": 6_151, "decrease": 2_579, "none": 670},
    }
)
"""Table 3: by type and right answer."""
SHARES: Mapping[str, float] = MappingProxyType(dict(zip(PERIODS, (0.170, 0.157, 0.191, 0.262, 0.219), strict=True)))
"""Table 9: of relations, by period."""
TOPICS: Mapping[str, int] = MappingProxyType(
    {
        "General Financial Markets": 2_357,
        "Intertemporal Choice and Growth": 868,
        "Corporate Finance and Governance": 738,
        "Market Structure and Pricing": 510,
        "Prices, Business Fluctuations, and Cycles": 508,
        "Particular Labor Markets": 500,
        "General Equilibrium and Disequilibrium": 499,
        "Econometric Modeling": 463,
        "Game Theory and Bargaining Theory": 455,
        "Taxation, Subsidies, and Revenue": 452,
        "Market Structure, Firm Strategy, and Market Performance": 435,
        "Information, Knowledge, and Uncertainty": 433,
        "Analysis of Collective Decision-Making": 424,
        "Monetary Policy, Central Banking, and the Supply of Money and Credit": 396,
        "Money and Interest Rates": 356,
        "Household Analysis": 356,
        "Technological Change; Research and Development": 346,
        "International Finance": 336,
        "Personnel Economics": 334,
        "Mobility, Unemployment, and Vacancies": 331,
        "Health": 178,
        "Environmental Economics": 120,
        "Legal Procedure, the Legal System, and Illegal Behavior": 104,
    }
)
"""Tables 10 and 2: title → count; the paper prints no others."""


def topic_count(title: str) -> int | None:
    """Return the count that the paper prints for a topic; None if it does not name it.

    >>> topic_count("Household  analysis"), topic_count("Gardening")
    (356, None)
    """
    return _FOLDED.get(_fold(title))


def _fold(title: str) -> str:
    return " ".join(title.casefold().split())


_FOLDED = {_fold(title): count for title, count in TOPICS.items()}
