"""Scoring triplets on the real page, in one visit: by keys alone and counted, over a refresh, on a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import found
from tests.browser.phone import phone
from tests.browser.test_canvas_keyboard import POINTERS, Keys
from tests.everything import EVERYTHING

DEMO = Path(__file__).resolve().parents[2] / "demo" / "reservoir.pdf"
TITLE = "Why new canals did not end the shortages: feedback in a shared reservoir"
EVIDENCE = "Water released to farms raises farm income."
TRIPLETS = 14
SCORED = 12
"""In a row: the second over a refresh and in a hurry."""
MOST_KEYS = 14
ECONOMIST = "an economist"
COLLEAGUE = "the word of a colleague"
CRITERIA = (
    "variable_extraction",
    "direction",
    "sign",
    "causality",
    "main_claim",
    "context_appropriateness",
)

FILL = """
hashed = passwords.hash_password(given["password"])
with study.store.writing() as session:
    for name in given["economists"]:
        access.new_person(session, name, [Role.EXPERT], study.clock(), password_hash=hashed)
from services.queue.work import claim_next
from services.triplets.work_kind import TRIPLETS
from services.papers import importing as paper_importing
from services.triplets import scoring, settings as scoring_settings, importing as triplet_importing
from services.triplets.reading import triplet
from services.triplets.settings import ScoringSettings
pdf = Path(given["pdf"])
paper_importing.import_file(terminal, pdf.name, pdf.read_bytes(), act_id=new_act())
content = "".join(json.dumps(row) + "\\n" for row in given["rows"]).encode()
triplet_importing.import_triplets(terminal, "rows.jsonl", content, with_faulty=False, act_id=new_act())
scoring_settings.save_settings(terminal, ScoringSettings(overlap=50), seen=0, act_id=new_act())
owner = next(one for one in people.list_people(terminal) if one.name == "owner")
from services.acting import TERMINAL
owner = Viewer(person_id=owner.id, name=owner.name, roles=frozenset(owner.roles), session_id=TERMINAL)
work = claim_next(owner, TRIPLETS, act_id=new_act()).subject_id
for criterion in given["criteria"]:
    scoring.score(owner, work, criterion, 1, seen=triplet(owner, work, with_evidence=False).version, act_id=new_act())
seen = triplet(owner, work, with_evidence=False).version
seen = scoring.comment(owner, work, given["comment"], seen=seen, act_id=new_act()).version
scoring.submit(owner, work, seen=seen, act_id=new_act())
"""
TRUTH = """
from services.triplets import scoring
from services.acting import TERMINAL
from services.triplets.reading import triplet
one = next(one for one in people.list_people(terminal) if one.name == given["name"])
me = Viewer(person_id=one.id, name=one.name, roles=frozenset(one.roles), session_id=TERMINAL)
lines = [(line, triplet(me, line.assignment_id, with_evidence=False)) for line in scoring.my_scores(me)]
print(json.dumps([{"state": line.state, "treatment": line.treatment, "scores": dict(view.scores),
                   "own": view.own_verdict, "comment": view.comment} for line, view in reversed(lines)]))
"""


def secret(n: int) -> str:
    return f"reason-nobody-sees-before-{n}-is-handed-in"


def row(n: int) -> dict[str, Any]:
    """A triplet with synthetic critics, and with evidence printed in the paper of the study."""
    given = {key: {"score": 2 + (n + place) % 2, "reason": secret(n)} for place, key in enumerate(CRITERIA)}
    return {
        "paper_id": 1,
        "title": TITLE,
        "publication_year": 1990,
        "jel_codes": "Q25",
        "treatment": f"Cause number {n}",
        "outcome": f"Effect number {n}",
        "sign": ("+", "-", "None", "mixed")[n % 4],
        "final_context": "A valley with one reservoir, over twenty years.",
        "final_id_methods": "IV",
        "evidence": [EVIDENCE, "This stands nowhere."],
        "critics": {f"Critic {name}": given for name in "ABC"},
        "is_synthetic": True,
    }


@pytest.fixture(scope="module")
def site(start_server: Callable[..., Any]) -> Any:
    """A server whose study has some triplets and an economist; a colleague has scored one and said so."""
    server = start_server()
    rows = [row(n) for n in range(TRIPLETS)]
    one = {"economists": [ECONOMIST], "password": server.password}
    server.seed(FILL, pdf=str(DEMO), rows=rows, criteria=CRITERIA, comment=COLLEAGUE, **one)
    return server


def truth(site: Any, name: str) -> list[dict[str, Any]]:
    """What the store has of this economist's triplets, in the order they took them."""
    found: list[dict[str, Any]] = json.loads(site.seed(TRUTH, name=name).splitlines()[-1])
    return found


