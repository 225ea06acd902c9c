"""Benchmark flags of `run`, created when the command is used. Typer builds every command on each call, and loading
the protocols takes a quarter of a second, so a flag cannot be a parameter of the function that `edgewise.py --help`
loads."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from core.runs.options import OptionFlag, OptionKind, RunOption

GIVEN = "flags of benchmarks"
"""Key of the given values in the command's context."""
PREFIX = "of_benchmark_"
"""Prefix of a flag's parameter name, so that none is a keyword or a parameter of the command itself."""
TYPES: Mapping[str, tuple[Any, Any]] = {
    "switch": (bool, False),
    "value": (str, ""),
    "values": (list[str] | None, None),
    "file": (Path | None, None),
    "files": (list[Path] | None, None),
    OptionKind.WHOLE: (int | None, None),
    OptionKind.NUMBER: (float | None, None),
    OptionKind.CHOICE: (str, ""),
    OptionKind.EMBEDDER: (str, ""),
    OptionKind.SEVERAL: (list[str] | None, None),
    OptionKind.TEXT: (list[str] | None, None),
}
"""Type and default of a flag, by the kind of its value."""


class RunCommand(TyperCommand):
    """A command with the flags of all benchmarks; their values are in `ctx.meta[GIVEN]` by name."""

    def get_params(self, ctx: Any) -> list[Any]:
        return [*super().get_params(ctx), *_parameters()]

    def invoke(self, ctx: Any) -> Any:
        names = [name for name in ctx.params if name.startswith(PREFIX)]
        ctx.meta[GIVEN] = {name.removeprefix(PREFIX): ctx.params.pop(name) for name in names}
        return super().invoke(ctx)


def given_to(flags: Mapping[str, Any], protocol: str) -> dict[str, Any]:
    """Return the values of flags, for files their name and content. Raises BadParameter for a flag that the protocol
    does not take, UnreadableFile for an unreadable file."""
    from cli.files.files import content_of, once_from_standard_input
    from protocols import PROTOCOLS

    values = dict(flags)
    known = PROTOCOLS.get(protocol)
    own = set(flags) if known is None else {each.name for each in known.flags} | {each.name for each in known.options}
    for name, (_title, flag) in _flags().items():
        if name not in own and flags[name]:
            fit = ", ".join(_written(each) for each in _flags() if each in own) or "none"
            title = known.short_title if known is not None else protocol
            raise typer.BadParameter(f"{title} does not take this; its flags are {fit}.", param_hint=_written(name))
        if isinstance(flag, OptionFlag) and flag.takes == "files":
            values[name] = [(str(file), content_of(file)) for file in once_from_standard_input(list(flags[name] or ()))]
        elif isinstance(flag, RunOption) and flag.kind in (OptionKind.SEVERAL, OptionKind.TEXT):
            values[name] = ",".join(dict.fromkeys(flags[name] or ()))
    return values


def option_values(flags: Mapping[str, Any]) -> dict[str, Any]:
    """Return the run options that flags set; None or empty text if not given."""
    return {name: flags[name] for name, (_title, flag) in _flags().items() if isinstance(flag, RunOption)}


def values_of(flags: Mapping[str, Any], sets: str) -> list[str]:
    setters = (name for name, (_title, flag) in _flags().items() if isinstance(flag, OptionFlag) and flag.sets == sets)
    return [each for name in setters for each in flags[name] or ()]


def tell(words: str, *, is_passing: bool = False) -> None:
    """Print as `services.runs.benchmarks.Tell`, on standard error; transient lines on a terminal only."""
    if not is_passing:
        print(words, file=sys.stderr)
    elif sys.stderr.isatty():
        print(f"\r{words}  " if words else "", end="" if words else "\n", file=sys.stderr)


def _flags() -> dict[str, tuple[str, OptionFlag | RunOption]]:
    """Return every flag by name, with the title and definition of the first protocol that has it."""
    from protocols import PROTOCOLS

    flags: dict[str, tuple[str, OptionFlag | RunOption]] = {}
    for protocol in PROTOCOLS.values():
        own: list[OptionFlag | RunOption] = [
            *protocol.flags,
            *(option for option in protocol.options if option.has_flag),
        ]
        for flag in own:
            flags.setdefault(flag.name, (protocol.short_title, flag))
    return flags


def _parameters() -> list[Any]:
    """Return click parameters, made by Typer from the signature of a function that is never called."""

    def flags(**_given: Any) -> None:
        raise AssertionError("only its signature is used")

    parameters = [_parameter(title, flag) for title, flag in _flags().values()]
    flags.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    app = typer.Typer(add_completion=False)
    app.command()(flags)
    return list(typer.main.get_command(app).params)


def _parameter(title: str, flag: OptionFlag | RunOption) -> Parameter:
    if isinstance(flag, OptionFlag):
        (kind, default), words = TYPES[flag.takes], flag.help
    else:
        kind, default = TYPES[flag.kind]
        choices = [*flag.choices, *(["all"] if flag.kind is OptionKind.SEVERAL else [])]
        choose_from = f" Choose from {', '.join(choices)}." if flag.choices else ""
        words = f"{flag.label}.{choose_from} {flag.help}".rstrip()
    option = typer.Option(_written(flag.name), rich_help_panel=title, help=words, show_default=False)
    return Parameter(PREFIX + flag.name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])


def _written(name: str) -> str:
    return f"--{name.replace('_', '-')}"
