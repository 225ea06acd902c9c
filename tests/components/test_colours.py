"""The three classes of a comparison stay apart for every kind of colour vision, and legible on their ground.

Sources of the formulas:
- sRGB to linear RGB and to CIE XYZ (D65): IEC 61966-2-1.
- Simulation: Machado, Oliveira & Fernandes 2009, "A Physiologically-based Model for Simulation of Color Vision
  Deficiency", table 1, severity 1.0; the matrices apply to linear RGB.
- CIEDE2000: Sharma, Wu & Dalal 2005, "The CIEDE2000 Color-Difference Formula: Implementation Notes, Supplementary Test
  Data, and Mathematical Observations", whose table 1 gives the checked pairs.
- Contrast: WCAG 2.2, "contrast ratio" and "relative luminance".
"""

from __future__ import annotations

import math
import re
from itertools import combinations, product
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MATRICES = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
SHARMA = (  # L, a, b of one and the other colour, and their difference
    ((50.0000, 2.6772, -79.7751), (50.0000, 0.0000, -82.7485), 2.0425),
    ((50.0000, -1.0000, 2.0000), (50.0000, 0.0000, 0.0000), 2.3669),
    ((50.0000, 2.4900, -0.0010), (50.0000, -2.4900, 0.0009), 7.1792),
    ((50.0000, 2.4900, -0.0010), (50.0000, -2.4900, 0.0011), 7.2195),
    ((50.0000, 2.5000, 0.0000), (73.0000, 25.0000, -18.0000), 27.1492),
    ((50.0000, 2.5000, 0.0000), (58.0000, 24.0000, 15.0000), 19.4535),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
)
SAFE = 15.0  # below about this, thin lines of two colours are mistaken for each other

Triple = tuple[float, float, float]


def classes(theme: str) -> dict[str, str]:
    """The colours the figure uses, read from its own source."""
    source = (ROOT / "components" / "graph" / "look.js").read_text(encoding="utf-8")
    found = re.search(rf"{theme}: \{{ (.*?) \}}", source)
    assert found is not None
    return dict(re.findall(r'(\w+): "(#[0-9A-F]{6})"', found[1]))


def signs(theme: str) -> dict[str, str]:
    """The colours of plus and minus, for those who ask for them."""
    source = (ROOT / "components" / "graph" / "look.js").read_text(encoding="utf-8")
    found = re.findall(rf"{theme}: \{{ (.*?) \}}", source)[1]
    return dict(re.findall(r'"(.)": "(#[0-9A-F]{6})"', found))


def ground(theme: str) -> str:
    """The page's background in the app's theme."""
    source = (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    found = re.search(rf'\[theme\.{theme}\]\n.*?backgroundColor = "(#[0-9A-F]{{6}})"', source, re.DOTALL)
    assert found is not None
    return found[1]


# --- the formulas ---------------------------------------------------------------------------------------------------


def linear(colour: str) -> Triple:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    one, two, three = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (red, green, blue))
    return one, two, three


def times(matrix: tuple[Triple, Triple, Triple], vector: Triple) -> Triple:
    one, two, three = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return one, two, three


def seen(colour: str, vision: str) -> Triple:
    """CIELAB of a colour as a person with that vision sees it; simulated values are clipped to the screen's range."""
    red, green, blue = (min(max(v, 0.0), 1.0) for v in times(MATRICES[vision], linear(colour)))
    to_xyz = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    x, y, z = (v / w for v, w in zip(times(to_xyz, (red, green, blue)), (0.95047, 1.0, 1.08883), strict=True))
    fx, fy, fz = (v ** (1 / 3) if v > (6 / 29) ** 3 else v / (3 * (6 / 29) ** 2) + 4 / 29 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def hue(a: float, b: float) -> float:
    return math.degrees(math.atan2(b, a)) % 360 if a or b else 0.0


def difference(one: Triple, other: Triple) -> float:
    """CIEDE2000 of two CIELAB colours with all weights 1 (Sharma et al. 2005, equations 2 to 22)."""
    mean_chroma = (math.hypot(*one[1:]) + math.hypot(*other[1:])) / 2
    stretch = 1 + 0.5 * (1 - math.sqrt(mean_chroma**7 / (mean_chroma**7 + 25**7)))
    (l1, a1, b1), (l2, a2, b2) = (one[0], one[1] * stretch, one[2]), (other[0], other[1] * stretch, other[2])
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = hue(a1, b1), hue(a2, b2)
    grey = c1 * c2 == 0
    turn = 0.0 if grey else (h2 - h1 + 180) % 360 - 180
    if not grey and h2 - h1 == 180:
        turn = 180.0
    delta_hue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    mean_hue = h1 + h2 if grey else mean_angle(h1, h2)
    weight = (
        1
        - 0.17 * math.cos(math.radians(mean_hue - 30))
        + 0.24 * math.cos(math.radians(2 * mean_hue))
        + 0.32 * math.cos(math.radians(3 * mean_hue + 6))
        - 0.20 * math.cos(math.radians(4 * mean_hue - 63))
    )
    s_l = 1 + 0.015 * (lightness - 50) ** 2 / math.sqrt(20 + (lightness - 50) ** 2)
    s_c, s_h = 1 + 0.045 * chroma, 1 + 0.015 * chroma * weight
    spread = 2 * math.sqrt(chroma**7 / (chroma**7 + 25**7))
    rotation = -math.sin(math.radians(60 * math.exp(-(((mean_hue - 275) / 25) ** 2)))) * spread
    dl, dc, dh = (l2 - l1) / s_l, (c2 - c1) / s_c, delta_hue / s_h
    return math.sqrt(dl**2 + dc**2 + dh**2 + rotation * dc * dh)


def mean_angle(one: float, other: float) -> float:
    if abs(one - other) <= 180:
        return (one + other) / 2
    return (one + other + (360 if one + other < 360 else -360)) / 2


def contrast(colour: str, paper: str) -> float:
    light = [sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear(c), strict=True)) for c in (colour, paper)]
    return (max(light) + 0.05) / (min(light) + 0.05)


