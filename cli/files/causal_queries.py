"""Commands for causal graphs as text and for queries: encodings, answers, counts, samples, random graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from cli.files.files import (
    ColumnsOption,
    EncodingOption,
    FileAnswers,
    SheetOption,
    columns_from,
    content_of,
    name_of,
    notices_of,
    once_from_standard_input,
    read_graph,
)
from cli.files.graphs import GraphFiles
from cli.files.output import CommandResult, JsonOption, answer_each, in_table
from core.errors import BadInput
from core.graphs.encodings import Encoding, decode, encode, left_out
from core.graphs.graph import CausalGraph
from core.graphs.naming import Naming, named
from core.graphs.orders import EdgeOrder, topological
from core.graphs.queries import (
    AnswerShape,
    Query,
    QueryKind,
    QueryLevel,
    Truths,
    Variant,
    answer,
    refuse_unknown,
    shape_of,
    why,
)
from core.graphs.query_space import QuerySpace, counts
from core.graphs.random_dag import random_dag
from core.words import counted, sentence_case

app = typer.Typer(no_args_is_help=True, help="Causal graphs as text, queries about them and their true answers.")

PAPER_SIZES = (27, 37, 10, 20, 30)
PRINTED = 747_754
NOTE = (
    "CausalGraph2LLM prints 747,754 for five graphs of 27, 37, 10, 20 and 30 nodes; its table has three wrong cells "
    "(1071 for 1017, 1 for 2, 2 for 3), and they have 747,026. There is one graph per size, and interventions are in "
    "no total. The 15 published networks are another set: 12,316,046 queries per encoding (86,212,322 in seven), Andes "
    "alone 11,090,238."
)

SeedOption = Annotated[int, typer.Option("--seed", help="Random seed.")]

# --- texts ------------------------------------------------------------------------------------------------------


@app.command("encode")
def encode_command(
    graphs: GraphFiles,
    encoding: Annotated[Encoding, typer.Option("--as", help="The encoding to write.")],
    order: Annotated[
        EdgeOrder, typer.Option("--order", help="Order of edges: given, breadth first from sources, or from sinks.")
    ] = EdgeOrder.GIVEN,
    names: Annotated[
        Naming, typer.Option("--names", help="The graph's own names, neutral ones (0, 1 …), or all edges reversed.")
    ] = Naming.GIVEN,
    seed: SeedOption = 1,
    columns: ColumnsOption = "",
    text_encoding: EncodingOption = "",
    sheet: SheetOption = "",
    as_json: JsonOption = False,
) -> None:
    """Write graphs as text for a model, and list what the text leaves out."""
    options = FileAnswers(columns_from(columns), text_encoding, sheet)

    def work(file: Path) -> CommandResult:
        read = read_graph(file, options)
        shown = named(read.graph, names, seed)
        try:
            text = encode(shown.graph, encoding, order)
        except BadInput as error:
            raise BadInput(f"{name_of(file)}: {error}") from None
        lost = left_out(read.graph)
        value = {
            "encoding": encoding.value,
            "order": order.value,
            "text": text,
            "nodes": len(shown.graph.nodes),
            "edges": len({edge.pair for edge in shown.graph.edges}),
            "isolated": list(shown.graph.isolated),
            "left_out": list(lost),
            "names": dict(shown.own) if names is Naming.NEUTRAL else None,
        }
        asides = [f"{name_of(file)}: {encoding.value} leaves out {', '.join(lost)}."] if lost else []
        return CommandResult(value, text, (*notices_of(file, read), *asides))

    answer_each(graphs, work, name_of, as_json)


@app.command("decode")
def decode_command(
    files: Annotated[
        list[Path],
        typer.Argument(help="Text files in one encoding; - is standard input.", callback=once_from_standard_input),
    ],
    encoding: Annotated[Encoding, typer.Option("--from", help="The encoding of the text.")],
    text_encoding: EncodingOption = "",
    as_json: JsonOption = False,
) -> None:
    """Read graphs back from the text of an encoding, and write them in the plain JSON form."""

    def work(file: Path) -> CommandResult:
        from exchange.decode import decode_text

        text, notices = decode_text(content_of(file), name_of(file), text_encoding)
        try:
            graph = decode(text, encoding)
        except BadInput as error:
            raise BadInput(f"{name_of(file)}: {error}") from None
        return _plain(graph, tuple(f"{name_of(file)}: {notice}" for notice in notices))

    answer_each(files, work, name_of, as_json)


def _plain(graph: CausalGraph, asides: tuple[str, ...] = ()) -> CommandResult:
    from exchange.edge_json import plain_graph, write_json

    value = plain_graph(graph)
    return CommandResult(value, write_json(value).decode("utf-8").rstrip(), asides)


@app.command("generate")
def generate_command(
    nodes: Annotated[int, typer.Option("--nodes", min=0, help="Number of nodes.")],
    edges: Annotated[int, typer.Option("--edges", min=0, help="Number of edges.")],
    seed: SeedOption = 1,
    as_json: JsonOption = False,
) -> None:
    """Draw a random graph without cycles, and write it in the plain JSON form."""
    answer_each([seed], lambda each: _plain(random_dag(nodes, edges, each)), str, as_json)


# --- one query --------------------------------------------------------------------------------------------------


@app.command("query")
def query_command(
    graphs: GraphFiles,
    kind: Annotated[QueryKind, typer.Option("--kind", help="What is asked.")],
    of: Annotated[
        str | None, typer.Option("--of", help="The variable whose parents, children or effects are asked.")
    ] = None,
    between: Annotated[
        tuple[str, str] | None, typer.Option("--between", help="The two variables, in the order that is asked.")
    ] = None,
    node: Annotated[
        str | None, typer.Option("--node", help="Ask whether this variable answers; default: name all that do.")
    ] = None,
    *,
    variant: Annotated[Variant | None, typer.Option("--variant", help="Another definition of the kind.")] = None,
    columns: ColumnsOption = "",
    text_encoding: EncodingOption = "",
    sheet: SheetOption = "",
    as_json: JsonOption = False,
) -> None:
    """Answer a causal query about graphs, and name the edges that make the answer true.

    Parents and children: --of X. Mediators and confounders: --between A B. Interventions: --of X for all that change,
    with --node Y whether Y does; as intervention-pair --of X --between A B, whether A changes B once X is set."""
    _check_options(variant or kind, of=of, between=between, node=node)
    options = FileAnswers(columns_from(columns), text_encoding, sheet)

    def work(file: Path) -> CommandResult:
        read = read_graph(file, options)
        query = Query(kind=kind, variant=variant, of=of, between=between, node=node)
        refuse_unknown(query, read.graph.nodes, name_of(file))
        try:
            return _answered(read.graph, query, notices_of(file, read))
        except BadInput as error:
            raise BadInput(f"{name_of(file)}: {error}") from None

    answer_each(graphs, work, name_of, as_json)


def _check_options(kind: QueryKind | Variant, *, of: object, between: object, node: object) -> None:
    """Raise typer.BadParameter for an option that the kind needs and lacks, or does not use."""
    shape = shape_of(kind)
    needed = {
        "--of": shape in (AnswerShape.OF, AnswerShape.OF_BETWEEN),
        "--between": shape in (AnswerShape.BETWEEN, AnswerShape.OF_BETWEEN),
    }
    for option, value in (("--of", of), ("--between", between)):
        if needed[option] != (value is not None):
            verb = "needs" if needed[option] else "does not take"
            raise typer.BadParameter(f"{kind.value} {verb} {option}.", param_hint=option)
    if node is not None and shape is AnswerShape.OF_BETWEEN:
        raise typer.BadParameter(f"{kind.value} does not take --node.", param_hint="--node")


def _answered(graph: CausalGraph, query: Query, notices: tuple[str, ...]) -> CommandResult:
    true_answer, reasons = _in_order(graph, answer(Truths.of(graph), query)), why(graph, query)
    value: dict[str, Any] = {
        "kind": query.kind.value,
        **_arguments(query),
        "answer": true_answer,
        "why": [{"source": source, "sink": sink} for source, sink in reasons.edges],
    }
    shown = (
        ("Yes" if true_answer else "No") if isinstance(true_answer, bool) else "\n".join(true_answer) or "No variable"
    )
    paragraphs = [shown]
    for head, pairs in (("Edges", reasons.edges), ("Cut", reasons.cut)):
        if pairs:
            paragraphs.append("\n".join([f"{head}:", *(f"  {source} → {sink}" for source, sink in pairs)]))
    return CommandResult(value, "\n\n".join(paragraphs), notices)


def _arguments(query: Query) -> dict[str, Any]:
    return {
        "variant": query.variant and query.variant.value,
        "of": query.of,
        "between": query.between and list(query.between),
        "node": query.node,
    }


def _in_order(graph: CausalGraph, true_answer: frozenset[str] | bool) -> list[str] | bool:
    return true_answer if isinstance(true_answer, bool) else [name for name in graph.nodes if name in true_answer]


# --- all queries ------------------------------------------------------------------------------------------------


@app.command("count")
def count_command(
    graphs: Annotated[
        list[str], typer.Argument(metavar="GRAPHS …", help="Graph files, or with --nodes numbers of nodes.")
    ],
    nodes: Annotated[bool, typer.Option("--nodes", help="The arguments are numbers of nodes.")] = False,
    columns: ColumnsOption = "",
    text_encoding: EncodingOption = "",
    sheet: SheetOption = "",
    as_json: JsonOption = False,
) -> None:
    """Count the queries that can be asked of all these graphs together, without listing them."""
    options = FileAnswers(columns_from(columns), text_encoding, sheet)
    for text in graphs if nodes else ():
        if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text)):
            raise typer.BadParameter(f"found “{text}”; --nodes expects numbers from 1 on.", param_hint="GRAPHS")
    sizes = [int(text) for text in graphs] if nodes else None

    def work(arguments: list[str]) -> CommandResult:
        if sizes is not None:
            return _counted(sizes)
        files = once_from_standard_input([Path(text) for text in arguments])
        graphs, notices = _acyclic(files, options)
        return _counted([len(graph.nodes) for graph in graphs], notices)

    answer_each([graphs], work, " ".join, as_json)


def _acyclic(files: list[Path], options: FileAnswers) -> tuple[list[CausalGraph], tuple[str, ...]]:
    """Return the graphs of the files, and notices. Raises BadInput naming a file with a cycle."""
    graphs: list[CausalGraph] = []
    notices: list[str] = []
    for file in files:
        read = read_graph(file, options)
        try:
            topological(read.graph)
        except BadInput as error:
            raise BadInput(f"{name_of(file)}: {error}") from None
        graphs.append(read.graph)
        notices += notices_of(file, read)
    return graphs, tuple(notices)


def _counted(sizes: list[int], notices: tuple[str, ...] = ()) -> CommandResult:
    by_level = {level: {str(kind): n for kind, n in by_kind.items()} for level, by_kind in counts(sizes).items()}
    graph_level, node_level = by_level[QueryLevel.GRAPH], by_level[QueryLevel.NODE]
    total = sum(graph_level.values()) + sum(node_level.values())
    is_paper = sorted(sizes) == sorted(PAPER_SIZES)
    value: dict[str, Any] = {
        "graph_level": graph_level,
        "node_level": node_level,
        "total": total,
        "encodings": len(Encoding),
        "times_encodings": total * len(Encoding),
        "printed": PRINTED if is_paper else None,
        **({} if is_paper else {"printed_reason": "the paper prints a total of its own five graphs only"}),
        "note": NOTE,
    }
    rows = [("Kind", "All that answer", "Whether one does")]
    rows += [(sentence_case(kind), f"{n:,}", f"{node_level[kind]:,}") for kind, n in graph_level.items()]
    words = (
        f"{in_table(rows)}\n\n{total:,} queries of {counted(len(sizes), 'graph')} per encoding, "
        f"{total * len(Encoding):,} in {len(Encoding)} encodings.\n{NOTE}"
    )
    return CommandResult(value, words, notices)


@app.command("sample")
def sample_command(
    graphs: GraphFiles,
    size: Annotated[int, typer.Option("--size", min=1, help="Number of queries.")] = 1_000,
    seed: SeedOption = 1,
    columns: ColumnsOption = "",
    text_encoding: EncodingOption = "",
    sheet: SheetOption = "",
    as_json: JsonOption = False,
) -> None:
    """Draw queries with their true answers from all that can be asked of these graphs together. A larger sample of the
    same seed begins with every smaller one."""
    options = FileAnswers(columns_from(columns), text_encoding, sheet)

    def work(files: list[Path]) -> CommandResult:
        read, notices = _acyclic(files, options)
        truths = [Truths.of(graph) for graph in read]
        rows: list[dict[str, Any]] = []
        for each in QuerySpace(read).sample(size, seed):
            true_answer = answer(truths[each.graph], each.query)
            arguments = _arguments(each.query)
            rows.append(
                {
                    "number": each.number,
                    "graph": name_of(files[each.graph]),
                    "encoding": each.encoding.value,
                    "order": each.order.value,
                    "kind": each.query.kind.value,
                    "level": each.query.level.value,
                    "args": {name: arguments[name] for name in ("of", "between", "node", "variant")},
                    "answer": _in_order(read[each.graph], true_answer),
                }
            )
        return CommandResult(rows, _sample_in_words(rows), notices)

    answer_each([graphs], work, lambda files: " ".join(map(name_of, files)), as_json)


def _sample_in_words(rows: list[dict[str, Any]]) -> str:
    lines = [("Number", "Graph", "Encoding", "Kind", "Of", "Between", "Node", "Answer")]
    for row in rows:
        args, true_answer = row["args"], row["answer"]
        shown = (
            ("Yes" if true_answer else "No")
            if isinstance(true_answer, bool)
            else ", ".join(true_answer) or "No variable"
        )
        between = ", ".join(args["between"] or ())
        named = (args["of"] or "–", between or "–", args["node"] or "–")
        lines.append((str(row["number"]), row["graph"], row["encoding"], row["kind"], *named, shown))
    return in_table(lines)
