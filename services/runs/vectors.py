"""Vectors for matching: built in, or remembered ones of a model at an endpoint. Reading them sends nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from sqlmodel import Session

from core.errors import BadInput, Refused
from core.messages import text_hash
from core.vectors import LEXICAL, lexical
from core.words import counted
from runs.endpoint.endpoints import Endpoint
from runs.endpoint.faults import SendError
from services.runs.connection_tests import endpoint_of
from services.runs.endpoints import require_open
from services.study import Study
from store.runs import model_cards
from store.runs.embeddings import VERSION, KeptVectors, embedder_of

Vectors = dict[str, Sequence[float]]


class MissingVectors(Exception):
    """Some texts have no vector of the chosen `embedder` yet; `missing` of them."""

    def __init__(self, embedder: str, missing: int) -> None:
        super().__init__(f"{counted(missing, 'text')} without a vector of {embedder}")
        self.embedder, self.missing = embedder, missing


def parse_embedder(name: str) -> tuple[str, str]:
    """(endpoint, model) of "ENDPOINT/MODEL". Raises BadInput for another form."""
    endpoint, _, model = name.partition("/")
    if not endpoint or not model:
        raise BadInput(f"Embedder {name!r}: {LEXICAL!r} or ENDPOINT/MODEL is needed, such as openai/some-model.")
    return endpoint, model


def kept_vectors(study: Study, session: Session, embedder: str, texts: Sequence[str]) -> Vectors:
    """A vector for each text. Raises MissingVectors if some must be asked for first, BadInput or Missing for an
    embedder that there is not."""
    if embedder in ("", LEXICAL):
        return {text: lexical(text) for text in texts}
    from runs.endpoint.embeddings import unpacked

    endpoint, model = parse_embedder(embedder)
    row = model_cards.endpoint(session, endpoint)
    hashes = {text: text_hash(text) for text in texts}
    known = _memory(study, row.base_url, model).find(list(hashes.values()))
    missing = sum(key not in known for key in hashes.values())
    if missing:
        raise MissingVectors(embedder, missing)
    return {text: unpacked(known[key]) for text, key in hashes.items()}


def ask_for_vectors(study: Study, session: Session, embedder: str, texts: Sequence[str]) -> int:
    """Ask an endpoint for the vectors of these texts that are not remembered; returns how many texts have one now.

    Raises Refused if the endpoint cannot be asked, or with what it said.
    """
    if embedder in ("", LEXICAL):
        return len(texts)
    endpoint, model = parse_embedder(embedder)
    asked = endpoint_of(require_open(model_cards.endpoint(session, endpoint)))
    try:
        with ThreadPoolExecutor(1) as pool:  # whoever calls may have an event loop of theirs
            return pool.submit(lambda: asyncio.run(_ask(study, asked, model, texts))).result()
    except SendError as error:
        raise Refused(f"No vectors from {embedder}: {error.message}") from None


async def _ask(study: Study, endpoint: Endpoint, model: str, texts: Sequence[str]) -> int:
    from runs.endpoint.embed import EndpointEmbedder

    embedder = EndpointEmbedder(endpoint, model, _memory(study, endpoint.base_url, model))
    return len(await embedder.vectors(texts))


def _memory(study: Study, base_url: str, model: str) -> KeptVectors:
    return KeptVectors(study.store, embedder_of(base_url, model), VERSION, study.clock)
