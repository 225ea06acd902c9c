"""The five types of questions, closed and open book, and the protocol's defaults."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from core.labels import DIRECTION, TRUTH
from core.runs.filters import ListedFacts
from core.runs.options import OptionKind, RunOption
from core.steps import Step, StepKind
from prompts.placeholders import Placeholders
from protocols.protocol import Task
from protocols.replies.schema import ReplyField, ReplySchema

NAME, VERSION = "lee", "lee-1"
TITLE, SHORT_TITLE = "Lee et al. 2025: five types of questions", "Lee et al."
QUESTIONS = "questions"  # the source: a frozen question set
ASK = Step(name="ask", title="Answers", kind=StepKind.ASK, takes=(QUESTIONS,))

CLOSED, OPEN = "closed", "open"
VARIANTS = (CLOSED, OPEN)
VARIANT_TITLES: Mapping[str, str] = MappingProxyType({CLOSED: "closed book", OPEN: "open book"})
TYPE_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "type1": "Type 1: X–Y",
        "type2": "Type 2: X–many Y",
        "type3": "Type 3: many X–Y",
        "type4": "Type 4: X–Y, X′–Y′",
        "type5": "Type 5: direction",
    }
)
DIRECTION_TASK = "type5"
TASKS = tuple(Task(name, title, VARIANTS) for name, title in TYPE_TITLES.items())

OUT, IN = "out", "in"
ALL_OF_THEM = 100
DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {
        "easy": OUT,
        "share": ALL_OF_THEM,
        "repeats": 1,
        "seed": 1,
        "prompts": "built in",
        "temperature": 0.0,
        "max_tokens": 2_000,
        "response_format": "none",
    }
)
"""Temperature and token limit are the paper's; it prints no prompts, so these are Edgewise's."""
WHICH = RunOption(
    name="questions",
    has_flag=True,
    source=QUESTIONS,
    title="Question set",
    kind=OptionKind.TEXT,
    help="Number of a frozen question set; in a command also a file of questions, which is frozen if it is new.",
)
OPTIONS = (
    WHICH,
    RunOption(
        name="easy",
        title="Easy questions",
        kind=OptionKind.CHOICE,
        default=OUT,
        choices={OUT: "left out", IN: "asked too"},
        help="Easy is what every small model answered rightly when the set was made.",
    ),
    RunOption(
        name="share",
        title="Share of the questions (%)",
        kind=OptionKind.NUMBER,
        default=ALL_OF_THEM,
        least=0.1,
        most=ALL_OF_THEM,
        help="Drawn by type and answer, one at least of each. The paper asks open book of 10%.",
    ),
)

CLAIM, GIVEN, DIRECTION_PROMPT = "claim", "given", "direction"
_FORMS = {"type1": CLAIM, **dict.fromkeys(("type2", "type3", "type4"), GIVEN), DIRECTION_TASK: DIRECTION_PROMPT}
PROMPTS: Mapping[tuple[str, str], str] = MappingProxyType(
    {(task, variant): f"{NAME}/{form}_{variant}" for task, form in _FORMS.items() for variant in VARIANTS}
)
_PREMISE = frozenset({"given_treatment", "given_direction", "given_outcome"})
_NEEDED = {
    CLAIM: frozenset({"treatment", "direction", "outcome"}),
    GIVEN: frozenset({"treatment", "direction", "outcome"}) | _PREMISE,
    DIRECTION_PROMPT: frozenset({"treatment", "outcome"}),
}
NEEDED: Mapping[str, frozenset[str]] = MappingProxyType(
    {f"{NAME}/{form}_{variant}": names for form, names in _NEEDED.items() for variant in VARIANTS}
)
"""Prompt → its placeholders, exactly these."""
PLACEHOLDERS = Placeholders(braces=frozenset(name for names in _NEEDED.values() for name in names))

TRUTH_SCHEMA = ReplySchema("lee_truth", (ReplyField("answer", TRUTH), ReplyField("reasons")))
DIRECTION_SCHEMA = ReplySchema("lee_direction", (ReplyField("direction", DIRECTION), ReplyField("reasons")))

LISTED = ListedFacts(
    filters={"letters": "JEL letters", "period": "Period", "journal": "Journal"},
    searched=("treatment", "outcome", "paper", "question"),
    search_words="Treatment, outcome, paper, question ID",
    shown={
        "question": "Question ID",
        "given": "Given",
        "papers": "Papers",
        "letters": "JEL letters",
        "period": "Period",
        "journals": "Journals",
    },
)


def task_of(kind: int) -> str:
    """
    >>> task_of(4)
    'type4'
    """
    return f"type{kind}"


def schema_of(task: str) -> ReplySchema:
    return DIRECTION_SCHEMA if task == DIRECTION_TASK else TRUTH_SCHEMA
