"""Messages that no page of ours sends: buttons, fields and components over the real websocket, acts of desks posted, of
pages and of people that the sender has no right to. None may change the study or show what is another's."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from streamlit.proto.Common_pb2 import StringArray
from streamlit.proto.WidgetStates_pb2 import WidgetState

from components.shell import FAULT
from store.tables import new_id
from tests.everything import EVERYTHING, usual
from tests.pages.screen import desk_act
from tests.wire import Screen, Shown, Wire, cookie_of
from web.desks import RELOAD, SOMEONE_ELSE

DEMO = Path(__file__).resolve().parents[2] / "demo" / "reservoir.pdf"
SECRET = "Hidden variable of a colleague"
CLOSED = {
    "annotator": (
        "papers",
        "adjudicate",
        "triplets",
        "agreement",
        "runs",
        "failures",
        "results",
        "releases",
        "exchange",
        "people",
    ),
    "expert": ("papers", "transcribe", "adjudicate", "agreement", "runs", "releases", "exchange", "people"),
    "reviewer": ("papers", "triplets", "people"),
}
NOISE = ("session", "attempt", "effort", "draft", "derived")
"""Tables that honest looking changes too: when a session was last used, activity, half-typed text, what is read of a
file."""
FILL = """
from core.papers.pages import Box
from core.people import Viewer
from services.queue.work import claim_next
from services.triplets.work_kind import TRIPLETS
from services.adjudication import adjudicating
from services.papers import figures, importing as paper_importing
from services.triplets import scoring, importing as triplet_importing
from services.transcription import reading, transcribing
from services.acting import TERMINAL
known = {person.name: Viewer(person_id=person.id, name=person.name, roles=frozenset(person.roles), session_id=TERMINAL)
         for person in people.list_people(terminal)}
paper = paper_importing.import_file(terminal, "r.pdf", Path(given["pdf"]).read_bytes(), act_id=new_act()).paper_id
located = [figures.locate(terminal, paper, 1, Box(90, 120 + n, 540, 290 + n), label=f"Figure {n}", act_id=new_act())
           for n in range(3)]
def draw(name, place, text):
    work = transcribing.take(known[name], located[place].subject_id, act_id=new_act()).subject_id
    transcribing.add_lines(known[name], work, text, pasted=True, seen=1, act_id=new_act())
    return work
own = draw("annotator", 0, "Rain -> Harvest")
others = draw("annotator2", 0, given["secret"] + " -> Harvest")
locked = draw("annotator", 1, "Price -> Demand")
transcribing.submit(known["annotator"], locked, seen=2, act_id=new_act())
row = {"paper_id": 1, "title": "A paper", "treatment": "Cause", "outcome": "Effect", "sign": "+"}
content = (json.dumps(row) + "\\n").encode()
triplet_importing.import_triplets(terminal, "t.jsonl", content, with_faulty=False, act_id=new_act())
sheet = claim_next(known["expert"], TRIPLETS, act_id=new_act()).subject_id
ids = {"own": own, "others": others, "locked": locked, "sheet": sheet, "figure": located[0].subject_id, "paper": paper}
for name, work in (("own", own), ("others", others), ("locked", locked)):
    record = reading.transcription(known["annotator2" if name == "others" else "annotator"], work).record
    ids[name + " node"], ids[name + " edge"] = next(iter(record.nodes)), next(iter(record.edges))
print(json.dumps(ids))
"""


@dataclass(frozen=True)
class Place:
    """A served study with work of several people, and their cookies."""

    server: Any
    ids: dict[str, str]
    cookies: dict[str, str]

    def wire(self, name: str, session: str = "") -> Wire:
        return Wire(self.server.url, self.cookies[name], session)

    def traces(self) -> dict[str, str]:
        """A hash of every table's content, but for those that change by looking."""
        with sqlite3.connect(f"file:{self.server.store}?mode=ro", uri=True) as connection:
            tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            rows = {table: connection.execute(f"SELECT * FROM {table}") for table in tables if table not in NOISE}
            return {
                table: hashlib.sha256(repr(sorted(map(repr, each))).encode()).hexdigest()
                for table, each in rows.items()
            }


