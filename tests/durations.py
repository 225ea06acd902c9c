"""Where a run's seconds went: `build/durations.json` keeps each test's, and the summary ends with a table by folder.

The next run begins the browser's files in the order that these seconds give: the longest first. A fresh clone has
those of `tests/browser/seconds.json`, which `python -m tests.durations` writes from what runs here took.

Seconds are those of set-up, call and clearing away, as pytest took them, summed over all workers, also while a worker
waited for a processor that the others had. What node ran is one test of ours; how many it was is said before the table.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "build" / "durations.json"
COMMITTED = ROOT / "tests" / "browser" / "seconds.json"
FEWEST = 50
"""A run of fewer tests than this was looked at by a person: it prints no table and keeps no seconds."""


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
        longest_first = sorted({**others(self.seconds), **self.seconds}.items(), key=lambda one: -one[1])
        KEPT.write_text(json.dumps({test: round(spent, 3) for test, spent in longest_first}, indent=0) + "\n", "utf-8")
        terminalreporter.section("seconds by folder")
        for line in by_folder(self.seconds):
            terminalreporter.write_line(line)


def kept() -> dict[str, float]:
    """Seconds by test as the last runs took them; none before the first run."""
    return dict(json.loads(KEPT.read_text("utf-8"))) if KEPT.exists() else {}


def others(run: Collection[str]) -> dict[str, float]:
    """What is kept of tests in files that this run left out and that are still there."""
    files = {test.partition("::")[0] for test in run}
    left_out = {test: spent for test, spent in kept().items() if test.partition("::")[0] not in files}
    return {test: spent for test, spent in left_out.items() if (ROOT / test.partition("::")[0]).exists()}


def by_file() -> dict[Path, float]:
    """Seconds by file, as they are kept; of the browser's files that no run here has measured, as committed."""
    spent: defaultdict[Path, float] = defaultdict(float)
    for test, took in kept().items():
        spent[ROOT / test.partition("::")[0]] += took
    committed = {COMMITTED.parent / name: took for name, took in json.loads(COMMITTED.read_text("utf-8")).items()}
    return {**committed, **spent}


def commit() -> None:
    """Write the committed table: the browser's files in whole seconds, the longest first."""
    took = {file.name: round(spent) for file, spent in by_file().items() if file.parent == COMMITTED.parent}
    there = {name: took[name] for name in sorted(took, key=lambda name: (-took[name], name))}
    there = {name: spent for name, spent in there.items() if (COMMITTED.parent / name).exists()}
    COMMITTED.write_text(json.dumps(there, indent=0) + "\n", "utf-8")


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


if __name__ == "__main__":
    commit()
