"""Task, form of the answer, option and defaults of proposed codes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from core.runs.codebook import LIST_OPTION, LONGEST_NAME, MOST_CODES, PROPOSING
from core.runs.filters import ListedFacts
from core.runs.options import OptionKind, RunOption
from core.steps import Step, StepKind
from prompts.placeholders import Placeholders
from protocols.protocol import Task
from protocols.replies.schema import ReplyField, ReplySchema
from protocols.replies.shapes import Key, ListShape, ObjectShape, TextShape

NAME = PROPOSING
TITLE = "Proposed codes"
VERSION = "proposed-codes-1"  # changes whenever a sample or a reading could

FAILURES = "failures"  # the source: failures of a coding list, without those that are coded without proposals
ASK = Step(name="ask", title="Answers", kind=StepKind.ASK, takes=(FAILURES,))
TASK, VARIANT = "codes", "standard"
TASKS = (Task(TASK, "Codes of a failure", (VARIANT,)),)

PROPOSE = "proposed_codes/propose"
SLOTS = ("codebook", "question", "truth", "answer", "reply", "reasoning")
PLACEHOLDERS = Placeholders(braces=frozenset(SLOTS))

DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {"repeats": 1, "seed": 1, "prompts": "built in", "temperature": 0.0, "max_tokens": 4_000}
)

LIST = RunOption(
    name=LIST_OPTION,
    source=FAILURES,
    title="Coding list",
    kind=OptionKind.TEXT,
    help="ID of a list of failures that nobody codes yet, drawn while proposals were on (Failures, Codes).",
)

LONGEST_QUOTATION = 2_000
SHAPE = ObjectShape(
    (
        Key(
            "codes",
            ListShape(
                ObjectShape(
                    (
                        Key("code", TextShape(4 * LONGEST_NAME, fewest=1)),
                        Key("quotation", TextShape(LONGEST_QUOTATION)),
                    )
                ),
                most=MOST_CODES,
            ),
        ),
    )
)
SCHEMA = ReplySchema("proposed_codes", (ReplyField("codes"),))
"""The key; `SHAPE` has its content. No baseline uses it."""

LISTED = ListedFacts(
    filters={},
    searched=("title", "list"),
    search_words="Failure",
    shown={"title": "Failure", "run": "Run", "codebook": "Codebook version"},
    is_right_or_wrong=False,
)
