"""Form of a new run and its configuration; initially empty, a draft, or a copy of another run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from components import state
from core.errors import BadInput
from core.people import Viewer
from core.runs.options import OptionKind, RunOption
from pages.runs.draft_form import DraftForm
from pages.runs.parts import PAGE
from services.runs import reading
from services.runs.run_settings import applying, every_option, every_role, find_protocol, given_only, options_of
from services.runs.settings import BudgetSettings, ProtocolOption, RunConfig, RunOptions, SampleSource


def role_field(name: str) -> str:
    return f"role_{name}"


# A list that is None was never chosen, so that a first choice may be set; a number that is None is not set. Baselines
# follow the tasks: `baselines_off` were deselected, `baselines_on` were added without a task that has them.
FORM = DraftForm(
    state.key(PAGE, "new"),
    "run.new",
    {
        "title": "",
        "protocol": "",
        "collections": None,
        "way": "imported",
        "tasks": None,
        "variants": None,
        "most_samples": None,
        "seed": 1,
        "models": [],
        "baselines": None,
        "baselines_off": None,
        "baselines_on": None,
        "repeats": 1,
        "temperature": None,
        "max_tokens": None,
        "reasoning_effort": "",
        "logprobs": False,
        "json_mode": False,
        "further": "",
        "prompts_folder": "",
        "usd": None,
        "tokens": None,
        "requests": None,
    },
    lambda: {option.name: option.unset for option in every_option()} | {role_field(name): [] for name in every_role()},
)
# Longest option value, in characters, in a link.
MOST_LINKED = 1_000
# Most alternatives of the first token that providers return; other options get no probability.
TOP_LOGPROBS = 20


def begin(viewer: Viewer) -> None:
    """Initialise the form from session or draft, or from the link.

    A link names a run (like=3), or the protocol and its options (protocol=…&figures=…).
    """
    like, linked = state.read_param("like"), find_protocol(state.read_param("protocol"))
    if linked is not None and not like:
        texts = [each.name for each in linked.options if each.kind in (OptionKind.TEXT, OptionKind.SEVERAL)]
        named = {name: state.read_param(name)[:MOST_LINKED] for name in texts}
        FORM.fill(viewer, {"protocol": linked.name, **named})
        for name in ("protocol", *named):
            state.write_param(name, "")
    if like:
        FORM.fill(viewer, _values_of(reading.card(viewer, like).settings.get("wanted", {})))
        state.write_param("like", "")
    FORM.begin(viewer)


def only(field: str, options: list[str], *, first: list[str]) -> None:
    """Limit a list to valid options; `first` is set if nothing was ever chosen."""
    key = FORM.key(field)
    selected = st.session_state.get(key)
    valid = first if selected is None else [each for each in selected if each in options]
    if valid != selected:
        st.session_state[key] = valid


def protocol(run_options: RunOptions) -> ProtocolOption:
    chosen = st.session_state.get(FORM.key("protocol"))
    return next((each for each in run_options.protocols if each.name == chosen), run_options.protocols[0])


def run_config() -> RunConfig:
    """Return the run's configuration. Raises BadInput if further parameters are no JSON object."""
    values = FORM.values()
    option_values = {option.name: _option(option, values[option.name]) for option in options()}
    # Other parameters come from the model card and the protocol.
    named: dict[str, Any] = {}
    for field in ("temperature", "max_tokens", "reasoning_effort"):
        if values[field] not in (None, ""):
            named[field] = values[field]
    if values["logprobs"]:
        named |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
    if values["json_mode"]:
        named["response_format"] = {"type": "json_object"}
    parameters = named | json_object(values["further"] or "", "Further parameters")
    return replace(_without_options(values), parameters=parameters, options=given_only(option_values))


def options() -> tuple[RunOption, ...]:
    """Return the options of the protocol that apply to the current choices, including other options."""
    values = FORM.values()
    plain = _without_options(values)
    chosen = {option.name: _option(option, values[option.name]) for option in options_of(plain.protocol)}
    usual = {option.name: option.default for option in options_of(plain.protocol)}
    return applying(replace(plain, options=given_only(usual) | given_only(chosen)))


def _without_options(values: Mapping[str, Any]) -> RunConfig:
    known = find_protocol(values["protocol"])
    return RunConfig(
        title=(values["title"] or "").strip(),
        protocol=values["protocol"],
        source=SampleSource(tuple(values["collections"] or ()), values["way"] == "built"),
        tasks=tuple(values["tasks"] or ()),
        variants=tuple(values["variants"] or ()),
        models=tuple(values["models"] or ()),
        baselines=tuple(values["baselines"] or ()),
        repeats=_whole(values["repeats"]) or 1,
        seed=_whole(values["seed"]) or 0,
        most_samples=_whole(values["most_samples"]),
        prompts_folder=(values["prompts_folder"] or "").strip(),
        roles={name: tuple(cards) for name in (known.roles if known else ()) if (cards := values[role_field(name)])},
        budget=BudgetSettings(values["usd"], _whole(values["tokens"]), _whole(values["requests"])),
    )


def _option(option: RunOption, value: Any) -> Any:
    return _whole(value) if option.kind is OptionKind.WHOLE else value


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


def json_object(text: str, what: str) -> dict[str, Any]:
    """Parse a JSON object; empty text is an empty object. Raises BadInput for anything else."""
    if not text.strip():
        return {}
    expected = 'expected a JSON object, such as {"top_p": 0.9}'
    try:
        read = json.loads(text)
    except ValueError as error:
        raise BadInput(f"{what}: not valid JSON ({error}); {expected}.") from error
    if not isinstance(read, dict):
        raise BadInput(f"{what}: found {text.strip()[:40]!r}; {expected}.")
    return read


# --- as another run ---------------------------------------------------------------------------------------------


def _values_of(run: Mapping[str, Any]) -> dict[str, Any]:
    same = ("protocol", "most_samples", "seed", "repeats", "prompts_folder", *(each.name for each in every_option()))
    values = {field: run[field] for field in same if field in run}
    for field in ("tasks", "variants", "models", "baselines"):
        values[field] = list(run.get(field, ()))
    values |= {role_field(name): list(cards) for name, cards in run.get("roles", {}).items()}
    source, budget = run.get("source", {}), run.get("budget", {})
    values["collections"] = list(source.get("collections", ()))
    values["way"] = "built" if source.get("is_built") else "imported"
    values["title"] = str(run.get("title", ""))
    values |= {field: budget.get(field) for field in ("usd", "tokens", "requests")}
    return values | _parameter_fields(dict(run.get("parameters", {})))


def _parameter_fields(parameters: dict[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {
        "temperature": parameters.pop("temperature", None),
        "max_tokens": parameters.pop("max_tokens", None),
        "reasoning_effort": parameters.pop("reasoning_effort", ""),
    }
    if parameters.get("logprobs") is True and parameters.get("top_logprobs") == TOP_LOGPROBS:
        del parameters["logprobs"], parameters["top_logprobs"]
        values["logprobs"] = True
    if parameters.get("response_format") == {"type": "json_object"}:
        del parameters["response_format"]
        values["json_mode"] = True
    return values | {"further": json.dumps(parameters) if parameters else ""}
