"""The answer to what a desk sent, ahead of the page that shows it.

Streamlit gives a component its new data once the browser has drawn the page around it, which takes longer than act and
reading together. So a browser that sends acts asks our HTTP door for the answer as well (`web/desk_answers.py`), which
has the desk's data as soon as the script has made it. The page's own data comes as before: where this way fails, a
person waits a little longer and nothing is lost.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

import streamlit as st

from components import state

Owner = tuple[str, str]
"""Whose browser session it is: ids of session and person (`state.belong_to`)."""

HEAD_START_S = 0.03
"""Two frames for the browser to draw an answer in, before the page's own messages have React at work on all of it."""
MOST_WAITING = 2000
"""Browsers that are waited for at once; any further one is told by its page alone."""


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    act: str
    owner: Owner
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[str | None]

    def tell(self, said: str | None) -> None:
        if not self.answer.done():
            self.answer.set_result(said)


class EarlyAnswers:
    """Which browser tabs wait for an answer, by the id that the outbox of each gave itself."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: dict[str, _Waiting] = {}

    async def wait(self, tab: str, act: str, owner: Owner, patience_s: float) -> str | None:
        """The data of the desk with the outbox `tab`, as JSON, once it answers the act with this id.

        None if that takes longer than `patience_s` seconds, if the tab asks again, or if too many wait.
        """
        loop = asyncio.get_running_loop()
        one = _Waiting(act, owner, loop, loop.create_future())
        with self._lock:
            before = self._waiting.pop(tab, None)
            if len(self._waiting) < MOST_WAITING:
                self._waiting[tab] = one
            else:
                one.tell(None)
        if before is not None:
            before.loop.call_soon_threadsafe(before.tell, None)
        try:
            async with asyncio.timeout(patience_s):
                return await one.answer
        except TimeoutError:
            return None
        finally:
            with self._lock:
                if self._waiting.get(tab) is one:
                    del self._waiting[tab]

    def tell(self, tab: str, owner: Owner, data: Mapping[str, Any]) -> bool:
        """Hand `data` to the browser that waits for it, if it answers what was asked; whether one did. May be called by
        any thread."""
        with self._lock:
            one = self._waiting.get(tab)
            if one is None or one.owner != owner or not (one.act in data["acked"] or one.act in data["refused"]):
                return False
            del self._waiting[tab]
        one.loop.call_soon_threadsafe(one.tell, json.dumps(data))
        return True


EARLY_ANSWERS = EarlyAnswers()


def told_early(key: str, data: dict[str, Any]) -> dict[str, Any]:
    """`data` of the desk with this key, as it is mounted; a browser that waits for it gets it now.

    `early` says whether there is a door to ask at: not where a component is shown outside of a study.
    """
    owner = state.owner()
    data = {**data, "early": owner is not None}
    outbox = (st.session_state.get(key) or {}).get("outbox")
    if owner is None or not isinstance(outbox, Mapping) or not isinstance(outbox.get("tab"), str):
        return data
    if EARLY_ANSWERS.tell(outbox["tab"], owner, data):
        time.sleep(HEAD_START_S)  # of this script alone; the server's other threads go on
    return data
