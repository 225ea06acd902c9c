"""Statuses and waits, without a server: what the loopback tests cannot vary."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runs.endpoint.faults import RequestFault
from runs.endpoint.statuses import retry_after_s, status_fault


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (301, RequestFault.NOT_FOUND),
        (400, RequestFault.BAD_REQUEST),
        (401, RequestFault.UNAUTHORISED),
        (402, RequestFault.QUOTA),
        (403, RequestFault.UNAUTHORISED),
        (404, RequestFault.NOT_FOUND),
        (405, RequestFault.BAD_REQUEST),
        (408, RequestFault.TIMEOUT),
        (409, RequestFault.SERVER_ERROR),
        (413, RequestFault.BAD_REQUEST),
        (422, RequestFault.BAD_REQUEST),
        (429, RequestFault.RATE_LIMITED),
        (498, RequestFault.SERVER_ERROR),
        (499, RequestFault.SERVER_ERROR),
        (500, RequestFault.SERVER_ERROR),
        (502, RequestFault.SERVER_ERROR),
        (504, RequestFault.SERVER_ERROR),
        (529, RequestFault.SERVER_ERROR),
    ],
)
def test_each_status_has_its_kind_whatever_the_body(status: int, kind: RequestFault) -> None:
    for raw in ("", "no json", "[]", '{"error": "text"}', '{"error": {"code": 7}}', '{"detail": [1]}', "[" * 100_000):
        fault = status_fault(status, {}, raw)
        assert fault.kind is kind
        assert fault.http_status == status
        assert fault.raw == raw


@pytest.mark.parametrize("field", ["code", "type"])
def test_a_429_for_want_of_money_is_a_quota(field: str) -> None:
    assert status_fault(429, {}, json.dumps({"error": {field: "insufficient_quota"}})).kind is RequestFault.QUOTA


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (400, {"type": "overloaded_error"}, RequestFault.SERVER_ERROR),
        (400, {"code": "rate_limit_exceeded", "type": "invalid_request_error"}, RequestFault.RATE_LIMITED),
        (400, {"status": "RESOURCE_EXHAUSTED", "code": 400}, RequestFault.RATE_LIMITED),
        (400, {"status": "INVALID_ARGUMENT", "reason": "API_KEY_INVALID"}, RequestFault.UNAUTHORISED),
        (400, {"type": "invalid_request_error", "code": "context_length_exceeded"}, RequestFault.BAD_REQUEST),
        (403, {"code": "rate_limit_exceeded"}, RequestFault.RATE_LIMITED),
        (403, {"code": "model_not_found"}, RequestFault.UNAUTHORISED),
        (
            429,
            {"message": "Request too large for m: Limit 10, Requested 20", "type": "tokens"},
            RequestFault.BAD_REQUEST,
        ),
        (429, {"type": "invalid_request_error"}, RequestFault.RATE_LIMITED),
        (529, {"type": "overloaded_error"}, RequestFault.SERVER_ERROR),
    ],
)
def test_the_words_of_an_error_tell_what_its_status_cannot(status: int, error: Any, kind: RequestFault) -> None:
    assert status_fault(status, {}, json.dumps({"error": error})).kind is kind


@pytest.mark.parametrize(
    "body", [{"error": {"message": "Too hot."}}, {"error": "Too hot."}, {"message": "Too hot."}, {"detail": "Too hot."}]
)
def test_the_provider_s_words_are_repeated_where_they_are_found(body: dict[str, object]) -> None:
    assert str(status_fault(500, {}, json.dumps(body))).endswith("(HTTP 500): Too hot.")


def test_long_words_are_shortened() -> None:
    assert len(str(status_fault(500, {}, json.dumps({"error": "x" * 10_000})))) < 400


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "30"}, 30.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "1.5s"}, 1.5),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after-ms": "250", "retry-after": "30"}, 0.25),
        ({"retry-after": "Tue, 14 Nov 2023 22:14:20 GMT", "date": "Tue, 14 Nov 2023 22:13:20 GMT"}, 60.0),
        ({"retry-after": "Tue, 14 Nov 2023 22:13:25 GMT"}, 5.0),  # 1700000000 is 22:13:20
        ({"retry-after": "Tue, 14 Nov 2023 22:13:00 GMT"}, 0.0),
        ({"retry-after": "Tue, 99 Nov 2023"}, None),
    ],
)
def test_a_wait_is_read_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers, now=1_700_000_000) == seconds
