"""Runs of `recite-texts` as tests begin them, past all services: a made paper, and the models that are asked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.messages import text_hash
from core.texts.sections import blocks_of, sort_blocks
from prompts.loader import load
from protocols.recite_texts.benchmark import PROTOCOL
from protocols.recite_texts.papers import TextSourcePaper
from protocols.samples import content_hash
from protocols.step_values import Value
from protocols.steps import names_of_steps, steps_of
from runs.queues import queue_of
from runs.steps.stepped_run import insert_sources, stepped_run
from store.engine import Store
from store.runs import runs
from store.runs.runs import NewRun
from tests.runs.begun import BUDGET, model, now, rows
from tests.runs.toy_protocol import MANIFEST

GRAPH = CausalGraph.of(
    [Edge("rainfall", "water level"), Edge("water level", "fish stock"), Edge("fish stock", "income of fishers")],
    ["hidden debt"],
)
INTRODUCTION = (
    "The lake lies in a dry country, and for as long as people have written about it they have written about its "
    "water. In wet years the shore moves far inland; in dry years the boats lie in the mud and the markets of the "
    "towns around it are empty. This paper asks what the people of the shore know about the ups and downs of the lake, "
    "and how they think that their own work is tied to it [3]."
)
METHODS = (
    "We spoke with forty fishers in six villages during two seasons. Each of them was asked to tell the story of the "
    "lake in their own words, and to name whatever they thought had changed it. Their stories were written down, read "
    "aloud to them, corrected where they wished, and then coded by two of us without knowing of each other's codes "
    "(Miller, 2011)."
)
RESULTS = (
    "All of them began with rainfall. After good rains the water level is high for two or three years, and with it the "
    "fish stock grows, since the young fish hide between the flooded trees. A good fish stock feeds the families and "
    "lifts the income of fishers, who then repair their boats. Figure 2 shows how rainfall and water level are joined "
    "by an arrow. When the rains stay out all of this turns around, though not at once and not for all of them alike."
)
RAW = "\n\n".join(
    [
        "Introduction",
        INTRODUCTION,
        "Methods",
        METHODS,
        "Results",
        RESULTS,
        "Figure 2. Causal loop diagram of rainfall, water level and fish stock.",
        "References",
        "[3] Miller, A. (2011). Stories of a lake. Lakes 12, 3-9.",
    ]
)
TEXT = f"## Introduction\n\n{INTRODUCTION.replace(' [3]', '')}\n\n## Methods\n\n{METHODS}\n\n## Results\n\n{RESULTS}\n"
"""Markdown of it that somebody made before."""
LEAK = "Figure 2 shows how rainfall and water level are joined by an arrow."


def paper(key: str = "The lake", **said: Any) -> TextSourcePaper:
    given: dict[str, Any] = {
        "blocks": sort_blocks(blocks_of(RAW)),
        "captions": ("Figure 2. Causal loop diagram of rainfall, water level and fish stock.",),
        "text": TEXT,
        "graph": GRAPH,
        "graph_hash": "g" * 64,
    }
    about = {"key": key, "title": key, "paper": f"paper of {key}", "figure": f"figure of {key}", "file": "f" * 64}
    return TextSourcePaper(**{**about, **given, **said})


def begin(
    store: Store,
    url: str,
    tasks: Sequence[str],
    papers: Sequence[TextSourcePaper] = (),
    *,
    models: Sequence[str] = ("texts:faithful",),
    roles: Mapping[str, str] | None = None,
    **said: Any,
) -> str:
    """A queued run; its id. `roles`: role → model; `said`: of every model's card and endpoint."""
    roles = roles or {}
    wanted = {
        "source": {"collections": []},
        "tasks": list(tasks),
        "variants": ["standard"],
        "models": list(models),
        "roles": {name: [card] for name, card in roles.items()},
        "repeats": 1,
    }
    prompts = {name: load(name, placeholders=PROTOCOL.placeholders) for name in _names(tasks)}
    texts = {name: _without_head(name) for name in prompts}
    described = [
        {"name": name, "hash": each.hash, "origin": each.origin, "also": [], "apart": sorted(each.apart)}
        | {"text": text_hash(texts[name])}
        for name, each in prompts.items()
    ]
    cards = {name: model(url, name, **said) for name in (*models, *roles.values())}
    run = NewRun(
        title="Texts",
        protocol=PROTOCOL.name,
        protocol_version=PROTOCOL.version,
        settings={
            "models": cards,
            "roles": {name: [card] for name, card in roles.items()},
            "budget": dict(BUDGET),
            "repeats": 1,
            "wanted": wanted,
            **names_of_steps(steps_of(PROTOCOL, wanted)),
        },
        manifest={**MANIFEST, "prompts": described},
        created_by="terminal",
    )
    given = [Value(key=each.key, value=each.as_json(), hash=content_hash(each.content)) for each in papers or [paper()]]
    with store.writing() as session:
        runs.keep_texts(session, sorted(texts.values()))
        inserted = runs.insert_run(session, run, (), (), now())
        found = stepped_run(session, inserted.run_id)
        assert found is not None
        insert_sources(session, found, {"papers": given}, now())
        queue_of(store).submit(session, inserted.run_id, ())
    return inserted.run_id


def _names(tasks: Sequence[str]) -> list[str]:
    return [name for task in tasks for name in PROTOCOL.prompt_names(task, "standard")]


def _without_head(name: str) -> str:
    found = load(name, placeholders=PROTOCOL.placeholders)
    return f"=== system ===\n{found.system}\n=== user ===\n{found.user}\n" if found.system else found.user


def made(store: Store, run_id: str, step: str) -> list[dict[str, Any]]:
    """The values of a step, with their flags under "flags"."""
    found = rows(
        store,
        "SELECT CAST(m.value AS TEXT), CAST(m.flags AS TEXT) FROM run_made m JOIN run_group g ON g.id = m.group_id "
        "WHERE g.run_id = :run AND g.step = :step ORDER BY g.key, m.place",
        run=run_id,
        step=step,
    )
    return [{**json.loads(value), "flags": json.loads(flags)} for value, flags in found]


def items(store: Store, run_id: str, step: str) -> list[tuple[str, str, Any]]:
    """(status, fault, value) of each item of a step."""
    found = rows(
        store,
        "SELECT i.status, i.fault, CAST(i.parsed AS TEXT) FROM run_item i JOIN run_sample s ON s.id = i.sample_id "
        "WHERE s.run_id = :run AND s.step = :step ORDER BY s.key, i.model",
        run=run_id,
        step=step,
    )
    return [(status, fault, None if value is None else json.loads(value)) for status, fault, value in found]


def faults_of_rounds(store: Store) -> list[tuple[int, str, str]]:
    """(number, purpose, fault) of each further request."""
    return rows(store, "SELECT number, purpose, fault FROM run_round ORDER BY item_id, number")


def states(store: Store, run_id: str) -> dict[str, list[tuple[str, str]]]:
    """Step → (state, reason) of its groups."""
    found: dict[str, list[tuple[str, str]]] = {}
    query = "SELECT step, state, reason FROM run_group WHERE run_id = :run ORDER BY step, key"
    for step, state, reason in rows(store, query, run=run_id):
        found.setdefault(step, []).append((state, reason))
    return found
