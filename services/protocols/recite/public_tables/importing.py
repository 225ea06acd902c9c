"""Keeping files of responses and evaluations: runs that are done, with every reply as it came, read by our reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core.errors import Missing, Refused
from core.people import May, Receipt, Viewer
from core.runs.states import ItemStatus, ModelKind, RunState
from core.words import counted, whole
from exchange.recite_responses import PublicKind, PublicTable
from protocols.protocol import BenchmarkProtocol
from protocols.samples import Sample, content_hash
from protocols.steps import kept_names
from runs.ledger_rows import outcome_row
from runs.unsent.imported import ELSEWHERE, IMPORTED
from services.acting import Writing, consulting, perform
from services.exchange.file_reading import read_public
from services.graphs.import_reading import clean_licence
from services.protocols.recite.public_tables.evaluations import read_evaluations
from services.protocols.recite.public_tables.read_runs import ReadItem, ReadRun
from services.protocols.recite.public_tables.reading import FoundRows, file_id, fit_rows, runs_of_file
from services.protocols.recite.public_tables.responses import read_responses
from services.runs.judge_looks import look_at_run
from services.runs.settings import BudgetSettings
from services.runs.wanted import kept
from store.runs import imports, items, model_cards, replies, rounds, runs
from store.tables.runs import ModelCardRow


def import_public(
    viewer: Viewer,
    name: str,
    content: bytes,
    kind: PublicKind,
    *,
    with_faulty: bool,
    table: str = "",
    licence: str = "",
    act_id: str,
) -> Receipt:
    """Keep a file of responses, as a run for each model and task type, or one of evaluations, as one run of judges; the
    receipt's subject is the first run. `table`: that the responses are about; default: the one that has most of their
    samples. `with_faulty` leaves faulty rows out, and the history says how many; without it the first is raised.

    Raises BadInput or BadRow for a file that cannot be read, Missing if no row of it fits, Refused for a file that was
    imported before; then nothing is kept.
    """

    with consulting(viewer, May.CURATE):
        pass  # nobody else may make us parse a file
    name, licence = whole(name), clean_licence(licence)
    read = read_public(name, content, kind)
    if read.table is None:
        raise read.refusal or AssertionError("a file is read or refused")
    file = file_id(content)
    with consulting(viewer, May.CURATE) as r:
        _refuse_known(r.session, file)
        found = fit_rows(r.session, read.table, file, table)
        if found.faults and not with_faulty:
            raise found.faults[0]
        if not found.fit:
            raise Missing(f"{name} has no row that fits: each has a fault.")
        reader = read_responses if kind is PublicKind.RESPONSES else read_evaluations
        made = reader(r.session, found, r.study.clock())
        cards = {row.name: row for row in model_cards.cards(r.session)}
    told = _told(read.table, licence)

    def act(w: Writing) -> Receipt:
        _refuse_known(w.session, file)
        written = [_write(w, each, found, told, licence, cards) for each in made]
        for run, each in zip(made, written, strict=True):
            look_at_run(w, {"wanted": kept(run.wanted)}, each.run_id)  # who brings a file of verdicts has it
        payload = {
            "numbers": [each.number for each in written],
            "file": name,
            "kind": kind.value,
            "licence": licence,
            "rows": len(found.fit),
            "left_out": len(found.faults),
        }
        return w.record("run.import", "run", written[0].run_id, payload=payload)

    return perform(viewer, May.CURATE, act_id, act)


def _refuse_known(session: Any, file: str) -> None:
    if earlier := runs_of_file(session, file):
        numbers = ", ".join(str(row.number) for row in earlier)
        which = "run" if len(earlier) == 1 else "runs"
        raise Refused(f"This file is already in the study, as {which} {numbers}. Nothing was imported.")


def _told(table: PublicTable, licence: str) -> str:
    return f"Imported from {table.name}, a table of {counted(table.rows, 'row')}; licence {licence or 'unknown'}."


def _write(
    w: Writing, made: ReadRun, found: FoundRows, told: str, licence: str, cards: Mapping[str, ModelCardRow]
) -> runs.Inserted:
    models = dict.fromkeys([*made.wanted.models, *made.helpers])
    snapshots = {name: _snapshot(name, cards.get(name)) for name in models}
    settings = {
        "models": snapshots,
        **({"roles": {name: list(those) for name, those in made.wanted.roles.items()}} if made.wanted.roles else {}),
        "budget": asdict(BudgetSettings()),
        "seed": made.wanted.seed,
        "repeats": made.wanted.repeats,
        **kept_names(made.protocol.steps(kept(made.wanted))),
        "wanted": kept(made.wanted),
        IMPORTED: {
            "kind": found.table.kind.value,
            "name": found.table.name,
            "file": found.file,
            "licence": licence,
            "rows": found.table.rows,
            "columns": [[each.name, each.form] for each in found.table.columns],
            "about": found.about,
        },
    }
    run = runs.NewRun(
        title=made.wanted.title,
        protocol=made.protocol.name,
        protocol_version=made.protocol.version,
        settings=settings,
        manifest=_manifest(made, found, told, snapshots),
        created_by=w.actor.id,
    )
    new = [_new_sample(made.protocol, each) for each in made.samples]
    asked = [runs.NewItem(each.sample, each.model, each.repeat, each.replies[0]["request_hash"]) for each in made.items]
    inserted = runs.insert_run(w.session, run, new, asked, w.now)
    _keep_replies(w, [*(row for each in made.items for row in each.replies), *made.beside])
    _settle(w, inserted.run_id, made.items)
    runs.set_state(w.session, inserted.run_id, RunState.DONE, "", w.now, only_from=(RunState.QUEUED,))
    return inserted


def _keep_replies(w: Writing, rows: Sequence[Mapping[str, Any]]) -> None:
    once = list({row["request_hash"]: row for row in rows}.values())
    for start in range(0, len(once), runs.CHUNK):
        replies.insert_replies(w.session, once[start : start + runs.CHUNK])


def _settle(w: Writing, run_id: str, made: Sequence[ReadItem]) -> None:
    ids = imports.item_ids(w.session, run_id)
    found = [(ids[each.sample, each.model, each.repeat], each) for each in made]
    rows = [outcome_row(key, each.replies[0]["request_hash"], each.outcome, 0, False, w.now) for key, each in found]
    for start in range(0, len(rows), runs.CHUNK):
        items.settle(w.session, rows[start : start + runs.CHUNK])
    further = [
        {
            "item_id": key,
            "number": number,
            "purpose": each.purpose,
            "model": each.helper,
            "request_hash": reply["request_hash"],
            "status": ItemStatus.ANSWERED.value,
            "fault": "",
        }
        for key, each in found
        for number, reply in enumerate(each.replies[1:], 2)
    ]
    for start in range(0, len(further), runs.CHUNK):
        rounds.keep(w.session, further[start : start + runs.CHUNK])


def _manifest(made: ReadRun, found: FoundRows, told: str, snapshots: Mapping[str, Any]) -> dict[str, Any]:
    pairs = Counter(f"{each.task}/{each.variant}" for each in made.samples)
    return {
        "hashes": {
            "samples": content_hash(sorted(each.hash for each in made.samples)),
            "requests": content_hash(sorted(each.replies[0]["request_hash"] for each in made.items)),
            "models": content_hash(dict(snapshots)),
            "wanted": content_hash(kept(made.wanted)),
            **{f"source {title}": key for title, key in made.sources.items()},
            f"file {found.table.name}": found.file,
        },
        "prompts": [],
        "prompts_folder": "",
        "made": {pair: {"found": many, "asked": many} for pair, many in pairs.items()},
        "parameters": {},
        "deviations": [],
        "excluded": [],
        "notices": [told, *made.notices],
    }


def _new_sample(protocol: BenchmarkProtocol, sample: Sample) -> runs.NewSample:
    return runs.NewSample(
        task=sample.task,
        variant=sample.variant,
        key=sample.key,
        sample_hash=sample.hash,
        answer=sample.answer,
        facts=sample.facts,
        messages=(),
        subject=sample.subject,
        truth=sample.truth,
        labels=protocol.face(sample).labels,
    )


def _snapshot(name: str, card: ModelCardRow | None) -> dict[str, Any]:
    """What a run keeps of a model that answered elsewhere; what a card of this name says of it stands there too."""
    about = ("provider", "family", "parameters_b", "is_open_weight", "knowledge_cutoff", "context_length")
    nothing: dict[str, Any] = dict.fromkeys(about) | {"provider": "", "family": ""}
    is_asked = card is not None and card.kind in (ModelKind.INSTRUCT, ModelKind.REASONING)
    return {
        "kind": card.kind if card is not None and is_asked else ModelKind.INSTRUCT.value,
        "model": name,
        **(nothing if card is None else {each: getattr(card, each) for each in about}),
        "prices": dict.fromkeys(("input", "cached", "output")),
        "parameters": {},
        "endpoint": {
            "name": ELSEWHERE.removesuffix(":"),
            "base_url": ELSEWHERE,
            "key_variable": "",
            "requests_per_minute": None,
            "tokens_per_minute": None,
            "concurrency": 1,
            "deadline_s": 120.0,
            "most_bytes": 2_000_000,
            "version": 0,
        },
    }
