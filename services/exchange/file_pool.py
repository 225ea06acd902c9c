"""Pool of one child process that reads strangers' files of graphs, triplets and references, and its messages."""

from __future__ import annotations

import sys

from documents.child_errors import Sentences
from documents.limits import MEGABYTE, Limits
from documents.pool import Pool

# One user's file may take ten seconds; on one or two processors the others have to work meanwhile.
LIMITS = Limits(cpu_s=10, wall_s=40.0, memory_bytes=1_000 * MEGABYTE, niceness=10)
PROGRAM = (sys.executable, "-m", "services.exchange.import_child")
FILES = Sentences(
    reader="file reader",
    too_slow="Reading it takes more than {seconds:.0f} s of processor time, the limit per file. Split it into "
    "smaller files, or save it in a simpler format such as CSV.",
    overdue="Reading it took more than {seconds:.0f} s, the limit per file. Try again when the computer is less "
    "busy, or split it into smaller files.",
    crashed="The file reader stopped at this file; it may be damaged. Save it again, or in another format such as CSV.",
    unusable="The file reader returned no usable result ({error}). Save the file in another format such as CSV.",
    unstarted="The file reader did not start; free some memory and try again.",
    busy="Other files were being read for {seconds:.0f} s; try again in a moment.",
    closed="Edgewise was shut down meanwhile. Start it and try again.",
)


def file_pool() -> Pool:
    """Return a pool whose child starts when the first file needs it."""
    return Pool(LIMITS, 1, requests_per_child=50, program=PROGRAM, prestart=0, sentences=FILES)
