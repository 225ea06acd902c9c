"""Reads pages of a PDF as pictures of 150 dpi: `page_readings.py PDF OUT NUMBER...` writes to the JSON file OUT, for
each page, the edges proposed (source and sink), how many of the outlines on the page are diagrams (names and arrows
were read in them), and the seconds of processor time. `page_readings.py PDF` prints how many pages there are.
"""

import json
import sys
import time
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from documents.pdf import pdf_page
from documents.pdf_library import pymupdf
from documents.proposals.tasks import pdf_proposals, picture_of, read_picture

DPI = 150


def reading(page: pymupdf.Page) -> dict[str, object]:
    start = time.process_time()
    drawn = page.get_pixmap(dpi=DPI, alpha=False)
    picture = Image.frombytes("RGB", (drawn.width, drawn.height), drawn.samples)
    found = read_picture(picture_of(picture, (0, 0, picture.width, picture.height)))
    seconds = time.process_time() - start
    edges = [[found.names[edge.source].text, found.names[edge.sink].text] for edge in found.edges]
    regions = pdf_page(page.parent, page.number + 1)["regions"]
    diagrams = sum(bool(pdf_proposals(page, region["box"])[0].edges) for region in regions)
    return {"edges": edges, "diagrams": diagrams, "s": seconds}


def main() -> None:
    with pymupdf.open(sys.argv[1]) as document:
        if len(sys.argv) == 2:
            print(document.page_count)
            return
        done = [reading(document[int(number) - 1]) for number in sys.argv[3:]]
    Path(sys.argv[2]).write_text(json.dumps(done), encoding="utf-8")


if __name__ == "__main__":
    main()
