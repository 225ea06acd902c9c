"""Queries about graphs as files beside a run: one line for each query, and chats to tune a model with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from sqlmodel import Session

from core.draws import draw
from core.errors import BadInput
from core.messages import Kept, Messages, with_texts
from core.people import May, Viewer
from core.runs.windows import numbered
from core.words import counted
from protocols.causalgraph2llm.samples import KeyParts
from protocols.causalgraph2llm.tables import query_of
from protocols.causalgraph2llm.tasks import NAME, SCHEMA, TITLE, YES
from runs.numbered.derived import DerivedMessages
from services.acting import Reading, consulting
from services.runs.benchmarks import ExportTarget, Member, Outcome
from services.runs.exports.files import json_lines
from services.runs.exports.stored_samples import kept_sample
from services.runs.reading import find_run
from store.runs import exports, runs
from store.tables.runs import RunRow

ARGUMENTS = ("x", "a", "b", "node")
FINE = 1_000_000
"""Parts that a split is drawn in."""


@dataclass(frozen=True, slots=True)
class WrittenChats:
    """How many queries were written to either file, and how many were left out since their graph is not random or was
    shown as a picture."""

    train: int
    held_out: int
    left_out: int


def query_line(row: Mapping[str, Any]) -> dict[str, Any]:
    """A sample's number, key, the variables it names as they are shown, and what is true."""
    slots = row["slots"] or {}
    truth = row["truth"]["answer"] if row["truth"] else row["answer"] == YES
    args = {name: slots[name] for name in ARGUMENTS if name in slots}
    return {"number": row["place"], "key": row["key"], "args": args, "truth": truth}


def zip_members(r: Reading, row: RunRow) -> Iterator[Member]:
    """A line for each query of a run."""
    rows = exports.samples(r.session, row.id, with_slots=True)
    yield "queries.jsonl", json_lines(map(query_line, rows))


def export_chats(
    viewer: Viewer, run_id: str, split: float, train: BinaryIO, held_out: BinaryIO, *, seed: int = 1
) -> WrittenChats:
    """Write the queries about random graphs of a run as chats, in which the true answer is given: a query however it is
    told goes to one of the files, to `train` with the chance `split`. Raises Missing without such a run, BadInput for
    one of another protocol, for a split outside of 0–1, and where no graph is random."""
    if not 0 < split <= 1:
        raise BadInput(f"Split: found {split:g}; expected a share above 0 and at most 1.")
    with consulting(viewer, May.EXPORT) as r:
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
        for each in exports.samples(r.session, row.id, with_slots=True):
            if KeyParts.of(each["key"])[0] not in random_ones or "picture" in each["slots"]:
                left_out += 1
                continue
            is_train = draw(seed, f"chat/{query_of(each['key'])}", 0, FINE) < split * FINE
            said = _whole(r.session, derived.messages(kept_sample(each)), texts)
            chat = [{"role": one.role, "content": one.text} for one in said]
            chat.append({"role": "assistant", "content": _answer(each)})
            line = json.dumps({"messages": chat}, ensure_ascii=False) + "\n"
            (train if is_train else held_out).write(line.encode())
            written[is_train] += 1
    return WrittenChats(written[True], written[False], left_out)


def _answer(row: Mapping[str, Any]) -> str:
    true = row["truth"]["answer"] if row["truth"] else None
    said = row["answer"].title() if true is None else f"[{', '.join(true)}]" if true else "Null"
    return f"<{SCHEMA.key}>{said}</{SCHEMA.key}>"


def _whole(session: Session, messages: Messages, texts: dict[str, str]) -> Messages:
    named = {part.hash for each in messages for part in each.parts if isinstance(part, Kept)}
    texts.update(runs.texts(session, named - texts.keys()))
    return tuple(with_texts(each, texts) for each in messages)


def _random_graphs(session: Session, row: RunRow) -> set[str]:
    numbers = numbered(row.manifest)
    assert numbers is not None, "its samples are numbered"
    kept = runs.texts(session, numbers.sources.values())
    values = [each["value"] for text in kept.values() for each in json.loads(text)]
    return {value["name"] for value in values if "recipe" in value or value.get("from") == "generated"}


def chat(viewer: Viewer, runs: Sequence[str], target: ExportTarget) -> Outcome:
    """As `ExportForm`: queries about random graphs of one run with their true answers, in two files. Raises BadInput
    for several runs or none."""
    if len(runs) != 1:
        raise BadInput(f"Found {counted(len(runs), 'run')}; expected one.")
    path = target.path or Path("chat.jsonl")
    held = path.with_name(f"{path.stem}-held-out{path.suffix}")
    with target.open(path) as train, target.open(held) as rest:
        made = export_chats(viewer, runs[0], target.split, train, rest, seed=target.seed)
    words = f"Wrote {path} ({counted(made.train, 'chat')}) and {held} ({made.held_out:,}); left out {made.left_out:,}."
    return Outcome({"path": str(path), "held_out_path": str(held), **asdict(made)}, words)
