"""Acceptance of texts and levels from a run: a figure's text is replaced by the run's, as a draft.

Accepting also rules on the value: the run keeps it unchanged. The previous text remains stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.act_ids import id_within
from core.errors import BadInput, Conflict, EdgewiseError, Refused
from core.people import Permission, Receipt, Viewer
from core.steps import GroupState
from core.texts import redline
from core.texts.changes import ListedChange
from core.texts.guard_json import leaks_as_json
from core.texts.leaks import Leaks
from core.texts.states import TextState
from core.texts.views import summary
from core.words import counted
from runs.steps.after_ruling import resume
from services.acting import Writing, consulting, perform
from services.texts import chains, guards, making, pages
from services.texts.chains import LockedText, add_stage
from services.texts.generated_texts import GeneratedText, find_made, obstacle_of, texts_of_run
from services.texts.guards import StoredText
from services.texts.making import NewText
from services.texts.settings import TextSettings, settings_in
from services.texts.truths import truth_of
from store import assignments
from store.papers import texts as stored
from store.runs import groups
from store.tables import PaperTextRow


@dataclass(frozen=True, slots=True)
class AcceptedTexts:
    """Result of accepting several texts."""

    taken: tuple[str, ...]  # keys
    refused: tuple[tuple[str, str], ...]  # (key, reason)


def take(viewer: Viewer, made_id: str, *, seen: int, act_id: str) -> Receipt:
    """Accept one text, or levels, for its figure. If its guards refuse it, the figure has a refused text. `seen` is
    `TextToTake.version`. The receipt's subject is the figure. Raises Missing for an unknown value, Refused for one
    that no longer fits the paper, Conflict if someone has decided since."""
    with consulting(viewer, Permission.CURATE) as r:
        generated = find_made(r.session, made_id)
        obstacle = obstacle_of(r, generated)
        settings = settings_in(r.session)
    if obstacle:
        raise Refused(obstacle)
    new = _prepare_markdown(viewer, generated) if generated.value.get("by") else None
    leaks = _leaks(viewer, generated) if generated.has_text and generated.value["stage"] == "normalised" else None

    def act(w: Writing) -> Receipt:
        groups.lock(w.session, generated.run.id)
        now = find_made(w.session, made_id)
        assignments.figure(w.session, now.value["figure"], for_update=True)
        if now.kept.version != seen:
            raise Conflict(
                "Someone has decided on this value since you opened it. Reload the page.",
                seen=seen,
                found=now.kept.version,
            )
        if why := obstacle_of(w, now):
            raise Refused(why)
        root = _write(w, now, new, leaks, settings)
        for model, levels in now.levels.items():
            stored.keep_levels(w.session, now.sha256, now.value["figure"], f"model:{model}", levels, w.now)
        _rule(w, now, seen)
        payload = {
            "run": now.run.number,
            "value": made_id,
            "text": root.id,
            "state": now.value.get("state", "levels"),
            "levels": sorted(now.levels),
            "summary": _summary(now, new, leaks),
        }
        # Rounds and levels keep the figure's text, and its undo stack.
        name = "text.take" if new is not None else "text.take_beside"
        return w.record(name, "text", now.value["figure"], version=root.version, payload=payload)

    return perform(viewer, Permission.CURATE, act_id, act, asked=(made_id,))


def take_all(viewer: Viewer, run_id: str, *, act_id: str) -> AcceptedTexts:
    """Accept every text of a run whose guards pass, each in its own transaction. A text that no longer fits its paper
    is reported and skipped. A repeat with the same `act_id` accepts the remaining ones."""
    with consulting(viewer, Permission.CURATE):
        pass  # refuse a viewer without the permission before any text is read
    accepted, refused = list[str](), list[tuple[str, str]]()
    for number, each in enumerate(texts_of_run(viewer, run_id), 1):
        if not each.passes:
            if not each.is_taken:
                refused.append((each.key, each.obstacle or " ".join(each.reasons) or f"It is {each.state}."))
            continue
        try:
            take(viewer, each.id, seen=each.version, act_id=id_within(act_id, number))
            accepted.append(each.key)
        except EdgewiseError as error:
            refused.append((each.key, str(error)))
    return AcceptedTexts(tuple(accepted), tuple(refused))


# --- writing -----------------------------------------------------------------------------------------------------


def _prepare_markdown(viewer: Viewer, generated: GeneratedText) -> NewText:
    """Return the Markdown that a model made, with its guards."""
    value = generated.value
    markdown = str(value.get("markdown", value["text"]))
    with consulting(viewer, Permission.CURATE) as r:
        file = pages.paper_file(r, value["figure"])
    producer = f"{value['by']}, run {generated.run.number}"
    return making.prepared(viewer, value["figure"], file, pages.page_texts(file), markdown, (), markdown, producer)


def _leaks(viewer: Viewer, generated: GeneratedText) -> Leaks | None:
    """Return guard 2 of the normalised text."""
    value = generated.value
    with consulting(viewer, Permission.CURATE) as r:
        file = pages.paper_file(r, value["figure"])
        figure = assignments.study_figure(r.session, value["figure"])
        truth = truth_of(r.session, value["figure"])
        blocks = pages.blocks_of(r.session, file.sha256, file.pages)
        stage = StoredText("", stored.text_hash(value["text"]))
        text = guards.text_to_guard(figure, file.sha256, file.pages, stage, stage)
    return guards.check_leaks(value["text"], text, blocks, truth)


def _write(
    w: Writing, generated: GeneratedText, new: NewText | None, leaks: Leaks | None, settings: TextSettings
) -> PaperTextRow:
    """Write the stages of the text and return its first row; levels alone belong to the existing text."""
    value = generated.value
    if new is not None:
        root, markdown = making.written(w, value["figure"], new)
        text = LockedText(w, root, [root, markdown], {})
    else:
        head = stored.newest_root(w.session, value["figure"], for_update=True)
        assert head is not None, "it is the text that the run read"
        stages = stored.stages_of(w.session, head, with_content=True)
        text = LockedText(w, head, stages, stored.changes_of(w.session, [row.id for row in stages]))
    if not generated.has_text or value["stage"] != "normalised":
        return text.root
    plain, sha256 = truth_of(w.session, value["figure"], for_update=True).required()
    rounds: list[Any] = list(value["rounds"])
    for number, changes in enumerate([*rounds, *([] if value["state"] == TextState.UNFINISHED else [[]])], 1):
        add_stage(
            text,
            f"step:{generated.normalised_in}/{number}",
            redline.of_round(ListedChange(**{**each, "flagged": tuple(each["flagged"])}) for each in changes),
            truth_sha256=sha256,
            truth=plain,
        )
    last = text.last
    if last.content != value["text"]:
        raise BadInput("The rounds of this text do not lead to it; it was kept by another version. Start a new run.")
    word_guard = text.markdown.guards.get("kept")
    thresholds = {"lost_share": settings.lost_share, "invented_share": settings.invented_share}
    results = {"kept": word_guard, "leaks": None if leaks is None else leaks_as_json(leaks), "thresholds": thresholds}
    last.guards = {**last.guards, **results}
    passes = leaks is None or leaks.passes
    last.state = (
        value["state"] if value["state"] == TextState.UNFINISHED else TextState.DRAFT if passes else TextState.REFUSED
    )
    w.session.add(last)
    stored.touch(w.session, text.root)
    return text.root


def _rule(w: Writing, generated: GeneratedText, seen: int) -> None:
    """Rule that the value stays unchanged, if it waits for a decision."""
    if generated.group.state is not GroupState.DECIDING or generated.kept.ruling is not None:
        return
    ruling = {"value": generated.kept.value, "why": "", "by": w.actor.id, "at": w.now.isoformat()}
    ruled = groups.rule(w.session, generated.kept.id, seen, ruling)
    assert ruled, "the run is locked, and the version was checked"
    resume(w.study.store, w.session, generated.run.id, generated.group.id, w.now)


def _summary(generated: GeneratedText, new: NewText | None, leaks: Leaks | None) -> str:
    if not generated.has_text:
        return f"levels of {counted(len(next(iter(generated.levels.values()), {})), 'node')}"
    words = chains.sizes(generated.value["text"])["words"]
    if new is None:
        return f"{counted(words, 'word')}, {counted(len(generated.value['rounds']), 'round')} of changes"
    return summary(new.file.pages, words, new.guarded.kept, leaks if leaks is not None else new.guarded.leaks)
