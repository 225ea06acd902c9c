"""Where a run's seconds went: `build/durations.json` keeps each test's, and the summary ends with a table by folder.

Seconds are those of set-up, call and clearing away, as pytest took them, summed over all workers: on two workers a run
takes about half of their sum. What node ran is one test of ours; how many it was is said before the table.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest

KEPT = Path(__file__).resolve().parents[1] / "build" / "durations.json"
FEWEST = 50
"""A run of fewer tests than this was looked at by a person: it prints no table and replaces no kept one."""


class Durations:
    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.passed_in_node: object = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        self.passed_in_node = dict(report.user_properties).get("passed in node", self.passed_in_node)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.passed_in_node is not None:  # they count as one test here
            terminalreporter.section("scripts")
            terminalreporter.write_line(f"{self.passed_in_node} passed in node")
        if len(self.seconds) < FEWEST:
            return
        KEPT.parent.mkdir(exist_ok=True)
        longest_first = sorted(self.seconds.items(), key=lambda one: -one[1])
        KEPT.write_text(json.dumps({test: round(spent, 3) for test, spent in longest_first}, indent=0) + "\n", "utf-8")
        terminalreporter.section("seconds by folder")
        for line in by_folder(self.seconds):
            terminalreporter.write_line(line)


def by_folder(seconds: dict[str, float]) -> list[str]:
    """Lines of a table: a folder's seconds, their share of all, and its number of tests; the longest first."""
    spent: defaultdict[str, float] = defaultdict(float)
    tests: Counter[str] = Counter()
    for test, took in seconds.items():
        folder = test.partition("::")[0].rpartition("/")[0]
        spent[folder] += took
        tests[folder] += 1
    total = sum(spent.values())
    rows = [(folder, took, tests[folder]) for folder, took in sorted(spent.items(), key=lambda one: -one[1])]
    return [
        f"{took:8.1f} s  {100 * took / total:5.1f}%  {count:5} tests  {folder}"
        for folder, took, count in [*rows, ("in all", total, sum(tests.values()))]
    ]
