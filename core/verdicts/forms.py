"""The forms in which verdicts are scored, in words: as screens and files head their tables."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from core.verdicts.judged import FIGURES_OF, SHD_FIGURES
from core.words import sentence_case

FAILURE_RULE = (
    "Unparsable, empty, refused, truncated and failed answers score 0 (SHD: that of the empty graph); answers that a "
    "judge did not judge whole are left out."
)
FORM_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "default": "Default",
        "as_released": "As released",
        "importance_pooled": "Importance-pooled",
        "unweighted_literal": "Unweighted",
        "unweighted_strict": "Unweighted, strict",
        "shd": "SHD from labels",
    }
)
FORMS_TOLD: Mapping[str, str] = MappingProxyType(
    {
        "default": "Block composites; overall values weigh nodes and edges by their number of items.",
        "as_released": "As the released program computes them, faults of labels included.",
        "importance_pooled": "As Default, but overall recall weighs nodes and edges together by importance.",
        "unweighted_literal": "Matches with the graph in either direction; overall F1 is the mean of that of nodes and "
        "that of edges, pooled F1 is of all items.",
        "unweighted_strict": "As Unweighted, but a reversed or missing direction is no match.",
        "shd": "Means per answer; a reversal counts once, normalised by n(n−1) of the true nodes.",
    }
)


def figures_of(form: str) -> list[str]:
    """The figures of a form, overall ones first."""
    return list(SHD_FIGURES) if form == "shd" else sorted(FIGURES_OF[form], key=_is_of_part)


def _is_of_part(name: str) -> bool:
    return name.startswith(("node", "edge"))


def figure_title(name: str) -> str:
    """A figure as tables head it.

    >>> figure_title("node_f1"), figure_title("overall_f1"), figure_title("total")
    ('F1 of nodes', 'Overall F1', 'Total')
    """
    what, _, figure = name.replace("f1", "F1").partition("_")
    return (
        f"{sentence_case(figure)} of {what}s" if what in ("node", "edge") else sentence_case(f"{what} {figure}".strip())
    )
