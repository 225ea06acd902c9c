"""Where a run does otherwise than its protocol, in words for a screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.vectors import LEXICAL
from prompts import Prompt
from protocols.protocol import BenchmarkProtocol
from services.runs.models import PlannedRequests, default_parameters
from services.runs.settings import DeviationLine, RunConfig


def deviations_of(
    protocol: BenchmarkProtocol, wanted: RunConfig, prompts: Mapping[str, Prompt], models: Sequence[PlannedRequests]
) -> tuple[DeviationLine, ...]:
    """All of them: of drawing and matching (only where samples are built), of prompts, and of each model's parameters,
    also of those that it is not sent."""
    settings: dict[str, Any] = {"repeats": wanted.repeats}
    if wanted.source.is_built:
        settings |= {"seed": wanted.seed, "per_stratum": wanted.options.get("per_stratum")}
        if any(task != "task1" for task in wanted.tasks):
            settings |= {
                "embedder": LEXICAL,
                **{name: value for name, value in wanted.options.items() if name != "per_stratum"},
            }
    found = [
        DeviationLine(_words(each.name), _said(each.default), _said(each.used))
        for each in protocol.deviations(settings)
    ]
    if wanted.most_samples is not None:
        chosen = f"at most {wanted.most_samples:,}, seed {wanted.seed}"
        found.append(DeviationLine("samples per task and variant", "all", chosen))
    return (*found, *_of_prompts(protocol, wanted, prompts), *_of_parameters(protocol, models))


def _of_prompts(protocol: BenchmarkProtocol, wanted: RunConfig, prompts: Mapping[str, Prompt]) -> list[DeviationLine]:
    own = str(protocol.defaults["prompts"])
    found = [
        DeviationLine(f"prompt {name}", own, prompt.origin) for name, prompt in prompts.items() if prompt.origin != own
    ]
    if "as-released" in wanted.variants:
        found.append(DeviationLine("prompts", own, "the question of each row, as released"))
    return found


def _of_parameters(protocol: BenchmarkProtocol, models: Sequence[PlannedRequests]) -> list[DeviationLine]:
    own = default_parameters(protocol)
    found = []
    for model in models:
        sent = model.snapshot.get("parameters")
        if sent is None:
            continue
        found += [
            DeviationLine(f"{_words(each.name)} ({model.name})", _said(each.default), _said(each.used))
            for each in protocol.deviations({name: value for name, value in sent.items() if name != "seed"})
        ]
        if "seed" in sent:
            found.append(DeviationLine(f"request seed ({model.name})", "not set", _said(sent["seed"])))
        found += [
            DeviationLine(f"{_words(name)} ({model.name})", _said(value), "not set")
            for name, value in own.items()
            if name not in sent
        ]
    return found


def _words(name: str) -> str:
    return name.replace("_", " ")


def _said(value: Any) -> str:
    return "–" if value is None else str(value)
