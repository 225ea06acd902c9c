"""Graphs as a source: from the study, published networks, random ones, and files of a command.

A value is a graph as JSON (`protocols.causalgraph2llm.graphs.value_of`); its hash covers all that is sent of it. A
run stores its graphs, so later changes in the study do not affect it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath
from typing import Any

from core.errors import BadInput
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.random_dag import random_dag
from core.people import Viewer
from core.words import quoted
from exchange.graphs import read_edges
from protocols.causalgraph2llm.graphs import VariableNaming, encode_namings, value_of, with_pictures
from protocols.causalgraph2llm.slices import pictured
from protocols.causalgraph2llm.tasks import ALL_DENSITIES, PAPER_SET, WHICH
from protocols.samples import content_hash
from protocols.step_values import Value
from services.acting import ReadContext
from services.graphs.model_pictures import PNG, picture_of
from services.graphs.published import network_file, published_networks
from services.graphs.visibility import seen_graph, title_of, visibility_of
from services.pseudonyms import pseudonyms
from services.runs.benchmarks import ImportedFiles, RunFlags, Source, SourceFile, SourceRead, Tell
from services.runs.settings import RunConfig
from services.triplets.trial_files import TrialFiles
from store.graphs import graphs as stored
from store.graphs import lists

PAPERS_NETWORKS, SIZES, SEED = ("insurance", "alarm"), (10, 20, 30), 1
DENSITIES = (1.5, 1.0, 2.0)
"""Edges per node of the paper's random graphs; its numbers of queries count the first only."""
LICENCE = "CC BY-SA 3.0"
"""Licence of the published networks."""
OFFERED = ("ground truth", "import", "generated", "prediction")
MOST_OFFERED, LONGEST_NAME = 500, 60


@dataclass(frozen=True, slots=True)
class GraphOption:
    """A graph of the study that is not a transcription."""

    id: str
    title: str
    kind: str
    nodes: int
    edges: int


def _options(r: ReadContext) -> tuple[GraphOption, ...]:
    """Return the visible graphs that a run may use, newest first."""
    facts = lists.visible_graphs(r.session, visibility_of(r))
    called = pseudonyms(r)
    shown = [each for each in facts if each.kind in OFFERED][:MOST_OFFERED]
    sizes = stored.count_elements(r.session, [each.id for each in shown])
    return tuple(GraphOption(each.id, title_of(each, called), each.kind, *sizes[each.id]) for each in shown)


def _read(r: ReadContext, config: RunConfig, trial: TrialFiles) -> SourceRead:
    """Read the graphs of a config (a `Source`). Raises BadInput for an unknown name, Missing or Refused for a graph
    of the study that does not exist or is blind to the viewer."""
    values = _number_duplicates(_parse_graphs(r, str(config.options.get(WHICH.name) or PAPER_SET)))
    files: dict[str, SourceFile] = {}
    if namings := pictured(config.options):
        values = tuple(_with_pictures(r, each, namings, files) for each in values)
    hashes = {"graphs": content_hash([each.hash for each in values])} if values else {}
    return SourceRead(values, hashes, files=tuple(files.values()))


def as_option(graphs: Iterable[tuple[str, CausalGraph]]) -> str:
    """Return named graphs, which need not be in the study, as the text of the option."""
    return json.dumps([value_of(name, graph).value for name, graph in graphs], ensure_ascii=False)


def paper_set(densities: Sequence[float] = DENSITIES[:1]) -> list[Value]:
    """Return two published networks and a random graph of each size and density."""
    graphs = [_network(name) for name in PAPERS_NETWORKS]
    for nodes in SIZES:
        for density in densities:
            edges = round(nodes * density)
            name = f"random-{nodes}" + ("" if density == DENSITIES[0] else f"x{density:g}")
            recipe = {"maker": "random_dag", "nodes": nodes, "edges": edges, "seed": SEED}
            graphs.append(value_of(name, random_dag(nodes, edges, SEED), {"recipe": recipe}))
    return graphs


