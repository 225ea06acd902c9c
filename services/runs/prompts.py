"""The prompts of a run: kept with it when it is made, shown on its card, and compared before it goes on."""

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
from runs.outcomes import protocol_of
from services.runs.settings import PromptView
from store.runs import runs
from store.tables.runs import RunRow

PARTS = "=== system ===\n{system}\n=== user ===\n{user}\n"


class PromptsChanged(Refused):
    """A run may not go on: its prompts are not what they were. `difference` is a unified diff, then to now."""

    def __init__(self, message: str, difference: str) -> None:
        super().__init__(f"{message}\n{difference}")
        self.difference = difference


def described(used: Iterable[tuple[Prompt, tuple[str, ...]]]) -> list[dict[str, Any]]:
    """What a run's manifest says of its prompts: (prompt, file names under which a drop-in is looked for too)."""
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
    """What of a prompt is sent otherwise than its text shows."""
    apart = ", ".join(prompt.known.written(name) for name in sorted(prompt.apart))
    doubled = "Doubled braces, {{ and }}, are sent as single ones." if prompt.is_doubled else ""
    return tuple(filter(None, (doubled, f"Sent as a part of its own: {apart}." if apart else "")))


def view_of(prompt: Prompt) -> PromptView:
    return PromptView(prompt.name, prompt.origin, prompt.hash, prompt.system, prompt.user, notes_of(prompt))


def as_text(prompt: Prompt) -> str:
    """Both parts of a prompt as one text, as its file could be written."""
    return PARTS.format(system=prompt.system, user=prompt.user)


def kept_prompts(session: Session, row: RunRow) -> tuple[PromptView, ...]:
    """The prompts of a run as they were when it was made."""
    described_as: list[Mapping[str, Any]] = row.manifest["prompts"]
    texts = runs.texts(session, [each["text"] for each in described_as])
    return tuple(
        PromptView(
            each["name"], each["origin"], each["hash"], *_parts(texts[each["text"]]), tuple(each.get("notes", ()))
        )
        for each in described_as
    )


def require_same_prompts(session: Session, row: RunRow) -> None:
    """Raises PromptsChanged if a prompt file that this run was made with says something else now, or is gone."""
    folder = Path(row.manifest["prompts_folder"]) if row.manifest["prompts_folder"] else None
    described_as: list[Mapping[str, Any]] = row.manifest["prompts"]
    texts = runs.texts(session, [each["text"] for each in described_as])
    placeholders = protocol_of(row.protocol).placeholders
    differences = [
        _difference(each["name"], texts[each["text"]], now)
        for each in described_as
        if (now := _now(each, folder, placeholders)) is not None
    ]
    if differences:
        raise PromptsChanged(
            f"Run {row.number} cannot resume: its prompts have changed. Restore the prompt file, or start a new "
            "run, which uses the cached replies. The changes:",
            "\n".join(differences),
        )


def _now(kept: Mapping[str, Any], folder: Path | None, placeholders: Placeholders) -> str | None:
    """The prompt's text as it is now, empty if it cannot be read; None if it is the same."""
    own = Path(kept["folder"]) if "folder" in kept else folder  # that of the step with which it was changed
    try:
        prompt = load(kept["name"], placeholders=placeholders, folder=own, also=tuple(kept["also"]))
    except BadInput:
        return ""
    return None if prompt.hash == kept["hash"] else as_text(prompt)


def _difference(name: str, then: str, now: str) -> str:
    lines = list(
        difflib.unified_diff(then.splitlines(), now.splitlines(), f"{name}, then", f"{name}, now", lineterm="", n=2)
    )
    return "\n".join(lines) or f"{name}: only blank lines or section marks differ."


def _parts(text: str) -> tuple[str, str]:
    system, _, user = text.removeprefix("=== system ===\n").partition("\n=== user ===\n")
    return system, user.removesuffix("\n")
