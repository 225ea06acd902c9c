"""Embedders of a run: snapshots, stored vectors, and the cost of missing ones. No request is sent."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlmodel import Session

from core.errors import BadInput
from core.messages import MessageSize, text_hash
from core.runs.options import OptionKind, RunOption, Settings
from core.runs.states import ModelKind
from core.steps import Step, StepKind
from core.vectors import LEXICAL, lexical
from core.words import quoted
from protocols.step_values import Texts, Value
from runs.budget import ModelLimits, most_in
from runs.endpoint.batches import WIDEST, batches, most_texts
from runs.endpoint.embeddings import unpacked
from runs.endpoint.prices import cost, likely_tokens, most_cost
from runs.steps.vectors import stored_vectors
from services.runs.endpoints import require_open
from services.runs.models import endpoint_snapshot
from services.runs.settings import PlannedEmbedding
from store.runs import embeddings, model_cards
from store.runs.embeddings import embedder_of

NO_PRICE = "no model card of this endpoint and model has a price; add one"


def parse_embedder(name: str) -> tuple[str, str]:
    """Parse "ENDPOINT/MODEL" into (endpoint, model). Raises BadInput for another form."""
    endpoint, _, model = name.partition("/")
    if not endpoint or not model:
        raise BadInput(
            f"Embedder {quoted(name)}: {quoted(LEXICAL)} or ENDPOINT/MODEL is needed, such as openai/some-model."
        )
    return endpoint, model


def with_choices(option: RunOption, endpoints: Sequence[str]) -> RunOption:
    """Add the choices to an embedder option: built-in vectors, and the default model at each endpoint."""
    if option.kind is not OptionKind.EMBEDDER:
        return option
    names = (LEXICAL, *(f"{name}/{option.default}" for name in endpoints))
    return replace(option, choices={name: name for name in names})


def embeds(steps: Sequence[Step]) -> bool:
    """Return whether a run of several steps has an embedding step."""
    return len(steps) > 1 and any(step.kind is StepKind.EMBED for step in steps)


def snapshots(
    session: Session, steps: Sequence[Step], options: Sequence[RunOption], settings: Settings, others: Collection[str]
) -> dict[str, dict[str, Any]]:
    """Return embedder → its snapshot: endpoint, and the price of its card. `others`: names of the run's models. Raises
    BadInput or Missing for an unknown embedder, Refused if its endpoint is archived."""
    if not embeds(steps):
        return {}
    named = (settings.get(option.name) for option in options if option.kind is OptionKind.EMBEDDER)
    snapshot_of: dict[str, dict[str, Any]] = {}
    for name in dict.fromkeys(named):
        if not name or name == LEXICAL:
            continue
        if name in others:
            raise BadInput(f"A model card and the embedder are both called {quoted(name)}; give the card another name.")
        where, model = parse_embedder(name)
        endpoint = require_open(model_cards.endpoint(session, where))
        cards = [each for each in model_cards.cards(session) if (each.endpoint, each.model) == (where, model)]
        card = next((each for each in cards if each.archived_at is None), None)
        price = None if card is None else card.price_input
        snapshot_of[name] = {
            "kind": ModelKind.INSTRUCT.value,
            "embeds": True,
            "model": model,
            "prices": {"input": price, "cached": None, "output": None if price is None else 0.0},
            "parameters": {},
            "card": None if card is None else card.id,
            "card_version": None if card is None else card.version,
            "endpoint": endpoint_snapshot(endpoint),
        }
    return snapshot_of


def built_in(texts: Texts) -> tuple[Value, ...]:
    """Return the built-in vectors of a run of one step. Raises ValueError for an embedder at an endpoint."""
    if texts.embedder not in ("", LEXICAL):
        raise ValueError(
            f"A run of one step uses built-in vectors; vectors of {texts.embedder} need a step that embeds."
        )
    return tuple(Value(key=text, value=lexical(text), hash=text_hash(text)) for text in texts.texts)


def vectors_there(session: Session, texts: Texts) -> dict[str, Value] | None:
    """Return a vector for each text, by the text's hash; None if some are missing. Raises BadInput or Missing for an
    unknown embedder, BadInput for vectors of different lengths."""
    embedder = texts.embedder or LEXICAL
    by_hash = {text_hash(text): text for text in texts.texts}
    if embedder == LEXICAL:
        return stored_vectors(session, LEXICAL, "", by_hash)
    stored_name = _stored_name(session, embedder)
    if len(embeddings.known(session, stored_name, list(by_hash))) < len(by_hash):
        return None
    return stored_vectors(session, embedder, stored_name, by_hash)


def planned(
    session: Session, step: Step, group_texts: Sequence[Texts], snapshots: Mapping[str, Mapping[str, Any]]
) -> tuple[PlannedEmbedding, ...]:
    """Return the requests of an embedding step, by embedder. `group_texts`: by group."""
    by_embedder: dict[str, list[Texts]] = {}
    for texts in group_texts:
        by_embedder.setdefault(texts.embedder or LEXICAL, []).append(texts)
    plans = (_plan_embedder(session, step, name, some, snapshots.get(name, {})) for name, some in by_embedder.items())
    return tuple(each for each in plans if each.texts)


def _plan_embedder(
    session: Session, step: Step, name: str, group_texts: Sequence[Texts], snapshot: Mapping[str, Any]
) -> PlannedEmbedding:
    texts = {text_hash(text): text for each in group_texts for text in each.texts}
    missing, requests = set[str](), 0
    if name != LEXICAL:
        stored_name = _stored_name(session, name)
        missing = set(texts.values()) - {texts[key] for key in embeddings.known(session, stored_name, list(texts))}
        one = embeddings.one_of(session, stored_name)
        row = model_cards.endpoint(session, parse_embedder(name)[0])
        most_of_request, left = most_texts(row.most_bytes, len(unpacked(one)) if one else WIDEST), set(missing)
        for group in group_texts:
            requests += len(batches([text for text in dict.fromkeys(group.texts) if text in left], most_of_request))
            left.difference_update(group.texts)
    sizes = tuple(len(text.encode()) for text in missing)
    tokens, most, prices = likely_tokens(sizes), most_in(MessageSize(sizes), ModelLimits()), snapshot.get("prices", {})
    dearest = most_cost(prices, most_in=most, most_out=0)
    return PlannedEmbedding(
        step=step.title,
        embedder=name,
        texts=len(texts),
        missing=len(missing),
        requests=requests,
        tokens_in=tokens,
        tokens_in_most=most,
        cost_likely=cost(prices, tokens_in=tokens, tokens_out=0).usd if missing else 0.0,
        cost_most=dearest.usd if missing else 0.0,
        cost_reason=NO_PRICE if missing and dearest.usd is None else "",
    )


def _stored_name(session: Session, embedder: str) -> str:
    """Return the name under which an embedder's vectors are stored. Raises BadInput or Missing for an unknown
    embedder."""
    where, model = parse_embedder(embedder)
    return embedder_of(model_cards.endpoint(session, where).base_url, model)
