"""Scoring triplets on the real page: by keys alone and counted, over a refresh, in two tabs, signed out, on a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from store.tables import new_id
from tests.browser.axe import faults, found
from tests.browser.test_canvas_keyboard import POINTERS, Keys
from tests.everything import EVERYTHING

DEMO = Path(__file__).resolve().parents[2] / "demo" / "reservoir.pdf"
TITLE = "Why new canals did not end the shortages: feedback in a shared reservoir"
EVIDENCE = "Water released to farms raises farm income."
TRIPLETS = 14
SCORED = 12 if EVERYTHING else 5
"""In a row: one over a refresh, one in a hurry, others before, between and after them."""
MOST_KEYS = 14
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
work = scoring.take_next(owner, act_id=new_act()).subject_id
for criterion in given["criteria"]:
    scoring.score(owner, work, criterion, 1, seen=triplet(owner, work, with_evidence=False).version, act_id=new_act())
seen = triplet(owner, work, with_evidence=False).version
seen = scoring.comment(owner, work, given["comment"], seen=seen, act_id=new_act()).version
scoring.submit(owner, work, seen=seen, act_id=new_act())
"""
JOIN = """
hashed = passwords.hash_password(given["password"])
with study.store.writing() as session:
    access.new_person(session, given["name"], [Role.EXPERT], study.clock(), password_hash=hashed)
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
SKIP_TO_EVIDENCE = """
from services.triplets import scoring
from services.acting import TERMINAL
from services.triplets.reading import triplet
one = next(one for one in people.list_people(terminal) if one.name == given["name"])
me = Viewer(person_id=one.id, name=one.name, roles=frozenset(one.roles), session_id=TERMINAL)
while triplet(me, work := scoring.take_next(me, act_id=new_act()).subject_id).treatment != given["treatment"]:
    scoring.skip(me, work, "Outside my field", seen=triplet(me, work).version, act_id=new_act())
"""
END = """
from store import people as rows, sessions
with study.store.writing() as session:
    for row in rows.all_people(session):
        if row.name == given["name"]:
            sessions.end_sessions(session, row.id, study.clock())
"""


def secret(n: int) -> str:
    return f"reason-nobody-sees-before-{n}-is-handed-in"


def row(n: int) -> dict[str, Any]:
    """A triplet with synthetic critics; the evidence of the first is printed in a paper of the study."""
    given = {key: {"score": 2 + (n + place) % 2, "reason": secret(n)} for place, key in enumerate(CRITERIA)}
    return {
        "paper_id": 1 if n == 0 else n + 1,
        "title": TITLE if n == 0 else f"Paper number {n}",
        "publication_year": 1990 + n,
        "paper_url": "" if n == 0 else f"https://example.org/{n}",
        "jel_codes": "Q25",
        "treatment": f"Cause number {n}",
        "outcome": f"Effect number {n}",
        "sign": ("+", "-", "None", "mixed")[n % 4],
        "final_context": "A valley with one reservoir, over twenty years.",
        "final_id_methods": "IV",
        "evidence": [EVIDENCE, "This stands nowhere."] if n == 0 else [f"Effect {n} rose."],
        "critics": {f"Critic {name}": given for name in "ABC"},
        "is_synthetic": True,
    }


@pytest.fixture(scope="module")
def site(start_server: Callable[..., Any]) -> Any:
    """A server whose study has fourteen triplets; a colleague has scored the first and said so."""
    server = start_server()
    rows = [row(n) for n in range(TRIPLETS)]
    server.seed(FILL, pdf=str(DEMO), rows=rows, criteria=CRITERIA, comment=COLLEAGUE)
    return server


@pytest.fixture
def me(site: Any, request: pytest.FixtureRequest) -> str:
    """An economist of the test's own."""
    name = f"{new_id()[-6:]} {re.sub(r'[^a-z]+', ' ', request.node.name)[-50:].strip()}"  # a second try is another one
    site.seed(JOIN, name=name, password=site.password)
    return name


def truth(site: Any, name: str) -> list[dict[str, Any]]:
    """What the store has of this economist's triplets, in the order they took them."""
    found: list[dict[str, Any]] = json.loads(site.seed(TRUTH, name=name).splitlines()[-1])
    return found


def on_desk(page: Page, state: str = "open", given: int | None = None) -> None:
    """Wait until the desk has the store's answer for everything, and so many criteria are scored."""
    wanted = f".sd[data-waiting='0'][data-state='{state}']" + (f"[data-given='{given}']" if given is not None else "")
    expect(page.locator(wanted)).to_be_visible(timeout=30_000)


def open_desk(page_as: Callable[..., Page], site: Any, name: str, **options: Any) -> Page:
    page = page_as(name, "/triplets", on=site, **options)
    page.get_by_role("button", name=re.compile("Score next triplet|Continue scoring")).click()
    on_desk(page)
    return page


def six_of(n: int) -> list[int]:
    return [(n + place) % 4 for place in range(6)]


