"""The four states of the verdict desk's picture stay apart without colour, and for every kind of colour vision.

Formulas and sources are those of `tests/components/test_colours.py`; grey is the luminance of a colour (WCAG 2.2) as a
grey of sRGB.
"""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from core.verdicts.overlay import MatchState
from tests.components.test_colours import MATRICES, SAFE, classes, contrast, difference, ground, linear, seen

ROOM = Path(__file__).resolve().parents[3] / "components" / "verdicts"
CSS = (ROOM / "desk.css").read_text(encoding="utf-8")
THEMES = ("light", "dark")


def colours(theme: str) -> dict[str, str]:
    """State → colour, from the desk's own styles."""
    found = re.search(rf'\.vd\[data-theme="{theme}"\] \{{(.*?)\}}', CSS)
    assert found is not None
    named = dict(re.findall(r"--(\w+): (#[0-9A-F]{6})", found[1]))
    of_state = dict(re.findall(r'\.vd-edge\[data-state="(\w+)"\] \.vd-line[^{]*\{ stroke: var\(--(\w+)\)', CSS))
    return {state: named[name] for state, name in of_state.items()}


def forms() -> dict[str, str]:
    """State → dashes of its line."""
    return dict(re.findall(r'\.vd-edge\[data-state="(\w+)"\] \.vd-line[^{]*\{[^}]*stroke-dasharray: ([^;]+);', CSS))


def grey(colour: str) -> str:
    light = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))
    part = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return "#" + f"{round(255 * part):02X}" * 3


def smallest(drawn: dict[str, str], vision: str) -> tuple[float, str, str]:
    return min(
        (difference(seen(drawn[one], vision), seen(drawn[other], vision)), one, other)
        for one, other in combinations(drawn, 2)
    )


def test_every_state_has_a_colour_a_line_form_and_a_word() -> None:
    states = {state.value for state in MatchState}
    assert set(colours("light")) == set(colours("dark")) == set(forms()) == states
    assert len(set(forms().values())) == len(states), "no two states have one form"
    words = (ROOM / "picture.js").read_text(encoding="utf-8")
    assert set(re.findall(r'"(\w+)"', re.search(r"STATES = \[(.*?)\]", words)[1])) == states  # type: ignore[index]


@pytest.mark.parametrize("theme", THEMES)
def test_the_desk_has_the_colours_of_every_comparison(theme: str) -> None:
    everywhere = classes(theme)
    assert colours(theme) == {state: everywhere[state] for state in colours(theme)}
    for colour in colours(theme).values():
        assert contrast(colour, ground(theme)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_colours_are_told_apart_by_every_kind_of_vision(theme: str) -> None:
    """Of reversed and spurious, which share a colour, forms and the word tell."""
    drawn = {state: colour for state, colour in colours(theme).items() if state != "reversed"}
    found = {vision: round(smallest(drawn, vision)[0], 1) for vision in MATRICES}
    print(theme, found)
    assert min(found.values()) >= SAFE
    assert min(found.values()) == pytest.approx({"light": 25.9, "dark": 23.9}[theme], abs=0.15)


@pytest.mark.parametrize("theme", THEMES)
def test_what_grey_does_not_tell_apart_the_form_of_the_line_does(theme: str) -> None:
    drawn = {state: grey(colour) for state, colour in colours(theme).items()}
    alike = {
        frozenset((one, other))
        for one, other in combinations(drawn, 2)
        if difference(seen(drawn[one], "normal"), seen(drawn[other], "normal")) < SAFE
    }
    print(theme, drawn, smallest(drawn, "normal"), alike)
    assert all(len({forms()[state] for state in pair}) == 2 for pair in alike)
    solid = {state for state, form in forms().items() if form == "none"}
    assert solid == {"matched"}
