"""Coordinates of a rotated page as displayed. Runs in a child process only."""

# PyMuPDF says it is typed, yet leaves most of its functions bare.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from documents.pdf_library import pymupdf


def turn_of(page: pymupdf.Page) -> pymupdf.Matrix:
    """Return the matrix from the coordinates of a page's words and drawings to those of the page as displayed.
    `page.rotation_matrix` (PyMuPDF 1.28) is wrong by the page's size if the page has a UserUnit: of all its numbers,
    only those of the shift are in the page's own units."""
    width, height = page.rect.width, page.rect.height
    numbers = {
        90: (0, 1, -1, 0, width, 0),
        180: (-1, 0, 0, -1, width, height),
        270: (0, -1, 1, 0, 0, height),
    }
    return pymupdf.Matrix(*numbers.get(page.rotation, (1, 0, 0, 1, 0, 0)))
