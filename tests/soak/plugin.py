"""Gathers every proof of a promise into one table (`make soak` says how it is called).

A proof is a test marked `@pytest.mark.proof("T1", "what it shows", gate="…")`, in whatever folder it stands, or any
test of this folder. It says by pytest's own `record_property` what came of it: `figure` (words), `repetitions`, and
`what` where one test makes several rows. A walk in several cases says `counts`, which add up, and a figure that names
them in braces. Without a figure its passed cases are counted. All other tests are left out.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.harness import load, machine
from tests.soak.table import EXPECTED, Row, keep, markdown, share, with_missing

HERE = Path(__file__).resolve().parent
KEPT = HERE.parents[1] / "build" / "soak.json"


@dataclass
class Proof:
    """What is known of one row while its cases run."""

    claim: str
    what: str
    gate: str
    test: str
    passed: int = 0
    failed: int = 0
    repetitions: int = 0
    reruns: int = 0
    seconds: float = 0.0
    figures: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    """What the cases of one walk count together; a figure names each in braces."""
    faults: list[str] = field(default_factory=list)

    def row(self) -> Row:
        cases = self.passed + self.failed
        figures = [each.format(**self.counts) if self.counts else each for each in self.figures]
        figure = "; ".join(dict.fromkeys(figures)) or f"{self.passed} of {cases} passed"
        figure += f"; {self.reruns} tried twice" if self.reruns else ""
        if self.faults:
            figure = f"FAILED: {self.faults[0]}" + (f" ({figure})" if figures else "")
        return Row(
            self.claim,
            self.what,
            self.repetitions or cases,
            figure,
            self.gate,
            "short" if self.failed else "ok",
            self.test,
            round(self.seconds, 1),
        )


class Table:
    """The plugin's memory of one run."""

    def __init__(self) -> None:
        self.told: dict[str, tuple[str, str, str]] = {}
        self.proofs: dict[tuple[str, str], Proof] = {}
        self.began = time.time()
        self.load_before = load()

    def rows(self) -> list[Row]:
        taken = datetime.now(UTC).date().isoformat() + ("" if share() == 1 else f", share {share():g}")
        return with_missing([replace(proof.row(), taken=taken) for proof in self.proofs.values()])

    def conditions(self, *, is_whole: bool) -> dict[str, Any]:
        return {
            "whole": is_whole,
            "date": datetime.now(UTC).date().isoformat(),
            "share": share(),
            "minutes": round((time.time() - self.began) / 60, 1),
            "load before": self.load_before,
            "load after": load(),
            **machine(),
        }

    def note(self, report: pytest.TestReport) -> None:
        """Take up one finished phase of a test: its call, or a fault before or after it."""
        if report.when != "call" and report.passed:
            return
        said = {str(name): value for name, value in report.user_properties}  # of a second try the last word counts
        claim, what, gate = self.told[report.nodeid]
        test = report.nodeid.partition("[")[0]
        what = str(said.get("what", what))
        proof = self.proofs.setdefault((test, what), Proof(claim, what, gate, test))
        if str(report.outcome) == "rerun":
            proof.reruns += 1
            return
        proof.seconds += report.duration
        proof.passed += report.passed
        proof.failed += not report.passed
        proof.repetitions += int(said.get("repetitions", 0))
        if "figure" in said:
            proof.figures.append(str(said["figure"]))
        proof.counts.update(said.get("counts", {}))
        if not report.passed:
            proof.faults.append(_why(report))


def told(item: pytest.Item) -> tuple[str, str, str]:
    """Claim, words and gate of a test: of its marker, or of what is expected of a file without one."""
    marker = item.get_closest_marker("proof")
    if marker is not None:
        return marker.args[0], marker.args[1], marker.kwargs.get("gate", "")
    for name, claim, what in EXPECTED:
        if name in item.nodeid:
            return claim, what, ""
    return "–", item.name.replace("_", " "), ""


def _why(report: pytest.TestReport) -> str:
    if isinstance(report.longrepr, tuple):
        return f"skipped: {report.longrepr[2]}"
    crash = getattr(report.longrepr, "reprcrash", None)
    told = " ".join((crash.message if crash is not None else str(report.longrepr)).split())
    return told.split(" + where ")[0][:160]  # what follows is every number that was measured


# --- pytest's hooks ----------------------------------------------------------------------------------------------

_table = Table()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the proofs only, the short ones first."""
    proofs = [item for item in items if HERE in item.path.parents or item.get_closest_marker("proof")]
    chosen = set(map(id, proofs))
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in chosen])
    items[:] = sorted(proofs, key=lambda item: HERE in item.path.parents)
    _table.told = {item.nodeid: told(item) for item in items}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _table.note(report)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the table, and keep it; one of chosen tests (-k) is only looked at."""
    if config.option.collectonly:
        return
    # `make soak` asks for all tests; somebody who names a file takes its proofs again.
    rows, conditions = _table.rows(), _table.conditions(is_whole=config.args == ["tests"] and not config.option.keyword)
    if not config.option.keyword:
        keep(KEPT, rows, conditions)
    terminalreporter.section("the promises and what came of them")
    terminalreporter.write_line(markdown(rows))
    terminalreporter.write_line(", ".join(f"{name}: {value}" for name, value in conditions.items()))
    if not config.option.keyword:
        place = KEPT.relative_to(HERE.parents[1])
        terminalreporter.write_line(f"kept as {place}; `make figures` puts it into the guides")
