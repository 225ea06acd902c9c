"""What a search of Failures finds: the samples of which a fact says each word, as a reader of these facts would say."""

from __future__ import annotations

import pytest

from core.runs.filters import FailureFilters
from store.engine import Store
from store.runs import lists
from tests.runs.begun import begin, model

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
