"""What stands in the form that redoes a step of a run: as the run had it, as it was left, or as the draft says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from components import state
from core.people import Viewer
from core.runs.options import OptionKind
from pages.runs.draft_form import KeptForm
from pages.runs.parts import PAGE
from services.runs.steps.redo_choices import RedoChoices
from services.runs.steps.redoing import StepChanges
from services.runs.wanted import every_option

PARAMS = ("redo", "step", "key")
"""What the link says: the run, its step, and a group to begin with."""


def option_field(name: str) -> str:
    return f"option_{name}"


FORM = KeptForm(
    state.key(PAGE, "redo"),
    "run.redo",
    {"run": "", "step": "", "models": [], "model": "", "as_now": False, "prompts_folder": "", "groups": []},
    lambda: {option_field(option.name): option.unset for option in every_option()},
)
"""`as_now`: cards that were changed since are asked as they are now; `groups`: none of them for all; `model`: of a role
that takes one card."""


def begin(viewer: Viewer, choices: RedoChoices) -> None:
    """Fill the form: as it stood, as the draft says, or as the run had it where both are about another step."""
    FORM.begin(viewer)
    asked = state.read_param("key")
    held = FORM.values()
    if (held["run"], held["step"]) != (choices.run_id, choices.step):
        _fill(viewer, _values_of(choices) | {"groups": _groups(choices, asked)})
    elif asked:
        _fill(viewer, held | {"groups": _groups(choices, asked)})
    state.write_param("key", "")


def _fill(viewer: Viewer, values: Mapping[str, Any]) -> None:
    FORM.fill(viewer, values)
    FORM.begin(viewer)


def _values_of(choices: RedoChoices) -> dict[str, Any]:
    options = {option_field(name): value for name, value in choices.values.items()}
    cards = {"models": list(choices.cards), "model": next(iter(choices.cards), "")}
    return {"run": choices.run_id, "step": choices.step, **cards, **options}


def _groups(choices: RedoChoices, asked: str) -> list[str]:
    """The key that the group of the link is about; a numbered group of a key goes with all of that key."""
    key = asked if asked in choices.keys else asked.rpartition("#")[0]
    return [key] if key in choices.keys else []


def changes(choices: RedoChoices) -> StepChanges:
    """What is otherwise than the run had it."""
    found = FORM.values()
    models = cards(choices)
    is_same = set(models) == set(choices.cards) and not (found["as_now"] and choices.changed_cards)
    options = {}
    for option in choices.options:
        value = found[option_field(option.name)]
        value = int(value) if option.kind is OptionKind.WHOLE and value is not None else value
        if value != choices.values.get(option.name):
            options[option.name] = value
    return StepChanges(
        models=() if is_same else models,
        prompts_folder=(found["prompts_folder"] or "").strip(),
        options=options,
    )


def cards(choices: RedoChoices) -> tuple[str, ...]:
    """Whom the step is to ask."""
    found = FORM.values()
    if choices.most == 1:
        return (found["model"],) if found["model"] else ()
    return tuple(found["models"] or ())


def groups() -> tuple[str, ...] | None:
    """Keys that go through the redo alone; None for all."""
    return tuple(FORM.values()["groups"] or ()) or None
