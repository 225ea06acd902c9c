"""Names of two graphs: decisions first, then what needs nobody, and offers that are never applied."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.graphs.alignment import OWN, PROPOSALS, align_names, pairs_of, propose, turned

NAMES = st.lists(st.sampled_from(["GDP", "gdp", "GNP", "Price", "price", "A–B", "a-b", "<Price>"]), unique=True)


def kinds(
    reference: list[str], candidate: list[str], decided: dict[str, str] | None = None
) -> list[tuple[str | None, str]]:
    return [(pair.reference, pair.kind) for pair in align_names(reference, candidate, decided or {})]


def test_the_same_name_and_the_same_after_folding_need_nobody() -> None:
    assert kinds(["GDP", "Work–life balance"], ["GDP", "work-life  balance", "GNP"]) == [
        ("GDP", "same name"),
        ("Work–life balance", "same after folding"),
        (None, "new"),
    ]


def test_a_decision_beats_folding_and_may_say_that_a_name_is_its_own() -> None:
    assert kinds(["GDP", "GNP"], ["gdp"], {"gdp": "GNP"}) == [("GNP", "decided")]
    assert kinds(["GDP", "GNP"], ["gdp"], {"gdp": OWN}) == [(None, "decided new")]


def test_the_same_name_stays_the_same_variable_unless_it_is_given_to_another() -> None:
    assert kinds(["GDP", "GNP"], ["GDP"], {"GDP": OWN}) == [("GDP", "same name")]
    assert kinds(["GDP", "GNP"], ["GDP"], {"GDP": "GNP"}) == [("GNP", "decided")]


def test_a_decision_about_names_that_are_gone_counts_for_nothing() -> None:
    assert kinds(["GDP"], ["gdp"], {"gdp": "Income", "Wage": "GDP"}) == [("GDP", "same after folding")]


def test_two_reference_names_that_fold_alike_are_left_to_a_person() -> None:
    assert kinds(["GDP", "Gdp"], ["gdp"]) == [(None, "new")]


def test_several_names_may_share_one_and_shadow_names_are_never_folded() -> None:
    assert pairs_of(align_names(["Price"], ["Cost", "price", "<price>"], {"Cost": "Price"})) == {
        "Cost": "Price",
        "price": "Price",
    }


def test_turning_an_alignment_keeps_what_is_one_to_one_and_needs_a_decision() -> None:
    reference, candidate = ["Price", "GDP", "Rain", "Wage"], ["Cost", "gdp", "Rain", "Showers", "Pay", "Salary"]
    decided = {"Cost": "Price", "Showers": "Rain", "Pay": "Wage", "Salary": "Wage"}
    assert turned(align_names(reference, candidate, decided)) == {"Price": "Cost"}
    # Rain is still Rain without a word, since the same name is the same variable; nobody knows which one Wage is.
    back = align_names(candidate, reference, {"Price": "Cost"})
    assert [pair.reference for pair in back] == ["Cost", "gdp", "Rain", None]


@given(reference=NAMES, candidate=NAMES, decided=st.dictionaries(st.sampled_from(["gdp", "x"]), st.just("GNP")))
def test_every_name_is_listed_once_and_stands_for_a_name_that_is_there(
    reference: list[str], candidate: list[str], decided: dict[str, str]
) -> None:
    found = align_names(reference, candidate, decided)
    assert [pair.name for pair in found] == candidate
    assert all(pair.reference is None or pair.reference in reference for pair in found)


def test_likely_names_are_offered_first_and_unlike_ones_not_at_all() -> None:
    offered = propose(("County's arable land area", "Loan usage"), ("County GDP", "Arable land in county"))
    assert offered == {"County's arable land area": ("Arable land in county", "County GDP"), "Loan usage": ()}
    many = propose(("Grain 1",), tuple(f"Grain {number}" for number in range(2, 40)))
    assert len(many["Grain 1"]) == PROPOSALS
