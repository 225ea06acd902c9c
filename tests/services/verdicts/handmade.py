"""A verdict made by hand, brought in as the released tables are: a text, its true graph, an answer, and what a judge
said of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from core.people import Viewer
from core.verdicts.labels import LEGAL, PRESENCE, LabelBlock, Section, na_of
from core.verdicts.review import fields_of
from exchange.recite import ReciteRow, write_default
from exchange.recite_responses import PublicKind
from services.graphs import sample_tables
from services.protocols.recite.public_tables import importing
from tests.services.run_parts import act
from tests.services.runs.public_parts import EVALUATIONS, RESPONSES, evaluation, parquet, relations, response

JUDGE = "fine_grained"
Pair = tuple[str, str]
Said = Mapping[tuple[Section, int], Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Case:
    """`matches`: counterparts of items by section and number; an item without is no match. `more`: what else is said
    of an item. Nodes are numbered by code points, as everywhere."""

    truth: Sequence[Pair]
    answer: Sequence[Pair]
    matches: Mapping[tuple[Section, int], Sequence[int]] = field(default_factory=dict)
    more: Said = field(default_factory=dict)
    text: str = "A text."
    title: str = "The mill"
    reasoning: str | None = None


# Of the size of the published case: four true nodes of which one is found, three true edges of which none is.
MILL = Case(
    truth=[
        ("Hours of wind", "Flour ground"),
        ("River level", "Flour ground"),
        ("Grain delivered to mill", "Flour ground"),
    ],
    answer=[("Mill's grain deliveries", "Bread prices"), ("Carts for hire", "Bread prices")],
    matches={(Section.NODE_PRECISION, 3): [2], (Section.NODE_RECALL, 2): [3]},
    text=(
        "The mill turns when the river is high or the wind blows for many hours. Grain delivered to the mill is ground "
        "the same day. Nobody counts the carts."
    ),
)


def labels(section: Section, is_match: bool) -> dict[str, Any]:
    """A whole item: the best label of each field, or no match."""
    said: dict[str, Any] = {}
    for block, name in fields_of(section):
        legal = LEGAL[section, block][name]
        best = "ABSTRACTION_ALIGNED" if "ABSTRACTION_ALIGNED" in legal else legal[0]
        if not is_match:
            best = (
                "PRESENCE_NO_MATCH"
                if name == PRESENCE
                else best
                if name == "importance_label"
                else na_of(section, name)
            )
        holder = said if block is LabelBlock.ITEM else said.setdefault(block.key, {})
        holder[name] = best
    return said


def verdict_of(case: Case) -> dict[str, Any]:
    nodes = [sorted({name for pair in pairs for name in pair}) for pairs in (case.truth, case.answer)]
    many = {
        Section.NODE_PRECISION: len(nodes[1]),
        Section.NODE_RECALL: len(nodes[0]),
        Section.EDGE_PRECISION: len(case.answer),
        Section.EDGE_RECALL: len(case.truth),
    }
    return {
        section.key: [
            {
                section.number_key: number,
                **labels(section, (section, number) in case.matches),
                **({"counterparts": list(found)} if (found := case.matches.get((section, number))) else {}),
                **case.more.get((section, number), {}),
            }
            for number in range(1, most + 1)
        ]
        for section, most in many.items()
    }


def bring_case(viewer: Viewer, case: Case, judges: Sequence[str] = (JUDGE,), many: int = 1) -> str:
    """Import the case, with the same verdict by every judge; the id of the judges' run. `many`: samples like it, each
    with a text of its own."""
    nodes = tuple(dict.fromkeys(name for pair in case.truth for name in pair))
    rows = [
        ReciteRow(
            id=number,
            title=case.title if number == 1 else f"{case.title} {number}",
            nodes=nodes,
            edges=tuple(case.truth),
            input_text=case.text if number == 1 else f"{case.text} Case {number}.",
        )
        for number in range(1, many + 1)
    ]
    table = sample_tables.import_samples(
        viewer, "samples.parquet", write_default(rows), with_faulty=False, licence="CC0-1.0", **act()
    ).subject_id
    answered = parquet([response(10 + n, n, relations(*case.answer)) for n in range(1, many + 1)], RESPONSES)
    importing.import_public(
        viewer, "responses.parquet", answered, PublicKind.RESPONSES, with_faulty=False, table=table, **act()
    )
    return importing.import_public(
        viewer,
        "evaluations.parquet",
        judged_file(case, judges, many),
        PublicKind.EVALUATIONS,
        with_faulty=False,
        **act(),
    ).subject_id


def judged_file(case: Case, judges: Sequence[str] = (JUDGE,), many: int = 1) -> bytes:
    """The table of evaluations that holds the case's verdict."""
    said = json.dumps(verdict_of(case))
    more: dict[str, Any] = {"score": None, "evaluation_reasoning": case.reasoning}
    rows = [
        evaluation(n, 10 + sample, said, evaluator_type=judge, **more)
        for n, (sample, judge) in enumerate(product(range(1, many + 1), judges), 1)
    ]
    return parquet(rows, EVALUATIONS)
