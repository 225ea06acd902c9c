"""Labels: even lines, the name's letters all there, and a box that grows with what it holds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.graphs.labels import MAX_CAPTION, caption, lines_of, size_of

NAMES = st.text(st.sampled_from("aeilmnrstwWM .,-_/äß中−"), max_size=90)


def test_captions_are_one_line_and_never_empty() -> None:
    assert caption("total\n grain\toutput") == "total grain output"
    assert caption("  ") == "(no name)"
    assert caption("x" * 73) == "x" * (MAX_CAPTION - 1) + "…"


def test_lines_are_about_as_long_as_each_other() -> None:
    assert lines_of("hares killed per lynx") == ("hares killed", "per lynx")
    assert lines_of("Price") == ("Price",)
    assert len(lines_of("Time For Market To Perceive Delivery Delay Over and Beyond the Time")) == 5


def test_a_word_is_broken_only_if_it_is_very_long_and_rather_after_a_mark() -> None:
    assert lines_of("Arbeitsunzufriedenheit im Betrieb") == ("Arbeitsunzufriedenheit", "im Betrieb")
    assert lines_of("Population.attractiveness from jobs") == ("Population.", "attractiveness", "from jobs")
    assert "".join(lines_of("x" * 60)) == "x" * 60
    assert len(lines_of("x" * 60)) == 3


@given(NAMES)
def test_no_letter_is_lost_and_no_line_is_wider_than_its_box(name: str) -> None:
    shown = caption(name)
    lines = lines_of(shown)
    assert "".join(lines).replace(" ", "") == shown.replace(" ", "")
    size = size_of(name)
    assert size.width <= 190
    assert size.height == 16 + 15.5 * len(lines)
    assert all(size_of(line).width <= size.width for line in lines if line)


def test_letters_of_every_script_have_a_width() -> None:
    assert size_of("中文中文").width > size_of("abcd").width
    assert size_of("e\u0301e\u0301").width == size_of("éé").width == size_of("ee").width
