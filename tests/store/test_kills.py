"""Five `kill -9` of a store's writer, the short form of the soak."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

KILLER = Path(__file__).resolve().parents[1] / "soak" / "store_kills.py"


def test_five_kills_lose_no_receipted_act_and_leave_nothing_by_half(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(KILLER), str(tmp_path), "5", "7"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout.splitlines()[-1])
    assert counts["faults"] == []
    assert (counts["lost"], counts["duplicates"]) == (0, 0)
    assert counts["integrity_ok"] == counts["kills"] == 5
    assert counts["receipted"] > 0
