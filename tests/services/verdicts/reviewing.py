"""A judged run to review, and a reviewer who goes through a sheet."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from benchmarks.running_server import RunningServer
from core.people import Viewer
from core.verdicts.review import DrawnBy, fields_of
from services.queue.work import claim_next
from services.study import Study
from services.verdicts import acts, reading, samples
from services.verdicts.reading import SheetItem, SheetView
from services.verdicts.work_kind import SHEETS
from tests.services.run_parts import act, finished, set_up, start
from tests.services.verdicts.judging_parts import answers, to_judge

JUDGES = ("judge:honest", "judge:random")


def judged_run(
    study: Study, people: SimpleNamespace, server: RunningServer, most: int = 2, judges: tuple[str, ...] = JUDGES
) -> str:
    """A finished run of judges on answers of baselines; its id."""
    number = answers(study, people, most, ("random", "hub"))
    server.play({})
    set_up(people.owner, server, judges)
    run_id = start(people.researcher, to_judge(number, judges))
    finished(study, people.researcher, run_id)
    return run_id


def drawn(viewer: Viewer, run_id: str, items: int = 24, by: DrawnBy = DrawnBy.RANDOM, seed: int = 1) -> int:
    return samples.draw(viewer, run_id, by, items, seed, **act()).version


def take(viewer: Viewer) -> SheetView:
    return reading.sheet(viewer, claim_next(viewer, SHEETS, **act()).subject_id)


def of(view: SheetView, number: int) -> SheetItem:
    return next(each for each in view.items if each.number == number)


def again(viewer: Viewer, view: SheetView) -> SheetView:
    return reading.sheet(viewer, view.assignment_id)


def label(viewer: Viewer, view: SheetView, number: int, said: dict[str, str] | None = None) -> SheetView:
    """Every field of an item, a legal label each; `said`: labels by "block.field"."""
    from core.verdicts.labels import LEGAL

    seen = again(viewer, view).version
    for block, field in fields_of(view.section):
        legal = LEGAL[view.section, block][field]
        wanted = (said or {}).get(f"{block.value}.{field}", legal[0])
        sheet = view.assignment_id
        seen = acts.label(viewer, sheet, number, block.value, field, wanted, seen=seen, **act()).version
    return again(viewer, view)


def compare(viewer: Viewer, view: SheetView, number: int) -> SheetView:
    acts.compare(viewer, view.assignment_id, number, seen=again(viewer, view).version, **act())
    return again(viewer, view)


def rule(viewer: Viewer, view: SheetView, do: Any, number: int, *said: Any) -> SheetView:
    """keep_mine, concede or both_defensible."""
    now = again(viewer, view)
    do(viewer, view.assignment_id, number, *said, seen=now.version, seen_review=now.review_version, **act())
    return again(viewer, view)
