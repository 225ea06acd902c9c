"""The form of a new run for questions (Lee et al.)."""

from __future__ import annotations

from pages import BenchmarkPages
from pages.protocols.lee import questions

PAGES = BenchmarkPages(forms={"questions": questions.FORM})
