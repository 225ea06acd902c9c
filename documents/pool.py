"""Guarded child processes that read untrusted files, started ahead of need.

A hostile PDF can burn CPU for minutes, which would block all users of a single process. So every document is opened in
a child with limits, which the parent kills when its time is up. One stuck child costs one caller one clear error.
Files of graphs, triplets and references have a pool of their own, with another program
(`services/exchange/file_reading.py`)."""

from __future__ import annotations

import logging
import signal
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from core.errors import UnreadableDocument
from documents.child_errors import DOCUMENTS, Sentences
from documents.child_process import Child, ChildExited, ChildReply, Expired
from documents.limits import Limits

log = logging.getLogger(__name__)

PROGRAM = (sys.executable, "-m", "documents.child")


@dataclass
class _Slot:
    """A place for a child. Empty if a child could not be started; filled again on the next use."""

    child: Child | None = None
    used: float = 0.0

    def affinity(self, document: str) -> tuple[int, float]:
        """Return the sort key of slots, best first: has this document open, unused, idle longest."""
        if self.child is None:
            return (3, self.used)
        if document and document in self.child.documents[-1:]:
            return (0, self.used)
        return (1 if not self.child.documents else 2, self.used)


class Pool:
    """A few children that read documents. Safe to share between threads; close it when done."""

    def __init__(
        self,
        limits: Limits | None = None,
        size: int = 2,  # number of children, so of documents read at the same time
        *,
        wait_s: float = 60.0,  # how long a caller waits for a free child
        start_s: float = 60.0,
        documents_per_child: int = 8,  # a child is replaced after this many documents
        requests_per_child: int = 200,  # or requests
        program: Sequence[str] = PROGRAM,
        prestart: int | None = None,  # children started at once (None: all); the others start on demand
        restarts: bool = True,  # start the successor of a replaced child at once, not with the next call
        sentences: Sentences = DOCUMENTS,  # messages for when a child does not answer
    ) -> None:
        self.sentences = sentences
        self.limits = limits or Limits()
        self._wait_s, self._start_s = wait_s, start_s
        self._documents_per_child, self._requests_per_child = documents_per_child, requests_per_child
        self._program = tuple(program)
        self._is_kept = restarts
        self._changed = threading.Condition()
        self._closed = False
        self._slots = [_Slot() for _ in range(size)]
        self._idle = list(self._slots)
        for slot in self._slots[:prestart]:
            self._fill(slot)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End every child. Waiting calls get UnreadableDocument(kind="closed")."""
        with self._changed:
            self._closed = True
            idle, self._idle = self._idle, []
            busy = [slot.child for slot in self._slots if slot not in idle and slot.child is not None]
            self._changed.notify_all()
        for child in busy:
            child.process.kill()  # its caller sees the end of the pipe and reaps it
        for slot in idle:
            self._empty(slot)

    def start_ahead(self) -> None:
        """Start a child in the background if there is none; the next call uses it."""
        with self._changed:
            if self._closed or len(self._idle) < len(self._slots) or any(slot.child for slot in self._slots):
                return
            slot = self._idle.pop()
        self._check_in(slot)

    def call(
        self,
        task: str,
        arguments: Mapping[str, Any] | None = None,
        content: bytes = b"",
        document: str = "",
        cpu_s: int | None = None,
    ) -> ChildReply:
        """Run `task` in a child. `document` (a content hash) prefers the child that has it open. `cpu_s`: limit of
        processor time, if less than that of the pool. Raises UnreadableDocument: the child's own finding, or "too
        slow", "too much memory", "crashed", "busy", "closed", "reader failed"."""
        slot = self._check_out(document)
        try:
            child = self._started(slot)
            request = {
                "task": task,
                "arguments": dict(arguments or {}),
                "cpu_s": min(cpu_s or self.limits.cpu_s, self.limits.cpu_s),
            }
            reply = self._ask(slot, child, request, content)
            child.served += 1
            if document and document not in child.documents[-1:]:
                child.documents.append(document)
            error = reply.values.get("error")
            if error is not None and error["kind"] == "too much memory":
                self._empty(slot)
        finally:
            self._check_in(slot)
        if error is not None:
            raise UnreadableDocument(error["kind"], error["message"])
        return reply

    def _ask(self, slot: _Slot, child: Child, request: Mapping[str, Any], content: bytes) -> ChildReply:
        try:
            return child.exchange(request, content, time.monotonic() + self.limits.wall_s)
        except Expired:
            self._empty(slot)
            raise UnreadableDocument("too slow", self.sentences.overdue.format(seconds=self.limits.wall_s)) from None
        except ChildExited:
            raise self._explain_death(self._empty(slot), request["cpu_s"]) from None
        except (OSError, ValueError) as error:
            self._empty(slot)
            raise UnreadableDocument("crashed", self.sentences.unusable.format(error=error)) from error

    def _started(self, slot: _Slot) -> Child:
        """Return a live child that has greeted; starts one if the slot lost its own while idle."""
        if slot.child is not None and not slot.child.alive:
            self._empty(slot)
        if slot.child is None:
            self._fill(slot)
        if slot.child is None:
            raise UnreadableDocument("reader failed", self.sentences.unstarted)
        try:
            slot.child.await_ready(time.monotonic() + self._start_s)
        except (Expired, ChildExited):
            self._empty(slot)
            raise UnreadableDocument("reader failed", self.sentences.unstarted) from None
        return slot.child

    def _check_out(self, document: str) -> _Slot:
        deadline = time.monotonic() + self._wait_s
        with self._changed:
            while True:
                if self._closed:
                    raise UnreadableDocument("closed", self.sentences.closed)
                if self._idle:
                    slot = min(self._idle, key=lambda one: one.affinity(document))
                    self._idle.remove(slot)
                    return slot
                remaining = deadline - time.monotonic()
                if remaining <= 0 or not self._changed.wait(remaining):
                    raise UnreadableDocument("busy", self.sentences.busy.format(seconds=self._wait_s))

    def _check_in(self, slot: _Slot) -> None:
        """Return the slot, with a fresh child already starting if the old one is dead or has served its time."""
        if slot.child is not None and (
            slot.child.talking
            or slot.child.served >= self._requests_per_child
            or len(slot.child.documents) >= self._documents_per_child
        ):
            self._empty(slot)
        if slot.child is None and self._is_kept and not self._closed:
            self._fill(slot)
        slot.used = time.monotonic()
        with self._changed:
            closed = self._closed
            if not closed:
                self._idle.append(slot)
                self._changed.notify()
        if closed:
            self._empty(slot)

    def _fill(self, slot: _Slot) -> None:
        try:
            slot.child = Child(self._program, self.limits)
        except OSError as error:
            log.warning("no %s could be started: %s", self.sentences.reader, error)

    @staticmethod
    def _empty(slot: _Slot) -> int:
        child, slot.child = slot.child, None
        return child.end() if child is not None else 0

    def _explain_death(self, status: int, cpu_s: int) -> UnreadableDocument:
        if self._closed:
            return UnreadableDocument("closed", self.sentences.closed)
        if -status == signal.SIGXCPU:
            return UnreadableDocument("too slow", self.sentences.too_slow.format(seconds=cpu_s))
        if -status == signal.SIGALRM:
            return UnreadableDocument("too slow", self.sentences.overdue.format(seconds=self.limits.wall_s))
        log.warning("a %s ended with status %s", self.sentences.reader, status)
        return UnreadableDocument("crashed", self.sentences.crashed)
