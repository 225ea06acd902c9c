"""The one table of the soak: a row for each proof of a promise, as text to read and as JSON to keep."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

SHARE = "EDGEWISE_SOAK_SHARE"
PROMISES = {
    "T1": "What the screen says is saved, is saved",
    "T2": "Nobody's work silently overwrites another's",
    "T3": "A paid model reply is never thrown away; what is sent again is bounded and reported",
    "T4": "A bad answer is never a number",
    "T5": "Hostile text is only ever text",
    "T6": "A bad file costs one message, never the program",
    "T7": "Each person does only what their role allows",
    "T8": "Results can be derived again, and people can be erased",
    "load": "It carries a class of people and a grown study",
}
# Proofs without which the table says that something is missing: part of the test's name, claim, what it shows.
EXPECTED = (("test_worker_kills", "T3", "worker killed while a run goes on"),)
HEAD = ("claim", "what", "repetitions", "figure", "gate", "state", "taken")
State = Literal["ok", "short", "missing"]


def share() -> float:
    """The part of the whole soak that is asked for, above 0 and at most 1; EDGEWISE_SOAK_SHARE=0.1 is a rehearsal."""
    asked = float(os.environ.get(SHARE, "1"))
    if not 0 < asked <= 1:
        raise ValueError(f"{SHARE} is {asked}; a share is above 0 and at most 1.")
    return asked


def scaled(count: float, least: int = 1) -> int:
    """So many of `count` as the share asks for, but at least `least`."""
    return max(least, round(count * share()))


@dataclass(frozen=True)
class Row:
    """One proof. `repetitions` counts what was tried; `figure` is what came of it, `gate` what it had to be. `taken`:
    the day, and what share of the proof it was if it was not the whole."""

    claim: str
    what: str
    repetitions: int
    figure: str
    gate: str
    state: State
    test: str = ""
    seconds: float = 0.0
    taken: str = ""


def with_missing(rows: Sequence[Row]) -> list[Row]:
    """The rows by promise, and one more for each promise or expected proof of which there is none."""
    absent = [
        Row(claim, what, 0, f"no test {name} yet", "", "missing")
        for name, claim, what in EXPECTED
        if not any(name in row.test for row in rows)
    ]
    known = [*rows, *absent]
    absent += [
        Row(claim, words, 0, "no test of it yet", "", "missing")
        for claim, words in PROMISES.items()
        if all(row.claim != claim for row in known)
    ]
    return by_promise([*rows, *absent])


def by_promise(rows: Iterable[Row]) -> list[Row]:
    """In the order of the promises; what belongs to none comes last."""
    order = list(PROMISES)
    return sorted(rows, key=lambda row: order.index(row.claim) if row.claim in order else len(order))


def markdown(rows: Iterable[Row]) -> str:
    """The table, its columns padded so that it reads well in a terminal too."""
    cells: list[tuple[str, ...]] = [HEAD]
    cells += ((row.claim, row.what, f"{row.repetitions:,}", row.figure, row.gate, row.state, row.taken) for row in rows)
    clean = [[cell.replace("|", "\\|").replace("\n", " ") for cell in line] for line in cells]
    widths = [max(len(line[place]) for line in clean) for place in range(len(HEAD))]
    lines = [" | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in clean]
    lines.insert(1, " | ".join("-" * width for width in widths))
    return "\n".join(f"| {line} |" for line in lines)


def read_markdown(text: str) -> list[Row]:
    """The rows of a table that `markdown` wrote."""
    found = []
    for line in text.splitlines():
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
        if len(cells) == len(HEAD) and cells[2].replace(",", "").isdecimal():
            claim, what, repetitions, figure, gate, state, taken = cells
            known: State = "ok" if state == "ok" else "short" if state == "short" else "missing"
            found.append(Row(claim, what, int(repetitions.replace(",", "")), figure, gate, known, taken=taken))
    return found


def merged(before: Iterable[Row], now: Iterable[Row]) -> list[Row]:
    """What was taken now, and of what was taken before the proofs that were not taken again."""
    taken = [row for row in now if row.state != "missing"]
    again = {(row.claim, row.what) for row in taken}
    return by_promise([*(row for row in before if (row.claim, row.what) not in again), *taken])


def keep(path: Path, rows: Iterable[Row], conditions: dict[str, Any]) -> None:
    path.parent.mkdir(exist_ok=True)
    value = {"conditions": conditions, "rows": [asdict(row) for row in rows]}
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def kept(path: Path) -> tuple[dict[str, Any], list[Row]]:
    """What `keep` wrote."""
    value = json.loads(path.read_text(encoding="utf-8"))
    return value["conditions"], [Row(**row) for row in value["rows"]]
