"""Texts and levels that a run made, taken into the papers: a figure's text becomes the run's, as a draft.

Taking is also the decision on the value: the run keeps it as it is. What a text was before stays in the store.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.act_ids import id_within
from core.errors import BadInput, Conflict, EdgewiseError, Refused
from core.people import May, Receipt, Viewer
from core.steps import GroupState
from core.texts import redline
from core.texts.changes import Change
from core.texts.guard_json import leaks_as_json
from core.texts.leaks import Leaks
from core.texts.states import TextState
from core.texts.views import summary
from core.words import counted
from runs.steps.ruled import go_on
from services.acting import Writing, consulting, perform
from services.texts import chains, guards, making, pages
from services.texts.chains import HeldText, add_stage
from services.texts.guards import StoredText
from services.texts.made_texts import MadeText, find_made, hindrance_of, texts_of_run
from services.texts.making import NewText
from services.texts.settings import TextSettings, settings_in
from services.texts.truths import truth_of
from store import assignments
from store.papers import texts as stored
from store.runs import groups
from store.tables import PaperTextRow


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of several: the keys of those taken, and of the others with the reason."""

    taken: tuple[str, ...]
    refused: tuple[tuple[str, str], ...]


def take(viewer: Viewer, made_id: str, *, seen: int, act_id: str) -> Receipt:
    """Take one text, or levels, into its figure, whatever its guards say: one they refuse is a refused text there.
    `seen`: `TextToTake.version`. The receipt's subject is the figure.

    Raises Missing for a value that there is not, Refused for one that does not fit the paper any more, Conflict if
    someone has decided since.
    """
    with consulting(viewer, May.CURATE) as r:
        made = find_made(r.session, made_id)
        hindrance = hindrance_of(r, made)
        settings = settings_in(r.session)
    if hindrance:
        raise Refused(hindrance)
    new = _prepared(viewer, made) if made.value.get("by") else None
    leaks = _leaks(viewer, made) if made.has_text and made.value["stage"] == "normalised" else None

    def act(w: Writing) -> Receipt:
        groups.lock(w.session, made.run.id)
        now = find_made(w.session, made_id)
        assignments.figure(w.session, now.value["figure"], for_update=True)
        if now.kept.version != seen:
            raise Conflict(
                "Someone has decided on this value since you opened it. Reload the page.",
                seen=seen,
                found=now.kept.version,
            )
        if why := hindrance_of(w, now):
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
        # Rounds and levels leave the text that was there, and what of it can be undone.
        name = "text.take" if new is not None else "text.take_beside"
        return w.record(name, "text", now.value["figure"], version=root.version, payload=payload)

    return perform(viewer, May.CURATE, act_id, act, asked=(made_id,))


def take_all(viewer: Viewer, run_id: str, *, act_id: str) -> Taken:
    """Take every text of a run whose guards pass, each in a transaction of its own; one that does not fit its paper any
    more is told and left. The same `act_id` again takes what is left."""
    with consulting(viewer, May.CURATE):
        pass  # whoever may only look is refused before any text is read
    taken, refused = list[str](), list[tuple[str, str]]()
    for number, each in enumerate(texts_of_run(viewer, run_id), 1):
        if not each.passes:
            if not each.is_taken:
                refused.append((each.key, each.hindrance or " ".join(each.reasons) or f"It is {each.state}."))
            continue
        try:
            take(viewer, each.id, seen=each.version, act_id=id_within(act_id, number))
            taken.append(each.key)
        except EdgewiseError as error:
            refused.append((each.key, str(error)))
    return Taken(tuple(taken), tuple(refused))


# --- writing -----------------------------------------------------------------------------------------------------


def _prepared(viewer: Viewer, made: MadeText) -> NewText:
    """The Markdown that a model made, with its guards."""
    value = made.value
    markdown = str(value.get("markdown", value["text"]))
    with consulting(viewer, May.CURATE) as r:
        file = pages.paper_file(r, value["figure"])
    producer = f"{value['by']}, run {made.run.number}"
    return making.prepared(viewer, value["figure"], file, pages.page_texts(file), markdown, (), markdown, producer)


