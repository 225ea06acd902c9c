"""The Lake Urmia narratives as a default table, and what models are made to answer to each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.people import Viewer
from core.runs.options import Settings
from exchange.recite import ReciteRow, write_default
from services.graphs import sample_tables
from services.runs.settings import RunConfig, SampleSource
from tests.services.run_parts import act

FOLDER = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "cld" / "sdbot_lake_urmia"
VARIANTS = ("standard", "names")
BASELINES = ("random", "cue phrases", "co-mention", "hub")


def narratives() -> list[dict[str, Any]]:
    """The 30 files, read without the product. Skips the test where they are not."""
    if not FOLDER.is_dir():
        pytest.skip(f"{FOLDER} is not on this machine")
    return [json.loads(each.read_text(encoding="utf-8")) for each in sorted(FOLDER.glob("*.json"))]


def default_table(found: list[dict[str, Any]]) -> bytes:
    rows = []
    for number, each in enumerate(found, 1):
        nodes = tuple(node["id"] for node in each["nodes"])
        edges = tuple((edge["source"], edge["sink"]) for edge in each["edges"])
        rows.append(
            ReciteRow(
                id=number,
                title=each["title"],
                num_nodes=len(nodes),
                num_edges=len(edges),
                nodes=nodes,
                edges=edges,
                input_text=each["text"],
            )
        )
    return write_default(rows)


def bring(viewer: Viewer, found: list[dict[str, Any]]) -> str:
    """Import them; returns the table."""
    content = default_table(found)
    return sample_tables.import_samples(
        viewer, "urmia.parquet", content, with_faulty=False, licence="CC-BY-NC-4.0", **act()
    ).subject_id


def wanted(table: str, **said: Any) -> RunConfig:
    options: Settings = said.pop("options", {"table": table})
    return RunConfig(
        **{
            "title": "Urmia",
            "source": SampleSource(),
            "protocol": "recite",
            "tasks": ("generate",),
            "variants": VARIANTS,
            "options": options,
            **said,
        }
    )
