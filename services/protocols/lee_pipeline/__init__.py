"""What relations from abstracts (Lee et al.) take from a study and from files, and what a run gives."""

from __future__ import annotations

from services.protocols.lee_pipeline import abstract_files, abstracts, jel_titles
from services.runs.benchmarks import BenchmarkServices

SERVICES = BenchmarkServices(
    sources={"abstracts": abstracts.SOURCE, "jel_titles": jel_titles.SOURCE},
    import_files=abstract_files.import_files,
    output_files=abstract_files.output_files,
)
