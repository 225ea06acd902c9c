"""Sixty failures coded by two people on a phone's width by keys alone, and a table without flagged samples."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import krippendorff
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import settle
from tests.everything import EVERYTHING

FAILURES = 60
SEED = """
from core.runs.filters import FailureFilters
from services.failures import codebook, coding
from services.runs import planning
from services.runs.settings import RunConfig, SampleSource
from tests.pages.run_screens import triplets
from tests.services.run_parts import work_here
codebook.save_codebook(terminal, given["codebook"], seen=0, act_id=new_act())
config = RunConfig(title="A run", source=SampleSource((triplets(terminal, 2 * given["failures"]),)), tasks=("task1",),
                   variants=("context",), baselines=("always-plus",))
run = planning.start(terminal, config, act_id=new_act()).subject_id
work_here(study)
coding.draw(terminal, run, given["failures"], 1, act_id=new_act())
"""
CODES = """
from sqlmodel import select
from services.failures import coding
from store.people import names_of
from store.tables import AnswerCodesRow, CodingListRow
with study.store.reading() as session:
    rows = session.exec(select(AnswerCodesRow)).all()
    names = names_of(session, [row.coder for row in rows])
    (items,) = session.exec(select(CodingListRow.items)).all()
    print(json.dumps({name: [next((row.codes for row in rows if (row.item_id, names[row.coder]) == (item, name)), None)
                             for item in items] for name in set(names.values())}))
"""
BOOK = "s Wrong sign: It is the other.\nm Misread text: The text says otherwise.\no Other: Anything else."
NAMES = {"s": "Wrong sign", "m": "Misread text", "o": "Other"}
KEYS = {
    "reviewer": [("s", "m", "", "sm", "o", "s")[n % 6] for n in range(FAILURES)],
    "researcher": [("s", "m", "", "m", "s", "s")[n % 6] for n in range(FAILURES)],
}


@pytest.fixture(scope="module")
def site(start_server: Callable[..., Any]) -> Any:
    server = start_server()
    server.seed(SEED, codebook=BOOK, failures=FAILURES)
    return server


def press_on(page: Page, control: Locator, key: str = "Enter", *, most: int = 80) -> None:
    """Reach a control by Tab alone, and press a key on it."""
    expect(control).to_be_visible()
    for _ in range(most):
        if control.evaluate("each => each === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(control).to_be_focused()
    page.keyboard.press(key)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


@pytest.mark.skipif(not EVERYTHING, reason="tests/pages/failures/test_coding.py")
def test_two_people_code_sixty_failures_by_keys_alone_on_a_phones_width(
    site: Any, page_as: Callable[..., Page]
) -> None:
    page: Page | None = None
    for name, keys in KEYS.items():
        page = page_as(name, "/failures?show=codes", on=site, after=page, width=390, height=844)
        press_on(page, button(page, "Code next list"))
        for number, pressed in enumerate(keys, 1):
            assert len(pressed) + 1 <= 3
            expect(page.get_by_text(f"{number} of {FAILURES} · {number - 1} coded")).to_be_visible()
            settle(page)
            for key in pressed:
                chosen = page.get_by_role("button", name=NAMES[key]).filter(has_text="check")
                page.keyboard.press(key)
                expect(chosen).to_be_visible()
            if name == "reviewer" and number in (1, 2):
                page.keyboard.press("1")
                expect(page.get_by_text("Flagged by you")).to_be_visible()
            settle(page)
            page.keyboard.press("Enter")
        expect(page.get_by_text(f"{FAILURES} of {FAILURES} coded")).to_be_visible()
        settle(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        press_on(page, button(page, "Submit codes"))
        expect(page.get_by_text(f"{FAILURES} of {FAILURES} coded")).to_have_count(0)
    assert page is not None
    stored: dict[str, list[list[str]]] = json.loads(site.seed(CODES).splitlines()[-1])
    expected = {name: [{NAMES[key] for key in each} for each in keys] for name, keys in KEYS.items()}
    assert {name: [set(codes) for codes in each] for name, each in stored.items()} == expected
    sets = [["+".join(sorted(codes)) for codes in each] for each in expected.values()]
    words = sorted({word for row in sets for word in row})
    alpha = krippendorff.alpha([[words.index(word) for word in row] for row in sets], level_of_measurement="nominal")
    expect(page.get_by_text(f"α of whole sets is {alpha:.2f}")).to_be_visible()
    page = page_as("researcher", "/results?run=1", on=site, after=page, width=390, height=844)
    flagged = page.get_by_role("radiogroup", name="Flagged samples")
    press_on(page, flagged.get_by_role("radio", name="Counted"), "ArrowRight")
    expect(flagged.get_by_role("radio", name="Left out")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_text(f"{2 * FAILURES - 2} of {2 * FAILURES} samples").first).to_be_visible()


PROPOSING = """
from services.failures import codebook, coding, proposal_settings
from services.runs import planning
from services.runs.settings import RunConfig, SampleSource
from tests.pages.run_screens import triplets
from tests.services.odd_provider import odd_server, says
from tests.services.run_parts import set_up, work_here
codebook.save_codebook(terminal, given["codebook"], seen=0, act_id=new_act())
proposal_settings.save_settings(terminal, 0.25, seen=0, act_id=new_act())
proposals = [{"code": "Misread text", "quotation": "It rises"}, {"code": "Wrong sign", "quotation": '"+"'},
             {"code": "Other", "quotation": "It falls"}]
