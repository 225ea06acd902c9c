"""Who may call what of verdicts: rows of the table in test_roles.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.people import Role, Viewer
from core.verdicts.judged import AnswerVariant
from core.verdicts.labels import LabelBlock, Section
from core.verdicts.review import DrawnBy
from core.verdicts.settings import VerdictSettings
from services.verdicts.work_kind import SHEETS
from store.tables import new_id
from tests.services.acts import Act
from tests.services.queue_rows import queue_rows

RUNNERS = {Role.RESEARCHER, Role.OWNER}
REVIEWERS = {Role.REVIEWER, Role.RESEARCHER, Role.OWNER}
NO_SHEET = "no such sheet"
PLACE = (Section.NODE_RECALL, LabelBlock.ITEM, "presence_label")


def act() -> Act:
    return {"act_id": new_id()}


def seen(version: int = 1) -> dict[str, Any]:
    return {"seen": version, "act_id": new_id()}


def ruled() -> dict[str, Any]:
    return {**seen(), "seen_review": 0}


TABLE: dict[str, tuple[set[Role], Callable[[Viewer, Any], Any]]] = {
    "verdicts.settings.settings": (REVIEWERS, lambda v, p: p.f("verdicts.settings").settings(v)),
    "verdicts.settings.save_settings": (
        RUNNERS,
        lambda v, p: p.f("verdicts.settings").save_settings(v, VerdictSettings(), **seen(9)),
    ),
    "verdicts.samples.draw": (
        RUNNERS,
        lambda v, p: p.f("verdicts.samples").draw(v, p.run, DrawnBy.RANDOM, 12, 1, **act()),
    ),
    "verdicts.samples.drawn_of": (REVIEWERS, lambda v, p: p.f("verdicts.samples").drawn_of(v, p.run)),
    "verdicts.corrections.further_draw": (
        REVIEWERS,
        lambda v, p: p.f("verdicts.corrections").further_draw(
            v, p.run, (AnswerVariant(), "j"), "", Section.NODE_RECALL, 1
        ),
    ),
    **queue_rows("sheets", SHEETS, REVIEWERS, lambda p: NO_SHEET),
    "verdicts.claims.choose": (REVIEWERS, lambda v, p: p.f("verdicts.claims").choose(v, p.item, 1, **act())),
    "verdicts.acts.label": (
        REVIEWERS,
        lambda v, p: p.f("verdicts.acts").label(v, NO_SHEET, 1, "graph", "presence_label", None, **seen()),
    ),
    "verdicts.acts.compare": (REVIEWERS, lambda v, p: p.f("verdicts.acts").compare(v, NO_SHEET, 1, **seen())),
    "verdicts.acts.keep_mine": (
        REVIEWERS,
        lambda v, p: p.f("verdicts.acts").keep_mine(v, NO_SHEET, 1, "direction", **ruled()),
    ),
    "verdicts.acts.concede": (REVIEWERS, lambda v, p: p.f("verdicts.acts").concede(v, NO_SHEET, 1, **ruled())),
    "verdicts.acts.both_defensible": (
        REVIEWERS,
        lambda v, p: p.f("verdicts.acts").both_defensible(v, NO_SHEET, 1, **ruled()),
    ),
    "verdicts.acts.flag": (REVIEWERS, lambda v, p: p.f("verdicts.acts").flag(v, NO_SHEET, 1, "unclear", **seen())),
    "verdicts.acts.undo": (REVIEWERS, lambda v, p: p.f("verdicts.acts").undo(v, NO_SHEET, 1, **seen())),
    "verdicts.acts.counterpart": (
        REVIEWERS,
        lambda v, p: p.f("verdicts.acts").counterpart(v, NO_SHEET, 1, 1, True, **seen()),
    ),
    "verdicts.acts.submit": (REVIEWERS, lambda v, p: p.f("verdicts.acts").submit(v, NO_SHEET, **seen())),
    "verdicts.overlay.show_whole": (REVIEWERS, lambda v, p: p.f("verdicts.overlay").show_whole(v, NO_SHEET)),
    "verdicts.reasoning.reasoning": (REVIEWERS, lambda v, p: p.f("verdicts.reasoning").reasoning(v, NO_SHEET, 1)),
    "verdicts.reading.sheet": (REVIEWERS, lambda v, p: p.f("verdicts.reading").sheet(v, NO_SHEET)),
    "verdicts.reading.my_sheets": (REVIEWERS, lambda v, p: p.f("verdicts.reading").my_sheets(v)),
    "verdicts.audit.audit_run": (REVIEWERS, lambda v, p: p.f("verdicts.audit").audit_run(v, p.run)),
    "verdicts.behind.judge_and_people": (
        REVIEWERS,
        lambda v, p: p.f("verdicts.behind").judge_and_people(v, p.run, (AnswerVariant(), "judge"), PLACE, ("", "")),
    ),
    "verdicts.behind.judge_and_judge": (
        REVIEWERS,
        lambda v, p: p.f("verdicts.behind").judge_and_judge(
            v, p.run, AnswerVariant(), ("one", "other"), PLACE, ("", "")
        ),
    ),
    "verdicts.judges.judges_of": (REVIEWERS, lambda v, p: p.f("verdicts.judges").judges_of(v, p.run)),
    "verdicts.exporting.export": (REVIEWERS, lambda v, p: p.f("verdicts.exporting").export(v, p.run)),
}

WITHOUT_VIEWER = {
    "demo.verdicts.add_verdicts": "fills an empty study",
    "demo.runs.process_queue": "a worker's part of the demo",
    "protocols.recite.reviews.review_tables": "inside a caller's session",
    "protocols.recite.reviews.as_json": "inside a caller's session",
    "protocols.recite.reviews.as_csv": "pure",
    "runs.judge_exposure.look_key": "pure",
    "runs.judge_exposure.is_verdict": "pure",
    "runs.judge_exposure.is_judges": "pure",
    "runs.judge_exposure.withheld": "inside a caller's session",
    "runs.judge_exposure.refuse_sample": "inside a caller's session",
    "runs.judge_exposure.refuse_run": "inside a caller's session",
    "verdicts.overlay.refuse_other_sheets": "inside a caller's session",
    "runs.judge_exposure.run_key": "pure",
    "runs.judge_exposure.record_section_exposure": "inside a caller's session",
    "runs.judge_exposure.record_run_exposure": "inside a caller's session",
    "protocols.recite.judged.judged_answers": "inside a caller's session",
    "protocols.recite.judged.judge_names": "pure",
    "protocols.recite.judged_rows.judged_rows": "inside a caller's session",
    "protocols.recite.answers.chosen_answers": "inside a caller's session",
    "protocols.recite.answers.judged_run_ids": "pure",
    "protocols.recite.unjudged.unjudged_answers": "inside a caller's session",
    "runs.judge_exposure.settings_in": "inside a caller's session",
    "verdicts.acts.shows_verdict": "inside a caller's session",
    "verdicts.acts.sheet_of": "inside a caller's session",
    "verdicts.judge_items.judge_item": "inside a caller's session",
    "verdicts.judge_items.section_of": "pure",
    "verdicts.judge_items.verdict_of": "pure",
    "verdicts.judge_items.graphs_of": "pure",
    "verdicts.judge_items.is_control": "pure",
    "verdicts.judge_items.seen_in": "inside a caller's session",
    "verdicts.overlay.overlay_of": "inside a caller's session",
    "verdicts.overlay.may_show_whole": "pure",
    "verdicts.reasoning.written_of": "inside a caller's session",
    "verdicts.reasoning.quotes_of": "pure",
    "verdicts.audit.blind_labels": "inside a caller's session",
    "verdicts.corrections.corrections_of": "inside a caller's session",
    "verdicts.samples.random_blocks_left": "inside a caller's session",
    "verdicts.reviewed.in_force": "pure",
    "verdicts.reviewed.replaced_in": "pure",
    "verdicts.reviewed.changes_in_force": "pure",
    "verdicts.reviewed.reviewed_verdict": "pure",
    "verdicts.reviewed.score_of": "pure",
    "verdicts.reviewed.rule_rows": "inside a caller's session",
    "verdicts.reviewed.keep_reviewed": "inside a caller's session",
}
