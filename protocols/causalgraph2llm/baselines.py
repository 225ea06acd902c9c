"""Baselines that know the variables but not the graph: one constant word, or a coin."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.graphs.queries import QueryLevel
from core.seeded_random import draw
from protocols.baselines import BaselineAnswerer
from protocols.causalgraph2llm.tasks import SCHEMA, level_of
from protocols.samples import Sample


def _tagged(text: str) -> str:
    return f"<{SCHEMA.key}>{text}</{SCHEMA.key}>"


def _of(level: QueryLevel, title: str, answer: Callable[[Sample], str]) -> BaselineAnswerer:
    def reply(sample: Sample, _of_all: str | None) -> str | None:
        return _tagged(answer(sample)) if level_of(sample.variant) is level else None

    what = "all variables" if level is QueryLevel.NODE else "one variable"
    return BaselineAnswerer(title=title, reply=reply, no_answer=f"the baseline answers no query about {what}")


def _coin(sample: Sample, _of_all: str | None) -> str:
    """Draw yes or no, or each variable, from the sample's hash and the run's seed."""
    seed, purpose = int(sample.slots.get("seed", "0")), f"coin/{sample.hash}"
    if level_of(sample.variant) is QueryLevel.NODE:
        return _tagged("Yes" if draw(seed, purpose, 0, 2) else "No")
    names = [name for place, name in enumerate(sample.truth["names"]) if draw(seed, purpose, place, 2)]
    return _tagged(_listed(names))


def _listed(names: list[str]) -> str:
    """List names in quotation marks, so that any name can be read back."""
    return "[" + ", ".join('"' + name.replace('"', '\\"') + '"' for name in names) + "]" if names else "Null"


BASELINES: Mapping[str, BaselineAnswerer] = {
    "always-no": _of(QueryLevel.NODE, "always answers no", lambda _sample: "No"),
    "always-yes": _of(QueryLevel.NODE, "always answers yes", lambda _sample: "Yes"),
    "null": _of(QueryLevel.GRAPH, "always names no variable", lambda _sample: "Null"),
    "every-variable": _of(
        QueryLevel.GRAPH, "always names every variable", lambda sample: _listed(list(sample.truth["names"]))
    ),
    "coin": BaselineAnswerer(title="tosses a coin for each variable", reply=_coin),
}
"""By the name in run settings."""
