"""Rows of a new run: settings, manifest with every hash, samples and items."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from core.runs.states import ItemStatus, ModelKind
from core.runs.windows import NUMBERED, NumberedWindow
from protocols.samples import content_hash
from protocols.steps import names_of_steps
from runs.numbered.windows import sources_of
from services.runs.models import parameters_of, unanswerable, with_role
from services.runs.preparing import Prepared, permissions_of
from services.runs.prompts import described
from services.runs.run_settings import settings_json
from store.runs import runs
from store.runs.permissions import PERMISSIONS

AS_RELEASED = "as released"
"""Name of the prompt if each row has its own question."""
OF_ITEMS = ("samples", "messages", "requests")
"""Hashes that a run lacks if its requests are made as it proceeds."""


def settings(prepared: Prepared) -> dict[str, Any]:
    config, permissions = prepared.wanted, permissions_of(prepared.protocol)
    return {
        "models": snapshots_of(prepared),
        **({"roles": {name: list(cards) for name, cards in config.roles.items()}} if config.roles else {}),
        "budget": asdict(config.budget),
        "seed": config.seed,
        "repeats": config.repeats,
        **names_of_steps(prepared.drawing.steps),
        **({PERMISSIONS: permissions} if permissions else {}),
        "wanted": settings_json(config),
    }


def snapshots_of(prepared: Prepared) -> dict[str, Any]:
    """Return the snapshots of all cards, those of roles and embedders last. A card with different parameters in a role
    has these in addition to its own."""
    snapshot_of = {model.name: dict(model.snapshot) for model in prepared.models}
    for role, cards in prepared.role_cards.items():
        for name, snapshot in cards.items():
            first = snapshot_of.get(name)
            snapshot_of[name] = dict(snapshot) if first is None else with_role(first, role, snapshot.get("parameters"))
    return {**snapshot_of, **prepared.drawing.embedders}


def manifest(prepared: Prepared) -> dict[str, Any]:
    """Return every hash that determines the run, and the facts on its card."""
    config = prepared.wanted
    prompts = described(
        (each, prepared.protocol.released_names.get(name, ())) for name, each in prepared.prompts.items()
    )
    numbers = _numbers(prepared)
    requests = sorted(key for model in prepared.models for key in model.hashes.values())
    hashes = {
        "samples": content_hash(sorted(each.hash for each in prepared.drawn.samples)),
        "prompts": content_hash(sorted(each["hash"] for each in prompts)),
        "messages": prepared.messages_hash,
        "requests": content_hash(requests),
        "models": content_hash(snapshots_of(prepared)),
        "wanted": content_hash(settings_json(config)),
        **{f"source {title}": key for title, key in prepared.sources.items()},
    }
    if numbers is not None:
        # Numbered samples are derived, so the hash of what they are derived from replaces their own hashes.
        not_of_samples = ("title", "models", "baselines", "repeats", "parameters", "budget", "roles")
        drawn_by = {name: value for name, value in settings_json(config).items() if name not in not_of_samples}
        hashes["samples"] = content_hash([prepared.protocol.name, numbers, drawn_by])
        del hashes["messages"], hashes["requests"]
    elif not prepared.drawing.is_whole:
        hashes = {name: key for name, key in hashes.items() if name not in OF_ITEMS}
    return {
        "hashes": hashes,
        "prompts": prompts,
        "prompts_folder": str(prepared.folder or ""),
        "made": prepared.drawn.made,
        "parameters": parameters_of(prepared.protocol, {}, config.parameters, config.tasks),
        "deviations": [[each.what, each.default, each.chosen] for each in prepared.deviations],
        "excluded": [] if numbers else [[each.task, each.variant, each.key, each.reason] for each in prepared.left_out],
        "notices": list(prepared.drawn.notices),
        **({} if numbers is None else {NUMBERED: numbers}),
    }


def _numbers(prepared: Prepared) -> dict[str, Any] | None:
    """Return what numbered samples are derived from, in addition to the config; None if the run stores its samples."""
    space = prepared.space
    if space is None:
        return None
    repeats = {
        each.name: 1 if each.snapshot["kind"] == ModelKind.BASELINE else prepared.wanted.repeats
        for each in prepared.models
    }
    return NumberedWindow(
        parts=tuple((part.task, part.variant, part.samples) for part in space.parts),
        items=repeats,
        version=prepared.protocol.version,
        sources=sources_of(prepared.given)[0],
    ).as_json()


def new_samples(prepared: Prepared) -> list[runs.NewSample]:
    samples = []
    for sample, messages in zip(prepared.drawn.samples, prepared.messages, strict=True):
        names = prepared.protocol.prompt_names(sample.task, sample.variant)
        hashes = [prepared.prompts[name].hash for name in names]
        samples.append(
            runs.NewSample(
                task=sample.task,
                variant=sample.variant,
                key=sample.key,
                sample_hash=sample.hash,
                answer=sample.answer,
                facts=sample.facts,
                messages=messages,
                prompt=names[0] if names else AS_RELEASED,
                prompt_hash="" if not hashes else hashes[0] if len(hashes) == 1 else content_hash(hashes),
                subject=sample.subject,
                step=sample.step,
                truth=sample.truth,
                labels=prepared.protocol.summary(sample).labels,
            )
        )
    return samples


def new_items(prepared: Prepared) -> list[runs.NewItem]:
    """Return one item per sample, model and repeat. Baselines are deterministic and asked once."""
    items = []
    for model in prepared.models:
        if model.snapshot["kind"] == ModelKind.BASELINE:
            items += [
                runs.NewItem(
                    place, model.name, status=(ItemStatus.EXCLUDED if why else ItemStatus.PENDING).value, fault=why
                )
                for place, sample in enumerate(prepared.drawn.samples)
                for why in [unanswerable(model.name, model.snapshot, sample, prepared.protocol)]
            ]
        else:
            items += [runs.NewItem(place, model.name, repeat, key) for (place, repeat), key in model.hashes.items()]
            items += [
                runs.NewItem(place, model.name, repeat, status=ItemStatus.EXCLUDED.value, fault=why)
                for (place, repeat), why in model.too_long.items()
            ]
    return items
