"""Interface of a published benchmark: samples, prompts, reading of answers, scoring."""

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
from core.runs.options import OptionFlag, RunOption, Settings
from core.steps import Step
from core.words import quoted
from prompts.loader import Prompt
from prompts.placeholders import Placeholders
from protocols.baselines import BaselineAnswerer
from protocols.exchanges import Answered, Ask, Reading
from protocols.numbered_samples import Space
from protocols.replies.schema import ReplyField, ReplySchema
from protocols.samples import AnswerScore, Sample, Samples
from protocols.step_values import Inputs, Making, Texts

if TYPE_CHECKING:
    from core.analysis.presets import ProtocolTables


@dataclass(frozen=True, slots=True)
class SampleSummary:
    """Title, detail and filter labels of a sample in lists."""

    title: str
    detail: str = ""
    # Label name → values. Few distinct values only: a run stores a row per combination. YEAR is filtered as a range.
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRole:
    """Models that a run assigns to its protocol in addition to those it asks."""

    title: str
    kinds: tuple[str, ...]  # kinds of cards allowed
    least: int = 1
    most: int | None = 1  # None: no limit
    baselines: tuple[str, ...] = ()  # baselines allowed in their place
    # Replace the protocol's parameters and the run's token limit
    parameters: Mapping[str, Any] = field(default_factory=dict)
    # Added for reasoning models only, since others refuse them
    of_reasoning: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """A task and the variants in which it can be asked."""

    name: str
    title: str
    variants: tuple[str, ...]
    defaults: tuple[str, ...] = ()  # variants if a run names none; empty: the first
    is_usual: bool = True  # part of runs that name no tasks, if their inputs allow it
    parameters: Mapping[str, Any] = field(default_factory=dict)  # replace the protocol's request parameters

    @property
    def usual(self) -> tuple[str, ...]:
        """Variants used where a run names none."""
        return self.defaults or self.variants[:1]


@dataclass(frozen=True, slots=True)
class GraphTask(Task):
    """A task whose answer is the graph of a text, so that people can answer it, too. The fact "text" of a sample is the
    hash of the text shown to them; its truth is {"nodes", "edges"}. They also see the number of nodes, and in the
    variants of `given_in` the node names."""

    given_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FigureTask(Task):
    """A task whose answer is the graph drawn in the sample's figure; seeing one is exposure for that figure."""


@dataclass(frozen=True, slots=True)
class JudgeTask(Task):
    """A task whose answers are verdicts on other runs' answers; seeing one is exposure for the items it judges."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """A run setting that differs from the protocol's; None where one of them sets nothing."""

    name: str
    default: Any
    used: Any