@pytest.fixture(scope="module")
def place(start_server: Callable[..., Any]) -> Iterator[Place]:
    server = start_server()
    ids = json.loads(server.seed(FILL, pdf=str(DEMO), secret=SECRET).splitlines()[-1])
    names = ("owner", "annotator", "annotator2", "expert", "reviewer", "researcher")
    yield Place(server, ids, {name: cookie_of(server.url, name, server.password) for name in names})


def widgets(screen: Screen) -> list[Shown]:
    return [shown for shown in screen.elements.values() if shown.id]


def forged(shown: Shown) -> list[WidgetState]:
    """What could be said of a widget of any kind: pressed, ticked, filled in, chosen, told by its component."""
    filled = WidgetState(id=shown.id, string_array_value=StringArray(data=["owner"]))
    match shown.kind:
        case "button" | "download_button":
            return [WidgetState(id=shown.id, trigger_value=True)]
        case "checkbox":
            return [WidgetState(id=shown.id, bool_value=True)]
        case "text_input" | "text_area" | "selectbox":
            return [WidgetState(id=shown.id, string_value="Forged by hand")]
        case "bidi_component":
            told = {"answered": 2**50, "unsaved": 3, "next": 2**50, "finish": 2**50}
            return [WidgetState(id=shown.id, json_value=json.dumps(told))]
        case "multiselect" | "button_group":
            return [filled]
        case _:
            return [WidgetState(id=shown.id, int_value=1), WidgetState(id=shown.id, double_value=1.0)]


@pytest.mark.parametrize("name", usual(list(CLOSED), "expert"))
@pytest.mark.proof("T7", "forged messages: widgets of pages that the role does not have", gate="0 accepted")
def test_widgets_of_pages_that_a_role_does_not_have_do_nothing(
    place: Place, name: str, record_property: Callable[[str, object], None]
) -> None:
    tried = 0
    with place.wire("owner") as owner, place.wire(name) as forger:
        for page in CLOSED[name]:
            owners = owner.open(page)
            theirs = widgets(owners)
            assert page == "people" or theirs, page
            refused = forger.open(page)
            own = {shown.id for shown in widgets(refused)}
            foreign = [shown for shown in theirs if shown.id not in own]
            before = place.traces()
            states = [state for shown in foreign for state in forged(shown)]
            for fragment in {shown.fragment for shown in foreign}:
                forger.say(states, fragment)
            refused = forger.act(states)
            # And as if the owner's page were the one that is open.
            forger.screen.page_hash = owners.page_hash
            forger.act(states)
            assert place.traces() == before, (name, page)
            assert not [words for words in refused.alerts if FAULT in words], (name, page, refused.alerts)
            tried += len(foreign)
    record_property("repetitions", tried)
    assert tried > 10


NODE_OF = {"own": "Rain", "others": SECRET, "locked": "Price"}


def acts_on(ids: dict[str, str], whose: str) -> list[dict[str, Any]]:
    """Every kind of act of a transcription's desk, about somebody's node and edge."""
    node, edge = NODE_OF[whose], ids[f"{whose} edge"]
    return [
        desk_act("lines", text="Forged -> Edge", pasted=False),
        desk_act("edit_edge", edge_id=edge, field="sign", value="+"),
        desk_act("delete_edge", edge_id=edge),
        desk_act("reverse_edge", edge_id=edge),
        desk_act("rename_node", node=node, name="Forged"),
        desk_act("delete_node", node=node),
        desk_act("place_node", name="Forged", x=200, y=200, box=None, origin="drawn"),
        desk_act("connect", source="Forged", sink="Edge", sign="", delay=False, lit=""),
        desk_act("attest", node=node, swept=True),
        desk_act("undo"),
        desk_act("redo"),
    ]


