"""Import of responses and evaluations as finished runs, with every reply, parsed by our parser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core.errors import Missing, Refused
from core.people import Permission, Receipt, Viewer
from core.runs.states import ItemStatus, ModelKind, RunState
from core.words import counted, whole
from exchange.recite_responses import PublicKind
from protocols.protocol import BenchmarkProtocol
from protocols.samples import Sample, content_hash
from protocols.steps import names_of_steps
from runs.ledger_rows import outcome_row
from runs.offline.imported import ELSEWHERE, IMPORTED
from services.acting import Writing, consulting, perform
from services.exchange.file_reading import read_public
from services.graphs.import_reading import clean_licence
from services.protocols.recite.public_tables.evaluations import read_evaluations
from services.protocols.recite.public_tables.read_runs import ReadItem, ReadRun
from services.protocols.recite.public_tables.reading import FoundRows, file_id, fit_rows, runs_of_file
from services.protocols.recite.public_tables.responses import read_responses
from services.runs.judge_exposure import record_run_exposure
from services.runs.run_settings import settings_json
from services.runs.settings import BudgetSettings
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
    """Import responses as a run for each model and task type, or evaluations as one run of judges.

    The receipt's subject is the first run. `table`: table of the responses; by default the one with most of their
    samples. With `with_faulty` faulty rows are left out and counted in the history; otherwise the first is raised.
    Raises BadInput or BadRow for an unreadable file, Missing if no row fits, Refused for a file that was imported
    before; then nothing is stored."""

    with consulting(viewer, Permission.CURATE):
        pass  # nobody else may make us parse a file
    name, licence = whole(name), clean_licence(licence)
    read = read_public(name, content, kind)
    if read.table is None:
        raise read.refusal or AssertionError("a file is read or refused")
    file = file_id(content)
    with consulting(viewer, Permission.CURATE) as r:
        _refuse_known(r.session, file)
        rows = fit_rows(r.session, read.table, file, table)
        if rows.faults and not with_faulty:
            raise rows.faults[0]
        if not rows.fit:
            raise Missing(f"{name} has no row that fits: each has a fault.")
        reader = read_responses if kind is PublicKind.RESPONSES else read_evaluations
        new_runs = reader(r.session, rows, r.study.clock())
        cards = {row.name: row for row in model_cards.cards(r.session)}
    rows_in_table = counted(read.table.rows, "row")
    notice = f"Imported from {read.table.name}, a table of {rows_in_table}; licence {licence or 'unknown'}."

    def act(w: Writing) -> Receipt:
        _refuse_known(w.session, file)
        written = [_write(w, each, rows, notice, licence, cards) for each in new_runs]
        for run, each in zip(new_runs, written, strict=True):
            record_run_exposure(
                w, {"wanted": settings_json(run.wanted)}, each.run_id
            )  # the person who imports verdicts has seen them
        payload = {
            "numbers": [each.number for each in written],
            "file": name,
            "kind": kind.value,
            "licence": licence,
            "rows": len(rows.fit),
            "left_out": len(rows.faults),
        }
        return w.record("run.import", "run", written[0].run_id, payload=payload)

    return perform(viewer, Permission.CURATE, act_id, act)


def _refuse_known(session: Any, file: str) -> None:
    if earlier := runs_of_file(session, file):
        numbers = ", ".join(str(row.number) for row in earlier)
        which = "run" if len(earlier) == 1 else "runs"
        raise Refused(f"This file is already in the study, as {which} {numbers}. Nothing was imported.")


def _write(
    w: Writing, new_run: ReadRun, rows: FoundRows, notice: str, licence: str, cards: Mapping[str, ModelCardRow]
) -> runs.Inserted:
    models = dict.fromkeys([*new_run.wanted.models, *new_run.helpers])
    snapshots = {name: _snapshot(name, cards.get(name)) for name in models}
    settings = {
        "models": snapshots,
        **(
            {"roles": {name: list(names) for name, names in new_run.wanted.roles.items()}}
            if new_run.wanted.roles
            else {}
        ),
        "budget": asdict(BudgetSettings()),
        "seed": new_run.wanted.seed,
        "repeats": new_run.wanted.repeats,
        **names_of_steps(new_run.protocol.steps(settings_json(new_run.wanted))),
        "wanted": settings_json(new_run.wanted),
        IMPORTED: {
            "kind": rows.table.kind.value,
            "name": rows.table.name,
            "file": rows.file,
            "licence": licence,
            "rows": rows.table.rows,
            "columns": [[each.name, each.form] for each in rows.table.columns],
            "about": rows.about,
        },
    }
    run = runs.NewRun(
        title=new_run.wanted.title,
        protocol=new_run.protocol.name,
        protocol_version=new_run.protocol.version,
        settings=settings,
        manifest=_manifest(new_run, rows, notice, snapshots),
        created_by=w.actor.id,
    )
    new = [_new_sample(new_run.protocol, each) for each in new_run.samples]
    new_items = [
        runs.NewItem(each.sample, each.model, each.repeat, each.replies[0]["request_hash"]) for each in new_run.items
    ]
    inserted = runs.insert_run(w.session, run, new, new_items, w.now)
    all_replies = [*(row for each in new_run.items for row in each.replies), *new_run.beside]
    once = list({row["request_hash"]: row for row in all_replies}.values())
    for start in range(0, len(once), runs.CHUNK):
        replies.insert_replies(w.session, once[start : start + runs.CHUNK])
    _settle(w, inserted.run_id, new_run.items)
    runs.set_state(w.session, inserted.run_id, RunState.DONE, "", w.now, only_from=(RunState.QUEUED,))
    return inserted


def _settle(w: Writing, run_id: str, read_items: Sequence[ReadItem]) -> None:
    ids = imports.item_ids(w.session, run_id)
    with_ids = [(ids[each.sample, each.model, each.repeat], each) for each in read_items]
    rows = [outcome_row(key, each.replies[0]["request_hash"], each.outcome, 0, False, w.now) for key, each in with_ids]
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
        for key, each in with_ids
        for number, reply in enumerate(each.replies[1:], 2)
    ]
    for start in range(0, len(further), runs.CHUNK):
        rounds.keep(w.session, further[start : start + runs.CHUNK])


def _manifest(new_run: ReadRun, rows: FoundRows, notice: str, snapshots: Mapping[str, Any]) -> dict[str, Any]:
    pairs = Counter(f"{each.task}/{each.variant}" for each in new_run.samples)
    return {
        "hashes": {
            "samples": content_hash(sorted(each.hash for each in new_run.samples)),
            "requests": content_hash(sorted(each.replies[0]["request_hash"] for each in new_run.items)),
            "models": content_hash(dict(snapshots)),
            "wanted": content_hash(settings_json(new_run.wanted)),
            **{f"source {title}": key for title, key in new_run.sources.items()},
            f"file {rows.table.name}": rows.file,
        },
        "prompts": [],
        "prompts_folder": "",
        "made": {pair: {"found": many, "asked": many} for pair, many in pairs.items()},
        "parameters": {},
        "deviations": [],
        "excluded": [],
        "notices": [notice, *new_run.notices],
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
        labels=protocol.summary(sample).labels,
    )


def _snapshot(name: str, card: ModelCardRow | None) -> dict[str, Any]:
    """Return the stored snapshot of a model that was asked elsewhere, with the facts of a card of this name."""
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
