"""Writes the latest figures of `make soak` and `make bench` into docs/trust.md and docs/speed.md: `make figures`.

Unlike the sections of docs/generate.py, a test cannot compute these: they state when and on what machine they were
measured. A missing file leaves its page unchanged, and so does a measurement that was not repeated.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from docs.generate import table  # noqa: E402
from tests.soak.table import kept, markdown, merged, read_markdown  # noqa: E402

BUILD = ROOT / "build"
TRUST, SPEED = ROOT / "docs" / "trust.md", ROOT / "docs" / "speed.md"
PRIVATE = re.compile(r"/(?:[\w.-]+/)+[\w.-]*")  # a path of the machine that measured


def soak_section(path: Path, before: str = "") -> str:
    """Return the conditions and the table of `make soak`; proofs of `before` that were not repeated stay, unless all
    were."""
    conditions, rows = kept(path)
    is_whole = conditions.pop("whole")
    rows = rows if is_whole else merged(read_markdown(before), rows)
    short = [row for row in rows if row.state != "ok"]
    summary = f"{len(rows) - len(short)} of {len(rows)} proofs held." if short else f"All {len(rows)} proofs held."
    return f"Last taken: {_conditions(conditions)}. {summary}\n\n{markdown(rows)}"


def bench_table(figures_by_name: Mapping[str, Any], before: str = "") -> str:
    """Return every ratio to a peer of the same run; other measurements of the table `before` stay."""
    lines = [line.strip("| ") for line in before.splitlines()[2:] if line.startswith("| ")]
    rows: list[Sequence[str]] = [line.split(" | ") for line in lines]  # a bar within a cell is written \\|
    rows = [cells for cells in rows if cells[0] not in figures_by_name]
    rows += [
        (
            name,
            _cell(figure["what"]),
            f"{figure['p50_ms']:,.1f} ms",
            f"{figure['ratio']:.2f}",
            _cell(figure["against"]),
            str(figure["count"]),
            one["date"],
            f"{one['load before']}–{one['load after']}",
        )
        for name, one in sorted(figures_by_name.items())
        for figure in one["figures"]
        if figure["ratio"] is not None
    ]
    rows.sort(key=lambda cells: cells[0])  # a measurement's rows keep their order
    return table(("measurement", "what", "median", "times the peer's", "peer", "n", "date", "load"), rows)


def bench_prints(figures_by_name: Mapping[str, Any], before: str = "") -> str:
    """Return the output of each measurement with its date, machine and load; other measurements of `before` stay."""
    sections = re.split(r"^### (.+)$", before, flags=re.MULTILINE)
    parts = {name: f"### {name}{text.rstrip()}" for name, text in zip(sections[1::2], sections[2::2], strict=True)}
    for name, one in sorted(figures_by_name.items()):
        facts = {
            "date": one["date"],
            "minutes": round(one["seconds"] / 60, 1),
            "load before": one["load before"],
            "load after": one["load after"],
            **one["machine"],
        }
        printed = PRIVATE.sub("…", one["printed"])
        parts[name] = f"### {name}\n\n{one['about']}\n\n{_conditions(facts)}.\n\n```text\n{printed}\n```"
    return "\n\n".join(parts[name] for name in sorted(parts))


def _conditions(facts: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in facts.items())


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def section(document: Path, name: str) -> str:
    """Return the text between a section's two marks."""
    match = _marked(name).search(document.read_text(encoding="utf-8"))
    if match is None:
        raise ValueError(f"{document.name} has no section {name}")
    return match[2].strip()


def put(document: Path, name: str, content: str) -> None:
    """Replace the text between a section's two marks."""
    section(document, name)
    text = document.read_text(encoding="utf-8")
    document.write_text(_marked(name).sub(lambda it: f"{it[1]}\n{content}\n\n{it[3]}", text), encoding="utf-8")


def _marked(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- figures: {name} -->\n)(.*?)(<!-- end of {name} -->)", re.DOTALL)


def main() -> None:
    soak, bench = BUILD / "soak.json", BUILD / "bench.json"
    if soak.exists():
        put(TRUST, "soak", soak_section(soak, section(TRUST, "soak")))
    if bench.exists():
        figures = json.loads(bench.read_text(encoding="utf-8"))
        put(SPEED, "ratios", bench_table(figures, section(SPEED, "ratios")))
        put(SPEED, "prints", bench_prints(figures, section(SPEED, "prints")))
    for path in (soak, bench):
        state = "put into its page" if path.exists() else "not there; its page is as it was"
        sys.stdout.write(f"{path.relative_to(ROOT)}: {state}\n")


if __name__ == "__main__":
    main()
