"""A figure's text with all stages, locked for a change; an edit of a stage is carried through the later ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from sqlmodel import Session

from core.errors import Missing, Refused
from core.people import Receipt
from core.texts import redline
from core.texts.redline import TextChange, TextEdit
from core.texts.states import Stage, TextState
from core.texts.words import markdown_words
from services.acting import Writing, require_seen
from store import assignments
from store.papers import texts as stored
from store.tables import PaperTextRow

NOT_MADE = "No text of this figure was made. Make it first."
BEGINNINGS = ("text.make", "text.take")
"""Acts that begin a new text of a figure."""
EDITS = ("text.reject", "text.restore", "text.replace")
UNDO, REDO = "text.undo", "text.redo"
BY_HAND = "by hand"
"""Producer of a round whose changes a person marked."""


@dataclass(slots=True)
class LockedText:
    """The stages of a text, with contents and changes. Its root is locked until the transaction ends."""

    w: Writing
    root: PaperTextRow
    stages: list[PaperTextRow]
    changes: dict[str, list[TextChange]]

    @property
    def last(self) -> PaperTextRow:
        """Stage that a model would read."""
        return self.stages[-1]

    @property
    def markdown(self) -> PaperTextRow:
        """Stage that is made from the paper."""
        return self.stages[1]

    def of(self, stage: PaperTextRow) -> list[TextChange]:
        return self.changes.get(stage.id, [])

    def done(self, act: str, payload: Mapping[str, Any], *, undoes: int | None = None) -> Receipt:
        """Count the change and write its event."""
        version = stored.touch(self.w.session, self.root)
        return self.w.record(act, "text", self.root.figure_id, version=version, undoes=undoes, payload=dict(payload))


def hold(w: Writing, figure_id: str, seen: int) -> LockedText:
    """Lock a figure's text at version `seen`. Raises Missing if there is none, Conflict if it changed since."""
    assignments.study_figure(w.session, figure_id)
    root = stored.newest_root(w.session, figure_id, for_update=True)
    if root is None:
        raise Missing(NOT_MADE)
    require_seen(root, seen, "text")
    stages = stored.stages_of(w.session, root, with_content=True)
    return LockedText(w, root, stages, stored.changes_of(w.session, [row.id for row in stages]))


def rule(text: LockedText, text_id: str, number: int, *, is_rejected: bool, reason: str) -> dict[str, Any]:
    """Reject or restore one change of a stage, and carry it through the later stages; return the event's payload.
    Raises Missing if there is no such change, Refused if a later change replaced words at this place."""
    place = next((n for n, row in enumerate(text.stages) if row.id == text_id), None)
    if place is None:
        raise Missing("This change is of a text that was made again since. Reload it.")
    stage, before = text.stages[place], text.of(text.stages[place])
    change = next((each for each in before if each.number == number), None)
    if change is None:
        raise Missing(f"{label(stage)} has no change {number}.")
    after = redline.ruled(before, number, is_rejected=is_rejected, reason=reason, by=text.w.viewer.person_id)
    edit = redline.edit_between(before, after, number)
    text_before = redline.without(stage.content, before)
    _write(text, stage, text_before, before, after)
    _carry(text, place, edit)
    unsettle(text)
    return {
        "text": text_id,
        "number": number,
        "before": {"is_rejected": change.is_rejected, "reason": change.reason},
        "after": {"is_rejected": is_rejected, "reason": reason},
    }


def _carry(text: LockedText, place: int, edit: TextEdit) -> None:
    """Adjust the changes of the stages after `place`, whose text was edited, and rewrite their texts."""
    for before, row in pairwise(text.stages[place:]):
        changes = text.of(row)
        touched = redline.conflicting_changes(changes, edit)
        for change in touched:
            if not change.is_rejected or len(touched) > 1:
                raise Refused(f"{label(row)}, change {change.number} replaces words of this place. Reject it first.")
        later, edit = redline.moved(changes, edit, before.content)
        _write(text, row, before.content, changes, later)


def _write(
    text: LockedText, row: PaperTextRow, text_before: str, before: Sequence[TextChange], after: Sequence[TextChange]
) -> None:
    row.content = redline.accepted_text(text_before, after)
    row.sha256, row.before_sha256 = stored.text_hash(row.content), stored.text_hash(text_before)
    row.guards = {**row.guards, **sizes(row.content), **taken_out(row, text_before, after)}
    text.w.session.add(row)
    stored.keep_changes(text.w.session, row.id, before, after)
    text.changes[row.id] = list(after)


def append(text: LockedText, change: TextChange) -> TextChange:
    """Add a change to the last stage, with the next number."""
    before = text.of(text.last)
    numbered = replace(change, number=max((each.number for each in before), default=0) + 1)
    text_before = redline.without(text.last.content, before)
    _write(text, text.last, text_before, before, [*before, numbered])
    unsettle(text)
    return numbered


def add_stage(text: LockedText, producer: str, changes: Sequence[TextChange], **truth: Any) -> PaperTextRow:
    """Add a round. Its ground truth is that of the previous stage unless `truth` overrides it."""
    last = text.last
    content = redline.accepted_text(last.content, changes)
    row = PaperTextRow(
        figure_id=last.figure_id,
        stage=Stage.NORMALISED.value,
        round=last.round + 1,
        based_on=last.id,
        content=content,
        sha256=stored.text_hash(content),
        before_sha256=last.sha256,
        producer=producer,
        file_sha256=last.file_sha256,
        truth_sha256=truth.get("truth_sha256", last.truth_sha256),
        truth=dict(truth.get("truth", last.truth)),
        created_by=text.w.viewer.person_id,
        created_at=text.w.now,
    )
    row.guards = {**sizes(content), **taken_out(row, last.content, changes)}
    unsettle(text)
    stored.insert_stage(text.w.session, row, changes)
    text.stages.append(row)
    text.changes[row.id] = list(changes)
    return row


def unsettle(text: LockedText) -> None:
    """Make a ready or refused text a draft again. Unfinished rounds remain so until a person ends them."""
    for row in text.stages:
        if row.state in (TextState.READY, TextState.REFUSED):
            row.state = TextState.DRAFT.value
            text.w.session.add(row)


def sizes(content: str) -> dict[str, int]:
    return {"words": len(markdown_words(content)), "characters": len(content)}


def taken_out(row: PaperTextRow, text_before: str, changes: Sequence[TextChange]) -> dict[str, float]:
    """Return the share of words that a round removes; empty for other stages."""
    if row.stage != Stage.NORMALISED:
        return {}
    return {"taken_out": round(redline.share_taken_out(text_before, changes), 6)}


def label(row: PaperTextRow) -> str:
    """Return the name of a stage: "Raw", "Markdown", "Round 2"."""
    return f"Round {row.round}" if row.stage == Stage.NORMALISED else row.stage.capitalize()


def undo_stacks(session: Session, figure_id: str) -> tuple[list[int], list[int]]:
    """Return the events that can be undone and redone, the next one last. A new text starts with empty stacks."""
    undo, redo = list[int](), list[int]()
    for seq, act in stored.acts_on(session, figure_id):
        if act in BEGINNINGS:
            undo, redo = [], []
        elif act == UNDO and undo:
            redo.append(undo.pop())
        elif act == REDO and redo:
            undo.append(redo.pop())
        elif act in EDITS:
            undo.append(seq)
            redo.clear()
    return undo, redo
