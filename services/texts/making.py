"""Generation of a figure's text: words as printed, their Markdown, removed parts, and the results of the guards.

Works without a model, page by page in the reader's child processes; a model's Markdown passes the same guards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import BadInput, Refused
from core.people import Permission, Receipt, Viewer
from core.texts.guard_json import leaks_as_json, word_loss_json
from core.texts.markdown import PageText, make_text, raw_text
from core.texts.redline import TextChange
from core.texts.states import Stage, TextState
from core.texts.views import summary
from core.words import replace_controls
from services.acting import Writing, consulting, perform
from services.texts import guards, pages
from services.texts.chains import sizes
from services.texts.guards import Guarded, StoredText
from services.texts.pages import PaperFile, Progress
from services.texts.settings import TextSettings, settings_in
from services.texts.truths import truth_of
from store import assignments
from store.papers import texts as stored
from store.tables import PaperTextRow, new_id

KNOWN = (
    "The text of this figure was made of this file already. If you make it again, its rounds and what was rejected "
    "stay with the text before."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewText:
    """A text before it is written: its two stages, removed parts, and the results of the guards."""

    file: PaperFile
    raw: str
    markdown: str
    whole: str
    cuts: Sequence[TextChange]
    producer: str
    unseen: int
    guarded: Guarded
    settings: TextSettings


def make(
    viewer: Viewer, figure_id: str, *, again: bool = False, progress: Progress | None = None, act_id: str
) -> Receipt:
    """Make the text of a figure's paper without a model, in about half a second of processor time per unread page.
    `progress` is called for every page. The receipt's subject is the figure. Raises BadInput for a picture or a PDF
    without a text layer, UnreadableDocument for a page over the reader's limits, Refused without `again` if the text
    was made from this file already."""
    with consulting(viewer, Permission.CURATE) as r:
        file = pages.paper_file(r, figure_id)
        _refuse_known(stored.newest_root(r.session, figure_id), file, again=again)
    page_blocks = pages.page_texts(file, progress)
    generated = make_text([block for page in page_blocks for block in page.blocks])
    producer = f"{pages.PRODUCER} {pages.PRODUCER_VERSION}"
    return _save(
        viewer,
        figure_id,
        file,
        page_blocks,
        generated.whole,
        generated.cuts,
        generated.text,
        producer,
        again=again,
        act_id=act_id,
    )


def read_pages(viewer: Viewer, figure_id: str, *, progress: Progress | None = None) -> None:
    """Read the pages of a figure's paper, for runs that use its words; no text is made. Raises like `make` for
    unreadable files."""
    with consulting(viewer, Permission.CURATE) as r:
        file = pages.paper_file(r, figure_id)
    pages.page_texts(file, progress)


def keep_markdown(
    viewer: Viewer, figure_id: str, markdown: str, producer: str, *, again: bool = False, act_id: str
) -> Receipt:
    """Store Markdown that a model made of a figure's paper as the figure's text, a draft. `producer` names the model
    and the reply (`step:<item>/<n>`). Raises like `make`, and BadInput for an empty text."""
    text = replace_controls(markdown).strip()
    if not text:
        raise BadInput("This Markdown is empty; there is nothing to keep.")
    with consulting(viewer, Permission.CURATE) as r:
        file = pages.paper_file(r, figure_id)
        _refuse_known(stored.newest_root(r.session, figure_id), file, again=again)
    page_blocks = pages.page_texts(file)
    whole = f"{text}\n"
    return _save(viewer, figure_id, file, page_blocks, whole, (), whole, producer, again=again, act_id=act_id)


def _save(
    viewer: Viewer,
    figure_id: str,
    file: PaperFile,
    page_blocks: Sequence[PageText],
    whole: str,
    cuts: Sequence[TextChange],
    markdown: str,
    producer: str,
    *,
    again: bool,
    act_id: str,
) -> Receipt:
    new = prepared(viewer, figure_id, file, page_blocks, whole, cuts, markdown, producer)

    def act(w: Writing) -> Receipt:
        assignments.study_figure(w.session, figure_id)
        # Locked, so that of two users who make it at the same time one is refused.
        assignments.figure(w.session, figure_id, for_update=True)
        _refuse_known(stored.newest_root(w.session, figure_id), file, again=again)
        root, row = written(w, figure_id, new)
        payload = {
            "text": root.id,
            "file": new.file.sha256,
            "producer": new.producer,
            "pages": new.file.pages,
            "words": row.guards["words"],
            "changes": len(new.cuts),
            "summary": summary(new.file.pages, row.guards["words"], new.guarded.kept, new.guarded.leaks),
        }
        return w.record("text.make", "text", figure_id, version=root.version, payload=payload)

    return perform(viewer, Permission.CURATE, act_id, act)


def prepared(
    viewer: Viewer,
    figure_id: str,
    file: PaperFile,
    page_blocks: Sequence[PageText],
    whole: str,
    cuts: Sequence[TextChange],
    markdown: str,
    producer: str,
) -> NewText:
    """Return a text with the results of its guards. Call it outside any transaction. Raises BadInput for an empty
    text."""
    blocks = [block for page in page_blocks for block in page.blocks]
    if not markdown.strip():
        raise BadInput(pages.NO_TEXT)
    with consulting(viewer, Permission.CURATE) as r:
        settings = settings_in(r.session)
        truth = truth_of(r.session, figure_id)
        figure = assignments.study_figure(r.session, figure_id)
        stage = StoredText("", stored.text_hash(markdown))
        text = guards.text_to_guard(figure, file.sha256, file.pages, stage, stage)
    guarded = Guarded(
        guards.check_words(markdown, text, blocks, settings), guards.check_leaks(markdown, text, blocks, truth)
    )
    return NewText(
        file=file,
        raw=raw_text(blocks),
        markdown=markdown,
        whole=whole,
        cuts=cuts,
        producer=producer,
        unseen=sum(page.unseen for page in page_blocks),
        guarded=guarded,
        settings=settings,
    )


def written(w: Writing, figure_id: str, new: NewText) -> tuple[PaperTextRow, PaperTextRow]:
    """Write the two stages of a new text and return them: raw and Markdown."""
    last = stored.newest_root(w.session, figure_id)
    root = _stage(w, figure_id, new, Stage.RAW, new.raw, new.raw, pages.PRODUCER)
    root.created_at = w.moment_after(last.created_at if last is not None else None)
    row = _stage(w, figure_id, new, Stage.MARKDOWN, new.markdown, new.whole, new.producer, based_on=root.id)
    words, leaks = new.guarded.kept, new.guarded.leaks
    row.guards |= guard_results(new.guarded, new.settings)
    passes = words.passes and (leaks is None or leaks.passes)
    row.state = TextState.DRAFT.value if passes else TextState.REFUSED.value
    stored.insert_stage(w.session, root)
    stored.insert_stage(w.session, row, new.cuts)
    return root, row


def _stage(
    w: Writing,
    figure_id: str,
    new: NewText,
    stage: Stage,
    content: str,
    before: str,
    producer: str,
    based_on: str | None = None,
) -> PaperTextRow:
    return PaperTextRow(
        id=new_id(),
        figure_id=figure_id,
        stage=stage.value,
        based_on=based_on,
        content=content,
        sha256=stored.text_hash(content),
        before_sha256=stored.text_hash(before),
        producer=producer,
        file_sha256=new.file.sha256,
        unseen=new.unseen,
        guards=dict(sizes(content)),
        created_by=w.viewer.person_id,
        created_at=w.now,
    )


def guard_results(guarded: Guarded, settings: TextSettings) -> Mapping[str, Any]:
    """Return the results of the guards with their thresholds, as a stage stores them."""
    return {
        "kept": word_loss_json(guarded.kept),
        "leaks": leaks_as_json(guarded.leaks) if guarded.leaks is not None else None,
        "thresholds": {"lost_share": settings.lost_share, "invented_share": settings.invented_share},
    }


def _refuse_known(root: PaperTextRow | None, file: PaperFile, *, again: bool) -> None:
    if root is not None and root.file_sha256 == file.sha256 and not again:
        raise Refused(KNOWN)
