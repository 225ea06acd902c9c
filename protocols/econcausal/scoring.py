"""From what is kept of an answer to what tables count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.results.items import ResultItem
from protocols.econcausal.tasks import KEY


def said_in(parsed: Mapping[str, Any] | None) -> str | None:
    """The word in the answer's label field as it was written: "" for an object without the field, None where it holds
    no text or there was no object."""
    if parsed is None:
        return None
    said = parsed.get(KEY, "")
    return said if isinstance(said, str) else None


def result_item(
    *,
    run: str,
    model: str,
    task: str,
    variant: str,
    status: str,
    answer: str,
    item_id: str,
    predicted: str | None,
    facts: Mapping[str, Any],
    parsed: Mapping[str, Any] | None = None,
    repeat: int = 0,
    probabilities: Mapping[str, float] | None = None,
    sample: str = "",
) -> ResultItem:
    """The item of a kept answer; `facts` are its sample's, `parsed` the reply's fields."""
    return ResultItem(
        run=run,
        model=model,
        task=task,
        variant=variant,
        status=status,
        answer=answer,
        item_id=item_id,
        predicted=predicted,
        repeat=repeat,
        example_signs=tuple(facts.get("example_signs", ())),
        paper=facts.get("paper"),
        year=facts.get("year"),
        jel=tuple(facts.get("jel", ())),
        domain=facts.get("domain", ""),
        probabilities=probabilities,
        said=said_in(parsed),
        sample=sample,
    )
