"""Sources, imports and output files of triplets from papers (EconCausal)."""

from __future__ import annotations

from protocols.econcausal_pipeline.tasks import FROM_FILES, PAPERS
from services.extraction.step_files import step_files
from services.protocols.econcausal_pipeline import files, pipeline_papers, pipeline_steps
from services.runs.benchmarks import BenchmarkServices

SERVICES = BenchmarkServices(
    sources={PAPERS: pipeline_papers.SOURCE, FROM_FILES: pipeline_steps.SOURCE},
    import_files=files.import_files,
    output_files=step_files,
    finish=files.finish,
    sends_papers=True,
)
