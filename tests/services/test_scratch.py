"""Scratch folders: gone at the end, and told from those of the living when a killed program left one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from services.scratch import clear_leftovers, leftovers, scratch


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
    (dead / "held").touch()
    os.utime(old, (0, 0))
    (tmp_path / "mine.scratch").mkdir()
    with scratch(tmp_path) as used:
        assert leftovers(tmp_path) == [dead, old]
        clear_leftovers(tmp_path)
        assert sorted(tmp_path.iterdir()) == sorted([used, young, tmp_path / "mine.scratch"])
