"""Run every measurement (`make bench`), or those named: `python -m benchmarks accept_edge`.

The output is stored in build/bench.json, next to the last output of the others; `make figures` copies it to
docs/speed.md.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import pkgutil
import sys
import time
from contextlib import redirect_stdout
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import benchmarks
from benchmarks.harness import FIGURES, ROOT, load, machine

OUTPUT_FILE = ROOT / "build" / "bench.json"
NO_CLAIMS = ("__main__", "harness", "kept_run", "memory", "model_server", "model_client", "models", "peers")


class Both(io.StringIO):
    """Output stream that writes to the screen and remembers the text."""

    def write(self, text: str) -> int:
        sys.__stdout__.write(text)  # type: ignore[union-attr]
        sys.__stdout__.flush()  # type: ignore[union-attr]
        return super().write(text)


def main(names: list[str]) -> None:
    found = [module.name for module in pkgutil.iter_modules([str(Path(benchmarks.__file__).parent)])]
    claims = [name for name in found if name not in NO_CLAIMS]
    unknown = [name for name in names if name not in claims]
    if unknown:
        sys.exit(f"There is no measurement {unknown[0]!r}; there are: {', '.join(claims)}.")
    print(f"load before: {load()} on {os.cpu_count()} cores")
    for name in names or claims:
        keep(name, measured(name))
    print(f"\nload after: {load()}; kept in {OUTPUT_FILE.relative_to(ROOT)}")


def measured(name: str) -> dict[str, Any]:
    """Run one measurement; return its output, rows, time, and the machine's load."""
    module = importlib.import_module(f"benchmarks.{name}")
    about = (module.__doc__ or "").splitlines()[0]
    print(f"\n== {name}: {about}", flush=True)
    FIGURES.clear()
    before, began = load(), time.monotonic()
    with redirect_stdout(Both()) as printed:
        module.measure()
    return {
        "about": about,
        "date": datetime.now(UTC).date().isoformat(),
        "seconds": round(time.monotonic() - began),
        "load before": before,
        "load after": load(),
        "machine": machine(),
        "figures": [asdict(figure) for figure in FIGURES],
        "printed": printed.getvalue().strip("\n"),
    }


def keep(name: str, value: dict[str, Any]) -> None:
    stored = json.loads(OUTPUT_FILE.read_text(encoding="utf-8")) if OUTPUT_FILE.exists() else {}
    OUTPUT_FILE.parent.mkdir(exist_ok=True)
    stored[name] = value
    OUTPUT_FILE.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
