"""The demo's judged run: graphs of three invented texts, two scripted judges, and a demo reviewer's labels."""

from __future__ import annotations

import json
import random
from pathlib import Path

from core.people import Viewer
from core.verdicts.labels import LEGAL, PRESENCE
from core.verdicts.review import DrawnBy, Field, OverrideReason, after_presence, fields_of
from exchange.recite import ReciteRow, write_default
from services.demo.runs import ABOUT, ENDPOINT, process_queue
from services.graphs import sample_tables
from services.queue.work import claim_next
from services.runs import model_cards, planning
from services.runs.model_cards import ModelCardDraft
from services.runs.settings import RunConfig, SampleSource
from services.verdicts import acts, reading, samples
from services.verdicts.reading import SheetItem, SheetView
from services.verdicts.work_kind import SHEETS
from store.tables import new_id

JUDGES = {"Demo judge by names (scripted)": "judge:honest", "Demo judge at random (scripted)": "judge:random"}
FAMILIES = dict(zip(JUDGES, ("scripts", "dice"), strict=True))
DRAWERS = ("Demo reader (scripted)", "Demo talker (scripted)")
TEXTS = Path(__file__).parents[2] / "demo" / "texts.json"
TEXTS_TITLE, TITLE = "Demo: graphs of three texts", "Demo: two judges of graphs from texts"
LABELLED, SEED = 26, 41  # items that the reviewer labels first; with this seed the sheets cover all four sections
RANDOM_LABEL_SHARE, OVERRIDDEN = 0.2, 0.3  # shares of labels that are random, and of differences held against the judge


def add_verdicts(owner: Viewer, reviewer: Viewer) -> None:
    """Run models and judges, draw sheets, and label some of them as the reviewer would."""
    judged = _run_graphs(owner)
    for name, model in JUDGES.items():
        card = ModelCardDraft(
            name=name, endpoint=ENDPOINT, model=model, provider="Edgewise demo", family=FAMILIES[name], notes=ABOUT
        )
        model_cards.save_card(owner, card, seen=0, act_id=new_id())
    config = RunConfig(
        title=TITLE,
        source=SampleSource(),
        protocol="recite",
        tasks=("judge",),
        variants=("standard",),
        models=tuple(JUDGES),
        options={"of": judged, "controls": "copy, shuffled"},
    )
    run_id = planning.start(owner, config, act_id=new_id()).subject_id
    process_queue()
    samples.draw(owner, run_id, DrawnBy.RANDOM, 48, SEED, act_id=new_id())
    samples.draw(owner, run_id, DrawnBy.DISAGREEMENT, 12, 1, act_id=new_id())
    draw = random.Random(1)  # noqa: S311 - a demonstration that is always the same
    left = LABELLED
    while left > 0:
        view = reading.sheet(reviewer, claim_next(reviewer, SHEETS, act_id=new_id()).subject_id)
        for item in view.items[:left]:
            _label_item(reviewer, view, item, draw)
        left -= len(view.items)


def _run_graphs(owner: Viewer) -> str:
    rows = [
        ReciteRow(
            id=number,
            title=each["title"],
            num_nodes=len(each["nodes"]),
            num_edges=len(each["edges"]),
            nodes=tuple(each["nodes"]),
            edges=tuple((source, sink) for source, sink in each["edges"]),
            input_text=each["text"],
        )
        for number, each in enumerate(json.loads(TEXTS.read_text(encoding="utf-8")), 1)
    ]
    table = sample_tables.import_samples(
        owner, "demo-texts.parquet", write_default(rows), with_faulty=False, licence="CC0-1.0", act_id=new_id()
    ).subject_id
    config = RunConfig(
        title=TEXTS_TITLE,
        source=SampleSource(),
        protocol="recite",
        tasks=("generate",),
        variants=("names",),
        models=DRAWERS,
        baselines=("hub",),
        options={"table": table},
    )
    run_id = planning.start(owner, config, act_id=new_id()).subject_id
    process_queue()
    return run_id


def _label_item(viewer: Viewer, view: SheetView, item: SheetItem, draw: random.Random) -> None:
    """Label an item mostly as matching, sometimes at random; then compare, and override some differences."""
    section, seen = view.section, reading.sheet(viewer, view.assignment_id).version
    own: dict[Field, str] = {}
    for block, field in fields_of(section):
        if (block, field) in own:
            continue
        legal = LEGAL[section, block][field]
        label = legal[draw.randrange(len(legal))] if draw.random() < RANDOM_LABEL_SHARE else legal[0]
        own |= {(block, field): label} | (after_presence(section, block, label) if field == PRESENCE else {})
        receipt = acts.label(
            viewer, view.assignment_id, item.number, block.value, field, label, seen=seen, act_id=new_id()
        )
        seen = receipt.version
    seen = acts.compare(viewer, view.assignment_id, item.number, seen=seen, act_id=new_id()).version
    shown = reading.sheet(viewer, view.assignment_id)
    is_apart = next(each.apart for each in shown.items if each.number == item.number)
    if is_apart and draw.random() < OVERRIDDEN:
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
