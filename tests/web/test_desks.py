"""Acts that a desk posts: applied for who posts them, answered one by one, and refused to everybody else's tab."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from components.desk import tab as tabs
from components.desk.posting.acts import Act
from components.desk.tab import TABS, DeskTab
from core.errors import BadInput, StoreUnavailable
from core.people import Receipt, Role, Viewer
from services.people import access
from services.people import people as persons
from services.study import Study
from services.transcription import reading, transcribing
from store.tables import new_id
from tests.web.test_texts import SETTINGS, session_of
from web import desks, hosts
from web.gate import Gate
from web.routes import routes

ORIGIN = "http://127.0.0.1:8501"
Post = Callable[..., Any]


class Desk:
    """One person's tab on a transcription, as a page of theirs keeps it, and what their browser knows."""

    def __init__(self, study: Study, viewer: Viewer, figure_id: str) -> None:
        self.token = session_of(study, viewer)
        self.viewer = access.viewer_of(self.token)
        self.work = transcribing.take(self.viewer, figure_id, act_id=new_id()).subject_id
        self.tab: DeskTab[Any] = DeskTab(seen=1, shown=None)
        self.tab.serve(self.viewer, self.apply, self.data)

    def apply(self, viewer: Viewer, act: Act, /, *, seen: int, act_id: str) -> Receipt:
        if not isinstance(line := act.data.get("line"), str):
            raise BadInput("An edge without a line.")
        return transcribing.add_lines(viewer, self.work, line, pasted=False, seen=seen, act_id=act_id).receipt

    def data(self, viewer: Viewer) -> dict[str, Any]:
        found = reading.transcription(viewer, self.work)
        self.tab.show(found.version, found.record)
        return {"edges": len(found.record.edges), "version": self.tab.seen, "halted": self.tab.is_stale}


