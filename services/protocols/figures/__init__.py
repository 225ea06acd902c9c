"""What the reading of figures take from a study."""

from __future__ import annotations

from services.protocols.figures import figures
from services.runs.benchmarks import BenchmarkServices

SERVICES = BenchmarkServices(sources={"figures": figures.SOURCE})
