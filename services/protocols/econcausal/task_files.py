"""Triplets that a run from the command line takes: collections of the study, and files of a folder."""

from __future__ import annotations

from pathlib import Path

from core.errors import BadInput
from core.people import Viewer
from services.runs.benchmarks import ImportedFiles, RunFlags, Tell
from services.runs.settings import SampleSource
from services.triplets import importing, lists
from services.triplets import repeats as triplet_repeats
from services.triplets.preview import collection_id
from services.triplets.trial_files import TrialFile, read_trial
from store.tables import new_id

TASK_FILES = (".jsonl", ".csv", ".parquet")
JEL_TABLE = "jel.csv"
"""Beside task files: JEL codes for papers that have none."""


def import_files(viewer: Viewer, flags: RunFlags, is_dry: bool, tell: Tell) -> ImportedFiles:
    """As `ImportFiles`: the chosen collections and those of a folder's files; without a choice all of the study."""
    given = flags.given
    chosen, trial = _chosen_collections(viewer, given["collection"], given["input_dir"], tell, is_dry=is_dry)
    return ImportedFiles(options=flags.options, source=SampleSource(tuple(chosen), given["build"]), trial=trial)


def _chosen_collections(
    viewer: Viewer, named: list[str] | None, folder: Path | None, tell: Tell, *, is_dry: bool
) -> tuple[list[str], dict[str, TrialFile]]:
    """Ids of the chosen collections, without a choice all of the study; and the files that a dry run only read."""
    known = lists.collections(viewer)
    brought, trial = _brought_in(viewer, folder, tell, is_dry=is_dry) if folder is not None else ([], {})
    brought += [lists.chosen_collection(known, name) for name in named or []]
    return list(dict.fromkeys(brought or [each.id for each in known])), trial


def _brought_in(viewer: Viewer, folder: Path, tell: Tell, *, is_dry: bool) -> tuple[list[str], dict[str, TrialFile]]:
    """Ids of the folder's files, and those that were only read: a dry run imports nothing."""
    if not folder.is_dir():
        raise BadInput(f"{folder} is not a folder.")
    files = sorted(each for each in folder.iterdir() if each.suffix.lower() in TASK_FILES and each.name != JEL_TABLE)
    jel = (JEL_TABLE, (folder / JEL_TABLE).read_bytes()) if (folder / JEL_TABLE).is_file() else None
    if not files:
        raise BadInput(f"{folder} contains no task file ({', '.join(TASK_FILES)}).")
    known = {each.id for each in lists.collections(viewer)}
    found: list[str] = []
    trial: dict[str, TrialFile] = {}
    for file in files:
        content = file.read_bytes()
        key = collection_id(content)
        if key not in known and is_dry:
            trial[key] = read_trial(viewer, file.name, content, before=trial, jel=jel)
            repeats = f": {words}" if (words := trial[key].repeats.words) else ""
            tell(f"Read {file.name}{repeats}. A dry run imports nothing.")
        elif key not in known:
            importing.import_triplets(viewer, file.name, content, with_faulty=False, jel=jel, act_id=new_id())
            tell(f"Imported {file.name}{_repeats_of(viewer, key)}.")
        found.append(key)
    return found, trial


def _repeats_of(viewer: Viewer, key: str) -> str:
    words = triplet_repeats.repeats_of(viewer, key).words
    return f": {words}" if words else ""
