"""Sources and exports of queries about graphs (CausalGraph2LLM)."""

from __future__ import annotations

from protocols.causalgraph2llm.tasks import GRAPHS
from services.protocols.causalgraph2llm import chat_files, graphs
from services.runs.benchmarks import BenchmarkServices

SERVICES = BenchmarkServices(
    sources={GRAPHS: graphs.SOURCE},
    import_files=graphs.import_files,
    zip_members={"samples.jsonl": chat_files.zip_members},
    export_forms={"chat": chat_files.chat},
)
