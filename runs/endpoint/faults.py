"""Closed list of what can go wrong with one request, and which faults are worth a retry."""

from __future__ import annotations

from enum import StrEnum

from core.errors import EdgewiseError


class RequestFault(StrEnum):
    """Reason why a request brought no answer; stored with its attempt.

    RATE_LIMITED  asked too often (429)               QUOTA         the account has no money left (429 or 402)
    SERVER_ERROR  the provider failed (5xx, 409)      TIMEOUT       not a byte of an answer in time
    DEADLINE      the answer started but did not end  TOO_LONG      more bytes than the endpoint may send
    NOT_REACHED   no connection was made              CONNECTION    lost before an answer
    CUT_OFF       lost amid an answer, or the provider failed there
    NOT_JSON      a body that is no JSON              HTML          a web page in place of an answer
    NO_CHOICES    a reply without choices             NO_CONTENT    an empty answer that is no refusal
    BAD_SHAPE     JSON, but not of this API           BAD_REQUEST   the provider rejects the request (4xx)
    UNAUTHORISED  no key, or the wrong one (401, 403) NOT_FOUND     no such model or address (404, 3xx)
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


# A retry would fail alike, and may cost again.
FINAL = frozenset(
    {
        RequestFault.QUOTA,
        RequestFault.TOO_LONG,
        RequestFault.BAD_REQUEST,
        RequestFault.UNAUTHORISED,
        RequestFault.NOT_FOUND,
    }
)
RETRYABLE = frozenset(RequestFault) - FINAL
# Every other request of the same model would fail alike: the run stops and says why.
STOPS_RUN = frozenset({RequestFault.QUOTA, RequestFault.UNAUTHORISED, RequestFault.NOT_FOUND})

# After these a provider has made no answer; after any other it may have made one, and may charge for it.
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


class SendError(EdgewiseError):
    """A request that brought no answer. Its text and `raw` never contain a key (`runs/endpoint/redaction.py`).

    Attributes:
        retry_after_s: wait that the provider asks for.
        http_status: None if no answer came.
        raw: the body as far as it came, None if there was none.
        has_left: False if the request did not reach the provider.
        usage: tokens (in, out, cached) reported despite the failure, None if not reported.
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
        return self.kind in RETRYABLE

    def __repr__(self) -> str:
        return f"SendError({self.kind.value}, {self.message!r}, http_status={self.http_status})"
