"""Runs of answers and runs of judges, as tests begin them."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from services.runs.settings import RunConfig
from services.study import Study
from tests.services.run_parts import finished, start
from tests.services.runs.narratives import bring, narratives, wanted

MODELS = ("random", "co-mention", "hub")
JUDGES = ("judge:honest", "judge:forgetful")


def answers(study: Study, people: SimpleNamespace, most: int, baselines: tuple[str, ...] = MODELS) -> int:
    """A finished run of graphs from narratives; its number."""
    key = bring(people.researcher, narratives()[:most])
    run_id = start(people.researcher, wanted(key, variants=("names",), baselines=baselines))
    return finished(study, people.researcher, run_id).number


def to_judge(number: int, judges: tuple[str, ...] = JUDGES, **options: Any) -> RunConfig:
    said = wanted("", tasks=("judge",), variants=("standard",), options={"of": str(number), **options})
    return replace(said, title="Judged", models=judges)
