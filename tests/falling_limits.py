"""Limits that may only fall: a file with a line `NAME COUNT` for each, compared with what is counted now and with the
limits of the last commit. A name without a line has the limit 0."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path


def faults(root: Path, file: str, counts: Mapping[str, int], *, lowers: bool = False) -> list[str]:
    """Return a sentence about each count over its limit in `file`, and each limit over that of the last commit.
    `lowers`: first write the counts that are below their limits as the new ones."""
    limits = _read((root / file).read_text(encoding="utf-8"))
    if lowers:
        limits = {name: min(count, limits.get(name, count)) for name, count in sorted(counts.items()) if count}
        (root / file).write_text("".join(f"{name} {limit}\n" for name, limit in limits.items()), encoding="utf-8")
    shown = subprocess.run(["git", "-C", root, "show", f"HEAD:{file}"], capture_output=True, text=True, check=False)
    earlier = _read(shown.stdout)
    over = [
        f"{name}: {count} hits, limit {limits.get(name, 0)}"
        for name, count in counts.items()
        if count > limits.get(name, 0)
    ]
    raised = [
        f"{name}: the limit {limit} is higher than {earlier.get(name, 0)}, that of the last commit"
        for name, limit in limits.items()
        if earlier and limit > earlier.get(name, 0)
    ]
    return [*over, *raised]


def _read(text: str) -> dict[str, int]:
    return {name: int(limit) for name, limit in (line.split() for line in text.splitlines())}
