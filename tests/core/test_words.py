"""What screens say of numbers."""

import pytest

from core.words import counted, ends, minus, sentence_case


@pytest.mark.parametrize(
    ("number", "word", "said"),
    [(1, "edge", "1 edge"), (0, "edge", "0 edges"), (2000, "entry", "2,000 entries"), (1, "entry", "1 entry")],
)
def test_a_count_agrees_with_its_word(number: int, word: str, said: str) -> None:
    assert counted(number, word) == said


def test_a_sign_and_a_negative_number_have_a_minus_not_a_hyphen() -> None:
    assert (minus("-"), minus("-0.310"), minus("+"), minus("mixed")) == ("−", "−0.310", "+", "mixed")


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        ("0.638", "0.954", "0.638–0.954"),
        ("79.2%", "100.0%", "79.2–100.0%"),
        ("−3.2 pp", "4.0 pp", "−3.2 – 4.0 pp"),
        ("−0.06", "−0.01", "−0.06 – −0.01"),
        ("12", "19", "12–19"),
    ],
)
def test_an_interval_has_an_en_dash_its_unit_once_and_room_beside_a_minus(low: str, high: str, said: str) -> None:
    assert ends(low, high) == said


@pytest.mark.parametrize(
    ("text", "head"), [("edge F1", "Edge F1"), ("κ of signs", "κ of signs"), ("# nodes", "# nodes"), ("", "")]
)
def test_a_head_begins_with_a_capital_and_symbols_stay(text: str, head: str) -> None:
    assert sentence_case(text) == head
