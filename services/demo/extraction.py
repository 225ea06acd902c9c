"""The demo's triplets from papers, and its questions about abstracts, both by the scripted models."""

from __future__ import annotations

from pathlib import Path

from core.people import Viewer
from protocols import PROTOCOLS
from services.demo.abstracts import LICENCE
from services.demo.runs import MODELS, process_queue
from services.questions import sets
from services.runs import planning
from services.runs.settings import RunConfig, SampleSource
from store.tables import new_id

FOLDER = Path(__file__).resolve().parents[2] / "demo" / "questions"
QUESTIONS = (
    "invented-questions.jsonl"  # of eight of the abstracts, by cue phrases; coins answered to find the easy ones
)
QUESTIONS_TITLE = "Questions of invented abstracts"
TITLES = ("Demo: triplets from three papers", "Demo: questions of five types")
COPIER, READER, TALKER = (card.name for card in MODELS)


def add_extractions(owner: Viewer) -> None:
    content = (FOLDER / QUESTIONS).read_bytes()
    sets.import_questions(
        owner, QUESTIONS, content, with_faulty=False, title=QUESTIONS_TITLE, licence=LICENCE, act_id=new_id()
    )
    triplets = RunConfig(
        title=TITLES[0],
        source=SampleSource(),
        protocol="econcausal-pipeline",
        tasks=tuple(task.name for task in PROTOCOLS["econcausal-pipeline"].tasks),
        variants=("standard",),
        roles={"extractor": (READER,), "critics": (COPIER, READER, TALKER)},
    )
    questions = RunConfig(
        title=TITLES[1],
        source=SampleSource(),
        protocol="lee",
        tasks=tuple(task.name for task in PROTOCOLS["lee"].tasks),
        variants=("closed", "open"),
        models=(COPIER, READER, TALKER),
        baselines=("majority", "coin"),
        options={"questions": "1"},
    )
    planning.plan(owner, triplets)  # reads the pages of the papers
    for config in (triplets, questions):
        planning.start(owner, config, act_id=new_id())
    process_queue()
