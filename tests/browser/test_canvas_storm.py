"""Acts faster than the server answers, a connection that breaks, a server that is killed: all are stored, in order,
none twice. Many acts need few requests and few drawings of the page.

Twenty acts a gap and two cuts; tests/soak fires two hundred.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.browser.conftest import settle, sign_in
from tests.browser.drawing import open_figure
from tests.browser.storm import FIRE, GAPS_MS, HEAD, acts_of, all_stored, kept, opened, seeded, storm
from tests.everything import EVERYTHING, usual

ACTS = 20
GAPS = usual(GAPS_MS, *GAPS_MS[1:])
ROWS: list[str] = []


@pytest.fixture(scope="module")
def site(server: Any) -> Iterator[tuple[Any, dict[int, str]]]:
    """The server and one transcription a gap, its names placed already."""
    yield server, seeded(server, GAPS)
    print("", HEAD, *ROWS, sep="\n")


@pytest.mark.parametrize("gap_ms", GAPS)
def test_every_act_is_stored_once_and_in_order_though_the_connection_is_cut(
    site: tuple[Any, dict[int, str]], new_page: Callable[..., Page], watch: Any, gap_ms: int
) -> None:
    watch.expected.append("^console: ")  # Streamlit tells the console in many words that the server is away
    server, works = site
    page = new_page(server)
    sign_in(page.context, server, "annotator")
    made = storm(page, server, works[gap_ms], gap_ms, ACTS, cuts=(6, 14))
    ROWS.append(made.line)
    assert made.stored == made.fired


KILLED = 50  # acts; the server is killed while they are done, and comes back when all are
KILLED_AFTER_S = 0.25


@pytest.mark.skipif(not EVERYTHING, reason="test_transcribe.py kills its server")
def test_a_server_killed_during_fifty_acts_loses_none_and_stores_none_twice(
    start_server: Callable[..., Any],
    new_page: Callable[..., Page],
    watch: Any,
    integrity: Callable[[Path], str],
) -> None:
    watch.expected.append("^console: ")
    server = start_server()
    (work,) = seeded(server, (10,)).values()
    page = new_page(server)
    sign_in(page.context, server, "annotator")
    before = opened(page, server, work)
    acts = acts_of(KILLED)
    kill = Timer(KILLED_AFTER_S, server.process.kill)
    kill.start()
    page.evaluate(FIRE, [acts, 10])
    kill.join()
    server.process.wait()
    done = kept(server, work, before)
    assert 0 < len(done) < KILLED and done == acts[: len(done)]
    server.start()
    all_stored(page, within_s=60)
    assert kept(server, work, before) == acts
    assert integrity(server.store) == "ok"


ACCEPTED, WITHIN_S = 20, 5.0
MOST_REDRAWN = 4
PRINTED = """
import pymupdf
from core.papers.pages import Box
from services.papers import figures, importing as paper_importing
page = (document := pymupdf.open()).new_page(width=600, height=560)
at = [(80 + 145 * (n % 4), 90 + 125 * (n // 4)) for n in range(16)]
for n, (x, y) in enumerate(at):
    page.draw_rect(pymupdf.Rect(x - 36, y - 13, x + 36, y + 13))
    page.insert_text((x - 20, y + 4), f"Factor {chr(65 + n)}", fontsize=11)
def arrow(a, b):
    (x0, y0), (x1, y1) = at[a], at[b]
    is_across = y0 == y1
    tail, tip = ((x0 + 36, y0), (x1 - 36, y1)) if is_across else ((x0, y0 + 13), (x1, y1 - 13))
    page.draw_line(tail, tip)
    wings = [(-8, -3), (-8, 3)] if is_across else [(-3, -8), (3, -8)]
    page.draw_polyline([tip, *[(tip[0] + x, tip[1] + y) for x, y in wings], tip], fill=(0, 0, 0))
for n in range(16):
    if n % 4 < 3:
        arrow(n, n + 1)
    if n < 12:
        arrow(n, n + 4)
paper = paper_importing.import_file(terminal, "factors.pdf", document.tobytes(), act_id=new_act()).paper_id
box = Box(20, 40, 580, 520)
print(json.dumps(figures.locate(terminal, paper, 1, box, label="Factors", act_id=new_act()).subject_id))
"""


@pytest.mark.skipif(not EVERYTHING, reason="tests/components/desk/frame.test.js posts and draws together")
def test_twenty_proposals_accepted_in_five_seconds_need_few_posts_and_few_drawings(
    server: Any, new_page: Callable[..., Page]
) -> None:
    figure = json.loads(server.seed(PRINTED).splitlines()[-1])
    page = new_page(server)
    sign_in(page.context, server, "annotator")
    reruns: list[BackMsg] = []
    posts: list[str] = []

    def note(payload: str | bytes) -> None:
        message = BackMsg.FromString(payload) if isinstance(payload, bytes) else BackMsg()
        if message.WhichOneof("type") == "rerun_script":
            reruns.append(message)

    page.on("websocket", lambda socket: socket.on("framesent", note))
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    page.goto(f"/transcribe?figure={figure}")
    open_figure(page)
    expect(page.locator("g.cv-proposal")).to_have_count(24, timeout=60_000)
    settle(page)
    page.locator(".cv-viewport").focus()
    page.keyboard.press("p")
    assert reruns, "no message of the page is heard"
    reruns.clear()
    begun = time.monotonic()
    for number in range(1, ACCEPTED + 1):
        page.keyboard.press("y")
        page.wait_for_timeout(max(0, 1000 * (begun + number * WITHIN_S / ACCEPTED - time.monotonic())))
    all_stored(page)
    expect(page.locator(".receipt")).to_contain_text(f", {ACCEPTED} edges")
    page.wait_for_timeout(2_500)  # in which the last drawing is asked for
    assert all("/desk/" in address for address in posts)
    assert 0 < len(posts) <= ACCEPTED
    assert 0 < len(reruns) <= MOST_REDRAWN
