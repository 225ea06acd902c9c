"""Damages a study or its backup in one random place, and tells what was noticed and what came back.

The study is the demo's with a twentieth of its model answers, closed, with a sound backup of yesterday beside it. Each
try damages one thing: a byte of the database's file, a byte of a paper's file or all of it, a byte of a backup or one
of its files. What then counts is what `backup` or `backup --verify` says, and what a restore brings back.
"""

from __future__ import annotations

import shutil
import sqlite3
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from core.errors import EdgewiseError
from services.acting import terminal_viewer
from services.backups.backup import backup
from services.backups.restoring import restore, verify
from services.demo.study import make_demo
from services.study import open_study, use_study
from store.files import FileShelf, is_whole
from store.tables import metadata

Rows = dict[str, dict[int, tuple[bytes | int | float | None, ...]]]
KEPT_SAMPLES = 10

_THINNED = f"""
DELETE FROM run_item WHERE sample_id IN (SELECT id FROM run_sample WHERE place >= {KEPT_SAMPLES}) AND id NOT IN (
    SELECT item_id FROM verdict_sheet UNION SELECT item_id FROM verdict_override
    UNION SELECT item_id FROM verdict_reviewed UNION SELECT item_id FROM critic_score WHERE item_id IS NOT NULL);
DELETE FROM attempt WHERE item_id NOT IN (SELECT id FROM run_item);
DELETE FROM run_sample WHERE place >= {KEPT_SAMPLES} AND id NOT IN (SELECT sample_id FROM run_item);
DELETE FROM reply WHERE request_hash NOT IN (SELECT request_hash FROM run_item WHERE request_hash IS NOT NULL);
"""


@dataclass
class Counts:
    """What came of the tries. `unnoticed`: table and column of values that changed and nobody told of."""

    tries: int = 0
    noticed: Counter[str] = field(default_factory=Counter)
    harmless: Counter[str] = field(default_factory=Counter)
    unnoticed: Counter[str] = field(default_factory=Counter)
    restored: int = 0
    by_yesterdays: int = 0
    faults: list[str] = field(default_factory=list)


def make_study(folder: Path) -> Path:
    """The demo study, thinned, in `folder`, with its backup of yesterday in `folder`/backups."""
    place = folder / "study.edgewise"
    study = open_study(str(place), folder / "home")
    use_study(study)
    make_demo()
    with closing(sqlite3.connect(place)) as raw:
        raw.executescript(_THINNED)
        raw.execute("VACUUM")
    assert backup(terminal_viewer(), folder / "backups" / "yesterday.zip").is_sound
    use_study(None)
    study.close()
    assert not place.with_name(place.name + "-wal").exists()
    return place


def rows_of(database: Path) -> Rows:
    """Every row of every table by its row id, bytes as they are."""
    with closing(sqlite3.connect(f"{database.as_uri()}?immutable=1", uri=True)) as raw:
        raw.text_factory = bytes
        return {
            table.name: {row[0]: row[1:] for row in raw.execute(f'SELECT rowid, * FROM "{table.name}"')}
            for table in metadata.sorted_tables
        }


def flip(path: Path, rng: Random) -> int:
    """Change one random byte; returns where."""
    content = bytearray(path.read_bytes())
    at = rng.randrange(len(content))
    content[at] ^= rng.randrange(1, 256)
    path.write_bytes(content)
    return at


