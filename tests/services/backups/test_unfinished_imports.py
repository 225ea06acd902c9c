"""A backup taken beside the rows of a killed import is sound and brings none of them back."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from services.backups.backup import backup
from services.backups.restoring import restore
from services.study import Study, open_study
from tests.services.test_large_imports import MANY, kill_an_import, made_file, rows_in


def test_a_backup_beside_a_killed_import_is_sound_and_restores_without_it(
    sqlite_study: Study, people: SimpleNamespace, tmp_path: Path
) -> None:
    before = rows_in(sqlite_study)
    kill_an_import(sqlite_study, "samples", made_file("samples", MANY), tmp_path, 4)
    report = backup(people.owner, tmp_path / "backups" / "one.zip")
    assert report.is_sound
    restore(report.path, tmp_path / "restored" / "study.edgewise")
    again = open_study(str(tmp_path / "restored" / "study.edgewise"), tmp_path / "restored")
    assert rows_in(again) == before
    again.close()
    assert backup(people.owner, tmp_path / "backups" / "two.zip").is_sound
