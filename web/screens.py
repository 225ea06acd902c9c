"""Loading of the screens' modules while the first browser fetches the app. They are a third of what the server
loads, and the first script run is the first to need them. A websocket waits for all of them, so that no script run
imports a module that this thread is importing."""

from __future__ import annotations

import asyncio
import importlib
import logging
import pkgutil
from collections.abc import Callable
from types import ModuleType

from starlette.concurrency import run_in_threadpool

_LOG = logging.getLogger("edgewise")


class Screens:
    """Background loading: `load` starts, `ready` waits. Without a start, as in a test of the gate, nothing is
    awaited."""

    def __init__(self) -> None:
        self._loading: asyncio.Task[None] | None = None

    def load(self, package: ModuleType, then: Callable[[], None]) -> None:
        """Import every module of `package` in a thread, then call `then` there. Call it on the event loop."""
        self._loading = asyncio.create_task(run_in_threadpool(_load, package, then))
        self._loading.add_done_callback(_tell)

    async def ready(self) -> None:
        """Return once all modules are loaded. Raises the loading error, to every caller."""
        if self._loading is not None:
            await asyncio.shield(self._loading)

    async def end(self) -> None:
        """Wait for the thread, ignoring its error, which is logged."""
        if self._loading is not None:
            await asyncio.wait({self._loading})
            self._loading = None


def _load(package: ModuleType, then: Callable[[], None]) -> None:
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    then()


def _tell(loading: asyncio.Task[None]) -> None:
    if not loading.cancelled() and (fault := loading.exception()) is not None:
        _LOG.critical("The screens cannot be loaded; no page will open.", exc_info=fault)


SCREENS = Screens()
