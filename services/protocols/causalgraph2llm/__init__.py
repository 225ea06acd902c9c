"""What queries about graphs (CausalGraph2LLM) take from a study."""

from __future__ import annotations

from services.protocols.causalgraph2llm import graphs
from services.protocols.causalgraph2llm.chat_files import zip_members
from services.protocols.causalgraph2llm.chat_form import chat
from services.protocols.causalgraph2llm.graph_files import import_files
from services.runs.benchmarks import BenchmarkServices

SERVICES = BenchmarkServices(
    sources={"graphs": graphs.SOURCE},
    import_files=import_files,
    zip_members=zip_members,
    export_forms={"chat": chat},
)
