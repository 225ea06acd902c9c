"""A person's Streamlit session without a browser: what tests send over the real websocket, honest or forged.

with Wire(url, cookie) as wire:
    screen = wire.open("transcribe")
    wire.press(screen.button("Take"))
    wire.save(wire.screen.desks[0], desk_act("undo"))
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect


@dataclass(frozen=True)
class Shown:
    """One element of the screen: its kind, id (of a widget), label, fragment, and the message itself."""

    kind: str
    id: str
    label: str
    fragment: str
    value: Any

    @property
    def data(self) -> dict[str, Any]:
        """What a component was given."""
        mixed = self.value.WhichOneof("data") == "mixed"
        text = self.value.mixed.json if mixed else self.value.json
        data: dict[str, Any] = json.loads(text) if text else {}
        return data


@dataclass
class Screen:
    """What the server has drawn, by place; texts are in the messages' own words."""

    elements: dict[tuple[int, ...], Shown] = field(default_factory=dict)
    query: str = ""
    page_hash: str = ""
    is_finished: bool = False

    def all(self, kind: str) -> list[Shown]:
        return [shown for shown in self.elements.values() if shown.kind == kind]

    def one(self, kind: str, words: str = "") -> Shown:
        """The first element of a kind whose id or label holds these words."""
        found = [shown for shown in self.all(kind) if words in shown.label or words in shown.id]
        assert found, f"no {kind} {words!r}; there are: {[(each.label, each.id) for each in self.all(kind)]}"
        return found[0]

    def button(self, label: str) -> Shown:
        return self.one("button", label)

    @property
    def desks(self) -> list[Shown]:
        """The components that post acts."""
        return [shown for shown in self.all("bidi_component") if "serial" in shown.data]

    @property
    def text(self) -> str:
        """All that is drawn, as one text to search in."""
        return "\n".join(str(shown.value) for shown in self.elements.values())

    @property
    def menu(self) -> list[str]:
        """The titles of the pages that the menu lists."""
        return [
            page["title"]
            for section in self.one("bidi_component", "menu").data["sections"]
            for page in section["pages"]
        ]

    @property
    def alerts(self) -> list[str]:
        return [shown.value.body for shown in self.all("alert")]


