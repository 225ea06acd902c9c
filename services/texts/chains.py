"""A figure's text while it is being changed: its stages held, an edit of one carried through those after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from sqlmodel import Session

from core.errors import Missing, Refused
from core.people import Receipt
from core.texts import redline
from core.texts.redline import Edit, TextChange
from core.texts.states import Stage, TextState
from core.texts.words import markdown_words
from services.acting import Writing, require_seen
from store import assignments
from store.papers import texts as stored
from store.tables import PaperTextRow

NOT_MADE = "No text of this figure was made. Make it first."
BEGINNINGS = ("text.make", "text.take")
"""Acts after which a figure has another text."""
EDITS = ("text.reject", "text.restore", "text.replace")
UNDO, REDO = "text.undo", "text.redo"
BY_HAND = "by hand"
"""The producer of a round whose changes somebody marked."""


@dataclass(slots=True)
class HeldText:
    """The stages of a text whose root is held until the transaction ends, with content and changes."""

    w: Writing
    root: PaperTextRow
    stages: list[PaperTextRow]
    changes: dict[str, list[TextChange]]

    @property
    def last(self) -> PaperTextRow:
        """The stage that a model would read."""
        return self.stages[-1]

    @property
    def markdown(self) -> PaperTextRow:
        """The stage that is made of the paper."""
        return self.stages[1]

    def of(self, stage: PaperTextRow) -> list[TextChange]:
        """A stage's changes."""
        return self.changes.get(stage.id, [])

    def done(self, act: str, payload: Mapping[str, Any], *, undoes: int | None = None) -> Receipt:
        """Count the change and write its event."""
        version = stored.touch(self.w.session, self.root)
        return self.w.record(act, "text", self.root.figure_id, version=version, undoes=undoes, payload=dict(payload))


def hold(w: Writing, figure_id: str, seen: int) -> HeldText:
    """Hold a figure's text at the version the person saw.

    Raises Missing if there is none, Conflict if it changed since.
    """
    assignments.study_figure(w.session, figure_id)
    root = stored.newest_root(w.session, figure_id, for_update=True)
    if root is None:
        raise Missing(NOT_MADE)
    require_seen(root, seen, "text")
    stages = stored.stages_of(w.session, root, with_content=True)
    return HeldText(w, root, stages, stored.changes_of(w.session, [row.id for row in stages]))


def rule(held: HeldText, text_id: str, number: int, *, is_rejected: bool, reason: str) -> dict[str, Any]:
    """Reject or restore one change of a stage, and carry it through the later ones; returns what the event keeps.

    Raises Missing if there is no such change, Refused if a later change replaced words of this place.
    """
    place = next((n for n, row in enumerate(held.stages) if row.id == text_id), None)
    if place is None:
        raise Missing("This change is of a text that was made again since. Reload it.")
    stage, before = held.stages[place], held.of(held.stages[place])
    found = next((each for each in before if each.number == number), None)
    if found is None:
        raise Missing(f"{label(stage)} has no change {number}.")
    after = redline.ruled(before, number, is_rejected=is_rejected, reason=reason, by=held.w.viewer.person_id)
    edit = redline.edit_between(before, after, number)
    text_before = redline.without(stage.content, before)
    _write(held, stage, text_before, before, after)
    _carry(held, place, edit)
    unsettle(held)
    return {
        "text": text_id,
        "number": number,
        "before": {"is_rejected": found.is_rejected, "reason": found.reason},
        "after": {"is_rejected": is_rejected, "reason": reason},
    }


def _carry(held: HeldText, place: int, edit: Edit) -> None:
    """Move the changes of the stages after `place`, whose text was edited, and write their texts anew."""
    for before, row in pairwise(held.stages[place:]):
        changes = held.of(row)
        touched = redline.hindrances(changes, edit)
        for each in touched:
            if not each.is_rejected or len(touched) > 1:
                raise Refused(f"{label(row)}, change {each.number} replaces words of this place. Reject it first.")
        later, edit = redline.moved(changes, edit, before.content)
        _write(held, row, before.content, changes, later)


def _write(
    held: HeldText, row: PaperTextRow, text_before: str, before: Sequence[TextChange], after: Sequence[TextChange]
) -> None:
    row.content = redline.standing(text_before, after)
    row.sha256, row.before_sha256 = stored.text_hash(row.content), stored.text_hash(text_before)
    row.guards = {**row.guards, **sizes(row.content), **taken_out(row, text_before, after)}
    held.w.session.add(row)
    stored.keep_changes(held.w.session, row.id, before, after)
    held.changes[row.id] = list(after)


def append(held: HeldText, change: TextChange) -> TextChange:
    """Add a change to the last stage, numbered after those it has."""
    before = held.of(held.last)
    made = replace(change, number=max((each.number for each in before), default=0) + 1)
    text_before = redline.without(held.last.content, before)
    _write(held, held.last, text_before, before, [*before, made])
    unsettle(held)
    return made


def add_stage(held: HeldText, producer: str, changes: Sequence[TextChange], **truth: Any) -> PaperTextRow:
    """Add a round; what it was made against goes on from the stage before unless `truth` says otherwise."""
    last = held.last
    content = redline.standing(last.content, changes)
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
        created_by=held.w.viewer.person_id,
        created_at=held.w.now,
    )
    row.guards = {**sizes(content), **taken_out(row, last.content, changes)}
    unsettle(held)
    stored.insert_stage(held.w.session, row, changes)
    held.stages.append(row)
    held.changes[row.id] = list(changes)
    return row


def unsettle(held: HeldText) -> None:
    """A text that changed is a draft again, whatever it was; rounds without end stay so until a person ends them."""
    for row in held.stages:
        if row.state in (TextState.READY, TextState.REFUSED):
            row.state = TextState.DRAFT.value
            held.w.session.add(row)


def sizes(content: str) -> dict[str, int]:
    """How large a text is."""
    return {"words": len(markdown_words(content)), "characters": len(content)}


def taken_out(row: PaperTextRow, text_before: str, changes: Sequence[TextChange]) -> dict[str, float]:
    """The share of words that a round takes out; nothing of other stages."""
    if row.stage != Stage.NORMALISED:
        return {}
    return {"taken_out": round(redline.share_taken_out(text_before, changes), 6)}


def label(row: PaperTextRow) -> str:
    """ "Raw", "Markdown", "Round 2"."""
    return f"Round {row.round}" if row.stage == Stage.NORMALISED else row.stage.capitalize()


def undo_stacks(session: Session, figure_id: str) -> tuple[list[int], list[int]]:
    """Places in the history of what can be undone and redone of a figure's text, the next last; another text
    begins anew."""
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
