"""What a step that embeds gives: its texts, and their vectors, which stand once in the study and nowhere in a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlmodel import Session

from core.errors import BadInput
from core.vectors import LEXICAL, lexical
from core.words import counted
from protocols.making import Value
from protocols.samples import content_hash
from runs.endpoint.embeddings import unpacked
from runs.steps.stepped_run import SteppedRun
from store.runs import embeddings
from store.runs.embeddings import VERSION, embedder_of
from store.runs.groups import KeptValue


def as_value(text: str, embedder: str) -> dict[str, str]:
    """A text that a group gives, as the run keeps it."""
    return {"text": text, "embedder": embedder}


def vectors_of(session: Session, run: SteppedRun, values: Iterable[KeptValue]) -> tuple[Value, ...]:
    """The vectors of texts that groups give, each text once. Raises BadInput for a text without a vector, and for
    vectors of one embedder that differ in length."""
    by_embedder: dict[str, dict[str, str]] = {}
    for each in values:
        by_embedder.setdefault(each.value["embedder"], {})[each.hash] = each.value["text"]
    vectors_by_hash: dict[str, Value] = {}
    for embedder, texts in by_embedder.items():
        vectors = kept_vectors(session, embedder, _kept_as(run, embedder), texts)
        missing = len(texts) - len(vectors)
        if missing:
            raise BadInput(f"{counted(missing, 'text')} without a vector of {embedder}; begin the run again.")
        for key, vector in vectors.items():
            vectors_by_hash.setdefault(key, vector)
    return tuple(vectors_by_hash.values())


def _kept_as(run: SteppedRun, embedder: str) -> str:
    if embedder == LEXICAL:
        return ""
    model = run.embedder(embedder)
    assert model.endpoint is not None
    return embedder_of(model.endpoint.base_url, model.model)


def kept_vectors(session: Session, embedder: str, kept_as: str, texts: Mapping[str, str]) -> dict[str, Value]:
    """By the hash of its text, each vector that is there; `texts`: by their hashes; `kept_as`: under which name an
    endpoint's vectors are kept. Raises BadInput where they differ in length."""
    vectors: dict[str, Sequence[float]]
    if embedder == LEXICAL:
        vectors = {key: lexical(text) for key, text in texts.items()}
    else:
        rows = embeddings.found(session, kept_as, list(texts))
        vectors = {key: unpacked(rows[key]) for key in texts if key in rows}
    if len({len(vector) for vector in vectors.values()}) > 1:
        raise BadInput(f"{embedder} gave vectors of different lengths; the model behind this name has changed.")
    return {key: Value(key=texts[key], value=vector, hash=_hash(embedder, key)) for key, vector in vectors.items()}


def _hash(embedder: str, key: str) -> str:
    return content_hash({"embedder": embedder, "version": VERSION, "text": key})
