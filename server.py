"""HTTP entry point: the study's screens behind a gate for every path and the websocket (`web/`). Run with `uvicorn
server:app`."""

from __future__ import annotations

import asyncio
import gc
import importlib
import logging
import re
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from streamlit.runtime.pages_manager import PagesManager

import pages
from components.script_turns import take_turns
from core.errors import Refused
from services.backups.study_lock import begin_serving, end_serving
from services.papers import finding
from services.papers.finder import Finder
from services.study import Study, open_study, use_study
from settings import GARBAGE
from web.gate import Gate
from web.hosts import HOSTS, SETTINGS
from web.library_files import LibraryFiles
from web.routes import routes
from web.screens import SCREENS
from web.shutdown_watchdog import end_on_signal
from web.streamlit_page import FirstPage
from web.streamlit_settings import apply_settings

SETTLED_S = 3.0
"""Delay after the screens are loaded before loading what no first screen needs: the document reader, graph drawing,
workbooks."""
TURN_S = 0.0005
"""How long a thread keeps the interpreter while another waits. At Python's default of 5 ms, the thread that sends
messages waits behind a drawing script, several times per message, and finished replies are delayed."""
DRAWING_AND_WORKBOOKS = ("pyvis.network", "openpyxl")


class _HideTokens(logging.Filter):
    """Mask invitation paths in the access log: they are secrets until used."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(
                re.sub(r"/invitation/[^\s?]+", "/invitation/…", item) if isinstance(item, str) else item
                for item in record.args
            )
        return True


def _read_ahead(study: Study, goes_on: Callable[[], bool]) -> Exception | None:
    from services.transcription import prefetch  # only here: it comes with the screens

    return prefetch.process_queue(study, goes_on)


async def _settle(study: Study, finder: Finder) -> None:
    """Preload what will soon be requested; earlier requests are served too, after waiting for the import."""
    await SCREENS.ready()
    finder.start()
    await asyncio.sleep(SETTLED_S)
    await run_in_threadpool(study.pool.start_ahead)
    for name in DRAWING_AND_WORKBOOKS:
        await run_in_threadpool(importlib.import_module, name)
    _settle_memory()


def _settle_memory() -> None:
    """Run the full garbage collection now, instead of during someone's click: it walks everything that was loaded."""
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    gc.enable()  # the command line looks for none while modules load


@asynccontextmanager
async def _lifespan(_app: st.App) -> AsyncIterator[dict[str, Any]]:
    await run_in_threadpool(begin_serving, SETTINGS.store)
    end_on_signal()
    study = await run_in_threadpool(open_study, SETTINGS.store, SETTINGS.home)
    use_study(study)
    sys.setswitchinterval(TURN_S)
    SCREENS.load(pages, then=_settle_memory)
    finder = Finder(study, (finding.process_queue, _read_ahead))
    settling = asyncio.create_task(_settle(study, finder))
    try:
        yield {}
    finally:
        settling.cancel()
        await SCREENS.end()
        await run_in_threadpool(finder.end)
        use_study(None)
        study.close()
        end_serving(SETTINGS.store)


try:
    apply_settings(list(HOSTS))  # Streamlit checks the websocket's Host again
except Refused as refusal:
    sys.exit(str(refusal))
logging.getLogger("uvicorn.access").addFilter(_HideTokens())
# A folder named pages/ makes Streamlit run its files as pages until st.navigation has been called once; a deep
# link as the first request of a cold server would then show an empty page under a menu of file names.
PagesManager.uses_pages_directory = False
take_turns()
app = st.App(
    Path(__file__).with_name("app.py"),
    routes=routes(),
    middleware=[Middleware(Gate), Middleware(LibraryFiles), Middleware(FirstPage)],
    lifespan=_lifespan,
)
