"""Files and texts made to stop their reader, put in by three people while five others work and notice nothing."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any, NamedTuple
from uuid import uuid4

import psutil
import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.pages.screen import desk_act
from tests.soak.adversarial import File, adversarial
from tests.soak.load_clients import DESK, Client, Heard
from tests.soak.table import scaled
from tests.soak.test_load import FILL
from tests.wire import Screen, Shown, Wire, cookie_of

TEXTS = scaled(300, least=12)
PEOPLE = 5
WORKS = 8
"""Figures into which lines are pasted, in turn: what was read from one text stays small beside the next."""
WARM_S = 20.0
"""The five work so long before: a page's first opening loads its libraries."""
GATE_MS = 1_000
MOST_PASTED = 200_000
LARGE = 205
"""Edges of ReCITE's largest diagram; a figure grows no further here."""
FEW = FILL.replace("works = [", "viewers += viewers[-1:] * given['more']\nworks = [")
HEAD = b'--x\r\nContent-Disposition: form-data; name="f"; filename="%s"\r\n\r\n'
UPLOADER, AREA = "file_uploader", "text_area"
OWN = {"exchange": "Files", "papers": "References"}
"""What the label of a page's uploader begins with."""


class Person(Client):
    """Draws an edge about every second, and looks at another page now and then; of a figure that is large enough, each
    second edge is taken back, so that what a rerun costs does not grow with the time the texts take."""

    def _work(self, wire: Wire) -> None:
        number = 0
        while time.monotonic() < self.end or self.heard.is_on:
            if number % 6 == 0:
                for page, query in (("overview", {}), ("transcribe", {"transcription": self.work})):
                    began = time.monotonic()
                    wire.open(page, **query)
                    self.heard.met.append((began, time.monotonic(), page))
            began = time.monotonic()
            if number > LARGE and number % 2:
                desk = wire.screen.one("bidi_component", DESK)
                wire.save(desk, desk_act("undo"))
                wire.redraw(desk)
            else:
                self._draw(wire, number)
            self.heard.met.append((began, time.monotonic(), "edge"))
            number += 1
            time.sleep(self.rng.uniform(0.5, 1.5))


class Room(Heard):
    """What the five met: when each request began and ended, and of what. `is_on`: the others are still at it."""

    is_on = True

    def __init__(self) -> None:
        super().__init__()
        self.met: list[tuple[float, float, str]] = []


class Reading(NamedTuple):
    """One text put in: when, what the server's own process worked meanwhile (for all), and which."""

    began: float
    ended: float
    used_s: float
    what: str

    @property
    def took_s(self) -> float:
        return self.ended - self.began


class Attack(threading.Thread):
    """One person putting in texts, one after the other, through a page or a desk, at the pace of those who work."""

    def __init__(self, server: Any, name: str, acts: Iterator[tuple[str, Callable[[Wire], object]]]) -> None:
        super().__init__(name=name)
        self.server, self.acts = server, acts
        self.done: list[Reading] = []
        self.errors: list[str] = []
        self.rng = random.Random(name)
        self.cookie = cookie_of(server.url, name, server.password)  # here, so that one who stays outside is noticed

    def run(self) -> None:
        process = psutil.Process(self.server.process.pid)
        with Wire(self.server.url, self.cookie + "; " + _xsrf(self.server.port, self.cookie)) as wire:
            for what, act in self.acts:
                began, used = time.monotonic(), _used(process)
                try:
                    act(wire)
                except Exception as error:
                    self.errors.append(f"{what}: {error!r}"[:300])
                    return
                self.done.append(Reading(began, time.monotonic(), _used(process) - used, f"{self.name}: {what}"))
                time.sleep(self.rng.uniform(0.5, 1.5))


