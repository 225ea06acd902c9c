"""The list of what a usual run holds back names each file that does, and no other."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent
USES = re.compile(
    r"^from tests\.everything import|^(?:@|pytestmark = )pytest\.mark\.both\(usually=False\)", re.MULTILINE
)
SKIPPED = re.compile(r"^@pytest\.mark\.skipif\(\s*not EVERYTHING\b", re.MULTILINE)
HALVES = re.compile(r"PostgreSQL: (\d+) tests?")


def listed() -> dict[str, list[str]]:
    """File below tests/ → the other columns of its line."""
    lines = (TESTS / "held_back.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split(" | ") for line in lines if not line.startswith("#")]
    assert len({row[0] for row in rows}) == len(rows)
    return {name: others for name, *others in rows}


def test_each_file_that_holds_something_back_is_listed_and_no_other() -> None:
    texts = {path.relative_to(TESTS).as_posix(): path.read_text(encoding="utf-8") for path in TESTS.rglob("*.py")}
    users = {name for name, text in texts.items() if USES.search(text)}
    assert listed().keys() == users


def test_each_line_has_a_reason_and_counts_its_tests_of_postgresql() -> None:
    for name, others in listed().items():
        assert len(others) == 2 and all(others), name
        text = (TESTS / name).read_text(encoding="utf-8")
        marked = text.count("@pytest.mark.both(usually=False)")
        counted = HALVES.search(others[0])
        assert int(counted[1] if counted else 0) == marked, name


def test_tests_named_in_a_reason_exist_and_are_not_all_held_back() -> None:
    for name, (_, reason) in listed().items():
        for named in re.findall(r"[\w/]+\.(?:py|test\.js)", reason):
            root = TESTS.parent if named.startswith("tests/") else (TESTS / name).parent
            assert (root / named).is_file(), f"{name}: {named}"
            text = (root / named).read_text(encoding="utf-8")
            skips = len(SKIPPED.findall(text))
            assert not skips or text.count("\ndef test_") > skips, f"{name}: no test of {named} runs usually"