def on_desk(page: Page, state: str = "open", given: int | None = None) -> None:
    """Wait until the desk has the store's answer for everything, and so many criteria are scored."""
    wanted = f".sd[data-waiting='0'][data-state='{state}']" + (f"[data-given='{given}']" if given is not None else "")
    expect(page.locator(wanted)).to_be_visible(timeout=30_000)


def six_of(n: int) -> list[int]:
    return [(n + place) % 4 for place in range(6)]


@pytest.mark.skipif(
    not EVERYTHING, reason="tests/pages/triplets/test_screen.py, tests/services/triplets/test_blindness.py"
)
def test_triplets_are_scored_by_few_keys_and_blind_over_a_refresh_beside_their_evidence_and_on_a_phone(
    site: Any, new_page: Callable[..., Page], page_as: Callable[..., Page]
) -> None:
    page = new_page(site)
    frames: list[bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda said: frames.append(as_bytes(said))))
    page_as(ECONOMIST, "/triplets", on=site, after=page)
    page.evaluate(POINTERS)
    keys = Keys(page)
    keys.tab_to("^Score next triplet$")
    keys.press("Enter")
    for n in range(SCORED):
        on_desk(page, given=0)
        pressed = score_one(page, keys, n, frames)
        assert pressed <= MOST_KEYS
    on_desk(page, given=0)
    the_evidence_is_marked_on_its_page_without_scrolling(page)
    every_key_does_what_its_sheet_says(page)
    assert page.evaluate("window.__pointers") == 0
    kept = truth(site, ECONOMIST)[-1]
    assert (kept["own"], kept["comment"], kept["scores"]) == (False, "0 1 2 3 u s are letters here", {})
    page.keyboard.press("0")
    on_desk(page, given=1)
    a_skipped_triplet_takes_a_reason_and_the_next_one_comes(page)
    on_a_phone_the_scores_lie_under_the_thumb(page)
    assert COLLEAGUE.encode() not in b"".join(frames)
    done = truth(site, ECONOMIST)
    assert [each["state"] for each in done] == ["submitted"] * (SCORED + 1) + ["open"]
    by_thumb = [0, *[3] * 5]
    scored = [*map(six_of, range(SCORED)), by_thumb]
    assert [[each["scores"][key] for key in CRITERIA] for each in done[:-1]] == scored
    assert [each["comment"] for each in done[-2:]] == ["", ""]  # why one was skipped is no comment on it


def score_one(page: Page, keys: Keys, n: int, frames: list[bytes]) -> int:
    """Six scores, submit, look, go on; returns how many keys that took."""
    number = int(re.findall(r"Cause number (\d+)", page.locator(".sd[data-given='0'] .sd-line").inner_text())[0])
    digits = [str(value) for value in six_of(n)]
    keys.press(*digits[:3])
    if n == 1:
        page.keyboard.press("c")
        page.keyboard.type("half a sen")
        assert page.evaluate("window.__pointers") == 0
        page.reload()  # before the answers
        page.evaluate(POINTERS)
        on_desk(page, given=3)
        expect(page.locator(".sd-comment")).to_have_value("half a sen")
        expect(page.locator(".sd-criterion[data-current] .sd-name")).to_have_text("Causality")
    keys.press(*digits[3:])
    on_desk(page, given=6)
    expect(page.locator(".cv-receipt")).to_contain_text(re.compile(r"Saved \d\d:\d\d:\d\d"))
    assert secret(number).encode() not in b"".join(frames)
    if n == 1:  # in a hurry: the second one comes before the answer, and is kept until then
        keys.press("Enter", "Enter")
        return len(digits) + 2
    keys.press("Enter")
    on_desk(page, "submitted")
    answer = page.locator(".sd-answer")
    expect(answer).to_contain_text("Synthetic")
    expect(answer).to_contain_text(f"{sum(six_of(n))} of 18")
    expect(answer).to_contain_text(secret(number))
    for _ in range(100):  # the page may have drawn a frame before the test hears of it
        if secret(number).encode() in b"".join(frames):
            break
        page.wait_for_timeout(50)
    assert secret(number).encode() in b"".join(frames)
    keys.press("Enter")
    return len(digits) + 2


