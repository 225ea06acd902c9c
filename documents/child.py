"""The child's side of the pool: limits itself, then answers requests on its pipes until they close.

Run as `python -m documents.child LIMITS` by documents.pool, never imported by the parent's other modules.
"""

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
    """The two pipes for ourselves: anything a library prints goes to stderr, not into a message."""
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return incoming, outgoing


def limit_process(limits: Limits) -> None:
    """Bound memory and file size, forbid core dumps and stand back, before any parser is imported."""
    os.nice(limits.niceness)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits.max_file_bytes, limits.max_file_bytes))
    if sys.platform == "linux":  # macOS refuses to bound the address space
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))


def limit_request(limits: Limits, cpu_s: int) -> None:
    """Die by the kernel's hand when this request's time is up, even if the parent has died before."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(usage.ru_utime + usage.ru_stime + cpu_s), hard))
    signal.setitimer(signal.ITIMER_REAL, limits.wall_s + GRACE_S)


def answer(tasks: Tasks, request: Mapping[str, Any], content: bytes) -> bytes:
    """The packed reply; a finding about the document is a reply, any other exception ends the child."""
    try:
        return pack(*tasks[request["task"]](request["arguments"], content))
    except UnreadableDocument as error:
        return pack({"error": {"kind": error.kind, "message": str(error)}})
    except MemoryError:
        return pack({"error": {"kind": "too much memory", "message": TOO_MUCH_MEMORY}})


TOO_MUCH_MEMORY = "Needs more memory than a document may use; print it to a new PDF, or upload a picture of the figure."


def serve(tasks: Tasks, limits: Limits, incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Greet, then answer until the parent closes the pipe."""
    gc.freeze()  # the parsers stay; a file's values are soon as many, and each look for garbage would walk both
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
    from documents.pages import tasks_of  # imports the parsers: only now that the limits stand

    serve(tasks_of(limits), limits, incoming, outgoing)


if __name__ == "__main__":
    main()
