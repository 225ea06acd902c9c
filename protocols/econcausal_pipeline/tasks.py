"""Steps of the pipeline, options of a run, and the protocol's defaults."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from core.runs.options import OptionFlag, OptionKind, RunOption, Settings, value_or_default
from core.steps import Span, Step, StepKind, TypicalRequests
from core.triplets.consensus import ECONCAUSAL
from core.triplets.rubric import Boundary, Floor
from prompts.placeholders import Placeholders
from protocols.protocol import ModelRole, Task

NAME, VERSION = "econcausal-pipeline", "econcausal-pipeline-1"
TITLE, SHORT_TITLE = "Triplets from papers (EconCausal)", "Triplets from papers"
PAPERS = "pipeline_papers"  # the source: papers with their text, page by page
FROM_FILES = "pipeline_steps"  # the source: step files of another run

EXTRACT, PHRASES, CONSENSUS, EVIDENCE, DECIDE = "extract", "phrases", "consensus", "evidence", "decide"
METADATA, LOCAL, CRITICS, FILTER = "metadata", "local", "critics", "filter"
STANDARD = "standard"
TASKS = (
    Task(EXTRACT, "Extraction", (STANDARD,)),
    Task(METADATA, "Metadata", (STANDARD,)),
    Task(LOCAL, "Local context", (STANDARD,)),
    Task(CRITICS, "Critics", (STANDARD,)),
)
"""A run asks all of them."""

RE_ASKS = 2  # further requests for an answer with faults

EXTRACTOR, READER, OF_CRITICS = "extractor", "reader", "critics"
CUE_PHRASES, PLAIN_CRITIC = "cue-phrases", "plain-critic"
_ANY_CARD = ("instruct", "reasoning")
ROLES: Mapping[str, ModelRole] = MappingProxyType(
    {
        EXTRACTOR: ModelRole(title="Extraction", kinds=_ANY_CARD, baselines=(CUE_PHRASES,)),
        READER: ModelRole(title="Metadata and context", kinds=_ANY_CARD, least=0, baselines=(CUE_PHRASES,)),
        OF_CRITICS: ModelRole(title="Critics", kinds=_ANY_CARD, most=None, baselines=(PLAIN_CRITIC,)),
    }
)
"""Without a reader, the extractor reads metadata and context."""

TIE, NOT_FOUND, AS_RELEASED = "tie", "evidence not found", "as-released"
TEXT, PDF = "text", "pdf"
SIX, FIVE_AND_ONE = "six", "five-and-one"
CRITICS_OF_RULE = 3

DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {
        "repeats": 1,
        "seed": 1,
        "prompts": "built in",
        "consensus_runs": ECONCAUSAL.runs,
        "consensus_threshold": ECONCAUSAL.threshold,
        "consensus_similarity": ECONCAUSAL.similarity,
        "least_runs": ECONCAUSAL.runs,
        "grouping": "chains",
        "votes": "one-a-run",
        "wording": "most-alike",
        "embedder": "text-embedding-3-small",
        "paper_as": TEXT,
        "criteria": SIX,
        "boundary": Boundary.GE.value,
        "floor": Floor.MEAN.value,
        "rule_critics": CRITICS_OF_RULE,
        "decide_not_found": "no",
        "vectors": "no",
        "max_tokens": 16_000,
    }
)
"""The paper states no temperature or token limit, and the first release sends none. The limit is Edgewise's, so that a
budget bounds the cost."""

STEP_FILES = "step_files"  # option of a run: KIND:SHA-256 of each file, separated by commas
FLAGS = (
    OptionFlag(name="input_dir", takes="file", help="Folder of PDFs; a dry run imports none."),
    OptionFlag(name="collection", takes="values", help="Title of a collection that is made of the accepted triplets."),
    OptionFlag(
        name="from",
        takes="files",
        help="File that a step of another run wrote (step1_runs.jsonl … step4.jsonl), in place of this step; may be "
        "repeated.",
    ),
)
OPTIONS = (
    RunOption(
        name="pipeline_papers",
        source=PAPERS,
        title="Papers",
        kind=OptionKind.TEXT,
        help="IDs of papers or names of their files, separated by commas. Empty: every paper with text.",
    ),
    RunOption(
        name=STEP_FILES,
        source=FROM_FILES,
        title="Files of steps",
        kind=OptionKind.TEXT,
        help="What another run wrote with --output-dir, given with --from.",
        when=lambda settings: bool(settings.get(STEP_FILES)),
    ),
    RunOption(
        name="consensus_runs",
        has_flag=True,
        title="Extractions per paper",
        kind=OptionKind.WHOLE,
        default=DEFAULTS["consensus_runs"],
        least=1,
        most=20,
    ),
    RunOption(
        name="consensus_threshold",
        has_flag=True,
        title="Extractions that must agree",
        kind=OptionKind.WHOLE,
        default=DEFAULTS["consensus_threshold"],
        least=1,
        most=20,
    ),
    RunOption(
        name="consensus_similarity",
        title="Minimum similarity",
        kind=OptionKind.NUMBER,
        help="Two triplets are the same if the cosines of their treatments and of their outcomes reach it.",
        default=DEFAULTS["consensus_similarity"],
        least=0,
        most=1,
        step=0.05,
    ),
    RunOption(
        name="least_runs",
        title="Extractions that must be readable",
        kind=OptionKind.WHOLE,
        help="With fewer, the paper waits. The first release continues with two of three.",
        default=DEFAULTS["least_runs"],
        least=1,
        most=20,
    ),
    RunOption(
        name="grouping",
        title="Who is the same",
        kind=OptionKind.CHOICE,
        help="By chains, order plays no part. As released, it does: each group is of those like its first member.",
        default=DEFAULTS["grouping"],
        choices={"chains": "by chains", AS_RELEASED: "like the first one (as released)"},
    ),
    RunOption(
        name="votes",
        title="Votes for a sign",
        kind=OptionKind.CHOICE,
        help="With one per extraction a tie goes to a person. As released, at a tie the first sign wins.",
        default=DEFAULTS["votes"],
        choices={"one-a-run": "one per extraction", AS_RELEASED: "one per mention (as released)"},
    ),
    RunOption(
        name="wording",
        title="Shown wording and evidence",
        kind=OptionKind.CHOICE,
        help="Of the triplets that are the same, the one whose words and evidence are shown first.",
        default=DEFAULTS["wording"],
        choices={"most-alike": "most alike to the others", AS_RELEASED: "earliest extraction (as released)"},
    ),
    RunOption(
        name="embedder",
        title="Vectors of phrases",
        kind=OptionKind.EMBEDDER,
        help="Built-in vectors compare letters and need no network. Vectors of an endpoint compare meanings.",
        default=DEFAULTS["embedder"],
    ),
    RunOption(
        name="paper_as",
        title="Papers sent as",
        kind=OptionKind.CHOICE,
        help="PDFs need model cards that take them.",
        default=DEFAULTS["paper_as"],
        choices={TEXT: "text", PDF: "PDF"},
    ),
    RunOption(
        name="most_pages",
        title="Pages sent at most",
        kind=OptionKind.WHOLE,
        help="Of texts only.",
        empty="all",
        least=1,
        most=10_000,
        when=lambda settings: (settings.get("paper_as") or TEXT) == TEXT,
    ),
    RunOption(
        name="criteria",
        title="Criteria per request",
        kind=OptionKind.CHOICE,
        help="With five and one, the context is scored in a request of its own, which doubles what a critic costs.",
        default=DEFAULTS["criteria"],
        choices={SIX: "all six", FIVE_AND_ONE: "five and one"},
    ),
    RunOption(
        name="rule_critics",
        title="Critics that decide",
        kind=OptionKind.WHOLE,
        help="A triplet is decided only when so many critics gave all six scores.",
        default=DEFAULTS["rule_critics"],
        least=1,
        most=20,
    ),
    RunOption(
        name="boundary",
        title="A total of exactly 15",
        kind=OptionKind.CHOICE,
        help="The paper accepts it; the released README rejects it.",
        default=DEFAULTS["boundary"],
        choices={Boundary.GE.value: "accepted", Boundary.GT.value: "rejected"},
    ),
    RunOption(
        name="floor",
        title="Least score of a criterion",
        kind=OptionKind.CHOICE,
        help="Which number must reach 2 for a candidate to be accepted. The paper takes the mean.",
        default=DEFAULTS["floor"],
        choices={Floor.MEAN.value: "of the critics' mean", Floor.ANY_CRITIC.value: "of every critic"},
    ),
    RunOption(
        name="decide_not_found",
        title="People decide on evidence that is not found",
        kind=OptionKind.CHOICE,
        help="People always decide on ties.",
        default=DEFAULTS["decide_not_found"],
        choices={"no": "no", "yes": "yes"},
    ),
    RunOption(
        name="vectors",
        title="Vectors in the files of step 1",
        kind=OptionKind.CHOICE,
        help="What edgewise.py triplets consensus reads. A file with them is some hundred times as large.",
        default=DEFAULTS["vectors"],
        choices={"no": "no", "yes": "yes"},
    ),
)

_PROMPTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        EXTRACT: ("extract", "again"),
        METADATA: ("metadata", "again"),
        LOCAL: ("local", "again"),
        CRITICS: ("critics", "critics_five", "critics_context", "again"),
    }
)
FOLDER = "econcausal_pipeline"
PROMPTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {task: tuple(f"{FOLDER}/{name}" for name in names) for task, names in _PROMPTS.items()}
)
AGAIN = f"{FOLDER}/again"
RELEASED_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        f"{FOLDER}/extract": ("step1_extract_causal_relations.txt",),
        f"{FOLDER}/metadata": ("step2_extract_metadata.txt",),
        f"{FOLDER}/local": ("step3_select_context.txt",),
        f"{FOLDER}/critics": ("step4_context_evaluation.txt",),
        f"{FOLDER}/critics_five": ("step4_critic_evaluation.txt",),
    }
)
"""File names of the first release."""
_OF_CANDIDATE = frozenset({"treatment", "outcome", "sign", "evidence_paragraphs"})
MAY_HAVE: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        f"{FOLDER}/extract": frozenset({"paper"}),
        f"{FOLDER}/metadata": frozenset({"paper"}),
        f"{FOLDER}/local": _OF_CANDIDATE | {"paper", "global_context", "global_identification_method"},
        f"{FOLDER}/critics": _OF_CANDIDATE | {"paper", "context_selected"},
        f"{FOLDER}/critics_five": _OF_CANDIDATE | {"paper", "context_selected"},
        f"{FOLDER}/critics_context": _OF_CANDIDATE | {"paper", "context_selected"},
        AGAIN: frozenset({"faults"}),
    }
)
"""Prompt → allowed placeholders."""
MUST_HAVE: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        f"{FOLDER}/extract": frozenset(),
        f"{FOLDER}/metadata": frozenset(),
        f"{FOLDER}/local": frozenset({"treatment", "outcome"}),
        f"{FOLDER}/critics": frozenset({"treatment", "outcome", "sign", "context_selected"}),
        f"{FOLDER}/critics_five": frozenset({"treatment", "outcome", "sign"}),
        f"{FOLDER}/critics_context": frozenset({"treatment", "outcome", "context_selected"}),
        AGAIN: frozenset({"faults"}),
    }
)
PLACEHOLDERS = Placeholders(braces=frozenset(name for names in MAY_HAVE.values() for name in names))


def chosen(settings: Settings, name: str) -> Any:
    """Return the run's choice of an option, or the default."""
    return value_or_default(settings, name, DEFAULTS)


