"""Opening a store: SQLite's settings, writers that do not lose each other's work, faults in plain words."""

from __future__ import annotations

import resource
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import col, select

from core.errors import BadInput, Conflict, StoreUnavailable
from services.study import Study
from store.engine import Store, WriteTurns, store_url
from store.settings import set_setting, setting
from store.tables import SettingRow
from tests.no_fsync import AS_IN_USE

pytestmark = pytest.mark.both

ROOT = Path(__file__).resolve().parents[2]


def test_a_path_becomes_a_sqlite_url_and_a_postgres_url_names_the_driver(tmp_path: Path) -> None:
    assert store_url(str(tmp_path / "a.edgewise")) == f"sqlite:///{tmp_path / 'a.edgewise'}"
    assert store_url("postgresql://host/name") == "postgresql+psycopg://host/name"
    assert store_url("postgres://host/name") == "postgresql+psycopg://host/name"
    assert store_url("sqlite:///x.db") == "sqlite:///x.db"


def test_a_path_with_a_question_mark_is_refused_and_names_no_other_file(tmp_path: Path) -> None:
    """In a URL the path would end there: `a.edgewise?copy` was the study a.edgewise."""
    with pytest.raises(BadInput, match="question mark"):
        store_url(str(tmp_path / "a.edgewise?copy"))


def test_a_store_is_named_like_its_file_or_database(sqlite_url: str, postgresql_url: str) -> None:
    assert Store(sqlite_url).name == "study"
    assert Store(sqlite_url).path == Path(sqlite_url)
    on_server = Store(postgresql_url)
    assert on_server.path is None
    assert on_server.name.startswith("t_")


