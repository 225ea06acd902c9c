"""Puts the last figures of `make soak` and `make bench` into docs/trust.md and docs/speed.md: `make figures`.

Unlike the sections that docs/generate.py writes, these cannot be worked out anew by a test: they say when and on what
they were taken. A file that is not there leaves its page as it is.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from docs.generate import table  # noqa: E402
from tests.soak.table import kept, markdown  # noqa: E402

BUILD = ROOT / "build"
TRUST, SPEED = ROOT / "docs" / "trust.md", ROOT / "docs" / "speed.md"
PRIVATE = re.compile(r"/(?:[\w.-]+/)+[\w.-]*")  # a path of the machine that measured


def soak_section(path: Path) -> str:
    """When, on what, and the table of `make soak`."""
    conditions, rows = kept(path)
    short = [row for row in rows if row.state != "ok"]
    told = f"{len(rows) - len(short)} of {len(rows)} proofs held." if short else f"All {len(rows)} proofs held."
    return f"{_conditions(conditions)}. {told}\n\n{markdown(rows)}"


def bench_table(kept_figures: Mapping[str, Any]) -> str:
    """Every ratio to a peer of the same run."""
    rows = [
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
    return table(("measurement", "what", "median", "times the peer's", "peer", "n", "date", "load"), rows)


def bench_prints(kept_figures: Mapping[str, Any]) -> str:
    """What each measurement printed, with its date, its machine and how busy that was."""
    parts = []
    for name, one in sorted(kept_figures.items()):
        facts = {
            "date": one["date"],
            "minutes": round(one["seconds"] / 60, 1),
            "load before": one["load before"],
            "load after": one["load after"],
            **one["machine"],
        }
        printed = PRIVATE.sub("…", one["printed"])
        parts.append(f"### {name}\n\n{one['about']}\n\n{_conditions(facts)}.\n\n```text\n{printed}\n```")
    return "\n\n".join(parts)


def _conditions(facts: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in facts.items())


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def put(document: Path, name: str, content: str) -> None:
    """Write a section between its two marks anew."""
    marked = re.compile(rf"(<!-- figures: {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
    text = document.read_text(encoding="utf-8")
    if not marked.search(text):
        raise ValueError(f"{document.name} has no section {name}")
    document.write_text(marked.sub(lambda found: f"{found[1]}\n{content}\n\n{found[2]}", text), encoding="utf-8")


def main() -> None:
    soak, bench = BUILD / "soak.json", BUILD / "bench.json"
    if soak.exists():
        put(TRUST, "soak", soak_section(soak))
    if bench.exists():
        figures = json.loads(bench.read_text(encoding="utf-8"))
        put(SPEED, "ratios", bench_table(figures))
        put(SPEED, "prints", bench_prints(figures))
    for path in (soak, bench):
        told = "put into its page" if path.exists() else "not there; its page is as it was"
        sys.stdout.write(f"{path.relative_to(ROOT)}: {told}\n")


if __name__ == "__main__":
    main()
