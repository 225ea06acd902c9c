"""Text that would be code, a link or a picture anywhere else is text on every screen, and fetches nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Dialog, Page, expect

DEMO = Path(__file__).resolve().parents[2] / "demo" / "reservoir.pdf"
SCRIPT = "</script><img src=x onerror=alert(1)>"
PICTURE = "![x](http://example.com/a.png)"
LINK = "[a](javascript:alert(1))"
DRAWING = "<svg onload=alert(1)>"
HOSTILE = (SCRIPT, "href", "__proto__", PICTURE, LINK, DRAWING)

# Papers, figures, people, nodes, notes, comments, guidelines and a doubtful line: each carries one of the above.
FILL = """
from core.documents import Box
from core.papers import PaperReference
from services import figures, guidelines, papers, transcribing
from services.acting import TERMINAL
labels = given["labels"]

def person(name, *roles):
    kept = people.add_person(terminal, name, roles, None, is_demo=True, act_id=new_act())
    return Viewer(kept.subject_id, name, frozenset(roles), TERMINAL)

owner = person("The owner", Role.OWNER)
annotator, reviewer = person(labels[0], Role.ANNOTATOR), person(labels[3], Role.REVIEWER)
for label in labels[1:]:
    papers.add_reference(owner, PaperReference(title=label, source=label, abstract=label), act_id=new_act())
paper = papers.import_file(owner, labels[0] + ".pdf", Path(given["pdf"]).read_bytes(), act_id=new_act()).paper_id
version = papers.paper(owner, paper).version
reference = PaperReference(title=labels[0], source=labels[3], abstract=labels[5], licence=labels[4])
papers.describe(owner, paper, reference, seen=version, act_id=new_act())
figure = figures.locate(owner, paper, 1, Box(90, 420, 540, 590), label=labels[3], place=labels[5],
                        caption=" ".join(labels), act_id=new_act()).subject_id
guidelines.save_guidelines(owner, chr(10).join(labels), seen=0, act_id=new_act())

lines = chr(10).join(f'"{source}" -> "{sink}"' for source, sink in zip(labels, labels[1:] + labels[:1]))
from services import training
def draw(viewer, figure):
    training.waive(terminal, viewer.person_id, act_id=new_act())
    guidelines.acknowledge(viewer, 1, act_id=new_act())
    work = transcribing.take(viewer, figure, act_id=new_act()).subject_id
    transcribing.add_lines(viewer, work, lines, pasted=True, seen=1, act_id=new_act())
    edge = transcribing.transcription(viewer, work).record.ordered_edges()[0]
    transcribing.edit_edge(viewer, work, edge.id, "note", labels[0], seen=2, act_id=new_act())
    return work
# The owner draws another one: of a figure they are drawing they would see nobody else's work.
another = figures.locate(owner, paper, 1, Box(90, 120, 540, 290), label=labels[3], place=labels[5], act_id=new_act())
returned, submitted = draw(annotator, figure), draw(reviewer_too := person(labels[5], Role.ANNOTATOR), figure)
own = draw(owner, another.subject_id)
transcribing.add_lines(owner, own, given["faulty"], pasted=True, seen=3, act_id=new_act())
transcribing.submit(annotator, returned, seen=3, act_id=new_act())
transcribing.give_back(reviewer, returned, labels[3] + labels[0], act_id=new_act())
transcribing.submit(reviewer_too, submitted, seen=3, act_id=new_act())
print(json.dumps({"paper": paper, "own": own, "submitted": submitted, "owner": owner.person_id}))
"""
AS_OWNER = """
with study.store.writing() as session:
    from store.tables import PersonRow
    row = session.get(PersonRow, owner.person_id)
    row.password_hash = access.hash_password(given["password"])
    session.add(row)
