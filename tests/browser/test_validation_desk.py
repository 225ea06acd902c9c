"""Validating relations on the real page: three scores and two Enters each, beside an abstract with phrases marked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from store.tables import new_id
from tests.browser.axe import found
from tests.browser.test_canvas_keyboard import POINTERS, Keys
from tests.browser.test_triplets import on_desk, truth
from tests.everything import EVERYTHING

MOST_KEYS = 6
RELATIONS = 2
FILL = """
from core.triplets.forms import Rubric
from services.extraction import collecting
from services.triplets import importing as triplet_importing
content = "".join(json.dumps(row) + "\\n" for row in given["rows"]).encode()
kept = triplet_importing.import_triplets(terminal, "rows.jsonl", content, with_faulty=False, act_id=new_act())
collecting.assign_experts(terminal, kept.subject_id, rubric=Rubric.VALIDATION, overlap=2, per_year=4, act_id=new_act())
hashed = passwords.hash_password(given["password"])
with study.store.writing() as session:
    access.new_person(session, given["name"], [Role.EXPERT], study.clock(), password_hash=hashed)
"""


def row(n: int) -> dict[str, Any]:
    return {
        "paper_id": n + 1,
        "title": f"Paper number {n}",
        "publication_year": 2000 + n,
        "treatment": f"carbon tax {n}",
        "outcome": f"steel output {n}",
        "sign": ("+", "-", "None", "+")[n],
        "abstract": f"We study 29 plants. Carbon tax {n} cuts emissions, and a carbon tax {n} moves output of steel.",
    }


@pytest.mark.skipif(not EVERYTHING, reason="tests/pages/triplets/test_screen.py")
def test_a_relation_takes_five_keys_beside_its_abstract(server: Any, page_as: Callable[..., Page]) -> None:
    me = f"validator {new_id()[-6:]}"
    server.seed(FILL, name=me, password=server.password, rows=[row(n) for n in range(RELATIONS)])
    page = page_as(me, "/triplets")
    page.evaluate(POINTERS)
    keys = Keys(page)
    keys.tab_to("^Score next triplet$")
    keys.press("Enter")
    said = []
    for n in range(RELATIONS):
        on_desk(page, given=0)
        marks = page.locator("mark.sd-lit")
        expect(marks).to_have_count(2)
        assert [text.lower()[:10] for text in marks.all_inner_texts()] == ["carbon tax"] * 2
        expect(page.get_by_text("Y not found word for word.")).to_be_visible()
        for part in ("mark.sd-lit", ".sd-criteria", ".sd-primary"):
            box = page.locator(part).first.bounding_box()
            assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= 900, part
        said += found(page, "open") if n == 0 else []
        pressed = ["2", "1", str(n % 2)]
        keys.press(*pressed)
        on_desk(page, given=3)
        keys.press("Enter")
        on_desk(page, "submitted")
        keys.press("Enter")
        assert len(pressed) + 2 <= MOST_KEYS
    assert page.evaluate("window.__pointers") == 0
    assert said == []
    done = truth(server, me)
    assert [each["state"] for each in done] == ["submitted"] * RELATIONS
    assert [each["scores"] for each in done] == [
        {"entities": 2, "direction": 1, "causal": n % 2} for n in range(RELATIONS)
    ]
