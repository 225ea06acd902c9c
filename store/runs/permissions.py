"""Models to which some runs may be sent only with an owner's permission: a study setting that names them. A run
stores the setting's key, and the setting is read before each request, so that a revoked permission applies at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from store import settings as stored

PERMISSIONS = "permissions"
"""Key in a run's settings of the list of settings that must name its models; empty if none must."""
NAMED = "models"


@dataclass(frozen=True, slots=True)
class NamedModel:
    """A model that an owner named. The permission is for this model at this address, even if the card changes later."""

    card: str  # name of its card
    endpoint: str
    base_url: str
    model: str

    def is_of(self, snapshot: Mapping[str, Any]) -> bool:
        """Return True if it equals a run's snapshot of a model."""
        where = snapshot.get("endpoint") or {}
        return (where.get("base_url"), snapshot.get("model")) == (self.base_url, self.model)


def named_models(session: Session, key: str) -> tuple[NamedModel, ...]:
    """Return the models that the setting names."""
    permitted = stored.setting(session, key, {})
    return tuple(
        NamedModel(each["card"], each["endpoint"], each["base_url"], each["model"]) for each in permitted.get(NAMED, ())
    )


def unnamed(session: Session, key: str, models: Mapping[str, Mapping[str, Any]]) -> Sequence[str]:
    """Return the names of a run's models that need permission and are not named by the setting."""
    named = named_models(session, key)
    return [
        name
        for name, snapshot in models.items()
        if snapshot.get("endpoint") and not any(each.is_of(snapshot) for each in named)
    ]


def refusal(session: Session, keys: Sequence[str], models: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the reason why nothing may be sent to these models, or "". `keys`: settings that must name them."""
    refused = dict.fromkeys(name for key in keys for name in unnamed(session, key, models))
    if not refused:
        return ""
    return f"No owner of the study has allowed that this is sent to {', '.join(refused)}. Nothing is sent."


def refusal_of(session: Session, settings: Mapping[str, Any]) -> str:
    """Return `refusal` for a run with these settings."""
    keys = settings.get(PERMISSIONS) or ()
    return refusal(session, keys, settings.get("models") or {}) if keys else ""
