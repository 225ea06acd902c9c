"""Steps of a run: named stages that take from sources and from each other, and when a group of one may begin."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.words import quoted

ONE_STEP = "ask"
"""The name of the step of a run that has only one: every item of it asks a model."""
EMBED_TASK = "embed"
"""The task of samples that no protocol makes: a batch of texts of a step that embeds. They have no variant."""


class StepKind(StrEnum):
    """What gives a step its values. ASK: a model, one request or several for each item. MAKE: a pure function. EMBED:
    an embedder, texts to vectors. DECIDE: people."""

    ASK = "ask"
    MAKE = "make"
    EMBED = "embed"
    DECIDE = "decide"


class Span(StrEnum):
    """What a step takes together, which is one group of it. EACH: one value of what it takes. GROUP: all values of one
    key, such as a paper or a cell. ALL: those of the whole run, whose key is empty."""

    EACH = "each"
    GROUP = "group"
    ALL = "all"


class GroupState(StrEnum):
    """How far one group of a step is. WAITING: for what it takes. OPEN: it has all it takes, and items of it are
    pending or its values not made yet. DONE: its values are there, be they none. BLOCKED: it cannot go on, for a reason
    that stands beside it, such as an input that failed. DECIDING: for people."""

    WAITING = "waiting"
    OPEN = "open"
    DONE = "done"
    BLOCKED = "blocked"
    DECIDING = "deciding"


GROUP_STATES = tuple(state.value for state in GroupState)
"""Their words, as the table checks them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usual:
    """What a step that asks usually sends, for a dry run of its protocol's first run. `groups`: for each key of the
    sources; `requests`: of a group, for each card and repeat; `further`: rounds of an item after the first;
    `tokens_in`, `tokens_out`: of a request."""

    requests: float = 1.0
    tokens_in: int
    tokens_out: int
    groups: float = 1.0
    further: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A named stage of a protocol.

    `takes`: names of steps and sources, in the order in which their values are given to it. `role`: which of the run's
    cards are asked, empty for each item's own. `rounds`: the most requests within one item; only ASK has more than one.
    `version` changes whenever a value could; `usual`: None where the protocol cannot say. `repeats`: how often each
    card is asked, also a baseline, whatever the run repeats; None: as the run does.

    `beside`: of a step over EACH, those of the steps it takes whose groups it follows one by one: each group takes the
    group of its own key there, and is laid out when that one is done, without waiting for others of its paper. The
    first of them is the first that it takes. `asks_of`: of DECIDE over EACH, the flags of values on which people are to
    decide; one without any of them goes on as it is. Empty: all are decided.

    Raises ValueError for an empty name, for rounds that no step has, and for `beside` and `asks_of` of another step.
    """

    name: str
    title: str
    kind: StepKind
    takes: tuple[str, ...] = ()
    span: Span = Span.EACH
    role: str = ""
    rounds: int = 1
    version: str = "1"
    usual: Usual | None = None
    repeats: int | None = None
    beside: tuple[str, ...] = ()
    asks_of: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError(f"A step needs a name; the one titled {quoted(self.title)} has none.")
        if self.rounds < 1 or (self.rounds > 1 and self.kind is not StepKind.ASK):
            raise ValueError(
                f"Step {quoted(self.name)} has {self.rounds} rounds; expected 1, or more for a step that asks."
            )
        if self.beside and (self.span is not Span.EACH or self.beside[0] != self.takes[0] or self._strange):
            raise ValueError(
                f"Step {quoted(self.name)} goes beside {', '.join(self.beside)}; expected steps that it takes, each "
                "over EACH as itself, and the first of them first."
            )
        if self.asks_of and (self.kind is not StepKind.DECIDE or self.span is not Span.EACH):
            raise ValueError(f"Step {quoted(self.name)} asks people of some values; only DECIDE over EACH does.")

    @property
    def _strange(self) -> bool:
        return not set(self.beside) <= set(self.takes)


def in_order(steps: Sequence[Step], sources: Collection[str] = ()) -> tuple[Step, ...]:
    """The steps, each after all that it takes; where that leaves a choice, in the order given.

    `sources`: names that steps may take besides each other's. Raises ValueError for a name that stands twice, one that
    is neither a step nor a source, and a cycle, each by name.

    >>> ask = Step(name="ask", title="Answers", kind=StepKind.ASK, takes=("near", "triplets"))
    >>> near = Step(name="near", title="Neighbours", kind=StepKind.EMBED, takes=("triplets",))
    >>> [step.name for step in in_order([ask, near], sources=["triplets"])]
    ['near', 'ask']
    """
    places = _places(steps, sources)
    for step in steps:
        for name in step.beside:
            if name not in places or steps[places[name]].span is not Span.EACH:
                raise ValueError(f"Step {quoted(step.name)} goes beside {quoted(name)}, which is no step over EACH.")
    left = {step.name: len({name for name in step.takes if name in places}) for step in steps}
    takers: dict[str, list[str]] = {step.name: [] for step in steps}
    for step in steps:
        for name in dict.fromkeys(step.takes):
            if name in places:
                takers[name].append(step.name)
    free = [places[name] for name, many in left.items() if not many]
    heapq.heapify(free)
    ordered = []
    while free:
        step = steps[heapq.heappop(free)]
        ordered.append(step)
        for name in takers[step.name]:
            left[name] -= 1
            if not left[name]:
                heapq.heappush(free, places[name])
    if len(ordered) < len(steps):
        raise ValueError(f"Steps take each other's values in a circle: {' → '.join(_cycle(steps, left))}.")
    return tuple(ordered)


def may_begin(step: Step, states: Mapping[str, Collection[GroupState]]) -> bool:
    """Whether a group of this step can begin: everything that it takes is there.

    `states`: by the name of each step and source that it takes, the states of the groups whose values it would take:
    for a step over ALL every group of the run. A source has no groups. Nor has a step that is done and made none; one
    that is not there has not been laid out yet, and is waited for.

    >>> ask = Step(name="ask", title="Answers", kind=StepKind.ASK, takes=("near", "triplets"))
    >>> may_begin(ask, {"near": [GroupState.DONE], "triplets": ()})
    True
    >>> may_begin(ask, {"near": [GroupState.DONE, GroupState.BLOCKED], "triplets": ()})
    False
    """
    return all(
        name in states and all(state is GroupState.DONE for state in states[name]) for name in dict.fromkeys(step.takes)
    )


def _places(steps: Sequence[Step], sources: Collection[str]) -> dict[str, int]:
    places: dict[str, int] = {}
    for place, step in enumerate(steps):
        if step.name in places or step.name in sources:
            other = "a source" if step.name in sources else "two steps"
            raise ValueError(f"The name {quoted(step.name)} is that of {other}; each step needs a name of its own.")
        places[step.name] = place
    known = (*places, *sources)
    for step in steps:
        for name in step.takes:
            if name not in known:
                raise ValueError(f"Step {quoted(step.name)} takes {quoted(name)}, which is none of {', '.join(known)}.")
    return places


def _cycle(steps: Sequence[Step], left: Mapping[str, int]) -> list[str]:
    """Steps that each take the next, from one of them back to it: among those left over, each takes another such."""
    takes = {step.name: [name for name in step.takes if left.get(name)] for step in steps}
    way = [next(name for name, many in left.items() if many)]
    while (following := takes[way[-1]][0]) not in way:
        way.append(following)
    return [*way[way.index(following) :], following]
