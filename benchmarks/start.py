"""Start-up, from the command to the first answer: the server over the demo study, and a plain Streamlit app."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from benchmarks.accept_edge import EMPTY_PAGE, seeded
from benchmarks.harness import edgewise, plain_streamlit, quantiles, row

ROUNDS = 5


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        store, script = home / "bench.edgewise", home / "empty.py"
        script.write_text(EMPTY_PAGE)
        seeded(store, home)
        plain, own = [], []
        for _round in range(ROUNDS):
            began = time.perf_counter()
            with plain_streamlit(script):
                plain.append((time.perf_counter() - began) * 1000)
            began = time.perf_counter()
            with edgewise(home, store):
                own.append((time.perf_counter() - began) * 1000)
    print(row("plain Streamlit answers", plain))
    print(row("Edgewise answers", own, quantiles(plain)[0], "plain Streamlit"))
