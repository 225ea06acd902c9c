"""Views of a figure's text, lists of texts, and texts by their hash."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import BadInput, Missing
from core.people import Permission, Viewer
from core.texts import redline
from core.texts.acceptance import (
    AcceptedSection,
    RefusedSection,
    accepted_from_json,
    open_reasons,
    refused_sections,
)
from core.texts.redline import TextChange
from core.texts.states import Stage, TextState
from core.texts.truths import difference
from core.texts.views import NumberedLine, StageView, Staleness, TextView, TruthState
from services.acting import ReadContext, consulting
from services.texts import chains, guards, truths
from services.texts.guards import Guarded, StoredText, TextToGuard
from services.texts.settings import TextSettings, settings_in
from services.texts.truth_hashes import truth_hashes
from services.texts.truths import FigureTruth
from store import assignments
from store.papers import papers
from store.papers import texts as stored
from store.papers.texts import LastStage
from store.tables import FileRow, PaperTextRow

ACCEPTED = "accepted"
"""Of the Markdown stage's guards: sections that a person accepts."""
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class TextStatus:
    """The current text of a figure, with the results of its guards and the ground truth they used."""

    view: TextView
    guarded: Guarded
    truth: FigureTruth


@dataclass(frozen=True, slots=True)
class _GuardInput:
    """Input of a text's guards."""

    text: TextToGuard
    settings: TextSettings
    truth: FigureTruth


def view(viewer: Viewer, figure_id: str) -> TextView | None:
    """Return a figure's text for its screen; None if none was made. Uncached guards take up to two seconds. Recorded as
    an exposure, since it names edges of the ground truth. Raises Missing if there is no such figure."""
    now = _now(viewer, figure_id, Permission.REVIEW)
    return None if now is None else now.view


def look(viewer: Viewer, figure_id: str, may: Permission) -> TextStatus:
    """Return a figure's text with its guards. Raises Missing if none was made."""
    now = _now(viewer, figure_id, may)
    if now is None:
        raise Missing(chains.NOT_MADE)
    return now


def _now(viewer: Viewer, figure_id: str, may: Permission) -> TextStatus | None:
    with consulting(viewer, may) as r:
        guard_inputs = _guard_input(r, figure_id)
    if guard_inputs is None:
        return None
    guarded = guards.guarded(guard_inputs.text, guard_inputs.settings, guard_inputs.truth)
    with consulting(viewer, may) as r:
        if guard_inputs.truth.graph is not None:
            r.record_exposure(figure_id)
        return text_now(r, figure_id, guarded)


def lines(viewer: Viewer, figure_ids: Sequence[str] | None = None) -> tuple[NumberedLine, ...]:
    """Return every figure in use (or some of them) and the state of its text; no text is read."""
    with consulting(viewer, Permission.REVIEW) as r:
        chosen = set(figure_ids) if figure_ids is not None else None
        pairs = [
            (figure, paper)
            for figure, paper in assignments.located_figures(r.session)
            if chosen is None or figure.id in chosen
        ]
        heads = stored.heads(r.session, [figure.id for figure, _ in pairs])
        now = truth_hashes(r, heads)
        text_lines = []
        for figure, paper in pairs:
            head = heads.get(figure.id)
            text_lines.append(
                NumberedLine(
                    figure_id=figure.id,
                    figure_label=figure.label or figure.place,
                    paper_id=paper.id,
                    paper_title=paper.title,
                    state=TextState(head.last.state) if head else None,
                    stage=Stage(head.last.stage) if head else None,
                    round=head.last.round if head else 0,
                    words=int(head.last.guards.get("words", 0)) if head else 0,
                    is_stale=head is not None and is_stale(head.last, now.get(figure.id), paper.file_sha256),
                )
            )
        return tuple(text_lines)


def content(viewer: Viewer, sha256: str) -> str:
    """Return a text by its hash: a stage's, or that before the stage's changes. Needs only the permission to see a
    paper's pages, since hashes are given to those who work with the text. Raises BadInput for anything but a hash,
    Missing if no text has it (any longer)."""
    if not _HASH.fullmatch(sha256):
        raise BadInput("A text is asked for by the 64 hexadecimal digits of its SHA-256.")
    with consulting(viewer, Permission.READ_STUDY) as r:
        match = stored.with_hash(r.session, sha256)
        if match is None:
            raise Missing("No text has this hash; it has changed. Reload the page.")
        row, before = match
        if row.sha256 == sha256:
            return row.content
        if before is not None and before.sha256 == sha256:
            return before.content
        return redline.without(row.content, stored.changes_of(r.session, [row.id]).get(row.id, []))


def is_stale(last: PaperTextRow | LastStage, truth_sha256: str | None, file_sha256: str | None) -> bool:
    """Return whether a text with this last stage was made from another file or another finished ground truth."""
    return last.file_sha256 != file_sha256 or _has_new_truth(last, truth_sha256)


def _has_new_truth(last: PaperTextRow | LastStage, truth_sha256: str | None) -> bool:
    return last.truth_sha256 is not None and truth_sha256 is not None and last.truth_sha256 != truth_sha256


