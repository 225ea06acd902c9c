"""A run's export: what it always said, in little memory however much was answered, whole or not there."""

from __future__ import annotations

import errno
import io
import json
import tracemalloc
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Row, Select, delete, select
from sqlmodel import Session

from benchmarks.stored_run import RUN_ID, keep_run
from core.errors import StoreUnavailable
from services.runs.exports import files
from services.study import Study
from store.runs import exports, runs
from store.tables import metadata
from tests.everything import EVERYTHING

BEFORE = Path(__file__).with_name("kept_run.zip")
"""The export of 23 items by the version that put it together in memory."""


def exported(people: SimpleNamespace) -> bytes:
    file = io.BytesIO()
    made = files.export_run(people.reviewer, RUN_ID, file)
    assert made.size_bytes == len(file.getvalue())
    return file.getvalue()


@pytest.mark.both(usually=False)
def test_an_export_says_all_that_the_version_before_said(study: Study, people: SimpleNamespace) -> None:
    keep_run(study.store, items=23, reply_bytes=120)
    found = exported(people)
    with zipfile.ZipFile(BEFORE) as before, zipfile.ZipFile(io.BytesIO(found)) as now:
        assert [each.filename for each in now.infolist()] == [each.filename for each in before.infolist()]
        for then, each in zip(before.infolist(), now.infolist(), strict=True):
            # How much a member is packed is zlib's affair, and another build of it may pack otherwise.
            for about in ("date_time", "external_attr", "create_system", "compress_type", "flag_bits", "extra"):
                assert getattr(each, about) == getattr(then, about), (each.filename, about)
            if each.filename.endswith(".jsonl"):
                assert added(lines(before.read(then)), lines(now.read(each))) in ADDED, each.filename
        kept, written = (json.loads(archive.read("manifest.json")) for archive in (before, now))
        assert written == kept | {"files": written["files"]}
    assert found == exported(people)


OF_ITEMS = {"score", "parts", "step", "truth", "flags", "usage_fault", "asked_again", "sample_flags", "codes"}
ADDED: tuple[set[str], ...] = (set(), OF_ITEMS, {"step", "truth"})
"""Fields that lines of a file have now, beside those they had."""


def lines(member: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in member.splitlines()]


def added(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> set[str]:
    assert [{name: line[name] for name in then} for then, line in zip(before, now, strict=True)] == before
    return {name for then, line in zip(before, now, strict=True) for name in line.keys() - then.keys()}


@pytest.mark.skipif(not EVERYTHING, reason="texts in parts of few bytes: below")
def test_an_export_takes_no_more_memory_for_more_replies(
    sqlite_study: Study, people: SimpleNamespace, tmp_path: Path
) -> None:
    peaks, sizes = [], []
    for items in (5, 20, 90):  # with the first, all is loaded that an export needs
        keep_run(sqlite_study.store, items=items, reply_bytes=40_000)
        with (tmp_path / f"{items}.zip").open("xb") as file:
            tracemalloc.start()
            sizes.append(files.export_run(people.reviewer, RUN_ID, file).size_bytes)
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        with sqlite_study.store.writing() as session:
            for table in ("attempt", "run_item", "reply", "run_sample", "run_text", "run", "worker"):
                session.execute(delete(metadata.tables[table]))
    assert sizes[2] > 4 * sizes[1] and peaks[2] < 1.5 * peaks[1], (sizes, peaks)


def test_texts_come_in_parts_of_few_bytes(sqlite_study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_run(sqlite_study.store, items=40, reply_bytes=20)
    asked: list[list[str]] = []
    texts = runs.texts

    def noted(session: Session, hashes: Iterable[str]) -> dict[str, str]:
        asked.append(list(hashes))
        return texts(session, asked[-1])

    monkeypatch.setattr(runs, "texts", noted)
    monkeypatch.setattr(exports, "FEW_BYTES", 60)
    with sqlite_study.store.reading() as session:
        sizes = runs.text_sizes(session, [key for key, _ in every_text(session)])
        assert list(exports.texts(session, sizes)) == every_text(session)
    assert len(asked) > 2 and all(len(part) == 1 or sum(sizes[key] for key in part) <= 60 for part in asked)


def every_text(session: Session) -> list[tuple[str, str]]:
    text = runs.TEXT
    return [(row.hash, row.text) for row in session.execute(select(text.c.hash, text.c.text).order_by(text.c.hash))]


def test_replies_come_in_the_order_of_indexes_and_are_not_sorted(
    sqlite_study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_run(sqlite_study.store, items=40, reply_bytes=20)
    asked: list[Select[Any]] = []
    rows = exports._rows

    def noted(session: Session, query: Select[Any]) -> Iterator[Row[Any]]:
        asked.append(query)
        return rows(session, query)

    monkeypatch.setattr(exports, "_rows", noted)
    with sqlite_study.store.reading() as session:
        places = [
            (sample["place"], item["model"], item["repeat"]) for item, sample, _ in exports.items(session, RUN_ID)
        ]
        said = asked[0].compile(dialect=session.get_bind().dialect, compile_kwargs={"literal_binds": True})
        plan = [row[3] for row in session.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {said}")]
    assert places == sorted(places) and len(places) == 40
    assert not [step for step in plan if "TEMP B-TREE" in step], plan


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_disk_without_room_is_an_error_of_the_store(
    number: int, sqlite_study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.BytesIO):
        def write(self, _: Any) -> int:
            raise OSError(number, "no room")

    keep_run(sqlite_study.store, items=5, reply_bytes=20)
    with pytest.raises(StoreUnavailable, match="disk is full") as refusal:
        files.export_run(people.reviewer, RUN_ID, Full())
    assert getattr(refusal.value.__cause__, "errno", None) == number


def test_rows_are_read_no_more_once_a_disk_is_full(
    sqlite_study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.BytesIO):
        def write(self, content: Any) -> int:
            if self.tell() + len(content) > 3_000:
                raise OSError(errno.ENOSPC, "no room")
            return super().write(content)

    rows, ended = exports._rows, list[bool]()

    def watched(session: Session, query: Any) -> Iterator[Any]:
        try:
            yield from rows(session, query)
        finally:
            ended.append(session.in_transaction())

    monkeypatch.setattr(exports, "_rows", watched)
    keep_run(sqlite_study.store, items=3_000, reply_bytes=200)
    with pytest.raises(StoreUnavailable, match="not exported: the disk is full") as refusal:
        files.export_run(people.reviewer, RUN_ID, Full())
    assert (ended, str(refusal.value)[:7]) == ([True], "The run"), "before the exception is forgotten"


def test_a_file_to_send_is_gone_with_its_end(sqlite_study: Study, people: SimpleNamespace) -> None:
    keep_run(sqlite_study.store, items=5, reply_bytes=20)
    before = set(sqlite_study.cache.rglob("*"))
    found = files.export_to_send(people.reviewer, "1")
    assert found.file.read() == exported(people)
    assert found.about.name == files.export_name(people.reviewer, "1") == f"{sqlite_study.name}-run-1.zip"
    found.file.close()
    assert set(sqlite_study.cache.rglob("*")) == before
