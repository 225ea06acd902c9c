"""Samples of a protocol: questions, exclusions, scores."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.steps import ONE_STEP


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One question with its true answer. Task, variant and key identify it, equally in every run that asks the same."""

    task: str
    variant: str
    key: str
    answer: str | None  # the true label; None if the truth is no label
    slots: Mapping[str, str]  # fill the prompt
    facts: Mapping[str, Any]  # JSON: grouping values of tables, inputs of trivial baselines
    hash: str  # SHA-256 of all that a model or a score depends on, so without ids of this study
    subject: tuple[str, str] | None = None  # (kind, id) of its origin in this study
    step: str = ONE_STEP  # the step that asks it
    truth: Any = None  # JSON that answers are scored against, in addition to the label


@dataclass(frozen=True, slots=True)
class Excluded:
    """A sample that could not be made."""

    key: str  # paper and row
    reason: str
    subject: tuple[str, str] | None = None  # (kind, id) of its origin
    task: str = ""
    variant: str = ""


@dataclass(frozen=True, slots=True)
class Samples:
    """Samples in order, and what was excluded."""

    samples: tuple[Sample, ...]
    excluded: tuple[Excluded, ...] = ()
    # Source, rule, seed … (JSON) by "task/variant", for the run card
    made: Mapping[str, Any] = field(default_factory=dict)
    notices: tuple[str, ...] = ()  # to be read before the run starts

    @property
    def hash(self) -> str:
        """Hash of all samples, independent of their order."""
        return content_hash(sorted(each.hash for each in self.samples))

    def part(self, start: int, count: int | None) -> Samples:
        """Return the same with `count` samples (None: all) from number `start`."""
        return replace(self, samples=self.samples[start : None if count is None else start + count])


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """Score of one answer."""

    is_right: bool | None  # None if the protocol has no right and wrong
    predicted: str | None = None  # the label; None if it gives none
    value: float | None = None  # 0 to 1 if an answer can be partly right
    parts: Any = None  # JSON; components of the score


_WRITTEN = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode
"""One encoder for all: json.dumps creates one per call, which takes longer than encoding a short text."""


def content_hash(content: Any) -> str:
    """Return the SHA-256 of canonical JSON: keys sorted, no blanks, UTF-8. Raises ValueError for NaN."""
    # Texts can have unpaired surrogates, which strict UTF-8 refuses.
    return hashlib.sha256(_WRITTEN(content).encode("utf-8", "surrogatepass")).hexdigest()


def with_keys(samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """Add keys (paper and hash) to samples of one task and variant; a repeated sample gets a number.

    >>> said = {"answer": "+", "slots": {}, "facts": {"paper": "w3593"}}
    >>> made = Sample(task="task1", variant="context", key="", hash="0123456789abcdef", **said)
    >>> [each.key for each in with_keys([made, made])]
    ['w3593/0123456789', 'w3593/0123456789#2']
    """
    counts: dict[str, int] = {}
    keyed = []
    for sample in samples:
        key = f"{sample.facts['paper']}/{sample.hash[:10]}"
        counts[key] = counts.get(key, 0) + 1
        keyed.append(replace(sample, key=key if counts[key] == 1 else f"{key}#{counts[key]}"))
    return tuple(keyed)
