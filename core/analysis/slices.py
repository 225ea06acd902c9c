"""Tasks and variants that a table covers, the benchmark's own unless others are chosen, and their description."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from enum import StrEnum

from core.analysis.groupings import task_words
from core.analysis.items import ResultItem
from core.errors import BadInput
from core.runs.sample_flags import FLAG
from core.words import quoted, sentence_case

QUARTILES = "quartiles"
"""The groups of a slice `by` COLUMN:quartiles."""


class Failures(StrEnum):
    """Rule for refused, truncated and failed answers."""

    ZERO = "zero"
    LEFT_OUT = "left-out"


@dataclass(frozen=True, slots=True)
class Slice:
    """Names of tasks and of variants; items of any of these tasks in any of these variants. Empty: the table's own.
    `is_first`: items that were asked again count by their first replies, which could not be read. `by`: a fact that
    the columns are of, as `core.analysis.by` reads it. `failures`: None, the protocol's own rule. `is_same`: only
    samples that every model has an answer for, by `core.analysis.same_samples`. `is_unflagged`: only samples that
    nobody flagged as bad."""

    tasks: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    _: KW_ONLY
    is_first: bool = False
    by: str = ""
    failures: Failures | None = None
    is_same: bool = False
    is_unflagged: bool = False

    def holds(self, item: ResultItem) -> bool:
        is_in = item.task in self.tasks and item.variant in self.variants
        return is_in and not (self.is_unflagged and item.values(FLAG))

    def among(self, choices: SliceChoices) -> Slice:
        """The same with all names in the place of "all". Raises BadInput for a task or variant that no item has."""
        tasks = _among("task", self.tasks, choices.tasks)
        return replace(self, tasks=tasks, variants=_among("variant", self.variants, choices.variants))


@dataclass(frozen=True, slots=True)
class SliceChoices:
    """The tasks and variants that a table of some items can be of, in order, and its own, which it is of unless others
    are chosen. `variant_title`: what the variants are of; `asked_again`: how many of the items were asked again, so
    that it can be of their first replies; `is_uneven`: not every model has an answer for every sample;
    `has_flagged`: people flagged samples as bad."""

    tasks: tuple[str, ...]
    variants: tuple[str, ...]
    own: Slice
    _: KW_ONLY
    variant_title: str = "Variant"
    asked_again: int = 0
    is_uneven: bool = False
    has_flagged: bool = False


def _among(what: str, names: tuple[str, ...], known: tuple[str, ...]) -> tuple[str, ...]:
    if "all" in names:
        return known
    for name in names:
        if name not in known:
            listed = ", ".join(known) or "none"
            raise BadInput(f"This table has no {what} {quoted(name)} in these runs; choose from {listed}.")
    return names


def choices_of(
    items: Iterable[ResultItem], own_tasks: Sequence[str] | None, *, all_variants: bool = False
) -> SliceChoices:
    """The tasks and variants that occur, and the table's own among them.

    `own_tasks`: the benchmark's for this table, None for all; where none of them was asked, the first that was. Its
    variant is the protocol's first that these tasks were asked in, so that two of them never come in unasked; with
    `all_variants` all of them are its own.
    """
    pairs = {(item.task, (item.variant_place, item.variant)) for item in items}
    tasks = tuple(sorted({task for task, _ in pairs}))
    variants = tuple(_in_order(variant for _, variant in pairs))
    own = tasks if own_tasks is None else tuple(task for task in tasks if task in own_tasks) or tasks[:1]
    of_own = _in_order(variant for task, variant in pairs if task in own)
    return SliceChoices(tasks, variants, Slice(own, tuple(of_own if all_variants else of_own[:1])))


def words_of(items: Sequence[ResultItem], *, is_pooled: bool, pooled_runs: Sequence[str] = ()) -> str:
    """Name the items of a table: "Task 1, with context", "Tasks 1 and 2, with context". `is_pooled`: some number is of
    several tasks or variants; `pooled_runs`: the runs that are in one number together.

    >>> words_of([], is_pooled=False)
    'nothing'
    """
    pairs = {(item.task, item.variant) for item in items}
    if not pairs:
        return "nothing"
    titles = {item.variant: _in_list(item.variant_words) for item in items}
    by_tasks: dict[tuple[str, ...], list[str]] = {}  # variants of the same tasks are said together
    for variant in dict.fromkeys(_in_order((item.variant_place, item.variant) for item in items)):
        tasks = tuple(sorted(task for task, each in pairs if each == variant))
        by_tasks.setdefault(tasks, []).append(titles[variant] if variant else "")
    parts = ((_tasks(tasks), _listed([word for word in words if word])) for tasks, words in by_tasks.items())
    listed = "; ".join(", ".join(filter(None, each)) for each in parts)
    pooled = ", pooled" if is_pooled else ""
    runs = f"; {_listed(pooled_runs)}, pooled" if pooled_runs else ""
    return f"{listed}{pooled}{runs}"


def _in_order(variants: Iterable[tuple[int, str]]) -> list[str]:
    """Return the distinct names of (place, name) pairs, by place."""
    return [name for _, name in sorted(set(variants))]


def _tasks(names: Sequence[str]) -> str:
    """Numbered ones by their numbers, "Tasks 1 and 2", "Types 2 and 5"; others by their names, "generate"."""
    parts = [task_words(name).rpartition(" ") for name in names]
    words = {before for before, _, _ in parts}
    if len(words) > 1 or "" in words or not all(number.isdigit() for _, _, number in parts):
        return _listed([task_words(name) for name in names])
    return f"{sentence_case(words.pop())}{'' if len(names) == 1 else 's'} {_listed([number for _, _, number in parts])}"


def _in_list(title: str) -> str:
    """Without a comma, which would end it in a list: "unknown allowed (without context)"."""
    first, comma, rest = title.partition(", ")
    return f"{first} ({rest})" if comma else first


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
