"""Triplets that a run from the command line takes: collections of the study, and files of a folder."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.study.opening import Stop, new_id
from core.people import Viewer
from core.words import quoted

if TYPE_CHECKING:
    from services.runs.settings import SampleSource
    from services.triplets.lists import Collection
    from services.triplets.trial_files import TrialFile

TASK_FILES = (".jsonl", ".csv", ".parquet")
JEL_TABLE = "jel.csv"
"""Beside task files: JEL codes for papers that have none."""

InputOption = Annotated[
    Path | None,
    typer.Option(
        help=f"Folder of task files (and {JEL_TABLE}); new ones are imported, but not by a dry run.", show_default=False
    ),
]


def chosen_source(
    viewer: Viewer, protocol: str, named: list[str] | None, folder: Path | None, *, build: bool, is_dry: bool
) -> tuple[SampleSource, Mapping[str, TrialFile]]:
    """What is chosen of the study's triplets, and the files that a dry run only read. Raises Stop where triplets are
    chosen for a protocol that takes none."""
    from protocols import PROTOCOLS
    from services.runs.settings import SampleSource

    if protocol in PROTOCOLS and "triplets" not in PROTOCOLS[protocol].sources:
        if named or folder is not None or build:
            title = PROTOCOLS[protocol].short_title
            raise Stop(f"{title} does not use triplets. Leave out --collection, --input-dir and --build.")
        return SampleSource(), {}
    chosen, trial = chosen_collections(viewer, named, folder, is_dry=is_dry)
    return SampleSource(tuple(chosen), build), trial


def chosen_graphs(protocol: str, files: Sequence[Path], *, is_papers: bool) -> str | None:
    """The option that names the graphs of a run: those of files, or the paper's set; None where neither is chosen.
    Raises Stop where both are, or where the protocol takes no graphs, BadInput for a file that cannot be read."""
    from protocols import PROTOCOLS

    if not files and not is_papers:
        return None
    if protocol in PROTOCOLS and "graphs" not in PROTOCOLS[protocol].sources:
        raise Stop(f"{PROTOCOLS[protocol].short_title} does not use graphs. Leave out --graphs and --paper-set.")
    if files and is_papers:
        raise Stop("Choose --graphs or --paper-set, not both.")
    from protocols.causalgraph2llm.tasks import PAPER_SET
    from services.protocols.causalgraph2llm.graphs import as_option

    if is_papers:
        return PAPER_SET
    from cli.files.files import Said, once_from_standard_input, read_graph

    return as_option([(each.stem, read_graph(each, Said()).graph) for each in once_from_standard_input(list(files))])


def chosen_collections(
    viewer: Viewer, named: list[str] | None, folder: Path | None, *, is_dry: bool
) -> tuple[list[str], dict[str, TrialFile]]:
    """Ids of the chosen collections, without a choice all of the study; and the files that a dry run only read."""
    from services.triplets import lists

    known = lists.collections(viewer)
    brought, trial = brought_in(viewer, folder, is_dry=is_dry) if folder is not None else ([], {})
    brought += [chosen_collection(known, name) for name in named or []]
    return list(dict.fromkeys(brought or [each.id for each in known])), trial


def chosen_collection(known: Sequence[Collection], name: str) -> str:
    """The id of the collection that an id or a title means. Raises Stop where none or several do."""
    found = [each.id for each in known if name in (each.id, each.title)]
    if len(found) != 1:
        how_many = "several collections are" if found else "no collection is"
        raise Stop(
            f"{how_many.capitalize()} called {quoted(name)}; the study has {listed([each.title for each in known])}."
        )
    return found[0]


def brought_in(viewer: Viewer, folder: Path, *, is_dry: bool) -> tuple[list[str], dict[str, TrialFile]]:
    """Ids of the folder's files, and those that were only read: a dry run imports nothing."""
    from services.triplets import importing, lists
    from services.triplets.preview import collection_id
    from services.triplets.trial_files import read_trial

    if not folder.is_dir():
        raise Stop(f"{folder} is not a folder.")
    files = sorted(each for each in folder.iterdir() if each.suffix.lower() in TASK_FILES and each.name != JEL_TABLE)
    jel = (JEL_TABLE, (folder / JEL_TABLE).read_bytes()) if (folder / JEL_TABLE).is_file() else None
    if not files:
        raise Stop(f"{folder} contains no task file ({', '.join(TASK_FILES)}).")
    known = {each.id for each in lists.collections(viewer)}
    found: list[str] = []
    trial: dict[str, TrialFile] = {}
    for file in files:
        content = file.read_bytes()
        key = collection_id(content)
        if key not in known and is_dry:
            trial[key] = read_trial(viewer, file.name, content, before=trial, jel=jel)
            repeats = f": {words}" if (words := trial[key].repeats.words) else ""
            print(f"Read {file.name}{repeats}. A dry run imports nothing.", file=sys.stderr)
        elif key not in known:
            importing.import_triplets(viewer, file.name, content, with_faulty=False, jel=jel, act_id=new_id())
            print(f"Imported {file.name}{_repeats_of(viewer, key)}.", file=sys.stderr)
        found.append(key)
    return found, trial


def _repeats_of(viewer: Viewer, key: str) -> str:
    from services.triplets import repeats as triplet_repeats

    words = triplet_repeats.repeats_of(viewer, key).words
    return f": {words}" if words else ""


def listed(names: list[str]) -> str:
    return ", ".join(map(quoted, names)) or "none"
