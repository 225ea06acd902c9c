"""What a published benchmark is to a run: samples, the prompts that ask them, and how an answer is read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.messages import Messages
from core.runs.filters import ListedFacts
from core.runs.options import Flag, RunOption, Settings
from core.steps import Step
from core.words import quoted
from prompts.loader import Prompt
from prompts.placeholders import Placeholders
from protocols.baselines import Baseline
from protocols.making import Inputs, Making, Texts
from protocols.replies.schema import ReplyField, ReplySchema
from protocols.samples import Sample, Samples, Score
from protocols.spaces import Space
from protocols.turns import Answered, Ask, Reading

if TYPE_CHECKING:
    from core.results.presets import ProtocolTables


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


class BenchmarkProtocol(ABC):
    """One published benchmark, as a class that is derived from this one: it says what it has and does, and leaves out
    what it has not. Everything here is pure; `version` changes whenever a score could.

    Attributes:
        short_title: what it is called within a sentence
        place: its place in lists of protocols; the first is the usual one
        variant_titles: what variants are called on screens, by their names; one that is missing is called by its name.
            The first of them that was asked is the one that a table is of, unless others are chosen
        defaults: what it says where a run says nothing
        placeholders: what its prompt files may leave open
        listed: how lists of its answers are filtered and searched
        sources: what its samples are made of, by the names in `services/protocols/`
        ask: the step of a run that has only one; a benchmark whose runs have others defines `steps`
        roles: cards that a run names for it besides the models it asks
        options: what a run may choose: the form of a new run and `--option NAME=VALUE` offer it
        flags: flags of the command `run` that are none of its options
        baselines: answers without a model, by the name that a run's settings use
        released_names: prompt → file names under which the benchmark's authors released it, for `prompts.load(also=…)`
    """

    name: str
    title: str
    short_title: str
    version: str
    place: int
    tasks: tuple[Task, ...]
    variant_titles: Mapping[str, str] = MappingProxyType({})
    defaults: Mapping[str, Any]
    placeholders: Placeholders
    listed: ListedFacts
    sources: tuple[str, ...]
    ask: Step
    roles: Mapping[str, Role] = MappingProxyType({})
    options: tuple[RunOption, ...] = ()
    flags: tuple[Flag, ...] = ()
    baselines: Mapping[str, Baseline] = MappingProxyType({})
    released_names: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    @property
    def tables(self) -> ProtocolTables:
        """Its tables of results, TABLES of its module `tables`: loaded when they are asked for, since a worker never
        does."""
        found: ProtocolTables = import_module(f"{type(self).__module__.rpartition('.')[0]}.tables").TABLES
        return found

    def steps(self, settings: Settings) -> tuple[Step, ...]:
        """What a run with these settings (what was wanted of it, as the run keeps it) goes through."""
        return (self.ask,)

    def to_embed(self, step: Step, inputs: Inputs, settings: Settings) -> Texts | None:
        """Of a step that embeds: the texts of one group that need a vector, and the embedder; None for nothing. Of the
        step of a run that has only one: what needs a built-in vector before samples can be made of what its sources
        hold. Raises BadInput as `samples`."""
        return None

    def space(self, step: Step, inputs: Inputs, settings: Settings) -> Space | None:
        """How many samples the step of a run that has only one asks, where they are derived by number; None where
        `samples` is to be asked for all of them at once, as of runs of several steps it always is.

        Such samples are written window by window as the run goes on, each with its `slots` and without its messages:
        `next` makes the same messages of a sample and its slots at any time. They need no vectors, and `samples` leaves
        out none of them. The same for the same `version`. Raises BadInput as `samples`.
        """
        return None

    @abstractmethod
    def samples(
        self, step: Step, inputs: Inputs, settings: Settings, start: int = 0, count: int | None = None
    ) -> Samples:
        """The samples of one group of a step that asks, in order: `count` of them from number `start` on, None for all.
        Of a step that takes sources alone there is one group, the whole run, whose inputs hold `VECTORS` too if
        `to_embed` wanted any. Raises BadInput for settings that cannot be, and for inputs that no question can be made
        of: the group is blocked then, for that reason."""

    def bound(self, step: Step, inputs: Inputs, settings: Settings) -> Samples | None:
        """As `samples`, of a group whose vectors are missing: at least as many samples, and as long ones, as it will
        have with them, for a dry run to count; `excluded` and `made` as far as they are known. None where nothing
        bounds them."""
        return None

    def make(self, step: Step, inputs: Inputs, settings: Settings) -> Making:
        """What a step makes of one group's inputs: the same for the same. A group with a key makes values of its own
        key; one over the whole run, whose key is empty, of any. Raises BadInput as `samples`, and for a step that makes
        nothing."""
        raise BadInput(f"{self.title} makes nothing in the step {quoted(step.name)}.")

    @abstractmethod
    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        """The prompts that a variant needs, the one that is sent first; none where the sample brings its own words.
        Raises BadInput for a variant that there is not."""

    @abstractmethod
    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        """Raises BadInput unless the prompt says what its variant is about, and nothing that it must not."""

    @abstractmethod
    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        """What is asked next, or what the answer is, given all that the item was asked and answered so far, in order.

        Called with () first, which asks the item's own card; afterwards `sample.slots` may be empty, and texts of
        `so_far` may be named by hash. `prompts`: by name; empty after the first request where no step has more rounds
        than one. It asks only as long as its step has rounds left: what asks after them leaves the item incomplete.
        Pure: the same for the same, so that the rounds of an item are derived again from kept replies. Raises BadInput
        for a prompt that does not fit.
        """

    def schema(self, task: str, variant: str) -> ReplySchema:
        """What baselines answer with, and endpoints may be asked for: nothing but text, unless it says otherwise."""
        return ReplySchema(task, (ReplyField(task),))

    @abstractmethod
    def face(self, sample: Sample) -> Face:
        """How lists show a sample; its slots may be missing."""

    @abstractmethod
    def score(self, sample: Sample, reading: Reading) -> Score | None:
        """What an answer is worth, held against the sample's truth: the only place where it becomes right or wrong.
        None for what is not scored: cut off, declined, or with parts missing."""

    def deviations(self, settings: Settings) -> tuple[Deviation, ...]:
        """What in a run's settings differs from the protocol, but for the parameters of its requests: an option that
        means nothing in this run does not. One of its prompts is called "prompts"."""
        return ()


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
