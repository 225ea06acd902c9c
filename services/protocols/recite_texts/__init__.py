"""What texts of papers (ReCITE) take from a study."""

from __future__ import annotations

from services.protocols.recite_texts import papers
from services.runs.benchmarks import BenchmarkServices

SERVICES = BenchmarkServices(sources={"papers": papers.SOURCE})
