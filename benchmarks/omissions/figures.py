"""Figures with known edges: drawn by the tests' makers, read from real pages, or turned into pictures."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from benchmarks.harness import ROOT
from benchmarks.omissions.counting import Pair
from core.papers.pages import Box
from core.people import Viewer
from core.sign import Sign
from services.papers import figures, importing
from services.study import current_study
from store.tables import new_id
from tests.documents.foreign import corpus
from tests.documents.foreign.corpus import Part

MAKERS = ROOT / "tests" / "documents" / "diagram_makers.py"
FAMILIES = ("Graphviz", "Matplotlib", "Vensim-like", "TikZ-like", "slides-like")
SEEDS = (300, 304)  # the engine was tuned on 0 to 9 and scored on 100 to 119
FEWEST, MOST = 8, 40
PICTURE_DPI = 150
REAL = ROOT.parent / "shared" / "data"
SKETCHES = ("sir_view1", "workforce_view1", "sdbot_lake_urmia/p29", "sdbot_lake_urmia/p20")


@dataclass(frozen=True)
class TrueEdge:
    """An edge as it is drawn; `sign` None if none is printed."""

    source: str
    sink: str
    sign: Sign | None
    delay: bool

    @property
    def pair(self) -> Pair:
        return self.source, self.sink


@dataclass(frozen=True)
class MadeFigure:
    """A page of a file with the edges it shows, each pair of names once. `name` says which page it is."""

    family: str
    name: str
    path: Path
    page: int
    edges: tuple[TrueEdge, ...]
    id: str = ""  # once it is located in the study


def drawn(
    folder: Path, count: int, families: Sequence[str] = FAMILIES, seeds: tuple[int, int] = SEEDS
) -> list[MadeFigure]:
    """Return `count` figures of 8 to 40 edges, the same number of each family, with all styles of a family in turn.
    Raises ValueError if the seeds do not give enough of a family."""
    command = [sys.executable, str(MAKERS), str(folder), str(seeds[0]), str(seeds[1]), *families]
    subprocess.run(command, check=True, timeout=600)
    cells = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    chosen: list[MadeFigure] = []
    for family in families:
        styles = [list(_pages(folder, name, cell)) for name, cell in cells.items() if name.startswith(f"{family}|")]
        in_turn = [figure for each in zip_longest(*styles) for figure in each if figure is not None]
        per_family = count // len(families)
        if len(in_turn) < per_family:
            raise ValueError(f"{family}: {len(in_turn)} figures of {FEWEST} to {MOST} edges; {per_family} are wanted.")
        chosen += in_turn[:per_family]
    return chosen


def _pages(folder: Path, cell_name: str, cell: dict[str, Any]) -> Iterator[MadeFigure]:
    family, _, style = cell_name.partition("|")
    for number, edges in enumerate(cell["pages"], start=1):
        figure = MadeFigure(family, f"{style} {number}", folder / cell["file"], number, _edges(edges, "sign"))
        if FEWEST <= len(figure.edges) <= MOST:
            yield figure


def sketches(file: str) -> list[MadeFigure]:
    """The four pages of real Vensim models as a file of the shared data shows them; [] where there is no such file."""
    path = REAL / "pdf" / file
    if not path.is_file():
        return []
    figures = []
    for number, name in enumerate(SKETCHES, start=1):
        values = json.loads((REAL / "cld" / f"{name}.json").read_text(encoding="utf-8"))
        figures.append(MadeFigure("real Vensim pages", name, path, number, _edges(values["edges"], "polarity")))
    return figures


def foreign(part: Part) -> list[MadeFigure]:
    """The figures of one part of the foreign corpus, which other programs drew."""
    return [
        MadeFigure(
            one.family,
            one.stem,
            one.path,
            1,
            tuple(TrueEdge(*edge.pair, Sign(edge.sign) if edge.sign else None, edge.delay) for edge in one.edges),
        )
        for one in corpus.figures(part)
    ]


def _edges(listed: list[dict[str, Any]], sign: str) -> tuple[TrueEdge, ...]:
    each = {(one["source"], one["sink"]): one for one in listed}
    return tuple(
        TrueEdge(*pair, Sign(one[sign]) if one[sign] else None, bool(one.get("delay"))) for pair, one in each.items()
    )


def located(owner: Viewer, figure: MadeFigure) -> MadeFigure:
    """Locate the figure in the study: its file a paper, its whole page a located figure."""
    content = figure.path.read_bytes()
    paper_id = importing.import_file(owner, figure.path.name, content, act_id=new_id()).paper_id
    page = figures.page(owner, paper_id, figure.page)
    box = Box(0, 0, page.width, page.height)
    return replace(figure, id=figures.locate(owner, paper_id, figure.page, box, act_id=new_id()).subject_id)


def as_picture(figure: MadeFigure, folder: Path) -> MadeFigure:
    facts = current_study().reader.inspect(figure.path.read_bytes(), figure.path.name)
    image = current_study().reader.page_image(figure.path, facts.sha256, figure.page, PICTURE_DPI)
    copy = folder / f"{figure.family} {figure.name}.png".replace("/", "-")
    copy.write_bytes(image.read_bytes())
    return replace(figure, path=copy, page=1, id="")
