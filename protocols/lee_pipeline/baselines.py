"""Baselines: cue phrases extract without understanding, and three coins replace the small models."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType

from core.seeded_random import draw
from protocols.baselines import BaselineAnswerer
from protocols.lee.tasks import schema_of
from protocols.lee_pipeline.asking import FOUND
from protocols.lee_pipeline.tasks import COINS, CUE_PHRASES, EASY, EXTRACT
from protocols.samples import Sample


def _coin(seed: int) -> BaselineAnswerer:
    def reply(sample: Sample, _of_all: str | None) -> str | None:
        if sample.task != EASY:
            return None
        schema = schema_of(str(sample.facts["type"]))
        labels = schema.labels.classes
        return json.dumps({schema.key: labels[draw(seed, f"coin/{sample.hash}", 0, len(labels))]})

    return BaselineAnswerer(
        title=f"Coin with seed {seed}", reply=reply, tasks=(EASY,), no_answer="a coin answers questions only"
    )


BASELINES: Mapping[str, BaselineAnswerer] = MappingProxyType(
    {
        CUE_PHRASES: BaselineAnswerer(
            title="Cue phrases (understands nothing): sentences with verbs of raising, lowering, no effect",
            reply=lambda sample, _of_all: (
                json.dumps(sample.facts.get(FOUND, []), ensure_ascii=False) if sample.task == EXTRACT else None
            ),
            tasks=(EXTRACT,),
            no_answer="cue phrases answer no question",
        ),
        **{name: _coin(seed) for seed, name in enumerate(COINS, 1)},
    }
)
"""In expectation, three coins filter out 1 of 8 questions of types 1 to 4, and 1 of 27 of type 5."""
