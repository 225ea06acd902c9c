"""One query about a graph of the study, asked of one model as a run of its own: its price, its start, its replies.

So a reply that was paid for is kept like every other, and asked for a second time it is a cached one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.graphs.queries import Query
from core.people import May, Receipt, Viewer
from core.runs.filters import FailureFilters
from core.runs.states import ItemStatus, RunState
from protocols.causalgraph2llm.faces import query_words
from protocols.causalgraph2llm.named import as_option, query_named, read_option
from protocols.causalgraph2llm.samples import KeyParts
from protocols.causalgraph2llm.tasks import ALL, ASKED, ENCODINGS, NAME, ONLY_QUERY, PICTURE, WHICH
from services.acting import consulting
from services.protocols.causalgraph2llm.query_items import AnsweredGraph, answered_graph
from services.runs import failures, planning, reading
from services.runs import models as run_models
from services.runs.acts import LONGEST_TITLE
from services.runs.settings import DryRun, ModelOption, RunConfig, SampleSource
from services.runs.wanted import wanted_of

TEXTS: Mapping[str, str] = {name: title for name, title in ENCODINGS.items() if name != PICTURE}
"""The seven encodings that every model takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryToAsk:
    """A query by the names of the graph; `graph`: its ID, `title`: what it is called; `encodings`: one or several."""

    graph: str
    title: str
    query: Query
    model: str
    encodings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryReply:
    """The reply to a query that was told in one encoding. `graph`: the answer on the graph, by the names that were
    shown, None until there is one. `score`: of a list its F1."""

    item_id: str
    encoding: str
    status: ItemStatus
    text: str
    fault: str
    is_right: bool | None
    score: float | None
    graph: AnsweredGraph | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuery:
    """A run of one query. `graph`: as the run names it; `replies`: those that are there, in the order of encodings;
    `pending`: how many are not."""

    run_id: str
    number: int
    graph: str
    query: Query
    model: str
    state: RunState
    reason: str
    has_worker: bool
    pending: int
    replies: tuple[QueryReply, ...]

    @property
    def is_done(self) -> bool:
        return not self.pending


def cards(viewer: Viewer) -> tuple[ModelOption, ...]:
    """Models that can be asked; what hinders one now stands beside it."""
    with consulting(viewer, May.RUN) as r:
        return run_models.model_options(r.session)


def plan(viewer: Viewer, asked: QueryToAsk) -> DryRun:
    """What it would send and cost; what is wrong stands in its faults."""
    return planning.plan(viewer, _config_of(asked))


def start(viewer: Viewer, asked: QueryToAsk, *, act_id: str) -> Receipt:
    """Begin the run; the receipt's subject is its ID. Raises BadInput with the first fault of its plan."""
    return planning.start(viewer, _config_of(asked), act_id=act_id)


def _config_of(asked: QueryToAsk) -> RunConfig:
    query = asked.query
    words = query_words(query.asked.value, query.level.value, query.names)
    return RunConfig(
        title=f"{asked.title}: {words}"[:LONGEST_TITLE],
        protocol=NAME,
        source=SampleSource(),
        tasks=(query.asked.value,),
        variants=(query.level.value,),
        models=(asked.model,),
        options={
            WHICH.name: asked.graph,
            ONLY_QUERY: as_option(query),
            "encodings": ",".join(asked.encodings),
            "amount": ALL,
        },
    )


def asked_query(viewer: Viewer, run_id: str) -> AskedQuery | None:
    """None for a run of anything else. Raises Missing if there is no such run."""
    with consulting(viewer, May.REVIEW) as r:
        row = reading.find_run(r.session, run_id)
        wanted, protocol, run_id, number = row.settings.get("wanted"), row.protocol, row.id, row.number
    config = wanted_of(wanted) if wanted is not None and protocol == NAME else None
    said = str(config.options.get(ONLY_QUERY, "")) if config is not None else ""
    if config is None or not said or len(config.tasks) != 1 or len(config.models) != 1:
        return None
    seen = reading.progress(viewer, run_id)
    page = failures.failures(viewer, FailureFilters(runs=(run_id,)), limit=len(ENCODINGS))
    order = list(ENCODINGS)
    replies = [_reply(viewer, line.item_id, line.key) for line in page.lines if line.status is not ItemStatus.PENDING]
    return AskedQuery(
        run_id=run_id,
        number=number,
        graph=str(config.options.get(WHICH.name, "")),
        query=query_named(ASKED[config.tasks[0]], read_option(said)),
        model=config.models[0],
        state=seen.state,
        reason=seen.reason,
        has_worker=seen.has_worker,
        pending=seen.by_status[ItemStatus.PENDING],
        replies=tuple(sorted(replies, key=lambda each: order.index(each.encoding))),
    )


def _reply(viewer: Viewer, item_id: str, key: str) -> QueryReply:
    sheet = failures.item(viewer, item_id)
    line = sheet.line
    return QueryReply(
        item_id=item_id,
        encoding=KeyParts.of(key)[1],
        status=line.status,
        text=sheet.text or sheet.refusal,
        fault=line.fault,
        is_right=line.is_right,
        score=line.score,
        graph=answered_graph(viewer, item_id),
    )
