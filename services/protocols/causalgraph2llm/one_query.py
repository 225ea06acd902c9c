"""One query about a graph of the study, sent to one model as a run of its own.

So its paid reply is stored like any other, and a repeated query is answered from the cache."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.graphs.queries import Query
from core.people import Permission, Receipt, Viewer
from core.runs.filters import FailureFilters
from core.runs.states import ItemStatus, RunState
from protocols.causalgraph2llm.named import as_option, query_named, read_option
from protocols.causalgraph2llm.sample_summaries import query_words
from protocols.causalgraph2llm.samples import KeyParts
from protocols.causalgraph2llm.tasks import ALL, ASKED, ENCODINGS, NAME, ONLY_QUERY, PICTURE, WHICH
from services.acting import consulting
from services.failures import failures
from services.protocols.causalgraph2llm.query_items import AnsweredGraph, answered_graph
from services.runs import models as run_models
from services.runs import planning, reading
from services.runs.acts import LONGEST_TITLE
from services.runs.run_settings import config_of
from services.runs.settings import DryRun, ModelOption, RunConfig, SampleSource

TEXTS: Mapping[str, str] = {name: title for name, title in ENCODINGS.items() if name != PICTURE}
"""The seven encodings that every model accepts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryToAsk:
    """A query in the names of the graph."""

    graph: str  # ID
    title: str
    query: Query
    model: str
    encodings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryReply:
    """The reply to a query in one encoding."""

    item_id: str
    encoding: str
    status: ItemStatus
    text: str
    fault: str
    is_right: bool | None
    score: float | None  # F1 of a list
    graph: AnsweredGraph | None  # the answer on the graph, by the shown names; None before there is one


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryOfGraph:
    """A run of one query."""

    run_id: str
    number: int
    graph: str  # name within the run
    query: Query
    model: str
    state: RunState
    reason: str
    has_worker: bool
    pending: int
    replies: tuple[QueryReply, ...]  # received so far, in the order of encodings

    @property
    def is_done(self) -> bool:
        return not self.pending


def cards(viewer: Viewer) -> tuple[ModelOption, ...]:
    """Return the models that can be asked, with their blockers."""
    with consulting(viewer, Permission.RUN) as r:
        return run_models.model_options(r.session)


def plan(viewer: Viewer, request: QueryToAsk) -> DryRun:
    """Return the requests and cost, with all faults."""
    return planning.plan(viewer, _config_of(request))


def start(viewer: Viewer, request: QueryToAsk, *, act_id: str) -> Receipt:
    """Start the run; the receipt's subject is its ID. Raises BadInput with the first fault of its plan."""
    return planning.start(viewer, _config_of(request), act_id=act_id)


def _config_of(request: QueryToAsk) -> RunConfig:
    query = request.query
    words = query_words(query.asked.value, query.level.value, query.names)
    return RunConfig(
        title=f"{request.title}: {words}"[:LONGEST_TITLE],
        protocol=NAME,
        source=SampleSource(),
        tasks=(query.asked.value,),
        variants=(query.level.value,),
        models=(request.model,),
        options={
            WHICH.name: request.graph,
            ONLY_QUERY: as_option(query),
            "encodings": ",".join(request.encodings),
            "amount": ALL,
        },
    )


def asked_query(viewer: Viewer, run_id: str) -> QueryOfGraph | None:
    """Return the run of a query; None for other runs. Raises Missing if there is no such run."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = reading.find_run(r.session, run_id)
        settings, protocol, run_id, number = row.settings.get("wanted"), row.protocol, row.id, row.number
    config = config_of(settings) if settings is not None and protocol == NAME else None
    option = str(config.options.get(ONLY_QUERY, "")) if config is not None else ""
    if config is None or not option or len(config.tasks) != 1 or len(config.models) != 1:
        return None
    seen = reading.progress(viewer, run_id)
    page = failures.failures(viewer, FailureFilters(runs=(run_id,)), limit=len(ENCODINGS))
    order = list(ENCODINGS)
    replies = [_reply(viewer, line.item_id, line.key) for line in page.lines if line.status is not ItemStatus.PENDING]
    return QueryOfGraph(
        run_id=run_id,
        number=number,
        graph=str(config.options.get(WHICH.name, "")),
        query=query_named(ASKED[config.tasks[0]], read_option(option)),
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
