"""Deviations of a run from its protocol, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prompts.loader import Prompt
from protocols.protocol import BenchmarkProtocol, Deviation, deviations_from
from services.runs.models import PlannedRequests, default_parameters, parameters_in, parameters_of
from services.runs.run_settings import settings_json
from services.runs.settings import DeviationLine, RunConfig

PROMPTS = "prompts"
RoleCards = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Role → card → its snapshot, with the parameters sent in this role."""


def deviations_of(
    protocol: BenchmarkProtocol,
    config: RunConfig,
    prompts: Mapping[str, Prompt],
    models: Sequence[PlannedRequests],
    role_cards: RoleCards,
) -> tuple[DeviationLine, ...]:
    """Return all deviations: of options, of prompts, and of the parameters of each model and of each card in each
    role, including parameters that are not sent."""
    own = protocol.deviations(settings_json(config))
    lines = [_line(each) for each in own if each.name != PROMPTS]
    if config.most_samples is not None:
        chosen = f"at most {config.most_samples:,}, seed {config.seed}"
        lines.append(DeviationLine("samples per task and variant", "all", chosen))
    released = str(protocol.defaults[PROMPTS])
    for name, prompt in prompts.items():
        if prompt.origin != released:
            lines.append(DeviationLine(f"prompt {name}", released, prompt.origin))
    lines += [_line(each) for each in own if each.name == PROMPTS]
    for model in models:
        lines += _of_parameters(protocol, default_parameters(protocol, config.tasks), model.snapshot, model.name)
    for name, cards in role_cards.items():
        role = protocol.roles.get(name)
        for card, snapshot in cards.items():
            usual = parameters_of(protocol, {}, {}, config.tasks, parameters_in(role, snapshot["kind"]))
            lines += _of_parameters(protocol, usual, snapshot, f"{card}, {role.title if role else name}")
    return tuple(lines)


def _of_parameters(
    protocol: BenchmarkProtocol, own: Mapping[str, Any], snapshot: Mapping[str, Any], who: str
) -> list[DeviationLine]:
    """Return deviations from `own`, the parameters that the protocol would send to a model; none for a baseline."""
    sent = snapshot.get("parameters")
    if sent is None:
        return []
    unseeded = {name: value for name, value in sent.items() if name != "seed"}
    lines = [
        DeviationLine(f"{_words(each.name)} ({who})", _format_value(each.default), _format_value(each.used))
        for each in deviations_from({**protocol.defaults, **own}, unseeded)
    ]
    if "seed" in sent:
        lines.append(DeviationLine(f"request seed ({who})", "not set", _format_value(sent["seed"])))
    lines += [
        DeviationLine(f"{_words(name)} ({who})", _format_value(value), "not set")
        for name, value in own.items()
        if name not in sent
    ]
    return lines


def _line(each: Deviation) -> DeviationLine:
    return DeviationLine(_words(each.name), _format_value(each.default), _format_value(each.used))


def _words(name: str) -> str:
    return name.replace("_", " ")


def _format_value(value: Any) -> str:
    return "–" if value is None else str(value)
