"""What a search of Failures finds: the samples of which a fact says each word, as a reader of these facts would say."""

from __future__ import annotations

from typing import Any

import pytest
from sqlmodel import select

from core.runs.filters import FailureFilters
from store.engine import Store
from store.runs import lists
from store.tables.runs import ReplyRow, RunItemRow, RunRoundRow
from tests.runs.begun import begin, model, now

SAID = (
    "Wages of Ünal",
    "WAGES of the naïve",
    "a “quoted” \\beta of 100%",
    'he said "no" – twice',
    "100 % of ünal's\nhours",
    "under_score wages",
    "underXscore",
    "+",
    "",
)
SEARCHES = (
    "wages",
    "WaGeS ünal",
    "ÜNAL",
    "naÏve",
    "100%",
    "%",
    "_",
    "under_score",
    '"no"',
    "\\beta",
    "“quoted”",
    "+",
    "–",
    "words",
    "hidden",
    "w0/3",
    "W1/",
    "0/3",
    "hours\nünal's",
    "nothing",
)
SEARCHED = ("words", "missing")


@pytest.mark.both
@pytest.mark.parametrize("few", [3, 2_000])
def test_every_word_is_said_by_a_fact_or_begins_the_key(
    store_url: str, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "FEW", few)
    store = Store(store_url)
    facts = [{"words": said, "hidden": "hidden nothing"} for said in SAID]
    begin(store, {"m": model("http://127.0.0.1:9/v1")}, count=len(SAID), facts=facts)
    keys = [f"w{place // 4}/{place}" for place in range(len(SAID))]
    with store.reading() as session:
        for search in SEARCHES:
            by_status, lines, _left_out = lists.page(session, FailureFilters(search=search), SEARCHED, 0, 50)
            right = [
                key
                for key, said in zip(keys, SAID, strict=True)
                if all(word in said.lower() or key.startswith(word) for word in search.lower().split())
            ]
            assert ([line.key for line in lines], by_status.total()) == (right, len(right)), search
    store.close()


REPLIES = (  # text and reasoning of the first request, and the text of a second one
    ("Wages RISE by 100%", None, None),
    (None, "so wages fall", "then they rise"),
    ("nothing", "Ünal's wages", None),
    ("", None, None),
)


@pytest.mark.both
@pytest.mark.parametrize(
    ("words", "places"),
    [
        ("wages", [0, 1, 2]),
        ("WAGES rise", [0]),
        ("rise", [0, 1]),
        ("ünal", [2]),
        ("100%", [0]),
        ("_", []),
        (" ", [0, 1, 2, 3]),
    ],
)
def test_every_word_is_in_one_reply_or_its_reasoning(
    store_url: str, words: str, places: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(store_url)
    begin(store, {"m": model("http://127.0.0.1:9/v1")}, count=len(REPLIES))
    about: dict[str, Any] = {"attempt_id": "a", "endpoint": "e", "model": "m", "raw": "{}", "received_at": now()}
    with store.writing() as session:
        items = session.exec(select(RunItemRow).order_by(RunItemRow.id)).all()
        for item, (text, reasoning, second) in zip(items, REPLIES, strict=True):
            session.add(ReplyRow(request_hash=str(item.request_hash), text=text, reasoning=reasoning, **about))
            if second is not None:
                session.add(RunRoundRow(item_id=item.id, number=2, model="m", request_hash="second", status="answered"))
                session.add(ReplyRow(request_hash="second", text=second, **about))
        ids = [item.id for item in items]
    for most in (lists.FEW, 0):  # few items are addressed by id, of many each reply is read
        monkeypatch.setattr(lists, "FEW", most)
        with store.reading() as session:
            for runs in ((), (items[0].run_id,), ("another",)):
                filters, expected = FailureFilters(replied=words, runs=runs), places if runs != ("another",) else []
                _counts, lines, _left_out = lists.page(session, filters, SEARCHED, 0, 50)
                assert sorted(line.item_id for line in lines) == [ids[place] for place in expected]
                assert sorted(lists.ids(session, filters)) == [ids[place] for place in expected]
    store.close()
