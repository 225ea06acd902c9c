"""A program killed in the middle of its work, and a backup restored in its place: its log is never mixed in."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from core.errors import StoreUnavailable
from services.backups.backup import backup
from services.backups.restoring import restore
from services.backups.study_lock import begin_serving, end_serving
from services.study import Study, open_study
from services.transcription import transcribing
from store.sqlite import file as sqlite_file
from store.tables import new_id
from tests.services.backup_parts import content_of, draw
from tests.soak.table import scaled

WRITER = Path(__file__).with_name("restore_kills.py")
KILLS = scaled(20, least=2)
WAYS = ("left there", "moved away", "deleted", "another study in its place")


def killed(place: Path, home: Path, rng: Random) -> None:
    """Have somebody draw in the study and kill the program in the middle of it."""
    with subprocess.Popen([sys.executable, str(WRITER), str(place), str(home)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(rng.uniform(0.05, 0.6))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert sqlite_file.has_log(place)


@pytest.mark.proof("T1", "backup restored where a writer was killed", gate="0 corrupt, all refused first, nothing gone")
def test_no_log_of_a_killed_writer_gets_into_a_restored_study(
    sqlite_study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    rng, home = Random(20260302), tmp_path / "home"
    work = transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id
    draw(people, work, 1)
    early = backup(people.owner, tmp_path / "early.zip").path
    expected = content_of(sqlite_study)
    refused = applied = corrupt = 0
    place = tmp_path / "served" / "study.edgewise"
    restore(early, place)
    for number in range(KILLS):
        killed(place, home, rng)
        log, way = sqlite_file.log_of(place).read_bytes(), WAYS[number % len(WAYS)]
        if way == "moved away":
            place.rename(place.with_name(f"damaged {number}.edgewise"))
        elif way == "deleted":
            place.unlink()
        elif way == "another study in its place":
            shutil.copyfile(restore(early, tmp_path / f"other {number}" / "study.edgewise").path, place)
        with pytest.raises(StoreUnavailable, match="exist already"):
            restore(early, place)
        refused += 1
        report = restore(early, place, replace=True)
        assert report.is_sound
        assert report.moved is not None
        assert sqlite_file.log_of(report.moved / place.name).read_bytes() == log, "the log was moved as it was"
        if way == "left there":  # what was moved aside is the study with all that was saved in it
            begin_serving(str(report.moved / place.name))
            end_serving(str(report.moved / place.name))
            applied += 1
        again = open_study(str(place), home)
        corrupt += again.store.check() != [] or content_of(again) != expected
        again.close()
    record_property("repetitions", KILLS)
    record_property(
        "figure", f"{corrupt} corrupt of {KILLS}; {refused} refused and said; {applied} logs applied when asked"
    )
    assert (corrupt, refused) == (0, KILLS)
