"""Planted answers that tests of results share: seeded, with every status, several letters, and probabilities."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from core.analysis.columns import ItemColumns
from core.analysis.frame import NEEDED, packed
from core.analysis.items import ResultItem
from core.analysis.metrics import ITEMS, SHARE_UNPARSABLE, Metric
from core.analysis.presets import ProtocolTables
from core.runs.states import ITEM_STATUSES
from protocols.econcausal.tables import PRESETS
from protocols.econcausal.tables import TABLES as ECONCAUSAL
from protocols.econcausal.tasks import VARIANT_TITLES

SIGNS = ("+", "-", "None", "mixed")
METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        *(metric for preset in PRESETS.values() for part in preset.parts for metric in part.metrics),
        *(SHARE_UNPARSABLE, ITEMS),
    )
}
"""All scores of EconCausal's tables, and two that others share."""


@dataclass(frozen=True, kw_only=True)
class PlantedItem(ResultItem):
    """An answer with what only a frame has of it: its id, sample and cluster, and the probability of each label."""

    item_id: str = ""
    sample: str = ""
    cluster: str | None = None
    probabilities: Mapping[str, float] | None = None


def item(number: int = 1, **given: Any) -> PlantedItem:
    """An answered, right item of task 1; `said` follows the prediction unless it is given."""
    fields: dict[str, Any] = {
        "run": "Run 1",
        "model": "m",
        "task": "task1",
        "variant": "context",
        "status": "answered",
        "answer": "+",
        "item_id": f"i{number}",
        "cluster": f"p{number}",
    }
    labels: dict[str, Any] = {"domain": "economics", "year": 1990, "jel": ("J",), "example_signs": ()}
    labels |= {name: given.pop(name) for name in list(given) if name in labels}
    labels |= {name: () if (said := labels[name]) in (None, "") else (str(said),) for name in ("domain", "year")}
    fields |= {"labels": labels} | given
    if fields["status"] == "answered":
        fields.setdefault("predicted", fields["answer"])
        fields.setdefault("said", fields["predicted"])
        fields.setdefault("is_right", fields["predicted"] == fields["answer"])
    if fields["status"] == "unparsable":
        fields.setdefault("is_right", False)
    fields.setdefault("variant_title", VARIANT_TITLES.get(fields["variant"], ""))
    known = ["", *VARIANT_TITLES]
    fields.setdefault("variant_place", known.index(fields["variant"]) if fields["variant"] in known else len(known))
    known_shares = {label: share for label, share in (fields.get("probabilities") or {}).items() if share}
    fields["most_probable"] = max(sorted(known_shares), key=known_shares.__getitem__, default="")
    return PlantedItem(**fields)


def planted(seed: str, n: int = 120, models: Sequence[str] = ("a", "b", "c")) -> list[PlantedItem]:
    chance = random.Random(seed)
    found: list[PlantedItem] = []
    for number in range(n):
        status = chance.choices(ITEM_STATUSES, [1, 12, 3, 1, 0, 1, 1, 1])[0]
        answer = chance.choices(SIGNS, [5, 3, 2, 1])[0]
        task = chance.choice(["task1", "task2", "task3"])
        variant = chance.choice(["context", "unknown"]) if task == "task1" else "context"
        options = (*SIGNS, "unknown") if variant == "unknown" else SIGNS
        predicted = chance.choice([answer, chance.choice(options)]) if status == "answered" else None
        shown = tuple(chance.choice(SIGNS) for _ in range(0 if task == "task1" else chance.randint(1, 3)))
        probabilities = None
        if chance.random() < 0.6:
            weights = [chance.random() ** 3 for _ in SIGNS]
            probabilities = {
                sign: round(weight / sum(weights), 3)
                for sign, weight in zip(SIGNS, weights, strict=True)
                if chance.random() < 0.9
            }
        found.append(
            item(
                number,
                model=models[number % len(models)],
                task=task,
                variant=variant,
                status=status,
                answer=answer,
                predicted=predicted,
                said=predicted or chance.choice([None, "", "rises"]),
                example_signs=shown,
                cluster=f"p{chance.randrange(n // 4)}",
                year=chance.choice([None, 1990, 1991, 2005]),
                jel=tuple(sorted(chance.sample(["J", "H", "numeric", "missing"], chance.randint(0, 2)))),
                domain=chance.choice(["economics", "finance", ""]),
                probabilities=probabilities,
            )
        )
    return found


def frame_of(items: Sequence[PlantedItem]) -> pd.DataFrame:
    """The frame that holds these items."""
    rows = []
    for each in items:
        row = {
            "item": each.item_id,
            "run": each.run,
            "model": each.model,
            "kind": each.kind,
            "task": each.task,
            "variant": each.variant,
            "status": each.status,
            "true": each.answer,
            "predicted": each.predicted,
            "right": each.is_right,
            "answer": each.said,
            "sample": each.sample,
            "cluster": each.cluster,
            "flags": packed(each.flags),
            "score.answer": each.score,
        }
        row |= {f"fact.{name}": packed(values) for name, values in each.labels.items()}
        row |= {f"score.{name}": value for name, value in each.measures.items()}
        shares = each.probabilities or {}
        rows.append(row | {f"prob.{label}": share for label, share in shares.items()})
    frame = pd.DataFrame.from_records(rows, columns=None if rows else [*NEEDED, "score.answer"])
    return frame.astype({"score.answer": float})


def columns_of(items: Iterable[PlantedItem], of: ProtocolTables = ECONCAUSAL) -> ItemColumns:
    """The columns of items, drawn as the tables of a protocol draw them."""
    every = list(items)
    titles = {each.variant: each.variant_title for each in sorted(every, key=lambda each: each.variant_place)}
    known = {name: title for name, title in titles.items() if name}
    return ItemColumns.of_frame(frame_of(every), known, unit_of=of.unit_of, strata=of.strata)
