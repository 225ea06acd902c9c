"""The samples of a protocol: what is asked, what was left out, and what an answer is worth."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.steps import ONE_STEP


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One question with its true answer.

    `key` names it within a run: task, variant and key are unique, and the same in every run that asks the same.
    `slots` fill the prompt; `facts` (JSON) are what tables group by and what trivial baselines look at. `hash`: SHA-256
    of everything that a model or a score depends on, so not of ids in this study. `answer`: the true label, None where
    what is true is no label; `truth` (JSON) is what an answer is held against besides. `subject`: (kind, id) of what in
    this study it was made of; `step`: the one that asks it.
    """

    task: str
    variant: str
    key: str
    answer: str | None
    slots: Mapping[str, str]
    facts: Mapping[str, Any]
    hash: str
    subject: tuple[str, str] | None = None
    step: str = ONE_STEP
    truth: Any = None


@dataclass(frozen=True, slots=True)
class Excluded:
    """What could not become a sample: its paper and row, why, and (kind, id) of what it would have been made of; of
    which task and variant."""

    key: str
    reason: str
    subject: tuple[str, str] | None = None
    task: str = ""
    variant: str = ""


@dataclass(frozen=True, slots=True)
class Samples:
    """Samples in order, and what was left out. `made`: source, rule, seed and so on (JSON), for the run card, by
    "task/variant". `notices`: what should be read before the run is started."""

    samples: tuple[Sample, ...]
    excluded: tuple[Excluded, ...] = ()
    made: Mapping[str, Any] = field(default_factory=dict)
    notices: tuple[str, ...] = ()

    @property
    def hash(self) -> str:
        """Of all samples together, in any order."""
        return content_hash(sorted(each.hash for each in self.samples))

    def part(self, start: int, count: int | None) -> Samples:
        """The same with `count` samples from number `start` on, None for all."""
        return replace(self, samples=self.samples[start : None if count is None else start + count])


@dataclass(frozen=True, slots=True)
class Score:
    """What an answer is worth. `is_right`: None where the protocol knows no right and wrong. `value`: 0 to 1, where an
    answer can be right in part, else None. `predicted`: the label that it gives, None where it gives none. `parts`:
    what the score is made of (JSON), None where it has none."""

    is_right: bool | None
    predicted: str | None = None
    value: float | None = None
    parts: Any = None


_WRITTEN = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode
"""One encoder for all: json.dumps makes one a call, which takes longer than a short text's writing."""


def content_hash(content: Any) -> str:
    """SHA-256 of canonical JSON: keys sorted, no blanks, UTF-8. Raises ValueError for NaN."""
    return hashlib.sha256(_WRITTEN(content).encode("utf-8", "surrogatepass")).hexdigest()


def with_keys(samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """Samples of one task and variant with keys of paper and hash; a sample that stands there again gets a number.

    >>> said = {"answer": "+", "slots": {}, "facts": {"paper": "w3593"}}
    >>> made = Sample(task="task1", variant="context", key="", hash="0123456789abcdef", **said)
    >>> [each.key for each in with_keys([made, made])]
    ['w3593/0123456789', 'w3593/0123456789#2']
    """
    seen: dict[str, int] = {}
    keyed = []
    for sample in samples:
        key = f"{sample.facts['paper']}/{sample.hash[:10]}"
        seen[key] = seen.get(key, 0) + 1
        keyed.append(replace(sample, key=key if seen[key] == 1 else f"{key}#{seen[key]}"))
    return tuple(keyed)
