"""The form of a new run for EconCausal's tasks."""

from __future__ import annotations

from pages import BenchmarkPages
from pages.protocols.econcausal import triplets

PAGES = BenchmarkPages(forms={"triplets": triplets.FORM})
