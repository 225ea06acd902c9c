"""Steps of a run: named stages that take values of sources and of each other, and when a group of one may start."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.words import quoted

ONE_STEP = "ask"  # the name of the only step of a run: every item of it asks a model
EMBED_TASK = "embed"  # of samples that no protocol creates: batches of texts of a step that embeds; without variant


class StepKind(StrEnum):
    """Producer of a step's values."""

    ASK = "ask"  # a model, with one request or several for each item
    MAKE = "make"  # a pure function
    EMBED = "embed"  # an embedder, texts to vectors
    DECIDE = "decide"  # people


class Span(StrEnum):
    EACH = "each"  # one value of the input
    GROUP = "group"  # all values of one key, such as a paper or a cell
    ALL = "all"  # the values of the whole run, whose key is empty


class GroupState(StrEnum):
    WAITING = "waiting"  # for its inputs
    OPEN = "open"  # inputs are there; items are pending or values not computed yet
    DONE = "done"  # values are stored; there may be none
    BLOCKED = "blocked"  # it cannot continue, for a stored reason such as a failed input
    DECIDING = "deciding"  # for people


GROUP_STATES = tuple(state.value for state in GroupState)  # as the table checks them


@dataclass(frozen=True, slots=True, kw_only=True)
class TypicalRequests:
    """Typical requests of a step, for a dry run of its protocol's first run."""

    requests: float = 1.0  # per group, card and repeat
    tokens_in: int  # per request, like tokens_out
    tokens_out: int
    groups: float = 1.0  # per key of the sources
    further: float = 0.0  # rounds of an item after the first


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A named stage of a protocol. Raises ValueError for an empty name, for impossible rounds, and for `beside` and
    `asks_of` of a step that cannot have them."""

    name: str
    title: str
    kind: StepKind
    takes: tuple[str, ...] = ()  # names of steps and sources, in the order in which it receives their values
    span: Span = Span.EACH
    role: str = ""  # which of the run's cards are asked; empty for each item's own
    rounds: int = 1  # maximum number of requests within one item; more than one for ASK only
    version: str = "1"  # changes whenever a value could
    usual: TypicalRequests | None = None  # None where the protocol cannot say
    repeats: int | None = None  # how often each card is asked, also a baseline; None: as often as the run repeats
    # of a step over EACH: the steps among `takes`, the first one included, whose groups it follows one by one. Each
    # group takes the group of its own key there, and is created when that one is done, without waiting for its paper's
    # others.
    beside: tuple[str, ...] = ()
    # of DECIDE over EACH: flags of values that people decide on, others pass through; empty: all are decided
    asks_of: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError(f"A step needs a name; the one titled {quoted(self.title)} has none.")
        if self.rounds < 1 or (self.rounds > 1 and self.kind is not StepKind.ASK):
            raise ValueError(
                f"Step {quoted(self.name)} has {self.rounds} rounds; expected 1, or more for a step that asks."
            )
        is_foreign = not set(self.beside) <= set(self.takes)
        if self.beside and (self.span is not Span.EACH or self.beside[0] != self.takes[0] or is_foreign):
            raise ValueError(
                f"Step {quoted(self.name)} goes beside {', '.join(self.beside)}; expected steps that it takes, each "
                "over EACH as itself, and the first of them first."
            )
        if self.asks_of and (self.kind is not StepKind.DECIDE or self.span is not Span.EACH):
            raise ValueError(f"Step {quoted(self.name)} asks people of some values; only DECIDE over EACH does.")


def in_order(steps: Sequence[Step], sources: Collection[str] = ()) -> tuple[Step, ...]:
    """Return the steps, each after all that it takes; where that leaves a choice, in the order given.

    `sources`: names that steps may take in addition to each other's. Raises ValueError for a duplicate name, one that
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
    """Return True if a group of this step can start: all inputs are there.

    `states`: step or source → the states of the groups whose values the group would take; for a step over ALL every
    group of the run. An empty entry is a source, or a step that is done without values; a missing entry is a step whose
    groups are not created yet, and is waited for.

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
    """Return steps that each take the next, from one of them back to it: each remaining step takes another such."""
    takes = {step.name: [name for name in step.takes if left.get(name)] for step in steps}
    way = [next(name for name, many in left.items() if many)]
    while (following := takes[way[-1]][0]) not in way:
        way.append(following)
    return [*way[way.index(following) :], following]
