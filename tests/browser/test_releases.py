"""Freezing a release, taking it away, and destroying identities, as a person does it."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from exchange.recite import read_default

NAME = "Zoë Quillfeather"
WORK = """
from services.transcription import guidelines
from store.tables import FigureRow, PaperRow, PersonRow, new_id
from tests.services.release_parts import lay_truth
someone = people.add_person(terminal, given["name"], [Role.ANNOTATOR], None, act_id=new_act())
with study.store.writing() as session:
    paper = PaperRow(title="Grain and people", created_by="terminal", created_at=study.clock())
    session.add(paper)
    session.flush()
    figure = FigureRow(paper_id=paper.id, page=1, x0=0, y0=0, x1=99, y1=99, label="Figure 1", created_by="terminal",
                       created_at=study.clock())
    session.add(figure)
lay_truth(study, figure.id, "Rain -> Harvest +; Harvest -> Price")
guidelines.save_guidelines(terminal, "Ask " + given["name"] + " first.", seen=0, act_id=new_act())
"""


def test_a_release_is_frozen_taken_away_and_then_names_are_destroyed(
    start_server: Callable[..., Any], page_as: Callable[..., Page], settled: Callable[[Page], None]
) -> None:
    server = start_server()  # of its own: everyone's name goes
    server.seed(WORK, name=NAME)
    page = page_as("researcher", "/releases", on=server)
    expect(page.get_by_text("Release 1 will contain 1 figure from 1 paper: 3 nodes, 2 edges.")).to_be_visible()
    page.get_by_label("Title").fill("The first release")
    page.get_by_role("button", name="Freeze release 1").click()
    page.get_by_role("dialog").get_by_role("button", name="Freeze permanently").dblclick()
    expect(page.get_by_role("heading", name="Release 1")).to_be_visible()
    expect(page.get_by_text(re.compile(r"Saved \d\d:\d\d:\d\d · frozen"))).to_be_visible()
    expect(page).to_have_url(re.compile(r"/releases\?release=1"))
    with page.expect_download() as taken:
        page.get_by_role("button", name="Everything (ZIP)").click()
    assert taken.value.suggested_filename == "tested-ground-truth-release-1.zip"
    content = Path(taken.value.path()).read_bytes()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        (sample,) = read_default(archive.read("default.parquet"), "default.parquet").samples
        assert json.loads(archive.read("manifest.json"))["manifest"]["counts"]["edges"] == 2
    assert sample.edges == (("Harvest", "Price"), ("Rain", "Harvest"))
    page.get_by_role("button", name="Back to releases").click()
    expect(page.get_by_text("Since release 1: nothing changed.")).to_be_visible()

    owner = page_as("owner", "/people?part=identities", on=server)
    assert NAME.encode() in server.store.read_bytes() + server.store.with_name("tested.edgewise-wal").read_bytes()
    owner.get_by_role("button", name="Choose everyone else").click()
    expect(owner.get_by_text("You keep your name.", exact=False)).to_be_visible()
    owner.get_by_label("Type destroy to continue").fill("destroy")
    owner.get_by_role("button", name=re.compile("^Destroy [0-9]+ identities$")).click()
    expect(owner.get_by_text(re.compile(r"Saved \d\d:\d\d:\d\d"))).to_be_visible()
    for path in server.store.parent.glob("tested.edgewise*"):
        assert NAME.encode() not in path.read_bytes()
        assert b"Quillfeather" not in path.read_bytes()
    owner.goto("/people")
    settled(owner)
    expect(owner.get_by_text(NAME)).to_have_count(0)
    page.reload()  # the researcher had a name too
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
