"""What reaches a reviewer's browser over the real websocket and in answers to posted acts: of a judge nothing about an
item that is not compared, and of the judged model no name, whatever is asked, honest or forged."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from core.verdicts.labels import LEGAL, Section
from core.verdicts.review import fields_of
from tests.browser.test_verdicts import EDGES, FILL, JUDGE, JUDGED, NODES, TEXT
from tests.everything import EVERYTHING
from tests.pages.screen import desk_act
from tests.wire import Wire, cookie_of

REQUESTS = 320 if EVERYTHING else 12
LABEL = re.compile(r"(?:PRESENCE|SEMANTIC|ABSTRACTION|DIRECTION|INFERENCE|IMPORTANCE)_[A-Z_]+")
FORGED = "PRESENCE_MAYBE"
NOTHING_YET = ("judges", "stands", "rulings", "oddities", "quotes", "score")
"""Of an item on the desk: what is empty until it is compared."""


class Listening(Wire):
    """Keeps every frame that came, as it came."""

    def __init__(self, url: str, cookie: str) -> None:
        super().__init__(url, cookie)
        self.frames: list[ForwardMsg] = []

    def take(self, timeout: float = 30) -> ForwardMsg:
        message = super().take(timeout)
        self.frames.append(message)
        return message


class Reviewer:
    """A person at the desk: what they sent, what they compared, and what their frames may say by then."""

    def __init__(self, wire: Listening) -> None:
        self.wire = wire
        self.sent = {FORGED}
        self.compared: set[int] = set()
        self.sheet = ""
        self.answers: list[str] = []  # to posted acts, as they came
        self.numbers: list[int] = []
        self.section = Section.NODE_PRECISION

    def take_sheet(self) -> None:
        self.wire.open("verdicts")
        self.wire.press(self.wire.screen.button("Take next sheet"))
        self.sheet = re.findall(r"sheet=([0-9a-f-]+)", self.wire.screen.query)[0]
        data = self.desk.data
        self.section, self.numbers = Section(data["section"]), [each["number"] for each in data["items"]]

    @property
    def desk(self) -> Any:
        return next(each for each in self.wire.screen.desks if "to_judge" in each.data)

    def post(self, *acts: dict[str, Any]) -> dict[str, Any]:
        """Acts through the desk, and the page drawn again, as after every answer; the answer."""
        status, answer = self.wire.post(self.desk, *acts)
        self.answers.append(answer)
        self.wire.redraw(self.desk)
        assert status == 200, answer
        return dict(json.loads(answer))

    def tell(self, kind: str, **said: object) -> dict[str, Any]:
        return self.post(desk_act(kind, **said))

    def open(self, **query: str) -> None:
        self.wire.open("verdicts", **query)

    def label_all(self, number: int) -> None:
        """The first label of every field: whatever else a frame says is the judge's."""
        acts = []
        for block, field in fields_of(self.section):
            label = LEGAL[self.section, block][field][0]
            self.sent.add(label)
            acts.append(desk_act("label", number=number, block=block.value, field=field, label=label))
        self.post(*acts)

    def check(self) -> int:
        """That no frame or answer since the last check says what it may not; how many there were."""
        frames, self.wire.frames = self.wire.frames, []
        answers, self.answers = self.answers, []
        assert not any(JUDGED.encode() in frame.SerializeToString() for frame in frames)
        texts = [str(text) for frame in frames for text in strings_in(frame)]
        for answer in answers:
            assert JUDGED not in answer
            said = json.loads(answer)
            texts += [json.dumps(said.pop("data")), json.dumps(said)]
        for text in texts:
            shown = without_compared(text, self.compared)
            assert JUDGE not in shown, shown[:300]
            assert set(LABEL.findall(shown)) <= self.sent, shown[:300]
        return len(frames) + len(answers)


def strings_in(message: Any) -> Iterator[str]:
    """Every text of a message, at any depth."""
    for field, value in message.ListFields():
        each_of = [value] if not field.is_repeated else value.values() if hasattr(value, "values") else value
        for each in each_of:
            if field.message_type is not None and hasattr(each, "ListFields"):
                yield from strings_in(each)
            elif isinstance(each, str):
                yield each
            elif isinstance(each, bytes):
                yield each.decode("utf-8", "replace")


