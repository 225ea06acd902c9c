"""One directed causal edge, identified by the names at its ends."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.errors import InvalidGraph
from core.sign import EDGE_SIGNS, Sign
from core.words import quoted


class EdgeFlag(StrEnum):
    """An annotator's doubt about an edge (ReCITE 3.2 extended; left out of standard exports)."""

    AMBIGUOUS_ARROW = "ambiguous arrow"
    ILLEGIBLE_LABEL = "illegible label"
    NO_ARROWHEAD = "arrow without head"
    NOT_CAUSAL = "not causal"


@dataclass(frozen=True, slots=True)
class Edge:
    """A directed edge: `source` acts on `sink`. `sign` is +, − or None (unknown). Raises InvalidGraph if the sign is
    one that only a triplet may have."""

    source: str
    sink: str
    sign: Sign | None = None
    delay: bool = False
    note: str = ""
    flag: EdgeFlag | None = None

    def __post_init__(self) -> None:
        if self.sign is not None and self.sign not in EDGE_SIGNS:
            raise InvalidGraph(f"An edge's sign is +, - or unknown; {quoted(self.sign.value)} belongs to triplets.")

    @property
    def pair(self) -> tuple[str, str]:
        """The ordered pair (source, sink), the identity of an edge in every comparison."""
        return (self.source, self.sink)

    @property
    def is_self_loop(self) -> bool:
        return self.source == self.sink
