"""The one table of the soak: a row for each proof of a promise, stored in `results.json` and shown in docs/trust.md."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

RESULTS = Path(__file__).resolve().parent / "results.json"
SHARE = "EDGEWISE_SOAK_SHARE"
PROMISES = {
    "T1": "What the screen shows as saved is saved: through a killed process, a locked store, a full disk, a broken "
    "connection",
    "T2": "Nobody's work silently overwrites another's: a conflict is shown with both versions",
    "T3": "A paid model reply is never lost; requests sent again are bounded and listed",
    "T4": "A bad answer never becomes a number: no silent 0, nothing dropped from a denominator, no stale reply",
    "T5": "Hostile text (labels, papers, model output) is only ever text",
    "T6": "A bad file costs one message, never the program",
    "T7": "Each person can do only what their role allows, checked where data is written",
    "T8": "Results can be reproduced, and people can be erased",
    "load": "A server carries a class of 25 people, and a study that grows a hundredfold stays fast",
}
HEAD = ("promise", "what", "repetitions", "result", "gate", "state", "date")
State = Literal["ok", "short", "missing"]


def share() -> float:
    """Return the share of the repetitions to run, above 0 and at most 1; EDGEWISE_SOAK_SHARE=0.1 is a rehearsal."""
    value = float(os.environ.get(SHARE, "1"))
    if not 0 < value <= 1:
        raise ValueError(f"{SHARE} is {value}; a share is above 0 and at most 1.")
    return value


def scaled(count: float, least: int = 1) -> int:
    """Return the share of `count`, but at least `least`."""
    return max(least, round(count * share()))


@dataclass(frozen=True)
class Row:
    """One proof of a promise, with the day of its last run."""

    claim: str
    what: str
    repetitions: int
    figure: str
    gate: str  # the result that is required
    state: State
    date: str = ""

    def cells(self) -> tuple[str, ...]:
        figure = self.figure.replace("\n", " ")
        return self.claim, self.what, f"{self.repetitions:,}", figure, self.gate, self.state, self.date


def with_missing(rows: Sequence[Row]) -> list[Row]:
    """Return the rows by promise, and one more for each promise without a proof."""
    absent = PROMISES.keys() - {row.claim for row in rows}
    return by_promise([*rows, *(Row(claim, PROMISES[claim], 0, "no test", "", "missing") for claim in absent)])


def by_promise(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: row.claim)


def markdown(rows: Iterable[Row]) -> str:
    """The table, its columns padded for a terminal."""
    lines = [HEAD, *(row.cells() for row in rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(HEAD))]
    lines.insert(1, tuple("-" * width for width in widths))
    padded = ([cell.ljust(width) for cell, width in zip(line, widths, strict=True)] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in padded)


def write_results(rows: Sequence[Row], conditions: Mapping[str, Any], *, is_whole: bool, path: Path = RESULTS) -> None:
    """Store the rows of a run. Unless it was a whole run, earlier rows that it did not repeat stay."""
    if not is_whole:
        repeated = {(row.claim, row.what) for row in rows}
        earlier = (row for row in read_results(path)[1] if (row.claim, row.what) not in repeated)
        rows = by_promise([*earlier, *(row for row in rows if row.state != "missing")])
    value = {"conditions": conditions, "rows": [asdict(row) for row in rows]}
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read_results(path: Path = RESULTS) -> tuple[dict[str, Any], list[Row]]:
    """Return the conditions of the last run, and all rows."""
    value = json.loads(path.read_text(encoding="utf-8"))
    return value["conditions"], [Row(**row) for row in value["rows"]]
