"""What a protocol lets a run choose: described once, so that the form of a new run and the command line offer it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from core.errors import BadInput
from core.vectors import LEXICAL

Settings = Mapping[str, Any]
"""What somebody wants of a run, as the run keeps it (JSON): tasks, variants, seed and so on, and each option by its
name."""


def said_or_usual(settings: Settings, name: str, defaults: Mapping[str, Any]) -> Any:
    """What a run chose of an option, else what its protocol says.

    >>> [said_or_usual({"runs": "", "least": 2}, name, {"runs": 3}) for name in ("runs", "least")]
    [3, 2]
    """
    said = settings.get(name)
    return defaults.get(name) if said is None or said == "" else said


def embedder_of(settings: Settings) -> str:
    """Built-in vectors unless a run names an embedder: a model's need an endpoint.

    >>> embedder_of({"embedder": ""})
    'lexical'
    """
    return settings.get("embedder") or LEXICAL


class OptionKind(StrEnum):
    """WHOLE: a whole number. CHOICE: one of its choices; SEVERAL: some of them, separated by commas, or "all".
    EMBEDDER: vectors, built in or of a model at an endpoint."""

    WHOLE = "whole"
    NUMBER = "number"
    CHOICE = "choice"
    SEVERAL = "several"
    TEXT = "text"
    EMBEDDER = "embedder"


def _always(_settings: Settings) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOption:
    """One thing to choose. `name`: in a run's settings and after `--option`; `title` and `help`: for a form, with `of`,
    what it is about, behind the title ("task 1"). `source`: the source whose form draws it; empty for the protocol's.
    `has_flag`: the command `run` has a flag of its name, besides `--option`. `in_place_of`: the setting of every run
    whose field in the form it replaces.

    `default`: what the protocol says where a run says nothing. `least`, `most`, `step`: of numbers. `choices`: value →
    its words; those of an embedder are the study's. `when`: whether it means anything in a run of these settings.
    `empty`: what no number means, where the protocol says nothing.
    """

    name: str
    title: str
    kind: OptionKind
    help: str = ""
    of: str = ""
    source: str = ""
    has_flag: bool = False
    in_place_of: str = ""
    default: Any = None
    least: float | None = None
    most: float | None = None
    step: float | None = None
    choices: Mapping[str, str] = field(default_factory=dict)
    when: Callable[[Settings], bool] = _always
    empty: str = ""

    @property
    def unset(self) -> str | None:
        """What stands in a run's settings where nothing is chosen."""
        return None if self.kind in (OptionKind.WHOLE, OptionKind.NUMBER) else ""

    @property
    def label(self) -> str:
        return f"{self.title} ({self.of})" if self.of else self.title


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """A flag of the command `run` that is no option of the run.

    Attributes:
        name: as in the command, with underscores
        help: for --help
        takes: what follows it; "values" and "files" may be repeated
        sets: "tasks" or "variants" where its values are names of these
    """

    name: str
    help: str
    takes: Literal["switch", "value", "values", "file", "files"]
    sets: Literal["", "tasks", "variants"] = ""


def fault_in(option: RunOption, value: Any) -> str:
    """What is wrong with a chosen value, with what would be right; empty if nothing is.

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
    found = repr(value) if isinstance(value, str) else value
    return "" if is_right else f"{option.title}: found {found}; expected {expected}."


def chosen_in(text: str) -> list[str]:
    """What a text of SEVERAL names.

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
    """The value that was typed. Raises BadInput as `fault_in` words it."""
    value: Any = text.strip()
    if option.kind in (OptionKind.WHOLE, OptionKind.NUMBER):
        with suppress(ValueError):  # what is no number is found wrong as the text that it is
            value = int(value) if option.kind is OptionKind.WHOLE else float(value)
    if fault := fault_in(option, value):
        raise BadInput(fault)
    return value
