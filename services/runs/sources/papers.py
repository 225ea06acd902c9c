"""Papers with a file and a located figure: their raw text, the text they have by now, and the figure's ground truth.

A value is a `SourcePaper` as JSON, one for each figure; its hash covers all that a text depends on, and no id.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from sqlmodel import Session

from core.errors import Missing
from core.graphs.graph import CausalGraph
from core.runs.options import OptionKind, RunOption
from core.texts.sections import Sorted, blocks_of, sort_blocks
from core.words import quoted
from protocols.making import Value
from protocols.protocol import BenchmarkProtocol, content_hash
from protocols.recite_texts.papers import SourcePaper, graph_json
from protocols.recite_texts.tasks import EXPLICITNESS, MARKDOWN, NORMALISE
from services.acting import Reading
from services.runs.settings import PaperOption, RunConfig
from services.runs.sources import SourceRead
from services.study import current_study
from services.triplets.trial_files import TrialFiles
from store import releases as stored
from store.assignments import HANDED_IN
from store.graphs import graphs
from store.runs import model_cards
from store.tables import FigureRow, PaperRow

LIMITS = ("max_tokens", "max_completion_tokens")
NO_TEXT = "it has no Markdown yet; make its text first"
NO_TRUTH = "its figure has no ground truth yet"
OPEN_TRUTH = "the adjudication of its figure is not finished"
SEVERAL_TRUTHS = "its figure has several ground truth graphs; archive all but one"
LONGEST_KEY = 60


class Papers:
    words = "papers"
    options: tuple[RunOption, ...] = (
        RunOption(
            name="papers",
            title="Papers",
            kind=OptionKind.TEXT,
            help="IDs of papers or figures, separated by commas. Empty: every paper with a file and a located figure.",
        ),
    )

    def fault(self, wanted: RunConfig) -> str:
        return ""

    def read(self, r: Reading, wanted: RunConfig, trial: TrialFiles) -> SourceRead:
        """As `Source`: every wanted paper that has a file, once for each of its figures. Raises Missing for an id that
        there is not, or that has no file or figure."""
        chosen = _chosen(r.session, str(wanted.options.get("papers") or ""))
        truths = _truths(r.session, [figure.id for figure, _ in chosen])
        tokens = _reply_tokens(r, wanted)
        keys = _keys(chosen)
        read = [_paper(r, keys[figure.id], figure, paper, *truths[figure.id], tokens) for figure, paper in chosen]
        values = tuple(Value(key=each.key, value=each.as_json(), hash=content_hash(each.content)) for each in read)
        return SourceRead(values, {each.key: value.hash for each, value in zip(read, values, strict=True)})

    def tasks(self, r: Reading, protocol: BenchmarkProtocol, wanted: RunConfig, trial: TrialFiles) -> tuple[str, ...]:
        """As `Source`: Markdown of any paper; the others where a wanted paper has a ground truth."""
        chosen = _chosen(r.session, str(wanted.options.get("papers") or ""))
        truths = _truths(r.session, [figure.id for figure, _ in chosen])
        has_truth = any(graph is not None for graph, _ in truths.values())
        return (MARKDOWN, NORMALISE, EXPLICITNESS) if has_truth else (MARKDOWN,)


SOURCE = Papers()


def offered(session: Session) -> tuple[PaperOption, ...]:
    """Every paper that a run can take."""
    chosen = _chosen(session, "")
    closed = {each.graph.figure_id for each in stored.ground_truths(session) if _is_closed(each)}
    keys = _keys(chosen)
    return tuple(PaperOption(figure.id, keys[figure.id], figure.id in closed) for figure, _ in chosen)


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


def _truths(session: Session, figures: Sequence[str]) -> Mapping[str, tuple[CausalGraph | None, str]]:
    """Figure → its closed ground truth, or why there is none."""
    found: dict[str, list[stored.Truth]] = defaultdict(list)
    for each in stored.ground_truths(session):
        found[each.graph.figure_id or ""].append(each)
    chosen, reasons = dict[str, str](), dict[str, str]()
    for figure in figures:
        there = found.get(figure, [])
        closed = [each for each in there if _is_closed(each)]
        if len(closed) == 1 and len(there) == 1:
            chosen[figure] = closed[0].graph.id
        else:
            reasons[figure] = SEVERAL_TRUTHS if len(closed) > 1 else OPEN_TRUTH if there else NO_TRUTH
    read = dict(graphs.read_named(session, chosen.values()))
    return {figure: (read[chosen[figure]], "") if figure in chosen else (None, reasons[figure]) for figure in figures}


def _is_closed(truth: stored.Truth) -> bool:
    """Nobody works on it: its adjudication is finished, or it never had one."""
    return truth.adjudication is None or truth.adjudication.state in HANDED_IN


def _reply_tokens(r: Reading, wanted: RunConfig) -> int | None:
    """The longest reply of the models that are asked for Markdown, by the run's own word, else by their cards; the
    smallest of several. None where nothing bounds it."""
    own = [wanted.parameters[name] for name in LIMITS if wanted.parameters.get(name)]
    if own:
        return int(min(own))
    rows = model_cards.cards(r.session, wanted.models)
    bounds = [int(row.parameters[name]) for row in rows for name in LIMITS if row.parameters.get(name)]
    return min(bounds, default=None)


def _paper(
    r: Reading,
    key: str,
    figure: FigureRow,
    paper: PaperRow,
    graph: CausalGraph | None,
    no_graph: str,
    tokens: int | None,
) -> SourcePaper:
    assert paper.file_sha256 is not None, "only papers with a file are chosen"
    return SourcePaper(
        key=key,
        title=paper.title,
        paper=paper.id,
        figure=figure.id,
        file=paper.file_sha256,
        blocks=_blocks(r, paper.file_sha256),
        captions=(figure.caption,) if figure.caption else (),
        text=None,
        no_text=NO_TEXT,
        graph=graph,
        graph_hash="" if graph is None else content_hash(graph_json(graph)),
        no_graph=no_graph,
        reply_tokens=tokens,
    )


def _blocks(r: Reading, sha256: str) -> tuple[Sorted, ...]:
    return _read_blocks(sha256, str(r.study.shelf.path(r.session, sha256)))


@lru_cache(maxsize=64)
def _read_blocks(sha256: str, path: str) -> tuple[Sorted, ...]:
    from pathlib import Path

    return sort_blocks(blocks_of(current_study().reader.text(Path(path), sha256)))
