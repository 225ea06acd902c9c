"""The table of permits: who may upload where, how much, and until when."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from threading import Barrier
from types import SimpleNamespace

import pytest

from core.errors import Refused, SignedOut, TooLarge
from core.people import Permission, Role, Viewer
from services.exchange import uploads
from services.exchange.uploads import FRAME, MB, OF_A_PERSON, PLAIN, Arrival, UploadPermits, UploadQuota
from services.people import access
from services.people import people as service
from services.study import Study
from store.tables import new_id

ANNA = Viewer(person_id="p1", name="anna", roles=frozenset({Role.RESEARCHER}), session_id="s1")
BELA = Viewer(person_id="p2", name="bela", roles=frozenset({Role.RESEARCHER}), session_id="s2")
DRAWER = replace(ANNA, roles=frozenset({Role.ANNOTATOR}))
SMALL = UploadQuota(3, 10)


class Table:
    """Permits of one session unless another is named, and what they let go."""

    def __init__(self) -> None:
        self.gone: list[tuple[str, list[str]]] = []
        self.permits = UploadPermits(lambda session, files: self.gone.append((session, sorted(files))))
        self.numbers = count()

    def draw(
        self, session: str = "t", *, viewer: Viewer = ANNA, area: str = "a", room: UploadQuota = PLAIN
    ) -> tuple[int, str]:
        """One whole run of a page with an uploader."""
        run = self.permits.begin()
        told = self.permits.grant(viewer, session, area, room, Permission.CURATE, run)
        self.permits.finish(session, run)
        return told

    def leave(self, session: str = "t") -> None:
        """One whole run of a page without."""
        self.permits.finish(session, self.permits.begin())

    def begin(self, size: int | None = 1, session: str = "t", *, viewer: Viewer = ANNA, name: str = "") -> Arrival:
        return self.permits.reserve(viewer, session, name or f"f{next(self.numbers)}", size)

    def put(self, size: int | None = 1, session: str = "t", *, viewer: Viewer = ANNA, name: str = "") -> str:
        arrival = self.begin(size, session, viewer=viewer, name=name)
        self.permits.keep(arrival)
        return arrival.file_id


@pytest.fixture
def table() -> Table:
    return Table()


# --- who ----------------------------------------------------------------------------------------------------------


def test_without_a_permit_nothing_is_taken(table: Table) -> None:
    with pytest.raises(Refused, match="No open page of yours"):
        table.put()
    table.leave()
    with pytest.raises(Refused):
        table.put()


@pytest.mark.parametrize("viewer", [BELA, DRAWER, replace(BELA, acting_owner="p1")], ids=["other", "role", "owner"])
def test_another_person_and_another_role_are_refused_also_with_the_sessions_id(table: Table, viewer: Viewer) -> None:
    table.draw()
    table.put()
    with pytest.raises(Refused):
        table.put(viewer=viewer)
    with pytest.raises(Refused):
        table.permits.check(viewer, "t")
    table.permits.check(ANNA, "t")


def test_a_session_that_another_person_takes_over_loses_what_was_there(table: Table) -> None:
    table.draw()
    file_id = table.put()
    table.draw(viewer=BELA)
    assert table.gone == [("t", [file_id])]
    with pytest.raises(Refused):
        table.put(viewer=ANNA)
    table.put(viewer=BELA)


def test_a_file_that_is_here_is_not_replaced(table: Table) -> None:
    table.draw()
    table.put(name="f")
    with pytest.raises(Refused, match="already here"):
        table.put(name="f")


# --- how much -----------------------------------------------------------------------------------------------------


def test_a_fourth_file_waits_until_one_is_removed_or_taken(table: Table) -> None:
    table.draw()
    first, second, _third = (table.put() for _ in range(3))
    with pytest.raises(TooLarge, match="at most 3 files and 150 MB at once"):
        table.put()
    assert table.permits.deleted("t", first)
    table.put()
    table.permits.taken("t", [second, "unknown"])
    assert table.gone == [("t", [second])]
    table.put()
    with pytest.raises(TooLarge):
        table.put()


def test_three_files_of_50_mb_fit_with_the_lines_around_them_and_no_byte_more(table: Table) -> None:
    table.draw(room=UploadQuota(9, 150 * MB))
    for _ in range(3):
        table.put(50 * MB + FRAME)
    with pytest.raises(TooLarge):
        table.put(FRAME + 1)
    table.put(FRAME)


def test_a_file_that_said_less_than_it_is_or_nothing_is_stopped_where_the_room_ends(table: Table) -> None:
    table.draw(room=SMALL)
    table.put(6)
    arrival = table.begin(None)
    table.permits.grow(arrival, 4)
    with pytest.raises(TooLarge):
        table.permits.grow(arrival, 5 + 2 * FRAME)
    table.permits.abandon(arrival)
    table.put(4)


def test_room_is_kept_before_the_first_byte_and_given_back_if_none_comes(table: Table) -> None:
    table.draw(room=SMALL)
    arrival = table.begin(10 + FRAME)
    with pytest.raises(TooLarge):
        table.put(1 + FRAME)
    table.permits.abandon(arrival)
    table.permits.abandon(arrival)
    table.put(10)


def test_of_many_that_come_at_once_no_more_are_let_in_than_there_is_room_for(table: Table) -> None:
    table.draw(room=UploadQuota(7, 10_000 * MB))
    together = Barrier(16)

    def put(number: int) -> bool:
        together.wait()
        try:
            table.put(name=f"f{number}")
        except TooLarge:
            return False
        return True

    with ThreadPoolExecutor(16) as threads:
        assert sum(threads.map(put, range(16))) == 7


def test_a_persons_open_pages_have_a_bound_together(table: Table) -> None:
    room, size = UploadQuota(9, 400 * MB), OF_A_PERSON // 2
    table.draw("t1", room=room)
    table.draw("t2", room=room)
    table.draw("t3", room=room, viewer=BELA)
    table.put(size, "t1")
    second = table.put(size, "t2")
    with pytest.raises(TooLarge, match="have the maximum of 500 MB"):
        table.put(MB, "t1")
    table.put(size, "t3", viewer=BELA)
    table.leave("t2")
    assert table.gone == [("t2", [second])]
    table.put(MB, "t1")


def test_what_is_still_on_its_way_to_a_page_that_was_left_counts_until_it_is_given_up(table: Table) -> None:
    room = UploadQuota(9, OF_A_PERSON)
    table.draw(room=room)
    arrival = table.begin(OF_A_PERSON)
    table.leave()
    table.draw(room=room)
    with pytest.raises(TooLarge):
        table.put(MB)
    table.permits.abandon(arrival)
    table.put(MB)


def test_what_found_no_room_is_told_until_the_next_file_comes(table: Table) -> None:
    table.draw()
    files = [table.put() for _ in range(3)]
    for _ in range(2):
        with pytest.raises(TooLarge):
            table.put()
    told = (2, "This page accepts at most 3 files and 150 MB at once.")
    table.permits.grant(ANNA, "t", "a", PLAIN, Permission.CURATE, table.permits.begin())  # a run that is cut short
    assert table.draw(area="b") == told, "the page has emptied its uploader meanwhile"
    assert table.draw(area="b") == told
    assert table.gone == [("t", files)]
    table.put()
    assert table.draw(area="b")[0] == 0


# --- until when ---------------------------------------------------------------------------------------------------


def test_a_permit_ends_with_the_first_finished_run_that_does_not_ask(table: Table) -> None:
    table.draw()
    files = [table.put(), table.put()]
    table.draw()
    assert table.gone == []
    table.leave()
    assert table.gone == [("t", files)]
    with pytest.raises(Refused):
        table.put()


def test_a_run_that_was_overtaken_ends_nothing_and_gives_nothing(table: Table) -> None:
    permits = table.permits
    older = permits.begin()
    table.draw(area="present")
    permits.finish("t", older)
    file_id = table.put()
    assert permits.grant(ANNA, "t", "past", PLAIN, Permission.CURATE, older) == (0, "")
    assert table.gone == []
    table.leave()
    assert table.gone == [("t", [file_id])]
    assert permits.grant(ANNA, "t", "past", PLAIN, Permission.CURATE, older) == (0, "")
    with pytest.raises(Refused):
        table.put()


def test_the_running_pages_permit_outlasts_an_older_run_that_asks_late(table: Table) -> None:
    permits = table.permits
    older, newer = permits.begin(), permits.begin()
    permits.grant(ANNA, "t", "present", PLAIN, Permission.CURATE, newer)
    permits.grant(ANNA, "t", "past", PLAIN, Permission.CURATE, older)
    permits.finish("t", newer)
    table.put()


def test_emptying_the_uploader_lets_its_files_go_and_stops_those_on_their_way(table: Table) -> None:
    table.draw(area="files.0")
    file_id, arrival, done = table.put(), table.begin(None), table.begin(None)
    table.draw(area="files.1")
    assert table.gone == [("t", [file_id])]
    with pytest.raises(Refused):
        table.permits.grow(arrival, 1)
    with pytest.raises(Refused):
        table.permits.keep(done)
    table.put()


def test_the_end_of_a_session_is_the_end_of_its_permit_and_of_no_others(table: Table) -> None:
    table.draw("t")
    table.draw("u")
    file_id = table.put(session="t")
    table.put(session="u")
    table.permits.end("t")
    table.permits.end("t")
    assert table.gone == [("t", [file_id])]
    with pytest.raises(Refused):
        table.put(session="t")
    table.put(session="u")


def test_sessions_that_nobody_ended_do_not_fill_the_table(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_SESSIONS", 3)
    table.draw("t")
    table.put(session="t")
    for number in range(9):
        table.draw(f"left {number}")
    table.put(session="t")
    table.put(session="left 8")
    with pytest.raises(Refused):
        table.put(session="left 1")


# --- with a study -------------------------------------------------------------------------------------------------


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Table:
    """The table that services use."""
    table = Table()
    monkeypatch.setattr(uploads, "PERMITS", table.permits)
    return table


class TestPermit:
    def test_only_who_may_import_gets_one(self, study: Study, people: SimpleNamespace, held: Table) -> None:
        for viewer in (people.annotator, people.expert, people.reviewer):
            with pytest.raises(Refused, match="Your role"):
                uploads.permit(viewer, "t", "a")
        assert uploads.permit(people.researcher, "t", "a") == ""
        held.put(viewer=people.researcher)

    def test_a_drawing_of_the_page_renews_it_and_one_that_is_cut_short_does_not_end_it(
        self, study: Study, people: SimpleNamespace, held: Table
    ) -> None:
        def draw(*, asks: bool, cut_short: bool = False) -> None:
            with uploads.page_run("t"):
                if asks:
                    uploads.permit(people.researcher, "t", "a")
                if cut_short:
                    raise KeyboardInterrupt  # as Streamlit ends a run: by what is no Exception

        draw(asks=True)
        with pytest.raises(KeyboardInterrupt):
            draw(asks=False, cut_short=True)
        file_id = held.put(viewer=people.researcher)
        draw(asks=True)
        assert held.gone == []
        draw(asks=False)
        assert held.gone == [("t", [file_id])]

    def test_what_found_no_room_is_said_in_words(self, study: Study, people: SimpleNamespace, held: Table) -> None:
        room = UploadQuota(1, MB)
        uploads.permit(people.researcher, "t", "a", room)
        held.put(viewer=people.researcher)
        for _ in range(2):
            with pytest.raises(TooLarge):
                held.put(viewer=people.researcher)
        assert uploads.permit(people.researcher, "t", "a", room) == (
            "2 files were not accepted. This page accepts at most 1 file and 1 MB at once. "
            "Add them again after the others."
        )

    @pytest.mark.parametrize("way", ["signs out everywhere", "is deactivated"])
    def test_who_is_signed_out_keeps_no_file(
        self, study: Study, people: SimpleNamespace, held: Table, way: str
    ) -> None:
        ends: dict[str, Callable[[], object]] = {
            "signs out everywhere": lambda: access.sign_out_everywhere(people.researcher, act_id=new_id()),
            "is deactivated": lambda: service.set_active(
                people.owner, people.researcher.person_id, False, seen=1, act_id=new_id()
            ),
        }
        uploads.permit(people.researcher, "t", "a")
        uploads.permit(people.owner, "u", "a")
        file_id = held.put(viewer=people.researcher)
        ends[way]()
        assert held.gone == [("t", [file_id])]
        with pytest.raises(SignedOut):
            uploads.permit(people.researcher, "t", "a")
        held.put(session="u", viewer=people.owner)

    def test_a_new_password_ends_other_sign_ins_only(self, held: Table) -> None:
        other = replace(ANNA, session_id="elsewhere")
        held.draw("here")
        held.draw("there", viewer=other)
        held.put(session="here")
        file_id = held.put(session="there", viewer=other)
        uploads.end_person("p1", but="s1")
        assert held.gone == [("there", [file_id])]
        held.put(session="here")
