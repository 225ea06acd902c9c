"""Run every measurement (`make bench`), or those named: `python -m benchmarks accept_edge`."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from pathlib import Path

import benchmarks


def main(names: list[str]) -> None:
    found = [module.name for module in pkgutil.iter_modules([str(Path(benchmarks.__file__).parent)])]
    claims = [name for name in found if name not in ("__main__", "harness", "model_server", "models", "peers")]
    unknown = [name for name in names if name not in claims]
    if unknown:
        sys.exit(f"There is no measurement {unknown[0]!r}; there are: {', '.join(claims)}.")
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for name in names or claims:
        module = importlib.import_module(f"benchmarks.{name}")
        print(f"\n== {name}: {(module.__doc__ or '').splitlines()[0]}", flush=True)
        module.measure()
    print(f"\nload after: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
