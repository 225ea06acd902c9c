"""What EconCausal's tasks take from a study."""

from __future__ import annotations

from services.protocols.econcausal import triplets
from services.runs.benchmarks import BenchmarkServices

SERVICES = BenchmarkServices(sources={"triplets": triplets.SOURCE})
