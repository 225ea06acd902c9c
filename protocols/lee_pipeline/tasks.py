"""Steps of the pipeline, options of a run, and the protocol's defaults."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from core.questions.pairs import Scope
from core.runs.options import OptionFlag, OptionKind, RunOption, Settings, value_or_default
from core.steps import Span, Step, StepKind, TypicalRequests
from core.triplets.consensus import LEE
from core.triplets.corpus import FIRST_YEAR, LAST_YEAR
from core.triplets.venues import JOURNALS
from prompts.placeholders import Placeholders
from protocols.lee import tasks as lee
from protocols.protocol import ModelRole, Task

NAME, VERSION = "lee-pipeline", "lee-pipeline-1"
TITLE, SHORT_TITLE = "Relations and questions from abstracts (Lee et al.)", "Relations from abstracts"
ABSTRACTS, CODES = "abstracts", "jel_titles"
"""Sources: papers with their abstracts; the user's JEL codes with titles, possibly none."""

EXTRACT, PHRASES, CONSENSUS, TITLES, ENTITIES = "extract", "phrases", "consensus", "titles", "entities"
SPLIT, JEL, QUESTIONS, EASY, FILTER = "split", "jel", "questions", "easy", "filter"
STANDARD = "standard"
TASKS = (Task(EXTRACT, "Extraction", (STANDARD,)), Task(EASY, "Easy questions", (STANDARD,)))  # A run asks both
RE_ASKS = 2  # further requests for an answer with faults

EXTRACTOR, SMALL = "extractor", "small"
CUE_PHRASES, COINS = "cue-phrases", ("coin-1", "coin-2", "coin-3")
_ANY_CARD = ("instruct", "reasoning")
ROLES: Mapping[str, ModelRole] = MappingProxyType(
    {
        EXTRACTOR: ModelRole(
            title="Extraction",
            kinds=_ANY_CARD,
            baselines=(CUE_PHRASES,),
            parameters={"max_tokens": 2_000},
            of_reasoning={"reasoning_effort": "medium"},
        ),
        SMALL: ModelRole(
            title="Small models",
            kinds=_ANY_CARD,
            most=None,
            baselines=COINS,
            parameters={"temperature": 0.0, "max_tokens": 2_000},
        ),
    }
)
CHAIN = "chain"
"""Flag of an entity that holds together by a chain only: two of its phrases are below the similarity threshold."""
YES, NO = "yes", "no"

DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {
        "repeats": 1,
        "seed": 1,
        "prompts": "built in",
        "extractions": LEE.runs,
        "agreeing": LEE.threshold,
        "similarity": LEE.similarity,
        "embedder": "text-embedding-3-large",
        "method_needed": NO,
        "decide_chains": NO,
        "scope": Scope.ANYWHERE.value,
        "share_true": 0.5,
        "max_tokens": 2_000,
    }
)
"""The paper's, except for what it does not state: pairs from anywhere, half of the statements true."""
FLAGS = (
    OptionFlag(
        name="input_dir",
        takes="file",
        help="Folder of files of abstracts (and jel_codes.csv); a dry run imports none.",
    ),
)
ANY_JOURNAL = "any"
CORPUS = RunOption(
    name="corpus",
    source=ABSTRACTS,
    title="Corpora",
    kind=OptionKind.TEXT,
    help="IDs or titles of corpora of abstracts, separated by commas. Empty: every corpus.",
)
JEL_CODES = RunOption(
    name="codes",
    source=CODES,
    title="JEL codes",
    kind=OptionKind.TEXT,
    help="Lines of code and title, with the heading code,title. Empty: letters are those of the papers.",
)
OPTIONS = (
    CORPUS,
    RunOption(
        name="journals",
        source=ABSTRACTS,
        title="Journals",
        kind=OptionKind.SEVERAL,
        default=",".join(JOURNALS),
        choices={**{name: name for name in JOURNALS}, ANY_JOURNAL: "Any journal"},
        help=f"“all” are the paper's eight journals; {ANY_JOURNAL} takes abstracts of any other journal too.",
    ),
    RunOption(
        name="first_year",
        source=ABSTRACTS,
        title="First year",
        kind=OptionKind.WHOLE,
        default=FIRST_YEAR,
        least=1500,
        most=2200,
    ),
    RunOption(
        name="last_year",
        source=ABSTRACTS,
        title="Last year",
        kind=OptionKind.WHOLE,
        default=LAST_YEAR,
        least=1500,
        most=2200,
    ),
    RunOption(
        name="most_per_year",
        source=ABSTRACTS,
        title="Maximum abstracts per year",
        kind=OptionKind.WHOLE,
        least=1,
        most=100_000,
        help="Drawn at random.",
        empty="all",
    ),
    JEL_CODES,
    RunOption(
        name="extractions",
        title="Extractions per abstract",
        kind=OptionKind.WHOLE,
        default=DEFAULTS["extractions"],
        least=1,
        most=20,
    ),
    RunOption(
        name="agreeing",
        title="Extractions that must agree",
        kind=OptionKind.WHOLE,
        default=DEFAULTS["agreeing"],
        least=1,
        most=20,
        help="On treatment, direction and outcome.",
    ),
    RunOption(
        name="similarity",
        title="Minimum similarity",
        kind=OptionKind.NUMBER,
        default=DEFAULTS["similarity"],
        least=0,
        most=1,
        step=0.05,
        help="Two phrases are one entity if the cosine of their vectors reaches it, also by a chain.",
    ),
    RunOption(
        name="embedder",
        title="Vectors of phrases",
        kind=OptionKind.EMBEDDER,
        help="Built-in vectors compare letters and need no network. Vectors of an endpoint compare meanings.",
        default=DEFAULTS["embedder"],
    ),
    RunOption(
        name="method_needed",
        title="An identification method is needed",
        kind=OptionKind.CHOICE,
        default=DEFAULTS["method_needed"],
        choices={NO: "no", YES: "yes"},
        help="Yes: a relation counts only where most of its extractions name a method. It is counted either way.",
    ),
    RunOption(
        name="decide_chains",
        title="People decide on chains of phrases",
        kind=OptionKind.CHOICE,
        default=DEFAULTS["decide_chains"],
        choices={NO: "no", YES: "yes"},
        help="Yes: people may split entities that hold together by a chain alone, before questions are made.",
    ),
    RunOption(
        name="scope",
        title="Pairs of types 2 and 3",
        kind=OptionKind.CHOICE,
        default=DEFAULTS["scope"],
        choices={Scope.ANYWHERE.value: "from anywhere", Scope.ACROSS_PAPERS.value: "of two papers"},
    ),
    RunOption(
        name="share_true",
        title="Share of true statements (0–1)",
        kind=OptionKind.NUMBER,
        default=DEFAULTS["share_true"],
        least=0,
        most=1,
        step=0.05,
        help="Of types 2 to 4.",
    ),
    RunOption(
        name="most_questions",
        title="Maximum questions per type",
        kind=OptionKind.WHOLE,
        least=1,
        most=1_000_000,
        help="Drawn at random.",
        empty="all",
    ),
)

