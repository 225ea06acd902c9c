"""Models that are none: what always saying +, or copying the examples, would answer, as the text of a reply.

The text goes through the same parser, the same statuses and the same tables as a model's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from core.errors import BadInput
from core.scoring.baselines import Baseline, answered_by, most_frequent
from core.scoring.classes import Row
from protocols.protocol import Sample
from protocols.replies.schema import ReplySchema

BASELINES: Mapping[str, Baseline] = {
    "always-plus": Baseline.ALWAYS_FIRST,
    "majority": Baseline.MAJORITY,
    "copy-examples": Baseline.COPY_EXAMPLES,
    "first-not-shown": Baseline.NOT_SHOWN,
}
"""By the name that a run's settings use."""

NO_ANSWER = "the baseline has no answer: no example is shown, or every sign is"


def majority_of(samples: Iterable[Sample], schema: ReplySchema) -> str | None:
    """The most frequent true answer, the earlier label of equal ones; None without samples.

    The baseline is told the answers: it is the best that one constant answer can do. It is taken over all samples of
    one task and variant in the run, so it is found once, when the run is planned.
    """
    return most_frequent([sample.answer for sample in samples if sample.answer is not None], schema.labels)


def reply_text(baseline: str, sample: Sample, schema: ReplySchema, majority: str | None = None) -> str | None:
    """The reply's text, JSON with the label and what the baseline is; None where it has no answer (`NO_ANSWER`).

    `majority` is needed by that baseline alone. Raises BadInput for a baseline that is not known.
    """
    kind = BASELINES.get(baseline)
    if kind is None:
        raise BadInput(f"Unknown baseline {baseline!r}; choose from {', '.join(BASELINES)}.")
    label: object = majority
    if kind is not Baseline.MAJORITY:
        row = Row(sample.answer or "", None, tuple(sample.facts.get("example_signs", ())))
        label = answered_by(kind, [row], schema.labels)[0].predicted
    if label is None:
        return None
    return json.dumps({schema.key: label, "reasoning": f"This is a baseline: {kind.value}."}, ensure_ascii=False)
