"""A codebook read from its text, and the codes by which an answer counts."""

from __future__ import annotations

import pytest

from core.errors import BadInput
from core.runs.codebook import Code, counted_codes, read_codebook

TEXT = "s Wrong sign: The direction is right, its sign is not.\n\nM  Misread  text: It says otherwise: see there.\n"


def test_a_line_is_a_key_a_name_and_a_definition() -> None:
    assert read_codebook(TEXT) == (
        Code("s", "Wrong sign", "The direction is right, its sign is not."),
        Code("m", "Misread text", "It says otherwise: see there."),
    )


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("Wrong sign: It is.", "“Wrong” is no key"),
        ("é Wrong sign: It is.", "is no key"),
        ("n Wrong sign: It is.", "the key n is used on the screen"),
        ("1 Wrong sign: It is.", "the key 1 is used on the screen"),
        ("w Wrong sign", "needs a name, a colon and a definition"),
        ("w : It is.", "needs a name, a colon and a definition"),
        ("w Wrong\x07sign: It is.", "needs a name, a colon and a definition"),
        (f"w {'x' * 41}: It is.", "a name may have 40 characters"),
        ("w Unsettled: It is.", "is a heading of tables"),
        ("s Another: It is.", "two codes have the key s"),
        ("w wrong SIGN: It is.", "two codes are named"),
    ],
)
def test_every_bad_line_is_named_with_its_fault(line: str, fault: str) -> None:
    with pytest.raises(BadInput, match=f"^Line 5: .*{fault}"):
        read_codebook(f"{TEXT}\n{line}")


def test_a_text_without_codes_and_too_many_faults_are_refused() -> None:
    with pytest.raises(BadInput, match="has no code"):
        read_codebook(" \n")
    with pytest.raises(BadInput, match=r"Line 1: .*Line 5: .* and 2 more faults\."):
        read_codebook("\n".join(["bad"] * 7))


def test_an_answer_counts_in_what_its_coders_agree_on_until_someone_settles_it() -> None:
    assert counted_codes([]) == ()
    assert counted_codes([["a", "b"]]) == ("a", "b")
    assert counted_codes([["a", "b"], ["b", "a"]]) == ("a", "b")
    assert counted_codes([["a"], []]) == ("unsettled",)
    assert counted_codes([["a"], []], []) == ()