@pytest.mark.proof("T7", "forged messages: acts on work of someone else, or submitted", gate="0 accepted")
def test_acts_on_work_of_others_or_on_locked_work_are_not_done(
    place: Place, record_property: Callable[[str, object], None]
) -> None:
    ids, tried = place.ids, 0
    with place.wire("annotator2") as colleague, place.wire("annotator") as forger, place.wire("expert") as expert:
        theirs = [
            *widgets(colleague.open("transcribe", transcription=ids["others"])),
            *widgets(expert.open("triplets", scoring=ids["sheet"])),
        ]
        foreign = [*colleague.screen.desks, *expert.screen.desks]
        assert len(foreign) == 2
        own_desk = forger.open("transcribe", transcription=ids["own"]).desks[0]
        for whose in usual(["others", "own", "locked"], "locked"):
            opened = {"transcription": ids[whose]}
            own = forger.open("transcribe", **opened)
            assert SECRET not in own.text
            before = place.traces()
            states = [state for shown in theirs for state in forged(shown)]
            for fragment in {shown.fragment for shown in theirs}:
                forger.say(states, fragment)
            assert SECRET not in forger.act(states).text
            for act in acts_on(ids, "others"):
                for desk in foreign:
                    for token in (own_desk.data["csrf"], desk.data["csrf"]):
                        assert forger.post(desk, act, csrf=token) == (403, SOMEONE_ELSE)
                        tried += 1
            assert SECRET not in forger.open("transcribe", **opened).text
            assert place.traces() == before, opened
        # Another person's token, or an invented one, does not open the forger's own tab either.
        for token in (foreign[0].data["csrf"], "guessed"):
            assert forger.post(own_desk, desk_act("undo"), csrf=token) == (403, RELOAD)
        assert place.traces() == before
    record_property("repetitions", tried)


@pytest.mark.proof("T7", "forged messages: own desk, but locked or disabled", gate="0 accepted")
def test_what_is_locked_or_disabled_on_ones_own_page_stays_so(
    place: Place, record_property: Callable[[str, object], None]
) -> None:
    tried = 0
    with place.wire("annotator") as wire:
        screen = wire.open("transcribe", transcription=place.ids["locked"])
        before = place.traces()
        for desk in screen.desks:
            for act in (*acts_on(place.ids, "locked"), *acts_on(place.ids, "own")):
                status, answer = wire.post(desk, act)
                assert status == 200 and json.loads(answer)["refused"].keys() == {act["id"]}, act
                tried += 1
        disabled = 0
        for page, query in (("transcribe", {}), ("transcribe", {"transcription": place.ids["locked"]}), ("people", {})):
            screen = wire.open(page, **query)
            for shown in [shown for shown in widgets(screen) if getattr(shown.value, "disabled", False)]:
                wire.act(forged(shown), shown.fragment)
                disabled += 1
        assert place.traces() == before
    assert tried
    record_property("repetitions", tried + disabled)


def test_acts_about_others_nodes_sent_from_ones_own_desk_change_nothing_of_theirs(place: Place) -> None:
    with place.wire("annotator") as wire:
        screen = wire.open("transcribe", transcription=place.ids["own"])
        (desk,) = screen.desks
        before = place.traces()
        for act in acts_on(place.ids, "others")[1:6]:
            status, answer = wire.post(desk, act)
            assert status == 200 and json.loads(answer)["refused"].keys() == {act["id"]}, act
        report = {"id": new_id(), "subject": place.ids["others"], "seconds": 500.0}
        wire.tell(screen.one("bidi_component", "edgewise_activity"), report=report)
        assert place.traces() == before


def test_a_session_of_streamlit_that_is_somebody_elses_shows_nothing_of_theirs(place: Place) -> None:
    with place.wire("annotator2") as colleague:
        assert SECRET in colleague.open("transcribe", transcription=place.ids["others"]).text
        session = colleague.session
    with place.wire("annotator", session) as thief:
        seen = thief.open("transcribe")
        assert thief.session != session, "a session is resumed for its own person alone"
        assert SECRET not in seen.text
        assert SECRET not in thief.open("transcribe", transcription=place.ids["others"]).text
        assert "annotator" in thief.screen.text


