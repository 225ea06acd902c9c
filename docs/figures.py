"""Puts the last figures of `make soak` and `make bench` into docs/trust.md and docs/speed.md: `make figures`.

Unlike the sections that docs/generate.py writes, these cannot be worked out anew by a test: they say when and on what
they were taken. A file that is not there leaves its page as it is, and so does a measurement that was not taken again.
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
    """When and on what proofs were taken last, and the table of `make soak`; of `before`, the proofs that were not
    taken again, unless all were."""
    conditions, rows = kept(path)
    is_whole = conditions.pop("whole")
    rows = rows if is_whole else merged(read_markdown(before), rows)
    short = [row for row in rows if row.state != "ok"]
    told = f"{len(rows) - len(short)} of {len(rows)} proofs held." if short else f"All {len(rows)} proofs held."
    return f"Last taken: {_conditions(conditions)}. {told}\n\n{markdown(rows)}"


def bench_table(kept_figures: Mapping[str, Any], before: str = "") -> str:
    """Every ratio to a peer of the same run; `before`: the table so far, whose other measurements stay."""
    lines = [line.strip("| ") for line in before.splitlines()[2:] if line.startswith("| ")]
    rows: list[Sequence[str]] = [line.split(" | ") for line in lines]  # a bar within a cell is written \\|
    rows = [cells for cells in rows if cells[0] not in kept_figures]
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
        for name, one in sorted(kept_figures.items())
        for figure in one["figures"]
        if figure["ratio"] is not None
    ]
    rows.sort(key=lambda cells: cells[0])  # a measurement's rows keep their order
    return table(("measurement", "what", "median", "times the peer's", "peer", "n", "date", "load"), rows)


def bench_prints(kept_figures: Mapping[str, Any], before: str = "") -> str:
    """What each measurement printed, with its date, its machine and how busy that was; those of `before` stay that are
    not among them."""
    sections = re.split(r"^### (.+)$", before, flags=re.MULTILINE)
    parts = {name: f"### {name}{text.rstrip()}" for name, text in zip(sections[1::2], sections[2::2], strict=True)}
    for name, one in sorted(kept_figures.items()):
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
    """What stands between a section's two marks."""
    found = _marked(name).search(document.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{document.name} has no section {name}")
    return found[2].strip()


def put(document: Path, name: str, content: str) -> None:
    """Write a section between its two marks anew."""
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
        told = "put into its page" if path.exists() else "not there; its page is as it was"
        sys.stdout.write(f"{path.relative_to(ROOT)}: {told}\n")


if __name__ == "__main__":
    main()
