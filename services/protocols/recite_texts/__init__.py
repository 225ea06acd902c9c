"""Papers with a file and a located figure: their raw text, the text they have by now, and the figure's ground truth.

A value is a `SourcePaper` as JSON, one for each figure; its hash covers all that a text depends on, and no id.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from sqlmodel import Session

from core.errors import BadInput, Missing
from core.papers.pages import Box
from core.texts.markdown import captions_of, guarded_source
from core.texts.states import TextState
from core.texts.views import TruthState
from core.words import counted, quoted
from protocols.making import Value
from protocols.recite_texts.papers import USUAL_SHARES, SourcePaper
from protocols.recite_texts.tasks import EXPLICITNESS, MARKDOWN, NORMALISE, PAPERS
from protocols.samples import content_hash
from services.acting import Reading
from services.runs.benchmarks import BenchmarkServices, Source, SourceRead
from services.runs.settings import RunConfig
from services.texts import pages
from services.texts.settings import settings_in
from services.texts.truths import FigureTruth, truths_of
from services.triplets.trial_files import TrialFiles
from store import releases as stored
from store.papers import texts as paper_texts
from store.papers.texts import TextHead
from store.runs import model_cards
from store.tables import FigureRow, FileRow, PaperRow

LIMITS = ("max_tokens", "max_completion_tokens")
NO_TEXT = "it has no Markdown yet; make its text first"
OTHER_FILE = "its text was made of another file; make it again"
UNFINISHED = "its rounds of changes went on to the last; end them first"
NO_TRUTH = "its figure has no ground truth yet"
OPEN_TRUTH = "the adjudication of its figure is not finished"
LONGEST_KEY = 60


@dataclass(frozen=True, slots=True)
class PaperOption:
    """A paper with a file and a located figure; `id`: of the figure. `has_truth`: the figure has a closed ground
    truth."""

    id: str
    title: str
    has_truth: bool


def _offered(r: Reading) -> tuple[PaperOption, ...]:
    """Every paper that a run can take."""
    chosen = _chosen(r.session, "")
    truths, keys = truths_of(r.session, [figure.id for figure, _ in chosen]), _keys(chosen)
    return tuple(PaperOption(figure.id, keys[figure.id], truths[figure.id].graph is not None) for figure, _ in chosen)


def _read(r: Reading, wanted: RunConfig, trial: TrialFiles) -> SourceRead:
    """As `Source`: every wanted paper that has a file, once for each of its figures. Raises Missing for an id that
    there is not, or that has no file or figure, BadInput for papers to convert whose pages have not been read."""
    chosen = _drawn(_chosen(r.session, str(wanted.options.get("papers") or "")), wanted)
    figures = [figure.id for figure, _ in chosen]
    files = {
        row.sha256: row
        for _, paper in chosen
        if paper.file_sha256 and (row := r.session.get(FileRow, paper.file_sha256))
    }
    keys = _keys(chosen)
    if MARKDOWN in wanted.tasks:
        of_file: dict[str, list[str]] = defaultdict(list)
        for figure, paper in chosen:
            of_file[paper.file_sha256 or ""].append(keys[figure.id])
        _refuse_unread(r.session, files.values(), of_file)
    said = settings_in(r.session)
    found = _Found(
        keys=keys,
        truths=truths_of(r.session, figures),
        heads=paper_texts.heads(r.session, figures),
        files=files,
        shares={name: getattr(said, name) for name in USUAL_SHARES},
        reply_tokens=_reply_tokens(r, wanted),
    )
    read = [_paper(r.session, figure, paper, found) for figure, paper in chosen]
    values = tuple(Value(key=each.key, value=each.as_json(), hash=content_hash(each.content)) for each in read)
    return SourceRead(values, {each.key: value.hash for each, value in zip(read, values, strict=True)})


def _tasks(r: Reading, wanted: RunConfig, trial: TrialFiles) -> tuple[str, ...]:
    """As `Source`: Markdown of any paper; the others where a wanted paper has a ground truth."""
    chosen = _chosen(r.session, str(wanted.options.get("papers") or ""))
    truths = truths_of(r.session, [figure.id for figure, _ in chosen])
    has_truth = any(each.graph is not None for each in truths.values())
    return (MARKDOWN, NORMALISE, EXPLICITNESS) if has_truth else (MARKDOWN,)


def _chosen(session: Session, wanted: str) -> list[tuple[FigureRow, PaperRow]]:
    there = [
        (figure, paper)
        for figure, paper in stored.figures_of_study(session)
        if paper.file_sha256 and not figure.archived_at and not paper.archived_at and paper.screening != "excluded"
    ]
    ids = [each.strip() for each in wanted.split(",") if each.strip()]
    for each in ids:
        if not any(each in (figure.id, paper.id) for figure, paper in there):
            raise Missing(f"No paper in use with a file and a located figure has the ID {quoted(each)}.")
    return [(figure, paper) for figure, paper in there if not ids or figure.id in ids or paper.id in ids]


def _drawn(chosen: list[tuple[FigureRow, PaperRow]], wanted: RunConfig) -> list[tuple[FigureRow, PaperRow]]:
    """All, or so many at random as the run wants samples of a task; the same for the same seed."""
    if wanted.most_samples is None or wanted.most_samples >= len(chosen):
        return chosen
    places = Random(wanted.seed).sample(range(len(chosen)), wanted.most_samples)  # noqa: S311 - no secret
    return [chosen[place] for place in sorted(places)]


def _keys(chosen: Sequence[tuple[FigureRow, PaperRow]]) -> dict[str, str]:
    """Figure → what it is called in the run: the paper's title, told apart by the figure's label, else by its id."""
    titles = {figure.id: _short(paper.title) or paper.id[:8] for figure, paper in chosen}
    for more in (
        {figure.id: figure.label for figure, _ in chosen},
        {figure.id: figure.id[-6:] for figure, _ in chosen},
    ):
        often = Counter(titles.values())
        titles = {
            key: f"{title} · {more[key]}" if often[title] > 1 and more[key] else title for key, title in titles.items()
        }
    return titles


def _short(title: str) -> str:
    flat = " ".join(title.split())
    return flat if len(flat) <= LONGEST_KEY else f"{flat[: LONGEST_KEY - 1].rstrip()}…"


def _reply_tokens(r: Reading, wanted: RunConfig) -> int | None:
    """The longest reply of the models that are asked for Markdown, by the run's own word, else by their cards; the
    smallest of several. None where nothing bounds it."""
    own = [wanted.parameters[name] for name in LIMITS if wanted.parameters.get(name)]
    if own:
        return int(min(own))
    rows = model_cards.cards(r.session, wanted.models)
    bounds = [int(row.parameters[name]) for row in rows for name in LIMITS if row.parameters.get(name)]
    return min(bounds, default=None)


@dataclass(frozen=True, slots=True)
class _Found:
    """What the study holds of the chosen papers. `heads`: figure → its text; `pages`: file → its row."""

    keys: Mapping[str, str]
    truths: Mapping[str, FigureTruth]
    heads: Mapping[str, TextHead]
    files: Mapping[str, FileRow]
    shares: Mapping[str, float]
    reply_tokens: int | None


def _paper(session: Session, figure: FigureRow, paper: PaperRow, found: _Found) -> SourcePaper:
    assert paper.file_sha256 is not None, "only papers with a file are chosen"
    file, truth = found.files[paper.file_sha256], found.truths[figure.id]
    blocks = pages.blocks_of(session, file.sha256, file.page_count) if file.has_text else ()
    box = Box(figure.x0, figure.y0, figure.x1, figure.y1)
    text, no_text = _text(session, found.heads.get(figure.id), file.sha256)
    return SourcePaper(
        key=found.keys[figure.id],
        title=paper.title,
        paper=paper.id,
        figure=figure.id,
        file=file.sha256,
        blocks=guarded_source(blocks),
        no_blocks="" if file.has_text else pages.NO_TEXT,
        captions=(*captions_of(blocks, figure.page, box, figure.label), *([figure.caption] if figure.caption else [])),
        text=text,
        no_text=no_text,
        graph=truth.graph,
        graph_hash=truth.sha256 or "",
        no_graph="" if truth.graph is not None else OPEN_TRUTH if truth.state is TruthState.OPEN else NO_TRUTH,
        reply_tokens=found.reply_tokens,
        shares=found.shares,
    )


def _text(session: Session, head: TextHead | None, file: str) -> tuple[str | None, str]:
    """The newest text of a figure, or why it cannot be asked about."""
    if head is None:
        return None, NO_TEXT
    if head.last.file_sha256 != file:
        return None, OTHER_FILE
    if head.last.state == TextState.UNFINISHED:
        return None, UNFINISHED
    refused = (head.last.guards.get("kept") or {}).get("reasons") or []
    if refused and head.last.state == TextState.REFUSED:
        return None, f"its Markdown is refused: {' '.join(refused)}".removesuffix(".")
    return paper_texts.text_row(session, head.last.id).content, ""


def _refuse_unread(session: Session, files: Iterable[FileRow], keys: Mapping[str, Sequence[str]]) -> None:
    """Raises BadInput for papers whose pages nobody has read: that takes about a second a page, and no dry run waits
    for it."""
    unread = [
        key
        for file in files
        if file.has_text and not pages.is_read(session, file.sha256, file.page_count)
        for key in keys[file.sha256]
    ]
    if unread:
        named = ", ".join(quoted(key) for key in unread[:3]) + (" and others" if len(unread) > 3 else "")
        raise BadInput(
            f"The pages of {counted(len(unread), 'paper')} have not been read yet: {named}. Make their texts without a "
            "model first, or choose other papers."
        )


SERVICES = BenchmarkServices(sources={PAPERS: Source(words="papers", offered=_offered, read=_read, tasks=_tasks)})
