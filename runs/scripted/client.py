"""Client of the scripted models, which answer within the process that asks: no port, no network, no key."""

from __future__ import annotations

import json
import time

from core.words import quoted
from runs.endpoint.faults import RequestFault, SendError
from runs.endpoint.reply import ModelReply, read_reply
from runs.endpoint.request import EmbeddingRequest, ModelRequest, body_of
from runs.scripted.demo_models import MODELS as DEMO_MODELS
from runs.scripted.judges import JUDGE_MODELS
from runs.scripted.replies import asked_from, completion
from runs.scripted.texts import TEXT_MODELS

MODELS = {**DEMO_MODELS, **TEXT_MODELS, **JUDGE_MODELS}


class ScriptedClient:
    """Asks a script by its name; its reply is a chat completion, read as a provider's is."""

    async def send(self, request: ModelRequest | EmbeddingRequest, attempt_id: str) -> ModelReply:
        """Return the reply. Raises SendError for an unknown script and for a request for vectors; BadInput for a bad
        request."""
        if isinstance(request, EmbeddingRequest):
            message = "The scripted models return no vectors; the built-in vectors need no endpoint."
            raise SendError(RequestFault.BAD_REQUEST, message, has_left=False)
        script = MODELS.get(request.model)
        if script is None:
            message = f"No scripted model is called {quoted(request.model)}; choose from {', '.join(MODELS)}."
            raise SendError(RequestFault.NOT_FOUND, message, has_left=False)
        started = time.perf_counter()
        question = asked_from(json.loads(body_of(request)), {}, request.repeat)
        return read_reply(json.dumps(completion(question, script(question))), latency_s=time.perf_counter() - started)

    async def close(self) -> None:
        return
