"""Graphs that a run from the command line asks about: those of files, or the paper's set."""

from __future__ import annotations

from pathlib import PurePath

from core.errors import BadInput
from core.graphs.graph import CausalGraph
from core.people import Viewer
from exchange.graphs import read_edges
from protocols.causalgraph2llm.tasks import PAPER_SET, WHICH
from services.protocols.causalgraph2llm.graphs import as_option
from services.runs.benchmarks import ImportedFiles, RunFlags, Tell


def import_files(viewer: Viewer, flags: RunFlags, is_dry: bool, tell: Tell) -> ImportedFiles:
    """As `ImportFiles`; nothing joins the study. Raises BadInput where both ways are chosen, and for a file that cannot
    be read."""
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
    """Raises BadInput naming every faulty row: a graph that silently lacks some would be another one."""
    read = read_edges(content, name)
    if read.faults:
        raise BadInput("\n".join(map(str, read.faults)))
    return read.graph