def smallest(theme: str) -> dict[str, tuple[float, str, str]]:
    """By vision: the smallest difference of two classes, and which two."""
    drawn = {name: colour for name, colour in classes(theme).items() if name not in ("reversed", "cut")}
    return {
        vision: min(
            (difference(seen(drawn[one], vision), seen(drawn[other], vision)), one, other)
            for one, other in combinations(drawn, 2)
        )
        for vision in MATRICES
    }


# --- the tests ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("one", "other", "expected"), SHARMA)
def test_the_difference_is_sharmas(one: Triple, other: Triple, expected: float) -> None:
    assert difference(one, other) == pytest.approx(expected, abs=5e-5)
    assert difference(other, one) == pytest.approx(expected, abs=5e-5)


def test_white_and_black_are_where_cielab_has_them() -> None:
    assert seen("#FFFFFF", "normal") == pytest.approx((100, 0, 0), abs=0.02)
    assert seen("#000000", "normal") == pytest.approx((0, 0, 0), abs=0.02)
    for vision in MATRICES:  # what has no colour keeps its look whatever the vision
        assert seen("#808080", vision) == pytest.approx(seen("#808080", "normal"), abs=0.2)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_two_classes_are_told_apart_by_every_kind_of_colour_vision(theme: str) -> None:
    found = smallest(theme)
    for vision, (delta, one, other) in found.items():
        print(f"{theme:5}  {vision:12}  smallest ΔE2000 {delta:5.1f}  {one} / {other}")
    assert min(found.values())[0] >= SAFE


def test_the_light_set_keeps_the_distances_that_were_measured() -> None:
    found = {vision: round(delta, 1) for vision, (delta, _, _) in smallest("light").items()}
    assert found == pytest.approx(
        {"normal": 27.9, "protanopia": 25.9, "deuteranopia": 27.5, "tritanopia": 29.6}, abs=0.15
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_lines_and_signs_are_legible_on_their_ground(theme: str) -> None:
    papers = {ground(theme), "#FFFFFF"} if theme == "light" else {ground(theme)}
    for paper, (name, colour) in product(sorted(papers), classes(theme).items()):
        print(f"{theme:5}  {name:8} {colour} on {paper}  {contrast(colour, paper):5.2f} to 1")
        assert contrast(colour, paper) >= 4.5


def test_a_reversed_edge_has_the_colour_of_a_spurious_one_and_a_cut_one_of_a_missed_one() -> None:
    for theme in ("light", "dark"):
        assert classes(theme)["reversed"] == classes(theme)["spurious"]
        assert classes(theme)["cut"] == classes(theme)["missed"]


@pytest.mark.parametrize(("theme", "plain"), [("light", "#343739"), ("dark", "#CDCBC7")])
def test_plus_and_minus_differ_from_each_other_from_plain_lines_and_from_every_class(theme: str, plain: str) -> None:
    drawn = {**signs(theme), "plain": plain}
    assert set(drawn) == {"+", "−", "plain"}
    for vision, (one, other) in product(MATRICES, combinations(drawn.values(), 2)):
        assert difference(seen(one, vision), seen(other, vision)) >= SAFE, vision
    for colour, compared in product(signs(theme).values(), classes(theme).values()):
        assert contrast(colour, ground(theme)) >= 4.5
        assert difference(seen(colour, "normal"), seen(compared, "normal")) >= SAFE
