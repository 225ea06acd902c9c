"""Slices for tests: the paper's graphs, and small ones made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from prompts.loader import Prompt, load
from protocols.causalgraph2llm.benchmark import PROTOCOL
from protocols.causalgraph2llm.graphs import value_of
from protocols.causalgraph2llm.tasks import ASK, USUAL_TASKS, VARIANTS
from protocols.numbered_samples import Space
from protocols.samples import Sample
from protocols.step_values import Inputs
from services.protocols.causalgraph2llm.graphs import DENSITIES, paper_set

EVERYTHING = {"node_sampling": "all", "amount": "all"}
SMALL = CausalGraph.of([Edge("A", "M"), Edge("M", "B"), Edge("A", "B"), Edge("C", "A"), Edge("C", "B")], nodes="BMACZ")
"""C is a source; Z is isolated; M mediates between A and B, A between C and M and between C and B; C confounds A and
B, A confounds M and B."""


@cache
def paper_inputs(densities: tuple[float, ...] = DENSITIES[:1]) -> Inputs:
    return Inputs("", {"graphs": tuple(paper_set(densities))})


def inputs_of(**graphs: CausalGraph) -> Inputs:
    return Inputs("", {"graphs": tuple(value_of(name, graph) for name, graph in graphs.items())})


def settings(
    tasks: Sequence[str] = USUAL_TASKS, variants: Sequence[str] = VARIANTS[:2], **said: Any
) -> Mapping[str, Any]:
    return {"tasks": list(tasks), "variants": list(variants), "seed": 1, "most_samples": None, **said}


def space(inputs: Inputs, wanted: Mapping[str, Any]) -> Space:
    return PROTOCOL.space(ASK, inputs, wanted)


def samples(inputs: Inputs, wanted: Mapping[str, Any], start: int = 0, count: int | None = None) -> tuple[Sample, ...]:
    return PROTOCOL.samples(ASK, inputs, wanted, start, count).samples


@cache
def prompt(name: str) -> Prompt:
    return load(name, placeholders=PROTOCOL.placeholders)


def prompts_for(sample: Sample) -> dict[str, Prompt]:
    return {name: prompt(name) for name in PROTOCOL.prompt_names(sample.task, sample.variant)}
