"""Models of a run in preparation: snapshots of cards and endpoints, request parameters, and cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlmodel import Session

from core.errors import BadInput
from core.messages import Messages, MessageSize
from core.runs.states import ModelKind
from core.words import quoted
from protocols.baselines import baseline_of
from protocols.protocol import BenchmarkProtocol, ModelRole
from protocols.samples import Sample
from runs.budget import likely_in, most_tokens
from runs.context_limits import require_taken, too_long_for
from runs.endpoint.endpoints import SCRIPTED
from runs.endpoint.prices import cost, most_cost
from runs.endpoint.request import PARAMETERS, ModelRequest, checked_parameters, request_hash
from runs.run_plan import limits_of
from services.runs.endpoints import trouble_of
from services.runs.model_cards import ASKED
from services.runs.settings import BaselineOption, ModelOption, PlannedModel, RunConfig
from store.runs import model_cards, reply_lists, runs
from store.tables.runs import EndpointRow, ModelCardRow

LIMITS = ("max_tokens", "max_completion_tokens")
LIKELY_OUT: Mapping[str, int] = {ModelKind.INSTRUCT.value: 150, ModelKind.REASONING.value: 1_500}
"""Expected tokens of an answer without data: a label with two sentences, after some thought for a reasoning model."""
ENOUGH_REPLIES = 20
TOKEN_RULE = (
    "Input tokens are estimated as a quarter of the prompt's bytes, the providers' rule for English. The expected "
    f"length of a reply is the mean of this model's cached replies, from {ENOUGH_REPLIES} replies on, else "
    f"{LIKELY_OUT['instruct']} tokens ({LIKELY_OUT['reasoning']:,} for a reasoning model). The maximum assumes "
    "one token per byte and every reply as long as the maximum reply length. This maximum is reserved from the budget "
    "for each request until its reply arrives."
)


@dataclass(frozen=True, slots=True)
class PlannedRequests:
    """Requests to a model."""

    name: str
    snapshot: Mapping[str, Any]  # as stored by the run
    hashes: Mapping[tuple[int, int], str]  # of requests, by (sample, repeat)
    too_long: Mapping[tuple[int, int], str] = field(default_factory=dict)  # why it exceeds the context, by the same key


# --- what there is to choose -------------------------------------------------------------------------------------


def model_options(session: Session) -> tuple[ModelOption, ...]:
    """Return cards in use of models that can be asked, with their blockers."""
    from runs.scripted.judges import JUDGE_MODELS  # with all that scripts read

    known = {row.name: row for row in model_cards.endpoints(session)}
    scripted = {name for name, row in known.items() if row.base_url == SCRIPTED}
    return tuple(
        ModelOption(
            name=row.name,
            kind=ModelKind(row.kind),
            endpoint=row.endpoint or "",
            model=row.model,
            trouble=trouble_of(known.get(row.endpoint or "")),
            family=row.family,
            only_judges=row.model in JUDGE_MODELS and row.endpoint in scripted,
        )
        for row in model_cards.cards(session)
        if row.archived_at is None and row.kind in ASKED
    )


def baseline_options(protocol: BenchmarkProtocol) -> tuple[BaselineOption, ...]:
    """Return the baselines with the tasks that they can answer; some only look at examples."""
    every = tuple(task.name for task in protocol.tasks)
    return tuple(
        BaselineOption(name, baseline.title, baseline.tasks or every) for name, baseline in protocol.baselines.items()
    )


# --- copies ------------------------------------------------------------------------------------------------------


def snapshots(
    session: Session,
    protocol: BenchmarkProtocol,
    config: RunConfig,
    samples: Sequence[Sample],
    role: ModelRole | None = None,
) -> dict[str, dict[str, Any]]:
    """Return model or baseline → its snapshot: card, endpoint and parameters. `role` is the role in which it is asked.
    Raises BadInput for an unknown model or baseline, and for one that cannot be asked."""
    cards = {row.name: row for row in model_cards.cards(session, config.models)}
    model_snapshots: dict[str, dict[str, Any]] = {}
    for name in dict.fromkeys(config.models):
        row = cards.get(name)
        if row is None:
            raise BadInput(f"No model card of this study is called {quoted(name)}.")
        endpoint = model_cards.find_endpoint(session, row.endpoint) if row.endpoint else None
        if row.archived_at is not None or row.kind not in ASKED or endpoint is None or endpoint.archived_at is not None:
            if row.archived_at is not None:
                why = "its card is archived"
            else:
                why = f"its kind is {row.kind}" if row.kind not in ASKED else trouble_of(endpoint)
            raise BadInput(f"{name} cannot be asked: {why}.")
        parameters = parameters_of(
            protocol, row.parameters, config.parameters, config.tasks, parameters_in(role, row.kind)
        )
        model_snapshots[name] = _snapshot(row, endpoint, parameters)
    for name in dict.fromkeys(config.baselines):
        if name in model_snapshots:
            raise BadInput(f"A model card and a baseline are both called {quoted(name)}; give the card another name.")
        model_snapshots[name] = _baseline(protocol, name, config.seed, samples)
    return model_snapshots


def parameters_in(role: ModelRole | None, kind: str) -> dict[str, Any]:
    """Return the parameters that a role sets for a card of this kind."""
    if role is None:
        return {}
    return {**role.parameters, **(role.of_reasoning if kind == ModelKind.REASONING else {})}


def with_role(snapshot: Mapping[str, Any], role: str, parameters: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the snapshot with the parameters of a role; unchanged if they equal its own. A baseline has none."""
    others = {
        name: role_parameters for name, role_parameters in snapshot.get("role_parameters", {}).items() if name != role
    }
    if parameters != snapshot.get("parameters"):
        others[role] = parameters
    own = {name: value for name, value in snapshot.items() if name != "role_parameters"}
    return {**own, "role_parameters": others} if others else own


