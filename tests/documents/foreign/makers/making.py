"""Makes figures of one family and keeps those that a person can transcribe: `making.py FOLDER FAMILY [NUMBER...]`.

A family is a module of this folder with PROGRAM, RECIPES and make(). A figure whose program hides an arrow, prints
words over each other or cuts one off is made again with the next seed.
"""

from __future__ import annotations

import importlib
import json
import sys
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pymupdf
from content import Diagram, diagram
from recipes import Recipe, UnfitError

TRIES = 40
OVERLAP = 0.3  # share of the smaller of two words that the other covers


Make = Callable[[Diagram, Mapping[str, Any], Path], None]


def made(folder: Path, family: str, numbers: list[int]) -> None:
    """Write FAMILY-NUMBER.pdf and .json for each recipe of a family, or the numbers wanted."""
    module = importlib.import_module(family)
    version = module.version()
    for number, recipe in enumerate(module.RECIPES, 1):
        if numbers and number not in numbers:
            continue
        path = folder / f"{family}-{number}.pdf"
        one = _tried(module.make, recipe, path)
        truth = {
            "family": family,
            "program": version,
            "layout": recipe.layout,
            "look": dict(recipe.look),
            "seed": one.seed,
            **one.truth(),
        }
        text = json.dumps(truth, ensure_ascii=False, indent=1)
        path.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
        print(f"{path.name}: seed {one.seed}, {len(one.names)} names, {len(one.edges)} edges", flush=True)


def _tried(make: Make, recipe: Recipe, path: Path) -> Diagram:
    for seed in range(recipe.seed, recipe.seed + TRIES):
        one = diagram(recipe.content, seed)
        try:
            make(one, recipe.look, path)
            checked(path, one)
        except UnfitError as why:
            print(f"{path.name}: seed {seed} is left out: {why}", flush=True)
            continue
        _plain(path)
        return one
    raise SystemExit(f"{path.name}: no seed from {recipe.seed} on makes a readable figure.")


def checked(path: Path, one: Diagram) -> None:
    """Raises UnfitError: a name is not in the PDF's text, or words lie over each other or beyond the page."""
    with pymupdf.open(path) as document:
        if len(document) != 1:
            raise UnfitError(f"{len(document)} pages")
        page = document[0]
        if page.get_images() and len(page.get_drawings()) < len(one.edges):  # blurred shadows are pictures, too
            raise UnfitError("it is a picture")
        text = _compact(page.get_text())
        missing = [name for name in one.names if _compact(name) not in text]
        if missing:
            raise UnfitError(f"not in the text: {missing}")
        words = [(pymupdf.Rect(word[:4]), word[4]) for word in page.get_text("words")]
        whole = pymupdf.Rect(page.rect)
        for drawn in page.get_drawings():
            if not pymupdf.Rect(-1, -1, whole.x1 + 1, whole.y1 + 1).contains(drawn["rect"]):
                raise UnfitError("a line is cut off")
    for number, (box, word) in enumerate(words):
        if not whole.contains(box):
            raise UnfitError(f"{word!r} is cut off")
        for other, text in words[:number]:
            common = box & other
            same = text == word and abs(common.get_area() - box.get_area()) < 0.1 * box.get_area()
            if not common.is_empty and not same:
                least = min(box.get_area(), other.get_area())
                if common.get_area() > OVERLAP * least:
                    raise UnfitError(f"{word!r} lies over {text!r}")


def _compact(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def _plain(path: Path) -> None:
    """Leave out what tells when and where the file was made, so that the same commands make the same file."""
    with pymupdf.open(path) as document:
        document.set_metadata({key: document.metadata.get(key) or "" for key in ("producer", "creator")})
        document.del_xml_metadata()
        data = document.tobytes(garbage=3, deflate=True, no_new_id=True)
    path.write_bytes(data)


if __name__ == "__main__":
    made(Path(sys.argv[1]), sys.argv[2], [int(number) for number in sys.argv[3:]])
