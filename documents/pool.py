"""Guarded child processes that read documents, started ahead of need.

A hostile PDF can burn CPU for minutes; in our own process that would stop everybody. So every document is opened in
a child with limits, which the parent kills when its time is up. One stuck child costs one caller one clear error.
Messages are length-prefixed JSON with one block of bytes; nothing from a child is ever unpickled.
"""

from __future__ import annotations

import json
import logging
import os
import selectors
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from core.errors import UnreadableDocument
from documents.limits import Limits

log = logging.getLogger(__name__)

HEADER = struct.Struct(">II")  # length of the JSON part, length of the bytes part
ROOT = Path(__file__).resolve().parent.parent
CHILD = (sys.executable, "-m", "documents.child")
# A child gets no variable of ours: keys of model endpoints live in the parent's environment.
CHILD_ENVIRONMENT = {"LANG": "C.UTF-8", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
CHUNK = 1 << 18


@dataclass(frozen=True, slots=True)
class Reply:
    """What a child answered: JSON values and, for pictures and texts, bytes."""

    values: Mapping[str, Any]
    content: bytes = b""


class _Expired(Exception):
    """The deadline of an exchange passed."""


class _Gone(Exception):
    """The child closed its end: it died."""


class _Child:
    """One child process and its two pipes. Used by one thread at a time."""

    def __init__(self, program: Sequence[str], limits: Limits) -> None:
        self.process = subprocess.Popen(  # noqa: S603 - our own interpreter and module, no shell
            [*program, limits.as_json()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env={"PATH": os.environ.get("PATH", os.defpath), **CHILD_ENVIRONMENT},
            start_new_session=True,
            bufsize=0,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._in, self._out = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        self._buffer = bytearray()
        self.ready = False
        self.talking = False
        self.served = 0
        self.documents: list[str] = []

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def await_ready(self, deadline: float) -> None:
        """The child greets once its libraries are imported, so that start-up never counts against a request."""
        if not self.ready:
            self._receive(deadline)
            self.ready = True

    def exchange(self, request: Mapping[str, Any], content: bytes, deadline: float) -> Reply:
        self.talking = True
        self._send(pack(request, content), deadline)
        reply = self._receive(deadline)
        self.talking = False
        return reply

    def end(self) -> int:
        """Kill, reap, close; returns the exit status."""
        self.process.kill()
        status = self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()
        return status

    def _send(self, message: bytes, deadline: float) -> None:
        view = memoryview(message)
        while view:
            self._wait(self._in, selectors.EVENT_WRITE, deadline)
            try:
                view = view[os.write(self._in, view[:CHUNK]) :]
            except BlockingIOError:
                continue
            except BrokenPipeError as error:
                raise _Gone from error

    def _receive(self, deadline: float) -> Reply:
        while True:
            if len(self._buffer) >= HEADER.size:
                json_length, content_length = HEADER.unpack_from(self._buffer)
                total = HEADER.size + json_length + content_length
                if len(self._buffer) >= total:
                    values = json.loads(bytes(self._buffer[HEADER.size : HEADER.size + json_length]))
                    content = bytes(self._buffer[HEADER.size + json_length : total])
                    del self._buffer[:total]
                    return Reply(values, content)
            self._wait(self._out, selectors.EVENT_READ, deadline)
            try:
                part = os.read(self._out, CHUNK)
            except BlockingIOError:
                continue
            if not part:
                raise _Gone
            self._buffer += part

    @staticmethod
    def _wait(descriptor: int, event: int, deadline: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, event)
            remaining = deadline - time.monotonic()
            if remaining <= 0 or not selector.select(remaining):
                raise _Expired


def pack(values: Mapping[str, Any], content: bytes = b"") -> bytes:
    """One message: header, JSON, bytes."""
    text = json.dumps(values).encode()
    return HEADER.pack(len(text), len(content)) + text + content


@dataclass
class _Slot:
    """A place for a child. Empty when a child could not be started; filled again on the next use."""

    child: _Child | None = None
    used: float = 0.0

    def affinity(self, document: str) -> tuple[int, float]:
        """Smaller is better: a child that has this document open, then an unused one, then the one idle longest."""
        if self.child is None:
            return (3, self.used)
        if document and document in self.child.documents[-1:]:
            return (0, self.used)
        return (1 if not self.child.documents else 2, self.used)


class Pool:
    """A few children that read documents. Safe to share between threads; close it when done.

    `size`: children, hence documents read at the same time. `wait_s`: how long a caller waits for a free child.
    `documents_per_child`, `requests_per_child`: after so many a child is replaced by a fresh one.
    `prestart` False starts a child at its first call: for programs that may never open a document.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        size: int = 2,
        *,
        wait_s: float = 60.0,
        start_s: float = 60.0,
        documents_per_child: int = 8,
        requests_per_child: int = 200,
        program: Sequence[str] = CHILD,
        prestart: bool = True,
    ) -> None:
        self.limits = limits or Limits()
        self._wait_s, self._start_s = wait_s, start_s
        self._documents_per_child, self._requests_per_child = documents_per_child, requests_per_child
        self._program = tuple(program)
        self._changed = threading.Condition()
        self._closed = False
        self._slots = [_Slot() for _ in range(size)]
        self._idle = list(self._slots)
        if prestart:
            for slot in self._slots:
                self._fill(slot)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End every child. Calls still waiting get UnreadableDocument(kind="closed")."""
        with self._changed:
            self._closed = True
            idle, self._idle = self._idle, []
            busy = [slot.child for slot in self._slots if slot not in idle and slot.child is not None]
            self._changed.notify_all()
        for child in busy:
            child.process.kill()  # its caller sees the end of the pipe and reaps it
        for slot in idle:
            self._empty(slot)

    def call(
        self, task: str, arguments: Mapping[str, Any] | None = None, content: bytes = b"", document: str = ""
    ) -> Reply:
        """Run `task` in a child. `document` (a content hash) lets a child that has it open serve it again.

        Raises UnreadableDocument: the child's own finding, or "too slow", "too much memory", "crashed", "busy",
        "closed", "reader failed".
        """
        slot = self._check_out(document)
        try:
            child = self._started(slot)
            request = {"task": task, "arguments": dict(arguments or {})}
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

    def _ask(self, slot: _Slot, child: _Child, request: Mapping[str, Any], content: bytes) -> Reply:
        try:
            return child.exchange(request, content, time.monotonic() + self.limits.wall_s)
        except _Expired:
            self._empty(slot)
            raise self._too_slow() from None
        except _Gone:
            raise self._explain_death(self._empty(slot)) from None
        except (OSError, ValueError) as error:
            self._empty(slot)
            raise UnreadableDocument("crashed", f"The document reader gave no usable answer ({error}).") from error

    def _started(self, slot: _Slot) -> _Child:
        """A live child that has greeted; starts one if the slot lost its own while idle."""
        if slot.child is not None and not slot.child.alive:
            self._empty(slot)
        if slot.child is None:
            self._fill(slot)
        if slot.child is None:
            raise UnreadableDocument("reader failed", "The document reader cannot be started now; try again later.")
        try:
            slot.child.await_ready(time.monotonic() + self._start_s)
        except (_Expired, _Gone):
            self._empty(slot)
            raise UnreadableDocument(
                "reader failed",
                "The document reader did not start; check that PyMuPDF is installed and memory is free.",
            ) from None
        return slot.child

    def _check_out(self, document: str) -> _Slot:
        deadline = time.monotonic() + self._wait_s
        with self._changed:
            while True:
                if self._closed:
                    raise UnreadableDocument("closed", "The document reader was shut down.")
                if self._idle:
                    slot = min(self._idle, key=lambda one: one.affinity(document))
                    self._idle.remove(slot)
                    return slot
                remaining = deadline - time.monotonic()
                if remaining <= 0 or not self._changed.wait(remaining):
                    raise UnreadableDocument(
                        "busy", f"All document readers were busy for {self._wait_s:.0f} s; try again in a moment."
                    )

    def _check_in(self, slot: _Slot) -> None:
        """Give the slot back, with a fresh child already starting if the old one is dead or has served its time."""
        if slot.child is not None and self._is_spent(slot.child):
            self._empty(slot)
        if slot.child is None and not self._closed:
            self._fill(slot)
        slot.used = time.monotonic()
        with self._changed:
            closed = self._closed
            if not closed:
                self._idle.append(slot)
                self._changed.notify()
        if closed:
            self._empty(slot)

    def _is_spent(self, child: _Child) -> bool:
        # Talking: its caller was interrupted, so its answer would reach the next caller.
        return (
            child.talking
            or child.served >= self._requests_per_child
            or len(child.documents) >= self._documents_per_child
        )

    def _fill(self, slot: _Slot) -> None:
        try:
            slot.child = _Child(self._program, self.limits)
        except OSError as error:
            log.warning("no document reader could be started: %s", error)

    @staticmethod
    def _empty(slot: _Slot) -> int:
        child, slot.child = slot.child, None
        return child.end() if child is not None else 0

    def _too_slow(self) -> UnreadableDocument:
        return UnreadableDocument(
            "too slow",
            f"Stopped after {min(self.limits.cpu_s, self.limits.wall_s):.0f} s of work; print it to a new PDF, "
            "or upload a picture of the figure.",
        )

    def _explain_death(self, status: int) -> UnreadableDocument:
        if self._closed:
            return UnreadableDocument("closed", "The document reader was shut down.")
        if -status in (signal.SIGXCPU, signal.SIGALRM):
            return self._too_slow()
        log.warning("a document reader ended with status %s", status)
        return UnreadableDocument(
            "crashed", "The document reader stopped on this file, which may be damaged; print it to a new PDF."
        )
