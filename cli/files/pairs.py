"""`score pairs`: two sides on the same items, from a file."""

from __future__ import annotations

import math
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.files.files import name_of, once_from_standard_input
from cli.files.json_files import read_json_lines, shortened
from cli.files.output import CommandResult, JsonOption, answer_each, estimates, in_table, in_words
from core.errors import BadInput
from core.estimate import Estimate
from core.words import counted

if TYPE_CHECKING:
    from core.scoring.paired import Paired

TITLES = {
    "mean_a": "Mean of a",
    "mean_b": "Mean of b",
    "difference": "Difference",
    "se": "Standard error",
    "p": "p",
    "wins": "a is higher",
    "ties": "Equal",
    "losses": "b is higher",
    "mcnemar_p": "p by McNemar's test",
    "sign_p": "p by the sign test",
    "detectable": "Detectable difference",
    "n_needed": "Items needed",
}


def score_pairs_command(
    files: Annotated[
        list[Path],
        typer.Argument(help="Files of JSON lines; - is standard input.", callback=once_from_standard_input),
    ],
    difference: Annotated[
        float | None, typer.Option(help="The difference that the items needed are for; default: the observed one.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare two sides: {"item": "q1", "a": 1, "b": 0, "cluster": "p1"}, one item per line.

    null is no score. Items of one cluster, such as questions about one paper, count as drawn together; without one an
    item is drawn by itself. An item without both scores is left out."""
    answer_each(files, lambda file: _paired(file, difference), name_of, as_json)


def _paired(file: Path, difference: float | None) -> CommandResult:
    from core.scoring.paired import paired

    shown = name_of(file)
    faults: list[str] = []
    lines: dict[str, int] = {}
    scored: list[tuple[float, float, str]] = []
    for line, row in read_json_lines(file):
        item, a, b, cluster = (row.get(name) for name in ("item", "a", "b", "cluster"))
        if not isinstance(item, str | int) or isinstance(item, bool):
            faults.append(f"Line {line}: `item` is {shortened(item)}; a name or a number is needed.")
        elif lines.setdefault(str(item), line) != line:
            faults.append(f"Item {item} is on lines {lines[str(item)]} and {line}.")
        for side, value in (("a", a), ("b", b)):
            if not _is_score(value):
                faults.append(f"Line {line}: `{side}` is {shortened(value)}; a number or null is needed.")
        if _is_score(a) and _is_score(b) and a is not None and b is not None:
            scored.append((a, b, f"item {item}" if cluster is None else f"cluster {cluster}"))
    if faults:
        raise BadInput("\n".join(f"{shown}: {fault}" for fault in faults))
    try:
        comparison = paired([a for a, _, _ in scored], [b for _, b, _ in scored], [c for _, _, c in scored], difference)
    except BadInput as error:
        raise BadInput(f"{shown}: {error}") from None
    left_out = len(lines) - len(scored)
    asides = (f"{shown}: without a score of both, so left out: {counted(left_out, 'item')}.",) if left_out else ()
    return CommandResult(_plain(comparison, left_out), in_table(_words(comparison)), asides)


def _is_score(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value))


def _plain(comparison: Paired, left_out: int) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for each in fields(comparison):
        value = getattr(comparison, each.name)
        plain |= estimates(**{each.name: value}) if isinstance(value, Estimate) else {each.name: value}
        if each.name == "clusters":
            plain["n_left_out"] = left_out
        if each.name == "se":
            plain |= {"low": comparison.difference.low, "high": comparison.difference.high}
    return plain


def _words(comparison: Paired) -> list[tuple[str, str]]:
    rows = [("Items", f"{comparison.n:,} in {counted(comparison.clusters, 'cluster')}")]
    for name, title in TITLES.items():
        value = getattr(comparison, name)
        estimate = value if isinstance(value, Estimate) else Estimate(value)
        is_p = name == "p" or name.endswith("_p")
        text = f"{estimate.value:.2g}" if is_p and estimate.value is not None else in_words(estimate)
        if name == "difference" and comparison.difference.low is not None and comparison.difference.high is not None:
            text += f" [{comparison.difference.low:.4f}, {comparison.difference.high:.4f}]"
        rows.append((title, text))
    return rows
