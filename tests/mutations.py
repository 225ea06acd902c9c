"""Small changes to guards and money arithmetic, each run against every test that runs the changed line.

`python -m tests.mutations record` runs tests once and notes the lines of these files that each of them runs;
`python -m tests.mutations run --seed 55 --count 60` then changes one place at a time in a worktree of its own: a
comparison, an `and`, a `not`, a sum, a guard's condition, a call that requires something. What survives is printed; run
it against `make test` by hand. Tests of a browser and of PostgreSQL are left out, and lines run in another process.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[1]
TARGETS = (
    "services/*/acts.py",
    "services/*/claims.py",
    "services/*/work_kind.py",
    "services/queue/work.py",
    "services/*/visibility.py",
    "services/runs/budgets.py",
    "core/runs/budget.py",
    "runs/budget.py",
    "web/gate.py",
)
OPPOSITE: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
}
REQUIRES = ("require", "refuse", "check")
LONGEST_S = 900
PYTEST = (sys.executable, "-m", "pytest", "-q", "--quick", "-p", "no:cacheprovider")
RECORDED = ("tests/core/runs", "tests/runs", "tests/web", "tests/services", "tests/pages", "tests/cli/study")


@dataclass(frozen=True)
class Mutation:
    """`start`, `end`: of the bytes that `text` replaces."""

    path: str
    line: int
    start: int
    end: int
    text: str

    def applied_to(self, source: bytes) -> bytes:
        return source[: self.start] + self.text.encode() + source[self.end :]


def mutations_of(path: str) -> Iterator[Mutation]:
    """Every change that can be made to one file."""
    source = (ROOT / path).read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in ast.walk(ast.parse(source)):
        for at, text in _changes(node):
            assert at.end_lineno is not None and at.end_col_offset is not None
            start, end = starts[at.lineno - 1] + at.col_offset, starts[at.end_lineno - 1] + at.end_col_offset
            yield Mutation(path, at.lineno, start, end, text)


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            operators = [*node.ops[:place], OPPOSITE[type(operator)](), *node.ops[place + 1 :]]
            yield node, _written(ast.Compare(node.left, operators, node.comparators))  # type: ignore[arg-type]
    elif isinstance(node, ast.BoolOp):
        yield node, _written(ast.BoolOp(OPPOSITE[type(node.op)](), node.values))  # type: ignore[arg-type]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, _written(node.operand)
    elif isinstance(node, ast.BinOp) and type(node.op) in OPPOSITE:
        yield node, _written(ast.BinOp(node.left, OPPOSITE[type(node.op)](), node.right))  # type: ignore[arg-type]
    elif isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise):
        yield node.test, "False"
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = node.value.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if name.lstrip("_").startswith(REQUIRES):
            yield node, "pass"


def _written(node: ast.expr) -> str:
    return f"({ast.unparse(node)})"


def record(touched: Path) -> None:
    """Note which test runs which lines of the targets."""
    touched.parent.mkdir(exist_ok=True)
    touched.unlink(missing_ok=True)
    named = {"EDGEWISE_TOUCHED": ",".join(targets()), "EDGEWISE_TOUCHED_OUT": str(touched)}
    distributed = ("-n", "2", "--dist", "loadfile", "--no-loadscope-reorder")
    command = [*PYTEST, "-p", "tests.lines_touched", *distributed, *RECORDED]
    subprocess.run(command, cwd=ROOT, env=os.environ | named, check=False)


def targets() -> list[str]:
    return sorted({str(path.relative_to(ROOT)) for each in TARGETS for path in ROOT.glob(each)})


def outcome(tree: Path, mutation: Mutation, touching: Sequence[str]) -> str:
    """What the tests say that run its line."""
    if not touching:
        return "UNTOUCHED"
    file = tree / mutation.path
    before = file.read_bytes()
    file.write_bytes(mutation.applied_to(before))
    listed = tree / "touching.txt"
    listed.write_text("\n".join(touching))
    try:
        done = subprocess.run(
            [*PYTEST, "-x", f"@{listed}"], cwd=tree, capture_output=True, timeout=LONGEST_S, check=False
        )
    except subprocess.TimeoutExpired:
        return "TIMED OUT"
    finally:
        file.write_bytes(before)
    return "SURVIVED" if done.returncode == 0 else "noticed"


def tests_by_line(touched: Path) -> dict[tuple[str, int], list[str]]:
    found: dict[tuple[str, int], list[str]] = {}
    for line in touched.read_text().splitlines():
        read = json.loads(line)
        for path, number in read["lines"]:
            found.setdefault((path, number), []).append(read["test"])
    return found


def run(touched: Path, seed: int, count: int) -> None:
    by_line = tests_by_line(touched)
    possible = [mutation for path in targets() for mutation in mutations_of(path)]
    chosen = Random(seed).sample(possible, min(count, len(possible)))
    print(f"{len(chosen)} of {len(possible)} changes in {len(targets())} files, seed {seed}", flush=True)
    outcomes = Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        subprocess.run(["git", "worktree", "add", "--detach", str(tree)], cwd=ROOT, check=True, capture_output=True)
        try:
            for number, mutation in enumerate(chosen, 1):
                was = (tree / mutation.path).read_bytes()[mutation.start : mutation.end].decode()
                tests = by_line.get((mutation.path, mutation.line), [])
                own = f"test_{Path(mutation.path).stem}.py"  # the nearest first: the first that fails ends it
                said = outcome(tree, mutation, sorted(tests, key=lambda test: (own not in test, test)))
                outcomes[said] += 1
                where = f"{mutation.path}:{mutation.line}"
                print(f"{number:3} {said:9} {len(tests):4} tests  {where}  {was!r} -> {mutation.text!r}", flush=True)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=ROOT, check=True)
    print(", ".join(f"{count} {said}" for said, count in outcomes.most_common()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["record", "run"])
    parser.add_argument("--touched", type=Path, default=ROOT / "build" / "touched.jsonl")
    parser.add_argument("--seed", type=int, default=55)
    parser.add_argument("--count", type=int, default=60)
    asked = parser.parse_args()
    if asked.what == "record":
        record(asked.touched)
    else:
        run(asked.touched, asked.seed, asked.count)


if __name__ == "__main__":
    main()
