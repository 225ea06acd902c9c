"""`score graphs`: a model's raw text, parsed as a graph and compared with the ground truth."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cli.files.comparison import plain_comparison, words_of
from cli.files.files import (
    ColumnsOption,
    EncodingOption,
    FileAnswers,
    SheetOption,
    columns_from,
    content_of,
    in_pairs,
    name_of,
    name_of_pair,
    notices_of,
    once_from_standard_input,
    pairs_of,
    read_graph,
)
from cli.files.output import CommandResult, JsonOption, answer_each, in_table


class GraphVariant(StrEnum):
    STANDARD = "standard"
    NAMES = "names"


def score_graphs_command(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="Pairs: ground truth (a graph file of any supported format) and answer (a model's raw text); "
            "- is standard input.",
            callback=once_from_standard_input,
        ),
    ],
    variant: Annotated[
        GraphVariant,
        typer.Option(
            "--variant",
            help="standard: nodes by name, equal after folding; names: nodes by the numbers 1…n of the truth's names "
            "in code-point order.",
        ),
    ] = GraphVariant.STANDARD,
    columns: ColumnsOption = "",
    encoding: EncodingOption = "",
    sheet: SheetOption = "",
    as_json: JsonOption = False,
) -> None:
    """Read each answer as a graph and score it against its ground truth; one that cannot be read is unparsable."""
    options = FileAnswers(columns_from(columns), encoding, sheet)
    answer_each(pairs_of(in_pairs(files)), lambda pair: _scored(*pair, options, variant), name_of_pair, as_json)


def _scored(truth_file: Path, answer_file: Path, options: FileAnswers, variant: GraphVariant) -> CommandResult:
    from core.runs.states import ItemStatus
    from protocols.recite.scoring import answered_graph, compare_by_name, numbered_names
    from protocols.replies.graphs import NODE_COUNT
    from protocols.replies.graphs import read_graph as read_reply

    read = read_graph(truth_file, options)
    text = content_of(answer_file).decode("utf-8", "replace")
    names = numbered_names(read.graph) if variant is GraphVariant.NAMES else None
    answer = read_reply(text, finish_reason="stop", given=names, asked=len(read.graph.nodes))
    value: dict[str, object] = {
        "status": answer.status.value,
        "parse_stage": answer.stage or None,
        "flags": list(answer.flags),
        "nodes": list(answer.nodes),
        "edges": [{"source": source, "sink": sink} for source, sink in answer.relations],
    }
    if answer.status is not ItemStatus.ANSWERED:
        why = "; ".join(answer.faults)
        return CommandResult(
            value | {"scores": None, "scores_reason": why},
            f"{answer.status.value.capitalize()}: {why}.",
            notices_of(truth_file, read),
        )
    comparison = compare_by_name(read.graph, answered_graph(answer.relations))
    rows = [("Parse stage", answer.stage), *((flag.capitalize(), str(n)) for flag, n in answer.counts.items())]
    if variant is GraphVariant.STANDARD:
        rows.append(("Names", "equal after folding (exact names): a lower bound"))
    notices = list(notices_of(truth_file, read))
    if NODE_COUNT in answer.counts:
        counts = f"{answer.counts[NODE_COUNT]} nodes; the ground truth has {len(read.graph.nodes)}"
        notices.append(f"{name_of(answer_file)}: the answer names {counts}.")
    return CommandResult(
        value | {"scores": plain_comparison(comparison)},
        f"{in_table(rows)}\n\n{words_of(comparison)}",
        tuple(notices),
    )
