"""A class at work without browsers: each opens their figure and draws an edge every five to fifteen seconds."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

import psutil
from uuid_utils import uuid7

from tests.pages.screen import desk_act
from tests.wire import Wire, cookie_of

THINK_S = (5.0, 15.0)
REPORT_EVERY_S = 20.0
DESK, ACTIVITY = "transcription.desk", "edgewise_activity"


@dataclass
class Heard:
    """What all clients together met: milliseconds of page loads, of reruns and of saves, and every error."""

    loads_ms: list[float] = field(default_factory=list)
    reruns_ms: list[float] = field(default_factory=list)
    saves_ms: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    receipted: dict[str, int] = field(default_factory=dict)

    @staticmethod
    def quantile(times_ms: list[float], share: float) -> float:
        """The value below which `share` of the times lie; 0 if there are none."""
        ordered = sorted(times_ms)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


class Client(threading.Thread):
    """One annotator. Starts after `wait_s`, works until `end` (of the monotonic clock), thinks so long between acts."""

    def __init__(
        self,
        url: str,
        name: str,
        password: str,
        work: str,
        wait_s: float,
        end: float,
        heard: Heard,
        think_s: tuple[float, float] = THINK_S,
    ) -> None:
        super().__init__(name=name)
        self.url, self.password, self.work = url, password, work
        self.wait_s, self.end, self.heard, self.think_s = wait_s, end, heard, think_s
        self.rng = Random(name)

    def run(self) -> None:
        time.sleep(self.wait_s)
        try:
            with Wire(self.url, cookie_of(self.url, self.name, self.password)) as wire:
                self._work(wire)
        except Exception as error:
            self.heard.errors.append(f"{self.name}: {error!r}")

    def _work(self, wire: Wire) -> None:
        for page, query in (("overview", {}), ("transcribe", {}), ("transcribe", {"transcription": self.work})):
            began = time.monotonic()
            wire.open(page, **query)
            self.heard.loads_ms.append((time.monotonic() - began) * 1000)
        drawn, reported = 0, time.monotonic()
        while True:
            time.sleep(min(self.rng.uniform(*self.think_s), max(0.0, self.end - time.monotonic())))
            if time.monotonic() >= self.end:
                return
            self._draw(wire, drawn)
            drawn += 1
            if time.monotonic() - reported > REPORT_EVERY_S:
                reported = time.monotonic()
                report = {"id": str(uuid7()), "subject": self.work, "seconds": REPORT_EVERY_S}
                wire.tell(wire.screen.one("bidi_component", ACTIVITY), report=report)
                self.heard.reruns_ms.append((time.monotonic() - reported) * 1000)

    def _draw(self, wire: Wire, number: int) -> None:
        text = f"Variable {number % 30} of mine -> Effect number {number}"
        desk = wire.screen.one("bidi_component", DESK)
        began = time.monotonic()
        wire.save(desk, desk_act("lines", text=text, pasted=False))
        saved = time.monotonic()
        wire.redraw(desk)
        self.heard.saves_ms.append((saved - began) * 1000)
        self.heard.reruns_ms.append((time.monotonic() - saved) * 1000)
        self.heard.receipted[self.work] = self.heard.receipted.get(self.work, 0) + 1


class Cost(threading.Thread):
    """Watches until told to stop what a server needs: resident memory, alone and with its children, and cores."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.process = psutil.Process(pid)
        self.server_mb = self.all_mb = self.cores = 0.0
        self._enough = threading.Event()
        self._began, used = time.monotonic(), self.process.cpu_times()
        self._used_s = used.user + used.system

    def run(self) -> None:
        while not self._enough.wait(2) and self.process.is_running():
            own = self.process.memory_info().rss
            others = 0
            for child in self.process.children(recursive=True):
                with suppress(psutil.NoSuchProcess):  # a document reader is replaced now and then
                    others += child.memory_info().rss
            self.server_mb = max(self.server_mb, own / 1e6)
            self.all_mb = max(self.all_mb, (own + others) / 1e6)

    def stop(self) -> None:
        self._enough.set()
        self.join()
        used = self.process.cpu_times()
        self.cores = (used.user + used.system - self._used_s) / (time.monotonic() - self._began)
