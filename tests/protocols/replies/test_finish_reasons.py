"""A finish reason means the same in any spelling, and one that is not known is never taken for another."""

from __future__ import annotations

import pytest

from core.runs.states import ItemStatus
from protocols.replies.before_reading import status_before
from protocols.replies.finish_reasons import Finish, finish_of, flag_of


@pytest.mark.parametrize(
    ("finish", "reasons"),
    [
        (Finish.COMPLETE, ("stop", "STOP", "FinishReason.STOP", "end_turn", "COMPLETE", "eos_token", "stopSequence")),
        (Finish.TRUNCATED, ("length", "MAX_TOKENS", "max-tokens", "maxTokens", "FINISH_REASON_MAX_TOKENS")),
        (Finish.TRUNCATED, ("model_length", "model_context_window_exceeded", "ERROR_LIMIT")),
        (Finish.REFUSED, ("content_filter", "contentFilter", "sensitive", "SAFETY", "RECITATION", "refusal")),
        (Finish.TOOLS, ("tool_calls", "tool_use", "MALFORMED_FUNCTION_CALL")),
        (Finish.FAILED, ("error", "ERROR", "network_error", "insufficient_system_resource", "abort", "cancelled")),
        (Finish.NOT_GIVEN, ("", "  ")),
        (Finish.UNKNOWN, ("pause_turn", "OTHER", "FINISH_REASON_UNSPECIFIED", "stopped?", ".", "…")),
    ],
)
def test_a_reason_means_the_same_in_any_spelling(finish: Finish, reasons: tuple[str, ...]) -> None:
    for reason in reasons:
        assert finish_of(reason) is finish, reason
        assert bool(flag_of(reason)) is (finish is Finish.UNKNOWN)


def test_an_unknown_reason_is_flagged_in_its_own_words() -> None:
    assert flag_of("PAUSED_\n") == "unknown finish reason “PAUSED_\\n”"
    assert len(flag_of("x" * 10_000)) < 100


@pytest.mark.parametrize(
    ("reason", "status"),
    [
        ("MAX_TOKENS", ItemStatus.TRUNCATED),
        ("model_length", ItemStatus.TRUNCATED),
        ("sensitive", ItemStatus.REFUSED),
        ("network_error", ItemStatus.UNPARSABLE),
        ("pause_turn", None),
        ("stop", None),
        ("", None),
    ],
)
def test_the_reason_decides_before_a_reply_is_read(reason: str, status: ItemStatus | None) -> None:
    found = status_before('{"predicted_sign": "+"}', reason, None)
    assert (found[0] if found else None) is status
