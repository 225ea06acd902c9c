"""Texts that are ready for labelling, and the people who have labelled their current version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlmodel import Session

from core.errors import Refused
from core.texts.states import TextState
from services.texts import truths
from services.texts.reading import is_stale
from services.texts.truths import FigureTruth
from store import assignments
from store.assignments import EXPLICITNESS, HANDED_IN
from store.papers import texts as stored

NOT_READY = "This text is not ready any more. What you labelled is kept; label another text."


@dataclass(frozen=True, slots=True)
class ReadyText:
    """A text that is ready and not stale, with its ground truth."""

    figure_id: str
    sha256: str
    truth: FigureTruth

    @property
    def nodes(self) -> tuple[str, ...]:
        return tuple(self.truth.plain["nodes"]) if self.truth.plain is not None else ()


def ready_texts(session: Session, figure_ids: list[str] | None = None) -> dict[str, ReadyText]:
    """Return every text that is ready and not stale, by figure, oldest first; or those of some figures."""
    heads = stored.heads(session, figure_ids)
    ready = {key: head for key, head in heads.items() if head.last.state == TextState.READY}
    now = truths.truths_of(session, ready)
    files = {key: pair[1].file_sha256 for key, pair in assignments.subjects_of(session, ready).items()}
    return {
        key: ReadyText(key, head.last.sha256, now[key])
        for key, head in ready.items()
        if not is_stale(head.last, now[key].sha256, files[key]) and now[key].plain is not None
    }


def ready_text(session: Session, figure_id: str) -> ReadyText:
    """Return the text of one figure. Raises Refused if it is not ready, or stale."""
    text = ready_texts(session, [figure_id]).get(figure_id)
    if text is None:
        raise Refused(NOT_READY)
    return text


def labelled(session: Session, ready: Mapping[str, ReadyText]) -> dict[str, set[str]]:
    """Return figure → the people who submitted levels of its current text."""
    levels = stored.levels_of_texts(session, [each.sha256 for each in ready.values()])
    submitted = {
        (row.subject_id, row.person_id)
        for row in assignments.assignments_of(session, EXPLICITNESS)
        if row.state in HANDED_IN
    }
    return {
        key: {
            rater
            for rater, node_levels in levels.get((key, each.sha256), {}).items()
            if (key, rater) in submitted and set(node_levels) == set(each.nodes)
        }
        for key, each in ready.items()
    }
