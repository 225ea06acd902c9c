"""The judge's task: variants, prompts, options and defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from core.errors import BadInput
from core.runs.options import OptionKind, RunOption, Settings
from core.steps import ONE_STEP, Step, StepKind
from core.verdicts.labels import EARLIER_WORDING, WORDING, Section
from core.verdicts.verdict import MOST_ITEMS
from core.words import quoted
from prompts.loader import DROP_IN, Prompt
from protocols.protocol import JudgeTask
from protocols.recite.judge.controls import Control

JUDGE = "judge"
ANSWERS = "answers"  # the source: answers of finished runs
GENERATION_TASKS = ("generate", "generate-as-released")  # tasks whose answers are graphs of texts
STANDARD, AS_RELEASED = "standard", "as-released"
MOST_TOKENS = 30_000  # of a verdict, as in the released code. Its temperature of 0.7 is not sent.
TASK = JudgeTask(
    JUDGE,
    "Judge: verdicts on answers",
    (STANDARD, AS_RELEASED),
    is_usual=False,
    parameters=MappingProxyType({"max_tokens": MOST_TOKENS}),
)

RULES, SECTION_PROMPT, AGAIN = "recite/judge", "recite/judge_section", "recite/judge_again"
PROMPTS = (RULES, SECTION_PROMPT, AGAIN)
SECTION_KEY, ITEM_NUMBERS, FAULT_LIST = "SECTION_KEY", "ITEM_NUMBERS", "FAULT_LIST"
PLACEHOLDERS = frozenset({SECTION_KEY, ITEM_NUMBERS, FAULT_LIST})
_NEEDED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        RULES: frozenset(),
        SECTION_PROMPT: frozenset({SECTION_KEY, ITEM_NUMBERS}),
        AGAIN: frozenset({SECTION_KEY, ITEM_NUMBERS, FAULT_LIST}),
    }
)
_EARLIER_RULES = frozenset({"142c6f5a5b8a3f8a90258474de8db6cdfc931dd10ea49dad9fa2653b4a551126"})
"""Hashes of earlier built-in rules in which BROADER and NARROWER of recall meant the reverse."""
RELEASED_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType({RULES: ("fine_grained_llm_judge.md",)})

MOST_AGAIN = 3  # further requests for a missing or faulty item
SECTION_TITLES: Mapping[Section, str] = MappingProxyType(
    {
        Section.NODE_PRECISION: "Node Precision",
        Section.NODE_RECALL: "Node Recall",
        Section.EDGE_PRECISION: "Edge Precision",
        Section.EDGE_RECALL: "Edge Recall",
    }
)


def judges(settings: Settings) -> bool:
    return JUDGE in (settings.get("tasks") or ())


def asks_for_graphs(settings: Settings) -> bool:
    return not judges(settings)


ITEMS_PER_REQUEST, CONTROLS, ERROR_LIMIT = "items_per_request", "controls", "error_limit"
USUAL_ERROR_LIMIT = 0.1
OPTIONS = (
    RunOption(
        name=ITEMS_PER_REQUEST,
        title="Items per request",
        of=JUDGE,
        kind=OptionKind.WHOLE,
        least=1,
        most=MOST_ITEMS,
        help="For judges that cannot write long verdicts. Without a number, a request has all items of a section.",
        empty="all",
        when=judges,
    ),
    RunOption(
        name=CONTROLS,
        has_flag=True,
        title="Controls",
        of=JUDGE,
        kind=OptionKind.TEXT,
        help=f"Known-answer tests of the judge, separated by commas: {', '.join(Control)}. Naming comes with ordering.",
        when=judges,
    ),
    RunOption(
        name=ERROR_LIMIT,
        title="Error limit of controls (0–1)",
        of=JUDGE,
        kind=OptionKind.NUMBER,
        default=USUAL_ERROR_LIMIT,
        least=0,
        most=1,
        step=0.05,
        help="A judge with a larger share of wrong labels in any control is warned of beside its scores.",
        when=judges,
    ),
)


def step_of(settings: Settings) -> Step:
    """Return the one asking step, with enough rounds for all its items."""
    per_request = settings.get(ITEMS_PER_REQUEST)
    parts = -(-MOST_ITEMS // int(per_request)) if per_request else 1
    return Step(name=ONE_STEP, title="Verdicts", kind=StepKind.ASK, takes=(ANSWERS,), rounds=parts * (MOST_AGAIN + 1))


def controls_of(settings: Settings) -> tuple[Control, ...]:
    """Return the requested controls without repeats; ORDERING adds NAMING, which shows its share of obedience. Raises
    BadInput for an unknown one."""
    controls: dict[Control, None] = {}
    for name in str(settings.get(CONTROLS) or "").split(","):
        if word := name.strip():
            if word not in set(Control):
                raise BadInput(f"Unknown control {quoted(word)}; choose from {', '.join(Control)}.")
            controls[Control(word)] = None
    if Control.ORDERING in controls:
        controls[Control.NAMING] = None
    return tuple(controls)


def check_prompt(variant: str, prompt: Prompt) -> None:
    """Raise BadInput for missing or foreign placeholders, and for the variant as-released without its prompt."""
    prompt.check(_NEEDED[prompt.name])
    if variant == AS_RELEASED and prompt.name == RULES and prompt.origin != DROP_IN:
        (released,) = RELEASED_NAMES[RULES]
        raise BadInput(f"The variant {AS_RELEASED} asks with the released prompt; name a folder that holds {released}.")


def wording_of(manifest: Mapping[str, Any]) -> int:
    """Return the wording of the rules that a run's judges had, from its manifest. Imported runs name no prompt: their
    labels follow the paper."""
    hashes = {each["hash"] for each in manifest["prompts"] if each["name"] == RULES}
    return EARLIER_WORDING if hashes & _EARLIER_RULES else WORDING


def in_ranges(numbers: Sequence[int]) -> str:
    """Format numbers, with consecutive ones as a range.

    >>> in_ranges([3, 9, 10, 11])
    '3, 9–11'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in runs)
