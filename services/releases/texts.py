"""Texts and levels in a release: included if the licence allows it and raters agree, otherwise the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlmodel import Session

from core.errors import Conflict
from core.papers.licences import may_redistribute
from core.papers.releases import name_of
from core.texts.explicitness import explicitness
from core.texts.states import TextState
from core.words import counted
from services.texts.levels import ReleasedLevels, released_levels
from services.texts.reading import accepted_in
from services.texts.ready import ReadyText, ready_texts
from store.papers import texts as stored
from store.papers.texts import TextHead, text_hash
from store.tables import PaperRow

NO_TEXT = "no text was made"
NOT_READY = "its text is not ready"
STALE = "its text is stale"
NO_LICENCE = "its paper's licence is not named"
NOT_ALLOWED = "its paper's licence does not allow its text to be handed on"
_PRIVATE = {
    NO_LICENCE: ("the paper's licence is not recorded", "the papers' licences are not recorded"),
    NOT_ALLOWED: (
        "the paper's licence does not allow redistribution",
        "the papers' licences do not allow redistribution",
    ),
}
"""Reason for a text to stay in the study → the same in a sentence about one figure, and about several."""
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class FrozenText:
    """Text and levels of a figure, as a release stores them."""

    # {"sha256", "stage", "characters", "content"}, and "accepted" where people accepted sections: their heading, counts
    # of words, reason
    text: Mapping[str, Any] | None
    levels: Mapping[str, Any] | None  # {"by", "raters", "explicitness", "strict", "nodes": {name: level}}
    left_out: Mapping[str, str]  # reason for each that is None

    def as_json(self) -> dict[str, Any]:
        return {"text": self.text, "levels": self.levels, "left_out": dict(self.left_out)}


def frozen_texts(
    session: Session, papers: Mapping[str, PaperRow], *, with_private: bool = False
) -> dict[str, FrozenText]:
    """Return the texts of figures (figure → its paper) that a release would contain; `with_private` also those that
    the paper's licence keeps in the study."""
    heads = stored.heads(session, papers)
    ready = ready_texts(session, list(papers))
    levels = released_levels(session, ready)
    return {
        key: _frozen_text(
            session, heads.get(key), ready.get(key), levels.get(key), "" if with_private else private_reason(paper)
        )
        for key, paper in papers.items()
    }


def left_out_reasons(frozen: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Count the reasons in frozen contents: "text" and "levels" → reason → number of figures."""
    counts: dict[str, dict[str, int]] = {"text": {}, "levels": {}}
    for content in frozen:
        for what, reason in content["left_out"].items():
            counts[what][reason] = counts[what].get(reason, 0) + 1
    return {what: dict(sorted(each.items())) for what, each in counts.items()}


def private_sentences(number: int, contents: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a sentence for each reason for which a licence keeps ready texts out of a release, with their figures."""
    names: dict[str, list[str]] = {reason: [] for reason in _PRIVATE}
    for content in contents:
        if (reason := content["left_out"].get("text")) in names:
            name = name_of(content)
            names[reason].append(name.label or name.title or name.figure_id)
    sentences = list[str]()
    for reason, figures in names.items():
        if len(figures) == 1:
            where, why, it = figures[0], _PRIVATE[reason][0], "It"
        elif figures:
            further = f" and {len(figures) - MOST_NAMED:,} more" if len(figures) > MOST_NAMED else ""
            listed = ", ".join(figures[:MOST_NAMED])
            where, why, it = f"{counted(len(figures), 'figure')} ({listed}{further})", _PRIVATE[reason][1], "They"
        else:
            continue
        sentences.append(
            f"Release {number} contains no text of {where}: {why}. {it} can still be used in runs of this study."
        )
    return sentences


def private_reason(paper: PaperRow) -> str:
    """Return why a paper's text may not leave the study; "" if it may."""
    if may_redistribute(paper.licence):
        return ""
    return NOT_ALLOWED if paper.licence.strip() else NO_LICENCE


def _frozen_text(
    session: Session, head: TextHead | None, ready: ReadyText | None, levels: ReleasedLevels | None, private: str
) -> FrozenText:
    if head is None or ready is None or levels is None:
        why = NO_TEXT if head is None else STALE if head.last.state == TextState.READY else NOT_READY
        return FrozenText(None, None, {"text": why, "levels": why})
    left_out = dict[str, str]()
    text = None
    if not private:
        content = head.last.content  # read now, row by row
        if text_hash(content) != ready.sha256:
            raise Conflict("A text has changed in this moment. Check the new preview.", seen=0, found=0)
        text = {
            "sha256": ready.sha256,
            "stage": head.last.stage,
            "characters": len(content),
            "content": content,
            **_accepted(session, head),
        }
    else:
        left_out["text"] = private
    if levels.by is None:
        left_out["levels"] = levels.reason
        return FrozenText(text, None, left_out)
    shares = explicitness(levels.levels.values())
    frozen_levels = {
        "by": levels.by.value,
        "raters": levels.raters,
        "explicitness": shares.share,
        "strict": shares.strict,
        "nodes": {node: int(level) for node, level in sorted(levels.levels.items())},
    }
    return FrozenText(text, frozen_levels, left_out)


def _accepted(session: Session, head: TextHead) -> dict[str, list[dict[str, Any]]]:
    """Return the sections of a ready text that the guard of words refuses and a person accepted, if there are any."""
    words = head.last.guards["kept"]
    if not words["reasons"]:
        return {}
    markdown = stored.stages_of(session, head.root)[1]
    rows = [
        {**section, "reason": each.reason}
        for each in accepted_in(markdown)
        if (section := asdict(each.section)) in words["sections"]
    ]
    return {"accepted": rows} if rows else {}
