"""Validation of a run's settings, and their deviations from the protocol."""

from __future__ import annotations

from core.errors import BadInput
from core.runs.options import Settings, embedder_of
from core.words import quoted
from protocols.econcausal_pipeline.imported_steps import GIVES, given_steps
from protocols.econcausal_pipeline.making import critics_of_rule
from protocols.econcausal_pipeline.step_lines import clash, given_files
from protocols.econcausal_pipeline.tasks import (
    CRITICS,
    DEFAULTS,
    OF_CRITICS,
    OPTIONS,
    TASKS,
    TITLE,
    chosen,
)
from protocols.protocol import Deviation, deviations_from

_NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}


def check_settings(settings: Settings) -> None:
    """Raise BadInput for some of the tasks only, repeats, an unreachable threshold, too few critics, and conflicting
    files."""
    known = [task.name for task in TASKS]
    for name in settings.get("tasks") or ():
        if name not in known:
            raise BadInput(f"{TITLE} has no task {quoted(name)}; choose from {', '.join(known)}.")
    if settings.get("tasks") and set(settings["tasks"]) != set(known):
        raise BadInput(f"{TITLE}: its tasks go together. Choose all of them: {', '.join(known)}.")
    if (settings.get("repeats") or 1) > 1:
        raise BadInput(
            f"Repeats: found {settings['repeats']}; expected 1. How often a paper is extracted is its own option: "
            f"{chosen(settings, 'consensus_runs')}."
        )
    runs, threshold = int(chosen(settings, "consensus_runs")), int(chosen(settings, "consensus_threshold"))
    if threshold > runs:
        raise BadInput(f"A triplet cannot be required in {threshold} of {runs} runs.")
    if why := clash(given_files(settings)):
        raise BadInput(why)
    roles = settings.get("roles") or {}
    critics, needed = len(roles.get(OF_CRITICS) or ()), critics_of_rule(settings)
    if roles and CRITICS not in given_steps(settings) and 0 < critics < needed:
        raise BadInput(
            f"The rule is of {_word(needed)} critics; with {_word(critics)}, no triplet is decided. "
            f"Choose {_word(needed)}, or set the rule."
        )


def _word(number: int) -> str:
    return _NUMBERS.get(number, str(number))


def deviations_of(settings: Settings) -> tuple[Deviation, ...]:
    names = [option.name for option in OPTIONS]
    used = {name: settings.get(name) for name in names if name in DEFAULTS}
    embedder = embedder_of(settings)
    used["embedder"] = DEFAULTS["embedder"] if embedder.endswith(f"/{DEFAULTS['embedder']}") else embedder
    used["rule_critics"] = critics_of_rule(settings)
    pages = settings.get("most_pages")
    first = (Deviation("pages sent", "all", f"the first {pages}"),) if pages else ()
    imported = (
        Deviation(f"step {name}", "done by the run", f"from a file of {file.value}")
        for file in given_files(settings)
        for name in GIVES[file]
    )
    return (*deviations_from(DEFAULTS, used), *first, *imported)
