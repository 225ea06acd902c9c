"""Model cards: description, request settings and prices of a model. Runs store a copy of the cards they use."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from core.errors import BadInput
from core.people import Permission, Receipt, Viewer
from core.runs.states import ModelKind
from core.words import quoted
from runs.endpoint.request import canonical_json, checked_parameters
from services.acting import Writing, consulting, perform, require_seen
from services.runs.endpoints import require_no_key
from store.runs import model_cards
from store.tables.runs import ModelCardRow

LONGEST_NAME, LONGEST_TEXT, MOST_PARAMETERS = 100, 2_000, 10_000
PRICES = ("price_input", "price_cached", "price_output")
TOKENS = {
    "context_length": "Context length",
    "tokens_per_image": "Tokens per picture",
    "tokens_per_page": "Tokens per page",
}
MOST_TOKENS = 1_000_000_000
CUTOFF = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")
ASKED = (ModelKind.REASONING, ModelKind.INSTRUCT)
"""Kinds that can be asked; the others only describe models for grouping in tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCardDraft:
    """Values of a model card. None means unknown. Prices are in US dollars per million tokens."""

    name: str  # in tables
    endpoint: str | None = None
    model: str = ""  # at the endpoint
    id: str = ""  # empty for a new card
    provider: str = ""
    family: str = ""
    kind: ModelKind = ModelKind.INSTRUCT
    parameters_b: float | None = None
    is_open_weight: bool | None = None
    knowledge_cutoff: str | None = None  # 2024, 2024-06 or 2024-06-30
    context_length: int | None = None
    takes_images: bool | None = None
    takes_pdfs: bool | None = None
    tokens_per_image: int | None = None  # maximum
    tokens_per_page: int | None = None  # maximum, of a PDF
    price_input: float | None = None
    price_cached: float | None = None
    price_output: float | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)  # of every request
    notes: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardView:
    """A stored card; see `ModelCardDraft`."""

    id: str
    name: str
    endpoint: str | None
    model: str
    provider: str
    family: str
    kind: ModelKind
    parameters_b: float | None
    is_open_weight: bool | None
    knowledge_cutoff: str | None
    context_length: int | None
    takes_images: bool | None
    takes_pdfs: bool | None
    tokens_per_image: int | None
    tokens_per_page: int | None
    price_input: float | None
    price_cached: float | None
    price_output: float | None
    parameters: Mapping[str, Any]
    notes: str
    is_archived: bool
    version: int


def list_cards(viewer: Viewer, *, with_archived: bool = False) -> tuple[CardView, ...]:
    with consulting(viewer, Permission.REVIEW) as r:
        return tuple(
            CardView(
                id=row.id,
                name=row.name,
                endpoint=row.endpoint,
                model=row.model,
                provider=row.provider,
                family=row.family,
                kind=ModelKind(row.kind),
                parameters_b=row.parameters_b,
                is_open_weight=row.is_open_weight,
                knowledge_cutoff=row.knowledge_cutoff,
                context_length=row.context_length,
                takes_images=row.takes_images,
                takes_pdfs=row.takes_pdfs,
                tokens_per_image=row.tokens_per_image,
                tokens_per_page=row.tokens_per_page,
                price_input=row.price_input,
                price_cached=row.price_cached,
                price_output=row.price_output,
                parameters=dict(row.parameters),
                notes=row.notes,
                is_archived=row.archived_at is not None,
                version=row.version,
            )
            for row in model_cards.cards(r.session)
            if with_archived or row.archived_at is None
        )


