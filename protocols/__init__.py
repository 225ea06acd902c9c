"""Published benchmarks: samples, prompts, parsed replies, scores. Pure.

Each is a package here whose module `benchmark` has a `PROTOCOL`, and is found by that: a new one edits no other file.
"""

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
    """Return the protocols of this package, by the name that a run keeps, in the order of their places. Raises
    ValueError for a benchmark without a PROTOCOL, two of one name, two options of one name whose kinds differ, and
    steps that no run can go through."""
    from protocols.steps import steps_of

    listed: dict[str, BenchmarkProtocol] = {}
    kinds: dict[str, tuple[str, str]] = {}
    for package in pkgutil.iter_modules(__path__):
        module = f"{__name__}.{package.name}.benchmark"
        if package.ispkg and find_spec(module) is not None:
            protocol: BenchmarkProtocol | None = getattr(import_module(module), "PROTOCOL", None)
            if protocol is None:
                raise ValueError(f"{__name__}.{package.name} is no benchmark: {module} has no PROTOCOL")
            if protocol.name in listed:
                raise ValueError(f"two protocols are called {quoted(protocol.name)}; one of them is in {module}")
            for option in protocol.options:  # the form of a new run and `run` have one field for both
                kind, other = kinds.setdefault(option.name, (option.kind, module))
                if option.kind != kind:
                    raise ValueError(
                        f"the option {quoted(option.name)} is of kind {kind} in {other} and {option.kind} in {module}; "
                        "rename one of them"
                    )
            steps_of(protocol, protocol.defaults)
            listed[protocol.name] = protocol
    return dict(sorted(listed.items(), key=lambda each: (each[1].place, each[0])))


PROTOCOLS: Mapping[str, BenchmarkProtocol] = found()
"""By the name that a run keeps."""
USUAL = next(iter(PROTOCOLS))
"""What a form begins with, and what a command follows that names none."""
