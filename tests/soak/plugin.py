"""Gathers every proof of a promise into one table (`make soak` says how it is called).

A proof is a test marked `@pytest.mark.proof("T1", "what it shows", gate="…")`, in any folder. It says by pytest's own
`record_property` what came of it: `figure` (words), `repetitions`, and `what` where one test makes several rows. A walk
in several cases says `counts`, which add up, and a figure that names them in braces. Without a figure its passed cases
are counted. All other tests are left out.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.harness import load, machine, regenerate_guides
from tests.soak.table import Row, markdown, share, with_missing, write_results

HERE = Path(__file__).resolve().parent


@dataclass
class Proof:
    """One row while its cases run."""

    claim: str
    what: str
    gate: str
    passed: int = 0
    failed: int = 0
    repetitions: int = 0
    reruns: int = 0
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
        )


class Table:
    """The plugin's memory of one run."""

    def __init__(self) -> None:
        self.claims: dict[str, tuple[str, str, str]] = {}  # of each test: claim, words and gate
        self.proofs: dict[tuple[str, str], Proof] = {}
        self.began = time.time()
        self.load_before = load()

    def rows(self) -> list[Row]:
        today = datetime.now(UTC).date().isoformat()
        return with_missing([replace(proof.row(), date=today) for proof in self.proofs.values()])

    def conditions(self) -> dict[str, Any]:
        return {
            "date": datetime.now(UTC).date().isoformat(),
            "minutes": round((time.time() - self.began) / 60, 1),
            "load before": self.load_before,
            "load after": load(),
            **machine(),
        }

    def note(self, report: pytest.TestReport) -> None:
        """Take up one finished phase of a test: its call, or a fault before or after it."""
        if report.when != "call" and report.passed:
            return
        properties = {
            str(name): value for name, value in report.user_properties
        }  # of a second try the last word counts
        claim, what, gate = self.claims[report.nodeid]
        test = report.nodeid.partition("[")[0]
        what = str(properties.get("what", what))
        proof = self.proofs.setdefault((test, what), Proof(claim, what, gate))
        if str(report.outcome) == "rerun":
            proof.reruns += 1
            return
        proof.passed += report.passed
        proof.failed += not report.passed
        proof.repetitions += int(properties.get("repetitions", 0))
        if "figure" in properties:
            proof.figures.append(str(properties["figure"]))
        proof.counts.update(properties.get("counts", {}))
        if not report.passed:
            proof.faults.append(_why(report))


def _why(report: pytest.TestReport) -> str:
    if isinstance(report.longrepr, tuple):
        return f"skipped: {report.longrepr[2]}"
    crash = getattr(report.longrepr, "reprcrash", None)
    message = " ".join((crash.message if crash is not None else str(report.longrepr)).split())
    return message.split(" + where ")[0][:160]  # what follows is every number that was measured


# --- pytest's hooks ----------------------------------------------------------------------------------------------

_table = Table()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the proofs only, the short ones first."""
    markers = {item: marker for item in items if (marker := item.get_closest_marker("proof"))}
    config.hook.pytest_deselected(items=[item for item in items if item not in markers])
    items[:] = sorted(markers, key=lambda item: HERE in item.path.parents)
    _table.claims = {
        item.nodeid: (marker.args[0], marker.args[1], marker.kwargs.get("gate", "")) for item, marker in markers.items()
    }


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _table.note(report)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the table, and store it in the repository; of chosen tests (-k) or a rehearsal it is only printed."""
    if config.option.collectonly:
        return
    rows, conditions = _table.rows(), _table.conditions()
    terminalreporter.section("the promises and what came of them")
    terminalreporter.write_line(markdown(rows))
    terminalreporter.write_line(", ".join(f"{name}: {value}" for name, value in conditions.items()))
    if share() == 1 and not config.option.keyword:
        write_results(rows, conditions, is_whole=config.args == ["tests"])  # as `make soak` asks for
        regenerate_guides()
        terminalreporter.write_line("stored in tests/soak/results.json and docs/trust.md")
