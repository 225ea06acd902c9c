"""Bytes of one reply, as a `PlannedReply`: a chat completion, an embedding, or a fault of the server."""

from __future__ import annotations

import base64
import json
import math
import re
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import formatdate
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from random import Random
from typing import Any, Literal, Protocol

Change = Callable[[dict[str, Any]], dict[str, Any]]
Way = Literal["plain", "hang", "close", "cut", "drip", "endless"]
EMBEDDING_SIZE = 64
TOKEN = re.compile(r"\s*\w+|\s*[^\w\s]")


@dataclass(frozen=True, slots=True)
class AskedRequest:
    """The parts of a request that scripts read. `message`: text of the last user message; `repeat`: of the same
    request, which only the asking process knows."""

    model: str
    message: str
    message_sha256: str
    authorization: str
    body: Mapping[str, Any]
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class PlannedReply:
    """A reply to send. `way`: how its bytes are sent, or not."""

    name: str
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    way: Way = "plain"
    latency_s: float = 0.0

    def head(self) -> bytes:
        start = status_lines(self.status, self.headers)
        if self.way in ("drip", "endless"):
            return start + b"Transfer-Encoding: chunked\r\n\r\n"
        return start + b"Content-Length: %d\r\n\r\n" % len(self.body)


@cache
def status_lines(status: int, headers: tuple[tuple[str, str], ...]) -> bytes:
    reason = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Unknown"
    lines = [f"HTTP/1.1 {status} {reason}", *(f"{name}: {value}" for name, value in headers)]
    if not any(name == "Content-Type" for name, _ in headers):
        lines.append("Content-Type: application/json")
    return "".join(f"{line}\r\n" for line in lines).encode("latin-1")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedAnswer:
    """A model's answer."""

    text: str | None
    finish_reason: str = "stop"
    refusal: str | None = None
    reasoning: str | None = None
    label: str = ""
    # label → probability, for the log-probabilities of the label's token
    chances: Mapping[str, float] = field(default_factory=dict)
    # Replaces counted tokens: `prompt`, `completion`, `cached`, `reasoning`. None: no usage.
    usage: Mapping[str, int] | None = field(default_factory=dict)


class Defaults(Protocol):
    latency_s: float


def asked_from(body: Any, headers: Mapping[str, str], repeat: int = 0) -> AskedRequest:
    """Return the request in a body. Raises ValueError for any other body."""
    if not isinstance(body, dict) or not isinstance(body.get("model"), str):
        raise ValueError("the body must be an object with a model's name")
    messages = body.get("messages") or []
    texts = [_text_of(one.get("content")) for one in messages if isinstance(one, dict) and one.get("role") == "user"]
    message = texts[-1] if texts else ""
    return AskedRequest(
        model=body["model"],
        message=message,
        message_sha256=sha256(message.encode("utf-8", "surrogatepass")).hexdigest(),
        authorization=headers.get("authorization", ""),
        body=body,
        repeat=repeat,
    )


def whole_text(request: AskedRequest) -> str:
    """Return all messages in order, with their roles; a provider's cache stores beginnings of it."""
    messages = [each for each in request.body.get("messages") or [] if isinstance(each, dict)]
    return "\n".join(f"{each.get('role')}: {_text_of(each.get('content'))}" for each in messages)


def _text_of(content: Any) -> str:
    if isinstance(content, list):
        parts = (part for part in content if isinstance(part, dict) and part.get("type") == "text")
        return "".join(str(part.get("text", "")) for part in parts)
    return content if isinstance(content, str) else ""


