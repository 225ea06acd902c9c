"""What questions (Lee et al.) take from a study."""

from __future__ import annotations

from services.protocols.lee import questions
from services.protocols.lee.question_files import import_files
from services.runs.benchmarks import BenchmarkServices

SERVICES = BenchmarkServices(sources={"questions": questions.SOURCE}, import_files=import_files)
