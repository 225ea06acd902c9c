"""Dependencies between the groups of a run's steps: which can be created, and which may start.

Values have keys, such as that of a paper; a group over the whole run has the empty key. A group with a key produces
values of its own key, so that each paper goes through the steps without waiting for the others. A group over the whole
run produces values of any key. A value of the empty key is an input of every group, in addition to those of its own
key."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from core.steps import GroupState, Span, Step, may_begin

WHOLE = ""  # the key of what belongs to the whole run
_NUMBERED = re.compile(r"#[0-9]+\Z")


@dataclass(frozen=True, slots=True)
class Group:
    id: str
    step: str
    key: str
    state: GroupState


# Group ids → the keys of the values that they produce, or would produce, in order.
SlotKeys = Callable[[Collection[str]], Mapping[str, Sequence[str]]]


def numbered(key: str, number: int) -> str:
    """Return the key of the group that takes the `number`-th value (from 1) of a key.

    >>> [numbered("w3593", 1), numbered("w3593", 2), numbered("a#2", 1)]
    ['w3593', 'w3593#2', 'a#2#1']
    """
    return key if number == 1 and not _NUMBERED.search(key) else f"{key}#{number}"


def parted(key: str, span: Span) -> tuple[str, int]:
    """Return the key of a group's values, and the number, from 1, of the value that it takes; 1 if it takes all.

    >>> parted("w3593#2", Span.EACH)
    ('w3593', 2)
    >>> parted("w3593#2", Span.GROUP)
    ('w3593#2', 1)
    """
    if span is not Span.EACH or not _NUMBERED.search(key):
        return key, 1
    plain, _, number = key.rpartition("#")
    return plain, int(number)


EVERY = slice(None)


def part_taken(step: Step, key: str, name: str) -> tuple[frozenset[str] | None, slice]:
    """Return the keys of a step or source whose values a group of this key takes (None: all), and the slice of them.

    A step over EACH takes one value of the first input that it names, and of the others as a GROUP does. Of a step that
    it is paired with, it takes all that the one group of its own key produces.

    >>> from core.steps import StepKind
    >>> ask = Step(name="ask", title="Answers", kind=StepKind.ASK, takes=("texts", "terms"))
    >>> [sorted(part_taken(ask, "w3593#2", name)[0]) for name in ask.takes], part_taken(ask, "w3593#2", "texts")[1]
    ([['w3593'], ['', 'w3593']], slice(1, 2, None))
    """
    about, number = parted(key, step.span)
    if step.span is Span.ALL:
        return None, EVERY
    if step.span is Span.EACH and name == step.takes[0] and name not in step.beside:
        return frozenset({about}), slice(number - 1, number)
    return frozenset({about, WHOLE}), EVERY


class Flow:
    """The groups of one run at one moment. `slot_keys` is called for groups that are done only."""

    def __init__(self, steps: Sequence[Step], groups: Collection[Group], slot_keys: SlotKeys) -> None:
        self._steps = {step.name: step for step in steps}
        self._slot_keys = slot_keys
        self._groups: dict[str, dict[str, list[Group]]] = defaultdict(lambda: defaultdict(list))
        for group in sorted(groups, key=self._order):
            self._groups[group.step][self._base(group)].append(group)
        self._given: dict[str, Counter[str]] = {}
        self._keys: dict[str, frozenset[str]] = {}
        self._settled: dict[tuple[str, str], bool] = {}

    def new_groups(self) -> list[tuple[str, str]]:
        """Return (step, key) of each missing group whose inputs are there, in order."""
        new_groups = []
        for step in self._steps.values():
            keys = [WHOLE] if step.span is Span.ALL else sorted(self._keys_of(step.name))
            is_new = bool(step.beside)  # some of its groups may exist while others follow
            missing = [key for key in keys if (is_new or not self._groups[step.name][key]) and self._is_due(step, key)]
            inputs = [name for name in step.takes if name not in step.beside]
            self._look_up({each.id for key in missing for name in inputs for each in self._about(name, key)})
            for key in missing:
                for name in self._names(step, key):
                    new_groups.append((step.name, name))
                    self._groups[step.name][key].append(Group("", step.name, name, GroupState.WAITING))
        return new_groups

    def may_begin(self, group: Group) -> bool:
        step = self._steps[group.step]
        about = parted(group.key, step.span)[0]
        if not step.beside:
            return self.is_ready(step, about)
        return self._is_due(step, about) and all(
            each.state is GroupState.DONE
            for name in step.beside
            for each in self._groups[name][about]
            if each.key == group.key
        )

    def _is_due(self, step: Step, key: str) -> bool:
        """Return True if groups of this step and key can be created: all inputs are there, except those of paired
        steps, each of which brings its own."""
        if not step.beside:
            return self.is_ready(step, key)
        others = [name for name in step.takes if name not in step.beside]
        return may_begin(
            replace(step, takes=tuple(others), beside=()),
            {name: [each.state for each in self._about(name, key)] for name in others if self._is_laid(name, key)},
        )

    def is_ready(self, step: Step, key: str) -> bool:
        if step.span is Span.ALL:
            return all(self._is_closed(name) for name in step.takes)
        return may_begin(
            step,
            {name: [each.state for each in self._about(name, key)] for name in step.takes if self._is_laid(name, key)},
        )

    def given_to(self, group: Group) -> dict[str, list[Group]]:
        """Return, by input, the groups whose values the group takes, in order; of groups over the whole run only values
        of its own key and of the empty one, unless it is itself over the whole run."""
        step = self._steps[group.step]
        if step.span is Span.ALL:
            return {
                name: sorted((each for some in self._groups[name].values() for each in some), key=self._order)
                for name in step.takes
            }
        about = parted(group.key, step.span)[0]
        return {
            name: [each for each in self._groups[name][about] if each.key == group.key]
            if name in step.beside
            else self._about(name, about)
            for name in step.takes
        }

    def takers(self, group: Group) -> list[Group]:
        base = self._base(group)
        return [
            each
            for step in self._steps.values()
            if group.step in step.takes
            for key, some in self._groups[step.name].items()
            if WHOLE in (base, key) or key == base
            for each in some
        ]

    # --- existing groups -----------------------------------------------------------------------------------------

    def _base(self, group: Group) -> str:
        step = self._steps.get(group.step)
        return group.key if step is None else parted(group.key, step.span)[0]

    def _order(self, group: Group) -> tuple[str, int]:
        step = self._steps.get(group.step)
        return (group.key, 1) if step is None else parted(group.key, step.span)

    def _about(self, name: str, key: str) -> list[Group]:
        """Return the groups of a step or source that may produce values of this key, or of the empty one."""
        of = self._groups[name]
        return [*of[key], *(of[WHOLE] if key != WHOLE else ())]

    def _keys_of(self, name: str) -> frozenset[str]:
        """Return the keys that values of a step or source have, as far as they are known."""
        if name not in self._keys:
            self._keys[name] = frozenset(self._found_keys(name))
        return self._keys[name]

    def _found_keys(self, name: str) -> Collection[str]:
        step = self._steps.get(name)
        if step is None:
            return [key for key, some in self._groups[name].items() if some]
        if step.span is Span.ALL:
            done = [each.id for each in self._groups[name][WHOLE] if each.state is GroupState.DONE]
            self._look_up(done)
            return {key for each in done for key in self._given[each]}
        if step.span is Span.EACH:
            return self._keys_of(step.takes[0]) if step.takes else [WHOLE]
        keys = {key for each in step.takes for key in self._keys_of(each)}
        return keys - {WHOLE} or {WHOLE}

    def _names(self, step: Step, key: str) -> list[str]:
        """Return the keys of a step's groups about one key, now that its inputs are there; empty without values."""
        if step.span is Span.ALL or not step.takes:
            return [key]
        if step.beside:
            existing = {each.key for each in self._groups[step.name][key]}
            before = self._groups[step.beside[0]][key]
            return [each.key for each in before if each.state is GroupState.DONE and each.key not in existing]
        if step.span is Span.EACH:
            return [numbered(key, number) for number in range(1, self._slots(step.takes[0], key) + 1)]
        return [key] if any(self._slots(name, key) for name in step.takes) else []

    def _slots(self, name: str, key: str) -> int:
        about = [each.id for each in self._about(name, key)]
        self._look_up(about)
        return sum(self._given[each][key] for each in about)

    def _look_up(self, ids: Collection[str]) -> None:
        if unknown := set(ids).difference(self._given):
            slot_keys = self._slot_keys(unknown)
            self._given |= {each: Counter(slot_keys.get(each, ())) for each in unknown}

    # --- progress ------------------------------------------------------------------------------------------------

    def _is_laid(self, name: str, key: str) -> bool:
        """Return True if no further group of a step or source about this key can appear."""
        step = self._steps.get(name)
        if step is None:
            return True
        if step.span is Span.ALL:
            return bool(self._groups[name][WHOLE])
        return all(self._is_settled(each, key) for each in step.takes)

    def _is_settled(self, name: str, key: str) -> bool:
        """Return True if all values of this key, and of the empty one, are there."""
        if (name, key) not in self._settled:
            about = self._about(name, key)
            self._settled[name, key] = self._is_laid(name, key) and all(each.state is GroupState.DONE for each in about)
        return self._settled[name, key]

    def _is_closed(self, name: str) -> bool:
        step = self._steps.get(name)
        if step is None:
            return True
        if step.span is Span.ALL:
            return self._is_settled(name, WHOLE)
        return all(map(self._is_closed, step.takes)) and all(
            self._is_settled(name, key) for key in {*self._keys_of(name), WHOLE}
        )