def without_compared(text: str, compared: set[int]) -> str:
    """A component's data without what was shown of compared items; of the others, all that is not theirs is empty."""
    if '"to_judge"' not in text:
        return text
    data = json.loads(text)
    del data["fields"]  # the form: every label that there is
    for each in data["items"]:
        if each["number"] in compared:
            each.clear()
        else:
            assert not any(each.get(name) for name in NOTHING_YET), each
    states = data.get("states", {})
    assert {int(number) for number in states.get(data["section"], {})} <= compared
    assert not any(states[section] for section in states if section != data["section"])
    assert compared or not any(link["by"] == "the judge" for link in data.get("links", ()))
    return json.dumps(data)


@pytest.fixture(scope="module")
def site(start_server: Callable[..., Any]) -> Any:
    server = start_server()
    server.seed(FILL, nodes=NODES, edges=EDGES, text=TEXT, judge=JUDGE, judged=JUDGED)
    return server


def kept(site: Any, sql: str, *values: object) -> list[tuple[Any, ...]]:
    with sqlite3.connect(f"file:{site.store}?mode=ro", uri=True) as connection:
        return connection.execute(sql, values).fetchall()


SAW = "SELECT number, saw_verdict FROM person_label WHERE assignment_id = ?"


@pytest.mark.proof("T7", "forged messages: verdict desk, every frame searched", gate="0 leaks")
def test_no_label_of_an_item_that_is_not_compared_and_no_judged_model_reaches_the_browser(
    site: Any, record_property: Callable[[str, object], None]
) -> None:
    draw, asked, frames = random.Random(11), 0, 0
    with (
        Listening(site.url, cookie_of(site.url, "reviewer", site.password)) as one,
        Listening(site.url, cookie_of(site.url, "researcher", site.password)) as two,
    ):
        people = [Reviewer(one), Reviewer(two)]
        for each in people:
            each.take_sheet()
            frames += each.check()
        while asked < REQUESTS:
            person, other = draw.sample(people, 2)
            number = draw.choice(person.numbers)
            block, field = draw.choice(fields_of(person.section))
            where = {"number": number, "block": block.value, "field": field}
            requests: list[Callable[[], object]] = [
                lambda p=person, n=number: p.label_all(n),
                lambda p=person, w=where: p.tell("label", **w, label=FORGED),
                lambda p=person, w=where: p.tell("label", **{**w, "number": 99}, label=None),
                lambda p=person, n=number: p.tell("keep", number=n, reason="direction", note="", seen_review=0),
                lambda p=person, n=number: p.tell("concede", number=n, seen_review=0),
                lambda p=person: p.tell("compare", number=99),
                lambda p=person: p.tell("submit"),
                lambda p=person, o=other: p.open(sheet=o.sheet),
                lambda p=person, n=number: p.open(sheet=p.sheet, item=str(n)),
                lambda p=person: p.open(judged="no-item"),
                lambda p=person: p.open(),
            ]
            is_allowed = len(person.compared) < len(person.numbers) - 1  # the names of all stay hidden to the end
            if is_allowed and draw.random() < 0.1:
                person.label_all(number)
                person.compared.add(number)  # from this request on it may be shown
                person.tell("compare", number=number)
                asked += 1
            else:
                draw.choice(requests)()
            if not any("to_judge" in str(each.value) for each in person.wire.screen.all("bidi_component")):
                frames += person.check()
                person.open(sheet=person.sheet)
                asked += 1
            asked += 1
            frames += person.check()
            assert not person.desk.data["halted"]  # else all that follows would be refused for it
        for each in people:
            assert {saw for _number, saw in kept(site, SAW, each.sheet)} <= {0}
        record_property("repetitions", asked)
        assert frames > asked
        # The whole verdict is shown nowhere else either while the sheet is open, so that the rest stays blind.
        person = people[0]
        left = [number for number in person.numbers if number not in person.compared][-1]
        item = kept(
            site,
            "SELECT item_id FROM verdict_sheet s JOIN assignment a ON a.subject_id = s.id WHERE a.id = ?",
            person.sheet,
        )[0][0]
        person.wire.open("failures", item=item)
        assert person.check() > 0
        person.open(sheet=person.sheet)
        person.label_all(left)
        assert {saw for number, saw in kept(site, SAW, person.sheet) if number == left} == {0}
        # A ruling about what somebody ruled meanwhile is refused in words, and the sheet goes on.
        person.tell("compare", number=left)
        version = person.desk.data["review_version"]
        person.tell("both", number=left, seen_review=version)
        answer = person.tell("both", number=left, seen_review=version)
        assert answer["data"]["review_version"] == version + 1
        seen = f"(version {version + 1}, you saw {version}); both are shown."
        assert (
            f"Someone corrected this verdict since you opened it {seen}" in answer["refused"].values()
            and not answer["data"]["halted"]
        )