@pytest.fixture
def as_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store waits for the disk, which it does in no other test."""
    monkeypatch.setattr("store.engine._prepare_sqlite", AS_IN_USE)


@pytest.mark.usefixtures("as_in_use")
@pytest.mark.parametrize(
    ("pragma", "expected"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("secure_delete", 1)],
)
def test_sqlite_connections_are_durable_and_strict(sqlite_study: Study, pragma: str, expected: object) -> None:
    store = sqlite_study.store
    for opened in (store.reading(), store.writing()):
        with opened as session:
            assert session.execute(text(f"PRAGMA {pragma}")).scalar() == expected


def test_a_write_holds_the_lock_from_its_first_moment(sqlite_study: Study) -> None:
    with sqlite_study.store.writing() as session:
        session.execute(text("SELECT 1"))  # nothing written yet
        other = sqlite3.connect(str(sqlite_study.store.path), timeout=0, isolation_level=None)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        other.close()


def test_a_read_does_not_wait_for_a_writer(sqlite_study: Study) -> None:
    with sqlite_study.store.writing() as writer:
        set_setting(writer, "half", 1)
        began = time.monotonic()
        with sqlite_study.store.reading() as reader:
            assert setting(reader, "half") is None
        assert time.monotonic() - began < 5  # the busy timeout is 30 s


def test_a_reader_sees_one_moment_however_long_it_reads(study: Study) -> None:
    with study.store.writing() as session:
        set_setting(session, "steps", 1)
    with study.store.reading() as reader:
        first = reader.execute(text("SELECT value FROM study_setting WHERE key = 'steps'")).scalar_one()
        with study.store.writing() as session:
            set_setting(session, "steps", 2)
        second = reader.execute(text("SELECT value FROM study_setting WHERE key = 'steps'")).scalar_one()
    assert first == second
    with study.store.reading() as reader:
        assert setting(reader, "steps") == 2


def test_ten_threads_that_read_add_and_write_lose_no_step_on_sqlite(sqlite_study: Study) -> None:
    with sqlite_study.store.writing() as session:
        session.add(SettingRow(key="count", value=0))

    def add_twenty(_thread: int) -> None:
        for _ in range(20):
            with sqlite_study.store.writing() as session:
                set_setting(session, "count", setting(session, "count") + 1)

    with ThreadPoolExecutor(10) as threads:
        list(threads.map(add_twenty, range(10)))
    with sqlite_study.store.reading() as session:
        assert setting(session, "count") == 200  # 10 threads x 20
        assert session.get_one(SettingRow, "count").version == 201


def test_writers_of_one_process_are_served_in_the_order_they_came(sqlite_study: Study) -> None:
    store, order = sqlite_study.store, list[int]()

    def write(number: int) -> None:
        with store.writing() as session:
            order.append(number)
            set_setting(session, f"writer {number}", number)

    with ThreadPoolExecutor(8) as threads, store.writing() as session:
        set_setting(session, "first", 0)
        for number in range(8):
            threads.submit(write, number)
            while store._write_turns.waiting <= number:
                time.sleep(0.001)
    assert order == list(range(8))


def test_a_turn_that_does_not_come_is_given_up_and_the_next_one_comes(sqlite_study: Study) -> None:
    turns = sqlite_study.store._write_turns
    with turns.turn(1):
        with pytest.raises(StoreUnavailable, match="Busy"), turns.turn(0.02):
            pass
        assert turns.waiting == 0
    with turns.turn(0.02):
        pass
    with pytest.raises(RuntimeError), turns.turn(0.02):
        raise RuntimeError  # a write that fails gives its turn back
    with turns.turn(0.02):
        pass


def test_so_many_have_a_turn_at_once_and_the_rest_wait_or_give_up() -> None:
    turns, came = WriteTurns(2, "too many", nests=True), list[int]()
    may_end = threading.Event()

    def take(number: int) -> None:
        with turns.turn(10), turns.turn(10):  # a second one within the first costs no place
            came.append(number)
            may_end.wait(10)

    with ThreadPoolExecutor(6) as threads:
        for number in range(6):
            threads.submit(take, number)
            while len(came) + turns.waiting <= number:
                time.sleep(0.001)
        assert sorted(came) == [0, 1] and turns.waiting == 4
        with pytest.raises(StoreUnavailable, match="too many"), turns.turn(0.02):
            pass
        may_end.set()
    assert sorted(came) == list(range(6)) and turns.waiting == 0


def test_threads_on_a_server_are_told_of_every_clash_and_lose_no_step(study: Study) -> None:
    with study.store.writing() as session:
        session.add(SettingRow(key="count", value=0))

    def add_ten(_thread: int) -> None:
        done = 0
        while done < 10:
            try:
                with study.store.writing() as session:
                    row = session.get(SettingRow, "count")
                    assert row is not None
                    row.value += 1
            except Conflict:
                continue
            done += 1

    with ThreadPoolExecutor(5) as threads:
        list(threads.map(add_ten, range(5)))
    with study.store.reading() as session:
        assert setting(session, "count") == 50  # 5 threads x 10


def test_a_row_that_changed_since_it_was_read_is_a_conflict(study: Study) -> None:
    with study.store.writing() as session:
        session.add(SettingRow(key="mood", value="calm"))
    with study.store.reading() as session:
        held = session.exec(select(SettingRow).where(col(SettingRow.key) == "mood")).one()
        session.expunge(held)
    with study.store.writing() as session:
        set_setting(session, "mood", "stormy")
    with pytest.raises(Conflict, match="Someone else has changed"), study.store.writing() as session:
        session.add(held)
        held.value = "sunny"
        session.flush()
    with study.store.reading() as session:
        assert setting(session, "mood") == "stormy"


def test_an_error_inside_leaves_nothing(study: Study) -> None:
    with pytest.raises(RuntimeError), study.store.writing() as session:
        set_setting(session, "half", 1)
        raise RuntimeError
    with study.store.reading() as session:
        assert setting(session, "half") is None


def test_json_columns_refuse_not_a_number(study: Study) -> None:
    with pytest.raises(Exception, match="not JSON compliant"), study.store.writing() as session:
        set_setting(session, "bad", float("nan"))


def test_another_writer_for_a_while_only_delays_a_save(sqlite_study: Study) -> None:
    path = str(sqlite_study.store.path)
    locked = threading.Event()

    def hold() -> None:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        locked.set()
        time.sleep(0.5)
        other.execute("COMMIT")
        other.close()

    holder = threading.Thread(target=hold)
    holder.start()
    locked.wait()
    with sqlite_study.store.writing() as session:
        set_setting(session, "patient", True)
    holder.join()
    with sqlite_study.store.reading() as session:
        assert setting(session, "patient") is True


def test_another_writer_for_too_long_is_said_plainly(sqlite_study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.engine.BUSY_TIMEOUT_MS", 50)
    impatient = Store(str(sqlite_study.store.path))
    other = sqlite3.connect(str(sqlite_study.store.path), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreUnavailable, match="Busy, not saved"), impatient.writing() as session:
        set_setting(session, "late", 1)
    other.execute("ROLLBACK")
    other.close()
    with impatient.writing() as session:
        set_setting(session, "late", 2)
    impatient.close()


def test_a_write_may_be_told_to_wait_less_and_the_next_one_waits_as_ever(sqlite_study: Study) -> None:
    store = sqlite_study.store
    other = sqlite3.connect(str(store.path), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreUnavailable, match="Busy, not saved"), store.writing(20) as session:
        set_setting(session, "late", 1)
    other.execute("ROLLBACK")
    other.close()
    with store.writing() as session:
        set_setting(session, "late", 2)


def test_a_write_gets_in_between_those_of_another_program_that_writes_all_the_time(sqlite_study: Study) -> None:
    """SQLite itself looks every 0.1 s in the end, and the lock is free a sixth of the time."""
    store, enough = sqlite_study.store, threading.Event()

    def write_all_the_time() -> None:
        other = sqlite3.connect(str(store.path), timeout=30, isolation_level=None)
        while not enough.is_set():
            other.execute("BEGIN IMMEDIATE")
            time.sleep(0.05)
            other.execute("COMMIT")
            time.sleep(0.01)
        other.close()

    thread = threading.Thread(target=write_all_the_time)
    thread.start()
    try:
        took = []
        for number in range(15):
            began = time.monotonic()
            with store.writing() as session:
                set_setting(session, "between", number)
            took.append(time.monotonic() - began)
    finally:
        enough.set()
        thread.join()
    assert sum(took) / len(took) < 0.15, took


def test_more_people_than_connections_are_told_to_try_again(
    sqlite_study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Store(str(sqlite_study.store.path))
    pool = small._reader.pool
    monkeypatch.setattr(pool, "_timeout", 0.05)
    held = [small._reader.connect() for _ in range(30)]  # 20 kept, 10 over
    with pytest.raises(StoreUnavailable, match="Busy"), small.reading() as session:
        setting(session, "any")
    for connection in held:
        connection.close()
    small.close()


FULL_DISK = """
    import resource, sys
    from core.errors import StoreUnavailable
    from store.engine import Store
    from store.settings import set_setting, setting

    store = Store(sys.argv[1])
    with store.writing() as session:
        set_setting(session, "before", 0)
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, hard))
    kept, message = 0, ""
    for number in range(200):
        try:
            with store.writing() as session:
                set_setting(session, f"row {number}", "x" * 20_000)
        except StoreUnavailable as error:
            message = str(error)
            break
        kept += 1
    with store.reading() as session:
        seen = sum(setting(session, f"row {n}") is not None for n in range(200))
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    with store.writing() as session:
        set_setting(session, "after", 1)
    store.close()
    print(kept, seen, message, sep="|")
