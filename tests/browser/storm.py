"""Many acts on the figure of the real page in a hurry, with the connection cut meanwhile; and what the store kept."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route, WebSocketRoute, expect

DEMO = Path(__file__).resolve().parents[2] / "demo" / "reservoir.pdf"
NODES = 21
GAPS_MS = (0, 10, 30, 100)
SIGN_EVERY = 5  # every fifth act gives the edge just drawn its sign, before its receipt has come

SEED = """
from core.papers.pages import Box
from services.transcription import canvas_edits as canvassing, transcribing
from services.papers import figures, importing as paper_importing
for person in people.list_people(terminal):
    if person.name == "annotator":
        me = Viewer(person_id=person.id, name=person.name, roles=frozenset(person.roles), session_id="terminal")
pdf = Path(given["pdf"]).read_bytes()
paper = paper_importing.import_file(terminal, "reservoir.pdf", pdf, act_id=new_act()).paper_id
works = []
for gap in given["gaps"]:
    figure = figures.locate(terminal, paper, 1, Box(90, 420, 540, 590), label=f"{gap} ms", act_id=new_act()).subject_id
    work = transcribing.take(me, figure, act_id=new_act()).subject_id
    seen = 1
    for n in range(given["nodes"]):
        at = (105 + 60 * (n % 7), 440 + 60 * (n // 7))
        seen = canvassing.place_node(me, work, f"V{n}", at, None, "drawn", seen=seen, act_id=new_act()).version
    works.append(work)
print(json.dumps(works))
"""

FIRE = """
async ([acts, gap]) => {
  const root = () => [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')]
    .map((one) => one.shadowRoot).find((one) => one?.querySelector('.cv'));
  const node = (name) => `g.cv-node[data-key="${name}"]`;
  const edge = (source, sink) => `g.cv-edge[aria-label^="${source} to ${sink},"]`;
  const found = async (selector) => { // a page that connects again may draw the canvas anew
    while (!root()?.querySelector(selector)) await new Promise((done) => setTimeout(done, 20));
    return root().querySelector(selector);
  };
  const press = (key) => root().querySelector('.cv-viewport')
    .dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));
  const click = () => new MouseEvent('click', { bubbles: true, composed: true, detail: 0 });
  for (const [source, sink, sign] of acts) {
    const picked = sign ? [edge(source, sink)] : [node(source), node(sink)];
    for (const selector of picked) (await found(selector)).dispatchEvent(click());
    if (sign) press(sign);
    if (gap > 0) await new Promise((done) => setTimeout(done, gap));
  }
}
"""

Act = tuple[str, str, str]
"""Source, sink and "" where the edge is drawn; the sign where it is set."""


def acts_of(count: int) -> list[Act]:
    """So many acts, each edge another pair."""
    pairs = ((f"V{a}", f"V{b}") for a in range(NODES) for b in range(NODES) if a != b)
    acts: list[Act] = []
    while len(acts) < count:
        source, sink = acts[-1][:2] if len(acts) % SIGN_EVERY == SIGN_EVERY - 1 else next(pairs)
        is_sign = bool(acts) and acts[-1][:2] == (source, sink)
        acts.append((source, sink, "+-"[len(acts) // SIGN_EVERY % 2] if is_sign else ""))
    return acts


class Cutter:
    """Stands between the page and the server. `cut` drops the websocket with all that is on its way, and one post of
    the desk: at every other cut the server never gets it, else the desk never gets its answer."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._open: list[tuple[WebSocketRoute, WebSocketRoute]] = []
        self._loses = ""
        self.cuts = self.lost = 0
        page.route_web_socket("**/_stcore/stream", self._through)
        page.route("**/desk/*", self._post)

    def _through(self, socket: WebSocketRoute) -> None:
        self._open.append((socket, socket.connect_to_server()))

    def _post(self, route: Route) -> None:
        loses, self._loses = self._loses, ""
        if loses == "":
            route.continue_()
            return
        if loses == "answer":
            assert route.fetch().ok
        route.abort("connectionreset")
        self.lost += 1

    def cut(self) -> None:
        """Close every connection that was opened since the last cut, at both ends, waiting for one if need be; of the
        posts, the next one is lost."""
        deadline = time.monotonic() + 60
        while not self._open and time.monotonic() < deadline:
            self._page.wait_for_timeout(50)
        ends, self._open = self._open, []
        assert ends, "there was no connection to cut"
        for socket, server in ends:
            server.close()
            socket.close()
        self.cuts += 1
        self._loses = "answer" if self.cuts % 2 else "request"


@dataclass(frozen=True)
class Storm:
    """One storm: milliseconds between acts, how often the connection was cut, and how long until all was stored."""

    gap_ms: int
    fired: Sequence[Act]
    stored: Sequence[Act]
    cuts: int
    seconds: float

    @property
    def line(self) -> str:
        in_order = "yes" if list(self.stored) == list(self.fired) else "NO"
        return (
            f"{self.gap_ms:6}  {len(self.fired):5}  {self.cuts:4}  {len(self.stored):6}  "
            f"{len(self.stored) - len(set(self.stored)):5}  {in_order:8}  {self.seconds:12.1f}"
        )


HEAD = "gap ms  fired  cuts  stored  twice  in order  all stored, s"


def seeded(server: Any, gaps: Sequence[int] = GAPS_MS) -> dict[int, str]:
    """Ids of one transcription for each gap."""
    works = json.loads(server.seed(SEED, pdf=str(DEMO), gaps=list(gaps), nodes=NODES).splitlines()[-1])
    return dict(zip(gaps, works, strict=True))


def opened(page: Page, server: Any, work: str) -> int:
    """Show a transcription of `seeded`; the last event before anything is done on it."""
    page.goto(f"/transcribe?transcription={work}")
    expect(page.locator(".cv[data-editable='true']")).to_be_visible(timeout=60_000)
    expect(page.locator("g.cv-node")).to_have_count(NODES)
    return last_event(server)


def all_stored(page: Page, within_s: float = 180) -> None:
    expect(page.locator(".cv[data-waiting='0']")).to_be_visible(timeout=1000 * within_s)


def storm(page: Page, server: Any, work: str, gap_ms: int, count: int, cuts: Sequence[int]) -> Storm:
    """Fire `count` acts, the connection cut after each number of acts in `cuts`; wait until all is kept."""
    cutter = Cutter(page)
    before = opened(page, server, work)
    acts = acts_of(count)
    begun = time.monotonic()
    for start, end in zip((0, *cuts), (*cuts, count), strict=True):
        if start:
            cutter.cut()
        page.evaluate(FIRE, [acts[start:end], gap_ms])
    all_stored(page)
    assert cutter.lost == len(cuts)
    return Storm(gap_ms, acts, kept(server, work, before), cutter.cuts, time.monotonic() - begun)


def ask(server: Any, query: str, *values: Any) -> list[Any]:
    with sqlite3.connect(f"file:{server.store}?mode=ro", uri=True) as connection:
        return connection.execute(query, values).fetchall()


def last_event(server: Any) -> int:
    return int(ask(server, "SELECT max(seq) FROM event")[0][0])


def kept(server: Any, work: str, after: int) -> list[Act]:
    """The acts that the history keeps of a transcription, in its order: each an event that changed one edge."""
    (graph,) = ask(server, "SELECT graph_id FROM assignment WHERE id = ?", work)[0]
    names = dict(ask(server, "SELECT id, name FROM node WHERE graph_id = ?", graph))
    found: list[Act] = []
    query = "SELECT payload FROM event WHERE graph_id = ? AND seq > ? ORDER BY seq"
    for (payload,) in ask(server, query, graph, after):
        (change,) = json.loads(payload)["changes"]
        made = change["after"]
        sign = "" if change["before"] is None else made["sign"]
        found.append((names[made["source_id"]], names[made["sink_id"]], sign))
    return found
