"""Preview of a run of queries: one query on its graph, in every chosen encoding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.graphs.queries import AnswerExplanation, Query, why
from core.messages import Message, Text, TextByHash, text_hash
from core.people import Permission, Viewer
from protocols.causalgraph2llm.previews import previewed
from protocols.causalgraph2llm.sample_summaries import query_words
from protocols.causalgraph2llm.tasks import ENCODINGS, NAME, YES
from protocols.protocol import first_messages
from services.acting import consulting
from services.protocols.causalgraph2llm.query_items import letters_of, places_of
from services.runs.preparing import prepare
from services.runs.run_settings import settings_json as kept_settings
from services.runs.settings import RunConfig

PICTURE = "(the picture of the graph)"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryPreview:
    """A query of the run, on the graph by the shown names."""

    graph_name: str  # as in lists
    query: str
    graph: CausalGraph
    places: Mapping[str, Point]
    asked: Mapping[str, str]  # name → letter in the query
    answer: frozenset[str]  # the variables that answer
    truth: str  # the answer as text
    why: AnswerExplanation
    prompts: Mapping[str, str]  # encoding, by its title → what is sent


def query_preview(viewer: Viewer, config: RunConfig) -> QueryPreview | None:
    """Return the preview; None for a run of another protocol, or one that cannot start."""
    if config.protocol != NAME:
        return None
    with consulting(viewer, Permission.RUN) as r:
        prepared = prepare(r, config)
    if prepared.faults or prepared.space is None:
        return None
    preview = previewed(prepared.given, kept_settings(config))
    if preview is None:
        return None
    texts = {text_hash(text): text for text in prepared.space.texts}
    query: Query = preview.query
    first = preview.samples[0]
    if first.truth is not None:
        answer, truth = frozenset(first.truth["answer"]), ", ".join(first.truth["answer"]) or "Null"
    else:
        node = query.node or (query.between or ("", ""))[1]
        answer, truth = frozenset({node} if first.answer == YES else ()), str(first.answer)
    return QueryPreview(
        graph_name=preview.graph_name[:1].upper() + preview.graph_name[1:],
        query=query_words(query.asked.value, query.level.value, query.names),
        graph=preview.graph,
        places=places_of(preview.graph),
        asked=letters_of(query),
        answer=answer,
        truth=truth,
        why=why(preview.graph, query),
        prompts={
            ENCODINGS[encoding]: "\n\n".join(
                _words(each, texts) for each in first_messages(prepared.protocol, sample, prepared.prompts)
            )
            for encoding, sample in zip(preview.encodings, preview.samples, strict=True)
        },
    )


def _words(message: Message, texts: Mapping[str, str]) -> str:
    return "".join(
        part.text if isinstance(part, Text) else texts[part.hash] if isinstance(part, TextByHash) else PICTURE
        for part in message.parts
    )