# --- inside a caller's session -----------------------------------------------------------------------------------


def text_now(r: ReadContext, figure_id: str, guarded: Guarded) -> TextStatus | None:
    """Return a figure's text with these results of its guards; None if none was made."""
    root = stored.newest_root(r.session, figure_id)
    if root is None:
        return None
    figure = assignments.study_figure(r.session, figure_id)
    paper = papers.paper(r.session, figure.paper_id)
    rows = stored.stages_of(r.session, root)
    changes = stored.changes_of(r.session, [row.id for row in rows])
    truth = truths.truth_of(r.session, figure_id)
    file = r.session.get(FileRow, root.file_sha256)
    assert file is not None, "a text's file has its row"
    staleness = _staleness(rows[-1], truth, paper.file_sha256)
    state = next((TextState.UNFINISHED for row in rows if row.state == TextState.UNFINISHED), None)
    settings = settings_in(r.session)
    refused = refused_sections(guarded.kept, settings.lost_share, settings.invented_share, accepted_in(rows[1]))
    obstacles = _obstacles(state, guarded, refused, truth, staleness)
    undo, redo = chains.undo_stacks(r.session, figure_id)
    shown = TextView(
        figure_id=figure_id,
        figure_label=figure.label or figure.place,
        paper_id=paper.id,
        paper_title=paper.title,
        version=root.version,
        state=state or _state(rows[-1], guarded, refused),
        pages=file.page_count,
        unseen=root.unseen,
        stages=tuple(_stage(row, changes.get(row.id, [])) for row in rows),
        kept=guarded.kept,
        refused=refused,
        leaks=guarded.leaks,
        truth=truth.state,
        staleness=staleness,
        unmet_requirements=obstacles,
        can_undo=bool(undo),
        can_redo=bool(redo),
    )
    return TextStatus(shown, guarded, truth)


def _guard_input(r: ReadContext, figure_id: str) -> _GuardInput | None:
    figure = assignments.study_figure(r.session, figure_id)
    root = stored.newest_root(r.session, figure_id)
    if root is None:
        return None
    rows = stored.stages_of(r.session, root)
    file = r.session.get(FileRow, root.file_sha256)
    assert file is not None, "a text's file has its row"
    markdown, last = (StoredText(row.id, row.sha256) for row in (rows[1], rows[-1]))
    text = guards.text_to_guard(figure, file.sha256, file.page_count, markdown, last)
    return _GuardInput(text, settings_in(r.session), truths.truth_of(r.session, figure_id))


def _stage(row: PaperTextRow, changes: list[TextChange]) -> StageView:
    return StageView(
        text_id=row.id,
        stage=Stage(row.stage),
        round=row.round,
        producer=row.producer,
        is_by_hand=row.producer == chains.BY_HAND,
        sha256=row.sha256,
        before_sha256=row.before_sha256,
        words=int(row.guards["words"]),
        characters=int(row.guards["characters"]),
        taken_out=row.guards.get("taken_out"),
        changes=tuple(changes),
        made_at=row.created_at,
    )


def _staleness(last: PaperTextRow, truth: FigureTruth, file_sha256: str | None) -> Staleness | None:
    """Return None if file and ground truth of the text are current, or if no ground truth was used."""
    is_file_changed, has_changed = last.file_sha256 != file_sha256, _has_new_truth(last, truth.sha256)
    if not (is_file_changed or has_changed):
        return None
    changed = difference(last.truth, truth.plain) if has_changed and truth.plain is not None else None
    return Staleness(is_file_changed=is_file_changed, difference=changed)


def accepted_in(markdown: PaperTextRow) -> list[AcceptedSection]:
    """Return the sections of a text that people accept, from its Markdown stage."""
    return [accepted_from_json(each) for each in markdown.guards.get(ACCEPTED, ())]


def _state(last: PaperTextRow, guarded: Guarded, refused: Sequence[RefusedSection]) -> TextState:
    """Return the state of a text. A draft that a guard refuses now counts as refused, even if it passed when
    written."""
    if last.state == TextState.READY:
        return TextState.READY
    passes = not open_reasons(guarded.kept, refused) and (guarded.leaks is None or guarded.leaks.passes)
    return TextState.DRAFT if passes else TextState.REFUSED


def _obstacles(
    state: TextState | None,
    guarded: Guarded,
    refused: Sequence[RefusedSection],
    truth: FigureTruth,
    staleness: Staleness | None,
) -> tuple[str, ...]:
    obstacles = list[str]()
    if state is TextState.UNFINISHED:
        obstacles.append("The last round that may be asked for still changed the text. End the rounds first.")
    obstacles += open_reasons(guarded.kept, refused)
    if guarded.leaks is not None:
        obstacles += guarded.leaks.reasons
    if truth.state is not TruthState.FINISHED:
        obstacles.append(truths.OPEN if truth.state is TruthState.OPEN else truths.NONE)
    if staleness is not None:
        obstacles.append(staleness.in_words)
    return tuple(obstacles)
