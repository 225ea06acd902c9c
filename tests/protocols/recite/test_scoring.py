"""The published case of the Qinba Mountains: the protocol's own reading and scores give the counts that are printed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from core.runs.states import ItemStatus
from protocols.exchanges import Reading
from protocols.recite.benchmark import PROTOCOL
from protocols.samples import Sample
from tests.protocols.recite.parts import FIRST_ONLY, answered, made

QINBA = Path(__file__).resolve().parents[4] / "shared" / "data" / "cld" / "recite_qinba_case.json"
GDP = "County GDP"
Counts = tuple[int, int, int]


@pytest.fixture
def case() -> dict[str, Any]:
    if not QINBA.exists():
        pytest.skip(f"{QINBA.name} is not here")
    found: dict[str, Any] = json.loads(QINBA.read_text(encoding="utf-8"))
    return found


def sample_of(truth: Mapping[str, Any], without: str) -> Sample:
    edges = [(each["source"], each["sink"]) for each in truth["edges"]]
    return made(
        nodes=[name for name in truth["nodes"] if name != without],
        edges=[pair for pair in edges if without not in pair],
    )


def counts(sample: Sample, edges: list[dict[str, str]]) -> tuple[Counts, Counts]:
    """(matched, missed, spurious) nodes, and edges, of an answer in a model's manner."""
    text = f"<think>…</think>\n```json\n{json.dumps({'relationships': edges}, indent=1)}\n```"
    reading = PROTOCOL.next(sample, FIRST_ONLY, [answered(text, sample)])
    assert isinstance(reading, Reading) and reading.status is ItemStatus.ANSWERED
    score = PROTOCOL.score(sample, reading)
    assert score is not None
    node, edge = (
        (score.parts[part]["tp"], score.parts[part]["fn"], score.parts[part]["fp"]) for part in ("node", "edge")
    )
    return node, edge


def aligned(edges: list[dict[str, str]], alignment: Mapping[str, str]) -> list[dict[str, str]]:
    """In the truth's names, where a person said so."""
    return [{end: alignment.get(name, name) for end, name in each.items()} for each in edges]


@pytest.mark.parametrize(("without", "missed"), [(GDP, 3), ("", 4)])
def test_an_aligned_answer_gets_the_printed_counts(case: dict[str, Any], without: str, missed: int) -> None:
    edges = aligned(case["prediction_r1"]["edges"], case["alignment_r1"])
    node, edge = counts(sample_of(case["ground_truth"], without), edges)
    assert (node, edge) == ((1, missed, 2), (0, missed, 2))
    if without:
        printed = case["expected_r1_without_County_GDP"]
        stated = {
            f"{part}_{name}": number
            for part, found in (("node", node), ("edge", edge))
            for name, number in zip(("tp", "fn", "fp"), found, strict=True)
        }
        assert stated == printed


@pytest.mark.parametrize(("without", "missed"), [(GDP, 4), ("", 5)])
def test_by_its_own_names_none_of_its_nodes_is_found(case: dict[str, Any], without: str, missed: int) -> None:
    """“County's arable land area” is not “Arable land in county” after folding: exact names are a lower bound."""
    sample = sample_of(case["ground_truth"], without)
    assert counts(sample, case["prediction_r1"]["edges"]) == ((0, missed, 3), (0, missed - 1, 2))


def test_the_experts_answer_names_two_nodes_but_for_their_capitals(case: dict[str, Any]) -> None:
    """Precipitation and sunshine of five nodes; two more are its own names. None of its three edges is a true one."""
    sample = sample_of(case["ground_truth"], "")
    assert counts(sample, case["prediction_expert"]["edges"]) == ((2, 3, 2), (0, 4, 3))
