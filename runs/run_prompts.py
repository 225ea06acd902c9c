"""The prompts of a run, as they were when it was begun: what later rounds and steps are asked with."""

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
    """By name, from the texts that the manifest names. Raises BadInput for one whose text is not kept, or
    cannot be read any more."""
    described: list[Mapping[str, Any]] = row.manifest.get("prompts", [])
    texts = runs.texts(session, [each["text"] for each in described])
    missing = next((each["name"] for each in described if each["text"] not in texts), None)
    if missing is not None:
        raise BadInput(f"The text of the prompt {missing} is not kept with run {row.number}.")
    return {each["name"]: _prompt(each, texts[each["text"]], row.number, protocol) for each in described}


def _prompt(described: Mapping[str, Any], text: str, number: int, protocol: BenchmarkProtocol) -> Prompt:
    apart = described.get("apart", ())
    head = f"=== apart: {', '.join(apart)} ===\n" if apart else ""
    source = f"the prompt {described['name']} of run {number}"
    prompt = read_prompt(described["name"], head + text, described["origin"], source, protocol.placeholders)
    return replace(prompt, hash=described["hash"])
