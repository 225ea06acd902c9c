"""Exports of queries about graphs: one line per query, and chats for fine-tuning."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from sqlmodel import Session

from core.errors import BadInput
from core.messages import TextByHash, with_texts
from core.people import Permission, Viewer
from core.runs.windows import numbered
from core.seeded_random import draw
from core.words import counted
from protocols.causalgraph2llm.samples import KeyParts
from protocols.causalgraph2llm.tables import query_of
from protocols.causalgraph2llm.tasks import NAME, SCHEMA, TITLE, YES
from runs.numbered.derived import DerivedMessages
from services.acting import ReadContext, consulting
from services.runs.benchmarks import ExportTarget, Member, Outcome
from services.runs.exports.files import json_lines
from services.runs.exports.stored_samples import sample_as_stored
from services.runs.reading import find_run
from store.runs import exports, runs
from store.tables.runs import RunRow

ARGUMENTS = ("x", "a", "b", "node")
FINE = 1_000_000
"""Resolution of the random draw of a split."""


@dataclass(frozen=True, slots=True)
class WrittenChats:
    """Numbers of queries written to either file."""

    train: int
    held_out: int
    left_out: int  # the graph is not random, or was shown as a picture


def query_line(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the number, key, shown variables and true answer of a sample."""
    slots = row["slots"] or {}
    truth = row["truth"]["answer"] if row["truth"] else row["answer"] == YES
    args = {name: slots[name] for name in ARGUMENTS if name in slots}
    return {"number": row["place"], "key": row["key"], "args": args, "truth": truth}


def zip_members(r: ReadContext, row: RunRow) -> Iterator[Member]:
    rows = exports.samples(r.session, row.id, with_slots=True)
    yield "queries.jsonl", json_lines(map(query_line, rows))


def export_chats(
    viewer: Viewer, run_id: str, split: float, train: BinaryIO, held_out: BinaryIO, *, seed: int = 1
) -> WrittenChats:
    """Write the queries about random graphs of a run as chats that end with the true answer. A query is in one file in
    all its encodings, in `train` with probability `split`. Raises Missing without such a run, BadInput for another
    protocol, for a split outside 0–1 and for a run without random graphs."""
    if not 0 < split <= 1:
        raise BadInput(f"Split: found {split:g}; expected a share above 0 and at most 1.")
    with consulting(viewer, Permission.EXPORT) as r:
        row = find_run(r.session, run_id)
        derived = DerivedMessages.of(r.session, row) if row.protocol == NAME else None
        if derived is None:
            raise BadInput(f"Run {row.number} is not one of {TITLE}: it has no queries about graphs.")
        random_ones = _random_graphs(r.session, row)
        if not random_ones:
            raise BadInput(f"Run {row.number} asks about no random graph. Only queries about these make chats.")
        written = {True: 0, False: 0}
        left_out = 0
        texts: dict[str, str] = {}
        for sample_row in exports.samples(r.session, row.id, with_slots=True):
            if KeyParts.of(sample_row["key"])[0] not in random_ones or "picture" in sample_row["slots"]:
                left_out += 1
                continue
            is_train = draw(seed, f"chat/{query_of(sample_row['key'])}", 0, FINE) < split * FINE
            messages = derived.messages(sample_as_stored(sample_row))
            hashes = {part.hash for message in messages for part in message.parts if isinstance(part, TextByHash)}
            texts.update(runs.texts(r.session, hashes - texts.keys()))
            prompt = [with_texts(message, texts) for message in messages]
            chat = [{"role": one.role, "content": one.text} for one in prompt]
            true = sample_row["truth"]["answer"] if sample_row["truth"] else None
            answer = sample_row["answer"].title() if true is None else f"[{', '.join(true)}]" if true else "Null"
            chat.append({"role": "assistant", "content": f"<{SCHEMA.key}>{answer}</{SCHEMA.key}>"})
            line = json.dumps({"messages": chat}, ensure_ascii=False) + "\n"
            (train if is_train else held_out).write(line.encode())
            written[is_train] += 1
    return WrittenChats(written[True], written[False], left_out)


def _random_graphs(session: Session, row: RunRow) -> set[str]:
    numbers = numbered(row.manifest)
    assert numbers is not None, "its samples are numbered"
    sources = runs.texts(session, numbers.sources.values())
    values = [each["value"] for text in sources.values() for each in json.loads(text)]
    return {value["name"] for value in values if "recipe" in value or value.get("from") == "generated"}


def chat(viewer: Viewer, runs: Sequence[str], target: ExportTarget) -> Outcome:
    """Write the queries about random graphs of one run with their true answers to two files (an `ExportForm`).
    Raises BadInput for several runs or none."""
    if len(runs) != 1:
        raise BadInput(f"Found {counted(len(runs), 'run')}; expected one.")
    path = target.path or Path("chat.jsonl")
    held_out = path.with_name(f"{path.stem}-held-out{path.suffix}")
    with target.open(path) as train, target.open(held_out) as rest:
        written = export_chats(viewer, runs[0], target.split, train, rest, seed=target.seed)
    chats, left_out = counted(written.train, "chat"), f"{written.left_out:,}"
    words = f"Wrote {path} ({chats}) and {held_out} ({written.held_out:,}); left out {left_out}."
    return Outcome({"path": str(path), "held_out_path": str(held_out), **asdict(written)}, words)
