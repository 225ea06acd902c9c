"""Located figures as a source, each with the names read in it and the picture that is sent.

The picture is the figure's rectangle as a PNG. A dry run draws it; the study stores it when a run starts."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import BadInput, Missing, Refused, UnreadableDocument
from core.messages import text_hash
from core.papers.pages import Box
from core.words import counted
from protocols.figures.samples import SourceFigure, sample_of
from protocols.figures.tasks import ALL, DPI, FIGURES, USUAL_DPI, WAITING, WHICH
from protocols.samples import content_hash
from protocols.step_values import Value
from services.acting import ReadContext
from services.runs.benchmarks import BenchmarkServices, Source, SourceFile, SourceRead
from services.runs.settings import RunConfig
from services.transcription import claims, model_reader
from services.transcription.figure_proposals import place_of, settled_proposals
from services.triplets.trial_files import TrialFiles
from store import assignments
from store.files import sha256_of_file
from store.runs.permissions import named_models
from store.tables import FigureRow, PaperRow

PNG = "image/png"
OFF = "No owner of this study has named a model that may be sent figures. Until then no figure is sent."


@dataclass(frozen=True, slots=True)
class FigureOption:
    """A located figure in use."""

    id: str
    label: str
    title: str  # of its paper
    is_waiting: bool  # in need of a transcription


def _options(r: ReadContext) -> tuple[FigureOption, ...]:
    """Return the located figures in use, oldest first; none while no model may be sent them."""
    if not named_models(r.session, model_reader.KEY):
        return ()
    waiting = _waiting_figures(r)
    return tuple(
        FigureOption(figure.id, figure.label or figure.place, paper.title, figure.id in waiting)
        for figure, paper in assignments.located_figures(r.session)
    )


def _read(r: ReadContext, config: RunConfig, trial: TrialFiles) -> SourceRead:
    """Read the chosen figures (a `Source`). A figure that was never opened is read first, which takes time. Raises
    Refused while no model is named, BadInput for a figure that is not in use."""
    if not named_models(r.session, model_reader.KEY):
        raise Refused(OFF)
    dpi = int(config.options.get(DPI.name) or USUAL_DPI)
    source_figures: list[SourceFigure] = []
    files: dict[str, SourceFile] = {}
    for figure, paper in _find_figures(r, str(config.options.get(WHICH.name) or WAITING)):
        source_figures.append(_figure(r, figure, paper, dpi, files))
    values = tuple(
        Value(key=each.id, value=each, hash=text_hash(each.trouble) if each.trouble else sample_of(each).hash)
        for each in source_figures
    )
    hashes = {"figures": content_hash([each.hash for each in values])} if values else {}
    return SourceRead(values, hashes, files=tuple(files.values()))


def _find_figures(r: ReadContext, which: str) -> list[tuple[FigureRow, PaperRow]]:
    located = assignments.located_figures(r.session)
    if which == ALL:
        return located
    if which == WAITING:
        waiting = _waiting_figures(r)
        return [pair for pair in located if pair[0].id in waiting]
    ids = list(dict.fromkeys(filter(None, (each.strip() for each in which.split(",")))))
    known = {figure.id: (figure, paper) for figure, paper in located}
    if unknown := [each for each in ids if each not in known]:
        raise BadInput(f"{counted(len(unknown), 'figure')} of {len(ids)} not in use in this study: {unknown[0]}.")
    return [known[each] for each in ids]


def _waiting_figures(r: ReadContext) -> set[str]:
    """Return the figures that need a transcription."""
    states = (place.state for place in claims.places(r))
    return {each.subject_id for each in states if not each.is_closed and each.submitted < each.wanted}


def _figure(r: ReadContext, figure: FigureRow, paper: PaperRow, dpi: int, files: dict[str, SourceFile]) -> SourceFigure:
    about = {"id": figure.id, "title": paper.title, "label": figure.label, "place": figure.place}
    try:
        place = place_of(r, figure, with_models=False)
        read = settled_proposals(place)
        path = r.study.reader.crop_image(place.path, place.sha256, place.page, place.box, dpi)
    except (Missing, UnreadableDocument) as error:
        nowhere = Box(0, 0, 0, 0)
        return SourceFigure(**about, file="", part="", box=nowhere, names=(), picture=("", PNG), trouble=str(error))
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


SERVICES = BenchmarkServices(
    sources={FIGURES: Source(words="figures", offered=_options, read=_read, permission=model_reader.KEY)}
)
