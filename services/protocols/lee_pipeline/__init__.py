"""What relations from abstracts (Lee et al.) take from a study."""

from __future__ import annotations

from services.protocols.lee_pipeline import abstracts, jel_titles
from services.runs.benchmarks import BenchmarkServices

SERVICES = BenchmarkServices(sources={"abstracts": abstracts.SOURCE, "jel_titles": jel_titles.SOURCE})
