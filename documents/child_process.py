"""One guarded child process that reads untrusted files, and the messages to and from it.

Messages are length-prefixed JSON with one block of bytes; nothing from a child is ever unpickled."""

from __future__ import annotations

import json
import os
import selectors
import struct
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from documents.limits import Limits

HEADER = struct.Struct(">II")  # length of the JSON part, length of the bytes part
ROOT = Path(__file__).resolve().parent.parent
# A child gets none of the parent's variables: keys of model endpoints are stored in its environment.
CHILD_ENVIRONMENT = {"LANG": "C.UTF-8", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
CHUNK = 1 << 18
Task = Callable[[Mapping[str, Any], bytes], tuple[Mapping[str, Any], bytes]]
Tasks = Mapping[str, Task]
"""The tasks of a child by name: arguments and bytes in, values and bytes out."""


@dataclass(frozen=True, slots=True)
class ChildReply:
    """JSON values and, for pictures and texts, the bytes of a child's answer."""

    values: Mapping[str, Any]
    content: bytes = b""


class Expired(Exception):
    """The deadline of an exchange passed."""


class ChildExited(Exception):
    """The child closed its end: it died."""


class Child:
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
        self._most_bytes = limits.max_answer_bytes
        self.ready = False
        self.talking = False
        self.served = 0
        self.documents: list[str] = []

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def await_ready(self, deadline: float) -> None:
        """Wait for the greeting, sent once the libraries are imported: start-up never counts against a request."""
        if not self.ready:
            self._receive(deadline)
            self.ready = True

    def exchange(self, request: Mapping[str, Any], content: bytes, deadline: float) -> ChildReply:
        self.talking = True
        self._send(pack(request, content), deadline)
        reply = self._receive(deadline)
        self.talking = False
        return reply

    def end(self) -> int:
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
                raise ChildExited from error

    def _receive(self, deadline: float) -> ChildReply:
        while True:
            if len(self._buffer) >= HEADER.size:
                json_length, content_length = HEADER.unpack_from(self._buffer)
                total = HEADER.size + json_length + content_length
                if total > self._most_bytes:
                    raise ValueError(f"{total:,} bytes; at most {self._most_bytes:,} are taken")
                if len(self._buffer) >= total:
                    values = json.loads(bytes(self._buffer[HEADER.size : HEADER.size + json_length]))
                    content = bytes(self._buffer[HEADER.size + json_length : total])
                    del self._buffer[:total]
                    return ChildReply(values, content)
            self._wait(self._out, selectors.EVENT_READ, deadline)
            try:
                part = os.read(self._out, CHUNK)
            except BlockingIOError:
                continue
            if not part:
                raise ChildExited
            self._buffer += part

    @staticmethod
    def _wait(descriptor: int, event: int, deadline: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, event)
            remaining = deadline - time.monotonic()
            if remaining <= 0 or not selector.select(remaining):
                raise Expired


def pack(values: Mapping[str, Any], content: bytes = b"") -> bytes:
    text = json.dumps(values).encode()
    return HEADER.pack(len(text), len(content)) + text + content
