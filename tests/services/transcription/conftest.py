"""What tests of one transcription share: its file gives `work`, whose acts `do` sends."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from core.people import Receipt
from services.transcription import reading
from store.tables import new_id


@pytest.fixture
def do(people: SimpleNamespace, work: str) -> Callable[..., Receipt]:
    """`do(act, *arguments)` calls a service for the annotator at the version that stands; `work`: a transcription."""

    def call(act: Callable[..., Any], *arguments: object, **more: object) -> Receipt:
        version = reading.transcription(people.annotator, work).version
        found = act(people.annotator, work, *arguments, seen=version, act_id=new_id(), **more)
        receipt = getattr(found, "receipt", found)
        assert isinstance(receipt, Receipt)
        return receipt

    return call
