"""From a file of triplets to agreement of raters in a real browser; every figure worked out here a second time."""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.walking import walk
from tests.everything import EVERYTHING

CRITERIA = ("variable_extraction", "direction", "sign", "causality", "main_claim", "context_appropriateness")
LOT = random.Random(7)  # the same scores in every run
TRIPLETS = 6
Sheet = tuple[int, ...]


def lot() -> Sheet:
    return tuple(LOT.choice((1, 2, 2, 3, 3, 3, 3)) for _ in CRITERIA)


CRITICS = [[lot() for _ in range(3)] for _ in range(TRIPLETS)]
EXPERTS = [[lot() for _ in range(2)] for _ in range(TRIPLETS)]
SCORE = """
from services.queue.work import claim_next
from services.triplets.work_kind import TRIPLETS
from services.triplets import scoring, reading as scoring_reading
from core.people import Viewer
from services.acting import TERMINAL
for place, name in enumerate(("expert", "Another expert")):
    if name != "expert":
        people.add_person(terminal, name, [Role.EXPERT], None, act_id=new_act())
    row = next(person for person in people.list_people(terminal) if person.name == name)
    viewer = Viewer(person_id=row.id, name=row.name, roles=frozenset(row.roles), session_id=TERMINAL)
    for _ in given["sheets"]:
        work = claim_next(viewer, TRIPLETS, act_id=new_act()).subject_id
        view = scoring_reading.triplet(viewer, work, with_evidence=False)
        version = view.version
        for criterion, score in zip(given["criteria"], given["sheets"][int(view.treatment.split()[-1])][place]):
            version = scoring.score(viewer, work, criterion, score, seen=version, act_id=new_act()).version
        version = scoring.comment(viewer, work, f"{view.treatment}: seen", seen=version, act_id=new_act()).version
        scoring.submit(viewer, work, seen=version, act_id=new_act())
"""


def rows() -> list[dict[str, Any]]:
    """Six triplets of three papers with critics; lines 5 and 8 are faulty."""
    found: list[dict[str, Any]] = [
        {
            "paper_id": 10 + number // 2,
            "title": f"A paper with the number {number // 2}",
            "publication_year": 2001,
            "treatment": f"Cause {number}",
            "outcome": "Prices",
            "sign": "+",
            "critics": {
                f"critic {place}": {
                    key: {"score": score, "reason": f"reason of {place}"}
                    for key, score in zip(CRITERIA, sheet, strict=True)
                }
                for place, sheet in enumerate(CRITICS[number])
            },
        }
        for number in range(TRIPLETS)
    ]
    found.insert(4, {**found[0], "treatment": "Faulty", "sign": "upwards"})
    return [*found, {**found[0], "treatment": "Faulty too", "critics": {"critic 0": {"sign": {"score": 4}}}}]


# --- the same figures, by hand ----------------------------------------------------------------------------------


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def accepts(sheets: Sequence[Sheet]) -> bool:
    """By whole numbers: every criterion's sum at least 2 a rater, all together at least 15 a rater."""
    sums = [sum(column) for column in zip(*sheets, strict=True)]
    return min(sums) >= 2 * len(sheets) and sum(sums) >= 15 * len(sheets)


def kappa(pairs: Sequence[tuple[float, float]], weigh: Callable[[float, float], float]) -> float:
    """1 − observed ÷ expected disagreement; expected: every first with every second."""
    observed = mean([weigh(*pair) for pair in pairs])
    return 1 - observed / mean([weigh(one, other) for one, _ in pairs for _, other in pairs])


def icc(pairs: Sequence[tuple[float, float]]) -> dict[str, float]:
    """Of n units and two raters, from the mean squares of Shrout and Fleiss 1979."""
    n, k = len(pairs), 2
    grand = mean([value for pair in pairs for value in pair])
    units = k * sum((mean(pair) - grand) ** 2 for pair in pairs) / (n - 1)
    raters = n * sum((mean(column) - grand) ** 2 for column in zip(*pairs, strict=True)) / (k - 1)
    total = sum((value - grand) ** 2 for pair in pairs for value in pair)
    within = sum((value - mean(pair)) ** 2 for pair in pairs for value in pair) / n
    rest = (total - units * (n - 1) - raters * (k - 1)) / (n - 1)
    return {
        "ICC(1,1)": (units - within) / (units + within),
        "ICC(2,1)": (units - rest) / (units + rest + k * (raters - rest) / n),
        "ICC(3,1)": (units - rest) / (units + rest),
        "ICC(1,k)": (units - within) / units,
        "ICC(2,k)": (units - rest) / (units + (raters - rest) / n),
        "ICC(3,k)": (units - rest) / units,
    }


def unequal(one: float, other: float) -> float:
    return float(one != other)


def squared(one: float, other: float) -> float:
    return (one - other) ** 2


def critic_pairs(criterion: int) -> list[tuple[float, float]]:
    """(critics' mean, expert) of every expert and triplet."""
    return [
        (mean([sheet[criterion] for sheet in CRITICS[number]]), sheet[criterion])
        for number in range(TRIPLETS)
        for sheet in EXPERTS[number]
    ]


