"""Values of the form that redoes a step: from the run, the session, or a draft."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from components import state
from core.people import Viewer
from core.runs.options import OptionKind
from pages.runs.draft_form import DraftForm
from pages.runs.parts import PAGE
from services.runs.run_settings import every_option
from services.runs.steps.redo_choices import RedoChoices
from services.runs.steps.redoing import StepChanges

# Link parameters: the run, its step, and an initial group.
PARAMS = ("redo", "step", "key")


def option_field(name: str) -> str:
    return f"option_{name}"


# `as_now`: use changed cards in their current version; `groups`: empty for all; `model`: of a role with one card.
FORM = DraftForm(
    state.key(PAGE, "redo"),
    "run.redo",
    {"run": "", "step": "", "models": [], "model": "", "as_now": False, "prompts_folder": "", "groups": []},
    lambda: {option_field(option.name): option.unset for option in every_option()},
)


def begin(viewer: Viewer, choices: RedoChoices) -> None:
    """Initialise the form from session or draft, or from the run if these are about another step."""
    FORM.begin(viewer)
    linked_key = state.read_param("key")
    values = FORM.values()
    if (values["run"], values["step"]) != (choices.run_id, choices.step):
        card_values = {"models": list(choices.cards), "model": next(iter(choices.cards), "")}
        option_values = {option_field(name): value for name, value in choices.values.items()}
        keys = _groups(choices, linked_key)
        _fill(viewer, {"run": choices.run_id, "step": choices.step, **card_values, **option_values, "groups": keys})
    elif linked_key:
        _fill(viewer, values | {"groups": _groups(choices, linked_key)})
    state.write_param("key", "")


def _fill(viewer: Viewer, values: Mapping[str, Any]) -> None:
    FORM.fill(viewer, values)
    FORM.begin(viewer)


def _groups(choices: RedoChoices, linked_key: str) -> list[str]:
    """Return the key of the linked group; numbered groups of a key share it."""
    key = linked_key if linked_key in choices.keys else linked_key.rpartition("#")[0]
    return [key] if key in choices.keys else []


def changes(choices: RedoChoices) -> StepChanges:
    values = FORM.values()
    models = cards(choices)
    is_same = set(models) == set(choices.cards) and not (values["as_now"] and choices.changed_cards)
    options = {}
    for option in choices.options:
        value = values[option_field(option.name)]
        value = int(value) if option.kind is OptionKind.WHOLE and value is not None else value
        if value != choices.values.get(option.name):
            options[option.name] = value
    return StepChanges(
        models=() if is_same else models,
        prompts_folder=(values["prompts_folder"] or "").strip(),
        options=options,
    )


def cards(choices: RedoChoices) -> tuple[str, ...]:
    values = FORM.values()
    if choices.most == 1:
        return (values["model"],) if values["model"] else ()
    return tuple(values["models"] or ())


def groups() -> tuple[str, ...] | None:
    """Return the keys to redo; None for all."""
    return tuple(FORM.values()["groups"] or ()) or None
