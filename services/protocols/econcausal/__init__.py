"""What EconCausal's tasks take from a study."""

from __future__ import annotations

from services.protocols.econcausal import triplets
from services.protocols.econcausal.task_files import import_files
from services.runs.benchmarks import BenchmarkServices

SERVICES = BenchmarkServices(sources={"triplets": triplets.SOURCE}, import_files=import_files)
