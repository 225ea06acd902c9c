"""The export of a run of 3,000 items with replies of 0.4 MB: memory, seconds, and the same bytes twice."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.harness import ROOT
from benchmarks.stored_run import RUN_ID, keep_run
from store.engine import Store
from store.migrate import migrate

ITEMS, REPLY_BYTES = 3_000, 400_000
MOST_MB = 200
CHILD = """
import hashlib, json, sys, time
from pathlib import Path
from benchmarks.memory import highest_mb, resident_mb
from services.acting import terminal_viewer
from services.runs.exports import files
from services.study import open_study, use_study

home, run_id = Path(sys.argv[1]), sys.argv[2]
use_study(open_study(str(home / "study.edgewise"), home / "home"))
before, began = resident_mb(), time.monotonic()
with (home / "run.zip").open("xb") as file:
    made = files.export_run(terminal_viewer(), run_id, file)
seconds, after = time.monotonic() - began, highest_mb()
with (home / "run.zip").open("rb") as file:
    digest = hashlib.file_digest(file, "sha256").hexdigest()
(home / "run.zip").unlink()
grown = after - before
print(json.dumps({"before": before, "grown": grown, "seconds": seconds, "size": made.size_bytes, "sha256": digest}))
"""
"""Python that exports run argv[2] of the study in folder argv[1], and says what that took."""


def make_study(home: Path, items: int, reply_bytes: int) -> None:
    home.mkdir(parents=True, exist_ok=True)
    store = Store(str(home / "study.edgewise"))
    migrate(store)
    keep_run(store, items=items, reply_bytes=reply_bytes)
    store.close()


def exported(home: Path) -> dict[str, float | str]:
    """Run one export in a process of its own; return `grown` MB beyond `before`, `seconds`, `size` and `sha256`."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(home), RUN_ID], cwd=ROOT, check=True, capture_output=True, text=True
    )
    result: dict[str, float | str] = json.loads(done.stdout)
    return result


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        make_study(home, ITEMS, REPLY_BYTES)
        store_mb = sum(path.stat().st_size for path in home.glob("study.edgewise*")) / 1e6
        first, second = exported(home), exported(home)
    print(f"{ITEMS:,} items, replies of {REPLY_BYTES / 1e6:.1f} MB, a store of {store_mb:,.0f} MB")
    for name, result in (("first export", first), ("second export", second)):
        print(
            f"{name:16} grows by {result['grown']:6.1f} MB (from {result['before']:.0f}; at most {MOST_MB}), "
            f"{result['seconds']:5.1f} s, a ZIP of {float(result['size']) / 1e6:,.0f} MB"
        )
    print(f"the same bytes: {'yes' if first['sha256'] == second['sha256'] else 'NO'}")