def expert_pairs(criterion: int) -> list[tuple[float, float]]:
    return [(one[criterion], other[criterion]) for one, other in EXPERTS]


VERDICTS = [(accepts(CRITICS[n]), accepts([sheet])) for n in range(TRIPLETS) for sheet in EXPERTS[n]]


def table(page: Page, part: str) -> dict[tuple[str, str], dict[str, str]]:
    """The open table's CSV: (line, measure) → row."""
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="CSV (all values)").click()
    assert waiting.value.suggested_filename == f"tested-raters-{part}-ge.csv"
    text = Path(waiting.value.path()).read_text(encoding="utf-8-sig")
    return {(row["line"], row["measure"]): row for row in csv.DictReader(text.splitlines())}


def value(row: dict[str, str]) -> float:
    return float(row["value"].lstrip("'"))


# --- in the browser ---------------------------------------------------------------------------------------------


def go(page: Page, link: str) -> None:
    """By way of another page: on the same, what was chosen there last would outlive the link."""
    walk(page, "/texts")
    walk(page, link)


@pytest.mark.skipif(not EVERYTHING, reason="the arithmetic: tests/pages/agreement/test_raters.py")
def test_a_file_with_faulty_rows_becomes_agreement_that_hand_arithmetic_confirms(
    start_server: Callable[..., Any], page_as: Callable[..., Page], settled: Callable[[Page], None], tmp_path: Path
) -> None:
    server = start_server()  # of its own: nobody else's triplets
    file = tmp_path / "six.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows()), encoding="utf-8")
    page = page_as("researcher", "/exchange", on=server)
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("6 triplets from 3 papers; 108 scores by critic 0, critic 1, critic 2")).to_be_visible()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download faulty rows").click()
    faults = list(csv.DictReader(Path(waiting.value.path()).read_text(encoding="utf-8-sig").splitlines()))
    assert [(fault["line"], fault["field"], fault["value"]) for fault in faults] == [
        ("5", "sign", "upwards"),
        ("8", "critics", "4"),
    ]
    page.get_by_role("button", name="Import 6 triplets").click()
    expect(page.get_by_text("6 triplets from 3 papers, scored by critic 0")).to_be_visible()
    expect(page).to_have_url(re.compile(r"part=triplets&collection=[0-9a-f]{16}"))
    server.seed(SCORE, criteria=CRITERIA, sheets=EXPERTS)

    page.get_by_role("button", name="Show agreement").click()
    alike = mean([one == other for one, other in VERDICTS])
    headline = f"Critics and experts agree on {100 * alike:.1f}%"
    expect(page.get_by_text(headline, exact=False)).to_be_visible()
    overall = mean([abs(one - other) for place in range(6) for one, other in critic_pairs(place)])
    expect(page.get_by_text(f"MAE {overall:.3f} [95%", exact=False)).to_be_visible()
    settled(page)
    found = table(page, "critics")
    assert value(found["all six", "MAE"]) == pytest.approx(overall)
    for place, key in enumerate(CRITERIA):
        name, pairs = key.replace("_", " "), critic_pairs(place)
        assert value(found[name, "MAE"]) == pytest.approx(mean([abs(one - other) for one, other in pairs]))
        assert value(found[name, "bias"]) == pytest.approx(mean([one - other for one, other in pairs]), abs=1e-12)
        assert value(found[name, "κ, weighted"]) == pytest.approx(kappa(pairs, squared))
        assert value(found[name, "share at 3"]) == pytest.approx(mean([other == 3 for _, other in pairs]))

    go(page, "/agreement?part=raters&table=icc")
    found = table(page, "icc")
    for place, key in enumerate(CRITERIA):
        for who, pairs in (("experts", expert_pairs(place)), ("critics and expert", critic_pairs(place))):
            for form, expected in icc(pairs).items():
                assert value(found[f"{key.replace('_', ' ')}, {who}", form]) == pytest.approx(expected)

    # whoever may yet be asked to score sees no triplet of this cell
    page = page_as("reviewer", "/agreement?part=raters&table=verdicts&column=3", on=server, after=page)
    found = table(page, "verdicts")
    assert value(found["critics vs expert", "agreement"]) == pytest.approx(alike)
    assert value(found["critics vs expert", "κ"]) == pytest.approx(kappa(VERDICTS, unequal))
    only_critics = [n for n in range(TRIPLETS) if accepts(CRITICS[n]) and not all(accepts([s]) for s in EXPERTS[n])]
    assert value(found["critics vs expert", "only first accepts"]) == VERDICTS.count((True, False)) > 0
    page.keyboard.press("Escape")
    words = f"Triplets in this cell: {len(only_critics)}"
    expect(page.get_by_text(words, exact=False).first).to_be_visible()
    first = page.locator("canvas td[role=gridcell]").filter(has_text="Cause").first
    number = int(str(first.text_content()).split()[1])
    assert number in only_critics
    expect(page.get_by_text(f"Cause {number}: seen", exact=False).first).to_be_visible()
    page.get_by_text("Reasons of 3 critics").click()
    expect(page.get_by_text("reason of 2", exact=False).first).to_be_visible()
