"""The pool of one child that reads strangers' files of graphs, triplets and references, and what it says of itself."""

from __future__ import annotations

import sys

from documents.limits import MEGABYTE, Limits
from documents.pool import Pool
from documents.sentences import Sentences

LIMITS = Limits(cpu_s=10, wall_s=40.0, memory_bytes=1_000 * MEGABYTE)
PROGRAM = (sys.executable, "-m", "services.exchange.import_child")
FILES = Sentences(
    reader="file reader",
    too_slow="Reading it takes more than {seconds:.0f} s of processor time, the most a file may take. Split it into "
    "smaller files, or save it in a simpler form such as CSV.",
    overdue="Reading it took more than {seconds:.0f} s, the most a file may take. Try again when the computer has less "
    "to do, or split it into smaller files.",
    crashed="The file reader stopped on it; the file may be damaged. Save it anew, or in another form such as CSV.",
    unusable="The file reader gave no usable answer about it ({error}). Save it in another form such as CSV.",
    unstarted="The file reader did not start; free some memory and try again.",
    busy="Other files were being read for {seconds:.0f} s; try again in a moment.",
    closed="Edgewise was shut down meanwhile; start it and try again.",
)


def file_pool() -> Pool:
    """A pool whose child starts when the first file needs it."""
    return Pool(LIMITS, 1, requests_per_child=50, program=PROGRAM, prestart=0, sentences=FILES)
