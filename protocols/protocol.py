"""What a published benchmark is to a run: samples, the prompts that ask them, and how an answer is read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from core.messages import Messages
from core.runs.filters import ListedFacts
from core.runs.options import Flag, RunOption, Settings
from core.steps import ONE_STEP, Step
from prompts import Placeholders, Prompt
from protocols.making import Inputs, Making, Texts
from protocols.replies.schema import ReplySchema
from protocols.spaces import Space
from protocols.turns import Answered, Ask, Reading

if TYPE_CHECKING:
    from core.results.presets import ProtocolTables
    from protocols.baselines import Baseline


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


@dataclass(frozen=True, slots=True)
class Score:
    """What an answer is worth. `is_right`: None where the protocol knows no right and wrong. `value`: 0 to 1, where an
    answer can be right in part, else None. `predicted`: the label that it gives, None where it gives none. `parts`:
    what the score is made of (JSON), None where it has none."""

    is_right: bool | None
    predicted: str | None = None
    value: float | None = None
    parts: Any = None


@dataclass(frozen=True, slots=True)
class Face:
    """How lists show a sample. `labels`: what they filter by, name → values; only what has few values, since a run
    keeps a row for every combination of them. One that is called `core.runs.filters.YEAR` is filtered by a range."""

    title: str
    detail: str = ""
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """Cards that a run names for its protocol besides the models it asks. `kinds`: of cards that may take it; `most`:
    None where any number may; `baselines`: those that may take it too. `parameters`: of its requests, in place of the
    protocol's and of the run's limit; `of_reasoning`: and these, to cards of that kind, since others refuse them."""

    title: str
    kinds: tuple[str, ...]
    least: int = 1
    most: int | None = 1
    baselines: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    of_reasoning: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """A task and the variants in which it can be asked. `defaults`: those it has where nobody names any, empty for the
    first alone; `is_usual`: a run whose tasks nobody names has it, if what it takes allows. `parameters`: of its
    requests, in place of the protocol's."""

    name: str
    title: str
    variants: tuple[str, ...]
    defaults: tuple[str, ...] = ()
    is_usual: bool = True
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def usual(self) -> tuple[str, ...]:
        """The variants it has where nobody names any."""
        return self.defaults or self.variants[:1]


@dataclass(frozen=True, slots=True)
class GraphTask(Task):
    """A task whose answer is the graph of a text, so that people can build it, too. They are told the text whose hash
    is the sample's fact "text", how many nodes its truth, {"nodes", "edges"}, has, and their names in the variants of
    `given_in`."""

    given_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FigureTask(Task):
    """A task whose answer is what is drawn in its sample's figure: a person who sees an answer no longer draws this
    figure blind."""


@dataclass(frozen=True, slots=True)
class JudgeTask(Task):
    """A task whose answers are verdicts on answers of other runs, so that whoever sees one no longer labels its items
    blind."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """A setting of a run that is not the protocol's own; None where it, or the protocol, says nothing."""

    name: str
    default: Any
    used: Any