DEEP = "[" * 3_000 + "]" * 3_000
BODIES: list[tuple[object, int]] = [
    ([], 422),
    ("acts", 422),
    ({"acts": "all"}, 422),
    ({"acts": [1]}, 422),
    ({"acts": [{"id": "x", "seq": 1, "kind": "undo"}]}, 422),
    ({"acts": [{**desk_act("undo"), "deep": [[[[[[1]]]]]]}]}, 422),
    ({"acts": [{"kind": "undo"}] * 501}, 422),
    ({"acts": [{"text": "x" * 1_100_000}]}, 413),
    (b"", 415),
    (b"\xff", 415),
    (b'{"acts": [', 415),
    (f'{{"acts": {DEEP}}}'.encode(), 415),
    (b'{"acts":' * 100_000, 415),
    (f'{{"acts": [{"9" * 5_000}]}}'.encode(), 415),
]
"""What is no list of acts, and the status that refuses it."""


def test_forged_shapes_are_refused_in_words(place: Place) -> None:
    with place.wire("annotator") as wire:
        (desk,) = wire.open("transcribe", transcription=place.ids["own"]).desks
        before, said = place.traces(), len(place.server.log())
        for body, expected in BODIES:
            given = body if isinstance(body, bytes) else json.dumps(body).encode()
            status, words = wire.post(desk, body=given)
            assert status == expected and FAULT not in words, given[:80]
            assert (words == "") == (status == 415)
        assert place.traces() == before
        assert "Traceback" not in place.server.log()[said:]
        honest = desk_act("lines", text="Rain -> River", pasted=False)
        assert json.loads(wire.post(desk, honest)[1])["done"] == [honest["id"]]
        assert place.traces() != before, "an honest act goes this way too"


BAD_STATES = {
    "nested too deeply": f'{{"answered": {DEEP}}}',
    "nested too deeply, in a text": json.dumps(DEEP),
    "nested without end": '{"answered":' * 200_000,
    "an integer of 5,000 digits": f'{{"answered": {"9" * 5_000}}}',
    "empty": "",
    "a byte-order mark": "\ufeff{}",
    "half of it": '{"reread": {"box": [',
}
"""By what is wrong with them, states of a component that are not read."""
ALIKE = ("nested too deeply, in a text", "an integer of 5,000 digits", "half of it")
"""Those that fail where another fails."""


@pytest.mark.parametrize("wrong", usual(list(BAD_STATES), *ALIKE))
def test_a_component_state_that_is_not_read_is_left_out_with_one_line_in_the_log(place: Place, wrong: str) -> None:
    with place.wire("annotator") as wire:
        desk = wire.open("transcribe", transcription=place.ids["own"]).one("bidi_component", "transcription.desk")
        before, said = place.traces(), len(place.server.log())
        screen = wire.act([WidgetState(id=desk.id, json_value=BAD_STATES[wrong])], desk.fragment)
        assert not screen.all("exception")
        assert not [words for words in screen.alerts if FAULT in words]
        lines = place.server.log()[said:].splitlines()
        assert len(lines) == 1, lines
        assert "state" in lines[0] and len(lines[0]) < 300
        assert place.traces() == before
        wire.post(desk, desk_act("lines", text=f"Rain -> {wrong.capitalize()}", pasted=False))
        assert place.traces() != before, "an honest act of the same page still comes through"


def test_a_component_state_about_as_deep_as_python_reads_ends_no_run(place: Place) -> None:
    said = len(place.server.log())
    with place.wire("annotator") as wire:
        desk = wire.open("transcribe", transcription=place.ids["own"]).one("bidi_component", "transcription.desk")
        for depth in range(860, 1_000, 7 if EVERYTHING else 35):
            text = f'{{"answered": {"[" * depth}{"]" * depth}}}'
            screen = wire.act([WidgetState(id=desk.id, json_value=text)], desk.fragment)
            assert not screen.all("exception") and not [words for words in screen.alerts if FAULT in words]
    assert "Traceback" not in place.server.log()[said:]
