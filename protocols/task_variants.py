"""Tasks and variants that a run uses."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import BadInput
from core.runs.options import Settings
from core.words import quoted
from protocols.protocol import Task


def pairs_of(title: str, tasks: Sequence[Task], settings: Settings) -> list[tuple[str, str]]:
    """Return every requested task with each requested variant that it has. Raises BadInput for an unknown task, or a
    variant that no requested task has. `title` is the protocol's.

    >>> tasks = (Task("one", "One", ("plain", "short")), Task("two", "Two", ("plain",)))
    >>> pairs_of("A benchmark", tasks, {"tasks": ["one", "two"], "variants": ["short", "plain"]})
    [('one', 'short'), ('one', 'plain'), ('two', 'plain')]
    """
    known = {task.name: task for task in tasks}
    for name in settings["tasks"]:
        if name not in known:
            raise BadInput(f"{title} has no task {quoted(name)}; choose from {', '.join(known)}.")
    pairs = [
        (task, variant)
        for task in dict.fromkeys(settings["tasks"])
        for variant in dict.fromkeys(settings["variants"])
        if variant in known[task].variants
    ]
    for variant in settings["variants"]:
        if settings["tasks"] and all(variant != each for _task, each in pairs):
            raise BadInput(f"No chosen task has the variant {quoted(variant)}.")
    return pairs
