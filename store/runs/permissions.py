"""Which models a run may be sent to where that needs an owner's word: a setting of the study that names them.

A run keeps the setting's key; whoever is about to send looks here, so that a word withdrawn holds at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from store import settings as stored

PERMISSIONS = "permissions"
"""Where the settings of a run keep the keys of the settings that must name its models; nothing where none must."""
NAMED = "models"


@dataclass(frozen=True, slots=True)
class NamedModel:
    """A model that an owner named, as it was then. `card`: the name of its card; the word is for this model at this
    address, wherever the card may point later."""

    card: str
    endpoint: str
    base_url: str
    model: str

    def is_of(self, snapshot: Mapping[str, Any]) -> bool:
        """Whether it is what a run keeps of a model."""
        where = snapshot.get("endpoint") or {}
        return (where.get("base_url"), snapshot.get("model")) == (self.base_url, self.model)


def named_models(session: Session, key: str) -> tuple[NamedModel, ...]:
    """Those that the setting names; none where nobody ever gave the word."""
    kept = stored.setting(session, key, {})
    return tuple(
        NamedModel(each["card"], each["endpoint"], each["base_url"], each["model"]) for each in kept.get(NAMED, ())
    )


def unnamed(session: Session, key: str, models: Mapping[str, Mapping[str, Any]]) -> Sequence[str]:
    """The models of a run, by name with what it keeps of each, that the setting does not name; one that sends nothing
    needs no word."""
    named = named_models(session, key)
    return [
        name
        for name, snapshot in models.items()
        if snapshot.get("endpoint") and not any(each.is_of(snapshot) for each in named)
    ]


def refusal(session: Session, keys: Sequence[str], models: Mapping[str, Mapping[str, Any]]) -> str:
    """Why nothing may be sent to these models, "" if it may. `keys`: of the settings that must name them."""
    refused = dict.fromkeys(name for key in keys for name in unnamed(session, key, models))
    if not refused:
        return ""
    return f"No owner of the study has allowed that this is sent to {', '.join(refused)}. Nothing is sent."


def refusal_of(session: Session, settings: Mapping[str, Any]) -> str:
    """As `refusal`, of a run that keeps these settings."""
    keys = settings.get(PERMISSIONS) or ()
    return refusal(session, keys, settings.get("models") or {}) if keys else ""
