"""The finished ground truth against which a figure's text is made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlmodel import Session

from core.errors import Refused
from core.graphs.graph import CausalGraph
from core.texts.truths import graph_of, plain_truth, truth_hash
from core.texts.views import TruthState
from store import releases
from store.graphs import graphs

OPEN = (
    "The ground truth of this figure is not finished. A text is never normalised against a graph that may still "
    "change; finish the adjudication first."
)
NONE = "This figure has no ground truth yet. Adjudicate it first."


@dataclass(frozen=True)
class FigureTruth:
    """Ground truth of a figure. Its plain form, hash and graph are None unless it is finished."""

    state: TruthState
    plain: Mapping[str, Any] | None = None
    sha256: str | None = None

    @cached_property
    def graph(self) -> CausalGraph | None:
        """The graph, built on demand: lists of texts only need hashes."""
        return None if self.plain is None else graph_of(self.plain)

    def required(self) -> tuple[Mapping[str, Any], str]:
        """Return plain form and hash. Raises Refused unless the truth is finished."""
        if self.plain is None or self.sha256 is None:
            raise Refused(OPEN if self.state is TruthState.OPEN else NONE)
        return self.plain, self.sha256


def truth_of(session: Session, figure_id: str, *, for_update: bool = False) -> FigureTruth:
    """Return the truth of one figure; `for_update` locks it against a new adjudication until the transaction ends."""
    return truths_of(session, [figure_id], for_update=for_update)[figure_id]


def truths_of(session: Session, figure_ids: Iterable[str], *, for_update: bool = False) -> dict[str, FigureTruth]:
    """Return the truths of figures as a release would choose them."""
    ids = list(dict.fromkeys(figure_ids))
    by_figure: dict[str, list[releases.Truth]] = defaultdict(list)
    for ground_truth in releases.ground_truths(session, for_update=for_update, figure_ids=ids):
        by_figure[ground_truth.graph.figure_id or ""].append(ground_truth)
    current = {key: truth for key in ids if (truth := releases.current_truth(by_figure.get(key, ())))}
    drawn = dict(graphs.read_named(session, [truth.graph.id for truth in current.values()]))
    truths = dict[str, FigureTruth]()
    for key in ids:
        if key not in current:
            truths[key] = FigureTruth(TruthState.OPEN if by_figure.get(key) else TruthState.NONE)
            continue
        plain = plain_truth(drawn[current[key].graph.id])
        if not plain["nodes"]:
            truths[key] = FigureTruth(TruthState.NONE)  # ruled to contain no graph
            continue
        truths[key] = FigureTruth(TruthState.FINISHED, plain, truth_hash(plain))
    return truths
