"""Options of a run that a protocol defines, once for the form of a new run and for the command line."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from core.errors import BadInput
from core.vectors import LEXICAL

# Settings of a run as stored (JSON): tasks, variants, seed and so on, and each option by its name.
Settings = Mapping[str, Any]


def value_or_default(settings: Settings, name: str, defaults: Mapping[str, Any]) -> Any:
    """Return the value of an option in a run's settings, else the protocol's default.

    >>> [value_or_default({"runs": "", "least": 2}, name, {"runs": 3}) for name in ("runs", "least")]
    [3, 2]
    """
    value = settings.get(name)
    return defaults.get(name) if value is None or value == "" else value


def embedder_of(settings: Settings) -> str:
    """Return the embedder of a run: built-in vectors unless it names one, since a model's vectors need an endpoint.

    >>> embedder_of({"embedder": ""})
    'lexical'
    """
    return settings.get("embedder") or LEXICAL


class OptionKind(StrEnum):
    WHOLE = "whole"  # a whole number
    NUMBER = "number"
    CHOICE = "choice"
    SEVERAL = "several"  # some of its choices, separated by commas, or "all"
    TEXT = "text"
    EMBEDDER = "embedder"  # vectors, built in or from a model at an endpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOption:
    """One option of a run: its setting, its field in a form, and its flag of the command line."""

    name: str  # in a run's settings and after `--option`
    title: str
    kind: OptionKind
    help: str = ""
    of: str = ""  # subject, shown after the title: "task 1"
    source: str = ""  # the source whose form shows it; empty for the protocol's
    has_flag: bool = False  # the command `run` has a flag of its name, in addition to `--option`
    in_place_of: str = ""  # the setting of every run whose field in the form it replaces
    default: Any = None
    least: float | None = None
    most: float | None = None
    step: float | None = None
    choices: Mapping[str, str] = field(default_factory=dict)  # value → its words; those of an embedder are the study's
    when: Callable[[Settings], bool] = lambda _settings: True  # True if it applies to a run of these settings
    empty: str = ""  # meaning of an empty number without a default, or of an empty embedder

    @property
    def unset(self) -> str | None:
        return None if self.kind in (OptionKind.WHOLE, OptionKind.NUMBER) else ""

    @property
    def label(self) -> str:
        return f"{self.title} ({self.of})" if self.of else self.title


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionFlag:
    """A flag of the command `run` that is no option of the run."""

    name: str  # as in the command, with underscores
    help: str  # for --help
    takes: Literal["switch", "value", "values", "file", "files"]  # its argument; "values" and "files" may be repeated
    sets: Literal["", "tasks", "variants"] = ""  # where its values are names of these


def fault_in(option: RunOption, value: Any) -> str:
    """Return the fault of a chosen value and what is expected; empty if there is none.

    >>> fault_in(RunOption(name="most", title="Maximum", kind=OptionKind.WHOLE, least=1, most=9), 12)
    'Maximum: found 12; expected 1 to 9.'
    """
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    match option.kind:
        case OptionKind.WHOLE | OptionKind.NUMBER:
            is_kind = is_number and (option.kind is OptionKind.NUMBER or float(value).is_integer())
            too_low = is_kind and option.least is not None and value < option.least
            too_high = is_kind and option.most is not None and value > option.most
            is_right, expected = is_kind and not too_low and not too_high, _range(option)
        case OptionKind.CHOICE:
            is_right, expected = value in option.choices, f"one of {', '.join(option.choices)}"
        case OptionKind.SEVERAL:
            words = chosen_in(value) if isinstance(value, str) else []
            is_right = bool(words) and all(each in option.choices for each in words if words != ["all"])
            expected = f"some of {', '.join(option.choices)}, separated by commas, or all"
        case _:
            is_right, expected = isinstance(value, str), "a text"
    shown = repr(value) if isinstance(value, str) else value
    return "" if is_right else f"{option.title}: found {shown}; expected {expected}."


def chosen_in(text: str) -> list[str]:
    """Return the choices in a text of SEVERAL.

    >>> chosen_in("json, single,")
    ['json', 'single']
    """
    return [each.strip() for each in text.split(",") if each.strip()]


def _range(option: RunOption) -> str:
    kind = "a whole number" if option.kind is OptionKind.WHOLE else "a number"
    if option.least is not None and option.most is not None:
        return f"{option.least:,} to {option.most:,}"
    if option.least is not None:
        return f"{kind} from {option.least:,}"
    return f"{kind} up to {option.most:,}" if option.most is not None else kind


def read_option(option: RunOption, text: str) -> Any:
    """Return the typed value. Raises BadInput with the text of `fault_in`."""
    value: Any = text.strip()
    if option.kind in (OptionKind.WHOLE, OptionKind.NUMBER):
        with suppress(ValueError):  # text that is no number is left for `fault_in` to report
            value = int(value) if option.kind is OptionKind.WHOLE else float(value)
    if fault := fault_in(option, value):
        raise BadInput(fault)
    return value