# --- by keys alone ----------------------------------------------------------------------------------------------


def test_triplets_are_scored_by_few_keys_and_blind_with_a_refresh_in_the_middle(
    site: Any, me: str, page_as: Callable[..., Page], settled: Callable[[Page], None]
) -> None:
    page = page_as(me, "/triplets", on=site)
    frames: list[bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda said: frames.append(as_bytes(said))))
    page.add_init_script(POINTERS)
    page.reload()
    settled(page)
    keys = Keys(page)
    keys.tab_to("^Score next triplet$")
    keys.press("Enter")
    for n in range(SCORED):
        on_desk(page, given=0)
        pressed = score_one(page, keys, n, frames)
        assert pressed <= MOST_KEYS
    assert page.evaluate("window.__pointers") == 0
    assert COLLEAGUE.encode() not in b"".join(frames)
    done = truth(site, me)
    assert [each["state"] for each in done] == ["submitted"] * SCORED + ["open"]
    assert [[each["scores"][key] for key in CRITERIA] for each in done[:SCORED]] == [six_of(n) for n in range(SCORED)]


def score_one(page: Page, keys: Keys, n: int, frames: list[bytes]) -> int:
    """Six scores, submit, look, go on; returns how many keys that took."""
    number = int(re.findall(r"Cause number (\d+)", page.locator(".sd[data-given='0'] .sd-line").inner_text())[0])
    digits = [str(value) for value in six_of(n)]
    keys.press(*digits[:3])
    if n == 1:
        on_desk(page, given=3)
        page.reload()
        on_desk(page, given=3)
        expect(page.locator(".sd-criterion[data-current] .sd-name")).to_have_text("Causality")
    keys.press(*digits[3:])
    on_desk(page, given=6)
    expect(page.locator(".cv-receipt")).to_contain_text(re.compile(r"Saved \d\d:\d\d:\d\d"))
    assert secret(number).encode() not in b"".join(frames)
    if n == 3:  # in a hurry: the second one comes before the answer, and is kept until then
        keys.press("Enter", "Enter")
        return len(digits) + 2
    keys.press("Enter")
    on_desk(page, "submitted")
    answer = page.locator(".sd-answer")
    expect(answer).to_contain_text("Synthetic")
    expect(answer).to_contain_text(f"{sum(six_of(n))} of 18")
    expect(answer).to_contain_text(secret(number))
    assert secret(number).encode() in b"".join(frames)
    keys.press("Enter")
    return len(digits) + 2


def as_bytes(said: str | bytes) -> bytes:
    return said if isinstance(said, bytes) else said.encode()


def test_the_evidence_is_marked_on_its_page_beside_the_criteria_without_scrolling(
    site: Any, me: str, page_as: Callable[..., Page]
) -> None:
    site.seed(SKIP_TO_EVIDENCE, name=me, treatment=row(0)["treatment"])  # the order of the queue is its own affair
    page = open_desk(page_as, site, me)
    found = page.get_by_role("button", name="Evidence 1")
    expect(found).to_have_text("Evidence 1 · page 2, word for word")
    expect(page.get_by_text("Not found in the paper word for word")).to_be_visible()
    expect(page.locator(".sd-viewport img")).to_have_js_property("complete", True)
    expect(page.locator(".sd-mark.chosen")).to_have_count(1)
    for part in (".sd-mark.chosen", ".sd-criteria", ".sd-primary", ".sd-comment"):
        box = page.locator(part).bounding_box()
        assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= 900, part
    assert page.evaluate("document.querySelector('.stMain').scrollTop") == 0


def test_every_key_does_what_its_sheet_says_and_a_skipped_triplet_takes_a_reason(
    site: Any, me: str, page_as: Callable[..., Page]
) -> None:
    page = open_desk(page_as, site, me)
    every_key_does_what_its_sheet_says(page, site, me)
    page.keyboard.press("c")
    page.keyboard.press("Control+A")
    page.keyboard.press("Backspace")
    page.keyboard.press("Escape")
    a_skipped_triplet_takes_a_reason_and_the_next_one_comes(page, site, me)


def every_key_does_what_its_sheet_says(page: Page, site: Any, me: str) -> None:
    press = page.keyboard.press
    current = page.locator(".sd-criterion[data-current] .sd-name")
    press("?")
    expect(page.get_by_role("dialog", name="Scoring keys")).to_be_visible()
    press("Escape")
    said = faults(page, "open")
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
    assert truth(site, me)[0]["scores"] == {"variable_extraction": 3}
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
    said += faults(page, "words")
    assert said == []
    press("w")
    expect(page.get_by_text("It is a causal claim that a named design identifies.")).to_be_hidden()
    on_desk(page, given=0)
    (mine,) = truth(site, me)
    assert (mine["own"], mine["comment"], mine["scores"]) == (False, "0 1 2 3 u s are letters here", {})