@pytest.fixture
def client(sqlite_study: Study, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(hosts, "SETTINGS", replace(SETTINGS))
    app = Starlette(routes=routes(), middleware=[Middleware(Gate)])
    with TestClient(app, ORIGIN, client=("127.0.0.1", 50_000), follow_redirects=False) as opened:
        yield opened


@pytest.fixture
def mine(sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> Desk:
    return Desk(sqlite_study, people.annotator, a_figure.id)


@pytest.fixture
def post(sqlite_study: Study, client: TestClient, mine: Desk) -> Post:
    """`post(acts, …)` posts to this desk; every part of the request may be another."""

    def posted(
        acts: object,
        *,
        token: str = mine.token,
        tab: str = mine.tab.id,
        body: bytes | None = None,
        **headers: str | None,
    ) -> Any:
        usual = {
            "Cookie": f"{sqlite_study.cookie}={token}",
            "Origin": ORIGIN,
            "X-CSRF-Token": access.viewer_of(token).csrf if token else "",
            "Content-Type": "application/json",
        }
        chosen = usual | {name.replace("_", "-"): value for name, value in headers.items()}
        content = json.dumps({"acts": acts}).encode() if body is None else body
        return client.post(f"/desk/{tab}", content=content, headers={k: v for k, v in chosen.items() if v is not None})

    return posted


def edge(number: int, line: object = None) -> dict[str, object]:
    return {"id": new_id(), "seq": number, "kind": "add", "line": f"A{number} -> B" if line is None else line}


def test_each_act_is_answered_and_the_data_holds_what_was_done(post: Post, mine: Desk) -> None:
    acts = [edge(1), edge(2, 7), edge(3)]
    found = post(acts)
    assert (found.status_code, found.headers["cache-control"]) == (200, "no-store")
    answer = found.json()
    assert answer["done"] == [acts[0]["id"], acts[2]["id"]]
    assert answer["refused"] == {acts[1]["id"]: "An edge without a line."}
    assert (answer["data"]["edges"], answer["data"]["serial"], answer["data"]["tab"]) == (2, 1, mine.tab.id)
    again = post(acts[::-1]).json()  # its answer was lost: nothing is done twice
    assert set(again["done"]) == set(answer["done"]) and (again["data"]["edges"], again["data"]["serial"]) == (2, 2)


def test_acts_after_a_conflict_wait_and_the_tab_shows_what_it_showed(post: Post, mine: Desk) -> None:
    post([edge(1)])
    transcribing.add_lines(mine.viewer, mine.work, "C -> D", pasted=False, seen=2, act_id=new_id())  # in another tab
    late = [edge(2), edge(3)]
    answer = post(late).json()
    assert (answer["done"], answer["refused"], answer["data"]["halted"]) == ([], {}, True)
    assert [act.id for act in mine.tab.waiting] == [act["id"] for act in late]
    assert post([edge(4)]).json()["done"] == []
    mine.tab.use_newer()
    assert mine.data(mine.viewer)["version"] == 3
    assert post(late).json()["done"] == [act["id"] for act in late] and mine.tab.waiting == ()


def test_a_request_that_may_come_from_another_site_is_refused(post: Post) -> None:
    for headers in ({"Origin": None}, {"X_CSRF_Token": "guessed"}, {"X_CSRF_Token": None}):
        found = post([edge(1)], **headers)
        assert (found.status_code, found.text) == (403, "Reload the page; your changes are kept."), headers
    assert post([edge(1)], Origin="http://elsewhere.example").status_code == 403
    assert post([]).json()["data"]["edges"] == 0


def test_only_the_session_that_opened_a_tab_posts_to_it(
    sqlite_study: Study, people: SimpleNamespace, post: Post, mine: Desk
) -> None:
    another, same = session_of(sqlite_study, people.colleague), session_of(sqlite_study, people.annotator)
    for token in (another, same):
        found = post([edge(1)], token=token)
        assert (found.status_code, found.text) == (
            403,
            "You are signed in as someone else. Your changes are kept in this browser.",
        )
    mine.tab.owner = (mine.viewer.session_id, mine.viewer.person_id, people.owner.person_id)  # who worked as them
    assert post([edge(1)]).status_code == 403
    access.sign_out(mine.token, mine.viewer.csrf)
    assert post([edge(1)], token="", X_CSRF_Token="").status_code == 401
    assert mine.tab.serial == 0


def test_roles_and_the_session_are_those_of_the_moment(
    sqlite_study: Study, people: SimpleNamespace, post: Post, mine: Desk
) -> None:
    viewer = access.viewer_of(mine.token)
    persons.set_roles(people.owner, viewer.person_id, frozenset({Role.EXPERT}), seen=1, act_id=new_id())
    act = edge(1)
    answer = post([act]).json()
    assert "role" in answer["refused"][act["id"]] and answer["data"] is None


def test_a_tab_is_found_for_as_long_as_its_session_keeps_it(post: Post, mine: Desk) -> None:
    tab = mine.tab.id
    del mine.tab
    gc.collect()
    assert tab not in TABS
    found = post([edge(1)], tab=tab)
    assert (found.status_code, found.text) == (404, "")


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"acts", 415, ""),
        (b"[" * 100_000, 415, ""),
        (b"\xff", 415, ""),
        (b'{"acts": "' + b"x" * 1_000_000 + b'"}', 413, "These changes are too large to save at once."),
        (b"{}", 422, "it is not a list of acts"),
        (b'{"acts": [{"id": "1"}]}', 422, "act 1 has no valid id"),
        (json.dumps({"acts": [edge(n) for n in range(501)]}).encode(), 422, "at most 500 are allowed at once"),
    ],
)
def test_a_body_that_is_no_list_of_acts_changes_nothing(
    post: Post, mine: Desk, body: bytes, status: int, said: str
) -> None:
    found = post(None, body=body)
    assert found.status_code == status and said in found.text
    assert mine.tab.serial == 0


def test_a_busy_tab_and_a_store_that_is_down_are_tried_again(
    post: Post, mine: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tabs, "LONGEST_TURN_S", 0.05)
    with mine.tab.turn:
        held = [None]
        asking = Thread(target=lambda: held.__setitem__(0, post([edge(1)])))
        asking.start()
        asking.join()
    assert (held[0].status_code, held[0].text) == (503, "Not saved yet; trying again.")

    def is_down(*_given: object, **_named: object) -> Receipt:
        raise StoreUnavailable("The store does not answer.")

    mine.tab.serve(mine.viewer, is_down, mine.data)
    found = post([edge(1)])
    assert (found.status_code, found.text) == (503, "Not saved yet; trying again.")
    mine.tab.serve(mine.viewer, mine.apply, mine.data)
    assert post([edge(1)]).status_code == 200


def test_a_body_that_never_ends_is_given_up(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(_request: object) -> bytes:
        raise TimeoutError

    monkeypatch.setattr(desks, "_body", never)
    assert post([edge(1)]).status_code == 408
