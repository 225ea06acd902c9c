"""Baselines: answers that a protocol gives without a model, as the text of a reply. They pass through the same reader,
statuses and tables as a model's replies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.errors import BadInput
from core.words import quoted
from protocols.samples import Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineAnswerer:
    title: str  # what it does, as shown in lists
    # Reply to a sample, given the result of `of_all`; None for no answer
    reply: Callable[[Sample, str | None], str | None] = lambda _sample, _overall: None
    # Computed once, when the run is planned, from all samples of a task and variant, answers included
    of_all: Callable[[Sequence[Sample]], str | None] | None = None
    tasks: tuple[str, ...] = ()  # empty: all
    no_answer: str = "the baseline has no answer to this sample"  # reason shown where `reply` is None
    variants: tuple[str, ...] = ()  # empty: all
    # Replaces `reply` where the run's seed decides; answers every sample, and no plan computes it
    drawn: Callable[[Sample, int], str] | None = None
    # Name of a long slot that it reads. Runs do not store slots: the fact of this name is the text's hash, from which
    # the worker loads it
    reads: str = ""

    def answers(self, sample: Sample, overall: str | None) -> bool:
        """Return True if it has an answer, as far as a plan can know."""
        if not self._is_of(sample):
            return False
        return self.drawn is not None or self.reply(sample, overall) is not None

    def answer(self, sample: Sample, overall: str | None, seed: int) -> str | None:
        """Return its answer, or None. The slot that it reads must be present."""
        if not self._is_of(sample):
            return None
        return self.reply(sample, overall) if self.drawn is None else self.drawn(sample, seed)

    def _is_of(self, sample: Sample) -> bool:
        return not self.variants or sample.variant in self.variants


def baseline_of(baselines: Mapping[str, BaselineAnswerer], name: str) -> BaselineAnswerer:
    """Return the baseline. Raises BadInput if the protocol has none of this name."""
    baseline = baselines.get(name)
    if baseline is None:
        raise BadInput(f"Unknown baseline {quoted(name)}; choose from {', '.join(baselines) or 'none'}.")
    return baseline
