"""Reads figures of the foreign corpus: `readings.py OUT VARIANT SEED PDF...` writes to the JSON file OUT what is
proposed for each PDF's first page, the page's text, and the milliseconds of processor time it took. The variant
"vector" is the figure as it is. One process reads all.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from documents.pdf_library import pymupdf
from documents.proposals.tasks import drawn, pdf_proposals, read_picture
from tests.documents.foreign.damaged import damaged


def reading(path: Path, variant: str, seed: int) -> dict[str, object]:
    data = path.read_bytes() if variant == "vector" else damaged(path, variant, seed)
    with pymupdf.open(stream=data, filetype="pdf") as document:
        page = document[0]
        start = time.process_time()
        proposals, is_picture = pdf_proposals(page, tuple(page.rect))
        if is_picture:
            proposals = read_picture(drawn(page, tuple(page.rect)))
        taken = 1000 * (time.process_time() - start)
        return {"proposals": proposals.as_json(), "text": page.get_text(), "milliseconds": taken}


def main() -> None:
    out, variant, seed, *paths = sys.argv[1:]
    done = {Path(path).stem: reading(Path(path), variant, int(seed)) for path in paths}
    Path(out).write_text(json.dumps(done), encoding="utf-8")


if __name__ == "__main__":
    main()
