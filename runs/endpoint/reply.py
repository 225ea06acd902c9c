"""A model's reply, read from the stored body, so that a body stored before a crash can be read after it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, Protocol

from core.words import quoted
from protocols.replies.finish_reasons import Finish, finish_of
from protocols.replies.json_in_text import reasoning_in
from runs.endpoint.error_kinds import MEANINGS, error_in, kind_of_error
from runs.endpoint.faults import RequestFault, SendError
from runs.endpoint.request import EmbeddingRequest, ModelRequest

SHOWN = 300  # characters of a provider's own message that an error repeats
NEVER = -9999.0  # log-probability that this API writes for a token that is as good as impossible
LARGEST = sys.float_info.max
TOOL_CALLS = "tool_calls"  # Finish reason of a reply that only calls tools; the reader decides what it is worth.


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """A reply. Token counts are None if the provider does not report them."""

    raw: str  # the body
    text: str | None  # the answer; None for a refusal
    reasoning: str | None
    refusal: str | None
    finish_reason: str
    logprobs: list[dict[str, Any]] | None  # one object a token: `token`, `logprob`, `top_logprobs`
    tokens_in: int | None  # includes `tokens_cached`
    tokens_out: int | None  # includes `tokens_reasoning`
    tokens_cached: int | None
    tokens_reasoning: int | None
    provider_model: str
    provider_id: str
    latency_s: float
    usage: Mapping[str, Any] = field(default_factory=dict)  # the object that the tokens were read from
    vectors: tuple[str, ...] = ()  # of an embedding request: one per text, `packed`; not in `raw`


class ModelClient(Protocol):
    """Anything that answers requests: a provider, or a stand-in of a test."""

    async def send(self, request: ModelRequest | EmbeddingRequest, attempt_id: str) -> ModelReply:
        """Send once. Raises SendError; never waits longer than the endpoint's deadline."""
        ...


def read_reply(raw: str, *, latency_s: float = 0.0) -> ModelReply:
    """Return the reply in a body that came with status 200.

    Raises SendError with the body in `raw`: NOT_JSON, HTML, BAD_SHAPE, NO_CHOICES, NO_CONTENT; or, if the body, its
    choice or its finish reason says that the provider failed, the kind that its error names, even if there is text too.
    """
    body = read_object(raw)
    choices = body.get("choices")
    choice = _choice(choices)
    message = choice.get("message") if choice is not None else None
    for holder in (body, choice, message):
        if isinstance(holder, dict) and (error := error_in(holder)) is not None:
            _fail_for(error, _has_text(message), body, raw)
    if not choices and isinstance(choices, list | None):
        _fail_without_choices(body, raw)
    if not isinstance(message, dict) or choice is None:
        fail(
            RequestFault.BAD_SHAPE,
            "The reply's choices have no message; a chat completion has `choices[0].message`.",
            raw,
        )
    text, refusal = _text_and_refusal(message, raw)
    finish_reason = _finish_reason(choice)
    finish = finish_of(finish_reason)
    if finish is Finish.FAILED:
        kind = RequestFault.CUT_OFF if text else RequestFault.SERVER_ERROR
        fail(kind, f"{MEANINGS[kind]} (finish reason {quoted(finish_reason[:SHOWN])}).", raw, _paid(body))
    if finish is Finish.REFUSED and not text and refusal is None:
        refusal = "The provider's content filter withheld the answer."
    is_call = not text and refusal is None and finish is not Finish.TRUNCATED and _calls_tools(message)
    if is_call:
        finish_reason = TOOL_CALLS  # some servers say "stop"
    if not text and refusal is None and finish is not Finish.TRUNCATED and not is_call:
        fail(
            RequestFault.NO_CONTENT,
            f"The reply's text is empty (finish reason {quoted(finish_reason or 'not given')}).",
            raw,
            _paid(body),
        )
    used = _usage(body.get("usage"))
    return ModelReply(
        raw=raw,
        text=text,
        reasoning=_reasoning(message) or _text(reasoning_in(text or "")),
        refusal=refusal,
        finish_reason=finish_reason,
        logprobs=_logprobs(choice.get("logprobs")),
        tokens_in=used["in"],
        tokens_out=used["out"],
        tokens_cached=used["cached"],
        tokens_reasoning=used["reasoning"],
        provider_model=_text(body.get("model")) or "",
        provider_id=_text(body.get("id")) or "",
        latency_s=latency_s,
        usage=usage if isinstance(usage := body.get("usage"), dict) else {},
    )


