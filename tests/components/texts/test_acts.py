"""What the desk of a text sends is read or refused, never half believed."""

from __future__ import annotations

from typing import Any

import pytest

from components.desk.posting.acts import Act
from components.texts.acts import MakeReady, RejectChange, ReplaceStretch, read_text_act
from core.errors import BadInput


def act(kind: str, **data: Any) -> Act:
    return Act("0198c0de-0000-7000-8000-000000000001", 1, kind, data)


def test_acts_are_read_into_typed_values() -> None:
    stretch = act("replace_stretch", text="t", start=3, end=7, was="Rain", replacement="")
    assert read_text_act(stretch) == ReplaceStretch("t", 3, 7, "Rain", "")
    assert read_text_act(act("reject_change", text="t", number=4)) == RejectChange("t", 4)
    assert read_text_act(act("ready")) == MakeReady()


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        (act("burn"), "does not know: burn"),
        (act("reject_change", text="t", number=True), "number is not a whole number"),
        (act("reject_change", text="t", number=-1), "number is not a whole number"),
        (act("restore_change", text="", number=1), "an id is not a short text"),
        (act("replace_stretch", text="t", start=3, end=2.5, was="a", replacement="b"), "end is not a whole number"),
        (act("replace_stretch", text="t", start=3, end=4, was=None, replacement="b"), "was is not a text"),
        (act("replace_stretch", text="t", start=3, end=4, was="a", replacement="b" * 20_001), "at most 20,000"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_reason(sent: Act, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        read_text_act(sent)
