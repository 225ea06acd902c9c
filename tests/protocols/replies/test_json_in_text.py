"""What a model thought is told from what it answered."""

from __future__ import annotations

from protocols.replies.json_in_text import reasoning_in


def test_reasoning_is_told_apart() -> None:
    assert reasoning_in("<think>\nMaybe.\n</think>{}") == "Maybe."
    assert reasoning_in("<think>It never ends {") == "It never ends {"
    assert reasoning_in("{}") == ""
