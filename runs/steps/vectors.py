"""Values of a step that embeds: its texts and their vectors, which are stored once per study, outside runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlmodel import Session

from core.errors import BadInput
from core.vectors import LEXICAL, lexical
from core.words import counted
from protocols.samples import content_hash
from protocols.step_values import Value
from runs.endpoint.embeddings import unpacked
from runs.steps.stepped_run import SteppedRun
from store.runs import embeddings
from store.runs.embeddings import VERSION, embedder_of
from store.runs.groups import StoredValue


def as_value(text: str, embedder: str) -> dict[str, str]:
    return {"text": text, "embedder": embedder}


def vectors_of(session: Session, run: SteppedRun, values: Iterable[StoredValue]) -> tuple[Value, ...]:
    """Return the vectors of texts, each once. Raises BadInput for a missing one, and for different lengths."""
    by_embedder: dict[str, dict[str, str]] = {}
    for each in values:
        by_embedder.setdefault(each.value["embedder"], {})[each.hash] = each.value["text"]
    vectors_by_hash: dict[str, Value] = {}
    for embedder, texts in by_embedder.items():
        stored_as = ""
        if embedder != LEXICAL:
            endpoint = (model := run.embedder(embedder)).endpoint
            assert endpoint is not None
            stored_as = embedder_of(endpoint.base_url, model.model)
        vectors = stored_vectors(session, embedder, stored_as, texts)
        missing = len(texts) - len(vectors)
        if missing:
            raise BadInput(f"{counted(missing, 'text')} without a vector of {embedder}; begin the run again.")
        for key, vector in vectors.items():
            vectors_by_hash.setdefault(key, vector)
    return tuple(vectors_by_hash.values())


def stored_vectors(session: Session, embedder: str, stored_as: str, texts: Mapping[str, str]) -> dict[str, Value]:
    """Return hash of a text → its vector, if it exists. Raises BadInput for different lengths. `texts`: by hash.
    `stored_as`: the name under which an endpoint's vectors are stored."""
    vectors: dict[str, Sequence[float]]
    if embedder == LEXICAL:
        vectors = {key: lexical(text) for key, text in texts.items()}
    else:
        rows = embeddings.found(session, stored_as, list(texts))
        vectors = {key: unpacked(rows[key]) for key in texts if key in rows}
    if len({len(vector) for vector in vectors.values()}) > 1:
        raise BadInput(f"{embedder} gave vectors of different lengths; the model behind this name has changed.")
    return {
        key: Value(
            key=texts[key],
            value=vector,
            hash=content_hash({"embedder": embedder, "version": VERSION, "text": key}),
        )
        for key, vector in vectors.items()
    }
