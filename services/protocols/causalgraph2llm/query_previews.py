"""What a run of queries would send, before it starts: one query, told in every chosen encoding, on its graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.graphs.queries import Query, Why, why
from core.messages import Kept, Message, Text, text_hash
from core.people import May, Viewer
from protocols.causalgraph2llm.faces import query_words
from protocols.causalgraph2llm.previews import previewed
from protocols.causalgraph2llm.tasks import ENCODINGS, NAME, YES
from protocols.protocol import first_messages
from services.acting import consulting
from services.protocols.causalgraph2llm.query_items import letters_of, places_of
from services.runs.preparing import prepare
from services.runs.settings import RunConfig
from services.runs.wanted import kept as kept_settings

PICTURE = "(the picture of the graph)"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryPreview:
    """A query of the run, with the graph by the names that are shown; `graph_name`: as lists have it. `prompts`: by the
    words of an encoding, what is sent; `asked`: letter by name of what the query names; `answer`: the variables that
    answer, or the one that does; `truth`: the answer in words."""

    graph_name: str
    query: str
    graph: CausalGraph
    places: Mapping[str, Point]
    asked: Mapping[str, str]
    answer: frozenset[str]
    truth: str
    why: Why
    prompts: Mapping[str, str]


def query_preview(viewer: Viewer, wanted: RunConfig) -> QueryPreview | None:
    """None for a run of anything else, or one that cannot start as it is."""
    if wanted.protocol != NAME:
        return None
    with consulting(viewer, May.RUN) as r:
        prepared = prepare(r, wanted)
    if prepared.faults or prepared.space is None:
        return None
    found = previewed(prepared.given, kept_settings(wanted))
    if found is None:
        return None
    texts = {text_hash(text): text for text in prepared.space.texts}
    query: Query = found.query
    first = found.samples[0]
    if first.truth is not None:
        answer, truth = frozenset(first.truth["answer"]), ", ".join(first.truth["answer"]) or "Null"
    else:
        node = query.node or (query.between or ("", ""))[1]
        answer, truth = frozenset({node} if first.answer == YES else ()), str(first.answer)
    return QueryPreview(
        graph_name=found.graph_name[:1].upper() + found.graph_name[1:],
        query=query_words(query.asked.value, query.level.value, query.names),
        graph=found.graph,
        places=places_of(found.graph),
        asked=letters_of(query),
        answer=answer,
        truth=truth,
        why=why(found.graph, query),
        prompts={
            ENCODINGS[encoding]: "\n\n".join(
                _words(each, texts) for each in first_messages(prepared.protocol, sample, prepared.prompts)
            )
            for encoding, sample in zip(found.encodings, found.samples, strict=True)
        },
    )


def _words(message: Message, texts: Mapping[str, str]) -> str:
    return "".join(
        part.text if isinstance(part, Text) else texts[part.hash] if isinstance(part, Kept) else PICTURE
        for part in message.parts
    )
