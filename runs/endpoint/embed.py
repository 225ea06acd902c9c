"""Texts to vectors: by a model at an endpoint, remembered in the study, or from their letters with no model at all."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Protocol

from core import vectors as letters
from core.errors import BadInput
from core.messages import text_hash
from runs.endpoint.batches import WIDEST, batches, most_texts
from runs.endpoint.client import OpenAIClient
from runs.endpoint.embeddings import Vectors, packed, unpacked
from runs.endpoint.endpoints import Endpoint
from runs.endpoint.faults import RequestFault, SendError
from runs.endpoint.limits import Throttle
from runs.endpoint.prices import likely_tokens
from runs.endpoint.request import EmbeddingRequest
from runs.endpoint.retrying import STANDARD, Policy, with_retries


class Embedder(Protocol):
    """Gives texts vectors of one length. `name`: what a run's manifest says it used."""

    @property
    def name(self) -> str: ...

    async def vectors(self, texts: Iterable[str]) -> dict[str, Sequence[float]]:
        """A vector for each different text."""
        ...


class Memory(Protocol):
    """Where vectors are remembered: text's SHA-256 → vector as text (`packed`). In a study: `store.runs.embeddings`."""

    def find(self, hashes: Sequence[str]) -> Mapping[str, str]: ...

    def keep(self, found: Mapping[str, str]) -> None: ...


class LexicalEmbedder:
    """Vectors of letters, not of meanings (`core/vectors.py`); the same everywhere, and for nothing."""

    name = letters.LEXICAL

    async def vectors(self, texts: Iterable[str]) -> dict[str, Sequence[float]]:
        return {text: letters.lexical(text) for text in dict.fromkeys(texts)}


class EndpointEmbedder:
    """Vectors of a model at an endpoint. Each text is asked for once in a study; what came is kept batch by batch.

    `tokens`: used so far by this object, as far as reported; `provider_model`: as the provider names it.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        memory: Memory,
        *,
        dimensions: int | None = None,
        environment: Mapping[str, str] | None = None,
        policy: Policy = STANDARD,
        random: Random | None = None,
    ) -> None:
        self.endpoint, self.model, self.dimensions = endpoint, model, dimensions
        self.tokens = 0
        self.provider_model = ""
        self._as_floats = False
        self._memory, self._environment, self._policy = memory, environment, policy
        self._random = random or Random()  # noqa: S311 - only spreads waits
        self._throttle = Throttle.of(endpoint)

    @property
    def name(self) -> str:
        """ENDPOINT/MODEL, and the wanted length where one is."""
        return f"{self.endpoint.name}/{self.model}" + (f"@{self.dimensions}" if self.dimensions else "")

    async def vectors(self, texts: Iterable[str]) -> dict[str, Sequence[float]]:
        """Raises SendError when the endpoint fails for good (what came before is remembered), BadInput for a blank
        text or vectors that differ in length from remembered ones."""
        hashes = {text: text_hash(text) for text in dict.fromkeys(texts)}
        if any(not text.strip() for text in hashes):
            raise BadInput("A blank text has no vector; leave it out.")
        known = self._memory.find(list(hashes.values()))
        missing = [text for text, key in hashes.items() if key not in known]
        found: dict[str, Sequence[float]] = {text: unpacked(known[key]) for text, key in hashes.items() if key in known}
        if missing:
            async with OpenAIClient(self.endpoint, environment=self._environment) as client:
                width = self.dimensions or max(map(len, found.values()), default=0)
                if not width:  # one small request shows how long the model's vectors are; the others are cut to fit
                    first = self._cut(missing, WIDEST)[0]
                    found.update(await self._ask(client, first))
                    width, missing = len(found[first[0]]), missing[len(first) :]
                found.update(await self._ask_all(client, self._cut(missing, width)))
        if len({len(vector) for vector in found.values()}) > 1:
            raise BadInput(f"{self.name} gave vectors of different lengths; the model behind this name has changed.")
        return {text: found[text] for text in hashes}

    def _cut(self, texts: Sequence[str], width: int) -> list[list[str]]:
        return batches(texts, most_texts(self.endpoint.most_bytes, width))

    async def _ask_all(self, client: OpenAIClient, cut: Sequence[Sequence[str]]) -> dict[str, Sequence[float]]:
        """All batches at once, as far as the endpoint's limits let them; the first that fails ends the others."""
        found: dict[str, Sequence[float]] = {}
        asked = [asyncio.ensure_future(self._ask(client, batch)) for batch in cut]
        try:
            for came in asyncio.as_completed(asked):
                found.update(await came)
        finally:
            for task in asked:
                task.cancel()
            await asyncio.gather(*asked, return_exceptions=True)
        return found

    async def _ask(self, client: OpenAIClient, texts: Sequence[str]) -> dict[str, Sequence[float]]:
        """The vectors of one batch; in halves where the reply is too long, as numbers where base64 is refused."""
        as_floats = self._as_floats
        try:
            return await self._send(client, texts, as_floats)
        except SendError as error:
            is_form = error.kind is RequestFault.BAD_REQUEST and "encoding_format" in (error.raw or "")
            if not (error.kind is RequestFault.TOO_LONG and len(texts) > 1) and not (is_form and not as_floats):
                raise
        if is_form:
            self._as_floats = True
            return await self._ask(client, texts)
        middle = len(texts) // 2
        return {**await self._ask(client, texts[:middle]), **await self._ask(client, texts[middle:])}

    async def _send(self, client: OpenAIClient, texts: Sequence[str], as_floats: bool) -> dict[str, Sequence[float]]:
        request = EmbeddingRequest(
            self.endpoint.name, self.endpoint.base_url, self.model, tuple(texts), self.dimensions, as_floats
        )
        tokens = likely_tokens(len(text.encode()) for text in texts)

        async def once(attempt: int) -> Vectors:
            async with self._throttle.slot(tokens) as slot:
                came = await client.embed(request, f"embed-{text_hash(texts[0])[:16]}-{attempt}")
                slot.used(came.tokens)
                return came

        came = await with_retries(once, self._random, self._policy)
        self.tokens += came.tokens or 0
        self.provider_model = came.provider_model
        rows = {text: packed(row) for text, row in zip(texts, came.rows, strict=True)}
        self._memory.keep({text_hash(text): row for text, row in rows.items()})
        return {text: unpacked(row) for text, row in rows.items()}
