"""The closed list of what can go wrong with one request, and which of it is worth asking again."""

from __future__ import annotations

from enum import StrEnum

from core.errors import EdgewiseError


class RequestFault(StrEnum):
    """Why a request brought no answer; stored with its attempt.

    RATE_LIMITED  asked too often (429)               QUOTA         the account has no money left (429 or 402)
    SERVER_ERROR  the provider failed (5xx, 409)      TIMEOUT       not a byte of an answer in time
    DEADLINE      the answer had begun, not ended     TOO_LONG      more bytes than the endpoint may send
    NOT_REACHED   no connection was made              CONNECTION    lost before an answer
    CUT_OFF       lost amid an answer, or the provider failed there
    NOT_JSON      a body that is no JSON              HTML          a web page in place of an answer
    NO_CHOICES    an answer without an answer         NO_CONTENT    an empty answer that is no refusal
    BAD_SHAPE     JSON, but not of this API           BAD_REQUEST   the provider does not take the request (4xx)
    UNAUTHORISED  no key, or not this one (401, 403)  NOT_FOUND     no such model or address (404, 3xx)
    """

    RATE_LIMITED = "rate_limited"
    QUOTA = "quota"
    SERVER_ERROR = "server_error"
    TIMEOUT = "timeout"
    DEADLINE = "deadline"
    TOO_LONG = "too_long"
    NOT_REACHED = "not_reached"
    CONNECTION = "connection"
    CUT_OFF = "cut_off"
    NOT_JSON = "not_json"
    HTML = "html"
    NO_CHOICES = "no_choices"
    NO_CONTENT = "no_content"
    BAD_SHAPE = "bad_shape"
    BAD_REQUEST = "bad_request"
    UNAUTHORISED = "unauthorised"
    NOT_FOUND = "not_found"


FINAL = frozenset(
    {
        RequestFault.QUOTA,
        RequestFault.TOO_LONG,
        RequestFault.BAD_REQUEST,
        RequestFault.UNAUTHORISED,
        RequestFault.NOT_FOUND,
    }
)
"""Asking again would bring the same, and may cost again."""
RETRYABLE = frozenset(RequestFault) - FINAL
STOPS_RUN = frozenset({RequestFault.QUOTA, RequestFault.UNAUTHORISED, RequestFault.NOT_FOUND})
"""Every other request of the same model would end alike: the run stops and says why."""

FREE = frozenset(
    {
        RequestFault.RATE_LIMITED,
        RequestFault.QUOTA,
        RequestFault.SERVER_ERROR,
        RequestFault.NOT_REACHED,
        RequestFault.CONNECTION,
        RequestFault.BAD_REQUEST,
        RequestFault.UNAUTHORISED,
        RequestFault.NOT_FOUND,
    }
)
"""After these a provider has made no answer; after any other it may have, and may charge for it."""


class SendError(EdgewiseError):
    """A request that brought no answer. Its text and `raw` never hold a key (`runs/endpoint/redaction.py`).

    `retry_after_s`: seconds the provider asks to wait; `http_status`: None where no answer came; `raw`: the body as
    far as it came, None where there was none; `has_left`: False where the provider knows nothing of the request;
    `usage`: tokens (in, out, cached) that the provider reports although it failed, None where it does not say.
    """

    def __init__(
        self,
        kind: RequestFault,
        message: str,
        *,
        retry_after_s: float | None = None,
        http_status: int | None = None,
        raw: str | None = None,
        latency_s: float = 0.0,
        has_left: bool = True,
        usage: tuple[int, int, int | None] | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.retry_after_s = retry_after_s
        self.http_status = http_status
        self.raw = raw
        self.latency_s = latency_s
        self.usage = usage
        self.has_left = has_left and kind is not RequestFault.NOT_REACHED

    @property
    def retryable(self) -> bool:
        """Whether asking again may bring an answer."""
        return self.kind in RETRYABLE

    def __repr__(self) -> str:
        return f"SendError({self.kind.value}, {self.message!r}, http_status={self.http_status})"
