"""Which tasks and variants a run asks."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import BadInput
from core.runs.options import Settings
from core.words import quoted
from protocols.protocol import Task


def pairs_of(title: str, tasks: Sequence[Task], settings: Settings) -> list[tuple[str, str]]:
    """Every wanted task with every wanted variant that it has. `title`: of the protocol whose `tasks` these are. Raises
    BadInput for an unknown task, or a variant that none of the wanted tasks has.

    >>> tasks = (Task("one", "One", ("plain", "short")), Task("two", "Two", ("plain",)))
    >>> pairs_of("A benchmark", tasks, {"tasks": ["one", "two"], "variants": ["short", "plain"]})
    [('one', 'short'), ('one', 'plain'), ('two', 'plain')]
    """
    known = {task.name: task for task in tasks}
    for name in settings["tasks"]:
        if name not in known:
            raise BadInput(f"{title} has no task {quoted(name)}; choose from {', '.join(known)}.")
    found = [
        (task, variant)
        for task in dict.fromkeys(settings["tasks"])
        for variant in dict.fromkeys(settings["variants"])
        if variant in known[task].variants
    ]
    for variant in settings["variants"]:
        if settings["tasks"] and all(variant != each for _task, each in found):
            raise BadInput(f"No chosen task has the variant {quoted(variant)}.")
    return found
