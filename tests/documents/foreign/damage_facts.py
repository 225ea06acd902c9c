"""Tells what damaged.py makes of a figure: `damage_facts.py PDF` prints as JSON, for the figure and each variant, the
page's size, the letters of its text, its drawn paths and pictures, how much of its ink looks otherwise than in the
figure, and whether a second making gives the same bytes and another seed other ones. Run as a program: the tests' own
process never imports the PDF library.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from documents.pdf_library import pymupdf
from tests.documents.foreign.damaged import VARIANTS, damaged


def facts(data: bytes) -> dict[str, object]:
    with pymupdf.open(stream=data, filetype="pdf") as document:
        page = document[0]
        return {
            "pages": len(document),
            "size": [round(page.rect.width), round(page.rect.height)],
            "letters": len(page.get_text().strip()),
            "paths": len(page.get_drawings()),
            "pictures": [(one["width"], one["height"]) for one in page.get_image_info()],
        }


def grey(data: bytes) -> np.ndarray:
    with pymupdf.open(stream=data, filetype="pdf") as document:
        drawn = document[0].get_pixmap(dpi=60, colorspace=pymupdf.csGRAY, alpha=False)
        return np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.width).astype(int)


def unlike(one: np.ndarray, other: np.ndarray) -> float:
    """Pixels that differ by more than 90 grey levels, as a share of the dark ones of the first."""
    return float((abs(one - other) > 90).sum() / (one < 200).sum()) if one.shape == other.shape else 1.0


def main() -> None:
    path = Path(sys.argv[1])
    found = {"vector": facts(path.read_bytes())}
    for variant in VARIANTS:
        one = damaged(path, variant, 1)
        again, other = damaged(path, variant, 1), damaged(path, variant, 2)
        found[variant] = {**facts(one), "same": one == again, "differs by seed": one != other}
        found[variant]["unlike"] = unlike(grey(path.read_bytes()), grey(one))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
