"""Chats to tune a model with, as a form of `runs export`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from core.errors import BadInput
from core.people import Viewer
from core.words import counted
from services.protocols.causalgraph2llm.chat_files import export_chats
from services.runs.benchmarks import Exported, ExportTarget


def chat(viewer: Viewer, runs: Sequence[str], target: ExportTarget) -> Exported:
    """As `ExportForm`: queries about random graphs of one run with their true answers, in two files. Raises BadInput
    for several runs or none."""
    if len(runs) != 1:
        raise BadInput(f"Found {counted(len(runs), 'run')}; expected one.")
    path = target.path or Path("chat.jsonl")
    held = path.with_name(f"{path.stem}-held-out{path.suffix}")
    with target.open(path) as train, target.open(held) as rest:
        made = export_chats(viewer, runs[0], target.split, train, rest, seed=target.seed)
    words = f"Wrote {path} ({counted(made.train, 'chat')}) and {held} ({made.held_out:,}); left out {made.left_out:,}."
    return Exported({"path": str(path), "held_out_path": str(held), **asdict(made)}, words)
