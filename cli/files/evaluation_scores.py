"""`score evaluations`: re-score every row of a released table of judges' evaluations."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.files.files import content_of, name_of, once_from_standard_input
from cli.files.output import CommandResult, JsonOption, answer_each, in_table
from core.words import counted

_MOST_NAMED = 20


def score_evaluations_command(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="ReCITE's evaluations table as Parquet; - is standard input.", callback=once_from_standard_input
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Score a released table of evaluations again, and list the rows whose score differs or that cannot be read.

    Labels are scored as released, the three numbers of the older judge by their sum. No row is left out."""
    answer_each(files, _scored, name_of, as_json)


def _scored(file: Path) -> CommandResult:
    from exchange.recite_responses import PublicKind, read_public_table
    from protocols.recite.judge.evaluations import EVALUATOR, counts_of, score_evaluation

    table = read_public_table(content_of(file), name_of(file), PublicKind.EVALUATIONS)
    scored = [score_evaluation(each) for each in table.kept]
    counts = counts_of(scored)
    differing = [
        {"id": each.row.id(), "type": each.row.cells[EVALUATOR], "released": each.row.score, "score": each.score}
        for each in scored
        if each.differs
    ]
    unread = [
        {"id": each.row.id(), "type": each.row.cells[EVALUATOR], "why": each.trouble} for each in scored if each.trouble
    ]
    value: dict[str, Any] = {
        **asdict(counts),
        "differing": differing,
        "unread": unread,
        "faults": [str(each) for each in table.faults],
    }
    lines = [
        f"{counted(counts.rows, 'evaluation')}: {counts.whole:,} whole, {counts.faulty:,} with faults, "
        f"{counts.unreadable:,} unreadable, {counts.others:,} of no judge.",
        f"Scores: {counts.equal:,} equal the table's, {counts.different:,} differ, {counts.uncompared:,} cannot be "
        "compared.",
    ]
    if differing:
        shown = [(each["id"], f"{each['released']:.4f}", f"{each['score']:.4f}") for each in differing[:_MOST_NAMED]]
        lines.append(in_table([("ID", "Table", "Labels"), *shown]))
    lines += [f"{each['id']}: {each['why']}" for each in unread[:_MOST_NAMED]]
    return CommandResult(value, "\n".join(lines), tuple(str(each) for each in table.faults))