def a_skipped_triplet_takes_a_reason_and_the_next_one_comes(page: Page, site: Any, me: str) -> None:
    first = page.locator(".sd-line").inner_text()
    page.keyboard.press("2")
    page.keyboard.press("s")
    page.keyboard.press("Enter")  # without a reason nothing happens
    expect(page.get_by_role("group", name="Reason to skip")).to_be_visible()
    said = faults(page, "skip")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    on_desk(page, "skipped")
    expect(page.locator(".sd-answer")).to_contain_text("Outside my field")
    page.keyboard.press("Enter")
    on_desk(page, given=0)
    assert page.locator(".sd-line").inner_text() != first
    assert [(each["state"], each["comment"]) for each in truth(site, me)] == [
        ("skipped", "Outside my field"),
        ("open", ""),
    ]
    page.get_by_role("button", name="All triplets").click()
    expect(page.get_by_text("skipped: Outside my field")).to_be_visible()
    said += faults(page, "list")
    assert said == []
    page.get_by_role("button", name="Resume").click()
    on_desk(page, given=1)
    assert page.locator(".sd-line").inner_text() == first


# --- nothing is lost --------------------------------------------------------------------------------------------


def test_a_second_tab_overwrites_nothing_and_a_refresh_and_a_lost_session_lose_nothing(
    site: Any, me: str, page_as: Callable[..., Page], watch: Any
) -> None:
    watch.expected.append("401|WebSocket")
    page = open_desk(page_as, site, me)
    a_second_tab_is_refused_with_both_versions_and_overwrites_nothing(page, site, me)
    page.reload()
    on_desk(page, given=1)
    scores_faster_than_the_store_and_a_half_typed_comment_outlive_a_refresh(page, site, me)
    page.keyboard.press("Escape")
    whoever_is_signed_out_in_the_middle_comes_back_to_the_same_triplet_with_all_of_it(page, site, me)


def scores_faster_than_the_store_and_a_half_typed_comment_outlive_a_refresh(page: Page, site: Any, me: str) -> None:
    for key in "321":
        page.keyboard.press(key)
    page.keyboard.press("c")
    page.keyboard.type("half a sen")
    page.reload()  # before the answers
    on_desk(page, given=4)
    expect(page.locator(".sd-comment")).to_have_value("half a sen")
    kept = {"variable_extraction": 0, "direction": 3, "sign": 2, "causality": 1}
    assert truth(site, me)[0]["scores"] == kept


def a_second_tab_is_refused_with_both_versions_and_overwrites_nothing(page: Page, site: Any, me: str) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    on_desk(other, given=0)
    page.keyboard.press("3")
    on_desk(page, given=1)
    other.keyboard.press("0")
    expect(other.get_by_text("Another tab changed these scores.")).to_be_visible()
    expect(other.get_by_text("1 act kept on this computer")).to_be_visible()
    assert truth(site, me)[0]["scores"] == {"variable_extraction": 3}
    other.get_by_role("button", name="Keep my scores").click()
    on_desk(other, given=1)
    assert truth(site, me)[0]["scores"] == {"variable_extraction": 0}
    other.close()


def whoever_is_signed_out_in_the_middle_comes_back_to_the_same_triplet_with_all_of_it(
    page: Page, site: Any, me: str
) -> None:
    line = page.locator(".sd-line").inner_text()
    before = truth(site, me)[0]["scores"]
    page.keyboard.press("3")
    on_desk(page, given=5)
    site.seed(END, name=me)
    page.keyboard.press("2")
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("Name").fill(me)
    page.get_by_label("Password").fill(site.password)
    page.get_by_role("button", name="Sign in").click()
    on_desk(page, given=6)
    assert page.locator(".sd-line").inner_text() == line
    assert truth(site, me)[0]["scores"] == {**before, "main_claim": 3, "context_appropriateness": 2}


# --- on a phone, and for everyone ---------------------------------------------------------------------------------


def test_on_a_phone_the_scores_lie_under_the_thumb(site: Any, me: str, page_as: Callable[..., Page]) -> None:
    page = open_desk(page_as, site, me, width=390, height=844, has_touch=True, is_mobile=True)
    for n in range(6):
        scores = page.locator(".sd-criterion[data-current] .sd-score")
        expect(page.locator(".sd-place")).to_have_text(f"Criterion {n + 1} of 6")
        for score in scores.all():
            box = score.bounding_box()
            assert box is not None and box["height"] >= 44 and box["y"] > 844 / 3 and box["y"] + box["height"] <= 844
        scores.nth(3).tap()
    submit = page.get_by_role("button", name="Submit")
    box = submit.bounding_box()
    assert box is not None and box["height"] >= 44 and box["y"] > 844 / 2 and box["y"] + box["height"] <= 844
    said = found(page, "full")
    submit.tap()
    on_desk(page, "submitted")
    said += found(page, "submitted")
    assert said == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.get_by_role("button", name="Next triplet").tap()
    on_desk(page, given=0)
