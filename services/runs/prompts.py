"""Prompts of a run: stored when it is created, shown on its card, and compared before it is resumed."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Refused
from core.messages import text_hash
from prompts.loader import Prompt, load
from prompts.placeholders import Placeholders
from runs.item_outcomes import protocol_of
from services.runs.settings import PromptView
from store.runs import runs
from store.tables.runs import RunRow

PARTS = "=== system ===\n{system}\n=== user ===\n{user}\n"


class PromptsChanged(Refused):
    """Prompts have changed since the run was created. `difference` is a unified diff to the current ones."""

    def __init__(self, message: str, difference: str) -> None:
        super().__init__(f"{message}\n{difference}")
        self.difference = difference


def described(used: Iterable[tuple[Prompt, tuple[str, ...]]]) -> list[dict[str, Any]]:
    """Return the prompts for a run's manifest. `used`: (prompt, further file names of a drop-in)."""
    return [
        {
            "name": prompt.name,
            "hash": prompt.hash,
            "origin": prompt.origin,
            "also": list(also),
            "text": text_hash(as_text(prompt)),
            **({"apart": sorted(prompt.apart)} if prompt.apart else {}),
            **({"notes": list(notes_of(prompt))} if notes_of(prompt) else {}),
        }
        for prompt, also in used
    ]


def notes_of(prompt: Prompt) -> tuple[str, ...]:
    """Return notes on how a prompt is sent differently from its text."""
    apart = ", ".join(prompt.known.written(name) for name in sorted(prompt.apart))
    doubled = "Doubled braces, {{ and }}, are sent as single ones." if prompt.is_doubled else ""
    return tuple(filter(None, (doubled, f"Sent as a part of its own: {apart}." if apart else "")))


def view_of(prompt: Prompt) -> PromptView:
    return PromptView(prompt.name, prompt.origin, prompt.hash, prompt.system, prompt.user, notes_of(prompt))


def as_text(prompt: Prompt) -> str:
    """Return both parts of a prompt as one text."""
    return PARTS.format(system=prompt.system, user=prompt.user)


def stored_prompts(session: Session, row: RunRow) -> tuple[PromptView, ...]:
    """Return the prompts of a run as they were when it was created."""
    described_as: list[Mapping[str, Any]] = row.manifest["prompts"]
    texts = runs.texts(session, [each["text"] for each in described_as])
    views = []
    for entry in described_as:
        system, _, user = texts[entry["text"]].removeprefix("=== system ===\n").partition("\n=== user ===\n")
        notes = tuple(entry.get("notes", ()))
        views.append(PromptView(entry["name"], entry["origin"], entry["hash"], system, user.removesuffix("\n"), notes))
    return tuple(views)


def require_same_prompts(session: Session, row: RunRow) -> None:
    """Raise PromptsChanged if a prompt file that this run uses has changed or is missing."""
    folder = Path(row.manifest["prompts_folder"]) if row.manifest["prompts_folder"] else None
    described_as: list[Mapping[str, Any]] = row.manifest["prompts"]
    texts = runs.texts(session, [each["text"] for each in described_as])
    placeholders = protocol_of(row.protocol).placeholders
    differences = []
    for entry in described_as:
        name, then, now = entry["name"], texts[entry["text"]], _current_text(entry, folder, placeholders)
        if now is not None:
            ends = (f"{name}, then", f"{name}, now")
            lines = difflib.unified_diff(then.splitlines(), now.splitlines(), *ends, lineterm="", n=2)
            differences.append("\n".join(lines) or f"{name}: only blank lines or section marks differ.")
    if differences:
        raise PromptsChanged(
            f"Run {row.number} cannot resume: its prompts have changed. Restore the prompt file, or start a new "
            "run, which uses the cached replies. The changes:",
            "\n".join(differences),
        )


def _current_text(stored: Mapping[str, Any], folder: Path | None, placeholders: Placeholders) -> str | None:
    """Return the prompt's current text, empty if it is unreadable; None if it is unchanged."""
    own = Path(stored["folder"]) if "folder" in stored else folder  # of the step that changed this prompt
    try:
        prompt = load(stored["name"], placeholders=placeholders, folder=own, also=tuple(stored["also"]))
    except BadInput:
        return ""
    return None if prompt.hash == stored["hash"] else as_text(prompt)
