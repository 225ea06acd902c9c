"""What runs seldom still finds what it imports: benchmarks and proofs, also within their functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SELDOM = [*sorted((ROOT / "benchmarks").rglob("*.py")), *sorted((ROOT / "tests" / "soak").rglob("*.py"))]
OURS = {path.stem for path in ROOT.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()} | {"tests"}


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """(module, name) of what a file takes from the project's own modules."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in OURS:
            yield from ((node.module, each.name) for each in node.names)


def is_there(module: str, name: str) -> bool:
    return hasattr(import_module(module), name) or find_spec(f"{module}.{name}") is not None


@pytest.mark.parametrize("path", SELDOM, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_name_that_is_imported_is_there(path: Path) -> None:
    assert [f"{module}.{name}" for module, name in imported(path) if not is_there(module, name)] == []