def role_of_reader(settings: Settings) -> str:
    return READER if (settings.get("roles") or {}).get(READER) else EXTRACTOR


def steps_of(settings: Settings) -> tuple[Step, ...]:
    """Return the steps in order. From `decide` on candidates proceed separately, so that one waiting for a person
    delays no others."""
    asked_of = (TIE, NOT_FOUND) if chosen(settings, "decide_not_found") == "yes" else (TIE,)
    reader = role_of_reader(settings)
    requests = 2 if chosen(settings, "criteria") == FIVE_AND_ONE else 1
    return (
        Step(
            name=EXTRACT,
            title="Extraction",
            kind=StepKind.ASK,
            takes=(PAPERS,),
            role=EXTRACTOR,
            rounds=1 + RE_ASKS,
            repeats=int(chosen(settings, "consensus_runs")),
            usual=TypicalRequests(tokens_in=20_000, tokens_out=2_000, further=0.05),
        ),
        Step(name=PHRASES, title="Phrases", kind=StepKind.EMBED, takes=(EXTRACT,), span=Span.GROUP),
        Step(name=CONSENSUS, title="Consensus", kind=StepKind.MAKE, takes=(EXTRACT, PHRASES), span=Span.GROUP),
        Step(name=EVIDENCE, title="Evidence", kind=StepKind.MAKE, takes=(CONSENSUS, PAPERS), span=Span.GROUP),
        Step(name=DECIDE, title="Decisions", kind=StepKind.DECIDE, takes=(EVIDENCE,), asks_of=asked_of),
        Step(
            name=METADATA,
            title="Metadata",
            kind=StepKind.ASK,
            takes=(PAPERS,),
            role=reader,
            rounds=1 + RE_ASKS,
            repeats=1,
            usual=TypicalRequests(tokens_in=20_000, tokens_out=400, further=0.05),
        ),
        Step(
            name=LOCAL,
            title="Local context",
            kind=StepKind.ASK,
            takes=(DECIDE, METADATA, PAPERS),
            beside=(DECIDE,),
            role=reader,
            rounds=1 + RE_ASKS,
            repeats=1,
            usual=TypicalRequests(tokens_in=20_500, tokens_out=200, groups=4.0, further=0.05),
        ),
        Step(
            name=CRITICS,
            title="Critics",
            kind=StepKind.ASK,
            takes=(LOCAL, DECIDE, METADATA, PAPERS),
            beside=(LOCAL, DECIDE),
            role=OF_CRITICS,
            rounds=requests * (1 + RE_ASKS),
            repeats=1,
            usual=TypicalRequests(tokens_in=20_500, tokens_out=400, groups=4.0, further=requests - 1 + 0.05),
        ),
        Step(
            name=FILTER,
            title="Filter",
            kind=StepKind.MAKE,
            takes=(CRITICS, LOCAL, DECIDE, METADATA),
            beside=(CRITICS, LOCAL, DECIDE),
        ),
    )
