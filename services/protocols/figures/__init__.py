"""Located figures, each with the names that were read in it and the picture that is sent.

The picture is the figure's rectangle as a PNG; it is drawn for a dry run, and the study keeps it once a run begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.errors import BadInput, Missing, Refused, UnreadableDocument
from core.messages import text_hash
from core.papers.pages import Box
from core.words import counted
from protocols.figures.samples import SourceFigure, sample_of
from protocols.figures.tasks import ALL, DPI, FIGURES, USUAL_DPI, WAITING, WHICH
from protocols.making import Value
from protocols.samples import content_hash
from services.acting import Reading
from services.runs.benchmarks import BenchmarkServices, Source, SourceFile, SourceRead
from services.runs.settings import RunConfig
from services.transcription import claims, model_reader
from services.transcription.figure_proposals import place_of, read_proposals
from services.triplets.trial_files import TrialFiles
from store import assignments
from store.files import sha256_of_file
from store.runs.permissions import named_models
from store.tables import FigureRow, PaperRow

PNG = "image/png"
OFF = "No owner of this study has named a model that may be sent figures. Until then no figure is sent."


@dataclass(frozen=True, slots=True)
class FigureOption:
    """A located figure in use. `title`: of its paper; `is_waiting`: a transcription of it is still wanted."""

    id: str
    label: str
    title: str
    is_waiting: bool


def _offered(r: Reading) -> tuple[FigureOption, ...]:
    """The located figures in use, oldest first; none while no model may be sent them."""
    if not named_models(r.session, model_reader.KEY):
        return ()
    waiting = _waiting(r)
    return tuple(
        FigureOption(figure.id, figure.label or figure.place, paper.title, figure.id in waiting)
        for figure, paper in assignments.located_figures(r.session)
    )


def _read(r: Reading, wanted: RunConfig, trial: TrialFiles) -> SourceRead:
    """As `Source`. A figure that nobody opened yet is read first, which takes its time. Raises Refused while no
    model is named, BadInput for a figure that is not in use."""
    if not named_models(r.session, model_reader.KEY):
        raise Refused(OFF)
    dpi = int(wanted.options.get(DPI.name) or USUAL_DPI)
    found: list[SourceFigure] = []
    files: dict[str, SourceFile] = {}
    for figure, paper in _chosen(r, str(wanted.options.get(WHICH.name) or WAITING)):
        found.append(_figure(r, figure, paper, dpi, files))
    values = tuple(Value(key=each.id, value=each, hash=_hash(each)) for each in found)
    hashes = {"figures": content_hash([each.hash for each in values])} if values else {}
    return SourceRead(values, hashes, files=tuple(files.values()))


def _chosen(r: Reading, which: str) -> list[tuple[FigureRow, PaperRow]]:
    located = assignments.located_figures(r.session)
    if which == ALL:
        return located
    if which == WAITING:
        waiting = _waiting(r)
        return [pair for pair in located if pair[0].id in waiting]
    wanted = list(dict.fromkeys(filter(None, (each.strip() for each in which.split(",")))))
    known = {figure.id: (figure, paper) for figure, paper in located}
    if unknown := [each for each in wanted if each not in known]:
        raise BadInput(f"{counted(len(unknown), 'figure')} of {len(wanted)} not in use in this study: {unknown[0]}.")
    return [known[each] for each in wanted]


def _waiting(r: Reading) -> set[str]:
    """Figures for which a transcription is still wanted."""
    standings = (place.standing for place in claims.places(r))
    return {each.subject_id for each in standings if not each.is_closed and each.handed_in < each.wanted}


def _figure(r: Reading, figure: FigureRow, paper: PaperRow, dpi: int, files: dict[str, SourceFile]) -> SourceFigure:
    about = {"id": figure.id, "title": paper.title, "label": figure.label, "place": figure.place}
    try:
        place = place_of(r, figure, with_models=False)
        read = read_proposals(place)
        path = r.study.reader.crop_image(place.path, place.sha256, place.page, place.box, dpi)
    except (Missing, UnreadableDocument) as error:
        return _without(about, str(error))
    picture = SourceFile(sha256_of_file(path), PNG, f"{figure.label or 'figure'}, {paper.title}.png", path)
    files.setdefault(picture.sha256, picture)
    return SourceFigure(
        **about,
        file=place.sha256,
        part=place.part,
        box=place.box,
        names=tuple((name.text, name.box) for name in read.names),
        picture=(picture.sha256, PNG),
    )


def _without(about: Mapping[str, str], trouble: str) -> SourceFigure:
    nowhere = Box(0, 0, 0, 0)
    return SourceFigure(**about, file="", part="", box=nowhere, names=(), picture=("", PNG), trouble=trouble)


def _hash(figure: SourceFigure) -> str:
    return text_hash(figure.trouble) if figure.trouble else sample_of(figure).hash


SERVICES = BenchmarkServices(
    sources={FIGURES: Source(words="figures", offered=_offered, read=_read, permission=model_reader.KEY)}
)
