"""What the server loads before its first answer, and what it gets ready after it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from services.study import open_study
from tests.cli.calling import PLAIN, ROOT

NOT_YET = (
    *("pandas", "scipy", "networkx", "krippendorff", "pyarrow", "matplotlib", "openpyxl", "pyvis", "IPython", "yaml"),
    *("PIL", "pymupdf", "alembic", "openai", "aiohttp", "httpx2", "procrastinate", "psycopg"),
)
# The server's own life, without a port: what is loaded and begun when it would answer, and some time later.
START = """
import asyncio, gc, json, sys
import server
from services.study import current_study

walked = gc.get_stats()[2]["collections"]
gc.set_threshold(20_000)
server.SETTLED_S = 0.0

def has_reader():
    return any(slot.child for slot in current_study().pool._slots)

async def live():
    async with server._lifespan(server.app):
        loaded = {name.partition(".")[0] for name in sys.modules}
        early = sorted(set(json.loads(sys.argv[1])) & loaded)
        first = [early, "pages.verdicts.screen" in sys.modules, "protocols" in sys.modules, has_reader()]
        await server.SCREENS.ready()  # as a browser's websocket does
        early = set(json.loads(sys.argv[1])) & {name.partition(".")[0] for name in sys.modules}
        first += [sorted(early), "pages.verdicts.screen" in sys.modules]
        first += [gc.get_stats()[2]["collections"] - walked, gc.get_freeze_count() > 100_000, gc.get_threshold()]
        # What comes after the screens is frozen too: a collection would walk it in the middle of someone's click.
        later = {"openpyxl", "pyvis.network"}
        while not (has_reader() and later <= set(sys.modules) and len(gc.get_objects()) < 10_000):
            await asyncio.sleep(0.01)
    print(json.dumps(first))

asyncio.run(live())
"""


def test_the_server_answers_before_it_loads_screens_and_these_before_graphs_workbooks_and_papers(
    tmp_path: Path,
) -> None:
    place = str(tmp_path / "study.edgewise")
    open_study(place, tmp_path / "home").close()
    done = subprocess.run(
        [sys.executable, "-c", START, json.dumps(NOT_YET)],
        cwd=ROOT,
        env=PLAIN | {"EDGEWISE_STORE": place, "EDGEWISE_HOME": str(tmp_path / "home"), "EDGEWISE_LOCAL": "1"},
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [[], False, False, False, [], True, 0, True, [5_000, 10, 10]]
