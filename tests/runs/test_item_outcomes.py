"""A reply is read as it is stored: a short one at once, a long one beside the loop, both to the same outcome."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from protocols.exchanges import Ask
from runs import item_outcomes
from runs.endpoint.offload import LONG
from runs.item_outcomes import Turn, next_of, next_paired, outcome_of, protocol_of
from store.runs.items import ItemOutcome, StoredReply, StoredRunSample

SAMPLE = StoredRunSample(task="task1", variant="context", key="1", hash="hash", answer="+", facts={}, messages=())


@pytest.mark.parametrize(("blanks", "is_beside"), [(10, False), (LONG, True)])
def test_a_long_reply_is_read_beside_the_loop(blanks: int, is_beside: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    protocol = protocol_of("econcausal")
    text = '{"predicted_sign": "+"' + " " * blanks + "}"
    reply = StoredReply("hash", "attempt", text, None, "stop", None)
    threads: list[int] = []

    def noted(*given: Any) -> Ask | ItemOutcome:
        threads.append(threading.get_ident())
        return next_of(*given)

    monkeypatch.setattr(item_outcomes, "next_of", noted)
    found = asyncio.run(next_paired(protocol, SAMPLE, {}, [Turn(Ask(()), "m", reply)]))
    assert isinstance(found, ItemOutcome)
    assert (threads != [threading.get_ident()]) is is_beside
    assert found == outcome_of(protocol, SAMPLE, reply)
    assert (found.status, found.predicted) == ("answered", "+")
