"""Who may put files into the server's memory, how many, and that they are gone with the page: plain HTTP to a served
study, with its pages opened over the real websocket."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.everything import EVERYTHING
from tests.wire import Shown, Wire, cookie_of

MB = 1_000_000
LINES = b"Rain -> Harvest\n"
HEAD = b'--x\r\nContent-Disposition: form-data; name="f"; filename="f.txt"\r\n\r\n'
FILL = """
from core.papers.papers import PaperReference
from services.papers import importing as paper_importing
made = paper_importing.add_reference(terminal, PaperReference(title="A paper without its file"), act_id=new_act())
print(json.dumps(made.subject_id))
"""
NOT_YOURS = (403, "No open page of yours accepts this file. Reload the page and choose the file again.")
NOTHING = {"files": 0, "bytes": 0, "readers": 0}
Answer = tuple[int, str]


@dataclass(frozen=True)
class Place:
    """A served study with one paper that has no file, and people's cookies with Streamlit's token."""

    server: Any
    paper: str
    cookies: dict[str, str]

    def wire(self, name: str, session: str = "") -> Wire:
        return Wire(self.server.url, self.cookies[name], session)

    def token(self, name: str) -> str:
        """Streamlit's, against forms of other sites."""
        return self.cookies[name].partition("_streamlit_xsrf=")[2]

    def ask(
        self, method: str, path: str, name: str, body: bytes | Iterator[bytes] = b"", **headers: str
    ) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        named = {"Cookie": self.cookies[name], "X-Xsrftoken": self.token(name)}
        connection.request(method, path, body, {**named, **headers}, encode_chunked="Transfer-Encoding" in headers)
        answer = connection.getresponse()
        answer.words = answer.read().decode(errors="replace")  # type: ignore[attr-defined]
        connection.close()
        return answer

    def put(self, name: str, session: str, content: bytes = LINES, file_id: str = "", suffix: str = "txt") -> Answer:
        """Upload a file as a browser does."""
        body = HEAD.replace(b"txt", suffix.encode()) + content + b"\r\n--x--\r\n"
        path, kind = path_of(session, file_id or str(uuid4())), "multipart/form-data; boundary=x"
        answer = self.ask("PUT", path, name, body, **{"Content-Type": kind})
        return answer.status, answer.words  # type: ignore[attr-defined]

    def begin(self, name: str, session: str, size: int) -> http.client.HTTPConnection:
        """Say that a file of this size comes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        connection.putrequest("PUT", path_of(session, str(uuid4())))
        named = {"Cookie": self.cookies[name], "X-Xsrftoken": self.token(name), "Content-Length": str(size)}
        for header, value in {**named, "Content-Type": "multipart/form-data; boundary=x"}.items():
            connection.putheader(header, value)
        connection.endheaders()
        return connection

    def announce(self, name: str, session: str, size: int) -> Answer:
        """Say that a file of this size comes, and hear what is said to that before it does."""
        connection = self.begin(name, session, size)
        answer = connection.getresponse()
        words = answer.read().decode()
        connection.close()
        return answer.status, words

    def delete(self, name: str, session: str, file_id: str) -> Answer:
        answer = self.ask("DELETE", path_of(session, file_id), name)
        return answer.status, answer.words  # type: ignore[attr-defined]

    def held(self) -> dict[str, int]:
        found: dict[str, int] = json.loads(self.ask("GET", "/held", "owner").words)  # type: ignore[attr-defined]
        return found

    def until_nothing_is_held(self) -> None:
        """A closed connection is noticed a moment later."""
        end = time.monotonic() + 30
        while (held := self.held()) != NOTHING:
            assert time.monotonic() < end, held
            time.sleep(0.05)


@pytest.fixture(scope="module")
def place(start_server: Callable[..., Any]) -> Place:
    server = start_server(door="tests.browser.counting_door:app")
    found = Place(server, json.loads(server.seed(FILL).splitlines()[-1]), {})
    for name in ("owner", "annotator", "reviewer", "researcher"):
        found.cookies[name] = cookie_of(server.url, name, server.password)
        token = found.ask("GET", "/_stcore/health", name).headers["Set-Cookie"]
        found.cookies[name] += "; " + token.partition(";")[0]
    return found


def path_of(session: str, file_id: str) -> str:
    return f"/_stcore/upload_file/{session}/{file_id}"


def chosen(uploader: Shown, *file_ids: str) -> WidgetState:
    """What the browser says of an uploader once it has sent these files."""
    state = WidgetState(id=uploader.id)
    for file_id in file_ids:
        state.file_uploader_state_value.uploaded_file_info.add(file_id=file_id, name="f.txt", size=len(LINES))
    state.file_uploader_state_value.SetInParent()
    return state


# --- who --------------------------------------------------------------------------------------------------------


@pytest.mark.proof("T7", "uploads without an uploader, without the role, into others' sessions", gate="0 taken")
def test_only_the_person_whose_open_page_has_an_uploader_may_upload(
    place: Place, record_property: Callable[[str, object], None]
) -> None:
    tried = 0
    with place.wire("researcher") as own, place.wire("annotator") as drawer, place.wire("reviewer") as reader:
        own.open("exchange")
        file_id = str(uuid4())
        for wire, name, pages in (
            (drawer, "annotator", ("", "transcribe", "exchange", "papers", "people")),
            (reader, "reviewer", ("", "adjudicate", "exchange", "papers", "graphs")),
        ):
            for page in pages:
                wire.open(page, view="add")
                for session in (wire.session, own.session, str(uuid4())):
                    assert place.put(name, session) == NOT_YOURS, (name, page)
                    assert place.delete(name, session, file_id) == NOT_YOURS, (name, page)
                    tried += 2
        assert place.put("owner", own.session) == NOT_YOURS
        assert place.held() == NOTHING

        assert place.put("researcher", own.session, file_id=file_id) == (204, "")
        for name in ("annotator", "reviewer", "owner"):
            assert place.put(name, own.session, b"planted", file_id) == NOT_YOURS
            assert place.delete(name, own.session, file_id) == NOT_YOURS
            tried += 2
        assert place.put("researcher", own.session, b"again", file_id)[0] == 403
        assert place.held() == {"files": 1, "bytes": len(LINES), "readers": 0}
        assert place.delete("researcher", own.session, file_id) == (204, "")
        assert place.held() == NOTHING
    record_property("repetitions", tried)


def test_nothing_but_adding_and_removing_a_file_is_answered_there(place: Place) -> None:
    with place.wire("researcher") as wire:
        wire.open("exchange")
        path = path_of(wire.session, str(uuid4()))
        for method in ("GET", "HEAD", "POST", "PATCH", "OPTIONS"):
            assert place.ask(method, path, "researcher").status == 405, method
        for odd in (
            path + "/x",
            path[:-1],
            path.replace("upload_file", "upload_file/x"),
            "/x" + path,
            "/_stcore/upload_file",
        ):
            assert place.ask("PUT", odd, "researcher").status == 404, odd
        forged = place.ask("PUT", path, "researcher", **{"X-Xsrftoken": "forged", "Content-Length": "0"})
        assert forged.status == 403
        assert place.put("researcher", wire.session)[0] == 204, "what was refused keeps no room"


# --- how much ---------------------------------------------------------------------------------------------------


def test_a_fourth_file_is_refused_in_words_until_there_is_room_and_said_on_the_page(place: Place) -> None:
    with place.wire("researcher") as wire:
        wire.open("papers", paper=place.paper)
        first = str(uuid4())
        assert [place.put("researcher", wire.session, file_id=each)[0] for each in (first, "", "")] == [204] * 3
        assert place.put("researcher", wire.session) == (413, "This page accepts at most 3 files and 150 MB at once.")
        assert place.held()["files"] == 3
        said = wire.open("papers", paper=place.paper).alerts
        assert said == [
            "1 file was not accepted. This page accepts at most 3 files and 150 MB at once. "
            "Add it again after the others."
        ]
        assert place.delete("researcher", wire.session, first)[0] == 204
        assert place.put("researcher", wire.session)[0] == 204
        assert wire.open("papers", paper=place.paper).alerts == []
        wire.open("papers")
        assert place.held() == NOTHING


@pytest.mark.proof("T6", "ten uploads of 45 MB, their length said or not", gate="at most 150 MB held")
@pytest.mark.skipif(not EVERYTHING, reason="a fourth file is refused: above")
def test_ten_files_of_45_mb_are_bounded_by_the_room_of_the_page(
    place: Place, record_property: Callable[[str, object], None]
) -> None:
    size = 45 * MB
    with place.wire("researcher") as wire:
        wire.open("exchange")
        assert [place.put("researcher", wire.session, bytes(size))[0] for _ in range(3)] == [204] * 3
        full = (413, "This page accepts at most 500 files and 150 MB at once.")
        assert {place.announce("researcher", wire.session, size) for _ in range(6)} == {full}
        # One that does not say how long it is: cut off where the room ends, not where the file does.
        sent = 0

        def unannounced() -> Iterator[bytes]:
            nonlocal sent
            yield HEAD
            for _ in range(45):
                yield b"x" * MB
                sent += 1

        headers = {"Content-Type": "multipart/form-data; boundary=x", "Transfer-Encoding": "chunked"}
        try:
            answer = place.ask("PUT", path_of(wire.session, str(uuid4())), "researcher", unannounced(), **headers)
        except (BrokenPipeError, ConnectionResetError):
            assert sent < 45, "the server hung up before the file was whole"
        else:
            assert (answer.status, answer.words) == full  # type: ignore[attr-defined]
        held = place.held()
        assert held == {"files": 3, "bytes": 3 * size, "readers": 0}
        wire.open("papers")
        assert place.held() == NOTHING
    record_property("figure", f"{held['bytes'] // MB} MB held, {7} of 10 refused")


# --- until when -------------------------------------------------------------------------------------------------


def looked_at(place: Place, wire: Wire) -> str:
    """A file that the import page has read, and another on the same page; returns the first."""
    screen, file_id = wire.open("exchange"), str(uuid4())
    assert place.put("researcher", wire.session, file_id=file_id)[0] == 204
    assert "2 nodes, 1 edge" in wire.act([chosen(screen.one("file_uploader"), file_id)]).text
    assert place.put("researcher", wire.session)[0] == 204, "the same page, drawn again"
    assert place.held()["files"] == 2
    return file_id


@pytest.mark.parametrize("way", ["another page", "the same page without uploader", "the tab is closed"])
def test_with_the_page_go_its_permit_and_its_files(place: Place, way: str) -> None:
    with place.wire("researcher") as wire:
        looked_at(place, wire)
        if way == "another page":
            wire.open("papers")
        elif way == "the same page without uploader":
            wire.open("exchange", **{"import": "none"})
        else:
            wire.socket.close(1001)
            place.until_nothing_is_held()
        assert place.held() == NOTHING
        assert place.put("researcher", wire.session) == NOT_YOURS


def test_a_file_on_its_way_goes_with_the_page_and_one_that_is_taken_back_leaves_no_trace(place: Place) -> None:
    with place.wire("researcher") as wire:
        wire.open("exchange")
        slow = place.begin("researcher", wire.session, 40 * MB)
        slow.send(HEAD + b"x" * MB)
        wire.open("papers")
        slow.send(b"x" * MB)
        answer = slow.getresponse()
        assert (answer.status, answer.read().decode()) == NOT_YOURS
        wire.open("exchange")
        for _ in range(4):  # each would take 45 of 150 MB
            aborted = place.begin("researcher", wire.session, 45 * MB)
            aborted.send(HEAD + b"x" * MB)
            aborted.close()
        end = time.monotonic() + 30
        while place.announce("researcher", wire.session, 140 * MB) != (413, "File too large"):  # Streamlit's own words
            assert time.monotonic() < end, "there is no room again"
            time.sleep(0.05)
        assert "Traceback" not in place.server.log()


def test_signing_out_in_another_tab_lets_the_files_go(place: Place) -> None:
    cookie = cookie_of(place.server.url, "researcher", place.server.password)
    token = place.cookies["researcher"].partition("; _streamlit_xsrf=")[2]
    here = replace(place, cookies={**place.cookies, "researcher": f"{cookie}; _streamlit_xsrf={token}"})
    with here.wire("researcher") as wire:
        looked_at(here, wire)
        fields = {"csrf": wire.screen.one("bidi_component", "menu").data["csrf"]}
        form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": here.server.url}
        assert here.ask("POST", "/sign-out", "researcher", urlencode(fields).encode(), **form).status == 303
        assert here.held() == NOTHING
        assert here.put("researcher", wire.session) == (401, "Sign in first.")
        assert place.put("researcher", wire.session) == NOT_YOURS


def test_files_outlive_a_broken_connection_for_a_while(place: Place) -> None:
    with place.wire("researcher") as wire:
        file_id = looked_at(place, wire)
        states = [chosen(wire.screen.one("file_uploader"), file_id)]
        wire.socket.socket.shutdown(socket.SHUT_RDWR)
    with place.wire("researcher", wire.session) as again:
        again.screen.page_hash = wire.screen.page_hash
        assert "2 nodes, 1 edge" in again.act(states).text
        assert again.session == wire.session
        assert place.held()["files"] == 2
        again.socket.socket.shutdown(socket.SHUT_RDWR)
    place.until_nothing_is_held()
    with place.wire("researcher", wire.session) as late:
        late.screen.page_hash = wire.screen.page_hash
        said = late.act(states).alerts
        assert said == [
            "1 file is no longer here: the connection was broken for too long. Remove it above and add it again."
        ]


def test_what_was_imported_is_let_go_at_once(place: Place) -> None:
    with place.wire("researcher") as wire:
        file_id = looked_at(place, wire)
        uploader = wire.screen.one("file_uploader")
        wire.press(wire.screen.button("Import 1 graph"), [chosen(uploader, file_id)])
        while "1 graph imported" not in wire.screen.text:  # the page is drawn once more after the act
            wire.take()
        place.until_nothing_is_held()
        assert place.put("researcher", wire.session) == NOT_YOURS


def test_files_that_were_worked_off_are_let_go_and_make_room_for_the_next(place: Place) -> None:
    with place.wire("researcher") as wire:
        uploader = wire.open("papers", view="add").one("file_uploader", "References")
        first, second, orphan = (str(uuid4()) for _ in range(3))
        for file_id in (first, second, orphan):
            assert (
                place.put("researcher", wire.session, b"@article{a, title={Loops}, year={2020}}", file_id, "bib")[0]
                == 204
            )
        wire.say([chosen(uploader, first, second)])
        while "1 added, 1 already in the study" not in wire.screen.text:
            wire.take()
        place.until_nothing_is_held()
        assert place.put("researcher", wire.session)[0] == 204, "the emptied uploader takes files"
