"""Tasks of ReCITE's generation, their variants, prompts, options and defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from core.errors import BadInput
from core.runs.filters import YEAR, ListedFacts
from core.runs.human_answers import MOST_PEOPLE, PEOPLE
from core.runs.options import OptionKind, RunOption, Settings, embedder_of
from core.steps import ONE_STEP, Span, Step, StepKind
from core.vectors import LEXICAL
from core.words import quoted
from prompts.placeholders import Placeholders
from protocols.protocol import GraphTask, ModelRole, Task
from protocols.recite.judge import tasks as judge

NAME, VERSION = "recite", "recite-1"  # the version changes whenever a sample, a reading or a score could
TITLE = "ReCITE: graphs from texts"
# The sources: releases of this study, imported tables of samples, and the ready texts of this study.
RELEASE, TABLE, TEXTS = "release", "table", "texts"
SOURCES = (RELEASE, TABLE, TEXTS)
READY = "ready"

GENERATE, AS_RELEASED = "generate", "generate-as-released"
STANDARD, NAMES = "standard", "names"
RELEASED_TEMPERATURE = 0.7

TASKS: tuple[Task, ...] = (
    GraphTask(GENERATE, "Generate: graph of a text", (STANDARD, NAMES), given_in=(NAMES,)),
    GraphTask(
        AS_RELEASED,
        "Generate as released: messages of the released code",
        (STANDARD, NAMES),
        is_usual=False,
        parameters=MappingProxyType({"temperature": RELEASED_TEMPERATURE}),
        given_in=(NAMES,),
    ),
    judge.TASK,
)
VARIANT_TITLES: Mapping[str, str] = MappingProxyType(
    {STANDARD: "standard", NAMES: "names given", judge.AS_RELEASED: "as released"}
)
ALL_VARIANTS = "all"
OF_RELEASE = RunOption(
    name="release",
    has_flag=True,
    source=RELEASE,
    title="Release",
    kind=OptionKind.WHOLE,
    least=1,
    when=judge.asks_for_graphs,
    help="Number of a release of this study. Its figures with a text are the samples.",
)
OF_TABLE = RunOption(
    name="table",
    has_flag=True,
    source=RELEASE,
    title="Table of samples",
    kind=OptionKind.TEXT,
    when=judge.asks_for_graphs,
    help="ID of an imported table of samples; in a command also its title, or a Parquet file, imported if it is new. "
    "Its rows with a text are the samples.",
)
OF_TEXTS = RunOption(
    name="texts",
    has_flag=True,
    source=RELEASE,
    title="Texts of this study",
    kind=OptionKind.CHOICE,
    choices={READY: "all that are ready"},
    when=judge.asks_for_graphs,
    help="ready: every figure with finished ground truth and a ready text is a sample. Needs no release and no licence "
    "to redistribute; what a licence forbids stays in the study.",
)
OF_RUNS = RunOption(
    name="of",
    has_flag=True,
    source=judge.ANSWERS,
    title="Runs to judge",
    kind=OptionKind.TEXT,
    help="Numbers or IDs of finished runs, separated by commas. Their answers are judged.",
    when=judge.judges,
)
OF_MODELS = RunOption(
    name="judged_models",
    source=judge.ANSWERS,
    title="Models to judge",
    kind=OptionKind.TEXT,
    help="Names of models and baselines of these runs, separated by commas. Empty: all.",
    when=judge.judges,
)
OF_VARIANTS = RunOption(
    name="judged_variants",
    source=judge.ANSWERS,
    title="Variants to judge",
    kind=OptionKind.SEVERAL,
    default=ALL_VARIANTS,
    choices={name: VARIANT_TITLES[name] for name in (STANDARD, NAMES)},
    help="Of the answers of these runs. Each variant has rows of its own in every table.",
    when=judge.judges,
)
OPTIONS = (
    OF_RELEASE,
    OF_TABLE,
    OF_TEXTS,
    OF_RUNS,
    OF_MODELS,
    OF_VARIANTS,
    RunOption(
        name=PEOPLE,
        title="People per sample",
        kind=OptionKind.WHOLE,
        default=0,
        least=0,
        most=MOST_PEOPLE,
        help="People who build the graph from the text, each a model human:PSEUDONYM of the run.",
        when=judge.asks_for_graphs,
    ),
    RunOption(
        name="embedder",
        title="Vectors of abstracts",
        kind=OptionKind.EMBEDDER,
        help="Of a model at an endpoint, for the tables Diversity and Diversity and F1. A run of a baseline alone asks "
        "for nothing else.",
        default="gte-large-en-v1.5",
        empty="none",
        when=judge.asks_for_graphs,
    ),
    *judge.OPTIONS,
)

EMBED = Step(name="embed", title="Vectors", kind=StepKind.EMBED, takes=SOURCES, span=Span.ALL)

FORMAT = "format"
MOST_TOKENS, FORMAT_TOKENS = 100_000, 10_000
ROLES: Mapping[str, ModelRole] = MappingProxyType(
    {
        FORMAT: ModelRole(
            title="Format correction",
            kinds=("instruct", "reasoning"),
            least=0,
            parameters=MappingProxyType({"max_tokens": FORMAT_TOKENS}),
        )
    }
)
"""Without a helper an unreadable answer is unparsable at once."""

DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {"repeats": 1, "seed": 1, "prompts": "built in", "max_tokens": MOST_TOKENS}
)
"""The paper runs models with their default parameters and prints no limit; 100,000 tokens are the released code's. The
built-in prompts are a convention."""

PROMPTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        STANDARD: ("recite/generate", "recite/format"),
        NAMES: ("recite/generate_names", "recite/format_names"),
    }
)
"""The prompts of the first request and of the correction, by variant."""
NUM_NODES, NODE_JSON = "NUM_NODES", "NODE_JSON"
PLACEHOLDERS = Placeholders(capitals=frozenset({NUM_NODES, NODE_JSON}) | judge.PLACEHOLDERS)
RELEASED_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "recite/generate": ("causal_graph_generation.md",),
        "recite/generate_names": ("causal_graph_generation_with_node_names.md",),
        "recite/format": ("correct_causal_graph.md",),
        "recite/format_names": ("correct_causal_graph_with_nodes.md",),
        **judge.RELEASED_NAMES,
    }
)
"""File names in the released repository's prompts/."""