def _parse_graphs(r: ReadContext, option: str) -> Iterator[Value]:
    for item in _words(option):
        if isinstance(item, Mapping):
            yield _value_of_object(item)
        elif item == PAPER_SET:
            yield from paper_set()
        elif item == ALL_DENSITIES:
            yield from paper_set(DENSITIES)
        elif item in published_networks():
            yield _network(item)
        else:
            facts = seen_graph(r, item)
            title = title_of(facts, pseudonyms(r))
            if facts.kind not in OFFERED:
                raise BadInput(f"{quoted(title)} is a {facts.kind}; a run takes {', '.join(OFFERED)}.")
            yield value_of(title[:LONGEST_NAME], stored.read_graph(r.session, item).graph(), {"from": facts.kind})


def _words(option: str) -> list[Any]:
    """Split at commas, or parse a JSON list that may contain graphs as objects."""
    if not option.lstrip().startswith("["):
        return [word.strip() for word in option.split(",") if word.strip()]
    try:
        items = json.loads(option)
    except ValueError as error:
        raise BadInput(f"{WHICH.title}: found a list that is not valid JSON ({error}).") from None
    return list(items)


def _value_of_object(fields: Mapping[str, Any]) -> Value:
    try:
        graph = CausalGraph.of([Edge(source, sink) for source, sink in fields["edges"]], nodes=fields["nodes"])
        return value_of(str(fields["name"]), graph)
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(
            f"{WHICH.title}: an object needs name, nodes and edges as pairs; found {type(error).__name__} {error}."
        ) from None


@cache
def _network(name: str) -> Value:
    file, content = network_file(name)
    return value_of(name, read_edges(content, file).graph, {"from": "published network", "licence": LICENCE})


def _with_pictures(
    r: ReadContext, value: Value, namings: Sequence[VariableNaming], files: dict[str, SourceFile]
) -> Value:
    """Return a graph with pictures for these namings. Raises UnreadableDocument for one too large to draw."""
    pictures = {}
    for key, graph in encode_namings(value, namings).items():
        sha256, path = picture_of(r.study, graph)
        files.setdefault(sha256, SourceFile(sha256, PNG, f"{value.key}, {key}.png", path))
        pictures[key] = sha256
    return with_pictures(value, pictures)


def _number_duplicates(values: Iterator[Value]) -> tuple[Value, ...]:
    """Return each graph once; number those that share a name."""
    unique: dict[str, Value] = {}
    counts: dict[str, int] = {}
    for value in values:
        if value.hash in unique:
            continue
        counts[value.key] = counts.get(value.key, 0) + 1
        name = value.key if counts[value.key] == 1 else f"{value.key} #{counts[value.key]}"
        renamed = {**value.value, "name": name}
        unique[value.hash] = Value(key=name, value=renamed, hash=value.hash)
    return tuple(unique.values())


def import_files(viewer: Viewer, flags: RunFlags, is_dry: bool, tell: Tell) -> ImportedFiles:
    """Return the graphs of a command's flags as options (`BenchmarkServices`). Nothing is added to the study. Raises
    BadInput if both flags are used, and for an unreadable file."""
    files, is_papers = flags.given["graphs"], flags.given["paper_set"]
    if (files or is_papers) and WHICH.name in flags.options:
        raise BadInput("graphs is given twice, by --option and by a flag. Leave one out.")
    if files and is_papers:
        raise BadInput("Choose --graphs or --paper-set, not both.")
    if not files and not is_papers:
        return ImportedFiles(options=flags.options)
    chosen = PAPER_SET if is_papers else as_option((PurePath(name).stem, _graph(name, each)) for name, each in files)
    return ImportedFiles(options={**flags.options, WHICH.name: chosen})


def _graph(name: str, content: bytes) -> CausalGraph:
    """Read a graph. Raises BadInput naming every faulty row, since a graph without them would be another one."""
    read = read_edges(content, name)
    if read.faults:
        raise BadInput("\n".join(map(str, read.faults)))
    return read.graph


SOURCE = Source(words="graphs", offered=_options, read=_read)