replies = {"m": [says('{"predicted_sign": "+", "reasoning": "It rises with rain."}')],
           "proposer": [says(json.dumps({"codes": proposals}))]}
with odd_server(replies) as server:
    set_up(terminal, server, list(replies))
    config = RunConfig(title="A run", source=SampleSource((triplets(terminal, 2 * given["failures"]),)),
                       tasks=("task1",), variants=("context",), models=("m",))
    run = planning.start(terminal, config, act_id=new_act()).subject_id
    work_here(study)
    coding.draw(terminal, run, given["failures"], 1, act_id=new_act())
    (line,) = coding.list_lines(terminal)
    config = RunConfig(title="Why", source=SampleSource(), protocol="proposed-codes", tasks=("codes",),
                       variants=("standard",), models=("proposer",), options={"coding_list": line.list_id})
    planning.start(terminal, config, act_id=new_act())
    work_here(study)
"""
DECIDED = """
from sqlmodel import select
from services.failures import proposal_effect
from store.tables import CodeDecisionRow
with study.store.reading() as session:
    rows = session.exec(select(CodeDecisionRow)).all()
arms = proposal_effect.effect(terminal)
decided, answers = [(row.code, row.is_accepted) for row in rows], [each.answers for each in arms]
print(json.dumps({"decided": decided, "answers": answers}))
"""


@pytest.mark.skipif(not EVERYTHING, reason="tests/pages/failures/test_proposed_codes.py")
def test_proposed_codes_are_accepted_and_rejected_by_one_key_each_on_a_phones_width(
    start_server: Callable[..., Any], page_as: Callable[..., Page]
) -> None:
    site, failures, page = start_server(), 8, None
    site.seed(PROPOSING, codebook=BOOK, failures=failures)
    many = 0
    for name in KEYS:
        page = page_as(name, "/failures?show=codes", on=site, after=page, width=390, height=844)
        press_on(page, button(page, "Code next list"))
        for number in range(1, failures + 1):
            expect(page.get_by_text(f"{number} of {failures} · {number - 1} coded")).to_be_visible()
            settle(page)
            if page.get_by_role("button", name="Accept").count():  # the name ends in its key
                many += 1
                expect(page.get_by_text('A model proposes: Wrong sign, since “"+"” (2 left)')).to_be_visible()
                page.keyboard.press("y")
                expect(page.get_by_text("A model proposes: Misread text, since “It rises”")).to_be_visible()
                settle(page)
                page.keyboard.press("n")
                expect(page.get_by_text("Rejected: Misread text")).to_be_visible()
                expect(page.get_by_text(f"{number} of {failures}")).to_be_visible()
                assert page.evaluate("document.documentElement.scrollWidth") <= 390
                settle(page)
            page.keyboard.press("Enter")
        settle(page)
        press_on(page, button(page, "Submit codes"))
        expect(page.get_by_text(f"{failures} of {failures} coded")).to_have_count(0)
    assert page is not None
    stored = json.loads(site.seed(DECIDED).splitlines()[-1])
    assert sorted(stored["decided"]) == sorted([["Wrong sign", True], ["Misread text", False]] * many)
    assert stored["answers"] == [many // 2, failures - many // 2]
    expect(page.get_by_text(f"People accepted 50% of {2 * many} proposals decided")).to_be_visible()
