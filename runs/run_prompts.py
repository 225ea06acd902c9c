"""Prompts of a run as stored at its start; later rounds and steps use them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlmodel import Session

from core.errors import BadInput
from prompts.loader import Prompt, read_prompt
from protocols.protocol import BenchmarkProtocol
from store.runs import runs
from store.tables.runs import RunRow


def prompts_of(session: Session, row: RunRow, protocol: BenchmarkProtocol) -> dict[str, Prompt]:
    """Return prompts by name, from the texts in the manifest. Raises BadInput for a missing or unreadable text."""
    described: list[Mapping[str, Any]] = row.manifest.get("prompts", [])
    texts = runs.texts(session, [each["text"] for each in described])
    missing = next((each["name"] for each in described if each["text"] not in texts), None)
    if missing is not None:
        raise BadInput(f"The text of the prompt {missing} is not kept with run {row.number}.")
    prompts = {}
    for entry in described:
        name, apart = entry["name"], entry.get("apart", ())
        head = f"=== apart: {', '.join(apart)} ===\n" if apart else ""
        source = f"the prompt {name} of run {row.number}"
        prompt = read_prompt(name, head + texts[entry["text"]], entry["origin"], source, protocol.placeholders)
        prompts[name] = replace(prompt, hash=entry["hash"])
    return prompts
