"""Scratch folders: gone at the end, and told from those of the living when a killed program left one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.errors import StoreUnavailable
from services.backups.scratch import clear_leftovers, leftovers, scratch
from store.sqlite import lock as file_lock
from store.sqlite.lock import FileLock


def test_a_scratch_folder_goes_with_all_that_is_in_it(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), scratch(tmp_path) as folder:
        (folder / "deep").mkdir()
        (folder / "deep" / "study.sqlite").write_bytes(b"names")
        assert leftovers(tmp_path) == []
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_only_folders_of_dead_makers_are_cleared(tmp_path: Path) -> None:
    dead, young, old = (tmp_path / f".edgewise-{name}.scratch" for name in ("dead", "young", "old"))
    for each in (dead, young, old):
        each.mkdir()
    (dead / "held").write_text("4194305")
    os.utime(old, (0, 0))
    (tmp_path / "mine.scratch").mkdir()
    with scratch(tmp_path) as used:
        assert leftovers(tmp_path) == [dead, old]
        clear_leftovers(tmp_path)
        assert sorted(tmp_path.iterdir()) == sorted([used, young, tmp_path / "mine.scratch"])


def test_a_folder_is_not_cleared_while_its_maker_comes_to_hold_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = file_lock._lock

    def clear_before_locking(descriptor: int, **how: bool) -> bool:
        monkeypatch.setattr(file_lock, "_lock", lock)
        clear_leftovers(tmp_path)  # as another process would, between the file's making and its locking
        return lock(descriptor, **how)

    monkeypatch.setattr(file_lock, "_lock", clear_before_locking)
    with scratch(tmp_path) as folder:
        (folder / "study.sqlite").write_bytes(b"names")
        assert file_lock.is_held(folder / "held")


def test_nothing_is_written_into_a_folder_that_cannot_be_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: Path) -> FileLock | None:
        return None

    monkeypatch.setattr(file_lock, "take", refuse)
    with pytest.raises(StoreUnavailable, match="Another program has"), scratch(tmp_path):
        pytest.fail("the folder was used")
    assert list(tmp_path.iterdir()) == []
