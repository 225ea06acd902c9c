"""kill -9 of a store's writer: what was acknowledged is there, nothing is there by half."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.soak.table import scaled

KILLER = Path(__file__).with_name("store_kills.py")
KILLS = scaled(200, least=10)


@pytest.mark.proof("T1", "store's writer killed while it writes", gate="0 receipted lost, 0 by half, integrity ok")
def test_the_kills_lose_no_receipted_act(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    done = subprocess.run(
        [sys.executable, str(KILLER), str(tmp_path), str(KILLS), "20260302"],
        capture_output=True,
        text=True,
        timeout=120 + 8 * KILLS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout.splitlines()[-1])
    record_property("repetitions", counts["kills"])
    record_property(
        "figure",
        f"{counts['lost']} lost of {counts['receipted']:,} receipted acts; {counts['replayed']} sent again, of which "
        f"{counts['committed_unreceipted']} were kept already and {counts['duplicates']} done twice; "
        f"integrity ok {counts['integrity_ok']}/{counts['kills']}",
    )
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(counts["acts_by_kind"].items()))
    print(f"\nacts by kind: {kinds}; refused by a rule: {counts['refused']}")
    assert counts["faults"] == []
    assert (counts["lost"], counts["duplicates"]) == (0, 0)
    assert counts["integrity_ok"] == counts["kills"] == KILLS
    assert counts["receipted"] > KILLS
