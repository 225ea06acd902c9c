"""What triplets from papers (EconCausal) take from a study."""

from __future__ import annotations

from services.protocols.econcausal_pipeline import pipeline_papers, pipeline_steps
from services.runs.benchmarks import BenchmarkServices

SERVICES = BenchmarkServices(
    sources={"pipeline_papers": pipeline_papers.SOURCE, "pipeline_steps": pipeline_steps.SOURCE}
)