class Wire:
    """One websocket of a signed-in person. `session` resumes an earlier Streamlit session."""

    def __init__(self, url: str, cookie: str, session: str = "") -> None:
        protocols: list[Any] = ["streamlit", "none", session] if session else ["streamlit"]
        self._connection = connect(
            url.replace("http", "ws", 1) + "/_stcore/stream",
            origin=url,
            additional_headers={"Cookie": cookie},  # type: ignore[arg-type]
            subprotocols=protocols,
            max_size=None,
            compression=None,
            open_timeout=30,
        )
        self.url, self.cookie = url, cookie
        self.screen = Screen()
        self.session = ""
        self._has_begun = False

    def __enter__(self) -> Self:
        self.socket: ClientConnection = self._connection.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.__exit__(None, None, None)

    def open(self, page: str, timeout: float = 30, **query: str) -> Screen:
        """Load a page by its link."""
        self.ask(page, **query)
        return self.wait(timeout)

    def ask(self, page: str, **query: str) -> None:
        """Ask for a page without waiting for it."""
        self.screen = Screen(query=urlencode(query))
        message = BackMsg()
        message.rerun_script.page_name = page
        message.rerun_script.query_string = self.screen.query
        message.rerun_script.context_info.url = f"{self.url}/{page}"
        self.send(message)

    def press(self, button: Shown, states: Iterable[WidgetState] = ()) -> Screen:
        return self.act([*states, WidgetState(id=button.id, trigger_value=True)], button.fragment)

    def tell(self, component: Shown, **state: object) -> Screen:
        """Send a component's state, as its script would."""
        return self.act([WidgetState(id=component.id, json_value=json.dumps(state))], component.fragment)

    def post(self, desk: Shown, *acts: object, body: bytes | None = None, csrf: str = "") -> tuple[int, str]:
        """What a desk's tab answers to acts, posted with the cookie of the person at this wire, who knows what is on
        their screen: a status and a text. `desk` may be on somebody else's."""
        request = Request(
            f"{self.url}/desk/{desk.data['tab']}",
            data=json.dumps({"acts": acts}, ensure_ascii=False).encode() if body is None else body,
            headers={
                "Cookie": self.cookie,
                "Origin": self.url,
                "X-CSRF-Token": csrf or desk.data["csrf"],
                "Content-Type": "application/json",
            },
        )
        try:
            with urlopen(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as refused:
            return refused.code, refused.read().decode()

    def save(self, desk: Shown, act: dict[str, Any]) -> None:
        """Post an act of the desk. Fails if it is not done at the first request."""
        status, answer = self.post(desk, act)
        assert status == 200 and json.loads(answer)["done"] == [act["id"]], f"not saved: {status} {answer[:300]}"

    def redraw(self, desk: Shown) -> Screen:
        """Draw the page again, as a desk asks for it after an answer."""
        return self.tell(desk, answered=time.monotonic_ns())

    def act(self, states: Sequence[WidgetState], fragment: str = "", timeout: float = 30) -> Screen:
        """Run the page again with these widget states, true or forged."""
        self.say(states, fragment)
        return self.wait(timeout)

    def say(self, states: Sequence[WidgetState], fragment: str = "") -> None:
        """The same without waiting: of a fragment that is not there Streamlit never says that it is done."""
        message = BackMsg()
        message.rerun_script.page_script_hash = self.screen.page_hash
        message.rerun_script.query_string = self.screen.query
        message.rerun_script.fragment_id = fragment
        message.rerun_script.widget_states.widgets.extend(states)
        self.send(message)

    def send(self, message: BackMsg) -> None:
        self._has_begun = self.screen.is_finished = False
        self.socket.send(message.SerializeToString())

    def wait(self, timeout: float = 30) -> Screen:
        """Take messages until the run is over and return the screen. Fails if it takes longer."""
        end = time.monotonic() + timeout
        while not self.screen.is_finished:
            left = end - time.monotonic()
            assert left > 0, "the page did not finish"
            self.take(left)
        return self.screen

    def take(self, timeout: float = 30) -> ForwardMsg:
        """Take one message and draw it."""
        message = ForwardMsg.FromString(self.socket.recv(timeout=timeout, decode=False))
        match message.WhichOneof("type"):
            case "new_session":
                self._begin(message)
            case "delta":
                self._draw(tuple(message.metadata.delta_path), message.delta)
            case "page_info_changed":
                self.screen.query = message.page_info_changed.query_string
            case "navigation":
                self.screen.page_hash = message.navigation.page_script_hash
            case "session_status_changed":
                # Not "script_finished": a run that another one overtook says it too, one of a fragment that is gone
                # does not. A resumed session may first tell the end of its last run.
                is_running = message.session_status_changed.script_is_running
                self.screen.is_finished = self._has_begun and not is_running
                self._has_begun |= is_running
        return message

    def _begin(self, message: ForwardMsg) -> None:
        begun = message.new_session
        self.session = begun.initialize.session_id or self.session
        self.screen.page_hash = begun.page_script_hash
        self._has_begun = True
        if not message.metadata.run.fragment_ids:
            self.screen.elements.clear()

    def _draw(self, place: tuple[int, ...], delta: Delta) -> None:
        if delta.WhichOneof("type") != "new_element":
            return
        kind = delta.new_element.WhichOneof("type") or ""
        value = getattr(delta.new_element, kind)
        label = getattr(value, "label", "") or getattr(value, "component_name", "")
        self.screen.elements[place] = Shown(kind, getattr(value, "id", ""), str(label), delta.fragment_id, value)


def cookie_of(url: str, name: str = "", password: str = "") -> str:
    """The cookie of a new session: signed in by name, or of a local study that opens by itself."""
    jar = HTTPCookieProcessor()
    browser = build_opener(jar)
    page = browser.open(Request(url + "/", headers={"Accept": "text/html"})).read().decode()
    if name:
        form = re.search(r'name="form" value="([^"]+)"', page)
        assert form is not None, "no sign-in form"
        fields = urlencode({"name": name, "password": password, "form": form[1]}).encode()
        browser.open(Request(url + "/sign-in", data=fields, headers={"Origin": url})).read()
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar.cookiejar)
