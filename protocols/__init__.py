"""Published benchmarks: samples, prompts, parsed replies, scores. Pure. A benchmark is a package here whose module
`benchmark` defines `PROTOCOL`; adding one edits no other file."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from core.words import quoted

if TYPE_CHECKING:
    from protocols.protocol import BenchmarkProtocol


def found() -> dict[str, BenchmarkProtocol]:
    """Return all protocols by stored name, ordered by `place`. Raises ValueError for a benchmark without PROTOCOL, a
    name used twice, one option with two kinds, and invalid steps."""
    from protocols.steps import steps_of

    by_name: dict[str, BenchmarkProtocol] = {}
    kinds: dict[str, tuple[str, str]] = {}
    for package in pkgutil.iter_modules(__path__):
        module = f"{__name__}.{package.name}.benchmark"
        if package.ispkg and find_spec(module) is not None:
            protocol: BenchmarkProtocol | None = getattr(import_module(module), "PROTOCOL", None)
            if protocol is None:
                raise ValueError(f"{__name__}.{package.name} is no benchmark: {module} has no PROTOCOL")
            if protocol.name in by_name:
                raise ValueError(f"two protocols are called {quoted(protocol.name)}; one of them is in {module}")
            for option in protocol.options:  # the form of a new run and `run` have one field for both
                kind, other = kinds.setdefault(option.name, (option.kind, module))
                if option.kind != kind:
                    raise ValueError(
                        f"the option {quoted(option.name)} is of kind {kind} in {other} and {option.kind} in {module}; "
                        "rename one of them"
                    )
            steps_of(protocol, protocol.defaults)
            by_name[protocol.name] = protocol
    return dict(sorted(by_name.items(), key=lambda each: (each[1].place, each[0])))


PROTOCOLS: Mapping[str, BenchmarkProtocol] = found()  # by stored name
USUAL = next(iter(PROTOCOLS))  # default of the form, and of a command that names no protocol
