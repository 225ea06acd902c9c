"""Entry point of a child of the pool: limit itself, then answer requests on its pipes until they close.

Run as `python -m documents.child LIMITS` by documents.pool; no other module of the parent imports it."""

from __future__ import annotations

import gc
import json
import math
import os
import resource
import signal
import sys
from collections.abc import Mapping
from typing import Any, BinaryIO

from core.errors import UnreadableDocument
from documents.child_process import HEADER, Tasks, pack
from documents.limits import Limits

GRACE_S = 5.0


def take_pipes() -> tuple[BinaryIO, BinaryIO]:
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return incoming, outgoing


def limit_process(limits: Limits) -> None:
    """Bound memory and file size, forbid core dumps and lower the priority, before any parser is imported."""
    os.nice(limits.niceness)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits.max_file_bytes, limits.max_file_bytes))
    if sys.platform == "linux":  # macOS refuses to bound the address space
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))


def limit_request(limits: Limits, cpu_s: int) -> None:
    """Set kernel timers that end the process when the request's time is up, even if the parent died before."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(usage.ru_utime + usage.ru_stime + cpu_s), hard))
    signal.setitimer(signal.ITIMER_REAL, limits.wall_s + GRACE_S)


def answer(tasks: Tasks, request: Mapping[str, Any], content: bytes) -> bytes:
    """Return the packed reply. A finding about the document is a reply; any other exception ends the child."""
    try:
        return pack(*tasks[request["task"]](request["arguments"], content))
    except UnreadableDocument as error:
        return pack({"error": {"kind": error.kind, "message": str(error)}})
    except MemoryError:
        return pack({"error": {"kind": "too much memory", "message": TOO_MUCH_MEMORY}})


TOO_MUCH_MEMORY = "Needs more memory than a document may use; print it to a new PDF, or upload a picture of the figure."


def serve(tasks: Tasks, limits: Limits, incoming: BinaryIO, outgoing: BinaryIO) -> None:
    gc.freeze()  # the parsers stay loaded: without this, each collection would walk their objects and the file's values
    outgoing.write(pack({"ready": True}))
    outgoing.flush()
    while header := incoming.read(HEADER.size):
        json_length, content_length = HEADER.unpack(header)
        request = json.loads(incoming.read(json_length))
        content = incoming.read(content_length)
        limit_request(limits, request["cpu_s"])
        reply = answer(tasks, request, content)
        signal.setitimer(signal.ITIMER_REAL, 0)
        outgoing.write(reply)
        outgoing.flush()
        del request, content, reply
        gc.collect()


def main() -> None:
    limits = Limits.from_json(sys.argv[1])
    incoming, outgoing = take_pipes()
    limit_process(limits)
    from documents.pages import tasks_of  # imports the parsers, so only after the limits are set

    serve(tasks_of(limits), limits, incoming, outgoing)


if __name__ == "__main__":
    main()