def _used(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def _xsrf(port: int, cookie: str) -> str:
    """Streamlit's token against forms of other sites."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/_stcore/health", headers={"Cookie": cookie})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return str(answer.headers["Set-Cookie"]).partition(";")[0]


# --- what a person does with a file or a text ---------------------------------------------------------------------


def imported(server: Any, name: str, content: bytes) -> Callable[[Wire], Screen]:
    """Dropped on Import / export, where it is read and shown before anything is kept."""
    return lambda wire: _upload(server, wire, _opened(wire, "exchange").one(UPLOADER), name, content)


def listed(server: Any, name: str, content: bytes) -> Callable[[Wire], Screen]:
    """Dropped on Add papers as a list of references."""
    return lambda wire: _upload(
        server, wire, _opened(wire, "papers", view="add").one(UPLOADER, "References"), name, content
    )


def pasted(text: str) -> Callable[[Wire], Screen]:
    def act(wire: Wire) -> Screen:
        area = _opened(wire, "exchange").one(AREA)
        wire.act([WidgetState(id=area.id, string_value=text)], area.fragment, timeout=120)
        return wire.act([WidgetState(id=area.id, string_value="")], area.fragment, timeout=120)

    return act


def typed(work: str, text: str) -> Callable[[Wire], Screen]:
    """Pasted into the line of a transcription."""

    def act(wire: Wire) -> Screen:
        desk = wire.open("transcribe", timeout=120, transcription=work).one("bidi_component", DESK)
        status, answer = wire.post(desk, desk_act("lines", text=text, pasted=True))
        assert status == 200, (status, answer[:200])
        return wire.redraw(desk)

    return act


def _opened(wire: Wire, page: str, **query: str) -> Screen:
    """A page that begins itself anew ends twice, and the run before may end late: taken is the first end at which the
    page's own uploader is drawn."""
    screen = wire.open(page, timeout=120, **query)
    while not any(OWN[page] in each.label for each in screen.all(UPLOADER)):
        wire.screen.is_finished = False
        screen = wire.wait(30)
    return screen


def _upload(server: Any, wire: Wire, uploader: Shown, name: str, content: bytes) -> Screen:
    file_id, cookie = str(uuid4()), wire.cookie
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    token = cookie.partition("_streamlit_xsrf=")[2]
    named = {"Cookie": cookie, "X-Xsrftoken": token, "Content-Type": "multipart/form-data; boundary=x"}
    body = HEAD % name.encode() + content + b"\r\n--x--\r\n"
    connection.request("PUT", f"/_stcore/upload_file/{wire.session}/{file_id}", body, named)
    answer = connection.getresponse()
    said = answer.read()
    connection.close()
    assert answer.status == 204, (answer.status, said)
    state = WidgetState(id=uploader.id)
    state.file_uploader_state_value.uploaded_file_info.add(file_id=file_id, name=name, size=len(content))
    return wire.act([state], uploader.fragment, timeout=120)


def _files(server: Any, texts: list[File]) -> Iterator[tuple[str, Callable[[Wire], object]]]:
    for name, content in texts:
        yield name, (listed if "-references-" in name else imported)(server, name, content)


def _pastes(texts: list[File]) -> Iterator[tuple[str, Callable[[Wire], object]]]:
    return ((name, pasted(text)) for name, text in _as_text(texts))


def _lines(works: list[str], texts: list[File]) -> Iterator[tuple[str, Callable[[Wire], object]]]:
    return ((name, typed(work, text)) for work, (name, text) in zip(cycle(works), _as_text(texts), strict=False))


def _as_text(texts: list[File]) -> Iterator[tuple[str, str]]:
    """As a clipboard holds it, without what is no text."""
    for name, content in texts:
        if "-packed-" not in name:
            yield name, content.decode("utf-8", "replace").replace("\x00", "")[:MOST_PASTED]


# --- the proof ----------------------------------------------------------------------------------------------------


@pytest.mark.proof(
    "T6", "texts made to stop a reader, through every reader while 5 people work", gate="nobody's request over 1 s"
)
def test_nobody_waits_for_a_text_that_was_made_to_stop_its_reader(
    start_server: Callable[..., Any], record_property: Callable[[str, object], None]
) -> None:
    server, texts, room = start_server(), adversarial(TEXTS), Room()
    names = [*(f"Person {number}" for number in range(PEOPLE)), "Paster"]
    told = server.seed(
        FEW, password=server.password, figures=PEOPLE + WORKS, names=names, largest=(9, 12), more=WORKS - 1
    )
    works = json.loads(told.splitlines()[-1])
    people = [
        Person(server.url, name, server.password, work, 0.0, 0.0, room)
        for name, work in zip(names[:PEOPLE], works[:PEOPLE], strict=True)
    ]
    for person in people:
        person.start()
    time.sleep(WARM_S)
    room.met.clear()
    attacks = [
        Attack(server, "owner", _files(server, texts)),
        Attack(server, "researcher", _pastes(texts[::2])),
        Attack(server, "Paster", _lines(works[PEOPLE:], texts[1::2])),
    ]
    for attack in attacks:
        attack.start()
    for attack in attacks:
        attack.join()
    room.is_on = False
    for person in people:
        person.join()
    readings = [one for attack in attacks for one in attack.done]
    took_ms = [(ended - began) * 1000 for began, ended, _page in room.met]
    _tell(room, readings)
    record_property("repetitions", len(readings))
    record_property(
        "figure",
        f"{len(texts)} texts, {len(readings)} readings; of {len(took_ms):,} requests of the five: p50 "
        f"{room.quantile(took_ms, 0.5):.0f} ms, p95 {room.quantile(took_ms, 0.95):.0f} ms, slowest {max(took_ms):.0f} "
        f"ms, {sum(each > GATE_MS for each in took_ms)} over 1 s; the slowest answer to a text "
        f"{max(one.took_s for one in readings):.1f} s, the most processor time of the server meanwhile "
        f"{max(one.used_s for one in readings):.1f} s",
    )
    assert [error for attack in attacks for error in attack.errors] + room.errors == []
    assert max(took_ms) <= GATE_MS


def _tell(room: Room, readings: list[Reading]) -> None:
    """The slowest readings, and what was read while somebody waited for more than a second."""
    print()
    for one in sorted(readings, key=lambda one: -one.used_s)[:8]:
        print(f"  {one.took_s:5.1f} s, {one.used_s:5.1f} s of the server's processor time: {one.what}")
    for began, ended, page in sorted(room.met, key=lambda each: each[0] - each[1])[:12]:
        beside = [one.what for one in readings if one.began < ended and one.ended > began]
        print(f"  {page} waited {(ended - began) * 1000:.0f} ms beside {beside}")
