"""Tasks and steps of text generation, and the protocol's defaults."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from core.errors import BadInput
from core.runs.options import OptionKind, RunOption, Settings
from core.steps import Span, Step, StepKind, TypicalRequests
from core.texts.states import MOST_ROUNDS
from core.words import quoted
from prompts.placeholders import Placeholders
from protocols.protocol import ModelRole, Task

NAME, VERSION = "recite-texts", "recite-texts-1"
TITLE = "ReCITE, texts of papers"
PAPERS = "papers"  # the source: papers with their files, and the ground truths of their figures

MARKDOWN, NORMALISE, EXPLICITNESS = "markdown", "normalise", "explicitness"
STANDARD = "standard"
TASKS = (
    Task(MARKDOWN, "Markdown", (STANDARD,)),
    Task(NORMALISE, "Normalisation", (STANDARD,)),
    Task(EXPLICITNESS, "Explicitness", (STANDARD,)),
)
RAW, GUARDS, TEXT, DECIDE = "raw", "guards", "text", "decide"

RE_ASKS = 3  # further requests for a faulty answer, per round of normalisation, and for levels

NORMALISER, LEVELLER = "normaliser", "leveller"
_ANY_MODEL = ("instruct", "reasoning")
ROLES: Mapping[str, ModelRole] = MappingProxyType(
    {
        NORMALISER: ModelRole(title="Normalisation", kinds=_ANY_MODEL, least=0),
        LEVELLER: ModelRole(title="Explicitness", kinds=_ANY_MODEL, least=0),
    }
)
"""Without a card of its own, a step asks the run's model."""

DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {
        "repeats": 1,
        "prompts": "built in",
        "temperature": 0.0,
        "max_tokens": 16_000,
    }
)
"""The paper states no temperature or token limit: these are conventions, as are the built-in prompts."""

OPTIONS = (
    RunOption(
        name="papers",
        source=PAPERS,
        title="Papers",
        kind=OptionKind.TEXT,
        help="IDs of papers or figures, separated by commas. Empty: every paper with a file and a located figure.",
    ),
)

PROMPTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        MARKDOWN: ("recite_texts/markdown",),
        NORMALISE: ("recite_texts/normalise", "recite_texts/normalise_again"),
        EXPLICITNESS: ("recite_texts/explicitness", "recite_texts/explicitness_again"),
    }
)
"""The prompt of the first request, and the one that lists faults."""
PLACEHOLDERS = Placeholders(braces=frozenset({"paper", "part", "graph", "faults"}))
RELEASED_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "recite_texts/markdown": ("pdf_to_md.md",),
        "recite_texts/normalise": ("normalize_md_texts.md",),
        "recite_texts/explicitness": ("label_unobserved_data.md",),
    }
)
"""File names in the released repository's prompts/."""


def tasks_of(settings: Settings) -> Collection[str]:
    """Return the requested tasks; all if none is named."""
    return settings.get("tasks") or [task.name for task in TASKS]


def steps_of_tasks(settings: Settings) -> tuple[Step, ...]:
    """Return the steps that the requested tasks need. Raises BadInput for an unknown task, repeats, and several models
    if a step without a role would ask each about the others' texts."""
    tasks = tasks_of(settings)
    for name in tasks:
        if name not in PROMPTS:
            raise BadInput(f"{TITLE} has no task {quoted(name)}; choose from {', '.join(PROMPTS)}.")
    if (settings.get("repeats") or 1) > 1:
        raise BadInput(f"Repeats: found {settings['repeats']}; expected 1. A model makes one text of a paper.")
    steps, base = list[Step](), PAPERS
    if MARKDOWN in tasks:
        steps += [RAW_STEP, MARKDOWN_STEP, GUARDS_STEP]
        base = GUARDS
    if NORMALISE in tasks:
        role = _role(settings, NORMALISER)
        takes = tuple(dict.fromkeys((base, PAPERS)))
        steps.append(
            Step(
                name=NORMALISE,
                title="Normalisation",
                kind=StepKind.ASK,
                takes=takes,
                role=role,
                rounds=MOST_ROUNDS * (1 + RE_ASKS),
                usual=TypicalRequests(tokens_in=20_000, tokens_out=1_500, further=1.5),
            )
        )
        steps.append(
            Step(name=TEXT, title="Text", kind=StepKind.MAKE, takes=(NORMALISE, *takes), span=Span.GROUP),
        )
        base = TEXT
    if EXPLICITNESS in tasks:
        steps.append(
            Step(
                name=EXPLICITNESS,
                title="Explicitness",
                kind=StepKind.ASK,
                takes=tuple(dict.fromkeys((base, PAPERS))),
                role=_role(settings, LEVELLER),
                rounds=1 + RE_ASKS,
                usual=TypicalRequests(tokens_in=20_000, tokens_out=800, further=0.2),
            )
        )
    # People decide on the texts, or on the levels if there are no texts.
    decided = tuple(name for name in (base, EXPLICITNESS) if name in {step.name for step in steps})
    steps.append(Step(name=DECIDE, title="Decisions", kind=StepKind.DECIDE, takes=decided, span=Span.GROUP))
    return tuple(steps)


def _role(settings: Settings, role: str) -> str:
    """Return the role if the run names a card for it; otherwise the run's one model is asked."""
    if (settings.get("roles") or {}).get(role):
        return role
    models = settings.get("models") or ()
    if len(models) > 1:
        raise BadInput(
            f"{ROLES[role].title}: this run asks {len(models)} models. Name one card for the role {quoted(role)}."
        )
    return ""


RAW_STEP = Step(name=RAW, title="Raw text", kind=StepKind.MAKE, takes=(PAPERS,), span=Span.GROUP)
MARKDOWN_STEP = Step(
    name=MARKDOWN,
    title="Markdown",
    kind=StepKind.ASK,
    takes=(RAW,),
    usual=TypicalRequests(tokens_in=10_000, tokens_out=10_000, groups=1.5),
)
GUARDS_STEP = Step(name=GUARDS, title="Guards", kind=StepKind.MAKE, takes=(MARKDOWN, PAPERS), span=Span.GROUP)
