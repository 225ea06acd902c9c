"""What a release takes of a figure's text: itself if its licence lets it go, levels if they are agreed, or why not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from core.errors import Conflict
from core.papers.licences import may_redistribute
from core.texts.explicitness import explicitness
from core.texts.states import TextState
from services.texts.levels import ReleasedLevels, released_levels
from services.texts.ready import ReadyText, ready_texts
from store.papers import texts as stored
from store.papers.texts import TextHead, text_hash
from store.tables import PaperRow

NO_TEXT = "no text was made"
NOT_READY = "its text is not ready"
STALE = "its text is stale"
NO_LICENCE = "its paper's licence is not named"
NOT_ALLOWED = "its paper's licence does not allow its text to be handed on"


@dataclass(frozen=True, slots=True)
class FrozenText:
    """`text`: {"sha256", "stage", "characters", "content"}; `levels`: {"by", "raters", "explicitness", "strict",
    "nodes": {name: level}}; `left_out` says why of each that is None."""

    text: Mapping[str, Any] | None
    levels: Mapping[str, Any] | None
    left_out: Mapping[str, str]

    def as_json(self) -> dict[str, Any]:
        """The parts of a figure's content."""
        return {"text": self.text, "levels": self.levels, "left_out": dict(self.left_out)}


def frozen_texts(session: Session, papers: Mapping[str, PaperRow]) -> dict[str, FrozenText]:
    """What of the texts of figures (figure → its paper) a release would hold."""
    heads = stored.heads(session, papers)
    ready = ready_texts(session, list(papers))
    levels = released_levels(session, ready)
    return {
        key: _frozen(session, paper, heads.get(key), ready.get(key), levels.get(key)) for key, paper in papers.items()
    }


def left_out_reasons(found: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Of frozen contents: "text" and "levels" → reason → how many figures lack it."""
    counts: dict[str, dict[str, int]] = {"text": {}, "levels": {}}
    for content in found:
        for what, reason in content["left_out"].items():
            counts[what][reason] = counts[what].get(reason, 0) + 1
    return {what: dict(sorted(each.items())) for what, each in counts.items()}


def _frozen(
    session: Session, paper: PaperRow, head: TextHead | None, ready: ReadyText | None, levels: ReleasedLevels | None
) -> FrozenText:
    if head is None or ready is None or levels is None:
        why = NO_TEXT if head is None else STALE if head.last.state == TextState.READY else NOT_READY
        return FrozenText(None, None, {"text": why, "levels": why})
    left_out = dict[str, str]()
    text = None
    if may_redistribute(paper.licence):
        text = _text(session, head, ready)
    else:
        left_out["text"] = NOT_ALLOWED if paper.licence.strip() else NO_LICENCE
    if levels.by is None:
        left_out["levels"] = levels.reason
    return FrozenText(text, _levels(levels) if levels.by is not None else None, left_out)


def _text(session: Session, head: TextHead, ready: ReadyText) -> dict[str, Any]:
    content = head.last.content  # read now, row by row
    if text_hash(content) != ready.sha256:
        raise Conflict("A text has changed in this moment. Check the new preview.", seen=0, found=0)
    return {
        "sha256": ready.sha256,
        "stage": head.last.stage,
        "characters": len(content),
        "content": content,
    }


def _levels(found: ReleasedLevels) -> dict[str, Any]:
    shares = explicitness(found.levels.values())
    return {
        "by": found.by.value if found.by is not None else None,
        "raters": found.raters,
        "explicitness": shares.share,
        "strict": shares.strict,
        "nodes": {node: int(level) for node, level in sorted(found.levels.items())},
    }
