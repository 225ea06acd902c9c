"""The form of a new run for triplets from papers (EconCausal)."""

from __future__ import annotations

from pages import BenchmarkPages
from pages.protocols.econcausal_pipeline import pipeline_papers, pipeline_steps

PAGES = BenchmarkPages(forms={"pipeline_papers": pipeline_papers.FORM, "pipeline_steps": pipeline_steps.FORM})
