"""`/ready`: whether the study can be used now. `/_stcore/health` only says that this process is alive. A supervisor
restarts on the second; a restart does not bring back a database server. Proxies that route people check the first.
It needs no session, so concurrent requests share one query."""

from __future__ import annotations

import asyncio

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from services.study import store_answers

LONGEST_LOOK_S = 3.0


class Readiness:
    def __init__(self) -> None:
        self._thread = CapacityLimiter(1)
        self._looking: asyncio.Task[bool] | None = None

    async def answer(self, _request: Request) -> Response:
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(to_thread.run_sync(store_answers, limiter=self._thread))
        looking = self._looking
        done, _ = await asyncio.wait({looking}, timeout=LONGEST_LOOK_S)
        is_ready = bool(done) and looking.result()
        return PlainTextResponse("ready" if is_ready else "store down", 200 if is_ready else 503)
