"""Files of triplets that a dry run reads as if they were in the study. Nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.people import Permission, Viewer
from core.words import whole
from protocols.econcausal.samples import main_task, tasks_in
from protocols.econcausal.source_triplet import SourceTriplet
from services.acting import consulting
from services.triplets.preview import collection_id, read_file
from services.triplets.repeats import Contents, Repeats, compared, contents_of, elsewhere


@dataclass(frozen=True, slots=True)
class TrialFile:
    """A file under the id that its collection would have."""

    id: str
    name: str
    task: str  # main task of the rows; empty for plain triplets
    rows: tuple[SourceTriplet, ...]
    contents: Contents
    repeats: Repeats  # rows that are also in files of the study, or in files read before


def read_trial(
    viewer: Viewer, name: str, content: bytes, *, before: Mapping[str, TrialFile], jel: tuple[str, bytes] | None = None
) -> TrialFile:
    """Read a file like `import_triplets`, without storing it. Raises BadInput or BadRow like that."""
    with consulting(viewer, Permission.CURATE):
        pass  # nobody else may make us parse a file
    name = whole(name)
    read = read_file(name, content, jel, "")
    if read.faults:
        raise read.faults[0]
    key = collection_id(content)
    rows = tuple(SourceTriplet(record, f"{key}:{record.place}", key) for record in read.records)
    contents = contents_of(read.records)
    with consulting(viewer, Permission.CURATE) as r:
        others = elsewhere(r.session, contents)
    for earlier in before.values():
        others[earlier.name] = others.get(earlier.name, frozenset()) | earlier.contents
    return TrialFile(key, name, main_task(tasks_in(read.records)), rows, contents, compared(contents, others))