"""


@pytest.fixture(scope="module")
def filled(start_server: Callable[..., Any]) -> tuple[Any, dict[str, str]]:
    server = start_server()
    faulty = f"{SCRIPT} -> "
    ids = json.loads(server.seed(FILL + AS_OWNER, pdf=str(DEMO), labels=HOSTILE, faulty=faulty,
                                 password=server.password))  # fmt: skip
    return server, ids


@pytest.fixture
def opened(filled: tuple[Any, dict[str, str]], page_as: Callable[..., Page]) -> Any:
    """The owner's page, and the dialogs that any label managed to open."""
    page = page_as("The owner", on=filled[0])
    dialogs: list[str] = []

    def heard(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", heard)
    yield page
    assert dialogs == []
    assert page.locator("img[src=x], img[src*=example], a[href^=javascript], svg[onload]").count() == 0


def shows(page: Page, *texts: str) -> None:
    """As typed; where Markdown is in between, an invisible joiner keeps an address from becoming a link."""
    for text in texts:
        pattern = re.escape(text).replace(":", "\u2060?:")
        expect(page.get_by_text(re.compile(pattern)).first).to_be_attached()


def test_the_overview_and_the_work_lists_show_them_as_typed(opened: Page, settled: Callable[[Page], None]) -> None:
    shows(opened, f"Continue: {SCRIPT}")
    opened.goto("/transcribe")
    settled(opened)
    shows(opened, SCRIPT, PICTURE, DRAWING, f"{PICTURE}{SCRIPT}")


def test_the_papers_show_them_as_typed(
    opened: Page, filled: tuple[Any, dict[str, str]], settled: Callable[[Page], None]
) -> None:
    paper = filled[1]["paper"]
    for path in (
        "/papers",
        "/papers?view=flow",
        *(f"/papers?paper={paper}&tab={tab}" for tab in ("screen", "metadata")),
    ):
        opened.goto(path)
        settled(opened)
    shows(opened, SCRIPT)
    opened.goto(f"/papers?paper={paper}&tab=locate&page=1")
    settled(opened)
    expect(opened.locator("img.pz-image")).to_be_visible()
    shows(opened, SCRIPT, PICTURE)


def test_a_transcription_shows_them_in_every_view_and_in_conflict(
    opened: Page, filled: tuple[Any, dict[str, str]], settled: Callable[[Page], None]
) -> None:
    opened.goto(f"/transcribe?transcription={filled[1]['own']}")
    settled(opened)
    expect(opened.get_by_label("Type an edge")).to_be_editable()
    shows(opened, SCRIPT, PICTURE, LINK, DRAWING)
    expect(opened.locator(".row[aria-selected]")).to_have_count(len(HOSTILE))
    opened.get_by_label("Type an edge").fill("<svg")
    expect(opened.locator("#names").get_by_role("option")).to_have_text([DRAWING])
    opened.get_by_label("Type an edge").fill("")
    opened.get_by_text("Guidelines (").click()
    shows(opened, "Guidelines (version 1)")
    for view in ("Graph", "Table", "Figure"):
        opened.get_by_role("radio", name=view).click()
        settled(opened)
    opened.get_by_role("button", name="Submit", exact=True).click()
    expect(opened.get_by_role("dialog").get_by_text("6 nodes, 6 edges")).to_be_visible()
    opened.keyboard.press("Escape")
    second = opened.context.new_page()
    second.goto(opened.url)
    settled(second)
    line = second.get_by_label("Type an edge")
    line.fill(f'"{PICTURE}" -> "{SCRIPT}"')
    line.press("Enter")
    expect(second.get_by_text("6 nodes, 7 edges")).to_be_visible()
    stale = opened.get_by_label("Type an edge")
    stale.fill(f'"{LINK}" -> "{DRAWING}"')
    stale.press("Enter")
    expect(opened.get_by_text("This was changed in another tab")).to_be_visible()
    settled(opened)
    opened.get_by_role("button", name="Go on with the newer version").click()
    expect(opened.get_by_text("6 nodes, 7 edges").or_(opened.get_by_text("6 nodes, 8 edges"))).to_be_visible()


def test_review_exchange_and_people_show_them_as_typed(
    opened: Page, filled: tuple[Any, dict[str, str]], settled: Callable[[Page], None]
) -> None:
    opened.goto(f"/transcribe?transcription={filled[1]['submitted']}")
    settled(opened)
    shows(opened, f"by {DRAWING}, submitted", SCRIPT)
    for path in ("/exchange", "/people", "/people?part=guidelines"):
        opened.goto(path)
        settled(opened)
    shows(opened, SCRIPT, LINK)
