"""Sections with figures: ratios and proofs as last measured, the keystroke-level model, published agreement."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks import keystrokes
from core.agreement import recite
from core.agreement.over_graphs import OverGraphs
from core.agreement.study_tables import AgreementTable, DoubleTranscription, grid
from docs.guide_tables import cell, table
from tests.soak import table as soak

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
_CONDITIONS = re.compile(r"^date (\S+), .*\bload before (\S+), load after (\S+),", re.MULTILINE)
# as `benchmarks.harness.row` writes them
_RATIO = re.compile(r"^(.+?) +p50 +([\d.]+) ms +p90 +[\d.]+ ms +n=(\d+) +([\d.]+)x (.+)$", re.MULTILINE)


def ratios_table() -> str:
    """Return every ratio to a peer, read from the results of the benchmarks."""
    rows = [row for path in sorted(RESULTS.glob("*.md")) for row in ratio_rows(path.stem, path.read_text("utf-8"))]
    return table(("measurement", "what", "median", "times the peer's", "peer", "n", "date", "load"), rows)


def ratio_rows(name: str, result: str) -> Iterable[Sequence[str]]:
    for what, median, count, ratio, peer in _RATIO.findall(result):
        date, before, after = _CONDITIONS.findall(result)[0]
        yield name, cell(what), f"{float(median):,.1f} ms", ratio, cell(peer), count, date, f"{before}–{after}"


# --- keystrokes -------------------------------------------------------------------------------------------------


def keystrokes_table() -> str:
    """Return the keystroke-level model's figures of each way to draw, for the mean diagram of the benchmark."""
    form = keystrokes.WAYS[0].total_s
    rows = [
        (
            way.words,
            f"{way.total_s / 60:.1f}",
            f"{keystrokes.EDGES / way.total_s * 60:.0f}",
            way.acts,
            f"{form / way.total_s:.1f}",
        )
        for way in keystrokes.WAYS
    ]
    return table(("way", "minutes", "edges per minute", "acts per edge", "times as fast as the form"), rows)


# --- published agreement ----------------------------------------------------------------------------------------


def recite_table() -> str:
    """Return table 20 of ReCITE, computed from the rows of its table 21 as on the Agreement page."""
    computed = grid(AgreementTable.TABLE_20, [DoubleTranscription("", "", counts) for counts in recite.graphs()], None)
    rows = [(line.head, *(_mean_and_sd(cell) for cell in line.cells)) for line in computed.lines]
    return table(("", *computed.columns), rows)


def _mean_and_sd(cell: OverGraphs) -> str:
    mean, sd = cell.mean.value, cell.sd.value
    return "–" if mean is None or sd is None else f"{mean:.4f} ± {sd:.4f}"


def published_errors_table() -> str:
    rows = [(error.what, error.printed, error.from_rows, error.why) for error in recite.published_errors()]
    return table(("what", "printed", "from the rows", ""), rows)


# --- proofs -----------------------------------------------------------------------------------------------------


def promises_table() -> str:
    return table(("", "promise"), soak.PROMISES.items())


def soak_section() -> str:
    """Return the conditions of the last `make soak` and the latest result of each proof."""
    conditions, rows = soak.read_results()
    facts = ", ".join(f"{name} {value}" for name, value in conditions.items())
    passed = sum(row.state == "ok" for row in rows)
    summary = f"All {passed} proofs held." if passed == len(rows) else f"{passed} of {len(rows)} proofs held."
    lines = table(soak.HEAD, [[cell(text) for text in row.cells()] for row in rows])
    return f"Last run: {facts}. {summary}\n\n{lines}"


def proofs_table() -> str:
    """Return every test marked as a proof of a promise, from the tests' sources."""
    proofs = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            for mark in getattr(node, "decorator_list", ()):
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.proof":
                    claim, what = (ast.literal_eval(each) for each in mark.args)
                    test = f"`{path.relative_to(ROOT)}::{node.name}`"  # type: ignore[attr-defined]
                    proofs.append((claim, cell(what), cell(_gate(mark)), test))
    return table(("promise", "what is tried", "what it must come to", "test"), sorted(proofs))


def _gate(mark: ast.Call) -> str:
    """Return the result that a mark requires; a number from a constant becomes "…"."""
    for keyword in mark.keywords:
        if isinstance(keyword.value, ast.JoinedStr):
            parts = (str(part.value) if isinstance(part, ast.Constant) else "…" for part in keyword.value.values)
            return "".join(parts)
        return str(ast.literal_eval(keyword.value))
    return ""
