"""Models that are none: answers that a protocol gives without asking anybody, as the text of a reply.

The text goes through the same reader, the same statuses and the same tables as a model's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.errors import BadInput
from core.words import quoted
from protocols.samples import Sample


def _nothing(_sample: Sample, _found: str | None) -> str | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """`title`: what it does, in words for a list. `reply`: the text of its reply to a sample, given what `of_all` found
    (else None); None where it has no answer, for the reason in `no_answer`.

    `of_all`: what it takes from all samples of one task and variant in the run, their answers included; found once,
    when the run is planned. `tasks`: those that it can answer at all, empty for all; `variants`: likewise.

    `drawn`: stands in the place of `reply` where the run's seed decides too; such a baseline has an answer to every
    sample of its tasks and variants, and a plan makes none. `reads`: a slot of the sample that it looks at and that may
    be long; a run does not keep slots, so the sample's fact of this name is the hash of the text, which a worker reads.
    """

    title: str
    reply: Callable[[Sample, str | None], str | None] = _nothing
    of_all: Callable[[Sequence[Sample]], str | None] | None = None
    tasks: tuple[str, ...] = ()
    no_answer: str = "the baseline has no answer to this sample"
    variants: tuple[str, ...] = ()
    drawn: Callable[[Sample, int], str] | None = None
    reads: str = ""

    def answers(self, sample: Sample, found: str | None) -> bool:
        """Whether it has an answer to a sample, as far as a plan tells."""
        if not self._is_of(sample):
            return False
        return self.drawn is not None or self.reply(sample, found) is not None

    def answer(self, sample: Sample, found: str | None, seed: int) -> str | None:
        """Its answer to a sample, whose slot that it reads is there; None without one."""
        if not self._is_of(sample):
            return None
        return self.reply(sample, found) if self.drawn is None else self.drawn(sample, seed)

    def _is_of(self, sample: Sample) -> bool:
        return not self.variants or sample.variant in self.variants


def baseline_of(baselines: Mapping[str, Baseline], name: str) -> Baseline:
    """Raises BadInput for a baseline that the protocol does not have."""
    found = baselines.get(name)
    if found is None:
        raise BadInput(f"Unknown baseline {quoted(name)}; choose from {', '.join(baselines) or 'none'}.")
    return found
