"""The form of a new run for relations from abstracts (Lee et al.)."""

from __future__ import annotations

from pages import BenchmarkPages
from pages.protocols.lee_pipeline import abstracts, jel_titles

PAGES = BenchmarkPages(forms={"abstracts": abstracts.FORM, "jel_titles": jel_titles.FORM})
