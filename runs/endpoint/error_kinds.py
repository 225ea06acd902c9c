"""Table of providers' errors: the fault of each status and of each code in an error object.

Providers and the proxies before them return the same error object under many statuses, 200 among them, so its codes are
read wherever it appears.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from runs.endpoint.faults import RequestFault

KINDS: Mapping[int, RequestFault] = {
    401: RequestFault.UNAUTHORISED,
    402: RequestFault.QUOTA,
    403: RequestFault.UNAUTHORISED,
    404: RequestFault.NOT_FOUND,
    408: RequestFault.TIMEOUT,
    409: RequestFault.SERVER_ERROR,
    425: RequestFault.SERVER_ERROR,
    429: RequestFault.RATE_LIMITED,
    498: RequestFault.SERVER_ERROR,  # Groq: the flex tier has no capacity
    499: RequestFault.SERVER_ERROR,  # Google, nginx: the request was cancelled on the way
}
MEANINGS: Mapping[RequestFault, str] = {
    RequestFault.UNAUTHORISED: "The provider rejects the key",
    RequestFault.QUOTA: "The account has no credit left",
    RequestFault.NOT_FOUND: "The provider knows no such model or address",
    RequestFault.TIMEOUT: "The provider gave up waiting",
    RequestFault.SERVER_ERROR: "The provider failed",
    RequestFault.RATE_LIMITED: "The provider asks for fewer requests",
    RequestFault.BAD_REQUEST: "The provider rejects the request",
    RequestFault.CUT_OFF: "The provider failed during the reply",
}
# In order of precedence: an error object may say `invalid_request_error` next to the code that matters.
_WORDS: Mapping[RequestFault, tuple[str, ...]] = {
    RequestFault.QUOTA: (
        *("insufficient_quota", "billing_hard_limit_reached", "billing_not_active"),  # OpenAI
        *("insufficient_balance", "quota_exceeded"),  # DeepSeek; Mistral
        *("billing_error", "insufficient_credits", "payment_required"),  # Anthropic; OpenRouter
        *("arrearage", "exceeded_current_quota_error"),  # Alibaba; Moonshot
    ),
    RequestFault.UNAUTHORISED: (
        *("invalid_api_key", "incorrect_api_key", "account_deactivated"),  # OpenAI
        *("authentication_error", "permission_error"),  # Anthropic
        *("unauthenticated", "permission_denied", "api_key_invalid"),  # Google
        *("unauthorized", "forbidden", "invalid_authentication_error", "access_denied"),  # Azure; Moonshot; Alibaba
    ),
    RequestFault.NOT_FOUND: (
        *("model_not_found", "deployment_not_found"),  # OpenAI; Azure
        *("not_found_error", "not_found"),  # Anthropic; Google
        *("resource_not_found_error", "model_not_exist"),  # Moonshot; Alibaba
    ),
    RequestFault.RATE_LIMITED: (
        *("rate_limit_exceeded", "rate_limit_error", "rate_limited"),  # OpenAI, Groq; Anthropic; Mistral
        *("resource_exhausted", "too_many_requests"),  # Google; Azure
        *("throttling", "throttling_exception", "rate_limit_reached_error"),  # Alibaba; Amazon; Moonshot
    ),
    RequestFault.SERVER_ERROR: (
        *("server_error", "internal_server_error", "internal_error", "internal"),  # OpenAI, vLLM; Google
        *("overloaded_error", "api_error"),  # Anthropic
        *("engine_overloaded", "engine_overloaded_error", "overloaded", "model_overloaded"),  # Moonshot; Hugging Face
        *("capacity_exceeded", "service_tier_capacity_exceeded"),  # Groq; Mistral
        *("unavailable", "service_unavailable", "service_unavailable_error", "server_busy"),  # Google; Together AI
        *("aborted", "cancelled", "bad_gateway", "upstream_error", "model_not_ready", "model_error_exception"),
    ),
    RequestFault.TIMEOUT: (
        *("timeout", "timeout_error", "gateway_timeout", "request_timeout"),  # Anthropic; proxies
        *("deadline_exceeded", "model_timeout_exception"),  # Google; Amazon
    ),
    RequestFault.BAD_REQUEST: (
        *("invalid_request_error", "context_length_exceeded", "string_above_max_length", "invalid_value"),  # OpenAI
        *("request_too_large", "invalid_argument", "failed_precondition"),  # Anthropic; Google
        *("bad_request", "bad_request_error", "validation_exception", "invalid_parameter"),  # vLLM; Amazon; Alibaba
    ),
}
# OpenAI and Groq begin a 429 with it for one request above the tokens per minute: waiting does not help.
_TOO_LARGE = "request too large for"
_NAMES = ("code", "type", "status", "error_code", "status_code", "reason")


def _plain(word: str) -> str:
    return "".join(filter(str.isalnum, word.casefold()))


_KIND_OF = {_plain(word): kind for kind, words in _WORDS.items() for word in words}
_ORDER = list(_WORDS)


def error_in(holder: Mapping[str, Any]) -> Any:
    """Return the error of a body, a choice or a message; None if it has none, or an empty one."""
    error = holder.get("error")
    if not error and isinstance(several := holder.get("errors"), list):
        error = several[0] if several else None
    if isinstance(error, dict) and not any(error.values()):
        return None
    return error or None


def is_too_large(error: Any) -> bool:
    """Return whether one request alone exceeds the account's tokens per minute."""
    words = error.get("message") if isinstance(error, dict) else error
    return isinstance(words, str) and words.lstrip().casefold().startswith(_TOO_LARGE)


def kind_in_words(error: Any) -> RequestFault | None:
    """Return the fault named by an error's code, type or status words; None for unknown words.

    >>> kind_in_words({"type": "invalid_request_error", "code": "invalid_api_key"})
    <RequestFault.UNAUTHORISED: 'unauthorised'>
    """
    if is_too_large(error):
        return RequestFault.BAD_REQUEST
    kinds = {_KIND_OF[word] for each in _named(error) if isinstance(each, str) and (word := _plain(each)) in _KIND_OF}
    return min(kinds, key=_ORDER.index, default=None)


def kind_of_error(error: Any) -> RequestFault | None:
    """Return the fault named by words or, without known words, by a status number among them."""
    by_words = kind_in_words(error)
    return by_words or next((kind for each in _named(error) if (kind := _kind_of_number(each))), None)


def kind_of_status(status: int) -> RequestFault:
    if status >= 500:
        return RequestFault.SERVER_ERROR
    return KINDS.get(status, RequestFault.NOT_FOUND if status < 400 else RequestFault.BAD_REQUEST)


def _kind_of_number(value: Any) -> RequestFault | None:
    number = (
        int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 4 else value
    )
    is_status = isinstance(number, int) and not isinstance(number, bool) and 400 <= number < 600
    return kind_of_status(number) if is_status else None


def _named(error: Any) -> Iterator[Any]:
    """Yield the codes of an error; some proxies wrap the provider's error object in their own."""
    if not isinstance(error, dict):
        yield error
        return
    yield from (error.get(name) for name in _NAMES)
    if isinstance(inner := error.get("error"), dict):
        yield from (inner.get(name) for name in _NAMES)
