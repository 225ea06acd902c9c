"""The demo study grown ten and a hundred times: how long its pages and a save take, beside the study as it is."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from components.shell import FAULT
from tests.pages.screen import desk_act
from tests.soak.grown import grow
from tests.soak.load_clients import DESK
from tests.soak.serving import ROOT, served
from tests.soak.table import scaled
from tests.wire import Shown, Wire, cookie_of

TIMES = (1, 10, 100)
ROUNDS = scaled(15, least=3)
PAGES: tuple[tuple[str, dict[str, str]], ...] = (
    ("overview", {}),
    ("papers", {}),
    ("papers", {"view": "flow"}),
    ("transcribe", {}),
    ("adjudicate", {}),
    ("triplets", {}),
    ("agreement", {}),
    ("agreement", {"part": "raters"}),
    ("graphs", {}),
    ("texts", {}),
    ("readings", {}),
    ("runs", {}),
    ("failures", {}),
    ("results", {}),
    ("verdicts", {}),
    ("releases", {}),
    ("exchange", {}),
    ("people", {}),
)
PAGE_GATE, SAVE_GATE = 10.0, 1.5
SEED = """
import sys
from pathlib import Path
from services.demo.study import make_demo
from services.study import open_study, use_study
study = open_study(sys.argv[1], Path(sys.argv[2]))
use_study(study)
make_demo()
study.close()
"""
TAKE = """
import sys
from pathlib import Path
from core.people import Role, Viewer
from services.transcription import transcribing, lists as worklists
from services.study import open_study, use_study
from store import people
from store.tables import new_id
study = open_study(sys.argv[1], Path(sys.argv[2]))
use_study(study)
with study.store.reading() as session:
    owner = people.owner(session)
me = Viewer(person_id=owner.id, name=owner.name, roles=frozenset({Role.OWNER}), session_id="terminal")
print(transcribing.take(me, worklists.own_lists(me).free[0].figure_id, act_id=new_id()).subject_id)
study.close()
"""


@dataclass
class Measured:
    """One study of the three: its server, one open transcription, and the milliseconds of each thing tried."""

    wire: Wire
    work: str
    times_ms: dict[str, list[float]] = field(default_factory=dict)
    edges: int = 0

    def timed(self, what: str, do: Callable[[], object]) -> None:
        began = time.perf_counter()
        do()
        self.times_ms.setdefault(what, []).append((time.perf_counter() - began) * 1000)

    def median(self, what: str) -> float:
        return statistics.median(self.times_ms[what])

    def save(self) -> None:
        """One edge through the desk, until it is answered that it is kept."""
        self.edges += 1
        self.wire.save(self.desk, desk_act("lines", text=f"Edge {self.edges} -> Sink", pasted=False))

    def redraw(self) -> None:
        """The page drawn after that, where the edge is then shown."""
        shown = self.wire.redraw(self.desk)
        assert f"Edge {self.edges}" in str(shown.one("bidi_component", DESK).value)

    @property
    def desk(self) -> Shown:
        return self.wire.screen.one("bidi_component", DESK)


def run(source: str, store: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", source, str(store), str(store.parent)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[int, Measured]]:
    with ExitStack() as stack:
        made = {}
        for times in TIMES:
            home = tmp_path_factory.mktemp(f"grown{times}")
            store = home / "demo.edgewise"
            run(SEED, store)
            rows = grow(store, times)
            print(f"\n{times} times: " + ", ".join(f"{count:,} {table}" for table, count in rows.items()))
            work = run(TAKE, store)
            serving = stack.enter_context(served(home))
            made[times] = Measured(stack.enter_context(Wire(serving.url, cookie_of(serving.url))), work)
        yield made


def in_turns(studies: dict[int, Measured], number: int) -> list[Measured]:
    """All three, each first in every third round: what a server does after its answer falls on the next one."""
    listed = list(studies.values())
    return listed[number % len(listed) :] + listed[: number % len(listed)]


def ratios(studies: dict[int, Measured], what: str) -> tuple[float, float]:
    """How many times as long as in the study as it is, at 10 and at 100 times its size."""
    base = studies[1].median(what)
    return studies[10].median(what) / base, studies[100].median(what) / base


@pytest.mark.proof(
    "load", "pages of a grown study", gate=f"at 100 times the size at most {PAGE_GATE:.0f} times as long"
)
def test_pages_of_a_grown_study(studies: dict[int, Measured], record_property: Callable[[str, object], None]) -> None:
    names = {f"{page}{''.join(' ' + value for value in query.values())}": (page, query) for page, query in PAGES}
    for number in range(ROUNDS):
        for name, (page, query) in names.items():
            for study in in_turns(studies, number):
                study.timed(name, partial(opened, study, page, query))
    worst = max(names, key=lambda name: ratios(studies, name)[1])
    print(f"\n{'page':20} {'as it is':>10} {'10 times':>10} {'100 times':>10}")
    for name in names:
        print(f"{name:20} " + " ".join(f"{studies[times].median(name):7.0f} ms" for times in TIMES))
    record_property("repetitions", ROUNDS * len(names) * len(TIMES))
    record_property(
        "figure",
        f"medians of {len(names)} pages: {statistics.median(ratios(studies, name)[0] for name in names):.1f} times as "
        f"long at 10 times the size, {statistics.median(ratios(studies, name)[1] for name in names):.1f} at 100; "
        f"slowest to grow: {worst} ({ratios(studies, worst)[0]:.1f}, {ratios(studies, worst)[1]:.1f})",
    )
    assert ratios(studies, worst)[1] <= PAGE_GATE


def opened(study: Measured, page: str, query: dict[str, str]) -> None:
    shown = study.wire.open(page, 120, **query)
    assert not [words for words in shown.alerts if FAULT in words]


@pytest.mark.proof(
    "load", "saves in a grown study", gate=f"at 100 times the size at most {SAVE_GATE} times as long, drawn again too"
)
def test_saves_in_a_grown_study(studies: dict[int, Measured], record_property: Callable[[str, object], None]) -> None:
    for study in studies.values():
        study.wire.open("transcribe", 120, transcription=study.work)
        study.save()  # the first one loads what the later ones find loaded
        study.redraw()
    for number in range(ROUNDS * 2):
        for study in in_turns(studies, number):
            study.timed("save", study.save)
            study.timed("redraw", study.redraw)
    record_property("repetitions", ROUNDS * 2 * len(TIMES))
    record_property(
        "figure",
        f"{times_as_long(studies, 'save')}; the page drawn again after it {times_as_long(studies, 'redraw')}",
    )
    assert max(ratios(studies, what)[1] for what in ("save", "redraw")) <= SAVE_GATE


def times_as_long(studies: dict[int, Measured], what: str) -> str:
    ten, hundred = ratios(studies, what)
    medians = f"{studies[1].median(what):.0f} ms, {studies[100].median(what):.0f} ms"
    return f"{ten:.2f} times as long at 10 times the size, {hundred:.2f} at 100 ({medians})"
