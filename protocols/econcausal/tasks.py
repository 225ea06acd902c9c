"""The three tasks, their variants, and the protocol's defaults."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from core.errors import BadInput
from core.labels import SIGN, SIGN_OR_UNKNOWN
from core.steps import Span, Step, StepKind
from core.words import quoted
from prompts.placeholders import Placeholders
from protocols.protocol import Task
from protocols.replies.schema import ReplyField, ReplySchema

VERSION = "econcausal-2"  # changes whenever a sample, a reading or a score could

TITLE = "EconCausal, tasks 1–3"
TRIPLETS = "triplets"
ASK = Step(name="ask", title="Answers", kind=StepKind.ASK, takes=(TRIPLETS,))
EMBED = Step(name="embed", title="Vectors", kind=StepKind.EMBED, takes=(TRIPLETS,), span=Span.ALL)
ASK_WITH_VECTORS = Step(name="ask", title="Answers", kind=StepKind.ASK, takes=(TRIPLETS, EMBED.name), span=Span.ALL)
"""Comparable pairs may be of any paper, so all vectors precede any sample."""
TASK1, TASK2, TASK3 = "task1", "task2", "task3"
CONTEXT, NO_CONTEXT, AS_RELEASED = "context", "no-context", "as-released"
UNKNOWN, UNKNOWN_NO_CONTEXT = "unknown", "unknown-no-context"  # variants of task 1 with `unknown` as a fifth option

TASKS = (
    Task(TASK1, "Task 1: sign in its context", (CONTEXT, NO_CONTEXT, UNKNOWN, UNKNOWN_NO_CONTEXT, AS_RELEASED)),
    Task(TASK2, "Task 2: sign in a context that differs from the examples'", (CONTEXT, AS_RELEASED)),
    Task(TASK3, "Task 3: sign when the examples' signs are false", (CONTEXT, AS_RELEASED)),
)

VARIANT_TITLES: Mapping[str, str] = MappingProxyType(
    {
        CONTEXT: "with context",
        UNKNOWN: "unknown allowed",
        NO_CONTEXT: "without context",
        UNKNOWN_NO_CONTEXT: "unknown allowed, without context",
    }
)

EXAMPLE_SIGN, TARGET_SIGN = "example-sign", "target-sign"
FLIP_RULES: Mapping[str, str] = MappingProxyType(
    {
        EXAMPLE_SIGN: "every example shows a sign that differs from its own (the paper's rule)",
        TARGET_SIGN: "all examples show one sign, which is not the true answer (the released file's rule)",
    }
)
IMPORTED_FLIPS = "as imported"

PER_STRATUM, THRESHOLD, MOST_EXAMPLES = 30, 0.8, 5

DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {
        "per_stratum": PER_STRATUM,
        "threshold": THRESHOLD,
        "most_examples": MOST_EXAMPLES,
        "embedder": "text-embedding-3-small",
        "flip_rule": EXAMPLE_SIGN,
        "repeats": 1,
        "seed": 1,
        "prompts": "built in",
        "temperature": 0.0,
        "max_tokens": 2_000,
        "response_format": "none",
    }
)
"""Sampling, matching and flips are the paper's. It states no temperature or token limit, and its prompts request JSON
in words: these, one repeat and the built-in prompts are Edgewise's choices."""

PROMPTS: Mapping[tuple[str, str], tuple[str, ...]] = MappingProxyType(
    {
        (TASK1, CONTEXT): ("econcausal/task1",),
        (TASK1, NO_CONTEXT): ("econcausal/task1_no_context",),
        (TASK1, UNKNOWN): ("econcausal/task1_unknown",),
        (TASK1, UNKNOWN_NO_CONTEXT): ("econcausal/task1_unknown_no_context",),
        (TASK2, CONTEXT): ("econcausal/task2", "econcausal/example"),
        (TASK3, CONTEXT): ("econcausal/task3", "econcausal/example"),
        **{(task.name, AS_RELEASED): () for task in TASKS},
    }
)

PLACEHOLDERS = Placeholders(
    braces=frozenset(
        {
            "context",
            "context_new",
            "context_selected",
            "evidence_paragraphs",
            "examples",
            "number",
            "outcome",
            "sign",
            "treatment",
        }
    )
)
"""Names in the released prompt files, and `number` of an example."""

RELEASED_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "econcausal/task1": ("task1_sign_prediction_with_context.txt",),
        "econcausal/task1_no_context": ("task1_sign_prediction_no_context.txt",),
        "econcausal/task1_unknown": ("task1_sign_prediction_unknown_with_context.txt",),
        "econcausal/task1_unknown_no_context": ("task1_sign_prediction_unknown_no_context.txt",),
        "econcausal/task2": ("task2_context_dependent_sign_prediction.txt",),
        "econcausal/task3": ("task3_misinformation_robust_sign_prediction.txt",),
    }
)
"""File names in the released repository's prompts/evaluation/."""

KEY = "predicted_sign"
_ANALYSIS = {TASK2: "context_analysis", TASK3: "pattern_analysis"}


def check_variant(task: str, variant: str) -> None:
    """Raise BadInput unless the task has the variant."""
    if (task, variant) not in PROMPTS:
        listed = "; ".join(f"{each.name}: {', '.join(each.variants)}" for each in TASKS)
        raise BadInput(f"EconCausal has no variant {quoted(variant)} of {quoted(task)}; there are {listed}.")


def has_context(variant: str) -> bool:
    return variant not in (NO_CONTEXT, UNKNOWN_NO_CONTEXT)


def schema_of(task: str, variant: str) -> ReplySchema:
    """Return the fields of an answer. The sign is first, so that log-probabilities are at its first token. Raises
    BadInput for an unknown variant."""
    check_variant(task, variant)
    labels = SIGN_OR_UNKNOWN if variant in (UNKNOWN, UNKNOWN_NO_CONTEXT) else SIGN
    others = [ReplyField(_ANALYSIS[task])] if task in _ANALYSIS and variant != AS_RELEASED else []
    fields = (ReplyField(KEY, labels), *others, ReplyField("reasoning"))
    return ReplySchema(f"econcausal_{task}_{labels.name}".replace("-", "_"), fields)
