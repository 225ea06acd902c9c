"""What screens show of runs: lines, progress, cards, items. Values only; never a person's name, never a key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from core.runs.budget import Spending
from core.runs.states import AttemptState, Hindrance, ItemStatus, ModelKind, RunState
from protocols.protocol import Face
from services.runs.settings import BudgetSettings, DeviationLine, PromptView

SCORE = "Score"
"""What the score of an answer is called where its protocol has no word for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChoice:
    """A run to choose. `repeats`: times each sample is asked of each model."""

    id: str
    number: int
    title: str
    protocol: str
    state: RunState
    tasks: tuple[str, ...]
    models: tuple[str, ...]
    baselines: tuple[str, ...]
    samples: int
    repeats: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine(RunChoice):
    """A run in a list. `by_status` counts all of its items, every status a key; its sum is `total` (in words:
    `core.runs.states.standing`). `hindrances`: what part of it cannot go on for (in words:
    `core.runs.states.hindered`); `reason` says the same without since when."""

    protocol_version: str
    reason: str
    total: int
    by_status: Mapping[ItemStatus, int]
    cost_usd: float | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    is_archived: bool
    version: int
    hindrances: tuple[Hindrance, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorGroup:
    """Attempts that failed for one cause, or never left. `items` of them concern items that have no answer yet."""

    kind: str
    attempts: int
    items: int
    example: str
    example_status: int | None
    example_item: str
    example_model: str
    example_endpoint: str
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProgress:
    """A run at this moment. `retrying`: pending items that were tried before; `in_flight`: requests sent and not
    ended; `cached`: items answered by a kept reply. Tokens and cost are the ledger's, for this run's own requests;
    `cost_usd` is None where no provider's usage and no price says anything. `unpriced`: answers without a cost;
    `implausible`: others, whose reported usage cannot be true and is in no token or cost.

    `rate_per_s`: items ended in the last minute, a second; `left_s` at that rate. `worker_seen_at`: the last sign of
    life of any worker, `has_worker` whether it is recent. `requests` left; `unsent` attempts never did. `hindrances`:
    what part of it cannot go on for; `reason` says the same without since when. `spending`: as the budget counts it,
    with what is held for requests of unknown end; `would_stop`: why a run at rest would stop at once if it went on.
    `has_steps`: whether it has several.
    """

    run_id: str
    number: int
    title: str
    state: RunState
    reason: str
    version: int
    total: int
    by_status: Mapping[ItemStatus, int]
    retrying: int
    cached: int
    in_flight: int
    uncertain: int
    rate_per_s: float
    left_s: float | None
    requests: int
    tokens_in: int
    tokens_out: int
    cost_usd: float | None
    unpriced: int
    implausible: int
    budget: BudgetSettings
    worker_seen_at: datetime | None
    has_worker: bool
    errors: tuple[ErrorGroup, ...]
    at: datetime
    unsent: int = 0
    hindrances: tuple[Hindrance, ...] = ()
    spending: Spending = field(default_factory=Spending)
    would_stop: str = ""
    has_steps: bool = False
    protocol: str = ""
    unparsable: int = 0
    """Items that can be asked again, since the replies of a model to them could not be read."""

    @property
    def is_held(self) -> bool:
        """Whether it waits for people or for blocked groups, and not for a server."""
        return self.state is RunState.WAITING and not self.hindrances


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInRun:
    """A model as it was when the run was made: the snapshot of its card and endpoint, and what became of its items."""

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
    """Items whose first reply could not be read and was replaced by a later one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptLine:
    """A row of the ledger. `is_resend`: an earlier attempt of the same request went out with an unknown end."""

    id: str
    item_id: str
    model: str
    number: int
    state: AttemptState
    kind: str
    http_status: int | None
    message: str
    is_resend: bool
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    sent_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCard:
    """Everything that made a run: `hashes` (what → SHA-256: samples, prompts, source, settings), and the ledger's
    totals; `requests` left, `unsent` attempts never did. `repeated`: rows that asked the same as another one, of every
    task and variant; they count once together. `uncertain` and `resends` list attempts; a provider may have answered,
    and charged, twice. `open_cells`: of a run of numbered samples at rest, (cells with something left to ask, the least
    and the most items of a model that have ended in one of them); None of any other. `implausible`: attempts whose
    reported usage cannot be true, of which the first few are listed in `implausible_usage`."""

    run: RunLine
    settings: Mapping[str, Any]
    hashes: Mapping[str, str]
    prompts: tuple[PromptView, ...]
    models: tuple[ModelInRun, ...]
    parameters: Mapping[str, Any]
    deviations: tuple[DeviationLine, ...]
    excluded: tuple[tuple[str, str], ...]
    repeated: int
    notices: tuple[str, ...]
    budget: BudgetSettings
    resends: tuple[AttemptLine, ...]
    uncertain: tuple[AttemptLine, ...]
    requests: int
    tokens_in: int
    tokens_out: int
    cost_usd: float | None
    acts: tuple[tuple[datetime, str], ...]
    unsent: int = 0
    open_cells: tuple[int, int, int] | None = None
    implausible: int = 0
    implausible_usage: tuple[AttemptLine, ...] = ()
    unknown_reasons: tuple[tuple[str, str, int], ...] = ()
    """(model, flag, items) of replies whose finish reason is not in our table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureLine:
    """One sample asked of one model; `face`: how its protocol shows it. `answer`: the true label, None where what is
    true is no label. `is_right` is None where nothing was said that is scored: cut off, declined, failed, left out, or
    not asked yet. `score`: 0 to 1, of an answer that can be right in part; `score_words`: what it is called."""

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
    answer: str | None
    predicted: str | None
    is_right: bool | None
    face: Face
    score: float | None = None
    score_words: str = SCORE


@dataclass(frozen=True, slots=True)
class FailurePage:
    """`total` items match; `by_status` counts these; `lines` are those of this page. `right_of`, where the hardest
    stand first: sample → (right answers, scored answers) of its run. `unwritten`: items of these runs and models that
    are still to be written, and may match then. `withholds`: some items are hidden while the viewer labels them blind,
    whether or not they match."""

    total: int
    by_status: Mapping[ItemStatus, int]
    lines: tuple[FailureLine, ...]
    right_of: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    unwritten: int = 0
    withholds: bool = False


@dataclass(frozen=True, slots=True)
class LabelChoice:
    """A label of samples that lists can be filtered by: its name in links, its words, and the values in use."""

    name: str
    words: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureChoices:
    """What the filters can be set to, from the runs in use. `searched`: by run, what a search looks into, in words.
    `unjudged`: ids of the runs whose answers are never right or wrong, and `graded`: of these, the runs whose answers
    have scores.
    """

    runs: tuple[tuple[str, str], ...]
    models: tuple[str, ...]
    tasks: tuple[str, ...]
    variants: tuple[str, ...]
    expected: tuple[str, ...]
    predicted: tuple[str, ...]
    labels: tuple[LabelChoice, ...]
    years: tuple[int, int] | None
    searched: Mapping[str, str]
    unjudged: frozenset[str]
    graded: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedLine:
    """The same sample (by its content) on both sides."""

    key: str
    task: str
    variant: str
    answer: str | None
    face: Face
    first: FailureLine
    second: FailureLine


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPage:
    """`cells`: (first is right, second is right) → samples to which both sides gave an answer that is right or wrong;
    `higher_first`, `equal`, `higher_second`: others by their scores, where both sides have one; `unanswered`: samples
    for which a side has neither. All of these add up to `shared`. `different`: samples of the cells with different
    answers, not both right. `only_first`, `only_second`: samples that one side was never asked. `total` of the shared
    ones match; `lines` are those of this page."""

    cells: Mapping[tuple[bool, bool], int]
    higher_first: int
    equal: int
    higher_second: int
    unanswered: int
    different: int
    shared: int
    only_first: int
    only_second: int
    total: int
    lines: tuple[ComparedLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """One request of an item that has several. `purpose`: the protocol's word for it; `model`: the card that was asked;
    `messages`: (role, text) of those that the round before did not have; `fault`: what was wrong with the reply."""

    number: int
    purpose: str
    model: str
    status: ItemStatus
    fault: str
    request_hash: str
    messages: tuple[tuple[str, str], ...]
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
    """A reply that could not be read and was replaced, since its item was asked again."""

    text: str
    raw: str
    finish_reason: str
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    received_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemSheet:
    """One sample asked of one model, whole. `raw` is the body as it came, `text` the answer in it, `repaired` only
    where the answer had to be mended; `rung` of the reading ladder; `flags`: what to know of an answer that counts.
    `rounds`: every request in order, none where there is one only; the reply shown as the answer is then the last.
    `others`: the same sample asked of other models, other times, in other runs. `cost_usd` is the reply's;
    `usage_fault`: why the usage reported with it cannot be true, so that its tokens and cost are not known.
    `is_baseline`: it was answered here, without a request. `is_graph`: what is true is a graph. `shown`: the facts that
    stand beside the answer, heading → value (JSON)."""

    line: FailureLine
    protocol: str
    messages: tuple[tuple[str, str], ...]
    prompt: str
    prompt_hash: str
    sample_hash: str
    request_hash: str
    parameters: Mapping[str, Any]
    facts: Mapping[str, Any]
    shown: Mapping[str, Any]
    raw: str
    text: str
    reasoning: str
    refusal: str
    finish_reason: str
    rung: str
    repaired: str | None
    parsed: Any
    probabilities: Mapping[str, float] | None
    tokens_in: int | None
    tokens_out: int | None
    tokens_cached: int | None
    tokens_reasoning: int | None
    cost_usd: float | None
    latency_s: float | None
    was_cached: bool
    provider_model: str
    provider_id: str
    received_at: datetime | None
    attempts: tuple[AttemptLine, ...]
    others: tuple[FailureLine, ...]
    usage_fault: str = ""
    is_baseline: bool = False
    flags: tuple[str, ...] = ()
    rounds: tuple[RoundView, ...] = ()
    earlier: tuple[EarlierReply, ...] = ()
    """The replies before, the oldest first, of an item that was asked again."""
    is_graph: bool = False
