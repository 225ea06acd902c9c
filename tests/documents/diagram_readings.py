"""Reads what diagram_makers.py drew: `diagram_readings.py FOLDER` writes readings.json, for every file of truth.json
a list of proposals, one a page, with the milliseconds of processor time they took. One process reads all.
"""

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from documents.pdf_library import pymupdf
from documents.proposals.tasks import pdf_proposals


def readings(path: Path) -> list[dict[str, object]]:
    found = []
    for page in pymupdf.open(path):
        start = time.process_time()
        proposals = pdf_proposals(page, tuple(page.rect))[0].as_json()
        found.append({"proposals": proposals, "milliseconds": 1000 * (time.process_time() - start)})
    return found


def main() -> None:
    folder = Path(sys.argv[1])
    cells = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    done = {cell["file"]: readings(folder / cell["file"]) for cell in cells.values()}
    (folder / "readings.json").write_text(json.dumps(done), encoding="utf-8")


if __name__ == "__main__":
    main()