class Trial:
    """One copy of the study and of yesterday's backup, damaged once."""

    def __init__(self, counts: Counts, study: Path, good: Rows, folder: Path, rng: Random) -> None:
        self.counts, self.good, self.folder, self.rng = counts, good, folder, rng
        shutil.copytree(study.parent, folder, ignore=shutil.ignore_patterns("home"))
        self.place = folder / study.name
        self.yesterday = folder / "backups" / "yesterday.zip"
        self.files = sorted(path for path in (folder / "files").glob("*/*"))

    def database(self) -> None:
        at = flip(self.place, self.rng)
        report = None
        try:
            study = open_study(str(self.place), self.folder / "home")
            use_study(study)
            try:
                report = backup(terminal_viewer(), self.folder / "backups" / "today.zip")
            finally:
                use_study(None)
                study.close()
        except EdgewiseError as error:
            self.counts.noticed["refused to open or to be copied"] += 1
            assert "\n" not in str(error), error
        if report is None or not report.is_restorable:
            if report is not None:
                self.counts.noticed["backup: pages"] += 1
            self._yesterdays()
            return
        if report.is_sound:
            self._unnoticed(report.path, f"byte {at}")
        else:
            self.counts.noticed["backup: a row, an index or what differs"] += 1
        self._restored(report.path, most_rows=1)

    def file(self) -> None:
        path = self.rng.choice(self.files)
        is_flip = self.rng.random() < 0.5
        if is_flip:
            flip(path, self.rng)
        else:
            path.unlink()
        study = open_study(str(self.place), self.folder / "home")
        use_study(study)
        report = backup(terminal_viewer(), self.folder / "backups" / "today.zip")
        use_study(None)
        study.close()
        if [each.sha256 for each in report.missing] != [path.name]:
            self.counts.faults.append(f"{path.name} was damaged and not told: {report.missing}")
        self.counts.noticed["backup: a file"] += 1
        self._restored(report.path, most_rows=0, lost={path.name})
        # Yesterday's backup, restored beside it, brings this file back too.
        restore(self.yesterday, self.folder / "beside.edgewise")
        if not is_whole(path, path.name):
            self.counts.faults.append(f"{path.name} did not come back")

    def archive(self) -> None:
        flip(self.yesterday, self.rng)
        self._archive("a byte of a backup")

    def archived_file(self) -> None:
        with zipfile.ZipFile(self.yesterday) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        del members[self.rng.choice([name for name in members if name.startswith("files/")])]
        with zipfile.ZipFile(self.yesterday, "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        self._archive("a file of a backup")

    def _archive(self, what: str) -> None:
        try:
            report = verify(self.yesterday)
        except EdgewiseError:
            self.counts.noticed[f"verify: {what}"] += 1
            return  # the study itself is sound, and so is its next backup
        lost = {each.sha256 for each in report.missing}
        if report.is_sound:
            self.counts.harmless[what] += 1
        else:
            self.counts.noticed[f"verify: {what}"] += 1
        self._restored(self.yesterday, most_rows=0, lost=lost)

    def _yesterdays(self) -> None:
        """Today's cannot be restored: yesterday's is put in the study's place, whole."""
        report = restore(self.yesterday, self.place, replace=True)
        if not report.is_sound or rows_of(self.place) != self.good:
            self.counts.faults.append(f"yesterday's backup did not come back whole: {report}")
        self.counts.by_yesterdays += 1

    def _restored(self, source: Path, *, most_rows: int, lost: set[str] = frozenset()) -> None:  # type: ignore[assignment]
        report = restore(source, self.folder / "again" / "study.edgewise")
        found = rows_of(report.path)
        differ = [
            f"{table} {rowid}"
            for table, rows in self.good.items()
            for rowid, row in rows.items()
            if found[table].get(rowid) != row
        ]
        if len(differ) > most_rows or any(found[table].keys() - rows.keys() for table, rows in self.good.items()):
            self.counts.faults.append(f"{source.name}: rows came back otherwise: {differ[:5]}")
        whole = [p for p in self.files if is_whole(FileShelf.place_in(report.path.parent / "files", p.name), p.name)]
        if {path.name for path in self.files} - {path.name for path in whole} != lost:
            self.counts.faults.append(f"{source.name}: files did not come back: {report.missing}")
        self.counts.restored += 1

    def _unnoticed(self, source: Path, what: str) -> None:
        """Nobody told of it: nothing may have changed, or it is counted by what did."""
        with zipfile.ZipFile(source) as archive:
            database = Path(archive.extract("study.sqlite", self.folder / "looked at"))
        found = rows_of(database)
        changed = [
            f"{table}.{metadata.tables[table].columns.keys()[place]}"
            for table, rows in self.good.items()
            for rowid, row in rows.items()
            for place, value in enumerate(found[table].get(rowid, ()))
            if value != row[place]
        ]
        if found == self.good:
            self.counts.harmless["a byte of the database that is in no row"] += 1
        else:
            self.counts.unnoticed[", ".join(changed) or what] += 1


def damage_all(folder: Path, tries: int, seed: int) -> Counts:
    """Damage `tries` copies of one study; three in five in the database's file."""
    counts, rng = Counts(), Random(seed)
    study = make_study(folder / "sound")
    good = rows_of(study)
    for number in range(tries):
        trial = Trial(counts, study, good, folder / f"try {number}", rng)
        ways: list[Callable[[], None]] = (
            [trial.database] * 6 + [trial.file] + [trial.archive] * 2 + [trial.archived_file]
        )
        try:
            ways[number % len(ways)]()
        except Exception as error:
            use_study(None)
            where = traceback.extract_tb(error.__traceback__)[-1]
            counts.faults.append(f"try {number}: no sentence but {error!r} at {where.filename}:{where.lineno}"[:400])
        counts.tries += 1
        shutil.rmtree(trial.folder)
    return counts
