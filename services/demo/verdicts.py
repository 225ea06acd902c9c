"""The demo's judged run: two scripted judges on the graphs of its baselines, and labels of a demo reviewer, so that
every screen of verdicts has something."""

from __future__ import annotations

import random

from core.people import Viewer
from core.verdicts.labels import LEGAL, PRESENCE
from core.verdicts.review import DrawnBy, Field, OverrideReason, after_presence, fields_of
from services.demo.runs import ABOUT, ENDPOINT, work_off
from services.runs import model_cards, planning
from services.runs import reading as runs
from services.runs.model_cards import ModelCardDraft
from services.runs.settings import RunConfig, SampleSource
from services.verdicts import acts, claims, reading, samples
from services.verdicts.reading import SheetItem, SheetView
from store.tables import new_id

JUDGES = {"Demo judge by names (scripted)": "judge:honest", "Demo judge at random (scripted)": "judge:random"}
TITLE = "Demo: two judges of graphs from texts"
LABELLED = 20
"""Items that the demo reviewer labels, before the judge's labels are shown."""
SLIPS, OVERRIDDEN = 0.2, 0.3
"""Shares of labels that the demo reviewer draws, and of differences that they hold against the judge."""


def add_verdicts(owner: Viewer, reviewer: Viewer) -> None:
    """Judge the run of baselines, draw sheets, and go through some of them as the reviewer would."""
    for name, model in JUDGES.items():
        card = ModelCardDraft(
            name=name, endpoint=ENDPOINT, model=model, provider="Edgewise demo", family="scripts", notes=ABOUT
        )
        model_cards.save_card(owner, card, seen=0, act_id=new_id())
    judged = next(line for line in runs.runs(owner) if line.protocol == "recite")
    wanted = RunConfig(
        title=TITLE,
        source=SampleSource(),
        protocol="recite",
        tasks=("judge",),
        variants=("standard",),
        models=tuple(JUDGES),
        options={"of": str(judged.number), "controls": "copy, turned, foreign"},
    )
    run_id = planning.start(owner, wanted, act_id=new_id()).subject_id
    work_off()
    samples.draw(owner, run_id, DrawnBy.RANDOM, 48, 1, act_id=new_id())
    samples.draw(owner, run_id, DrawnBy.DISAGREEMENT, 12, 1, act_id=new_id())
    draw = random.Random(1)  # noqa: S311 - a demonstration that is always the same
    left = LABELLED
    while left > 0:
        view = reading.sheet(reviewer, claims.take_next(reviewer, act_id=new_id()).subject_id)
        for item in view.items[:left]:
            _label(reviewer, view, item, draw)
        left -= len(view.items)


def _label(viewer: Viewer, view: SheetView, item: SheetItem, draw: random.Random) -> None:
    """Labels of someone who takes nearly all for matches, now and then another one; then the comparison, and of some
    differences an override."""
    section, seen = view.section, reading.sheet(viewer, view.assignment_id).version
    own: dict[Field, str] = {}
    for block, field in fields_of(section):
        if (block, field) in own:
            continue
        legal = LEGAL[section, block][field]
        said = legal[draw.randrange(len(legal))] if draw.random() < SLIPS else legal[0]
        own |= {(block, field): said} | (after_presence(section, block, said) if field == PRESENCE else {})
        receipt = acts.label(
            viewer, view.assignment_id, item.number, block.value, field, said, seen=seen, act_id=new_id()
        )
        seen = receipt.version
    seen = acts.compare(viewer, view.assignment_id, item.number, seen=seen, act_id=new_id()).version
    shown = reading.sheet(viewer, view.assignment_id)
    if _item(shown, item.number).apart and draw.random() < OVERRIDDEN:
        seen = acts.keep_mine(
            viewer,
            view.assignment_id,
            item.number,
            OverrideReason.TEXT,
            seen=seen,
            seen_review=shown.review_version,
            act_id=new_id(),
        ).version
    if all(each.is_compared for each in shown.items):
        acts.submit(viewer, view.assignment_id, seen=seen, act_id=new_id())


def _item(view: SheetView, number: int) -> SheetItem:
    return next(each for each in view.items if each.number == number)
