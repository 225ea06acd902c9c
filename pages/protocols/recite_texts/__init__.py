"""The form of a new run for texts of papers (ReCITE)."""

from __future__ import annotations

from pages import BenchmarkPages
from pages.protocols.recite_texts import papers

PAGES = BenchmarkPages(forms={"papers": papers.FORM})
