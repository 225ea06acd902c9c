"""Texts that ask most of a pattern, made of its own letters: what its loops read, again and again, then one amiss."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import NamedTuple

from tests.patterns.automaton import END, START, Program, compiled

MOST = 48
"""Texts of one pattern; of those with more, a sample that is the same on every run."""


class Recipe(NamedTuple):
    """A text of any length: how it begins, what is repeated, how it ends."""

    begun: str
    again: str
    end: str = ""

    def text(self, size: int) -> str:
        return self.begun + self.again * max(1, (size - len(self.begun)) // len(self.again)) + self.end


def recipes(pattern: str | bytes, flags: int) -> list[Recipe]:
    made = list(dict.fromkeys(_made(compiled(pattern, flags))))
    return made if len(made) <= MOST else random.Random(0).sample(made, MOST)


def _made(program: Program) -> Iterator[Recipe]:
    letters = program.classes
    for word in [*letters, *map("".join, islice(product(letters, repeat=2), 40))]:
        yield Recipe("", word)
    for state in program.states_in(0):
        begun, amiss = _way(program, [START], state), _amiss(program, state)
        for again in _rounds(program, state):
            for end in ("", *amiss):
                yield Recipe(begun, again, end)
                yield Recipe("", begun + again + end)


def _rounds(program: Program, state: int) -> list[str]:
    """Shortest ways from a state back to it, one for each letter that such a way may begin with."""
    ways = (_way(program, [state], state, first) for first in range(len(program.classes)))
    return [way for way in ways if way]


def _amiss(program: Program, state: int) -> list[str]:
    """Two letters at most that lead nowhere from a state, or out of its loop."""
    before = next(iter(program.accepted[state]))
    leading = [
        any(step.target != END for step in program.steps(state, 0, before, kind))
        for kind in range(len(program.classes))
    ]
    return [letter for letter, leads in zip(program.classes, leading, strict=True) if not leads][:2]


def _way(program: Program, starts: Iterable[int], goal: int, first: int | None = None) -> str:
    """A shortest text from a state to another, of at least one letter; "" if there is none."""
    kinds = range(len(program.classes))
    waiting = [(state, END if state == START else next(iter(program.accepted[state])), "") for state in starts]
    seen: set[tuple[int, int]] = set()
    for state, before, text in waiting:
        for kind in kinds if text or first is None else [first]:
            for step in program.steps(state, 0, before, kind):
                if step.target == goal:
                    return text + program.classes[kind]
                if step.target != END and (step.target, kind) not in seen:
                    seen.add((step.target, kind))
                    waiting.append((step.target, kind, text + program.classes[kind]))
    return ""
