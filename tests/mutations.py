"""Small changes to guards and money arithmetic, each run against the tests that should notice it.

`python -m tests.mutations --seed 55 --count 60` changes one place at a time in a worktree of its own: a comparison, an
`and`, a `not`, a sum, a guard's condition, a call that requires something. Tests that name the module run first, then
those of its folder, then `tests/services`. What survives is printed; run it against `make test` by hand.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[1]
TARGETS = (
    "services/*/acts.py",
    "services/*/claims.py",
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


def _nearest(path: str) -> Iterator[str]:
    """The test files that import the module, or one that is called like it."""
    module = Path(path).with_suffix("")
    package, name = str(module.parent).replace("/", "."), module.name
    imported = re.compile(rf"from {package}(\.{name} import|( import .*\b{name}\b))")
    for test in sorted((ROOT / "tests").rglob("test_*.py")):
        if imported.search(test.read_text()) or test.relative_to(ROOT / "tests") == module.parent / f"test_{name}.py":
            yield str(test.relative_to(ROOT))


def outcome(tree: Path, mutation: Mutation, *, only_near: bool) -> str:
    """What the tests that name its module, those of its folder and, unless `only_near`, of `tests/services` say."""
    file = tree / mutation.path
    before = file.read_bytes()
    file.write_bytes(mutation.applied_to(before))
    try:
        folder = str(Path("tests") / Path(mutation.path).parent)
        stages = (list(_nearest(mutation.path)), [folder], [] if only_near else ["tests/services"])
        for tests in filter(None, stages):
            command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "2", "--quick", "-p", "no:cacheprovider"]
            try:
                done = subprocess.run([*command, *tests], cwd=tree, capture_output=True, timeout=LONGEST_S, check=False)
            except subprocess.TimeoutExpired:
                return "TIMED OUT"
            if done.returncode != 0:
                return "noticed"
        return "SURVIVED"
    finally:
        file.write_bytes(before)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=55)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--near", action="store_true", help="leave out tests/services")
    asked = parser.parse_args()
    paths = sorted({str(path.relative_to(ROOT)) for each in TARGETS for path in ROOT.glob(each)})
    possible = [mutation for path in paths for mutation in mutations_of(path)]
    chosen = Random(asked.seed).sample(possible, min(asked.count, len(possible)))
    print(f"{len(chosen)} of {len(possible)} changes in {len(paths)} files, seed {asked.seed}", flush=True)
    outcomes = Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        subprocess.run(["git", "worktree", "add", "--detach", str(tree)], cwd=ROOT, check=True, capture_output=True)
        try:
            for number, mutation in enumerate(chosen, 1):
                was = (tree / mutation.path).read_bytes()[mutation.start : mutation.end].decode()
                said = outcome(tree, mutation, only_near=asked.near)
                outcomes[said] += 1
                print(f"{number:3} {said:9} {mutation.path}:{mutation.line}  {was!r} -> {mutation.text!r}", flush=True)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=ROOT, check=True)
    print(", ".join(f"{count} {said}" for said, count in outcomes.most_common()))


if __name__ == "__main__":
    main()
