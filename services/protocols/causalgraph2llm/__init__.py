"""What queries about graphs (CausalGraph2LLM) take from a study."""

from __future__ import annotations

from services.protocols.causalgraph2llm import graphs
from services.protocols.causalgraph2llm.chat_files import zip_members
from services.runs.benchmarks import BenchmarkServices

SERVICES = BenchmarkServices(sources={"graphs": graphs.SOURCE}, zip_members=zip_members)
