"""What an endpoint is told of the answer that is wanted."""

from __future__ import annotations

from core.labels import SIGN_OR_UNKNOWN
from protocols.replies.schema import ReplyField, ReplySchema


def test_the_schema_asks_for_each_field_and_the_closed_labels() -> None:
    schema = ReplySchema("sign", (ReplyField("predicted_sign", SIGN_OR_UNKNOWN), ReplyField("reasoning")))
    asked = schema.response_format()["json_schema"]["schema"]
    assert asked["properties"]["predicted_sign"]["enum"] == ["+", "-", "None", "mixed", "unknown"]
    assert asked["required"] == ["predicted_sign", "reasoning"]
    assert asked["additionalProperties"] is False
