"""Who may call what of texts: rows of the table in test_roles.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.people import Permission, Role, Viewer
from core.texts.explicitness import ExplicitnessLevel
from services.texts.settings import TextSettings
from services.texts.work_kind import TEXTS
from store.tables import new_id
from tests.services.acts import Act
from tests.services.queue_rows import queue_rows

CURATORS = {Role.RESEARCHER, Role.OWNER}
REVIEWERS = {Role.REVIEWER, Role.RESEARCHER, Role.OWNER}
LABELLERS = {Role.ANNOTATOR, Role.EXPERT, Role.RESEARCHER, Role.OWNER}
NO_TEXT = "no such text"


def act() -> Act:
    return {"act_id": new_id()}


def seen(version: int = 1) -> dict[str, Any]:
    return {"seen": version, "act_id": new_id()}


TABLE: dict[str, tuple[set[Role], Callable[[Viewer, Any], Any]]] = {
    "texts.settings.settings": (CURATORS, lambda v, p: p.f("texts.settings").settings(v)),
    "texts.settings.save_settings": (
        CURATORS,
        lambda v, p: p.f("texts.settings").save_settings(v, TextSettings(), **seen(9)),
    ),
    "texts.making.make": (CURATORS, lambda v, p: p.f("texts.making").make(v, NO_TEXT, **act())),
    "texts.making.keep_markdown": (
        CURATORS,
        lambda v, p: p.f("texts.making").keep_markdown(v, NO_TEXT, "A text.", "model", **act()),
    ),
    "texts.edits.reject": (
        CURATORS,
        lambda v, p: p.f("texts.edits").reject(v, p.figure, NO_TEXT, 1, **seen()),
    ),
    "texts.edits.restore": (
        CURATORS,
        lambda v, p: p.f("texts.edits").restore(v, p.figure, NO_TEXT, 1, **seen()),
    ),
    "texts.edits.replace": (
        CURATORS,
        lambda v, p: p.f("texts.edits").replace(v, p.figure, NO_TEXT, 0, 1, "a", was="b", **seen()),
    ),
    "texts.edits.add_round": (
        CURATORS,
        lambda v, p: p.f("texts.edits").add_round(v, p.figure, {"normalizations": []}, **seen()),
    ),
    "texts.edits.end_rounds": (CURATORS, lambda v, p: p.f("texts.edits").end_rounds(v, p.figure, **seen())),
    "texts.edits.undo": (CURATORS, lambda v, p: p.f("texts.edits").undo(v, p.figure, **seen())),
    "texts.edits.redo": (CURATORS, lambda v, p: p.f("texts.edits").redo(v, p.figure, **seen())),
    "texts.accept_section.accept": (
        CURATORS,
        lambda v, p: p.f("texts.accept_section").accept(v, p.figure, 1, "Formulas.", **seen()),
    ),
    "texts.accept_section.withdraw": (
        CURATORS,
        lambda v, p: p.f("texts.accept_section").withdraw(v, p.figure, 1, **seen()),
    ),
    "texts.mark_ready.ready": (CURATORS, lambda v, p: p.f("texts.mark_ready").ready(v, p.figure, **seen())),
    "texts.mark_ready.undo": (CURATORS, lambda v, p: p.f("texts.mark_ready").undo(v, p.figure, **seen())),
    "texts.mark_ready.confirm": (CURATORS, lambda v, p: p.f("texts.mark_ready").confirm(v, p.figure, **seen())),
    "texts.making.read_pages": (CURATORS, lambda v, p: p.f("texts.making").read_pages(v, NO_TEXT)),
    "texts.making.prepared": (
        CURATORS,
        lambda v, p: p.f("texts.making").prepared(v, NO_TEXT, None, (), "A text.", (), "A text.", "model"),
    ),
    "texts.accept_generated.take": (CURATORS, lambda v, p: p.f("texts.accept_generated").take(v, NO_TEXT, **seen())),
    "texts.accept_generated.take_all": (
        CURATORS,
        lambda v, p: p.f("texts.accept_generated").take_all(v, NO_TEXT, **act()),
    ),
    "texts.generated_texts.makes_texts": (REVIEWERS, lambda v, p: p.f("texts.generated_texts").makes_texts(v, NO_TEXT)),
    "texts.generated_texts.texts_of_run": (
        REVIEWERS,
        lambda v, p: p.f("texts.generated_texts").texts_of_run(v, NO_TEXT),
    ),
    "texts.reading.view": (REVIEWERS, lambda v, p: p.f("texts.reading").view(v, p.figure)),
    "texts.reading.look": (REVIEWERS, lambda v, p: p.f("texts.reading").look(v, p.figure, Permission.REVIEW)),
    "texts.reading.lines": (REVIEWERS, lambda v, p: p.f("texts.reading").lines(v)),
    "texts.reading.content": (set(Role), lambda v, p: p.f("texts.reading").content(v, "0" * 64)),
    **queue_rows("texts", TEXTS, LABELLERS, lambda p: NO_TEXT),
    "texts.labelling.label": (
        LABELLERS,
        lambda v, p: p.f("texts.labelling").label(
            v, NO_TEXT, "A", ExplicitnessLevel.EXPLICIT, text_sha256="0", **seen()
        ),
    ),
    "texts.labelling.submit": (
        LABELLERS,
        lambda v, p: p.f("texts.labelling").submit(v, NO_TEXT, text_sha256="0", **seen()),
    ),
    "texts.labelling.labelling": (LABELLERS, lambda v, p: p.f("texts.labelling").labelling(v, NO_TEXT)),
    "texts.labelling.my_labels": (LABELLERS, lambda v, p: p.f("texts.labelling").my_labels(v)),
    "texts.levels.keep_model_levels": (
        CURATORS,
        lambda v, p: p.f("texts.levels").keep_model_levels(v, p.figure, "0", "m", {"A": 1}, **act()),
    ),
    "texts.levels.figure_levels": (REVIEWERS, lambda v, p: p.f("texts.levels").figure_levels(v, p.figure)),
    "texts.levels.report": (REVIEWERS, lambda v, p: p.f("texts.levels").report(v)),
}

WITHOUT_VIEWER = {
    "texts.reading.accepted_in": "inside a caller's session",
    "texts.ready.ready_texts": "inside a caller's session",
    "texts.ready.ready_text": "inside a caller's session",
    "texts.work_kind.blind_text": "inside a caller's transaction",
    "texts.ready.labelled": "inside a caller's session",
    "texts.levels.released_levels": "inside a caller's session",
    "texts.settings.settings_in": "inside a caller's session",
    "texts.truths.truth_of": "inside a caller's session",
    "texts.truths.truths_of": "inside a caller's session",
    "texts.truth_hashes.truth_hashes": "inside a caller's session",
    "texts.pages.paper_file": "inside a caller's session",
    "texts.pages.page_texts": "of a file that its caller was let in to",
    "texts.pages.is_read": "inside a caller's session",
    "texts.pages.blocks_of": "inside a caller's session",
    "texts.pages.part": "pure",
    "texts.pages.as_json": "pure",
    "texts.guards.text_to_guard": "pure",
    "texts.guards.guarded": "of a text that its caller was let in to",
    "texts.guards.check_words": "of a text that its caller was let in to",
    "texts.guards.check_leaks": "of a text that its caller was let in to",
    "texts.chains.hold": "inside a caller's transaction",
    "texts.chains.rule": "inside a caller's transaction",
    "texts.chains.append": "inside a caller's transaction",
    "texts.chains.add_stage": "inside a caller's transaction",
    "texts.chains.unsettle": "inside a caller's transaction",
    "texts.chains.sizes": "pure",
    "texts.chains.taken_out": "pure",
    "texts.chains.label": "pure",
    "texts.chains.undo_stacks": "inside a caller's session",
    "texts.making.guard_results": "pure",
    "texts.making.written": "inside a caller's transaction",
    "texts.generated_texts.find_made": "inside a caller's session",
    "texts.generated_texts.obstacle_of": "inside a caller's session",
    "texts.reading.is_stale": "pure",
    "texts.reading.text_now": "inside a caller's session",
}