def parameters_of(
    protocol: BenchmarkProtocol,
    of_card: Mapping[str, Any],
    of_run: Mapping[str, Any],
    tasks: Sequence[str] = (),
    of_role: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Merge request parameters; the run takes precedence over the card, and the card over the protocol. None omits one.
    A limit of tokens replaces any other one. A role with its own limit ignores those of protocol and run. Raises
    BadInput for an unknown parameter."""
    own = default_parameters(protocol, tasks)
    if of_role:
        own = {name: value for name, value in own.items() if name not in LIMITS} | dict(of_role)
        of_run = {name: value for name, value in of_run.items() if name not in LIMITS}
    if any(name in parameters for parameters in (of_card, of_run) for name in LIMITS):
        own = {name: value for name, value in own.items() if name not in LIMITS}
    if any(name in of_run for name in LIMITS):
        of_card = {name: value for name, value in of_card.items() if name not in LIMITS}
    return checked_parameters({**own, **of_card, **of_run})


def default_parameters(protocol: BenchmarkProtocol, tasks: Sequence[str] = ()) -> dict[str, Any]:
    """Return the parameters that the protocol sets, and those that all of these tasks share. The protocol's seed draws
    samples, and is not sent."""
    names = [name for name in protocol.defaults if name in PARAMETERS and name != "seed"]
    own = {name: protocol.defaults[name] for name in names if protocol.defaults[name] != "none"}
    of_tasks = [dict(task.parameters) for task in protocol.tasks if task.name in tasks]
    alike = of_tasks[0] if of_tasks and all(each == of_tasks[0] for each in of_tasks) else {}
    return {**own, **alike}


def _snapshot(row: ModelCardRow, endpoint: EndpointRow, parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "kind": row.kind,
        "model": row.model,
        "provider": row.provider,
        "family": row.family,
        "parameters_b": row.parameters_b,
        "is_open_weight": row.is_open_weight,
        "knowledge_cutoff": row.knowledge_cutoff,
        "context_length": row.context_length,
        "takes_images": row.takes_images,
        "takes_pdfs": row.takes_pdfs,
        "tokens_per_image": row.tokens_per_image,
        "tokens_per_page": row.tokens_per_page,
        "prices": {"input": row.price_input, "cached": row.price_cached, "output": row.price_output},
        "parameters": dict(parameters),
        "card": row.id,
        "card_version": row.version,
        "endpoint": endpoint_snapshot(endpoint),
    }


def endpoint_snapshot(endpoint: EndpointRow) -> dict[str, Any]:
    return {
        "name": endpoint.name,
        "base_url": endpoint.base_url,
        "key_variable": endpoint.key_variable,
        "requests_per_minute": endpoint.requests_per_minute,
        "tokens_per_minute": endpoint.tokens_per_minute,
        "concurrency": endpoint.concurrency,
        "deadline_s": endpoint.deadline_s,
        "most_bytes": endpoint.most_bytes,
        "version": endpoint.version,
    }


def _baseline(protocol: BenchmarkProtocol, name: str, seed: int, samples: Sequence[Sample]) -> dict[str, Any]:
    baseline = baseline_of(protocol.baselines, name)
    snapshot: dict[str, Any] = {"kind": ModelKind.BASELINE.value, "baseline": name, "seed": seed}
    if baseline.of_all is not None:
        groups: dict[tuple[str, str], list[Sample]] = {}
        for sample in samples:
            groups.setdefault((sample.task, sample.variant), []).append(sample)
        snapshot["majority"] = {f"{task}/{variant}": baseline.of_all(some) for (task, variant), some in groups.items()}
    return snapshot


# --- requests and their cost -------------------------------------------------------------------------------------


def plan_requests(
    name: str,
    snapshot: Mapping[str, Any],
    messages: Sequence[Messages],
    sizes: Sequence[MessageSize],
    repeats: int,
    *,
    must_fit: bool = True,
) -> PlannedRequests:
    """Return a model with the hashes of all its requests; a baseline has none. With `must_fit` requests too long for
    its context are left out. Raises BadInput for pictures or PDFs that the model does not accept, or whose cost is
    unbounded."""
    if snapshot["kind"] == ModelKind.BASELINE:
        return PlannedRequests(name, snapshot, {})
    limits = limits_of(snapshot)
    require_taken(name, sizes, limits)
    reasons = {place: why for place, size in enumerate(sizes) if must_fit and (why := too_long_for(name, size, limits))}
    too_long = {(place, repeat): why for repeat in range(repeats) for place, why in reasons.items()}
    endpoint = snapshot["endpoint"]
    hashes = {
        (place, repeat): request_hash(
            ModelRequest(
                endpoint["name"], endpoint["base_url"], snapshot["model"], sent, snapshot["parameters"], repeat
            )
        )
        for repeat in range(repeats)
        for place, sent in enumerate(messages)
        if place not in reasons
    }
    return PlannedRequests(name, snapshot, hashes, too_long)


def planned(session: Session, model: PlannedRequests, sizes: Sequence[MessageSize], cached: set[str]) -> PlannedModel:
    """Return the requests to a model and their cost. A request that several samples share is sent once."""
    kind = ModelKind(model.snapshot["kind"])
    if kind is ModelKind.BASELINE:
        return PlannedModel(
            name=model.name,
            kind=kind,
            items=len(sizes),
            requests=0,
            cached=0,
            tokens_in=0,
            tokens_out_most=0,
            tokens_out_likely=0,
            cost_most=0.0,
            cost_likely=0.0,
            cost_reason="",
        )
    to_send: dict[str, int] = {}
    for (place, _repeat), key in model.hashes.items():
        if key not in cached:
            to_send.setdefault(key, place)
    parameters, prices = model.snapshot["parameters"], model.snapshot["prices"]
    limits = limits_of(model.snapshot)
    tokens_in = sum(likely_in(sizes[place], limits) for place in to_send.values())
    limit = next((parameters[name] for name in LIMITS if name in parameters), None)
    mean_out = reply_lists.mean_tokens_out(
        session, model.snapshot["endpoint"]["name"], model.snapshot["model"], ENOUGH_REPLIES
    )
    each_out = LIKELY_OUT[model.snapshot["kind"]] if mean_out is None else round(mean_out)
    each_out = each_out if limit is None else min(each_out, limit)
    most = [most_tokens(sizes[place], parameters, limits) for place in to_send.values()]
    dearest = most_cost(prices, most_in=sum(each[0] for each in most), most_out=sum(each[1] for each in most))
    likely = cost(prices, tokens_in=tokens_in, tokens_out=each_out * len(to_send))
    return PlannedModel(
        name=model.name,
        kind=kind,
        items=len(model.hashes) + len(model.too_long),
        requests=len(to_send),
        cached=len(model.hashes) - len(to_send),
        tokens_in=tokens_in,
        tokens_out_most=limit * len(to_send) if limit is not None else None,
        tokens_out_likely=each_out * len(to_send),
        cost_most=dearest.usd,
        cost_likely=likely.usd,
        cost_reason=dearest.reason,
    )


def of_all(some: PlannedModel, drawn: int, samples: int) -> PlannedModel:
    """Scale the plan of drawn samples to all samples; exact if all were drawn."""

    def share(count: int) -> int:
        return round(count * samples / drawn)

    most, likely = some.cost_most, some.cost_likely
    cached = share(some.cached)
    return replace(
        some,
        items=share(some.items),
        requests=share(some.requests + some.cached) - cached,
        cached=cached,
        tokens_in=share(some.tokens_in),
        tokens_out_most=None if some.tokens_out_most is None else share(some.tokens_out_most),
        tokens_out_likely=share(some.tokens_out_likely),
        cost_most=None if most is None else most * samples / drawn,
        cost_likely=None if likely is None else likely * samples / drawn,
    )


def cached_of(session: Session, models: Iterable[PlannedRequests]) -> set[str]:
    """Return the hashes of requests with a cached reply."""
    return runs.cached_hashes(session, {key for model in models for key in model.hashes.values()})


def unanswerable(name: str, snapshot: Mapping[str, Any], sample: Sample, protocol: BenchmarkProtocol) -> str:
    """Return why a baseline has no answer to a sample; empty if it has one."""
    pair = f"{sample.task}/{sample.variant}"
    baseline = baseline_of(protocol.baselines, snapshot["baseline"])
    return "" if baseline.answers(sample, snapshot.get("majority", {}).get(pair)) else baseline.no_answer
