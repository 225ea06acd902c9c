"""Whether a regular expression takes more than linear time on some text, proven on its automaton, with such a text.

A backtracking matcher is slow where one text can be read in many ways and none of them leads to a match:

- nested: a round of a loop can be read in two ways (`(a*)*b`, `(a|a)*b`): the ways double with each round.
- overlapping: what one loop reads a later one can read as well (`\\s*\\n\\s*x`): as many ways as places to change over.
- begun again: a search that failed begins anew inside what it had read (`a*b`, `a*+b`): every beginning reads it again.

The first two count also within a part that is matched once and kept (atomic groups, possessive repeats, looks). The
third counts for patterns that are used with `search`, `finditer`, `findall`, `sub`, `split`, or with `match` from
place to place. It is no fault where the match ends as far as the reading went, or where nothing can make it fail.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Literal, NamedTuple, TypeVar

from tests.patterns.automaton import END, START, Program, Step, compiled

Kind = Literal["nested", "overlapping", "begun again"]
Use = Literal["match", "fullmatch", "search"]
N = TypeVar("N", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Weakness:
    """How a pattern can be made slow: on `before`, then `again` any number of times, then `after`."""

    kind: Kind
    before: str
    again: str
    after: str

    def text(self, length: int) -> str:
        return self.before + self.again * (length // len(self.again)) + self.after

    def __str__(self) -> str:
        return f"{self.kind}: {self.before!r} + {self.again!r} * n + {self.after!r}"


class Thread(NamedTuple):
    """A place where the matcher may go on, in order of preference. `is_certain`: it does if the others fail."""

    state: int
    is_certain: bool


Threads = tuple[Thread, ...]


@cache
def weaknesses(pattern: str | bytes, flags: int = 0, use: Use = "search") -> tuple[Weakness, ...]:
    """Every kind of slowness a pattern has, with an example of each. Raises automaton.Unreadable for a pattern that
    cannot be followed."""
    found: list[Weakness] = []
    program = compiled(pattern, flags)
    for region in range(len(program.regions)):
        found += _Region(program, region, use).ambiguities()
    is_counted = ("{" if isinstance(pattern, str) else b"{") in pattern  # type: ignore[operator]
    if is_counted and not any(weakness.kind == "nested" for weakness in found):
        strict = compiled(pattern, flags, is_strict=True)
        for region in range(len(strict.regions)):
            found += _Region(strict, region, use).nested()
    if use == "search":
        found += _Region(program, 0, use).begun_again()
    return tuple(found)


class _Region:
    """One part that is matched as a whole: the pattern itself, an atomic group, a look."""

    def __init__(self, program: Program, region: int, use: Use) -> None:
        self.program, self.region = program, region
        self.ends_anywhere = region > 0 or use != "fullmatch"
        self.states = program.states_in(region)
        self.kinds = range(len(program.classes))
        self.can_fail = cache(self._can_fail)
        self.steps = cache(self._steps)
        self.targets = cache(self._targets)
        self.loop_of = cache(self._loop_of)
        self.sets: list[Threads] = []
        self.numbers: dict[Threads, int] = {}
        self.moved = cache(self._moved)
        self.goes_to = {state: self._goes_to(state) for state in self.states}
        self.reached = {state: self._reached(state) for state in self.states}

    # steps

    def _steps(self, state: int, before: int, following: int) -> tuple[Step, ...]:
        """The ways on that stay in this region."""
        return tuple(
            step
            for step in self.program.steps(state, self.region, before, following)
            if step.target != END and self.program.is_in(self.program.ops[step.target].region, self.region)
        )

    def _targets(self, state: int, before: int, following: int) -> tuple[int, ...]:
        return tuple(dict.fromkeys(step.target for step in self.steps(state, before, following)))

    def read_before(self, state: int) -> Iterable[int]:
        return self.program.accepted[state] if state != START else (END, *self.kinds)

    def _goes_to(self, state: int) -> set[int]:
        return {
            target
            for before in self.read_before(state)
            for following in self.kinds
            for target in self.targets(state, before, following)
        }

    def _reached(self, state: int) -> set[int]:
        """Every state some text leads to, from after one character on."""
        found: set[int] = set()
        left = [state]
        while left:
            new = self.goes_to[left.pop()] - found
            found |= new
            left += new
        return found

    def _loop_of(self, state: int) -> set[int]:
        return {other for other in self.reached[state] if state in self.reached[other]}

    def forks(self, state: int, before: int, following: int) -> Iterator[tuple[int, int]]:
        """Two ways that part at a choice of this region, so that failing on one the matcher tries the other."""
        steps = self.steps(state, before, following)
        for place, one in enumerate(steps):
            for other in steps[place + 1 :]:
                parting = next(
                    (mine[0] for mine, theirs in zip(one.choices, other.choices, strict=False) if mine != theirs), None
                )
                if parting is not None and self.program.ops[parting].region == self.region:
                    yield one.target, other.target
                    yield other.target, one.target

    # threads in order of preference

    def advance(self, threads: Threads, before: int, following: int) -> tuple[Threads, bool]:
        """The threads after one more character, and whether a match could end before it (what is less preferred
        than that match is given up)."""
        found: dict[Thread, None] = {}
        for state, was_certain in threads:
            for step in self.program.steps(state, self.region, before, following):
                is_certain = was_certain and step.is_certain
                if step.target != END:
                    if Thread(step.target, True) not in found:
                        found[Thread(step.target, is_certain)] = None
                elif is_certain and (self.ends_anywhere or following == END):
                    return tuple(found), True
        return tuple(found), False

    def number_of(self, threads: Threads) -> int:
        """A number for these threads, by which what follows from them is found again without comparing them all."""
        if threads not in self.numbers:
            self.numbers[threads] = len(self.sets)
            self.sets.append(threads)
        return self.numbers[threads]

    def _moved(self, number: int, before: int, following: int) -> tuple[int, frozenset[int]]:
        """The number of the threads after one more character, and their states; none where a match could end."""
        new, has_matched = self.advance(self.sets[number], before, following)
        return self.number_of(new), frozenset[int]() if has_matched else frozenset(thread.state for thread in new)

    def _can_fail(self, threads: Threads, before: int) -> str | None:
        """A text after which these threads have not matched; None if there is none."""

        def onward(node: tuple[Threads, int]) -> Iterator[tuple[int, tuple[Threads, int]]]:
            for following in self.kinds:
                new, has_matched = self.advance(node[0], node[1], following)
                if not has_matched:
                    yield following, (new, following)

        def fails(node: tuple[Threads, int]) -> bool:
            return not self.advance(node[0], node[1], END)[1]

        return self.words(_path((threads, before), onward, fails))

    def words(self, path: list[int] | None) -> str | None:
        return None if path is None else "".join(self.program.classes[kind] for kind in path)

    def way_to(self, state: int, before: int) -> str:
        """A shortest text from the beginning of the region to a state."""

        def onward(node: tuple[int, int]) -> Iterator[tuple[int, tuple[int, int]]]:
            for following in self.kinds:
                for target in self.targets(*node, following):
                    yield following, (target, following)

        for first in (END, *self.kinds):
            if (found := self.words(_path((START, first), onward, lambda node: node == (state, before)))) is not None:
                return (self.program.classes[first] if first != END else "") + found
        return ""

    # nested and overlapping loops

    def ambiguities(self) -> list[Weakness]:
        return self.nested() or self.overlapping()

    def nested(self) -> list[Weakness]:
        """A state that can be come back to by two ways of reading the same text."""
        for state in self.states:
            loop = self.loop_of(state)
            for before in self.program.accepted[state] if loop else ():
                after = self.can_fail((Thread(state, True),), before)
                again = self._two_ways_round(state, before, loop) if after is not None else None
                if again is not None and after is not None:
                    return [Weakness("nested", self.way_to(state, before), again, after)]
        return []

    def _two_ways_round(self, state: int, before: int, loop: set[int]) -> str | None:
        allowed = (loop, loop)
        for following in self.kinds:
            for pair in set(self.forks(state, before, following)):
                if loop.issuperset(pair):
                    again = self._joint_way((*pair, following), allowed, (state, state, before))
                    if again is not None:
                        return self.program.classes[following] + again
        return None

    def overlapping(self) -> list[Weakness]:
        """Two loops of which the later reads a text that keeps the earlier where it was, and leads from it to it."""
        loops = {state: self.loop_of(state) for state in self.states}
        for first in self.states:
            later = [state for state in self.reached[first] if loops[state] and state not in loops[first]]
            for second in later if loops[first] else ():
                for before in self.program.accepted[first] & self.program.accepted[second]:
                    after = self.can_fail((Thread(second, True),), before)
                    again = self._handed_over(first, second, before, loops) if after is not None else None
                    if again is not None and after is not None:
                        return [Weakness("overlapping", self.way_to(first, before), again, after)]
        return []

    def _handed_over(self, first: int, second: int, before: int, loops: dict[int, set[int]]) -> str | None:
        crossing = {state for state in self.states if state == second or second in self.reached[state]}
        allowed = (loops[first], crossing, loops[second])
        for following in self.kinds:
            for (one, two), three in product(
                set(self.forks(first, before, following)), self.targets(second, before, following)
            ):
                if one in loops[first] and two in crossing and three in loops[second]:
                    again = self._joint_way((one, two, three, following), allowed, (first, second, second, before))
                    if again is not None:
                        return self.program.classes[following] + again
        return None

    def _joint_way(self, start: tuple[int, ...], allowed: tuple[set[int], ...], goal: tuple[int, ...]) -> str | None:
        """A text that leads several states at once to others, each through states that it may be in; the last
        number of `start` and `goal` is the character before."""

        def onward(node: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
            *states, last = node
            for following in self.kinds:
                each = [
                    [target for target in self.targets(state, last, following) if target in may]
                    for state, may in zip(states, allowed, strict=True)
                ]
                for targets in product(*each):
                    yield following, (*targets, following)

        return self.words(_path(start, onward, lambda node: node == goal))

    # searching

    def begun_again(self) -> list[Weakness]:
        """A loop whose text, read once more, leads a later beginning into the same loop, while no match ends."""
        for threads, before in self._every_thread_set():
            for state in dict.fromkeys(thread.state for thread in threads):
                if state == START or not (loop := self.loop_of(state)):
                    continue
                again = self._read_twice(threads, before, state, loop)
                after = self.can_fail(threads, before) if again is not None else None
                if again is not None and after is not None:
                    return [Weakness("begun again", self.way_to(state, before), again, after)]
        return []

    def _every_thread_set(self) -> Iterator[tuple[Threads, int]]:
        start: Threads = (Thread(START, True),)
        seen = {(start, before) for before in (END, *self.kinds)}
        left = deque(seen)
        while left:
            threads, before = left.popleft()
            for following in self.kinds:
                node = self.advance(threads, before, following)[0], following
                if node[0] and node not in seen:
                    seen.add(node)
                    left.append(node)
                    yield node

    def _read_twice(self, threads: Threads, before: int, state: int, loop: set[int]) -> str | None:
        def onward(node: tuple[int, int, int, int]) -> Iterator[tuple[int, tuple[int, int, int, int]]]:
            begun, reading, now, last = node
            for following in self.kinds:
                both = self.targets(reading, last, following), self.targets(begun, last, following)
                if all(both):
                    new, alive = self.moved(now, last, following)
                    for mine, theirs in product(*both):
                        if mine in loop and mine in alive:
                            yield following, (theirs, mine, new, following)

        begun_with = self.number_of(threads)
        goal = (state, state, begun_with, before)
        return self.words(_path((START, state, begun_with, before), onward, lambda node: node == goal))


def _path(start: N, onward: Callable[[N], Iterator[tuple[int, N]]], is_goal: Callable[[N], bool]) -> list[int] | None:
    """A shortest way to a goal as the characters read; [] if the start is one, None if there is no way."""
    came: dict[N, tuple[N, int] | None] = {start: None}
    left = deque([start])
    while left:
        node = left.popleft()
        if is_goal(node):
            path: list[int] = []
            while (step := came[node]) is not None:
                node, kind = step
                path.append(kind)
            return path[::-1]
        for kind, new in onward(node):
            if new not in came:
                came[new] = (node, kind)
                left.append(new)
    return None
