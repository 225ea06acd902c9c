"""The demo's first model runs: two on its invented triplets, one of baselines on the release's text, one of queries.

No network is used. The three models are scripts that read the prompt's words (`runs/scripted/demo_models.py`), say so
on their cards, and answer within the asking process on the path of every other model: requests, ledger, stored replies,
parser, scores.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from core.people import Viewer
from protocols import PROTOCOLS
from runs.endpoint.endpoints import SCRIPTED
from runs.worker import Worker
from services.runs import endpoints, model_cards, planning
from services.runs.endpoints import EndpointDraft
from services.runs.model_cards import ModelCardDraft
from services.runs.settings import RunConfig, SampleSource
from services.study import Study, current_study
from services.triplets import lists
from store.tables import new_id

ENDPOINT = "demo-scripts"
ABOUT = (
    "A script, not a model: it knows nothing of its subject and answers from the words of the prompt, within Edgewise "
    "and without a network. The prices are made up."
)
MODELS = (
    ModelCardDraft(
        name="Demo copier (scripted)",
        endpoint=ENDPOINT,
        model="demo:copier",
        provider="Edgewise demo",
        family="scripts",
        is_open_weight=True,
        price_input=0.2,
        price_output=0.8,
        notes=ABOUT,
    ),
    ModelCardDraft(
        name="Demo reader (scripted)",
        endpoint=ENDPOINT,
        model="demo:reader",
        provider="Edgewise demo",
        family="scripts",
        is_open_weight=True,
        price_input=0.5,
        price_cached=0.25,
        price_output=1.5,
        notes=ABOUT,
    ),
    ModelCardDraft(
        name="Demo talker (scripted)",
        endpoint=ENDPOINT,
        model="demo:talker",
        provider="Edgewise demo",
        family="talkers",
        is_open_weight=False,
        price_input=2.0,
        price_output=8.0,
        notes=ABOUT,
    ),
)
NEAR = 0.25  # similarity of letters for comparable pairs; with the protocol's 0.8 the demo would have none
TITLES = (
    "Demo: signs in their context",
    "Demo: with true and false examples",
    "Demo: graphs from texts, baselines",
    "Demo: queries about two networks",
)
PARAMETERS = {"logprobs": True, "top_logprobs": 5}


def add_runs(owner: Viewer) -> None:
    endpoints.save_endpoint(
        owner, EndpointDraft(name=ENDPOINT, base_url=SCRIPTED, concurrency=100), seen=0, act_id=new_id()
    )
    for card in MODELS:
        model_cards.save_card(owner, card, seen=0, act_id=new_id())
    source = SampleSource(tuple(each.id for each in lists.collections(owner)), is_built=True)
    names = tuple(card.name for card in MODELS)
    alone = RunConfig(
        title=TITLES[0],
        source=source,
        tasks=("task1",),
        variants=("context", "unknown"),
        models=names,
        baselines=("always-plus", "majority"),
        parameters=PARAMETERS,
    )
    with_examples = RunConfig(
        title=TITLES[1],
        source=source,
        tasks=("task2", "task3"),
        variants=("context",),
        models=names,
        baselines=("always-plus", "majority", "copy-examples", "first-not-shown"),
        parameters=PARAMETERS,
        options={"threshold": NEAR},
    )
    graphs = RunConfig(
        title=TITLES[2],
        source=SampleSource(),
        protocol="recite",
        tasks=("generate",),
        variants=("standard", "names"),
        baselines=tuple(PROTOCOLS["recite"].baselines),
        options={"release": 1},
    )
    queries = RunConfig(
        title=TITLES[3],
        source=SampleSource(),
        protocol="causalgraph2llm",
        tasks=tuple(task.name for task in PROTOCOLS["causalgraph2llm"].tasks if task.is_usual),
        variants=("graph", "node"),
        models=names,
        baselines=tuple(PROTOCOLS["causalgraph2llm"].baselines),
        options={"graphs": "asia,insurance", "encodings": "json,single", "names": "own,neutral", "per_cell": 2},
    )
    for config in (alone, with_examples, graphs, queries):
        planning.start(owner, config, act_id=new_id())
    process_queue()


def process_queue() -> None:
    # In a thread of its own: the caller may have an event loop.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(_work, current_study()).result()


def _work(study: Study) -> None:
    worker = Worker(study.store, clock=study.clock)
    unstored = asyncio.run(worker.run(is_once=True))
    assert not unstored, "the demo's study was made a moment ago"
