"""Everything that is written to a study, a file or another program under a name of the code, as plain values.

What `tests/test_stored_names.py` compares with `tests/stored_names.json`. A rename may change the imports here; it may
not change one of the values.
"""

from __future__ import annotations

import ast
import csv
import json
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from core.messages import canonical
from prompts.loader import load
from protocols import PROTOCOLS
from protocols.samples import Sample, content_hash
from protocols.step_values import Inputs, Value
from services.runs.run_settings import settings_json
from services.runs.settings import BudgetSettings, RunConfig, SampleSource
from tests.cli.calling import run
from tests.parsed import walked
from tests.protocols.econcausal_pipeline.test_asking import sample as pipeline_sample
from tests.protocols.figures.test_benchmark import SAMPLE as FIGURE_SAMPLE
from tests.protocols.lee.test_samples import samples as lee_samples
from tests.protocols.proposed_codes.test_benchmark import SAMPLE as CODE_SAMPLE

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("cli", "core", "runs", "services", "store")
ACT = re.compile(r"(?!services\.|tests\.)[a-z_]+\.(?!id$|jsonl?$|csv$|parquet$|sqlite$|zip$|txt$)[a-z_]{3,}")
WORD = re.compile(r"[a-z][a-z0-9_ ]*")

COMMANDS = (
    "people list",
    "papers list",
    "papers locate --all",
    "assign",
    "declined",
    "release list",
    "release check 1",
    "credit",
    "runs list",
    "runs show 1",
    "runs show 4",
    "runs show 6",
    "runs steps 1",
    "cache stats",
    "cache list",
    "endpoints list",
    "models list",
    "samples list",
    "questions list",
    "verdicts audit --run 6",
    "run --samples 1 --models baselines --dry-run",
    "run --protocol causalgraph2llm --paper-set --samples 1 --models baselines --dry-run",
)
"""Commands about the demo study that need no file."""
GRAPH_COMMANDS = (
    "topology {graph}",
    "loops {graph}",
    "convert {graph} --to csv",
    "compare {graph} {other}",
    "graph encode {graph} --as json",
    "graph query {graph} --kind source",
    "graph count {other}",
    "score graphs {graph} {answer}",
)


