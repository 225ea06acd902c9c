"""Opens the study that earlier code made, and reads what that code told of it."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from services.backups.restoring import restore
from services.study import Study, open_study, use_study
from tests.old_studies.told import Exports, Json

HERE = Path(__file__).parent
NAME = "econcausal"


def told_before() -> tuple[Json, Exports]:
    """What was told, and every run's export, by the run's number."""
    told = json.loads(lzma.decompress((HERE / f"{NAME}-told.json.xz").read_bytes()))
    for table in (each for tables in told["parts"]["tables"].values() for each in tables):
        for cell in table["cells"].values():
            del cell[-1]  # the items that are not in the score, which no screen lists
    return told["parts"], told["exports"]


def restored(place: Path) -> Path:
    """The study's file, restored below `place`."""
    report = restore(HERE / f"{NAME}.zip", place / f"{NAME}.edgewise")
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
