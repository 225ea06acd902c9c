"""Models and budget of a run, read from the settings stored at its start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from core.errors import BadInput
from core.messages import Messages, MessageSize
from core.runs.states import NEVER_ASKED, ModelKind
from core.words import quoted
from protocols import PROTOCOLS
from protocols.steps import steps_of_settings
from runs.budget import Amount, Budget, ModelLimits, most_in, most_tokens, read_budget
from runs.endpoint.endpoints import Endpoint
from runs.endpoint.prices import most_cost
from runs.endpoint.request import EmbeddingRequest, ModelRequest
from store.runs.permissions import PERMISSIONS
from store.tables.runs import RunRow

ENDPOINT_FIELDS = (
    "name",
    "base_url",
    "key_variable",
    "requests_per_minute",
    "tokens_per_minute",
    "concurrency",
    "deadline_s",
    "most_bytes",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPlan:
    """One model of a run, with its card and endpoint as stored. A baseline has no endpoint and sends nothing."""

    name: str
    kind: ModelKind
    model: str
    parameters: Mapping[str, Any]
    # US dollars per million tokens by "input", "cached", "output"; None where unknown
    prices: Mapping[str, float | None]
    limits: ModelLimits
    endpoint: Endpoint | None
    baseline: str
    # "task/variant" → a baseline's summary of all samples, such as their most frequent answer
    majority: Mapping[str, str]
    embeds: bool = False  # only returns vectors
    # role → parameters, where they differ
    role_parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def in_role(self, role: str) -> ModelPlan:
        own = self.role_parameters.get(role)
        return self if own is None else replace(self, parameters=own)

    def request(self, messages: Messages, repeat: int) -> ModelRequest:
        assert self.endpoint is not None
        return ModelRequest(self.endpoint.name, self.endpoint.base_url, self.model, messages, self.parameters, repeat)

    def request_vectors(self, texts: Sequence[str], *, as_floats: bool = False) -> EmbeddingRequest:
        assert self.endpoint is not None
        where = (self.endpoint.name, self.endpoint.base_url, self.model)
        return EmbeddingRequest(*where, tuple(texts), as_floats=as_floats)

    def most_of(self, size: MessageSize) -> Amount:
        """Return the maximum cost of a request of this size."""
        if self.embeds:  # nothing comes out that is paid for
            tokens_in, tokens_out = most_in(size, self.limits), 0
        else:
            tokens_in, tokens_out = most_tokens(size, self.parameters, self.limits)
        return Amount(tokens_in + tokens_out, most_cost(self.prices, most_in=tokens_in, most_out=tokens_out).usd)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    run_id: str
    number: int
    protocol: str
    models: Mapping[str, ModelPlan]
    budget: Budget
    # Role → first card that the run names for it; rounds within an item ask it.
    roles: Mapping[str, str] = field(default_factory=dict)
    # Step → its role; empty if no card has parameters of its own in a role.
    step_roles: Mapping[str, str] = field(default_factory=dict)
    permissions: Sequence[str] = ()  # Settings by which an owner names the models that may be asked; none if any may.
    seed: int = 1  # of all random draws

    def model(self, name: str) -> ModelPlan:
        """Raises BadInput for a model that the settings do not contain."""
        plan = self.models.get(name)
        if plan is None:
            raise BadInput(
                f"An item of run {self.number} names the model {quoted(name)}, which its settings do not contain."
            )
        return plan

    @property
    def helpers(self) -> tuple[ModelPlan, ...]:
        """Cards of roles that can be asked."""
        models = (self.models.get(name) for name in self.roles.values())
        return tuple(each for each in models if each is not None and each.endpoint is not None)

    def asked_for(self, role: str, item_model: str, step: str) -> ModelPlan:
        """Return the card for a request, with the role's parameters: that of the request's role, or the item's own.
        Raises BadInput naming a role without a card that can be asked."""
        if not role:
            return self.model(item_model).in_role(self.step_roles.get(step, ""))
        model = self.models.get(self.roles.get(role, ""))
        if model is None or model.endpoint is None:
            has = f"has {quoted(self.roles[role])}, which cannot be asked" if role in self.roles else "has none"
            raise BadInput(
                f"An item of run {self.number} needs the card of the role {quoted(role)}, and the run {has}."
            )
        return model.in_role(role)


def read_plan(row: RunRow) -> RunPlan:
    """Return a run's plan. Raises BadInput naming the model and what is missing."""
    models, roles = row.settings.get("models") or {}, row.settings.get("roles") or {}
    return RunPlan(
        run_id=row.id,
        number=row.number,
        protocol=row.protocol,
        models={name: _model(name, snapshot) for name, snapshot in models.items()},
        budget=read_budget(row.settings.get("budget") or {}),
        roles={name: cards if isinstance(cards, str) else cards[0] for name, cards in roles.items() if cards},
        step_roles=_step_roles(row) if any(snapshot.get("role_parameters") for snapshot in models.values()) else {},
        permissions=tuple(row.settings.get(PERMISSIONS) or ()),
        seed=row.settings.get("seed") or 0,
    )


def _step_roles(row: RunRow) -> dict[str, str]:
    protocol = PROTOCOLS.get(row.protocol)
    return {} if protocol is None else {step.name: step.role for step in steps_of_settings(protocol, row.settings)}


def parameters_sent(row: RunRow, model: str, step: str) -> Mapping[str, Any] | None:
    """Return the parameters of a step's requests to a model; None if the settings have none, as for a baseline."""
    snapshot: Mapping[str, Any] = row.settings["models"].get(model, {})
    of_roles = snapshot.get("role_parameters") or {}
    role = _step_roles(row).get(step, "") if of_roles else ""
    return of_roles.get(role, snapshot.get("parameters"))


def asked_models(settings: Mapping[str, Any]) -> list[str]:
    """Return the models whose items are answers of a provider."""
    models = settings["models"].items()
    return [name for name, about in models if about["kind"] not in NEVER_ASKED and not about.get("embeds")]


def limits_of(snapshot: Mapping[str, Any]) -> ModelLimits:
    return ModelLimits(**{each.name: snapshot.get(each.name) for each in fields(ModelLimits)})


def _model(name: str, snapshot: Mapping[str, Any]) -> ModelPlan:
    try:
        kind = ModelKind(snapshot["kind"])
        is_asked = kind in (ModelKind.INSTRUCT, ModelKind.REASONING)
        endpoint = Endpoint(**{each: snapshot["endpoint"][each] for each in ENDPOINT_FIELDS}) if is_asked else None
        return ModelPlan(
            name=name,
            kind=kind,
            model=snapshot["model"] if is_asked else name,
            parameters=snapshot.get("parameters") or {},
            prices=snapshot.get("prices") or {},
            limits=limits_of(snapshot),
            endpoint=endpoint,
            baseline=snapshot["baseline"] if kind is ModelKind.BASELINE else "",
            majority=snapshot.get("majority") or {},
            embeds=bool(snapshot.get("embeds")),
            role_parameters=snapshot.get("role_parameters") or {},
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(
            f"The run's settings of model {quoted(name)} cannot be read: {type(error).__name__} {error}."
        ) from None
