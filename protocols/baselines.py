"""Models that are none: answers that a protocol gives without asking anybody, as the text of a reply.

The text goes through the same reader, the same statuses and the same tables as a model's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.errors import BadInput
from core.words import quoted
from protocols.protocol import Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """`title`: what it does, in words for a list. `reply`: the text of its reply to a sample, given what `of_all` found
    (else None); None where it has no answer, for the reason in `no_answer`.

    `of_all`: what it takes from all samples of one task and variant in the run, their answers included; found once,
    when the run is planned. `tasks`: those that it can answer at all, empty for all.
    """

    title: str
    reply: Callable[[Sample, str | None], str | None]
    of_all: Callable[[Sequence[Sample]], str | None] | None = None
    tasks: tuple[str, ...] = ()
    no_answer: str = "the baseline has no answer to this sample"


def baseline_of(baselines: Mapping[str, Baseline], name: str) -> Baseline:
    """Raises BadInput for a baseline that the protocol does not have."""
    found = baselines.get(name)
    if found is None:
        raise BadInput(f"Unknown baseline {quoted(name)}; choose from {', '.join(baselines) or 'none'}.")
    return found
