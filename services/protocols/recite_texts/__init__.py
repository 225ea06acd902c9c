"""Papers with a file and a located figure as a source: raw text, current text, and the figure's ground truth.

A value is a `TextSourcePaper` as JSON, one for each figure; its hash covers all that a text depends on, and no id."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from core.errors import BadInput, Missing
from core.papers.pages import Box
from core.seeded_random import sample
from core.texts.markdown import captions_of, guarded_source
from core.texts.states import TextState
from core.texts.views import TruthState
from core.words import counted, quoted
from protocols.recite_texts.papers import USUAL_SHARES, TextSourcePaper
from protocols.recite_texts.tasks import EXPLICITNESS, MARKDOWN, NORMALISE, PAPERS
from protocols.samples import content_hash
from protocols.step_values import Value
from services.acting import ReadContext
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
    """A paper with a file and a located figure."""

    id: str  # of the figure
    title: str
    has_truth: bool  # the figure has a closed ground truth


def _options(r: ReadContext) -> tuple[PaperOption, ...]:
    chosen = _find_papers(r.session, "")
    truths, keys = truths_of(r.session, [figure.id for figure, _ in chosen]), _keys(chosen)
    return tuple(PaperOption(figure.id, keys[figure.id], truths[figure.id].graph is not None) for figure, _ in chosen)


def _read(r: ReadContext, config: RunConfig, trial: TrialFiles) -> SourceRead:
    """Read every chosen paper that has a file, once for each of its figures (a `Source`). Raises Missing for an id that
    does not exist or has no file or figure, BadInput for unread papers to convert."""
    found_papers = _find_papers(r.session, str(config.options.get("papers") or ""))
    chosen = sample(config.seed, found_papers, config.most_samples)
    figures = [figure.id for figure, _ in chosen]
    files = {
        row.sha256: row
        for _, paper in chosen
        if paper.file_sha256 and (row := r.session.get(FileRow, paper.file_sha256))
    }
    keys = _keys(chosen)
    if MARKDOWN in config.tasks:
        of_file: dict[str, list[str]] = defaultdict(list)
        for figure, paper in chosen:
            of_file[paper.file_sha256 or ""].append(keys[figure.id])
        _refuse_unread(r.session, files.values(), of_file)
    text_settings = settings_in(r.session)
    stored_parts = _StoredParts(
        keys=keys,
        truths=truths_of(r.session, figures),
        heads=paper_texts.heads(r.session, figures),
        files=files,
        shares={name: getattr(text_settings, name) for name in USUAL_SHARES},
        reply_tokens=_reply_tokens(r, config),
    )
    read = [_paper(r.session, figure, paper, stored_parts) for figure, paper in chosen]
    values = tuple(Value(key=each.key, value=each.as_json(), hash=content_hash(each.content)) for each in read)
    return SourceRead(values, {each.key: value.hash for each, value in zip(read, values, strict=True)})


def _tasks(r: ReadContext, config: RunConfig, trial: TrialFiles) -> tuple[str, ...]:
    """Return Markdown for any paper, and the other tasks if a chosen paper has a ground truth (a `Source`)."""
    chosen = _find_papers(r.session, str(config.options.get("papers") or ""))
    truths = truths_of(r.session, [figure.id for figure, _ in chosen])
    has_truth = any(each.graph is not None for each in truths.values())
    return (MARKDOWN, NORMALISE, EXPLICITNESS) if has_truth else (MARKDOWN,)


def _find_papers(session: Session, typed: str) -> list[tuple[FigureRow, PaperRow]]:
    usable = [
        (figure, paper)
        for figure, paper in stored.figures_of_study(session)
        if paper.file_sha256 and not figure.archived_at and not paper.archived_at and paper.screening != "excluded"
    ]
    ids = [each.strip() for each in typed.split(",") if each.strip()]
    for paper_id in ids:
        if not any(paper_id in (figure.id, paper.id) for figure, paper in usable):
            raise Missing(f"No paper in use with a file and a located figure has the ID {quoted(paper_id)}.")
    return [(figure, paper) for figure, paper in usable if not ids or figure.id in ids or paper.id in ids]


def _keys(chosen: Sequence[tuple[FigureRow, PaperRow]]) -> dict[str, str]:
    """Return figure → the paper's title; equal titles are distinguished by the figure's label, else by its id."""
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


def _reply_tokens(r: ReadContext, config: RunConfig) -> int | None:
    """Return the longest reply of the Markdown models, from the run's parameters, else their cards; None if
    unbounded."""
    own = [config.parameters[name] for name in LIMITS if config.parameters.get(name)]
    if own:
        return int(min(own))
    rows = model_cards.cards(r.session, config.models)
    bounds = [int(row.parameters[name]) for row in rows for name in LIMITS if row.parameters.get(name)]
    return min(bounds, default=None)


@dataclass(frozen=True, slots=True)
class _StoredParts:
    """The study's data on the chosen papers."""

    keys: Mapping[str, str]
    truths: Mapping[str, FigureTruth]
    heads: Mapping[str, TextHead]  # by figure
    files: Mapping[str, FileRow]  # by SHA-256
    shares: Mapping[str, float]
    reply_tokens: int | None


def _paper(session: Session, figure: FigureRow, paper: PaperRow, stored_parts: _StoredParts) -> TextSourcePaper:
    assert paper.file_sha256 is not None, "only papers with a file are chosen"
    file, truth = stored_parts.files[paper.file_sha256], stored_parts.truths[figure.id]
    blocks = pages.blocks_of(session, file.sha256, file.page_count) if file.has_text else ()
    box = Box(figure.x0, figure.y0, figure.x1, figure.y1)
    text, no_text = _text(session, stored_parts.heads.get(figure.id), file.sha256)
    return TextSourcePaper(
        key=stored_parts.keys[figure.id],
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
        reply_tokens=stored_parts.reply_tokens,
        shares=stored_parts.shares,
    )


def _text(session: Session, head: TextHead | None, file: str) -> tuple[str | None, str]:
    """Return the newest text of a figure, or the reason why it cannot be used."""
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
    """Raise BadInput for papers with unread pages: reading takes about a second a page, too long for a dry run."""
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


SERVICES = BenchmarkServices(
    sources={PAPERS: Source(words="papers", offered=_options, read=_read, tasks=_tasks)}, sends_papers=True
)
