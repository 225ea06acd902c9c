"""What is wanted of a run and what the run keeps of it: the options of its protocol stand beside the other settings."""

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
    """What a run of this protocol and of its sources may choose; nothing if this Edgewise does not know it."""
    return PROTOCOLS[protocol].options if protocol in PROTOCOLS else ()


def find_protocol(name: str) -> BenchmarkProtocol | None:
    """Return a protocol, None if this Edgewise does not know it."""
    return PROTOCOLS.get(name)


def every_role() -> tuple[str, ...]:
    """Return the names of the roles of all protocols."""
    return tuple(dict.fromkeys(name for each in PROTOCOLS.values() for name in each.roles))


def link_to_new_run(option: str, value: str) -> dict[str, str]:
    """Return the parameters of a link to New run with the protocol that has this option, and its value."""
    protocol = next(name for name in PROTOCOLS if option in {each.name for each in options_of(name)})
    return {"show": "new", "protocol": protocol, option: value}


def every_option() -> tuple[RunOption, ...]:
    """Those of all protocols, each name once: the first protocol that has it says what it is called."""
    found: dict[str, RunOption] = {}
    for name in PROTOCOLS:
        for option in options_of(name):
            found.setdefault(option.name, option)
    return tuple(found.values())


def variant_words(variant: str) -> str:
    """ "no-context" as "without context", as its protocol calls it; links and commands keep the name."""
    titles = (each.variant_titles.get(variant) for each in PROTOCOLS.values())
    return next((title for title in titles if title), variant.replace("-", " "))


def applying(wanted: RunConfig) -> tuple[RunOption, ...]:
    """The options that mean anything in this run."""
    settings = kept(wanted)
    return tuple(option for option in options_of(wanted.protocol) if option.when(settings))


def kept(wanted: RunConfig) -> dict[str, Any]:
    """A run's settings as it keeps them (JSON), and as its protocol reads them; an option that is not set says so."""
    said: dict[str, Any] = json.loads(json.dumps(asdict(wanted)))  # as it comes back from the store: lists, not tuples
    chosen = said.pop("options")
    if not said["roles"]:
        del said["roles"]  # so that a run without any keeps what it always kept
    return {**said, **{option.name: option.unset for option in options_of(wanted.protocol)}, **chosen}


def given_only(options: Mapping[str, Any]) -> dict[str, Any]:
    """Without those that are not set."""
    return {name: value for name, value in options.items() if value is not None and value != ""}


def wanted_of(settings: Mapping[str, Any]) -> RunConfig:
    """What was wanted of a run, from the settings that it keeps: what is no field of a run is an option."""
    said = dict(settings)
    source, budget = said.pop("source"), said.pop("budget")
    own = {each.name for each in fields(RunConfig)} - {"options"}
    plain: dict[str, Any] = {name: value for name, value in said.items() if name in own}
    if "roles" in plain:
        plain["roles"] = {name: tuple(cards) for name, cards in plain["roles"].items()}
    return RunConfig(
        source=SampleSource(tuple(source["collections"]), source["is_built"]),
        budget=BudgetSettings(**budget),
        options=given_only({name: value for name, value in said.items() if name not in own}),
        **{**plain, **{name: tuple(plain[name]) for name in _LISTS if name in plain}},
    )


def option_faults(wanted: RunConfig) -> dict[str, str]:
    """What is wrong with the options that were chosen, by their names."""
    known = {option.name: option for option in options_of(wanted.protocol)}
    return {
        name: fault
        for name, value in wanted.options.items()
        if (fault := fault_in(known[name], value) if name in known else _unknown(wanted.protocol, name))
    }


def without_faulty_options(wanted: RunConfig) -> RunConfig:
    """What is wrong is as if it were not set, so that the rest of a run can be looked at."""
    wrong = option_faults(wanted)
    return replace(wanted, options={name: value for name, value in wanted.options.items() if name not in wrong})


def read_options(protocol: str, typed: Sequence[str]) -> dict[str, Any]:
    """Options from words such as "threshold=0.5". Raises BadInput for one that the protocol does not have, one that is
    given twice, and a value that it cannot have."""
    known = {option.name: option for option in options_of(protocol)}
    found: dict[str, Any] = {}
    for each in typed:
        name, equals, value = each.partition("=")
        name = name.strip().replace("-", "_")
        if not equals:
            raise BadInput(f"Option {quoted(each)}: NAME=VALUE is needed, such as {next(iter(known), 'name')}=….")
        if name not in known:
            raise BadInput(_unknown(protocol, name))
        if name in found:
            raise BadInput(f"The option {quoted(name)} is given twice.")
        found[name] = read_option(known[name], value)
    return found


def _unknown(protocol: str, name: str) -> str:
    """As an unknown protocol is refused in its own words, this names one that is known."""
    title = PROTOCOLS[protocol].short_title if protocol in PROTOCOLS else protocol
    listed = ", ".join(option.name for option in options_of(protocol)) or "none"
    return f"{title} has no option {quoted(name)}; choose from {listed}."
