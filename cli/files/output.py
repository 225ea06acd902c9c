"""Output of computing commands: one result or a list of them, as text or JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import typer

from core.errors import EdgewiseError
from core.estimate import Estimate

Subject = TypeVar("Subject")

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


@dataclass(frozen=True, slots=True)
class CommandResult:
    value: Mapping[str, Any] | Sequence[Mapping[str, Any]]  # for --json
    words: str
    asides: tuple[str, ...] = ()  # notices for standard error
    is_faulty: bool = False  # nothing could be computed of what was read; the exit status is 1


def answer_each(
    subjects: Sequence[Subject], work: Callable[[Subject], CommandResult], name: Callable[[Subject], str], as_json: bool
) -> None:
    """Process and print every subject: one result alone, several as a list in the same order. An error does not stop
    the others: it is printed to standard error and, in a JSON list, in its place. Then the exit status is 1, as it is
    for a faulty result."""
    answers: list[CommandResult | str] = []
    for subject in subjects:
        try:
            result = work(subject)
        except EdgewiseError as error:
            answers.append(str(error))
            print(error, file=sys.stderr)
            continue
        answers.append(result)
        for aside in result.asides:
            print(aside, file=sys.stderr)
    is_list = len(answers) > 1
    if as_json:
        values = [{"error": each} if isinstance(each, str) else each.value for each in answers]
        if is_list or not isinstance(answers[0], str):
            print(json.dumps(values if is_list else values[0], ensure_ascii=False, allow_nan=False))
    else:
        for subject, each in zip(subjects, answers, strict=True):
            if isinstance(each, CommandResult) and each.words:
                print(f"{name(subject)}\n{each.words}\n" if is_list else each.words)
    if any(isinstance(each, str) or each.is_faulty for each in answers):
        raise typer.Exit(1)


def estimates(**named: Estimate) -> dict[str, float | str | None]:
    """Return each estimate under its name, and its reason under `<name>_reason` if it has one."""
    plain: dict[str, float | str | None] = {}
    for name, estimate in named.items():
        plain[name] = estimate.value
        if estimate.reason:
            plain[f"{name}_reason"] = estimate.reason
    return plain


def in_words(estimate: Estimate) -> str:
    """Return a number with four decimals, or the reason why there is none.

    >>> in_words(Estimate(0.5)), in_words(Estimate(None, reason="there are no nodes"))
    ('0.5000', 'undefined: there are no nodes')
    """
    if estimate.value is None:
        return f"undefined: {estimate.reason}"
    shown = str(estimate.value) if isinstance(estimate.value, int) else f"{estimate.value:.4f}"
    return f"{shown} ({estimate.reason})" if estimate.reason else shown


def in_table(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)
