"""`score pairs`: two sides on the same items, from a file."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.files.files import name_of, once_from_standard_input
from cli.files.output import CommandResult, JsonOption, answer_each, estimates, in_table, in_words
from cli.files.scored_rows import read_scored_rows
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

    shown, rows = name_of(file), read_scored_rows(file, {"a": True, "b": True})
    scored = [(a, b, cluster) for cluster, (a, b) in rows if a is not None and b is not None]
    try:
        comparison = paired([a for a, _, _ in scored], [b for _, b, _ in scored], [c for _, _, c in scored], difference)
    except BadInput as error:
        raise BadInput(f"{shown}: {error}") from None
    left_out = len(rows) - len(scored)
    asides = (f"{shown}: without a score of both, so left out: {counted(left_out, 'item')}.",) if left_out else ()
    return CommandResult(_plain(comparison, left_out), in_table(_words(comparison)), asides)


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
