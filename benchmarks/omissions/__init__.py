"""Edges left out of 50 transcriptions: the share that submit and the sweep bring back to the eye, way by way."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from pathlib import Path
from random import Random

from benchmarks.omissions.annotators import Annotator, someone
from benchmarks.omissions.counting import OmissionTally, Pair, ReviewMethod, at_least, left_out, share
from benchmarks.omissions.figures import FAMILIES, MadeFigure, TrueEdge, as_picture, drawn, foreign, located, sketches
from core.papers.pages import Box
from core.people import Role, Viewer
from core.transcription.proposals import FigureProposals
from documents.proposals.tasks import TOO_LARGE
from documents.reader import Reader
from services.study import open_study, use_study
from services.transcription import proposal_settings
from services.transcription.proposal_settings import ProposalSettings
from store.tables import new_id
from tests.documents.foreign.corpus import Part

TRANSCRIPTIONS, PICTURES = 50, 25
SHARE = 0.1

Tallies = dict[str, OmissionTally]
Habit = Callable[[Viewer, MadeFigure, int], tuple[Annotator, list[Pair]]]


# --- ways to leave edges out --------------------------------------------------------------------------------------


def overlooks(viewer: Viewer, figure: MadeFigure, number: int) -> tuple[Annotator, list[Pair]]:
    """A tenth of the edges is never drawn; the rest is drawn by hand, for every other figure with all names placed
    first (a name left without an edge then stays) and for the others straight away (it never comes in)."""
    dropped = _dropped(figure, figure.edges)
    annotator = Annotator(viewer, figure)
    if number % 2 == 0:
        annotator.place_names()
    annotator.draw([edge for edge in figure.edges if edge not in dropped])
    return annotator, [edge.pair for edge in dropped]


def refuses(viewer: Viewer, figure: MadeFigure, number: int) -> tuple[Annotator, list[Pair]]:
    """Answer every proposal, a tenth of them wrongly with a refusal or not at all."""
    dropped = _dropped(figure, figure.edges)
    annotator = Annotator(viewer, figure)
    rest = annotator.answer_all([edge.pair for edge in dropped])
    annotator.draw([edge for edge in rest if edge not in dropped])
    return annotator, [edge.pair for edge in dropped]


def relies(viewer: Viewer, figure: MadeFigure, number: int) -> tuple[Annotator, list[Pair]]:
    """Answer every proposal rightly and draw nothing else: edges that the program overlooks are omitted."""
    annotator = Annotator(viewer, figure)
    return annotator, [edge.pair for edge in annotator.answer_all([])]


def _dropped(figure: MadeFigure, edges: Sequence[TrueEdge]) -> list[TrueEdge]:
    return left_out(edges, SHARE, Random(f"omissions {figure.family} {figure.name}"))


# --- one round ----------------------------------------------------------------------------------------------------


def transcribed(by: str, figures: Sequence[MadeFigure], habit: Habit) -> tuple[Tallies, Tallies]:
    """Return tallies by family when a new annotator called `by` submits each located figure without sweeping, and when
    they have called every node swept without looking."""
    unswept, swept = (
        {figure.family: OmissionTally() for figure in figures},
        {figure.family: OmissionTally() for figure in figures},
    )
    viewer = someone(by, Role.ANNOTATOR)
    for number, figure in enumerate(figures):
        annotator, dropped = habit(viewer, figure, number)
        unswept[figure.family].add(dropped, annotator.at_submit())
        annotator.attest_all()
        swept[figure.family].add(dropped, annotator.at_submit())
    return unswept, swept


def propose_to_all(owner: Viewer) -> None:
    """Propose arrows to everyone from now on, including second annotators."""
    current = proposal_settings.settings(owner)
    proposal_settings.save_settings(owner, ProposalSettings(for_second=True), seen=current.version, act_id=new_id())


def together(tallies: Mapping[str, OmissionTally]) -> OmissionTally:
    return reduce(OmissionTally.__add__, tallies.values(), OmissionTally())


@contextmanager
def a_study(folder: Path, *, reads: bool = True) -> Iterator[Viewer]:
    """An empty study on SQLite, open in this process until the block ends; yields its owner. `reads`: whether figures
    are."""
    study = open_study(str(folder / "omissions.edgewise"), folder / "home")
    if not reads:
        study = replace(study, reader=_Unread(study.pool, study.cache / "pages"))
    use_study(study)
    try:
        yield someone("The owner", Role.OWNER)
    finally:
        use_study(None)
        study.close()


class _Unread(Reader):
    def proposals(self, content_path: Path, sha256: str, number: int, box: Box) -> FigureProposals:
        return FigureProposals(names=(), edges=(), origin="ocr", notice=TOO_LARGE)


# --- the table ----------------------------------------------------------------------------------------------------

HEAD = (
    *("transcriptions", "left out", *ReviewMethod),
    *("pointed at", "at least", "and near", "and the sweep", "listed each", "needless"),
)


def row(name: str, one: OmissionTally) -> str:
    ways = [str(one.ways[way]) for way in ReviewMethod]
    many = max(1, one.transcriptions)
    shares = [f"{share(count, one.dropped):.1%}" for count in (one.shown, one.near, one.with_sweep)]
    cells = [
        *(str(one.transcriptions), str(one.dropped)),
        *ways,
        *(shares[0], f"{at_least(one.shown, one.dropped):.1%}", *shares[1:]),
        *(f"{one.listed / many:.1f}", f"{one.vain / many:.1f}"),
    ]
    return f"| {' | '.join([name, *cells])} |"


def show(title: str, figures: Sequence[MadeFigure], habit: Habit, *, is_each: bool = False) -> None:
    """Run a round and print its rows: each family, all of them, and all again after a careless sweep."""
    unswept, swept = transcribed(title, figures, habit)
    if is_each:
        for family, one in unswept.items():
            print(row(f"{title}: {family}", one), flush=True)
    print(row(f"**{title}**", together(unswept)), flush=True)
    print(row(f"{title}, all called swept", together(swept)), flush=True)


def measure() -> None:
    """A table in Markdown: ways back for edges overlooked, refused by mistake, and not seen by the program. Of other
    programs' figures the development part is taken; EDGEWISE_FOREIGN=proof takes the other."""
    if shutil.which("dot") is None:
        print("Not measured: Graphviz, which draws some of the figures, is not on this machine.")
        return
    print(f"| edges left out | {' | '.join(HEAD)} |\n|---{'|---:' * len(HEAD)}|")
    with tempfile.TemporaryDirectory() as store_folder:
        folder = Path(store_folder)
        figures, real = drawn(folder, TRANSCRIPTIONS), sketches("vensim_sketches_rendered.pdf")
        with a_study(folder) as owner:
            foreign_ones = [located(owner, figure) for part in parts_named() for figure in foreign(part)]
            _of_vectors(owner, [located(owner, figure) for figure in figures], real, foreign_ones)
            some = [figure for family in FAMILIES for figure in _of(figures, family)[: PICTURES // len(FAMILIES)]]
            pictures = [as_picture(figure, folder) for figure in some]
            here = [located(owner, picture) for picture in pictures]
            show("pictures, names read", here, overlooks)
        (folder / "bare").mkdir()
        with a_study(folder / "bare", reads=False) as owner:
            here = [located(owner, picture) for picture in pictures]
            show("pictures, nothing read", here, overlooks)


def parts_named() -> list[Part]:
    """Return the parts of the foreign corpus that EDGEWISE_FOREIGN names; default: development."""
    parts: tuple[Part, ...] = ("development", "proof")
    named = os.environ.get("EDGEWISE_FOREIGN", "").split()
    return [part for part in parts if part in named] or ["development"]


def _of_vectors(
    owner: Viewer, figures: Sequence[MadeFigure], real: Sequence[MadeFigure], foreign_ones: Sequence[MadeFigure]
) -> None:
    show("overlooked", figures, overlooks, is_each=True)
    show("overlooked, no proposals", figures, overlooks, is_each=True)  # second annotators are shown none
    show("other programs' figures", foreign_ones, overlooks)
    show("other programs' figures, no proposals", foreign_ones, overlooks, is_each=True)
    if real:
        located_figures = [located(owner, figure) for figure in real]
        show("real Vensim pages", located_figures, overlooks)
        show("real Vensim pages, no proposals", located_figures, overlooks)
    propose_to_all(owner)
    show("refused by mistake", figures, refuses)
    show("unseen by the program", figures, relies)


def _of(figures: Sequence[MadeFigure], family: str) -> list[MadeFigure]:
    return [figure for figure in figures if figure.family == family]
