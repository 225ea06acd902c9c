"""The shipped structures are those of their source: the same nodes and edges in the same order, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from core.graphs.orders import topological
from tests.core.graphs.asked_plainly import NETWORKS, network

NAMES = sorted(path.stem for path in NETWORKS.glob("*.json"))
SOURCE = Path(__file__).resolve().parents[4] / "shared" / "data" / "bnlearn"


def test_the_list_names_every_file_with_its_size() -> None:
    table = (NETWORKS / "README.md").read_text(encoding="utf-8")
    listed = {name: (int(n), int(m)) for name, n, m in re.findall(r"\| `(\w+)\.json` \| (\d+) \| (\d+) \|", table)}
    assert listed == {name: (len(network(name).nodes), len(network(name).edges)) for name in NAMES}
    assert len(listed) == 15


@pytest.mark.parametrize("name", NAMES)
def test_a_structure_has_no_cycle_and_no_edge_twice(name: str) -> None:
    graph = network(name)
    assert len(topological(graph)) == len(graph.nodes)
    assert len({edge.pair for edge in graph.edges}) == len(graph.edges)


@pytest.mark.skipif(not SOURCE.is_dir(), reason="the sources are in ../shared/data, not here")
@pytest.mark.parametrize("name", NAMES)
def test_a_structure_is_that_of_its_source(name: str) -> None:
    source = json.loads((SOURCE / f"{name}.json").read_text(encoding="utf-8"))
    pairs = [{"source": each["source"], "sink": each["sink"]} for each in source["edges"]]
    shipped = json.loads((NETWORKS / f"{name}.json").read_text(encoding="utf-8"))
    assert shipped == {"nodes": source["nodes"], "edges": pairs}