class BenchmarkProtocol(Protocol):
    """One published benchmark. Everything here is pure; `version` changes whenever a score could."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def short_title(self) -> str:
        """What it is called within a sentence."""
        ...

    @property
    def version(self) -> str: ...

    @property
    def place(self) -> int:
        """Where it stands in lists of protocols; the first is the usual one."""
        ...

    @property
    def tasks(self) -> tuple[Task, ...]: ...

    @property
    def variant_titles(self) -> Mapping[str, str]:
        """What variants are called on screens, by their names; one that is missing is called by its name. The first of
        them that was asked is the one that a table is of, unless others are chosen."""
        ...

    @property
    def defaults(self) -> Mapping[str, Any]: ...

    @property
    def listed(self) -> ListedFacts:
        """How lists of its answers are filtered and searched."""
        ...

    @property
    def tables(self) -> ProtocolTables:
        """Its tables of results; loaded when they are asked for, since a worker never does."""
        ...

    @property
    def sources(self) -> tuple[str, ...]:
        """What its samples are made of, by the names in `services/protocols/`."""
        ...

    @property
    def roles(self) -> Mapping[str, Role]:
        """Cards that a run names for it besides the models it asks."""
        ...

    @property
    def options(self) -> tuple[RunOption, ...]:
        """What a run may choose: the form of a new run and `--option NAME=VALUE` offer it."""
        ...

    @property
    def flags(self) -> tuple[Flag, ...]:
        """Flags of the command `run` that are none of its options."""
        ...

    @property
    def baselines(self) -> Mapping[str, Baseline]:
        """Answers without a model, by the name that a run's settings use."""
        ...

    @property
    def placeholders(self) -> Placeholders:
        """What its prompt files may leave open."""
        ...

    def steps(self, settings: Settings) -> tuple[Step, ...]:
        """What a run with these settings (what was wanted of it, as the run keeps it) goes through."""
        ...

    def to_embed(self, step: Step, inputs: Inputs, settings: Settings) -> Texts | None:
        """Of a step that embeds: the texts of one group that need a vector, and the embedder; None for nothing. Of the
        step of a run that has only one: what needs a built-in vector before samples can be made of what its sources
        hold. Raises BadInput as `samples`."""
        ...

    def space(self, step: Step, inputs: Inputs, settings: Settings) -> Space | None:
        """How many samples the step of a run that has only one asks, where they are derived by number; None where
        `samples` is to be asked for all of them at once, as of runs of several steps it always is.

        Such samples are written window by window as the run goes on, each with its `slots` and without its messages:
        `next` makes the same messages of a sample and its slots at any time. They need no vectors, and `samples` leaves
        out none of them. The same for the same `version`. Raises BadInput as `samples`.
        """
        ...

    def samples(
        self, step: Step, inputs: Inputs, settings: Settings, start: int = 0, count: int | None = None
    ) -> Samples:
        """The samples of one group of a step that asks, in order: `count` of them from number `start` on, None for all.
        Of a step that takes sources alone there is one group, the whole run, whose inputs hold `VECTORS` too if
        `to_embed` wanted any. Raises BadInput for settings that cannot be, and for inputs that no question can be made
        of: the group is blocked then, for that reason."""
        ...

    def bound(self, step: Step, inputs: Inputs, settings: Settings) -> Samples | None:
        """As `samples`, of a group whose vectors are missing: at least as many samples, and as long ones, as it will
        have with them, for a dry run to count; `excluded` and `made` as far as they are known. None where nothing
        bounds them."""
        ...

    def make(self, step: Step, inputs: Inputs, settings: Settings) -> Making:
        """What a step makes of one group's inputs: the same for the same. A group with a key makes values of its own
        key; one over the whole run, whose key is empty, of any. Raises BadInput as `samples`."""
        ...

    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        """The prompts that a variant needs, the one that is sent first; none where the sample brings its own words."""
        ...

    def released_names(self, name: str) -> tuple[str, ...]:
        """File names under which the benchmark's authors released a prompt, for `prompts.load(also=…)`."""
        ...

    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        """Raises BadInput unless the prompt says what its variant is about, and nothing that it must not."""
        ...

    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        """What is asked next, or what the answer is, given all that the item was asked and answered so far, in order.

        Called with () first, which asks the item's own card; afterwards `sample.slots` may be empty, and texts of
        `so_far` may be named by hash. `prompts`: by name; empty after the first request where no step has more rounds
        than one. It asks only as long as its step has rounds left: what asks after them leaves the item incomplete.
        Pure: the same for the same, so that the rounds of an item are derived again from kept replies. Raises BadInput
        for a prompt that does not fit.
        """
        ...

    def schema(self, task: str, variant: str) -> ReplySchema:
        """What baselines answer with, and endpoints may be asked for."""
        ...

    def face(self, sample: Sample) -> Face:
        """How lists show a sample; its slots may be missing."""
        ...

    def score(self, sample: Sample, reading: Reading) -> Score | None:
        """What an answer is worth, held against the sample's truth: the only place where it becomes right or wrong.
        None for what is not scored: cut off, declined, or with parts missing."""
        ...

    def deviations(self, settings: Settings) -> tuple[Deviation, ...]:
        """What in a run's settings differs from the protocol, but for the parameters of its requests: an option that
        means nothing in this run does not. One of its prompts is called "prompts"."""
        ...


def package_of(protocol: BenchmarkProtocol) -> str:
    """Return the name of a benchmark's packages, which is the same in every layer.

    >>> from protocols import PROTOCOLS
    >>> package_of(PROTOCOLS["recite"])
    'recite'
    """
    return type(protocol).__module__.rpartition(".")[0].rpartition(".")[2]


def first_messages(protocol: BenchmarkProtocol, sample: Sample, prompts: Mapping[str, Prompt]) -> Messages:
    """What asks a sample first. Raises BadInput as `BenchmarkProtocol.next`, ValueError for a protocol that reads an
    answer before there is one, or begins with another card than the item's own."""
    first = protocol.next(sample, prompts, ())
    if not isinstance(first, Ask) or first.role:
        raise ValueError(f"{protocol.name} begins an item with {first!r}; expected a request of the item's own card.")
    return first.messages


def deviations_from(defaults: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[Deviation, ...]:
    """A setting that is missing, None or empty text takes the default and is no deviation."""
    return tuple(
        Deviation(name, defaults.get(name), used)
        for name, used in sorted(settings.items())
        if used is not None and used != "" and used != defaults.get(name)
    )


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