def schema(store: Path) -> dict[str, list[str]]:
    """Table or index → its columns with types, or its statement."""
    with closing(sqlite3.connect(store)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1").fetchall()
        columns = {
            name: [" ".join(map(str, row[1:4])) for row in connection.execute(f"PRAGMA table_info({name})")]
            for (name,) in tables
        }
        indexes = connection.execute(
            "SELECT sql FROM sqlite_master WHERE type != 'table' AND sql IS NOT NULL"
        ).fetchall()
    return {**columns, "indexes and triggers": sorted(sql for (sql,) in indexes)}


def act_names() -> list[str]:
    """Acts of the history and the other dotted words that the product has as whole strings."""
    names = set[str]()
    for path in (path for folder in PRODUCT for path in (ROOT / folder).rglob("*.py")):
        for node in walked(path.read_text(encoding="utf-8")):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and ACT.fullmatch(node.value):
                names.add(node.value)
    return sorted(names)


def run_settings() -> dict[str, Any]:
    """A run's settings as JSON, every field set."""
    config = RunConfig(
        title="All set",
        source=SampleSource(("c1",), True),
        tasks=("task1",),
        variants=("context",),
        protocol="econcausal",
        models=("a card",),
        baselines=("random",),
        repeats=2,
        seed=3,
        most_samples=4,
        parameters={"temperature": 0},
        prompts_folder="prompts",
        options={"flip_rule": "target-sign", "threshold": 0.5},
        roles={"judge": ("a card",)},
        budget=BudgetSettings(usd=1.0, tokens=2, requests=3),
    )
    return settings_json(config)


def sample_hashes(store: Path) -> dict[str, list[str]]:
    """Protocol → the hash of a sample, and the hash of the request that asks it or of its first messages."""
    query = """SELECT r.protocol, min(s.sample_hash || ' ' || i.request_hash) FROM run r
        JOIN run_sample s ON s.run_id = r.id JOIN run_item i ON i.sample_id = s.id
        WHERE i.request_hash IS NOT NULL GROUP BY 1"""
    with closing(sqlite3.connect(store)) as connection:
        asked = {protocol: hashes.split() for protocol, hashes in connection.execute(query)}
    built = {
        "econcausal-pipeline": pipeline_sample("decide"),
        "figure-reading": FIGURE_SAMPLE,
        "lee": lee_samples()[0],
        "proposed-codes": CODE_SAMPLE,
        "lee-pipeline": _only_sample("lee-pipeline", "extract", {"abstracts": ABSTRACT}),
        "recite-texts": _only_sample(
            "recite-texts", "markdown", {"raw": {"part": 1, "parts": 1, "text": "Rain fell."}}
        ),
    }
    return {**asked, **{name: [sample.hash, _messages_hash(name, sample)] for name, sample in built.items()}}


ABSTRACT = {"key": "p", "title": "Wages", "abstract": "Wages fell.", "paper": "id", "year": 2020, "journal": "AER"}
ABSTRACT |= {"letters": ["J"]}
TASKS = {"lee-pipeline": ["extract", "easy"], "recite-texts": ["markdown"]}


def _only_sample(protocol: str, step: str, values: dict[str, Any]) -> Sample:
    settings: dict[str, Any] = {"roles": {}, "tasks": TASKS[protocol], "variants": ["standard"]}
    steps = {each.name: each for each in PROTOCOLS[protocol].steps(settings)}
    inputs = Inputs("p", {name: (Value(key="p", value=value, hash=name),) for name, value in values.items()})
    (sample,) = PROTOCOLS[protocol].samples(steps[step], inputs, settings).samples
    return sample


def _messages_hash(protocol: str, sample: Sample) -> str:
    benchmark = PROTOCOLS[protocol]
    names = benchmark.prompt_names(sample.task, sample.variant)
    prompts = {name: load(name, placeholders=benchmark.placeholders) for name in names}
    first = benchmark.next(sample, prompts, ())
    return content_hash([canonical(message) for message in first.messages])  # type: ignore[union-attr]


def json_keys(home: Path, folder: Path) -> dict[str, list[str]]:
    """Command → the keys of its JSON, each with the keys that it is in; a key that is data (a name, an ID) is *."""
    graph, other, answer = folder / "graph.csv", folder / "other.csv", folder / "answer.txt"
    graph.write_text("source,sink,sign\nRain,Harvest,+\nHarvest,Rain,-\n")
    other.write_text("source,sink,sign\nRain,Harvest,-\n")
    answer.write_text('{"relationships": [{"source": "Rain", "sink": "Harvest"}]}')
    store = str(home / "demo.edgewise")
    printed = {}
    for command in COMMANDS:
        printed[command] = run(*command.split(), "--json", "--store", store, EDGEWISE_HOME=str(home))
    for command in GRAPH_COMMANDS:
        words = command.format(graph=graph, other=other, answer=answer).split()
        printed[command] = run(*words, "--json", EDGEWISE_HOME=str(home))
    return {command: sorted(set(_keys(json.loads(done.stdout or done.stderr)))) for command, done in printed.items()}


def _keys(value: object, path: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            place = f"{path}.{key if WORD.fullmatch(key) else '*'}"
            yield place
            yield from _keys(part, place)
    elif isinstance(value, list):
        for part in value:
            yield from _keys(part, path)


def file_heads(home: Path, folder: Path) -> dict[str, list[str]]:
    """Exported file → the header of its table, or the keys of its first line of JSON; IDs in names of files are *."""
    store = str(home / "demo.edgewise")
    for words, name in (
        ("export", "edges.csv"),
        ("export --drafts --zip", "graphs.zip"),
        ("release export 1", "release.zip"),
        *((f"runs export {number}", f"run{number}.zip") for number in range(1, 7)),
        ("verdicts export --run 6", "verdicts.csv"),
        ("scores export", "scores.csv"),
    ):
        run(*words.split(), "--out", str(folder / name), "--store", store, EDGEWISE_HOME=str(home))
    heads: dict[str, list[str]] = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                files = {f"{path.name}/{name}": archive.read(name) for name in archive.namelist()}
        else:
            files = {str(path.relative_to(folder)): path.read_bytes()}
        for name, content in files.items():
            if name.endswith((".csv", ".tsv", ".jsonl")) and content:
                first = content.decode("utf-8-sig").split("\n")[0].strip()
                keys = sorted(set(_keys(json.loads(first)))) if name.endswith("jsonl") else next(csv.reader([first]))
                heads[re.sub(r"[0-9a-f]{6,}[0-9a-f-]*", "*", name)] = keys
    return heads
