"""Commands for graphs in files: topology, loops, conversion, and comparison."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Annotated

import typer

from cli.files.files import (
    STANDARD_INPUT,
    ColumnsOption,
    EncodingOption,
    FileAnswers,
    SheetOption,
    about,
    columns_from,
    in_pairs,
    name_of,
    name_of_pair,
    notices_of,
    once_from_standard_input,
    pairs_of,
    read_graph,
)
from cli.files.output import CommandResult, JsonOption, answer_each, estimates, in_table, in_words
from core.errors import BadInput
from core.estimate import Estimate
from core.words import sentence_case
from exchange.forms import GraphForm

app = typer.Typer()
TOPOLOGY_WORDS = {
    "cycles": "Feedback loops",
    "percent_in_cycles": "Nodes in loops (%)",
    "sccs": "Strongly connected components",
    "largest_scc": "Largest strongly connected component",
    "mean_path_length": "Mean shortest path",
}
"""Labels of measures whose key is no word."""

GraphFiles = Annotated[
    list[Path],
    typer.Argument(help="Graph files of any supported format; - is standard input.", callback=once_from_standard_input),
]
MostOption = Annotated[int, typer.Option("--most", min=1, help="Maximum loops per graph.")]
SecondsOption = Annotated[
    float, typer.Option("--seconds", min=0, help="Time limit of the search for loops, per graph (s).")
]


@app.command("topology")
def topology_command(
    graphs: GraphFiles,
    most: MostOption = 20_000,
    seconds: SecondsOption = 10,
    columns: ColumnsOption = "",
    encoding: EncodingOption = "",
    sheet: SheetOption = "",
    as_json: JsonOption = False,
) -> None:
    """Measure size, density, degrees, clustering, loops, paths and triads of graphs."""
    from core.graphs.topology import Topology, topology

    options = FileAnswers(columns_from(columns), encoding, sheet)

    def work(file: Path) -> CommandResult:
        read = read_graph(file, options)
        measures = topology(read.graph, most_cycles=most, is_over=over_after(seconds))
        figures = {field.name: getattr(measures, field.name) for field in fields(Topology)}
        value: dict[str, object] = {}
        for name, figure in figures.items():
            value |= estimates(**{name: figure}) if isinstance(figure, Estimate) else {name: figure}
        figures["cycles"] = f"at least {measures.cycles}" if figures.pop("cycles_capped") else measures.cycles
        rows = [
            (
                TOPOLOGY_WORDS.get(name, sentence_case(name.replace("_", " "))),
                in_words(figure) if isinstance(figure, Estimate) else str(figure),
            )
            for name, figure in figures.items()
        ]
        return CommandResult(value, in_table(rows), notices_of(file, read))

    answer_each(graphs, work, name_of, as_json)


@app.command("loops")
def loops_command(
    graphs: GraphFiles,
    most: MostOption = 20_000,
    seconds: SecondsOption = 10,
    columns: ColumnsOption = "",
    encoding: EncodingOption = "",
    sheet: SheetOption = "",
    as_json: JsonOption = False,
) -> None:
    """List feedback loops, shortest first: reinforcing (R), balancing (B), or undetermined (U) if a sign is unknown."""
    from core.graphs.loops import find_loops

    options = FileAnswers(columns_from(columns), encoding, sheet)

    def work(file: Path) -> CommandResult:
        read = read_graph(file, options)
        loops = find_loops(read.graph, most=most, is_over=over_after(seconds))
        value = {
            "loops": [{"nodes": list(loop.nodes), "type": loop.kind} for loop in loops.loops],
            "capped": loops.is_capped,
        }
        lines = [f"{loop.kind or 'U'}  {' → '.join((*loop.nodes, loop.nodes[0]))}" for loop in loops.loops]
        asides = [f"{name_of(file)}: {loops.reason}."] if loops.is_capped else []
        return CommandResult(value, "\n".join(lines) or "No loops.", (*notices_of(file, read), *asides))

    answer_each(graphs, work, name_of, as_json)


@app.command("convert")
def convert_command(
    graphs: GraphFiles,
    to: Annotated[GraphForm, typer.Option("--to", help="The format to write.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="File to write, or folder; default: standard output.")
    ] = None,
    columns: ColumnsOption = "",
    encoding: EncodingOption = "",
    sheet: SheetOption = "",
    as_json: JsonOption = False,
) -> None:
    """Write graphs in another format, and list what that format leaves out."""
    options = FileAnswers(columns_from(columns), encoding, sheet)
    if out is None and not as_json:
        if len(graphs) > 1:
            raise typer.BadParameter("several graphs need a folder; name one with --out.", param_hint="--out")
        if to in (GraphForm.XLSX, GraphForm.KUMU_XLSX) and sys.stdout.isatty():
            raise typer.BadParameter(
                "a workbook cannot be written to the terminal; name a file with --out.", param_hint="--out"
            )
    written: set[Path] = set()

    def work(file: Path) -> CommandResult:
        from exchange.graphs import lost_in, write_graph

        read = read_graph(file, options)
        content = write_graph(read.graph, to, read.places)
        lost = lost_in(read.graph, to, read.places)
        value = {
            "format": to.value,
            "nodes": len(read.graph.nodes),
            "edges": len(read.graph.edges),
            "lost": list(lost),
        }
        words = ""
        if out is not None:
            target = out
            if len(graphs) > 1 or out.is_dir():
                target = out / f"{'standard input' if file == STANDARD_INPUT else file.stem}{to.suffix}"
            if target in written:
                raise BadInput(
                    f"{target} was just written from another graph of that name; write them to separate folders."
                )
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            except OSError as error:
                raise BadInput(f"{target} cannot be written: {error.strerror}.") from error
            written.add(target)
            words = f"Wrote {target}."
        elif not as_json:
            sys.stdout.buffer.write(content)
        asides = [f"{name_of(file)}: {to.value} leaves out {', '.join(lost)}."] if lost else []
        return CommandResult(value, words, (*notices_of(file, read), *asides))

    answer_each(graphs, work, name_of, as_json)


def files_in_pairs(files: list[Path]) -> list[Path]:
    return once_from_standard_input(in_pairs(files))


@app.command("compare")
def compare_command(
    reference_candidate: Annotated[
        list[Path],
        typer.Argument(
            metavar="REFERENCE PREDICTION …",
            help="Pairs of graph files: reference, prediction, and so on; - is standard input.",
            callback=files_in_pairs,
        ),
    ],
    columns: ColumnsOption = "",
    encoding: EncodingOption = "",
    sheet: SheetOption = "",
    as_json: JsonOption = False,
) -> None:
    """Score predictions against their references by names, equal after folding: sets, structural Hamming distance,
    kappa."""
    options = FileAnswers(columns_from(columns), encoding, sheet)

    def work(pair: tuple[Path, Path]) -> CommandResult:
        from cli.files.comparison import compare_folded, plain_comparison, words_of

        reference, candidate = (read_graph(file, options) for file in pair)
        comparison, folded = compare_folded(reference.graph, candidate.graph)
        notices = (*notices_of(pair[0], reference), *notices_of(pair[1], candidate), *about(pair[1], folded))
        return CommandResult(plain_comparison(comparison), words_of(comparison), notices)

    answer_each(pairs_of(reference_candidate), work, name_of_pair, as_json)


def over_after(seconds: float) -> Callable[[], bool]:
    """Return a function that is true once these seconds have passed."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end