LISTED = ListedFacts(
    filters={
        "field": "Field",
        "domain": "Domain",
        "publisher": "Publisher",
        "judged": "Judged model",
        "section": "Section",
    },
    searched=("title", "paper"),
    search_words="Title, sample ID",
    scores={"generate": "Edge F1"},
    shown={
        "paper": "Sample ID",
        "origin": "From",
        "publisher": "Publisher",
        "date": "Publication date",
        YEAR: "Year",
        "domain": "Domain",
        "field": "Field",
        "nodes": "Nodes",
        "edges": "Edges",
        "characters": "Text (characters)",
        "explicitness": "Explicitness",
        "licence": "Licence",
        "truth_origin": "Ground truth",
        "judged": "Judged model",
        "run": "Judged run",
        "section": "Section",
        "items": "Items",
    },
    is_right_or_wrong=False,
)


def steps_of_run(settings: Settings) -> tuple[Step, ...]:
    """Return the asking step, after one that embeds abstracts if an embedder is chosen. A helper for corrections allows
    a second round; a judge asks in several. Raises BadInput for built-in vectors, and for vectors in a run in which
    people answer."""
    if judge.judges(settings):
        return (judge.step_of(settings),)
    has_helper = bool((settings.get("roles") or {}).get(FORMAT))
    asks = Step(
        name=ONE_STEP,
        title="Graphs",
        kind=StepKind.ASK,
        takes=SOURCES,
        rounds=2 if has_helper else 1,
    )
    if not settings.get("embedder"):
        return (asks,)
    if embedder_of(settings) == LEXICAL:
        raise BadInput("Vectors of abstracts: the built-in ones compare letters; expected ENDPOINT/MODEL, or none.")
    if settings.get(PEOPLE):
        raise BadInput("People answer in a run without vectors of abstracts. Make the vectors in a run of a baseline.")
    return (EMBED, replace(asks, span=Span.ALL))


def check_variant(task: str, variant: str) -> None:
    """Raise BadInput unless the task has the variant."""
    if not any(each.name == task and variant in each.variants for each in TASKS):
        listed = "; ".join(f"{each.name}: {', '.join(each.variants)}" for each in TASKS)
        raise BadInput(f"{TITLE} has no variant {quoted(variant)} of {quoted(task)}; there are {listed}.")