class BenchmarkProtocol(ABC):
    """Base class of published benchmarks. Pure; `version` changes whenever a score could."""

    name: str
    title: str
    short_title: str  # for use within a sentence
    version: str
    place: int  # position in lists of protocols; the first is the default
    tasks: tuple[Task, ...]
    # Without a title a variant shows its name. Tables show the first of these that was asked, unless others are chosen.
    variant_titles: Mapping[str, str] = MappingProxyType({})
    defaults: Mapping[str, Any]  # settings where a run sets nothing
    placeholders: Placeholders  # allowed in its prompt files
    listed: ListedFacts  # filters and search of its answer lists
    sources: tuple[str, ...]  # inputs of its samples, by the names in `services/protocols/`
    ask: Step  # the step of single-step runs; others override `steps`
    roles: Mapping[str, ModelRole] = MappingProxyType({})
    options: tuple[RunOption, ...] = ()  # offered in the form of a new run and as `--option NAME=VALUE`
    flags: tuple[OptionFlag, ...] = ()  # of the command `run`, in addition to the options
    baselines: Mapping[str, BaselineAnswerer] = MappingProxyType({})  # by the name in run settings
    # Prompt → file names in the authors' release, for `prompts.load(also=…)`
    released_names: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    @property
    def tables(self) -> ProtocolTables:
        """TABLES of its module `tables`, loaded on first use, since workers never need them."""
        loaded: ProtocolTables = import_module(f"{type(self).__module__.rpartition('.')[0]}.tables").TABLES
        return loaded

    def steps(self, settings: Settings) -> tuple[Step, ...]:
        """Return the steps of a run with these requested settings."""
        return (self.ask,)

    def to_embed(self, step: Step, inputs: Inputs, settings: Settings) -> Texts | None:
        """Return the texts of one group of an embedding step that need a vector; None for none. In a
        single-step run: the texts that need a built-in vector before samples can be made of the sources. Raises
        BadInput as `samples`."""
        return None

    def space(self, step: Step, inputs: Inputs, settings: Settings) -> Space | None:
        """Return the numbered samples of a single-step run; None if all must be requested from `samples` at once, as in
        runs of several steps. Numbered samples are stored window by window during the run, with `slots` but without
        messages: `next` builds the same messages again. They need no vectors, and `samples` excludes none of them.
        Deterministic for one `version`. Raises BadInput as `samples`."""
        return None

    @abstractmethod
    def samples(
        self, step: Step, inputs: Inputs, settings: Settings, start: int = 0, count: int | None = None
    ) -> Samples:
        """Return `count` samples (None: all) of one group of an asking step, in order, from number `start`. A step that
        takes sources only has one group, the whole run; its inputs hold `VECTORS` if `to_embed` returned texts. Raises
        BadInput for impossible settings, and for inputs of which no question can be made: these block the group."""

    def bound(self, step: Step, inputs: Inputs, settings: Settings) -> Samples | None:
        """Return an upper bound of `samples` (number and length) for a group without its vectors, for dry runs; None if
        there is none. `excluded` and `made` as far as known."""
        return None

    def make(self, step: Step, inputs: Inputs, settings: Settings) -> Making:
        """Return the values of one group of a making step; deterministic. A group with a key produces values of that
        key only. Raises BadInput as `samples`, and for a step that makes nothing."""
        raise BadInput(f"{self.title} makes nothing in the step {quoted(step.name)}.")

    @abstractmethod
    def prompt_names(self, task: str, variant: str) -> tuple[str, ...]:
        """Return the prompts of a variant, the first request's first; none if samples bring their own text. Raises
        BadInput for an unknown variant."""

    @abstractmethod
    def check_prompt(self, task: str, variant: str, prompt: Prompt) -> None:
        """Raise BadInput unless the prompt has what its variant needs, and nothing forbidden."""

    @abstractmethod
    def next(self, sample: Sample, prompts: Mapping[str, Prompt], so_far: Sequence[Answered]) -> Ask | Reading:
        """Return the next request of an item, or its reading, given all exchanges so far, in order.

        The first call has `so_far` () and must ask the item's own model. Later `sample.slots` may be empty, texts of
        `so_far` may be hashes, and `prompts` is empty where no step has a second round. A request beyond the step's
        rounds leaves the item incomplete. Deterministic, so that rounds can be derived again from stored replies.
        Raises BadInput for a prompt that does not fit.
        """

    def schema(self, task: str, variant: str) -> ReplySchema:
        """Return the fields of an answer, for baselines and structured output; by default one text."""
        return ReplySchema(task, (ReplyField(task),))

    @abstractmethod
    def summary(self, sample: Sample) -> SampleSummary:
        """Return the sample's entry in lists; its slots may be missing."""

    def question(self, sample: Sample) -> str:
        """Return the sample's question as one sentence for people; its slots may be missing."""
        return self.summary(sample).title

    def in_words(self, sample: Sample, label: str | None, value: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the parts of the true answer and of the one with this label and value, as people read them: one label
        or several names. Equal parts are right. Empty if the truth is no label, or nothing was answered."""
        return tuple(() if each is None else (each,) for each in (sample.answer, label))  # type: ignore[return-value]

    @abstractmethod
    def score(self, sample: Sample, reading: Reading) -> AnswerScore | None:
        """Score an answer against the sample's truth. None if it is not scored: truncated, refused, incomplete."""

    def deviations(self, settings: Settings) -> tuple[Deviation, ...]:
        """Return settings that differ from the protocol, without request parameters and options unused in this run. A
        changed prompt is called "prompts"."""
        return ()


def package_of(protocol: BenchmarkProtocol) -> str:
    """Return the name of a benchmark's packages, equal in every layer.

    >>> from protocols import PROTOCOLS
    >>> package_of(PROTOCOLS["recite"])
    'recite'
    """
    return type(protocol).__module__.rpartition(".")[0].rpartition(".")[2]


def first_messages(protocol: BenchmarkProtocol, sample: Sample, prompts: Mapping[str, Prompt]) -> Messages:
    """Return the messages of an item's first request. Raises BadInput as `BenchmarkProtocol.next`; ValueError for a
    protocol that does not begin with a request to the item's own model."""
    first = protocol.next(sample, prompts, ())
    if not isinstance(first, Ask) or first.role:
        raise ValueError(f"{protocol.name} begins an item with {first!r}; expected a request of the item's own card.")
    return first.messages


def deviations_from(defaults: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[Deviation, ...]:
    """Return settings other than the default. Missing, None or empty text takes the default."""
    return tuple(
        Deviation(name, defaults.get(name), used)
        for name, used in sorted(settings.items())
        if used is not None and used != "" and used != defaults.get(name)
    )
