"""Hostile verdicts as replies of a judge: one sentence each, soon, and none dropped: each ends as a status."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from core.errors import BadInput
from core.runs.states import ItemStatus
from core.verdicts.labels import Section
from protocols.exchanges import Answered, Ask
from protocols.recite.judge.rounds import followed, reading_of
from protocols.replies.verdicts import read_verdict_reply
from tests.everything import usual
from tests.exchange.test_verdict_yaml import REFUSED

KEY = "edge_recall_evaluations"
DRESSES: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: text,
    "in a fence": lambda text: f"```yaml\n{text}\n```",
    "behind thoughts": lambda text: f"<think>{KEY}: []</think>\n{text}",
    "between words": lambda text: f"My verdict:\n\n~~~\n{text}\n~~~\nThat is all.",
}
FILES = [(name, dress) for name in REFUSED for dress in DRESSES]


def test_there_are_eighty_of_them() -> None:
    assert len(FILES) >= 80


@pytest.mark.parametrize("name", usual(list(REFUSED), "6 MB", "a million items"))
def test_a_hostile_reply_is_one_sentence_within_its_time_and_is_not_dropped(name: str) -> None:
    for dress in DRESSES.values():
        reply = dress(REFUSED[name][0])
        began = time.process_time()
        try:
            read_verdict_reply(reply)
            said = ""
        except BadInput as error:
            said = str(error)
        took = time.process_time() - began
        assert "\n" not in said
        assert len(said) < 400
        # Measured is 5 ms and 20 ms a million characters at most; a loaded machine may take three times as long.
        assert took <= 3 * (0.05 + 0.15 * len(reply) / 1e6)
        state = followed(Section.EDGE_RECALL, 5, None, [Answered(ask=Ask(()), text=reply)])
        assert state.numbers_to_request == [1, 2, 3, 4, 5]
        assert reading_of(state).status in (ItemStatus.UNPARSABLE, ItemStatus.INCOMPLETE)
