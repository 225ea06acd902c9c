"""Two hundred `kill -9` of a store's writer: what was acknowledged is there, nothing is there by half."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

KILLER = Path(__file__).with_name("store_kills.py")


def test_two_hundred_kills_lose_no_receipted_act(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(KILLER), str(tmp_path), "200", "20260302"],
        capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout.splitlines()[-1])
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(counts["acts_by_kind"].items()))
    print(f"""
| kills | acts receipted | lost | committed but unreceipted | sent again | done twice | integrity ok |
|------:|---------------:|-----:|--------------------------:|-----------:|-----------:|-------------:|
| {counts["kills"]} | {counts["receipted"]} | {counts["lost"]} | {counts["committed_unreceipted"]} \
| {counts["replayed"]} | {counts["duplicates"]} | {counts["integrity_ok"]}/{counts["kills"]} |
acts by kind: {kinds}; refused by a rule: {counts["refused"]}""")
    assert counts["faults"] == []
    assert (counts["lost"], counts["duplicates"]) == (0, 0)
    assert counts["integrity_ok"] == counts["kills"] == 200
    assert counts["receipted"] > 200
