"""A file that one process at a time holds, and that a dead one holds no more."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from store.sqlite import lock as file_lock

HOLDER = "import sys; from store.sqlite import lock as file_lock; file_lock.take(__import__('pathlib').Path(sys.argv[1])); print(1, flush=True); sys.stdin.read()"  # noqa: E501
ROOT = Path(__file__).resolve().parents[3]


def test_one_holds_it_at_a_time_and_it_says_who(tmp_path: Path) -> None:
    place = tmp_path / "study.serving"
    assert not file_lock.is_held(place)
    lock = file_lock.take(place)
    assert lock is not None
    assert file_lock.is_held(place)
    assert file_lock.take(place) is None
    assert file_lock.holder(place) == str(os.getpid())
    lock.release()
    assert not file_lock.is_held(place)
    again = file_lock.take(place)
    assert again is not None
    again.release(remove=True)
    assert not place.exists()


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    place = tmp_path / "study.serving"
    command = [sys.executable, "-c", HOLDER, str(place)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert file_lock.take(place) is None
        assert file_lock.holder(place) == str(process.pid)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    lock = file_lock.take(place)
    assert lock is not None
    lock.release(remove=True)


def test_a_file_removed_between_opening_and_locking_is_not_taken_for_held(tmp_path: Path) -> None:
    """Else two would hold a file of one name: one that is gone, and one made after it."""
    place = tmp_path / "study.serving"
    lock = file_lock.take(place)
    assert lock is not None
    place.unlink()
    lock.release()
    second = file_lock.take(place)
    assert second is not None
    assert place.exists()
    assert file_lock.take(place) is None
    second.release()


def test_a_file_that_names_no_process_has_no_holder(tmp_path: Path) -> None:
    place = tmp_path / "study.serving"
    assert file_lock.holder(place) == ""
    for content in (b"", b"not a number", b"\xff"):
        place.write_bytes(content)
        assert file_lock.holder(place) == ""


def test_whoever_asks_keeps_nobody_from_holding_or_asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "study.serving"
    place.touch()
    close, asked = os.close, []

    def ask_and_take(descriptor: int) -> None:
        monkeypatch.setattr(os, "close", close)
        asked.append(file_lock.is_held(place))  # a second one asks while the first still does
        taker = threading.Thread(target=lambda: asked.append(file_lock.take(place) is None))
        taker.start()
        time.sleep(0.02)
        close(descriptor)
        taker.join()

    monkeypatch.setattr(os, "close", ask_and_take)
    assert not file_lock.is_held(place)
    assert asked == [False, False]
