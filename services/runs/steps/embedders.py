"""Embedders of a run of several steps: what the run keeps of them, and what a dry run says of the texts known then."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlmodel import Session

from core.errors import BadInput
from core.messages import text_hash
from core.runs.options import OptionKind, RunOption, Settings
from core.runs.states import ModelKind
from core.steps import Step, StepKind
from core.vectors import LEXICAL
from core.words import counted
from protocols.making import Texts
from runs.endpoint.prices import likely_tokens
from services.runs.endpoints import require_open
from services.runs.models import endpoint_snapshot
from services.runs.vectors import parse_embedder
from store.runs import embeddings, model_cards
from store.runs.embeddings import embedder_of


def with_choices(option: RunOption, endpoints: Sequence[str]) -> RunOption:
    """Of an embedder, those that this study can ask: the built-in vectors, and the usual model at each endpoint."""
    if option.kind is not OptionKind.EMBEDDER:
        return option
    names = (LEXICAL, *(f"{name}/{option.default}" for name in endpoints))
    return replace(option, choices={name: name for name in names})


def embeds(steps: Sequence[Step]) -> bool:
    """Whether a step of a run of several turns texts into vectors."""
    return len(steps) > 1 and any(step.kind is StepKind.EMBED for step in steps)


def snapshots(
    session: Session, steps: Sequence[Step], options: Sequence[RunOption], settings: Settings, others: Collection[str]
) -> dict[str, dict[str, Any]]:
    """Embedder → what the run keeps of it: its endpoint, and the price of its card where it has one. Those are meant
    that an option of the run names. `others`: names of the run's models.

    Raises BadInput or Missing for an embedder that there is not, Refused for one whose endpoint is archived.
    """
    if not embeds(steps):
        return {}
    named = (settings.get(option.name) for option in options if option.kind is OptionKind.EMBEDDER)
    found: dict[str, dict[str, Any]] = {}
    for name in dict.fromkeys(named):
        if not name or name == LEXICAL:
            continue
        if name in others:
            raise BadInput(f"A model card and the embedder are both called {name!r}; give the card another name.")
        found[name] = _snapshot(session, name)
    return found


def _snapshot(session: Session, name: str) -> dict[str, Any]:
    where, model = parse_embedder(name)
    endpoint = require_open(model_cards.endpoint(session, where))
    those = [each for each in model_cards.cards(session) if (each.endpoint, each.model) == (where, model)]
    card = next((each for each in those if each.archived_at is None), None)
    price = None if card is None else card.price_input
    return {
        "kind": ModelKind.INSTRUCT.value,
        "embeds": True,
        "model": model,
        "prices": {"input": price, "cached": None, "output": None if price is None else 0.0},
        "parameters": {},
        "card": None if card is None else card.id,
        "card_version": None if card is None else card.version,
        "endpoint": endpoint_snapshot(endpoint),
    }


def told(session: Session, step: Step, wanted: Sequence[Texts]) -> str:
    """What a step that embeds would ask for, of texts that are known now; empty where nothing is."""
    by_embedder: dict[str, dict[str, str]] = {}
    for each in wanted:
        by_embedder.setdefault(each.embedder or LEXICAL, {}).update({text_hash(text): text for text in each.texts})
    said = [_told(session, name, texts) for name, texts in by_embedder.items() if texts]
    return f"{step.title}: {'; '.join(said)}." if said else ""


def _told(session: Session, name: str, texts: Mapping[str, str]) -> str:
    if name == LEXICAL:
        return f"{counted(len(texts), 'text')} with built-in vectors, which need no request"
    where, model = parse_embedder(name)
    kept = embedder_of(model_cards.endpoint(session, where).base_url, model)
    known = embeddings.known(session, kept, list(texts))
    missing = [text for key, text in texts.items() if key not in known]
    tokens = likely_tokens(len(text.encode()) for text in missing)
    about = f", about {tokens:,} tokens" if missing else ""
    return f"{counted(len(texts), 'text')}, of which {len(missing):,} have no vector of {name} yet{about}"
