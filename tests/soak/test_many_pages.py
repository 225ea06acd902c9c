"""One person opens a hundred large canvases at once, by a program; someone else saves edges meanwhile."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.soak.load_clients import Client, Heard
from tests.soak.table import scaled
from tests.soak.test_load import FILL, kept

PAGES = scaled(100, least=20)
LARGE = (300, 1_500)
BETWEEN_S = (0.2, 0.2)
SAVE_GATE_MS = 1_000
BEFORE_S, LONGEST_S = 5.0, 300.0
OPEN = """
import sys, threading
from tests.wire import Wire, cookie_of
url, name, password, work, many, longest_s = sys.argv[1:]
cookie = cookie_of(url, name, password)
drawn = []
def open_page():
    with Wire(url, cookie) as wire:
        drawn.append(wire.open("transcribe", timeout=float(longest_s), transcription=work))
threads = [threading.Thread(target=open_page) for _ in range(int(many))]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(sum(screen.desks != [] for screen in drawn))
"""


@pytest.mark.proof(
    "T6",
    "one person opens 100 canvases of 1,500 edges at once",
    gate="all are drawn; someone else's saves take less than 1 s, 0 lost, 0 errors",
)
def test_the_pages_of_one_person_hold_up_nobody_else(
    start_server: Callable[..., Any], record_property: Callable[[str, object], None]
) -> None:
    server = start_server()
    names = ["Many pages", "Someone else"]
    told = server.seed(FILL, password=server.password, figures=2, names=names, largest=LARGE)
    large, small = json.loads(told.splitlines()[-1])
    before = kept(server, small)
    heard = Heard()
    client = Client(
        server.url, names[1], server.password, small, 0, time.monotonic() + LONGEST_S, heard, think_s=BETWEEN_S
    )
    client.start()
    time.sleep(BEFORE_S)
    quiet = len(heard.saves_ms)
    began = time.monotonic()
    arguments = [server.url, names[0], server.password, large, str(PAGES), str(LONGEST_S)]
    opened = subprocess.run([sys.executable, "-c", OPEN, *arguments], capture_output=True, text=True, check=True)
    took_s = time.monotonic() - began
    client.end = time.monotonic()
    client.join()
    meanwhile = heard.saves_ms[quiet:]
    record_property("repetitions", PAGES)
    record_property(
        "figure",
        f"{opened.stdout.strip()} drawn in {took_s:.0f} s; {len(meanwhile)} saves meanwhile, p50 "
        f"{Heard.quantile(meanwhile, 0.5):.0f} ms, longest {max(meanwhile):.0f} ms; before, p50 "
        f"{Heard.quantile(heard.saves_ms[:quiet], 0.5):.0f} ms",
    )
    assert heard.errors == []
    assert int(opened.stdout) == PAGES
    assert kept(server, small) - before == heard.receipted[small]
    assert max(meanwhile) < SAVE_GATE_MS
