"""A run's candidates as a person has them: ties decided by keys over a reload, a lane walked by keys, a collection made
and assigned, on one page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settle
from tests.browser.walking import walk
from tests.everything import EVERYTHING

DEMO = Path(__file__).resolve().parents[2] / "demo" / "reservoir.pdf"
TIES = 12
OF = TIES + 1
SIGNS = {"1": "+", "2": "-", "0": "None", "m": "mixed"}

FILL = """
from core.people import Viewer
from services.acting import TERMINAL
from services.protocols.econcausal_pipeline.pipeline_papers import make_ready
from services.papers import importing as paper_importing
from services.runs import planning
from services.runs.settings import RunConfig, SampleSource
from services.protocols.econcausal_pipeline.pipeline_steps import read_step_file
pdf = Path(given["pdf"])
paper_importing.import_file(terminal, pdf.name, pdf.read_bytes(), act_id=new_act())
make_ready(terminal)
files = [read_step_file(name, "".join(json.dumps(row) + chr(10) for row in rows).encode())
         for name, rows in given["files"].items()]
wanted = RunConfig(title="Ties", source=SampleSource(), tasks=("extract", "metadata", "local", "critics"),
                   variants=("standard",), protocol="econcausal-pipeline",
                   roles={"extractor": ("cue-phrases",), "critics": ("plain-critic",)},
                   options={"step_files": ",".join(f"{each.lines.kind.value}:{each.id}" for each in files)})
planning.start(terminal, wanted, {each.id: each for each in files}, act_id=new_act())
"""
WORK = """
from tests.services.run_parts import work_here
work_here(study)
"""
RULINGS = """
from services.extraction.decisions import decisions
print(json.dumps({each.number: [each.value["sign"], each.state.value, (each.ruling or {}).get("why")]
                  for each in decisions(terminal, "1")}))
"""


def claims() -> list[dict[str, Any]]:
    """Ties with evidence of the demo's own paper, and one claim on whose sign the extractions agree."""
    row = {"outcome": "shortages", "supporting_evidence": ["Water released to farms raises farm income."]}
    tied = {**row, "sign": None, "_consensus_count": 2, "_sign_votes": {"+": 1, "-": 1}}
    ties = [{**tied, "treatment": f"rule {number} of the reservoir"} for number in range(1, TIES + 1)]
    return [*ties, {**row, "treatment": "water", "sign": "+", "_consensus_count": 3, "_sign_votes": {"+": 3}}]


@pytest.fixture(scope="module")
def site(start_server: Callable[..., Any]) -> Any:
    meta = {"paper_type": "empirical", "context": "A shared reservoir.", "identification_methods": ["IV"]}
    server = start_server()
    server.seed(
        FILL,
        pdf=str(DEMO),
        files={
            "step1.jsonl": [{"paper_id": DEMO.stem, "causal_relations": claims()}],
            "step2.jsonl": [{"paper_id": DEMO.stem, "paper_metadata": meta}],
        },
    )
    server.seed(WORK)
    return server


def rulings(server: Any) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = json.loads(server.seed(RULINGS).splitlines()[-1])
    return found


@pytest.mark.skipif(not EVERYTHING, reason="tests/pages/triplets/test_extraction.py")
def test_ties_are_decided_by_keys_over_a_reload_then_seen_collected_and_assigned(
    site: Any, page_as: Callable[..., Page]
) -> None:
    page = page_as("owner", "/triplets?run=1&part=decide", on=site)
    left = page.get_by_text(re.compile(r"^\d+ candidates? to decide, \d+ decided\."))
    expect(left).to_have_text(f"{TIES} candidates to decide, 0 decided.")
    pressed = list(SIGNS) * (TIES // 4)
    for number, key in enumerate(pressed, 1):
        page.keyboard.press(key)  # one stroke each, where the reason that is shown fits; at most 4 are promised
        decided = f"{TIES - number} candidate{'' if TIES - number == 1 else 's'} to decide, {number} decided."
        expect(left).to_have_text(decided)
        if number == TIES // 2:
            page.reload()
            expect(left).to_have_text(decided)
        settle(page)
    assert [said[0] for said in rulings(site).values()] == [SIGNS[key] for key in pressed]
    page.keyboard.press("u")
    expect(left).to_have_text(f"1 candidate to decide, {TIES - 1} decided.")
    page.keyboard.press("d")
    expect(left).to_have_text(f"0 candidates to decide, {TIES} decided.")
    site.seed(WORK)
    now = rulings(site)
    assert now[str(TIES)][1:] == ["left out by a person", "not a claim of the authors"]
    assert {state for _, state, _ in now.values()} == {"accepted", "left out by a person"}

    page.get_by_role("radio", name="Papers").click()
    settle(page)
    page.get_by_role("button", name="Open paper").click()
    where = page.get_by_text(re.compile(r"^Candidate \d+ of \d+ · "))
    expect(where).to_have_text(f"Candidate 1 of {OF} · accepted")
    expect(page.get_by_role("img", name="of the paper, evidence marked")).to_be_visible()
    page.keyboard.press("k")
    expect(where).to_have_text(f"Candidate {OF} of {OF} · accepted")
    page.keyboard.press("k")
    expect(where).to_have_text(f"Candidate {TIES} of {OF} · left out by a person")
    settle(page)
    page.keyboard.press("j")
    expect(where).to_have_text(f"Candidate {OF} of {OF} · accepted")
    settle(page)
    page.keyboard.press("6")
    expect(page).to_have_url(re.compile(r"/runs\?.*lane=critics"))
    walk(page, "/triplets?run=1&part=collect")
    expect(page.get_by_text(f"{TIES} accepted candidates")).to_be_visible()
    page.get_by_role("button", name="Collect triplets").click()
    page.get_by_role("button", name="Assign triplets").click()
    expect(page.get_by_text("Collected.")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Open queue").click()
    expect(page).to_have_url(re.compile(r"/settings\?show=triplets"))
    expect(page.get_by_text("Triplets of run 1").first).to_be_visible()
