"""Lines of text in any script: Helvetica, and the wide fallback that ships with MuPDF.

Runs in a child process only."""

# PyMuPDF says it is typed, yet leaves most of its functions bare.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from functools import lru_cache

from documents.pdf_library import pymupdf

Colour = tuple[float, float, float]
WIDEST = 140.0  # points of a line of a label, as on the screen


@lru_cache(maxsize=2048)
def lines_of(name: str, size: float) -> tuple[str, ...]:
    """Break a name into lines of at most 140 points; only a longer single word is broken."""
    lines: list[str] = []
    for word in name.split() or ["(no name)"]:
        while length(word, size) > WIDEST:
            cut = max(1, next(n for n in range(1, len(word) + 1) if length(word[:n], size) > WIDEST) - 1)
            lines, word = [*lines, word[:cut]], word[cut:]
        if lines and length(f"{lines[-1]} {word}", size) <= WIDEST:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)


@lru_cache(maxsize=4)
def _font(name: str) -> pymupdf.Font:
    return pymupdf.Font(name)


def _runs(text: str, font: str = "helv") -> list[tuple[str, str]]:
    runs: list[tuple[str, str]] = []
    for character in text:
        has = _font(font).has_glyph(ord(character)) or not _font("cjk").has_glyph(ord(character))
        name = font if has else "cjk"
        if runs and runs[-1][1] == name:
            runs[-1] = (runs[-1][0] + character, name)
        else:
            runs.append((character, name))
    return runs


def length(text: str, size: float) -> float:
    return sum(_font(name).text_length(run, size) for run, name in _runs(text))


def write(
    page: pymupdf.Page,
    text: str,
    x: float,
    y: float,
    size: float,
    colour: Colour,
    *,
    centred: bool = True,
    opacity: float = 1.0,
    font: str = "helv",
) -> None:
    """Set one line with its middle (or left end) at x and its optical middle at y."""
    writer = pymupdf.TextWriter(page.rect, color=colour, opacity=opacity)
    at = x - length(text, size) / 2 if centred else x
    for run, name in _runs(text, font):
        writer.append((at, y + 0.35 * size), run, font=_font(name), fontsize=size)
        at += _font(name).text_length(run, size)
    writer.write_text(page)
