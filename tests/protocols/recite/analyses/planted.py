"""A corpus planted from one seed: judged answers to texts, with known effects, as rows of the frame of results.

Planted: F1 falls to half from the most to the least explicit text; the second judge gives 0.122 less than the first;
F1 falls with the number of edges (r about −0.17). One judged answer in 40 is incomplete, one in 40 is empty.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd

from core.analysis.columns import ItemColumns
from core.analysis.presets import Shown
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.topology import topology
from protocols.recite.analyses.structure import MEASURES
from protocols.recite.tables import TABLES

JUDGE_OFFSET = -0.122
MODELS = (
    ("Alpha", "A", False, None, "2024-06", 1.0),
    ("Beta", "B", True, 70.0, "2023-10-01", 0.9),
    ("Gamma", "B", True, 8.0, "2022-03", 0.6),
    ("Delta", "D", True, 32.0, "", 0.75),
)
"""Name, family, whether its card says proprietary, billions of parameters, knowledge cutoff, and its level of F1."""
DOMAINS = (("Economics", "Trade"), ("Ecology", "Lakes"), ("Engineering", None), (None, None))


def corpus(samples: int = 30, models: int = 4, judges: int = 2, seed: int = 7, *, runs: int = 1) -> pd.DataFrame:
    """Return the frame: a row for each answer and judge. Models past the fourth are copies of them with other names."""
    rng = np.random.default_rng(seed)
    facts = [_facts(rng, place, samples) for place in range(samples)]
    rows = list[dict[str, Any]]()
    for place, fact in enumerate(facts):
        size = (fact["count.edges"] - 20) / 20
        for number in range(models):
            name, family, is_open, billions, cutoff, level = MODELS[number % len(MODELS)]
            name += "" if number < len(MODELS) else f" {number // len(MODELS) + 1}"
            base = level * (0.35 + 0.35 * fact["fact.explicitness"]) - 0.035 * size + 0.05 * rng.standard_normal()
            use = {
                "tokens_in": 9_000.0 + 10 * place,
                "tokens_out": 800.0 + 100 * number,
                "tokens_cached": 4_000.0,
                "tokens_reasoning": float(rng.integers(500, 9_000)) if number % 2 == 0 else None,
                "reasoning_characters": float(rng.integers(2_000, 40_000)) if number % 2 == 0 else None,
                "cost_usd": 0.01 * (number + 1) + 0.0001 * place,
                "latency_s": 2.0 + number,
            }
            state = rng.integers(0, 40)
            for judge in range(judges):
                f1 = float(np.clip(base + JUDGE_OFFSET * judge + 0.02 * rng.standard_normal(), 0.02, 0.98))
                scores = {"overall": f1, "edge": f1 - 0.05 * rng.random(), "node": min(1.0, f1 + 0.1 * rng.random())}
                is_empty, is_open_ended = state == 0, state == 1
                rows.append(
                    {
                        "item": f"{place:03}-{number}",
                        "run": "run 2",
                        "protocol": "recite",
                        "task": "judge",
                        "variant": "standard",
                        "judged_variant": "standard",
                        "model": name,
                        "judge": ("First judge", "Second judge", "Third judge")[judge],
                        "kind": "model",
                        "sample": f"s{place:03}",
                        "pair": f"generate/s{place:03}",
                        "cluster": f"s{place:03}",
                        "repeat": 0,
                        "status": "answered",
                        "judge_status": "empty" if is_empty else "incomplete" if is_open_ended else "judged",
                        "flags": "without_edges" if is_empty else None,
                        "family": family,
                        "open_weight": is_open,
                        "parameters_b": billions,
                        "knowledge_cutoff": cutoff or None,
                        "type": "reasoning" if number % 2 == 0 else "instruct",
                        "context_length": 128_000.0 if number else None,
                        **use,
                        **fact,
                        **({} if is_open_ended else _scores(rng, scores, is_empty=is_empty)),
                    }
                )
    return pd.DataFrame(rows)


def exact(
    samples: int = 30, models: int = 4, seed: int = 7, *, variants: tuple[str, ...] = ("standard",), gain: float = 0.04
) -> pd.DataFrame:
    """Return the frame of the answers themselves, with scores by exact names: a row for each answer and variant. With
    the names given, F1 is higher by about `gain`; one answer in 30 failed and scores 0."""
    judged = corpus(samples, models, 1, seed)
    rng = np.random.default_rng(seed + 1)
    parts = list[pd.DataFrame]()
    for place, variant in enumerate(variants):
        f1 = np.clip(judged["score.default.overall_f1"].fillna(0.3) - 0.1 + place * gain, 0, 0.9)
        f1 = np.clip(f1 + 0.03 * rng.standard_normal(len(f1)), 0.0, 0.95)
        has_failed = rng.integers(0, 30, len(f1)) == 0
        f1 = f1.where(~has_failed, 0.0)
        spread = np.minimum(0.02, f1)
        scores = {
            f"{what}_{name}": f1 + at
            for what in ("edge", "node")
            for name, at in (("f1", 0.0), ("precision", spread), ("recall", -spread))
        }
        scores |= {f"released_{name}": 0.5 + f1 / 2 for name in ("f1", "precision", "recall")}
        scores |= {"shd_once": 30 * (1 - f1), "shd_twice": 32 * (1 - f1), "shd_gold_pairs": (1 - f1) / 10}
        about = judged.loc[:, [name for name in judged if not name.startswith(("score.", "count.judged.", "judge"))]]
        parts.append(
            about.assign(
                item=about["item"] + f"-{variant}",
                run="run 1",
                task="generate",
                variant=variant,
                sample=about["sample"] + f"-{variant}",
                status=np.where(has_failed, "failed", "answered"),
                flags=None,
                **{f"score.{name}": values for name, values in scores.items()},
            )
        )
    return pd.concat(parts, ignore_index=True)


def prepared(frame: pd.DataFrame) -> tuple[ItemColumns, Shown]:
    """The items of a frame, and the order of models, as the analyses take them."""
    return ItemColumns.of_frame(frame, {"standard": "standard", "names": "names given"}), TABLES.shown(frame)


def _facts(rng: np.random.Generator, place: int, samples: int) -> dict[str, Any]:
    nodes = int(rng.integers(6, 24))
    names = [f"concept {place % 7}", *(f"concept {place}.{n}" for n in range(nodes - 1))]
    pairs = {(int(a), int(b)) for a, b in rng.integers(0, nodes, (int(rng.integers(nodes, 2 * nodes)), 2)) if a != b}
    graph = CausalGraph.of([Edge(names[a], names[b]) for a, b in sorted(pairs)], names)
    shape = topology(graph)
    explicit = rng.permutation(samples)[0] / max(1, samples - 1)
    domain, field = DOMAINS[place % len(DOMAINS)]
    measures = {name: getattr(shape, name) for name in MEASURES}
    numbers = {name: getattr(value, "value", value) for name, value in measures.items()}
    year, month = 2021 + place % 5, 1 + place % 12
    return {
        **{f"count.{name}": None if number is None else float(number) for name, number in numbers.items()},
        "count.cycles_capped": float(shape.cycles_capped),
        "fact.nodes": nodes,
        "fact.edges": shape.edges,
        "fact.density": shape.density.value,
        "fact.is_cyclic": str(shape.cycles > 0),
        "fact.characters": int(np.exp(rng.normal(10, 1)) + 700),
        "fact.explicitness": round(float(explicit), 4),
        "fact.strict": round(float(explicit) * 0.8, 4),
        "fact.paper": f"paper {place}",
        "fact.domain": domain,
        "fact.field": field,
        "fact.year": year,
        "fact.date": f"{year}-{month:02}",
        "fact.node_names": json.dumps(names),
    }


def _scores(rng: np.random.Generator, f1: dict[str, float], *, is_empty: bool) -> dict[str, float]:
    result = dict[str, float]()
    for form, offset in (("default", 0.0), ("unweighted_literal", -0.03), ("unweighted_strict", -0.06)):
        for part, value in f1.items():
            at = 0.0 if is_empty else float(np.clip(value + offset, 0, 1))
            spread = 0.0 if is_empty else min(0.02, at, 1 - at)
            result |= {
                f"score.{form}.{part}_f1": at,
                f"score.{form}.{part}_precision": at + spread,
                f"score.{form}.{part}_recall": at - spread,
            }
    total = 0.0 if is_empty else float(rng.integers(5, 40))
    result |= {"score.shd.total": total, "score.shd.normalised": total / 400}
    if not is_empty:
        edges, matched = int(rng.integers(8, 30)), int(rng.integers(2, 8))
        counts = {"edges": edges, "matched": matched, "correct": matched - 1, "reversed": 1, "supported": edges - 2}
        of_matched = {"matched_correct": matched - 1, "matched_reversed": 1, "matched_supported": matched}
        result |= {f"count.judged.{name}": float(value) for name, value in (counts | of_matched).items()}
    return result
