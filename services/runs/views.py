"""Values of runs for screens: lines, progress, cards, items. They contain no names of people and no keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from core.runs.budget import Spending
from core.runs.sample_flags import FlagReason
from core.runs.states import AttemptState, Blocker, ItemStatus, ModelKind, RunState
from protocols.protocol import SampleSummary
from services.runs.settings import BudgetSettings, DeviationLine, PromptView

SCORE = "Score"
"""Name of a score if the protocol has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChoice:
    """A run as an option."""

    id: str
    number: int
    title: str
    protocol: str
    state: RunState
    tasks: tuple[str, ...]
    models: tuple[str, ...]
    baselines: tuple[str, ...]
    samples: int
    repeats: int  # times each sample is asked of each model


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine(RunChoice):
    """A run in a list."""

    protocol_version: str
    reason: str  # text of `blockers`, without times
    total: int
    by_status: Mapping[ItemStatus, int]  # all items, every status a key (as text: `core.runs.states.standing`)
    cost_usd: float | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    is_archived: bool
    version: int
    blockers: tuple[Blocker, ...] = ()  # what blocks parts of it (as text: `core.runs.states.format_blockers`)


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorGroup:
    """Attempts that failed for the same cause, or were not sent."""

    kind: str
    attempts: int
    items: int  # of these attempts, without an answer
    example: str
    example_status: int | None
    example_item: str
    example_model: str
    example_endpoint: str
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProgress:
    """Current progress of a run. Tokens and cost are those of its own requests in the ledger."""

    run_id: str
    number: int
    title: str
    state: RunState
    reason: str  # text of `blockers`, without times
    version: int
    total: int
    by_status: Mapping[ItemStatus, int]
    retrying: int  # pending items that were tried before
    cached: int  # items answered by a stored reply
    in_flight: int  # requests sent and not ended
    uncertain: int
    rate_per_s: float  # items ended, over the last minute
    left_s: float | None  # at this rate
    requests: int  # sent
    tokens_in: int
    tokens_out: int
    cost_usd: float | None  # None if neither usage nor price is known
    unpriced: int  # answers without a cost
    implausible: int  # answers whose reported usage cannot be true; they are in no token count and no cost
    budget: BudgetSettings
    worker_seen_at: datetime | None  # last heartbeat of any worker
    has_worker: bool  # that heartbeat is recent
    errors: tuple[ErrorGroup, ...]
    at: datetime
    unsent: int = 0  # attempts that were not sent
    blockers: tuple[Blocker, ...] = ()  # what blocks parts of it
    spending: Spending = field(default_factory=Spending)  # as the budget counts it, with reservations
    would_stop: str = ""  # why a run at rest would stop immediately if resumed
    has_steps: bool = False  # several
    protocol: str = ""
    by_model: Mapping[str, Mapping[ItemStatus, int]] = field(default_factory=dict)
    """The items of each model, every status a key; models by name, so that a drawing of them stays as it is."""
    unparsable: int = 0
    """Items that can be asked again since their replies were unparsable."""

    @property
    def is_held(self) -> bool:
        """The run waits for people or for blocked groups, not for a server."""
        return self.state is RunState.WAITING and not self.blockers


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInRun:
    """Snapshot of a model in a run, with the status of its items."""

    name: str
    kind: ModelKind
    snapshot: Mapping[str, Any]
    by_status: Mapping[ItemStatus, int]
    requests: int
    cached: int
    tokens_in: int
    tokens_out: int
    tokens_cached: int
    tokens_reasoning: int
    cost_usd: float | None
    asked_again: int = 0
    """Items whose unparsable first reply was replaced by a later one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptLine:
    """A row of the ledger."""

    id: str
    item_id: str
    model: str
    number: int
    state: AttemptState
    kind: str
    http_status: int | None
    message: str
    is_resend: bool  # an earlier attempt of the same request has an unknown end
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    sent_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCard:
    """Everything that determines a run, and the totals of its ledger."""

    run: RunLine
    settings: Mapping[str, Any]
    hashes: Mapping[str, str]  # samples, prompts, source, settings → SHA-256
    prompts: tuple[PromptView, ...]
    models: tuple[ModelInRun, ...]
    parameters: Mapping[str, Any]
    deviations: tuple[DeviationLine, ...]
    excluded: tuple[tuple[str, str], ...]
    repeated: int  # rows of a task and variant with the same question as another; each set counts once
    notices: tuple[str, ...]
    budget: BudgetSettings
    resends: tuple[AttemptLine, ...]  # a provider may have answered, and charged, twice
    uncertain: tuple[AttemptLine, ...]
    requests: int  # sent
    tokens_in: int
    tokens_out: int
    cost_usd: float | None
    acts: tuple[tuple[datetime, str], ...]
    unsent: int = 0  # attempts
    # Of a run of numbered samples at rest: (cells with open items, fewest and most ended items of a model in one).
    open_cells: tuple[int, int, int] | None = None
    implausible: int = 0  # attempts whose reported usage cannot be true
    implausible_usage: tuple[AttemptLine, ...] = ()  # the first of these
    unknown_reasons: tuple[tuple[str, str, int], ...] = ()
    """(model, flag, items) of replies with an unknown finish reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureLine:
    """One sample asked of one model."""

    item_id: str
    run_id: str
    run_number: int
    sample_id: str
    key: str
    task: str
    variant: str
    model: str
    repeat: int
    status: ItemStatus
    fault: str
    answer: str | None  # true label; None if the truth is no label
    predicted: str | None
    is_right: bool | None  # None without a scored answer: truncated, refused, failed, excluded or pending
    summary: SampleSummary
    score: float | None = None  # 0 to 1, for an answer that can be partly right
    score_words: str = SCORE
    question: str = ""
    true_parts: tuple[str, ...] = ()  # parts of the true answer in words, such as names; empty if the truth is no label
    answer_parts: tuple[str, ...] = ()  # parts of the answer in words; a part of both is right


