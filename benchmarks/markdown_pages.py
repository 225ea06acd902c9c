"""The Markdown of a page, compared with plain text extraction of the same page, in the product's child process.

Processor time, which other load on the machine does not change; the layout model is loaded before. The pages are of
generated papers in one and two columns, and of a published one if the machine has it. The reader allows a request 20 s
of the processor and 1,500 MB of address space.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.harness import ROOT, quantiles, row
from benchmarks.memory import highest_mb, highest_space_mb
from benchmarks.proposals_costs import request_of, watched
from benchmarks.proposals_pages import PAPER
from documents.limits import Limits

MADE = ("0:20000:20", "1:20000:20", "2:20000:20")
ROUNDS = 5  # of a document's plain text


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        program = [sys.executable, "-m", "tests.documents.typeset_papers", folder, *MADE]
        subprocess.run(program, check=True, timeout=600, cwd=ROOT)
        _of("made papers", [Path(folder) / f"{each.split(':')[0]}.pdf" for each in MADE])
    if PAPER.exists():
        _of("a published paper", [PAPER])


def _of(about: str, paths: Sequence[Path]) -> None:
    plain, markdown, first = list[float](), list[float](), 0.0
    with watched(Limits()) as child:
        for path in paths:
            request = request_of(path)
            _, facts = child.ask("inspect", request, path.read_bytes())
            if not first:
                first, _ = child.ask("markdown", request)
            plain += [child.ask("text", request)[0] / facts["page_count"] for _ in range(ROUNDS)]
            numbers = range(1, facts["page_count"] + 1)
            markdown += [child.ask("markdown", {**request, "number": number})[0] for number in numbers]
        memory, space = highest_mb(child.pid), highest_space_mb(child.pid)
    print(row(f"{about}: plain text of a page", plain))
    print(row(f"{about}: Markdown of a page", markdown, quantiles(plain)[0], "plain text"))
    print(
        f"{'':46} at most {max(markdown):.0f} ms, {first:.0f} ms with the layout model loaded; "
        f"{memory:.0f} MB, {space:.0f} MB of address space"
    )
