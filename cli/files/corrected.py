"""`score corrected`: a judge's mean score, corrected by people's labels of some rows, from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.files.files import name_of, once_from_standard_input
from cli.files.output import CommandResult, JsonOption, answer_each, estimates, in_table, in_words
from cli.files.scored_rows import read_scored_rows
from core.errors import BadInput
from core.estimate import Estimate, undefined


def score_corrected_command(
    files: Annotated[
        list[Path],
        typer.Argument(help="Files of JSON lines; - is standard input.", callback=once_from_standard_input),
    ],
    as_json: JsonOption = False,
) -> None:
    """Correct a judge's mean by people's labels: {"item": "q1", "judge": 0.5, "person": 1, "cluster": "p1"} a line.

    null is no label. The labelled rows must be a random draw, labelled before the judge's scores were seen. Rows of one
    cluster, such as items of one text, count as drawn together: each keeps its weight in the value, and the deviations
    of a cluster are added up in its standard error. The labels missing are those for an interval of ±0.02."""
    answer_each(files, _corrected, name_of, as_json)


def _corrected(file: Path) -> CommandResult:
    from core.scoring.corrected import corrected

    rows = read_scored_rows(file, {"judge": False, "person": True})
    judges = [judge for _, (judge, _) in rows if judge is not None]
    try:
        result = corrected(judges, [person for _, (_, person) in rows], [cluster for cluster, _ in rows])
    except BadInput as error:
        raise BadInput(f"{name_of(file)}: {error}") from None
    low, high = (
        undefined(result.value.reason) if bound is None else Estimate(bound)
        for bound in (result.value.low, result.value.high)
    )
    plain = {
        "n": result.n,
        "labelled": result.labelled,
        "judge_mean": result.judge_mean,
        "value": result.value.value,
        **estimates(se=result.se, low=low, high=high),
        "lambda": result.judge_weight,
        **estimates(labels_missing=result.labels_missing),
    }
    words = [
        ("Rows", f"{result.n:,}, {result.labelled:,} of them labelled"),
        ("Mean by the judge", f"{result.judge_mean:.4f}"),
        ("Corrected by people", f"{result.value.value:.4f}"),
        ("Standard error", in_words(result.se)),
        ("95% interval", f"[{in_words(low)}, {in_words(high)}]" if low.value is not None else in_words(low)),
        ("λ", f"{result.judge_weight:.4f}"),
        ("Labels missing for ±0.02", in_words(result.labels_missing)),
    ]
    return CommandResult(plain, in_table(words))