FOLDER = "lee_pipeline"
AGAIN = f"{FOLDER}/again"
EASY_PROMPTS = tuple(dict.fromkeys(name for (_, variant), name in lee.PROMPTS.items() if variant == lee.CLOSED))
PROMPTS: Mapping[str, tuple[str, ...]] = MappingProxyType({EXTRACT: (f"{FOLDER}/extract", AGAIN), EASY: EASY_PROMPTS})
NEEDED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        f"{FOLDER}/extract": frozenset({"title", "abstract"}),
        AGAIN: frozenset({"faults"}),
        **{name: lee.NEEDED[name] for name in EASY_PROMPTS},
    }
)
"""Prompt → its placeholders, exactly these."""
PLACEHOLDERS = Placeholders(braces=frozenset(name for names in NEEDED.values() for name in names))


def chosen(settings: Settings, name: str) -> Any:
    """Return the run's choice of an option, or the default."""
    return value_or_default(settings, name, DEFAULTS)


def small_cards(settings: Settings) -> tuple[str, ...]:
    return tuple((settings.get("roles") or {}).get(SMALL) or ())


def has_codes(settings: Settings) -> bool:
    return bool(str(settings.get("codes") or "").strip())


def steps_of(settings: Settings) -> tuple[Step, ...]:
    """Return the steps in order; those of JEL codes only with codes, that of people only if they decide."""
    entities = SPLIT if chosen(settings, "decide_chains") == YES else ENTITIES
    coded = has_codes(settings)
    step = [
        Step(
            name=EXTRACT,
            title="Extraction",
            kind=StepKind.ASK,
            takes=(ABSTRACTS,),
            role=EXTRACTOR,
            rounds=1 + RE_ASKS,
            repeats=int(chosen(settings, "extractions")),
            usual=TypicalRequests(tokens_in=700, tokens_out=150, further=0.05),
        ),
        Step(name=PHRASES, title="Phrases", kind=StepKind.EMBED, takes=(EXTRACT,), span=Span.GROUP),
        Step(name=CONSENSUS, title="Consensus", kind=StepKind.MAKE, takes=(EXTRACT, PHRASES), span=Span.GROUP),
        Step(name=ENTITIES, title="Entities", kind=StepKind.MAKE, takes=(CONSENSUS, PHRASES), span=Span.ALL),
    ]
    if entities == SPLIT:
        step.append(Step(name=SPLIT, title="Split entities", kind=StepKind.DECIDE, takes=(ENTITIES,), asks_of=(CHAIN,)))
    if coded:
        step += [
            Step(name=TITLES, title="Titles of JEL codes", kind=StepKind.EMBED, takes=(CODES,), span=Span.ALL),
            Step(
                name=JEL,
                title="JEL codes",
                kind=StepKind.MAKE,
                takes=(CONSENSUS, PHRASES, CODES, TITLES),
                span=Span.ALL,
            ),
        ]
    step.append(
        Step(
            name=QUESTIONS,
            title="Questions",
            kind=StepKind.MAKE,
            takes=(CONSENSUS, entities, JEL if coded else CODES, ABSTRACTS),  # every source must be taken
            span=Span.ALL,
        )
    )
    if small_cards(settings):
        step += [
            Step(
                name=EASY,
                title="Easy questions",
                kind=StepKind.ASK,
                takes=(QUESTIONS,),
                span=Span.GROUP,
                role=SMALL,
                repeats=1,
                usual=TypicalRequests(requests=200.0, tokens_in=300, tokens_out=60, groups=0.05),
            ),
            Step(name=FILTER, title="Filter", kind=StepKind.MAKE, takes=(QUESTIONS, EASY), span=Span.ALL),
        ]
    return tuple(step)
