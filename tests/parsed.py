"""What sources say, for tests that look through every file of the product."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from functools import cache

import pytest


@cache
def walked(source: str) -> tuple[ast.AST, ...]:
    """Every node in the order of `ast.walk`, without the marks of load and store, which each name has as `ctx`.

    Parsed once for all tests of a module that has `no_garbage`."""
    found: list[ast.AST] = [ast.parse(source)]
    for node in found:  # grows
        for name in node._fields:
            value = getattr(node, name)
            if isinstance(value, list):
                found += [each for each in value if isinstance(each, ast.AST)]
            elif name != "ctx" and isinstance(value, ast.AST):
                found.append(value)
    return tuple(found)


@pytest.fixture(scope="module", autouse=True)
def no_garbage() -> Iterator[None]:
    """A module that imports it looks for none meanwhile: trees are millions of objects in no circle, and looking
    through them took three quarters of the parsing."""
    gc.disable()
    yield
    walked.cache_clear()
    gc.enable()
