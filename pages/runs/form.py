"""What stands in the form of a new run, and the run that it asks for; it begins empty, as a draft or as another run."""

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
from pages.runs.draft_form import KeptForm
from pages.runs.parts import PAGE
from services.runs import reading
from services.runs.settings import BudgetSettings, ProtocolOption, RunConfig, RunOptions, SampleSource
from services.runs.wanted import applying, every_option, every_role, find_protocol, given_only, options_of


def role_field(name: str) -> str:
    """The field that holds the cards of a role."""
    return f"role_{name}"


FORM = KeptForm(
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
"""None of a list: never chosen, so that there may be a first choice; of a number: not set. Baselines follow the tasks:
`baselines_off` are those that somebody took off, `baselines_on` those put on though no chosen task has them."""
MOST_LINKED = 1_000
"""Characters of an option that a link may name."""
TOP_LOGPROBS = 20
"""As many alternatives of the first token as providers give; an option outside of them gets no probability."""


def begin(viewer: Viewer) -> None:
    """Fill the form: as it stood, as the draft says, as the run that the link names (like=3), or with the protocol and
    the options that the link names (protocol=…&figures=…)."""
    like, asked = state.read_param("like"), find_protocol(state.read_param("protocol"))
    if asked is not None and not like:
        named = {each.name: state.read_param(each.name)[:MOST_LINKED] for each in asked.options if _is_text(each)}
        FORM.fill(viewer, {"protocol": asked.name, **named})
        for name in ("protocol", *named):
            state.write_param(name, "")
    if like:
        FORM.fill(viewer, _values_of(reading.card(viewer, like).settings.get("wanted", {})))
        state.write_param("like", "")
    FORM.begin(viewer)


def _is_text(option: RunOption) -> bool:
    return option.kind in (OptionKind.TEXT, OptionKind.SEVERAL)


def only(field: str, options: list[str], *, first: list[str]) -> None:
    """Let a list hold nothing that is no option (any more); `first` where it was never chosen."""
    key = FORM.key(field)
    held = st.session_state.get(key)
    kept = first if held is None else [each for each in held if each in options]
    if kept != held:
        st.session_state[key] = kept


def protocol(found: RunOptions) -> ProtocolOption:
    """The chosen one; the first where none is chosen that there is."""
    chosen = st.session_state.get(FORM.key("protocol"))
    return next((each for each in found.protocols if each.name == chosen), found.protocols[0])


def wanted() -> RunConfig:
    """The form as a run. Raises BadInput for further parameters that are no JSON object."""
    found = FORM.values()
    given = {option.name: _option(option, found[option.name]) for option in options()}
    return replace(_without_options(found), parameters=_parameters(found), options=given_only(given))


def options() -> tuple[RunOption, ...]:
    """Those of the chosen protocol that mean anything in what is chosen so far, by the other options too."""
    found = FORM.values()
    plain = _without_options(found)
    those = {option.name: _option(option, found[option.name]) for option in options_of(plain.protocol)}
    usual = {option.name: option.default for option in options_of(plain.protocol)}
    return applying(replace(plain, options=given_only(usual) | given_only(those)))


def _without_options(found: Mapping[str, Any]) -> RunConfig:
    """The form as a run, but for what its protocol lets it choose and the parameters of its requests."""
    return RunConfig(
        title=(found["title"] or "").strip(),
        protocol=found["protocol"],
        source=SampleSource(tuple(found["collections"] or ()), found["way"] == "built"),
        tasks=tuple(found["tasks"] or ()),
        variants=tuple(found["variants"] or ()),
        models=tuple(found["models"] or ()),
        baselines=tuple(found["baselines"] or ()),
        repeats=_whole(found["repeats"]) or 1,
        seed=_whole(found["seed"]) or 0,
        most_samples=_whole(found["most_samples"]),
        prompts_folder=(found["prompts_folder"] or "").strip(),
        roles=_roles(found),
        budget=BudgetSettings(found["usd"], _whole(found["tokens"]), _whole(found["requests"])),
    )


def _roles(found: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Of the chosen protocol, those for which cards are chosen."""
    known = find_protocol(found["protocol"])
    return {name: tuple(cards) for name in (known.roles if known else ()) if (cards := found[role_field(name)])}


def _option(option: RunOption, value: Any) -> Any:
    return _whole(value) if option.kind is OptionKind.WHOLE else value


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


def _parameters(found: Mapping[str, Any]) -> dict[str, Any]:
    """Only what is set here; a card's own and the protocol's hold for the rest."""
    named: dict[str, Any] = {}
    for field in ("temperature", "max_tokens", "reasoning_effort"):
        if found[field] not in (None, ""):
            named[field] = found[field]
    if found["logprobs"]:
        named |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
    if found["json_mode"]:
        named["response_format"] = {"type": "json_object"}
    return named | json_object(found["further"] or "", "Further parameters")


def json_object(text: str, what: str) -> dict[str, Any]:
    """The object that somebody typed; empty for nothing. Raises BadInput for anything else."""
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
    """The form's fields of a run that was set up before, from its kept settings."""
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


def _parameter_fields(given: dict[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {
        "temperature": given.pop("temperature", None),
        "max_tokens": given.pop("max_tokens", None),
        "reasoning_effort": given.pop("reasoning_effort", ""),
    }
    if given.get("logprobs") is True and given.get("top_logprobs") == TOP_LOGPROBS:
        del given["logprobs"], given["top_logprobs"]
        values["logprobs"] = True
    if given.get("response_format") == {"type": "json_object"}:
        del given["response_format"]
        values["json_mode"] = True
    return values | {"further": json.dumps(given) if given else ""}
