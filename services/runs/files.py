"""A run to take away: every item with all that was asked and answered, the ledger, the texts and a manifest. The same
state of a run gives the same bytes; no key and no person's name is in it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from sqlmodel import Session

from core.people import May, Viewer
from exchange.archive import write_archive
from runs.endpoint.redaction import keys_in, without_keys
from services.acting import consulting
from services.files import ExportedFile
from services.runs.reading import find_run
from store.runs import exports, runs
from store.tables.runs import RunRow
from store.triplets import triplets

FORMAT, VERSION = "edgewise run", 1
README = """\
This is one run of models on one protocol, as Edgewise stores it.

items.jsonl      one line for each sample asked of each model: what was asked (hashes of prompt, sample and request),
                 the reply (raw, text, reasoning, tokens, cost, latency, finish reason) and what was made of it
                 (status, predicted label, whether it is right, score, parse stage, repaired text, probabilities)
samples.jsonl    one line for each sample: its messages by the hash of their text, the true answer, what tables group by
texts.jsonl      every text that messages and prompts name by its hash, once
attempts.jsonl   the ledger: one line for each attempt to send a request; with state "unsent" it was not sent, since no
                 connection was made
manifest.json    settings, prices, hashes of everything above, sources and their licences

Undefined values are null. Times are UTC. Costs are US dollars. Every number of a table can be derived again from
items.jsonl.
"""


def export_run(viewer: Viewer, run_id: str) -> ExportedFile:
    """A run as a zip of JSON lines with its manifest. `run_id` may be its number. Raises Missing if there is none."""
    with consulting(viewer, May.EXPORT) as r:
        row = find_run(r.session, run_id)
        members = run_members(r.session, row)
    name = f"{r.study.name}-run-{row.number}.zip"
    return ExportedFile(name, "application/zip", write_archive(members))


def run_members(session: Session, row: RunRow) -> list[tuple[str, bytes]]:
    """(path, bytes) of the files of a run's export, the manifest last."""
    samples: dict[int, dict[str, Any]] = {}
    items = []
    for item, sample, reply in exports.items(session, row.id):
        samples.setdefault(sample["place"], sample)
        items.append(_item(row, item, sample, reply))
    hashes = {text for sample in samples.values() for _role, text in sample["messages"]}
    hashes |= {each["text"] for each in row.manifest["prompts"]}
    texts = runs.texts(session, hashes)
    files = [
        ("README.txt", README.encode()),
        ("items.jsonl", _lines(items)),
        ("samples.jsonl", _lines(samples.values())),
        ("texts.jsonl", _lines({"hash": key, "text": texts[key]} for key in sorted(texts))),
        ("attempts.jsonl", _lines(exports.attempts(session, row.id))),
    ]
    return [*files, ("manifest.json", _manifest(session, row, files))]


def _item(row: RunRow, item: Mapping[str, Any], sample: Mapping[str, Any], reply: Mapping[str, Any]) -> dict[str, Any]:
    about = row.settings["models"].get(item["model"], {})
    endpoint = about.get("endpoint", {})
    request = reply.get("request", {})
    return {
        "run": row.id,
        "run_number": row.number,
        "protocol": row.protocol,
        "protocol_version": row.protocol_version,
        "item": item["id"],
        "sample_place": sample["place"],
        "task": sample["task"],
        "variant": sample["variant"],
        "key": sample["key"],
        "sample_hash": sample["sample_hash"],
        "prompt": sample["prompt"],
        "prompt_hash": sample["prompt_hash"],
        "model": item["model"],
        "kind": about.get("kind"),
        "provider": about.get("provider"),
        "endpoint": endpoint.get("name"),
        "base_url": endpoint.get("base_url"),
        "asked_as": about.get("model"),
        "parameters": request.get("parameters", about.get("parameters")),
        "repeat": item["repeat"],
        "request_hash": item["request_hash"],
        "answer": sample["answer"],
        "status": item["status"],
        "predicted": item["predicted"],
        "error": item["fault"] or None,
        "is_right": item["is_right"],
        "score": item["score"],
        "parts": item["parts"],
        "rung": item["rung"] or None,
        "parsed": item["parsed"],
        "repaired": item["repaired"],
        "probabilities": item["probabilities"],
        "attempts": item["attempts"],
        "was_cached": item["was_cached"],
        "done_at": item["done_at"],
        **{
            name: reply.get(name)
            for name in (
                "raw",
                "text",
                "reasoning",
                "refusal",
                "finish_reason",
                "logprobs",
                "tokens_in",
                "tokens_out",
                "tokens_cached",
                "tokens_reasoning",
                "cost_usd",
                "latency_s",
                "provider_model",
                "provider_id",
                "received_at",
            )
        },
    }


def _manifest(session: Session, row: RunRow, files: Iterable[tuple[str, bytes]]) -> bytes:
    sources = {key: about for key, about, _version in triplets.collections(session)}
    wanted = row.settings["wanted"]["source"]["collections"]
    content = {
        "format": FORMAT,
        "version": VERSION,
        "run": {
            "id": row.id,
            "number": row.number,
            "title": row.title,
            "protocol": row.protocol,
            "protocol_version": row.protocol_version,
            "state": row.state,
            "reason": row.reason or None,
            "created_at": row.created_at,
            "started_at": row.started_at,
            "finished_at": row.finished_at,
        },
        "settings": row.settings,
        "made_of": row.manifest,
        "sources": [
            {"collection": key, "title": sources[key]["title"], "licence": sources[key]["licence"] or None}
            for key in wanted
            if key in sources
        ],
        "files": {name: hashlib.sha256(written).hexdigest() for name, written in files},
    }
    return _without_keys(json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True, default=_plain) + "\n")


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return _without_keys("".join(_written(rows)))


def _written(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for row in rows:
        yield json.dumps(row, ensure_ascii=False, sort_keys=True, default=_plain) + "\n"


def _without_keys(text: str) -> bytes:
    """Bodies are kept without keys; should one have come in by another way, it does not leave by this one."""
    keys = [key for key in keys_in() if key in text]
    return (without_keys(text, keys) if keys else text).encode("utf-8", "surrogatepass")


def _plain(value: object) -> str:
    """Moments of a run."""
    assert isinstance(value, datetime), f"{value!r} has no form in JSON"
    return value.isoformat()
