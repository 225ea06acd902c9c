"""Run every measurement (`make bench`), or those named: `python -m benchmarks accept_edge`.

Each writes its output to a file of its own in `benchmarks/results`. The ratios in docs/speed.md are read from these.
"""

from __future__ import annotations

import importlib
import io
import os
import pkgutil
import re
import sys
import time
from collections.abc import Mapping
from contextlib import redirect_stdout
from datetime import UTC, datetime
from pathlib import Path

import benchmarks
from benchmarks.harness import ROOT, load, machine, regenerate_guides

RESULTS = ROOT / "benchmarks" / "results"
NO_CLAIMS = ("__main__", "harness", "memory", "model_server", "model_client", "running_server", "stored_run")
UNNAMED = ("peers",)  # measured only if named: it installs other programs
PRIVATE = re.compile(r"/(?:[\w.-]+/)+[\w.-]*")  # a path of the machine that measured


class Both(io.StringIO):
    """Output stream that writes to the screen and remembers the text."""

    def write(self, text: str) -> int:
        assert sys.__stdout__ is not None
        sys.__stdout__.write(text)
        sys.__stdout__.flush()
        return super().write(text)


def main(names: list[str]) -> None:
    claims = measurements()
    unknown = [name for name in names if name not in claims]
    if unknown:
        sys.exit(f"There is no measurement {unknown[0]!r}; there are: {', '.join(claims)}.")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the product sets it
    print(f"load before: {load()} on {os.cpu_count()} cores")
    for name in names or [name for name in claims if name not in UNNAMED]:
        (RESULTS / f"{name}.md").write_text(measured(name), encoding="utf-8")
    regenerate_guides()
    print(f"\nload after: {load()}; stored in {RESULTS.relative_to(ROOT)}")


def measurements() -> list[str]:
    modules = pkgutil.iter_modules([str(Path(benchmarks.__file__).parent)])
    return [module.name for module in modules if module.name not in NO_CLAIMS]


def measured(name: str) -> str:
    """Run one measurement; return its output as Markdown with its date, duration, machine and load."""
    module = importlib.import_module(f"benchmarks.{name}")
    about = (module.__doc__ or "").splitlines()[0]
    print(f"\n== {name}: {about}", flush=True)
    before, began = load(), time.monotonic()
    with redirect_stdout(Both()) as printed:
        module.measure()
    conditions = {
        "date": datetime.now(UTC).date().isoformat(),
        "minutes": round((time.monotonic() - began) / 60, 1),
        "load before": before,
        "load after": load(),
        **machine(),
    }
    return result_text(name, about, conditions, printed.getvalue())


def result_text(name: str, about: str, conditions: Mapping[str, object], printed: str) -> str:
    facts = ", ".join(f"{fact} {value}" for fact, value in conditions.items())
    return f"# {name}\n\n{about}\n\n{facts}.\n\n```text\n{PRIVATE.sub('…', printed.strip(chr(10)))}\n```\n"


if __name__ == "__main__":
    main(sys.argv[1:])
