"""Where a run does otherwise than its protocol, in words for a screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prompts.loader import Prompt
from protocols.protocol import BenchmarkProtocol, Deviation, deviations_from
from services.runs.models import PlannedRequests, default_parameters, parameters_in, parameters_of
from services.runs.settings import DeviationLine, RunConfig
from services.runs.wanted import kept

PROMPTS = "prompts"
RoleCards = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Role → card → its snapshot, with the parameters that it is sent in this role."""


def deviations_of(
    protocol: BenchmarkProtocol,
    wanted: RunConfig,
    prompts: Mapping[str, Prompt],
    models: Sequence[PlannedRequests],
    role_cards: RoleCards,
) -> tuple[DeviationLine, ...]:
    """All of them: of what the protocol lets a run choose, of prompts, and of the parameters of each model and of each
    card in each role, also of those that it is not sent."""
    own = protocol.deviations(kept(wanted))
    found = [_line(each) for each in own if each.name != PROMPTS]
    if wanted.most_samples is not None:
        chosen = f"at most {wanted.most_samples:,}, seed {wanted.seed}"
        found.append(DeviationLine("samples per task and variant", "all", chosen))
    found += _of_prompts(protocol, prompts)
    found += [_line(each) for each in own if each.name == PROMPTS]
    for model in models:
        found += _of_parameters(protocol, default_parameters(protocol, wanted.tasks), model.snapshot, model.name)
    for name, cards in role_cards.items():
        role = protocol.roles.get(name)
        for card, snapshot in cards.items():
            usual = parameters_of(protocol, {}, {}, wanted.tasks, parameters_in(role, snapshot["kind"]))
            found += _of_parameters(protocol, usual, snapshot, f"{card}, {role.title if role else name}")
    return tuple(found)


def _of_prompts(protocol: BenchmarkProtocol, prompts: Mapping[str, Prompt]) -> list[DeviationLine]:
    own = str(protocol.defaults[PROMPTS])
    return [
        DeviationLine(f"prompt {name}", own, prompt.origin) for name, prompt in prompts.items() if prompt.origin != own
    ]


def _of_parameters(
    protocol: BenchmarkProtocol, own: Mapping[str, Any], snapshot: Mapping[str, Any], who: str
) -> list[DeviationLine]:
    """Of the parameters that a model is sent, `own` being those that the protocol would send it; none of a baseline."""
    sent = snapshot.get("parameters")
    if sent is None:
        return []
    unseeded = {name: value for name, value in sent.items() if name != "seed"}
    found = [
        DeviationLine(f"{_words(each.name)} ({who})", _said(each.default), _said(each.used))
        for each in deviations_from({**protocol.defaults, **own}, unseeded)
    ]
    if "seed" in sent:
        found.append(DeviationLine(f"request seed ({who})", "not set", _said(sent["seed"])))
    found += [
        DeviationLine(f"{_words(name)} ({who})", _said(value), "not set")
        for name, value in own.items()
        if name not in sent
    ]
    return found


def _line(each: Deviation) -> DeviationLine:
    return DeviationLine(_words(each.name), _said(each.default), _said(each.used))


def _words(name: str) -> str:
    return name.replace("_", " ")


def _said(value: Any) -> str:
    return "–" if value is None else str(value)
