"""Settings of a run: their stored form, and options of the protocol."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any

from core.errors import BadInput
from core.runs.options import RunOption, fault_in, read_option
from core.words import quoted
from protocols import PROTOCOLS
from protocols.protocol import BenchmarkProtocol
from services.runs.settings import BudgetSettings, RunConfig, SampleSource

_LISTS = ("tasks", "variants", "models", "baselines")


def options_of(protocol: str) -> tuple[RunOption, ...]:
    """Return the options of a protocol and its sources; empty if this version of Edgewise does not know it."""
    return PROTOCOLS[protocol].options if protocol in PROTOCOLS else ()


def find_protocol(name: str) -> BenchmarkProtocol | None:
    """Return a protocol; None if this version of Edgewise does not know it."""
    return PROTOCOLS.get(name)


def protocol_title(name: str) -> str:
    """Return a protocol's title for screens and messages; its name if this version of Edgewise does not know it."""
    return PROTOCOLS[name].title if name in PROTOCOLS else name


def every_role() -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for each in PROTOCOLS.values() for name in each.roles))


def link_to_new_run(option: str, value: str) -> dict[str, str]:
    """Return the parameters of a link to New run with the protocol that has this option, and its value."""
    protocol = next(name for name in PROTOCOLS if option in {each.name for each in options_of(name)})
    return {"show": "new", "protocol": protocol, option: value}


def every_option() -> tuple[RunOption, ...]:
    """Return the options of all protocols. An option of several protocols is described by the first."""
    options: dict[str, RunOption] = {}
    for name in PROTOCOLS:
        for option in options_of(name):
            options.setdefault(option.name, option)
    return tuple(options.values())


def variant_words(variant: str) -> str:
    """Return a variant as its protocol calls it, such as "without context" for "no-context"."""
    titles = (each.variant_titles.get(variant) for each in PROTOCOLS.values())
    return next((title for title in titles if title), variant.replace("-", " "))


def applying(config: RunConfig) -> tuple[RunOption, ...]:
    settings = settings_json(config)
    return tuple(option for option in options_of(config.protocol) if option.when(settings))


def settings_json(config: RunConfig) -> dict[str, Any]:
    """Return a run's settings as they are stored (JSON) and passed to its protocol; unset options have their unset
    value."""
    # Through JSON, so that it equals what the store returns: lists, not tuples.
    stored: dict[str, Any] = json.loads(json.dumps(asdict(config)))
    chosen = stored.pop("options")
    if not stored["roles"]:
        del stored["roles"]  # earlier versions had no roles: the hash of such a run must not change
    return {**stored, **{option.name: option.unset for option in options_of(config.protocol)}, **chosen}


def given_only(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are set."""
    return {name: value for name, value in options.items() if value is not None and value != ""}


def config_of(settings: Mapping[str, Any]) -> RunConfig:
    """Return the config from stored settings. A key that is no field of `RunConfig` is an option."""
    stored = dict(settings)
    source, budget = stored.pop("source"), stored.pop("budget")
    own = {each.name for each in fields(RunConfig)} - {"options"}
    plain: dict[str, Any] = {name: value for name, value in stored.items() if name in own}
    if "roles" in plain:
        plain["roles"] = {name: tuple(cards) for name, cards in plain["roles"].items()}
    return RunConfig(
        source=SampleSource(tuple(source["collections"]), source["is_built"]),
        budget=BudgetSettings(**budget),
        options=given_only({name: value for name, value in stored.items() if name not in own}),
        **{**plain, **{name: tuple(plain[name]) for name in _LISTS if name in plain}},
    )


def option_faults(config: RunConfig) -> dict[str, str]:
    known = {option.name: option for option in options_of(config.protocol)}
    return {
        name: fault
        for name, value in config.options.items()
        if (fault := fault_in(known[name], value) if name in known else _unknown(config.protocol, name))
    }


def without_faulty_options(config: RunConfig) -> RunConfig:
    """Return the config with faulty options unset, so that the rest can be checked."""
    wrong = option_faults(config)
    return replace(config, options={name: value for name, value in config.options.items() if name not in wrong})


def read_options(protocol: str, typed: Sequence[str]) -> dict[str, Any]:
    """Parse options such as "threshold=0.5". Raises BadInput for an unknown or repeated option, and for an invalid
    value."""
    known = {option.name: option for option in options_of(protocol)}
    options: dict[str, Any] = {}
    for words in typed:
        name, equals, value = words.partition("=")
        name = name.strip().replace("-", "_")
        if not equals:
            raise BadInput(f"Option {quoted(words)}: NAME=VALUE is needed, such as {next(iter(known), 'name')}=….")
        if name not in known:
            raise BadInput(_unknown(protocol, name))
        if name in options:
            raise BadInput(f"The option {quoted(name)} is given twice.")
        options[name] = read_option(known[name], value)
    return options


def _unknown(protocol: str, name: str) -> str:
    """Return the error for an unknown option, with the known ones."""
    title = PROTOCOLS[protocol].short_title if protocol in PROTOCOLS else protocol
    listed = ", ".join(option.name for option in options_of(protocol)) or "none"
    return f"{title} has no option {quoted(name)}; choose from {listed}."
