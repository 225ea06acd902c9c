"""A diagram of 25 nodes and 37 edges: what hands need, by the keystroke-level model, interface by interface."""

from __future__ import annotations

from dataclasses import dataclass

KEY, POINT, CLICK, HOME, THINK = 0.28, 1.1, 0.2, 0.4, 1.35
"""Seconds: one key of an average typist, one pointing, one click (press and release), one change between mouse and
keyboard, one mental preparation. Card, Moran and Newell 1983, chapter 8; looking at the figure is left out."""

NODES, EDGES, LETTERS = 25, 37, 22
"""The mean diagram of the ReCITE benchmark (section 3.2) and the usual length of its names."""
TWO_LETTER_SHARE = 10 / 25
"""Of 25 names the canvas gives 15 a code of one letter and 10 one of two; edges are taken to end at all names alike."""


@dataclass(frozen=True, slots=True)
class InputMethod:
    """A way to draw: seconds per name and per edge, and acts per edge."""

    words: str
    name_s: float
    edge_s: float
    acts: str
    once_s: float = 0.0

    @property
    def total_s(self) -> float:
        return self.once_s + NODES * self.name_s + EDGES * self.edge_s


_CODES = 2 * (1 + TWO_LETTER_SHARE)
CERTAIN_SHARE = 0.75
"""Of the proposed edges; the rest is looked at one by one. See docs/proposals.md for what was measured."""

WAYS = (
    InputMethod("web form: both names typed for every edge", 0.0, 2 * (THINK + LETTERS * KEY) + 2 * KEY, "46 keys"),
    InputMethod(
        "names typed once, then three letters and Enter", THINK + LETTERS * KEY, 2 * (THINK + 4 * KEY), "8 keys"
    ),
    InputMethod("Edgewise, typed line with completion", 0.0, 2 * THINK + 9 * KEY, "9 keys"),
    InputMethod("Edgewise, two picks of printed names", 0.0, THINK + 2 * POINT + 2 * CLICK, "2 clicks"),
    InputMethod("Edgewise, hint codes", 0.0, THINK + _CODES * KEY, f"{_CODES:.1f} keys", HOME + KEY),
    InputMethod(
        "Edgewise, hint codes and the sign", 0.0, THINK + (_CODES + 1) * KEY, f"{_CODES + 1:.1f} keys", HOME + KEY
    ),
    InputMethod("Edgewise, proposals one by one", 0.0, THINK + KEY, "1 key", HOME + KEY),
    InputMethod(
        f"Edgewise, {CERTAIN_SHARE:.0%} of the proposals at once",
        0.0,
        (1 - CERTAIN_SHARE) * (THINK + KEY),
        "1 key",
        HOME + 2 * KEY + THINK,
    ),
)


def measure() -> None:
    """Print a line for each way: minutes, edges a minute, acts an edge, and the ratio to the form."""
    form = WAYS[0].total_s
    for way in WAYS:
        minutes, rate = way.total_s / 60, EDGES / way.total_s * 60
        print(f"{way.words:47} {minutes:5.1f} min {rate:6.1f} edges/min  {way.acts:>8}  {form / way.total_s:5.1f}x")
    print("Hands only: looking at the figure comes on top, and takes longer than any of the fast ways.")