def _leaks(viewer: Viewer, made: MadeText) -> Leaks | None:
    """Guard 2 of the normalised text."""
    value = made.value
    with consulting(viewer, May.CURATE) as r:
        file = pages.paper_file(r, value["figure"])
        figure = assignments.study_figure(r.session, value["figure"])
        truth = truth_of(r.session, value["figure"])
        blocks = pages.blocks_of(r.session, file.sha256, file.pages)
        stage = StoredText("", stored.text_hash(value["text"]))
        text = guards.text_to_guard(figure, file.sha256, file.pages, stage, stage)
    return guards.check_leaks(value["text"], text, blocks, truth)


def _write(
    w: Writing, made: MadeText, new: NewText | None, leaks: Leaks | None, settings: TextSettings
) -> PaperTextRow:
    """The stages of the text; returns the row that begins it. Levels alone are of the text that is there."""
    value = made.value
    if new is not None:
        root, markdown = making.written(w, value["figure"], new)
        held = HeldText(w, root, [root, markdown], {})
    else:
        head = stored.newest_root(w.session, value["figure"], for_update=True)
        assert head is not None, "it is the text that the run read"
        stages = stored.stages_of(w.session, head, with_content=True)
        held = HeldText(w, head, stages, stored.changes_of(w.session, [row.id for row in stages]))
    if not made.has_text or value["stage"] != "normalised":
        return held.root
    plain, sha256 = truth_of(w.session, value["figure"], for_update=True).required()
    rounds: list[Any] = list(value["rounds"])
    for number, changes in enumerate([*rounds, *([] if value["state"] == TextState.UNFINISHED else [[]])], 1):
        add_stage(
            held,
            f"step:{made.normalised_in}/{number}",
            redline.of_round(_change(each) for each in changes),
            truth_sha256=sha256,
            truth=plain,
        )
    last = held.last
    if last.content != value["text"]:
        raise BadInput("The rounds of this text do not lead to it; it was kept by another version. Start a new run.")
    kept = held.markdown.guards.get("kept")
    thresholds = {"lost_share": settings.lost_share, "invented_share": settings.invented_share}
    said = {"kept": kept, "leaks": None if leaks is None else leaks_as_json(leaks), "thresholds": thresholds}
    last.guards = {**last.guards, **said}
    passes = leaks is None or leaks.passes
    last.state = (
        value["state"] if value["state"] == TextState.UNFINISHED else TextState.DRAFT if passes else TextState.REFUSED
    )
    w.session.add(last)
    stored.touch(w.session, held.root)
    return held.root


def _change(said: Mapping[str, Any]) -> Change:
    return Change(**{**said, "flagged": tuple(said["flagged"])})


def _rule(w: Writing, made: MadeText, seen: int) -> None:
    """The value is kept as it is, if it waits for a decision."""
    if made.group.state is not GroupState.DECIDING or made.kept.ruling is not None:
        return
    ruling = {"value": made.kept.value, "why": "", "by": w.actor.id, "at": w.now.isoformat()}
    ruled = groups.rule(w.session, made.kept.id, seen, ruling)
    assert ruled, "the run is held, and the version was looked at"
    go_on(w.study.store, w.session, made.run.id, made.group.id, w.now)


def _summary(made: MadeText, new: NewText | None, leaks: Leaks | None) -> str:
    if not made.has_text:
        return f"levels of {counted(len(next(iter(made.levels.values()), {})), 'node')}"
    words = chains.sizes(made.value["text"])["words"]
    if new is None:
        return f"{counted(words, 'word')}, {counted(len(made.value['rounds']), 'round')} of changes"
    return summary(new.file.pages, words, new.guarded.kept, leaks if leaks is not None else new.guarded.leaks)