def save_card(viewer: Viewer, draft: ModelCardDraft, *, seen: int, act_id: str) -> Receipt:
    """Save a card; the receipt's subject is its id. `seen` 0 with an empty id creates one. Raises BadInput for a name
    in use or an invalid value, Missing without the card or its endpoint, Conflict after version `seen`."""
    values = _check_draft(draft)

    def act(w: Writing) -> Receipt:
        other = model_cards.card_named(w.session, draft.name.strip())
        if other is not None and other.id != draft.id:
            raise BadInput(f"Another model card is called {quoted(other.name)}; a name must be unique.")
        if values["endpoint"]:
            model_cards.endpoint(w.session, values["endpoint"])
        if draft.id:
            row = require_seen(model_cards.card(w.session, draft.id), seen, "model card")
            for name, value in values.items():
                setattr(row, name, value)
        else:
            row = ModelCardRow(**values, created_by=w.actor.id, created_at=w.now)
        model_cards.keep_card(w.session, row)
        return w.record("model.save", "model_card", row.id, version=row.version, payload=values)

    return perform(viewer, Permission.RUN, act_id, act)


def archive_card(viewer: Viewer, card_id: str, is_archived: bool, *, seen: int, act_id: str) -> Receipt:
    """Archive or restore a card. Raises Missing without it, Conflict after version `seen`."""

    def act(w: Writing) -> Receipt:
        row = require_seen(model_cards.card(w.session, card_id), seen, "model card")
        row.archived_at = w.now if is_archived else None
        model_cards.keep_card(w.session, row)
        kind = "model.archive" if is_archived else "model.restore"
        return w.record(kind, "model_card", card_id, version=row.version)

    return perform(viewer, Permission.RUN, act_id, act)


# --- what can be right -------------------------------------------------------------------------------------------


def _check_draft(draft: ModelCardDraft) -> dict[str, Any]:
    values = asdict(draft) | {"kind": ModelKind(draft.kind).value, "parameters": dict(draft.parameters)}
    del values["id"]
    for name in ("name", "model", "provider", "family", "notes"):
        plain = values[name].strip() if name == "notes" else " ".join(values[name].split())
        most = LONGEST_TEXT if name == "notes" else LONGEST_NAME
        if len(plain) > most:
            raise BadInput(f"The {name} of a model card has {len(plain):,} characters; at most {most:,} are allowed.")
        values[name] = plain
    if not values["name"]:
        raise BadInput("A model card needs a name for tables.")
    values["endpoint"] = draft.endpoint or None
    if draft.kind in ASKED and values["endpoint"] and not values["model"]:
        raise BadInput(f"{values['name']} has an endpoint, so it needs the model ID at that endpoint.")
    require_no_key(*(values[name] for name in ("name", "model", "provider", "family", "notes")))
    cutoff = draft.knowledge_cutoff or None
    if cutoff and not CUTOFF.fullmatch(cutoff):
        raise BadInput(f"Knowledge cutoff {quoted(cutoff[:40])}: a date such as 2024, 2024-06 or 2024-06-30 is needed.")
    values["knowledge_cutoff"] = cutoff
    _check_numbers(values)
    values["parameters"] = check_parameters(values["parameters"])
    return values


def _check_numbers(values: Mapping[str, Any]) -> None:
    for name in PRICES:
        price = values[name]
        if price is not None and not (math.isfinite(price) and 0 <= price <= 100_000):
            raise BadInput(
                f"{name.replace('_', ' ').capitalize()} is {price}; US dollars per million tokens, 0 or more."
            )
    size = values["parameters_b"]
    if size is not None and not (math.isfinite(size) and 0 < size <= 1_000_000):
        raise BadInput(f"Parameters (billions): found {size}; expected a number above 0.")
    for name, words in TOKENS.items():
        tokens = values[name]
        if tokens is not None and not 1 <= tokens <= MOST_TOKENS:
            raise BadInput(f"{words}: found {tokens}; expected a number of tokens, at least 1.")


def check_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return checked request parameters; None marks one that a protocol would send and this model must not receive.
    Raises BadInput naming an unknown parameter or an invalid value."""
    checked = checked_parameters(parameters)
    size = len(canonical_json(checked))
    if size > MOST_PARAMETERS:
        raise BadInput(f"The request parameters have {size:,} characters; at most {MOST_PARAMETERS:,} are allowed.")
    require_no_key(canonical_json(checked))
    return {name: checked.get(name) for name in sorted(parameters)}