@dataclass(frozen=True, slots=True, kw_only=True)
class FailurePage:
    """One page of items."""

    total: int  # matching items
    by_status: Mapping[ItemStatus, int]  # of matching items
    lines: tuple[FailureLine, ...]
    right_of: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # by difficulty: sample → (right, scored)
    unwritten: int = 0  # items of these runs and models that do not exist yet, and may match later
    baselines: int = 0  # matching items of baselines, which the filters leave out
    withholds: bool = False  # items are hidden from the viewer, who labels them blind; they may not match


@dataclass(frozen=True, slots=True)
class LabelChoice:
    """A label of samples that lists can be filtered by."""

    name: str  # in links
    words: str
    values: tuple[str, ...]  # in use


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureChoices:
    """Options of the filters, from the runs in use."""

    runs: tuple[tuple[str, str], ...]
    models: tuple[str, ...]
    tasks: tuple[str, ...]
    variants: tuple[str, ...]
    expected: tuple[str, ...]
    predicted: tuple[str, ...]
    labels: tuple[LabelChoice, ...]
    label_words: Mapping[str, str]  # true or predicted label → its words, if it is not plain
    years: tuple[int, int] | None
    searched: Mapping[str, str]  # run → what a search looks into, as text
    unjudged: frozenset[str]  # runs whose answers are never right or wrong
    graded: frozenset[str]  # those of them whose answers have scores


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedLine:
    """The same sample, by its content, on both sides."""

    key: str
    task: str
    variant: str
    answer: str | None
    summary: SampleSummary
    first: FailureLine
    second: FailureLine


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPage:
    """One page of a comparison. Cells, score counts and `unanswered` add up to `shared`."""

    cells: Mapping[tuple[bool, bool], int]  # (first is right, second is right) → samples answered right or wrong
    higher_first: int  # other samples, by their scores
    equal: int
    higher_second: int
    unanswered: int  # a side has neither
    different: int  # samples of `cells` with different answers, not both right
    shared: int
    only_first: int  # samples that the second side was not asked
    only_second: int
    total: int  # shared samples that match
    lines: tuple[ComparedLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """One request of an item that has several."""

    number: int
    purpose: str  # named by the protocol
    model: str  # card
    status: ItemStatus
    fault: str  # of the reply
    request_hash: str
    messages: tuple[tuple[str, str], ...]  # (role, text) of those not in the previous round
    raw: str
    text: str
    reasoning: str
    finish_reason: str
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    latency_s: float | None
    received_at: datetime | None
    usage_fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierReply:
    """An unparsable reply that was replaced, since its item was asked again."""

    text: str
    raw: str
    finish_reason: str
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    received_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleFlag:
    """People's flag that a sample is bad; without reasons it has none."""

    reasons: tuple[FlagReason, ...] = ()
    note: str = ""
    who: str = ""  # "you", a name or "the command line"
    at: datetime | None = None
    version: int = 0  # 0: never flagged


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemSheet:
    """One sample asked of one model, with all data."""

    line: FailureLine
    protocol: str
    messages: tuple[tuple[str, str], ...]
    prompt: str
    prompt_hash: str
    sample_hash: str
    request_hash: str
    parameters: Mapping[str, Any]
    facts: Mapping[str, Any]
    shown: Mapping[str, Any]  # facts next to the answer: heading → value (JSON)
    raw: str  # body of the reply
    text: str  # answer in it
    reasoning: str
    refusal: str
    finish_reason: str
    parse_stage: str  # parse stage
    repaired: str | None  # the answer after a repair
    parsed: Any
    probabilities: Mapping[str, float] | None
    tokens_in: int | None
    tokens_out: int | None
    tokens_cached: int | None
    tokens_reasoning: int | None
    cost_usd: float | None  # of the reply
    latency_s: float | None
    was_cached: bool
    provider_model: str
    provider_id: str
    received_at: datetime | None
    attempts: tuple[AttemptLine, ...]
    others: tuple[FailureLine, ...]  # the same sample with other models, repeats and runs
    usage_fault: str = ""  # why the reported usage cannot be true; tokens and cost are then unknown
    is_baseline: bool = False  # answered without a request
    flags: tuple[str, ...] = ()  # remarks on an answer that counts
    rounds: tuple[RoundView, ...] = ()  # empty for a single request; the reply shown is that of the last
    earlier: tuple[EarlierReply, ...] = ()
    """Earlier replies, oldest first, of an item that was asked again."""
    is_graph: bool = False
    flag: SampleFlag = SampleFlag()
