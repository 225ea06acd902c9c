"""The examples in docstrings say what the functions do."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OWN = ("tests", "benchmarks", "docs", "build")


def modules() -> list[str]:
    """Names of the product's modules that give examples."""
    rooms = [room for room in ROOT.iterdir() if room.is_dir() and room.name[0].isalpha() and room.name not in OWN]
    files = [path for room in rooms for path in room.rglob("*.py") if ">>> " in path.read_text(encoding="utf-8")]
    parts = (path.relative_to(ROOT).with_suffix("").parts for path in files)
    return sorted(".".join(each).removesuffix(".__init__") for each in parts)


def test_every_example_of_a_docstring_holds() -> None:
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    for name in modules():
        for example in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name), name):
            runner.run(example, out=told.append)
    tried = runner.summarize(verbose=False)
    assert tried.attempted >= 200, "the examples were not found"
    assert tried.failed == 0, "\n".join(told)
