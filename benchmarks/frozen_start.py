"""Time saved at each act by freezing the start-up objects (gc.freeze, once), compared with the same server as it is."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.accept_edge import WARM_UP, accept, seeded, work_page
from benchmarks.harness import chromium, edgewise, free_port, quantiles, row, served

ROUNDS = 20
UNFROZEN = (
    "import gc, sys; gc.freeze = lambda: None; import edgewise; sys.argv = ['edgewise', *sys.argv[1:]]; edgewise.app()"
)


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        homes = [Path(folder) / name for name in ("frozen", "unfrozen")]
        stores = [home / "bench.edgewise" for home in homes]
        works = [seeded(store, home)[0] for store, home in zip(stores, homes, strict=True)]
        port = free_port()
        command = [sys.executable, "-c", UNFROZEN, "serve", "--local", "--port", str(port), "--store", str(stores[1])]
        with (
            edgewise(homes[0], stores[0]) as frozen_url,
            served(command, port, {"EDGEWISE_HOME": str(homes[1])}) as plain_url,
            chromium() as browser,
        ):
            urls = (frozen_url, plain_url)
            pages = [work_page(browser, f"{u}/transcribe?transcription={w}") for u, w in zip(urls, works, strict=True)]
            times: list[list[float]] = [[], []]
            for number in range(ROUNDS + WARM_UP):
                for page, column in zip(pages, times, strict=True):
                    column.append(accept(page, f"Added {number}"))
    frozen, plain = (column[WARM_UP:] for column in times)
    print(row("edge accepted, start-up objects frozen", frozen))
    print(row("the same, not frozen", plain, quantiles(frozen)[0], "the frozen one"))