def read_object(raw: str) -> dict[str, Any]:
    """Return the JSON object of a body. Raises SendError (HTML, NOT_JSON, BAD_SHAPE)."""
    start = raw[:200].lstrip("\ufeff \t\r\n").lower()
    if start.startswith(("<!doctype", "<html", "<head", "<body", "<?xml")):
        fail(RequestFault.HTML, "A web page came in place of a reply: is a proxy or a sign-in page in between?", raw)
    try:
        body = json.loads(raw.removeprefix("\ufeff"), parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        what = "empty" if not raw.strip() else f"not JSON ({error})"
        fail(RequestFault.NOT_JSON, f"The reply's body is {what}.", raw)
    if not isinstance(body, dict):
        fail(RequestFault.BAD_SHAPE, f"The reply is a JSON {type(body).__name__}; an object is needed.", raw)
    return body


def fail(kind: RequestFault, message: str, raw: str, usage: tuple[int, int, int | None] | None = None) -> NoReturn:
    raise SendError(kind, message, http_status=200, raw=raw, usage=usage)


def refuse_error(body: Mapping[str, Any], raw: str) -> None:
    """Raise SendError for a body that came with status 200 and contains an error."""
    if (error := error_in(body)) is not None:
        _fail_for(error, False, body, raw)


def _fail_for(error: Any, has_text: bool, body: Mapping[str, Any], raw: str) -> NoReturn:
    """Raise the SendError that the error would be under a status of its own."""
    kind = kind_of_error(error) or RequestFault.SERVER_ERROR
    if has_text and kind in (RequestFault.SERVER_ERROR, RequestFault.TIMEOUT):
        kind = RequestFault.CUT_OFF  # part of an answer was made, and may be charged
    words = words_of({"error": error})
    fail(kind, f"{MEANINGS[kind]} (an error within HTTP 200)" + (f": {words}" if words else "."), raw, _paid(body))


def _fail_without_choices(body: Mapping[str, Any], raw: str) -> NoReturn:
    if kind_of_error(body) is not None:  # the body is itself an error object
        _fail_for(dict(body), False, body, raw)
    words = words_of(body)
    fail(
        RequestFault.NO_CHOICES,
        "The reply has no choices, so there is no answer" + (f": {words}" if words else "."),
        raw,
    )


def words_of(body: Mapping[str, Any]) -> str:
    """Return the provider's own message about an error, shortened; empty if it has none."""
    error = error_in(body)
    message = error.get("message") if isinstance(error, dict) else error
    message = message if isinstance(message, str) else body.get("message") or body.get("detail") or ""
    text = storable(message if isinstance(message, str) else json.dumps(message))
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def storable(text: str) -> str:
    """Replace what databases refuse, NUL and halves of surrogate pairs, by U+FFFD."""
    text = text.replace("\x00", "\ufffd")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _text(value: Any) -> str | None:
    return storable(value) if isinstance(value, str) and value else None


def _choice(choices: Any) -> dict[str, Any] | None:
    """Return the choice with index 0 if several came, else the first; None if the first is no object."""
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return None
    return next((each for each in choices if isinstance(each, dict) and each.get("index") == 0), choices[0])


def _finish_reason(choice: Mapping[str, Any]) -> str:
    """Return the finish reason. Proxies replace unknown ones by "stop" and report the original in another field."""
    reason = _text(choice.get("finish_reason")) or _text(choice.get("finishReason")) or ""
    others = choice.get("provider_specific_fields")
    native = _text(choice.get("native_finish_reason"))
    native = native or (_text(others.get("native_finish_reason")) if isinstance(others, dict) else None)
    if native and (not reason or (finish_of(reason) is Finish.COMPLETE and finish_of(native) in _HIDDEN)):
        return native
    return reason


_HIDDEN = (Finish.TRUNCATED, Finish.REFUSED, Finish.FAILED)
# Types of content parts that are no answer: Anthropic and Mistral, vLLM, proxies.
_THOUGHTS = ("thinking", "reasoning", "reasoning_content", "redacted_thinking", "thought")


def _is_thought(part: Mapping[str, Any]) -> bool:
    return part.get("type") in _THOUGHTS or part.get("thought") is True  # the latter is Gemini's


def _text_and_refusal(message: Mapping[str, Any], raw: str) -> tuple[str | None, str | None]:
    """Return text and refusal; the text may be a list of parts, some of them thoughts."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict) and not _is_thought(part)]
        content = "".join(part["text"] for part in parts if isinstance(part.get("text"), str))
    if content is not None and not isinstance(content, str):
        fail(RequestFault.BAD_SHAPE, f"The reply's content is a JSON {type(content).__name__}; text is needed.", raw)
    text = content if content and content.strip() else None
    return (storable(text) if text else None), _text(message.get("refusal"))


def _has_text(message: Any) -> bool:
    content = message.get("content") if isinstance(message, dict) else None
    return bool(content and (not isinstance(content, str) or content.strip()))


def _reasoning(message: Mapping[str, Any]) -> str | None:
    """Return the model's thoughts from the fields in which servers report them."""
    for name in ("reasoning_content", "reasoning", "thinking"):
        if thoughts := _text(message.get(name)):
            return thoughts
    parts = [part for part in _list(message.get("content")) if isinstance(part, dict) and _is_thought(part)]
    details = [*_list(message.get("reasoning_details")), *_list(message.get("thinking_blocks"))]  # OpenRouter; LiteLLM
    return _text("".join(map(_thought, [*parts, *details])))


def _thought(part: Any) -> str:
    """Return the words of a part; Mistral nests a list of text parts in it."""
    if not isinstance(part, dict):
        return ""
    for name in ("thinking", "text", "reasoning", "summary", "content"):
        content = part.get(name)
        inner = [each.get("text") for each in _list(content) if isinstance(each, dict)]
        words = content if isinstance(content, str) else "".join(each for each in inner if isinstance(each, str))
        if words:
            return words
    return ""


def _calls_tools(message: Mapping[str, Any]) -> bool:
    # `function_call` is the field of the first version of this API.
    return bool(_list(message.get("tool_calls"))) or isinstance(message.get("function_call"), dict)


def is_count(value: Any) -> bool:
    """Return whether a value can be a number of tokens."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31


def _count(value: Any) -> int | None:
    return value if is_count(value) else None


def _paid(body: Mapping[str, Any]) -> tuple[int, int, int | None] | None:
    """Return the usage reported with a reply that is no answer; None if it is not reported."""
    used = _usage(body.get("usage"))
    return None if used["in"] is None or used["out"] is None else (used["in"], used["out"], used["cached"])


def _usage(usage: Any) -> dict[str, int | None]:
    """Return the reported tokens. Reasoning is added to the output if the total shows that it was counted apart."""
    reported = usage if isinstance(usage, dict) else {}
    details_in, details_out = (
        value if isinstance(value := reported.get(name), dict) else {}
        for name in ("prompt_tokens_details", "completion_tokens_details")
    )
    tokens_in = _count(reported.get("prompt_tokens"))
    out = _count(reported.get("completion_tokens"))
    reasoning = _count(details_out.get("reasoning_tokens"))
    if (
        tokens_in is not None
        and out is not None
        and reasoning
        and _count(reported.get("total_tokens")) == tokens_in + out + reasoning
    ):
        out += reasoning
    return {"in": tokens_in, "out": out, "cached": _count(details_in.get("cached_tokens")), "reasoning": reasoning}


def _logprobs(value: Any) -> list[dict[str, Any]] | None:
    """Return one object per token; joined, the tokens are the text. Some servers write -Infinity for "never"."""
    tokens = value.get("content") if isinstance(value, dict) else None
    if not isinstance(tokens, list) or not tokens:
        return None
    read = [_chance(one) for one in tokens]
    tops = [_list(one.get("top_logprobs")) if isinstance(one, dict) else [] for one in tokens]
    if None in read:
        return None
    return [
        {**one, "top_logprobs": [top for each in others if (top := _chance(each))]}
        for one, others in zip(read, tops, strict=True)
        if one is not None
    ]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _chance(one: Any) -> dict[str, Any] | None:
    """Return a token and its log-probability; None for anything else."""
    token = one.get("token") if isinstance(one, dict) else None
    if not isinstance(token, str):
        return None
    logprob = one.get("logprob")
    is_number = isinstance(logprob, int | float) and abs(logprob) <= LARGEST  # a whole number may have any length
    return {"token": storable(token), "logprob": max(NEVER, float(logprob)) if is_number else NEVER}
