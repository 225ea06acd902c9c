"""The form of a new run for the reading of figures."""

from __future__ import annotations

from pages import BenchmarkPages
from pages.protocols.figures import figures

PAGES = BenchmarkPages(forms={"figures": figures.FORM})
