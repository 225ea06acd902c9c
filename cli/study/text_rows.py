"""A text's row in lists of the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.texts.views import TextView

_TRUTH = {"finished": "finished", "open": "not finished", "none": "missing"}


def short_row(view: TextView) -> dict[str, Any]:
    leaks = view.leaks
    return {
        "paper": view.paper_id,
        "figure": view.figure_id,
        "title": view.paper_title,
        "state": view.state.value,
        "stage": view.last.stage.value,
        "round": view.last.round,
        "pages": view.pages,
        "words": view.last.words,
        "lost": sum(each.lost for each in view.kept.sections),
        "invented": sum(each.invented for each in view.kept.sections),
        "hidden_characters": view.unseen,
        "leaks": None if leaks is None else len(leaks.findings),
        **({"leaks_reason": f"the ground truth is {_TRUTH[view.truth.value]}"} if leaks is None else {}),
        "is_stale": view.staleness is not None,
        "sha256": view.last.sha256,
        "summary": view.in_words,
    }
