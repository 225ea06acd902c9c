"""What the canvas's scripts declare of what crosses from and to Python is what Python gives and takes."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest

from components.canvas import acts, canvas
from core.papers.pages import Box

DECLARED = (Path(acts.__file__).parent / "types.d.ts").read_text(encoding="utf-8")
BOX = Box(0, 0, 10, 10)


def declared(name: str) -> str:
    """What stands between the braces of a type."""
    found = re.search(rf"^export type {name} = \{{(?:\n(.*?)^\}}| (.*?) \}});$", DECLARED, re.MULTILINE | re.DOTALL)
    assert found is not None, name
    return str(found[1] or found[2])


def names(body: str) -> set[str]:
    return set(re.findall(r"(\w+)\??:", body))


def test_every_act_has_the_fields_that_python_reads() -> None:
    kinds = {
        kind: names(body) for kind, body in re.findall(r"^  (\w+): \{(.*?)\};$", declared("CanvasActs"), re.MULTILINE)
    }
    read = {re.sub(r"(?<!^)(?=[A-Z])", "_", each.__name__).lower(): each for each in get_args(acts.CanvasAct)}
    expected = {kind.removesuffix("_act"): {field.name for field in fields(each)} for kind, each in read.items()}
    assert kinds == expected
    assert set(kinds) == set(acts._READERS)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("NodeData", canvas._node_data(canvas.CanvasNode("n1", "Rain"))),
        ("EdgeData", canvas._edge_data(canvas.CanvasEdge(id="e1", source_id="n1", sink_id="n2"))),
        ("ProposalData", canvas._proposal_data(canvas.CanvasProposal(id="p1", source="Rain", sink="Harvest"))),
    ],
)
def test_what_the_page_gives_has_the_fields_that_scripts_read(name: str, given: dict[str, Any]) -> None:
    assert names(declared(name)) == set(given)
