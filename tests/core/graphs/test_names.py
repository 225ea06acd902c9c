"""Names: what is kept, what is refused, what is one node and what is only near."""

from __future__ import annotations

import unicodedata
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance.Levenshtein import distance

from core.errors import InvalidName
from core.graphs import names
from core.graphs.names import NearKind, clean_name, fold_name, may_merge, name_key, near_names


@pytest.mark.parametrize(
    ("given_text", "kept"),
    [
        ("Price", "Price"),
        ("  Price  ", "Price"),
        ("\u00a0Total\u00a0grain\r\n output\t", "Total grain output"),
        ("Cafe\u0301", "Caf\u00e9"),
        ("\ufeffPrice\u200b", "Price"),
        ("NA", "NA"),
        ("None", "None"),
        ("007", "007"),
        ('=HYPERLINK("x")', '=HYPERLINK("x")'),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("long–term, 50 % share", "long–term, 50 % share"),
        ("ﬂexibility", "ﬂexibility"),
        ("نمی\u200cخواهم", "نمی\u200cخواهم"),
    ],
)
def test_clean_name_keeps_the_printed_form(given_text: str, kept: str) -> None:
    assert clean_name(given_text) == kept


@pytest.mark.parametrize("blank", ["", "   ", "\u00a0", "\u200b\u200d", "\ufeff", "\u3164", "\n\t", "\u2800", "\u00ad"])
def test_a_name_without_anything_visible_is_empty(blank: str) -> None:
    with pytest.raises(InvalidName, match="empty"):
        clean_name(blank)


def test_a_name_of_300_characters_is_kept_and_301_refused() -> None:
    assert len(clean_name("x" * 300)) == 300
    with pytest.raises(InvalidName, match=r"301 characters.*at most 300"):
        clean_name("x" * 301)


@pytest.mark.parametrize("hidden", ["\x00", "\x07", "\x1c", "\x7f", "\x9f"])
def test_control_characters_are_refused_with_their_place(hidden: str) -> None:
    with pytest.raises(InvalidName, match=r"control character \(U\+00.*position 3"):
        clean_name(f"ab{hidden}c")


@pytest.mark.parametrize("mark", ["\u202e", "\u202d", "\u2066", "\u2069"])
def test_text_direction_characters_are_refused(mark: str) -> None:
    with pytest.raises(InvalidName, match="text-direction"):
        clean_name(f"Price{mark}ecirP")
    with pytest.raises(InvalidName, match="text-direction"):
        clean_name(mark)


@pytest.mark.parametrize("broken", ["\ud800", "\uffff", "\ufdd0"])
def test_broken_characters_are_refused(broken: str) -> None:
    with pytest.raises(InvalidName, match="broken"):
        clean_name(f"a{broken}")


@given(st.text(max_size=40))
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    try:
        once = clean_name(text)
    except InvalidName:
        return
    assert clean_name(once) == once
    assert once.encode("utf-8").decode("utf-8") == once
    assert once == unicodedata.normalize("NFC", once)


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold_name(fold_name(text)) == fold_name(text)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Price", "price"),
        ("Caf\u00e9", "Cafe\u0301"),
        ("work-life balance", "work\u2011life balance"),
        ("work-life balance", "Work\u2013life  balance"),
        ("work - life balance", "work-life balance"),
        ("people's trust", "people\u2019s trust"),
        ('"rebound" effect', "\u201crebound\u201d effect"),
        ("flexibility", "ﬂexibility"),
        ("CO2", "CO\u2082"),
        ("Total grain", "Total\u00a0grain"),
        ("Straße", "STRASSE"),
    ],
)
def test_spellings_of_one_node_may_merge(first: str, second: str) -> None:
    assert fold_name(first) == fold_name(second)
    assert may_merge(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("GDP", "GNP"),
        ("Tree", "Trees"),
        ("<Price>", "<price>"),
        ("Price <lag>", "price <lag>"),
        ("work-life", "work life"),
        ("A, B", "A B"),
        ("employment", "unemployment"),
    ],
)
def test_different_names_never_merge(first: str, second: str) -> None:
    assert not may_merge(first, second)


def test_a_shadow_variable_is_still_itself() -> None:
    assert may_merge("<Price>", "<Price>")