"""


def test_a_full_disk_is_said_plainly_keeps_what_was_saved_and_passes(sqlite_url: str) -> None:
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    assert limit == resource.RLIM_INFINITY
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(FULL_DISK), sqlite_url],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    kept, seen, message = done.stdout.strip().split("|")
    assert int(kept) == int(seen) > 0
    assert message.startswith("Not saved: the disk is full")
    store = Store(sqlite_url)
    with store.reading() as session:
        assert setting(session, "after") == 1
        assert setting(session, f"row {int(kept) - 1}") is not None
        assert setting(session, f"row {kept}") is None
    assert store.check() == []
    store.close()


def test_a_check_of_a_sound_store_finds_nothing(study: Study) -> None:
    assert study.store.check() == []


def test_a_check_finds_a_row_that_points_nowhere(sqlite_study: Study) -> None:
    raw = sqlite3.connect(str(sqlite_study.store.path))
    raw.execute(
        "INSERT INTO node (id, graph_id, place, name, origin, name_key) VALUES ('n', 'gone', 1, 'A', 'typed', 0)"
    )
    raw.commit()
    raw.close()
    assert len(sqlite_study.store.check()) == 1


def test_a_file_that_is_no_database_is_said_plainly(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("These are notes, not a study. " * 100)
    store = Store(str(path))
    with pytest.raises(StoreUnavailable, match="damaged"), store.reading() as session:
        setting(session, "any")
    store.close()


def test_a_server_that_does_not_answer_is_said_without_the_drivers_words_which_are_logged(
    caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    store = Store(f"postgresql:///none?host={tmp_path}/secret&user=somebody")
    with pytest.raises(StoreUnavailable) as trouble, store.reading() as session:
        setting(session, "any")
    store.close()
    assert str(trouble.value) == "The store does not answer. Try again in a moment; the log says why."
    assert "secret" in caplog.text


def test_words_that_a_server_happens_to_say_are_not_taken_for_a_full_disk(tmp_path: Path) -> None:
    store = Store(f"postgresql:///none?host={tmp_path}/locked&user=full")
    with pytest.raises(StoreUnavailable, match="does not answer"), store.reading() as session:
        setting(session, "any")
    store.close()