def json_plan(name: str, content: Any, *, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> PlannedReply:
    return PlannedReply(name, status, headers, json.dumps(content).encode())


def completion(request: AskedRequest, answer: ScriptedAnswer) -> dict[str, Any]:
    """Return the answer as a `chat.completion` object, with log-probabilities if the request asks for them."""
    message: dict[str, Any] = {"role": "assistant", "content": answer.text}
    if answer.refusal is not None:
        message["refusal"] = answer.refusal
    if answer.reasoning is not None:
        message["reasoning_content"] = answer.reasoning
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": answer.finish_reason, "logprobs": None}
    if request.body.get("logprobs") and answer.text is not None:
        choice["logprobs"] = {"content": logprobs(answer, int(request.body.get("top_logprobs") or 0))}
    reply = {
        "id": f"chatcmpl-{request.message_sha256[:16]}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": f"{request.model}-2025-01-01",
        "choices": [choice],
    }
    if answer.usage is not None:
        reply["usage"] = counted(request, answer, answer.usage)
    return reply


def counted(request: AskedRequest, answer: ScriptedAnswer, counts: Mapping[str, int]) -> dict[str, Any]:
    """Count tokens, four characters each, unless the script gives them."""
    prompt = counts.get("prompt", math.ceil(len(request.message) / 4))
    completion_tokens = counts.get("completion", math.ceil(len(answer.text or "") / 4))
    usage: dict[str, Any] = {
        "prompt_tokens": prompt,
        "completion_tokens": completion_tokens,
        "total_tokens": prompt + completion_tokens,
    }
    if "cached" in counts:
        usage["prompt_tokens_details"] = {"cached_tokens": counts["cached"]}
    if "reasoning" in counts:
        usage["completion_tokens_details"] = {"reasoning_tokens": counts["reasoning"]}
    return usage


def logprobs(answer: ScriptedAnswer, most: int) -> list[dict[str, Any]]:
    """Return one entry per token; joined, the tokens are the text. The label's token has the answer's chances."""
    text = answer.text or ""
    tokens = TOKEN.findall(text)
    tail = text[sum(map(len, tokens)) :]
    tokens += [tail] if tail else []
    start = tokens.index("predicted_sign") if "predicted_sign" in tokens else 0
    labels = (n for n, token in enumerate(tokens) if n >= start and answer.label and token.strip() == answer.label)
    marked = next(labels, None)
    return [_position(token, answer.chances if n == marked else {}, most) for n, token in enumerate(tokens)]


def _position(token: str, chances: Mapping[str, float], most: int) -> dict[str, Any]:
    tops = [(option, chance) for option, chance in chances.items() if chance > 0] or [(token, 0.999)]
    ranked = sorted(tops, key=lambda one: -one[1])[:most]
    own = chances.get(token.strip(), 0.999)
    return {**_token(token, own), "top_logprobs": [_token(option, chance) for option, chance in ranked]}


def _token(token: str, chance: float) -> dict[str, Any]:
    return {"token": token, "logprob": math.log(chance) if chance > 0 else -9999.0, "bytes": list(token.encode())}


def completion_plan(name: str, request: AskedRequest, answer: ScriptedAnswer) -> PlannedReply:
    return json_plan(name, completion(request, answer))


def embedding_plan(request: AskedRequest, script: Defaults) -> PlannedReply:
    """Return hashed words as vectors: texts that share words are close, and equal texts are equal.

    A model's name may give the length and a form, as `words:3072`: `floats:…` always writes numbers, and `strict:…`
    refuses any other form.
    """
    if request.model.startswith("fault:"):
        fault = fault_plan(request.model.removeprefix("fault:"), request, ScriptedAnswer(text="x"))
        return PlannedReply(fault.name, fault.status, fault.headers, fault.body, fault.way, script.latency_s)
    texts_sent = request.body.get("input")
    texts = [texts_sent] if isinstance(texts_sent, str) else list(texts_sent or [])
    way, _, length = request.model.partition(":")
    form = "float" if way == "floats" else request.body.get("encoding_format", "float")
    if way == "strict" and form != "float":
        return error_plan("bad form", 400, "Unknown value of encoding_format.", code="invalid_value")
    made_of = (words_vector(text) if not length else wide_vector(text, int(length)) for text in texts)
    rows = [
        {"object": "embedding", "index": n, "embedding": in_base64(one) if form == "base64" else one}
        for n, one in enumerate(made_of)
    ]
    usage = {"prompt_tokens": sum(map(len, texts)) // 4, "total_tokens": sum(map(len, texts)) // 4}
    content = {"object": "list", "model": request.model, "data": rows, "usage": usage}
    return PlannedReply(f"embedding {form} {len(texts)}", body=json.dumps(content).encode(), latency_s=script.latency_s)


def words_vector(text: str) -> list[float]:
    vector = [0.0] * EMBEDDING_SIZE
    for word in re.findall(r"\w+", text.lower()):
        vector[zlib.crc32(word.encode()) % EMBEDDING_SIZE] += 1.0
    return _of_length_one(vector)


def wide_vector(text: str, length: int) -> list[float]:
    """Return a vector of realistic length and precision."""
    words = [_word(word, length) for word in re.findall(r"\w+", text.lower())]
    return _of_length_one([sum(values) for values in zip(*words, strict=True)] or [1.0] * length)


@cache
def _word(word: str, length: int) -> list[float]:
    drawn = Random(zlib.crc32(word.encode()))
    return [drawn.uniform(-1.0, 1.0) for _ in range(length)]


def _of_length_one(vector: list[float]) -> list[float]:
    length = math.sqrt(sum(value * value for value in vector)) or 1.0
    return [value / length for value in vector]


def in_base64(vector: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


def error_plan(
    name: str, status: int, message: str, *, code: str = "", kind: str = "", headers: Sequence[tuple[str, str]] = ()
) -> PlannedReply:
    error = {"message": message, "type": kind or "invalid_request_error", "param": None, "code": code or None}
    return json_plan(name, {"error": error}, status=status, headers=tuple(headers))


def fault_plan(fault: str, request: AskedRequest, answer: ScriptedAnswer) -> PlannedReply:
    """Return the fault `NAME` or `NAME:ARGUMENT` instead of the answer. Raises ValueError for an unknown name."""
    name, _, argument = fault.partition(":")
    if name in ERRORS:
        status, message, code, kind = ERRORS[name]
        return error_plan(fault, status, message, code=code, kind=kind, headers=_waits(name, argument))
    if name in ECHOES:
        shown = ECHOES[name](request.authorization.removeprefix("Bearer "))
        return error_plan(fault, 401, f"Incorrect API key provided: {shown}.", code="invalid_api_key")
    if name in SPOILT:
        return PlannedReply(fault, body=SPOILT[name](json.dumps(completion(request, answer)).encode()))
    if name in CHANGED:
        return json_plan(fault, CHANGED[name](completion(request, answer)))
    if name in WAYS:
        return PlannedReply(fault, body=json.dumps(completion(request, answer)).encode() + b" " * 2000, way=WAYS[name])
    if name == "endless":
        return PlannedReply(fault, body=b" " * 65_536, way="endless")
    if name == "html":
        page = b"<!doctype html><html><body><h1>Sign in to continue</h1></body></html>"
        return PlannedReply(fault, int(argument or 200), (("Content-Type", "text/html; charset=utf-8"),), page)
    if name == "redirect":
        return PlannedReply(fault, 307, (("Location", argument or "/elsewhere/chat/completions"),))
    if name == "compressed":
        return PlannedReply(
            fault, 200, (("Content-Encoding", "gzip"),), zlib.compress(b" " * 1_000_000, 9, wbits=31) * 50
        )
    raise ValueError(f"no such fault: {fault!r}; there are {', '.join(FAULTS)}")


def _waits(name: str, argument: str) -> list[tuple[str, str]]:
    """`rate_limited:7` asks for a wait of 7 seconds, `rate_limited:date7` for the same as an HTTP date."""
    if not argument:
        return []
    if argument.startswith("date"):
        now = 1_700_000_000
        later = formatdate(now + int(argument.removeprefix("date")), usegmt=True)
        return [("Date", formatdate(now, usegmt=True)), ("Retry-After", later)]
    return [("Retry-After", argument)]


def _with(changed: Mapping[str, Any]) -> Change:
    """Return a change of fields of the first choice or of its message."""

    def change(reply: dict[str, Any]) -> dict[str, Any]:
        choice = reply["choices"][0]
        inner = {name: value for name, value in changed.items() if name in ("content", "refusal", "tool_calls")}
        choice["message"] = {**choice["message"], **inner}
        choice.update({name: value for name, value in changed.items() if name not in inner})
        return reply

    return change


def _less(*names: str) -> Change:
    return lambda made: {name: value for name, value in made.items() if name not in names}


def _prose(reply: dict[str, Any]) -> dict[str, Any]:
    text = reply["choices"][0]["message"]["content"]
    fenced = f"Let me think about it.\n\n```json\n{text}\n```\nI hope that this helps!"
    return _with({"content": fenced})(reply)


# A proxy's message, with status 400, about a model that it does not know.
INVALID_MODEL = "Invalid model name passed in model=any. Call `/v1/models` to view available models for your key."
ERRORS: dict[str, tuple[int, str, str, str]] = {
    "rate_limited": (429, "Rate limit reached for requests.", "rate_limit_exceeded", "requests"),
    "quota": (429, "You exceeded your current quota.", "insufficient_quota", "insufficient_quota"),
    "payment": (402, "Insufficient balance.", "", ""),
    "server_error": (500, "The server had an error.", "", "server_error"),
    "unavailable": (503, "The engine is overloaded.", "", "server_error"),
    "unauthorised": (401, "Incorrect API key provided.", "invalid_api_key", ""),
    "forbidden": (403, "This key may not use this model.", "", ""),
    "not_found": (404, "The model does not exist.", "model_not_found", ""),
    "bad_request": (400, "Unknown parameter: 'colour'.", "unknown_parameter", ""),
    "invalid_model": (400, f"/chat/completions: {INVALID_MODEL}", "400", ""),
    "no_pictures": (400, "Invalid content type. image_url is only supported by certain models.", "", ""),
    "too_long_context": (400, "The context is 8,192 tokens; you asked for 9,000.", "context_length_exceeded", ""),
}
ECHOES: dict[str, Callable[[str], str]] = {
    "echoes_key": lambda key: key,
    "echoes_header": lambda key: f"Bearer {key}",
    "echoes_partly": lambda key: f"{key[:6]}...{key[-4:]}",
    "echoes_stars": lambda key: f"{key[:3]}{'*' * 12}{key[-4:]}",
}
SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "truncated_json": lambda body: body[: len(body) * 2 // 3],
    "empty_body": lambda body: b"",
    "not_utf8": lambda body: b'{"choices": "\xff\xfe"',
    "bare_list": lambda body: b"[" + body + b"]",
}
TOOL_CALL = {"id": "call_1", "type": "function", "function": {"name": "search", "arguments": '{"query": "wages"}'}}
CHANGED: dict[str, Change] = {
    "no_choices": lambda made: {**made, "choices": []},
    "lost_choices": _less("choices"),
    "choices_text": lambda made: {**made, "choices": "none today"},
    "null_content": _with({"content": None}),
    "tool_calls": _with({"content": None, "tool_calls": [TOOL_CALL], "finish_reason": "tool_calls"}),
    "no_usage": _less("usage"),
    "error_in_200": lambda made: {"error": {"message": "upstream failed", "code": 502}},
    "prose": _prose,
    "wrong_schema": _with({"content": '{"sign": "upwards", "certainty": "high"}'}),
    "refusal": _with({"content": None, "refusal": "I cannot help with that."}),
    "filtered": _with({"content": None, "finish_reason": "content_filter"}),
    "length": _with({"content": '{"predicted_sign": "', "finish_reason": "length"}),
    "nul_text": _with({"content": '{"predicted_sign": "+", "reasoning": "a\x00b \ud800 c"}'}),
}
WAYS: dict[str, Way] = {"hang": "hang", "close": "close", "cut": "cut", "drip": "drip"}
# every name that `fault:NAME` accepts
FAULTS = (*ERRORS, *ECHOES, *SPOILT, *CHANGED, *WAYS, "endless", "html", "redirect", "compressed")