@given(st.text(max_size=20), st.text(max_size=20))
def test_merging_does_not_depend_on_the_order(first: str, second: str) -> None:
    assert may_merge(first, second) == may_merge(second, first)


@pytest.mark.parametrize(
    ("first", "second", "kind", "distance"),
    [
        ("Price", "price", NearKind.CASE, 0),
        ("flexibility", "ﬂexibility", NearKind.LOOK_ALIKE, 0),
        ("Price", "Рrice", NearKind.LOOK_ALIKE, 1),  # a Cyrillic first letter
        ("Tree", "Trees", NearKind.PLURAL, 1),
        ("City density", "Cities density", NearKind.PLURAL, 3),
        ("work-life balance", "work life balance", NearKind.HYPHEN, 1),
        ("work\u2013life", "work-life", NearKind.HYPHEN, 0),
        ("life style", "lifestyle", NearKind.HYPHEN, 1),
        ("GDP", "GNP", NearKind.EDIT_DISTANCE, 1),
        ("Percipitation", "Precipitation", NearKind.EDIT_DISTANCE, 2),
        ("Total grain", "Total grain output", NearKind.PREFIX, 7),
    ],
)
def test_near_names_are_proposed_with_their_kind(first: str, second: str, kind: NearKind, distance: int) -> None:
    (pair,) = near_names([first, second])
    assert (pair.first, pair.second, pair.kind, pair.distance) == (first, second, kind, distance)
    assert pair.is_rare == (distance > 1)


@pytest.mark.parametrize(
    "names",
    [["Phase 1", "Phase 2"], ["A", "B"], ["Births", "Deaths"], ["Supply", "Demand"], ["Price", "Price"], [], ["Price"]],
)
def test_unlike_and_numbered_names_are_not_proposed(names: list[str]) -> None:
    assert near_names(names) == ()


def test_of_names_that_are_numbered_on_purpose_no_two_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of a thousand is three digits from every other: half a million pairs, again with every edge."""
    compared: list[object] = []
    monkeypatch.setattr(names, "_compare", lambda first, second, _distance: compared.append((first, second)))
    near_names([f"Quantity number {n}" for n in range(1_000)])
    assert compared == []


def test_only_folded_equals_are_mergeable_among_near_pairs() -> None:
    pairs = near_names(["GDP", "GNP", "gdp"])
    assert [(pair.kind.value, pair.is_mergeable) for pair in pairs] == [
        ("case", True),
        ("edit distance", False),
        ("edit distance", False),
    ]


def test_limit_keeps_the_likeliest_pairs() -> None:
    (pair,) = near_names(["GDP", "GNP", "gdp"], limit=1)
    assert pair.kind is NearKind.CASE


@given(st.text(st.characters(max_codepoint=127), max_size=20))
def test_ascii_is_folded_as_any_other_text(text: str) -> None:
    assert fold_name(text) == fold_name(text + "\u200b")  # which is not ASCII, and leaves nothing behind


def test_names_that_are_one_have_one_key_that_fits_every_database() -> None:
    keys = {name_key(name) for name in ("Grain  Output", "grain output", "GRAIN OUTPUT")}
    assert keys == {0x151569DD570EDF6A}  # printf 'grain output' | b2sum -l 64
    others = {name_key(f"Variable {n}") for n in range(10_000)}
    assert len(others) == 10_000 and min(others) < 0 and all(-(2**63) <= key < 2**63 for key in others)


NEARLY = ("Tree", "Trees", "tree", "Tree growth", "Tree growth rate", "Soil-water", "soil water", "Phase 1", "Phase 2")


@given(st.lists(st.text("aAbs -`12\u043e", min_size=1, max_size=9) | st.sampled_from(NEARLY), max_size=12, unique=True))
def test_near_names_are_found_among_all_pairs_though_few_are_compared(drawn: list[str]) -> None:
    forms = [names._Forms.of(name) for name in drawn]
    every = [names._compare(first, second, distance) for first, second in combinations(forms, 2)]
    found = sorted((pair for pair in every if pair), key=lambda pair: (list(NearKind).index(pair.kind), pair.distance))
    assert near_names(drawn) == tuple(found)