def as_bytes(said: str | bytes) -> bytes:
    return said if isinstance(said, bytes) else said.encode()


def the_evidence_is_marked_on_its_page_without_scrolling(page: Page) -> None:
    found = page.get_by_role("button", name="Evidence 1")
    expect(found).to_have_text("Evidence 1 · page 2, word for word")
    expect(page.get_by_text("Not found in the paper word for word")).to_be_visible()
    expect(page.locator(".sd-viewport img")).to_have_js_property("complete", True)
    expect(page.locator(".sd-mark.chosen")).to_have_count(1)
    for part in (".sd-mark.chosen", ".sd-criteria", ".sd-primary", ".sd-comment"):
        box = page.locator(part).bounding_box()
        assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= 900, part
    assert page.evaluate("document.querySelector('.stMain').scrollTop") == 0


def every_key_does_what_its_sheet_says(page: Page) -> None:
    press = page.keyboard.press
    current = page.locator(".sd-criterion[data-current] .sd-name")
    press("?")
    expect(page.get_by_role("dialog", name="Scoring keys")).to_be_visible()
    press("Escape")
    press("3")
    expect(current).to_have_text("Direction")
    press("Tab")
    expect(current).to_have_text("Sign")
    press("Shift+Tab")
    press("ArrowUp")
    expect(current).to_have_text(re.compile("^Variable extraction"))
    press("1")
    expect(current).to_have_text("Direction")
    press("u")
    on_desk(page, given=1)
    press("Backspace")
    on_desk(page, given=0)
    press("Enter")  # not complete: it leads to what is missing
    expect(current).to_have_text("Variable extraction")
    press("v")
    press("v")
    press("c")
    page.keyboard.type("0 1 2 3 u s are letters here")
    press("Escape")
    press("w")
    expect(page.get_by_text("It is a causal claim that a named design identifies.")).to_be_visible()
    assert found(page, "words") == []
    press("w")
    expect(page.get_by_text("It is a causal claim that a named design identifies.")).to_be_hidden()
    on_desk(page, given=0)


def a_skipped_triplet_takes_a_reason_and_the_next_one_comes(page: Page) -> None:
    press = page.keyboard.press
    first = page.locator(".sd-line").inner_text()
    for key in ("c", "Control+A", "Backspace", "Escape", "s", "Enter"):  # without a reason nothing happens
        press(key)
    expect(page.get_by_role("group", name="Reason to skip")).to_be_visible()
    said = found(page, "skip")
    press("2")
    press("Enter")
    on_desk(page, "skipped")
    expect(page.locator(".sd-answer")).to_contain_text("Outside my field")
    press("Enter")
    on_desk(page, given=0)
    assert page.locator(".sd-line").inner_text() != first
    page.get_by_role("button", name="All triplets").click()
    expect(page.get_by_text("skipped: Outside my field")).to_be_visible()
    said += found(page, "list")
    assert said == []
    page.get_by_role("button", name="Resume").click()
    on_desk(page, given=1)
    assert page.locator(".sd-line").inner_text() == first


def on_a_phone_the_scores_lie_under_the_thumb(page: Page) -> None:
    """The first of the six is scored."""
    with phone(page) as finger:
        for n in range(1, 6):
            scores = page.locator(".sd-criterion[data-current] .sd-score")
            expect(page.locator(".sd-place")).to_have_text(f"Criterion {n + 1} of 6")
            for score in scores.all():
                box = score.bounding_box()
                assert (
                    box is not None and box["height"] >= 44 and box["y"] > 844 / 3 and box["y"] + box["height"] <= 844
                )
            finger.tap(scores.nth(3))
        submit = page.get_by_role("button", name="Submit")
        box = submit.bounding_box()
        assert box is not None and box["height"] >= 44 and box["y"] > 844 / 2 and box["y"] + box["height"] <= 844
        said = found(page, "full")
        finger.tap(submit)
        on_desk(page, "submitted")
        said += found(page, "submitted")
        assert said == []
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        finger.tap(page.get_by_role("button", name="Next triplet"))
        on_desk(page, given=0)
