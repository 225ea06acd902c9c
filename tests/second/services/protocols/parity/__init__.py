"""What even and prime numbers take from a study."""

from __future__ import annotations

from services.protocols.parity import numbers  # it is there once registered
from services.runs.benchmarks import BenchmarkServices

SERVICES = BenchmarkServices(sources={"numbers": numbers.SOURCE})
