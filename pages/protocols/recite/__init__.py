"""The form of a new run for graphs from texts and their judges (ReCITE)."""

from __future__ import annotations

from pages import BenchmarkPages
from pages.protocols.recite import answers, release, table

PAGES = BenchmarkPages(forms={"release": release.FORM, "table": table.FORM, "answers": answers.FORM})
