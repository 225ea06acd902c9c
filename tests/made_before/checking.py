"""Holds a study that `making` made with earlier code, and what that code told of it, beside what is told now.

    python -m tests.made_before.checking FOLDER [NAME]

restores the backup into a scratch place, which brings it to this version's tables, and prints every difference.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.people import Viewer
from runs.rescoring import rescore
from services.acting import terminal_viewer
from services.backups.restoring import restore
from services.study import Study, open_study, use_study
from tests.made_before.told import PARTS, Exports, Json, Told, differences, lost_of_export

HERE = Path(__file__).parent
NAME = "econcausal"


def told_before(folder: Path = HERE, name: str = NAME) -> tuple[Json, Exports]:
    """What was told, and every run's export, by the run's number."""
    told = json.loads(lzma.decompress((folder / f"{name}-told.json.xz").read_bytes()))
    return told["parts"], told["exports"]


def restored(place: Path, folder: Path = HERE, name: str = NAME) -> Path:
    """The study's file, restored below `place`."""
    report = restore(folder / f"{name}.zip", place / f"{name}.edgewise")
    assert report.is_sound, report
    return report.path


@contextmanager
def opened(place: str, home: Path) -> Iterator[Study]:
    """The study, brought to this version's tables."""
    study = open_study(place, home)
    use_study(study)
    try:
        yield study
    finally:
        use_study(None)
        study.close()


def found_otherwise(study: Study, viewer: Viewer, folder: Path = HERE, name: str = NAME) -> Iterator[str]:
    """Everything that is told otherwise than before, in words."""
    before, exports = told_before(folder, name)
    now = Told(viewer)
    for part in PARTS:
        yield from differences(before[part], now.tell(part, before[part]), part)
    for number, members in exports.items():
        yield from (f"export of run {number}: {each}" for each in lost_of_export(members, now.exports[number]))
    for line in now.lines:
        found = rescore(study.store, line.id)
        yield from (f"run {line.number}, scored again: {each}" for each in found.changed)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where `making` wrote the two files")
    parser.add_argument("name", nargs="?", default=NAME, help="what their names begin with (default: %(default)s)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        file = restored(Path(scratch), given.folder, given.name)
        with opened(str(file), Path(scratch, "home")) as study:
            found = list(found_otherwise(study, terminal_viewer(), given.folder, given.name))
    print("\n".join([*found[:200], f"{len(found):,} differences"]))
    sys.exit(bool(found))
