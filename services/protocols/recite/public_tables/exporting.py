"""ReCITE's three public tables from a study: samples, responses and evaluations of its runs.

An imported file is written as it was: every cell, its columns, types, nulls and order. Runs of this study have the
usual columns, with ids as text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import Session

from core.errors import Missing, Refused
from core.people import Permission, Viewer
from core.runs.states import ItemStatus, RunState
from core.verdicts.labels import EARLIER_WORDING, RECALL, Section, swap_abstraction
from core.verdicts.scores import score_tallies
from core.verdicts.tallies import read_tally
from core.words import counted
from exchange.recite import ReciteRow, without_controls, write_default
from exchange.recite_responses import COLUMNS, PublicKind, PublicRow, write_public_table
from exchange.typed_columns import Column
from protocols.recite.judge.tasks import GENERATION_TASKS, judges, wording_of
from protocols.recite.samples import TEXT
from protocols.recite.tasks import NAME, SOURCES, TABLE
from runs.offline.imported import IMPORTED, cells_of, hash_of_row
from services.acting import consulting
from services.files import ExportedFile
from services.graphs.sample_tables import PARQUET, table_file
from services.protocols.recite.answers import ANSWERS_OF
from services.protocols.recite.public_tables.reading import TASK_TYPE_OF
from services.runs.exports.noted_truths import note_truths
from services.runs.exports.private_texts import PrivateTexts, private_texts
from services.runs.judge_exposure import record_run_exposure, refuse_run
from services.runs.reading import find_run
from store.runs import imports, items, rounds, runs
from store.tables.runs import RunRow

FINE_GRAINED = "fine_grained"
SWAPPED = (
    "Run {}: BROADER and NARROWER change places in recall, where its judges were told the reverse of the paper. "
    "No score changes."
)
Cells = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicTables:
    """The files and their contents."""

    files: tuple[ExportedFile, ...]
    counts: Mapping[str, int]  # table name → rows
    runs: tuple[int, ...]
    left_out: tuple[str, ...] = ()  # sentences on what the tables cannot hold
    changed: tuple[str, ...] = ()  # sentences on what differs from the stored run


@dataclass(kw_only=True)
class _Rows:
    """Rows of one table."""

    kind: PublicKind
    cells: list[Cells] = field(default_factory=list)
    files: dict[str, Mapping[str, Any]] = field(default_factory=dict)  # settings of imported files with such rows
    own: bool = False  # some rows are not from an imported file

    def write(self) -> bytes:
        if len(self.files) == 1 and not self.own:
            (settings,) = self.files.values()
            return write_public_table([Column(str(name), form) for name, form in settings["columns"]], self.cells)
        return write_public_table(COLUMNS[self.kind], [_with_usual_columns(self.kind, each) for each in self.cells])


def export_public(viewer: Viewer, run_ids: Sequence[str] = ()) -> PublicTables:
    """Write the three tables of these runs and of the runs that they judge or are judged by. Runs are given by number
    or id; by default all finished ones. A table without rows is left out. Raises Missing for an unknown run and if
    there is nothing to write, Refused for runs about different samples, for two responses with one id, and while the
    viewer labels verdicts of these runs."""
    with consulting(viewer, Permission.EXPORT) as r:
        session = r.session
        chosen = _chosen_runs(session, run_ids)
        generations = [row for row in chosen if not judges(row.settings["wanted"])]
        if not generations:
            raise Missing("There is no finished run of graphs from texts to write.")
        left_out: list[str] = []
        responses = _Rows(kind=PublicKind.RESPONSES)
        ids = _responses(session, generations, responses, left_out)
        evaluations, changed = _Rows(kind=PublicKind.EVALUATIONS), list[str]()
        for row in chosen:
            refuse_run(r, row.id)
            if judges(row.settings["wanted"]):
                record_run_exposure(r, row.settings, row.id)
                _evaluations(session, row, ids, evaluations, left_out)
                if wording_of(row.manifest) == EARLIER_WORDING:
                    changed.append(SWAPPED.format(row.number))
        private = [private_texts(session, row) for row in chosen]
        for row, each in zip(chosen, private, strict=True):
            left_out += each.sentences(row.number)
        for table in (responses, evaluations):
            table.cells = [_without(private, cells) for cells in table.cells]
        samples, many = _samples(session, generations, private)
        note_truths(r, generations)
    files = [ExportedFile("default.parquet", PARQUET, samples)]
    files += [ExportedFile(f"{each.kind.value}.parquet", PARQUET, each.write()) for each in (responses, evaluations)]
    counts = {"default": many, "responses": len(responses.cells), "evaluations": len(evaluations.cells)}
    return PublicTables(
        files=tuple(file for file, row_count in zip(files, counts.values(), strict=True) if row_count),
        counts=counts,
        runs=tuple(row.number for row in chosen),
        left_out=tuple(left_out),
        changed=tuple(changed),
    )


def can_export(viewer: Viewer) -> bool:
    with consulting(viewer, Permission.EXPORT) as r:
        return any(row.protocol == NAME and _is_done(row) for row in runs.runs(r.session))


def _chosen_runs(session: Session, run_ids: Sequence[str]) -> list[RunRow]:
    finished = {row.id: row for row in reversed(runs.runs(session)) if row.protocol == NAME and _is_done(row)}
    if not run_ids:
        return list(finished.values())
    named = {row.id: row for row in (find_run(session, each) for each in run_ids)}
    if wrong := next((row for row in named.values() if row.protocol != NAME or not _is_done(row)), None):
        raise Refused(f"Run {wrong.number} is no finished run of graphs from texts.")
    judged = {key for row in named.values() for key in _judged_run_ids(row)}
    also = (
        row.id
        for row in finished.values()
        if judges(row.settings["wanted"]) and named.keys() & set(_judged_run_ids(row))
    )
    ids = {*named, *judged, *also}
    every = sorted({**finished, **named}.values(), key=lambda row: row.number)
    return [row for row in every if row.id in ids]


def _is_done(row: RunRow) -> bool:
    return RunState(row.state) is RunState.DONE


def _judged_run_ids(row: RunRow) -> tuple[str, ...]:
    prefix = f"source {ANSWERS_OF}"
    return tuple(str(key) for title, key in row.manifest["hashes"].items() if title.startswith(prefix))


# --- samples ------------------------------------------------------------------------------------------------------


def _without(private: Sequence[PrivateTexts], cells: Cells) -> Cells:
    for each in private:
        cells = each.in_row(cells)
    return cells


def _samples(session: Session, run_rows: Sequence[RunRow], private: Sequence[PrivateTexts]) -> tuple[bytes, int]:
    configs = [(row, row.settings["wanted"]) for row in run_rows]
    sources = {tuple(str(config.get(name) or "") for name in SOURCES): row for row, config in configs}
    if len(sources) > 1:
        numbers = " and ".join(str(row.number) for row in list(sources.values())[:2])
        raise Refused(f"Runs {numbers} are about different samples. Write them one after the other.")
    table = configs[0][1].get(TABLE)
    if table:
        return table_file(session, table)
    samples: dict[str, tuple[dict[str, Any], Any]] = {}
    for run_row in run_rows:
        for key, facts, truth in imports.samples_of(session, run_row.id):
            samples[key] = facts, truth
    stays = frozenset[str]().union(*(each.hashes for each in private))
    texts = runs.texts(session, {str(facts[TEXT]) for facts, _truth in samples.values()} - stays)
    rows = [
        without_controls(
            ReciteRow(
                id=key,
                title=facts.get("title") or None,
                source=facts.get("publisher"),
                url=facts.get("url") or None,
                domains=tuple(facts[name] for name in ("domain", "field") if facts.get(name)) or None,
                num_nodes=len(truth["nodes"]),
                num_edges=len(truth["edges"]),
                explicitness=facts.get("explicitness"),
                nodes=tuple(truth["nodes"]),
                edges=tuple((source, target) for source, target in truth["edges"]),
                input_text=texts.get(str(facts[TEXT])),
                publication_date=facts["date"],
            )
        )
        for key, (facts, truth) in samples.items()
    ]
    return write_default(rows), len(rows)


# --- responses ----------------------------------------------------------------------------------------------------


def _responses(session: Session, rows: Sequence[RunRow], into: _Rows, left_out: list[str]) -> dict[str, Any]:
    """Add the responses of the runs; return item → the id of its response."""
    ids: dict[str, Any] = {}
    of_file: dict[str, dict[int, Cells]] = {}
    for row in rows:
        imported = row.settings.get(IMPORTED)
        if imported is not None:
            into.files[imported["file"]] = imported
            lines = of_file.setdefault(imported["file"], {})
            line_of = {hash_of_row(imported["file"], line): line for line in range(1, imported["rows"] + 1)}
            item_of = {each.request_hash: each.item_id for each in imports.replied_items(session, row.id)}
            for key, body in imports.bodies(session, list(item_of)):
                lines[line_of[key]] = cells = cells_of(body)
                ids[item_of[key]] = cells["id"]
        else:
            into.own = True
            _own_responses(session, row, into, ids, left_out)
    for lines in of_file.values():
        into.cells += [lines[line] for line in sorted(lines)]
    seen: set[str] = set()
    for key in map(str, ids.values()):
        if key in seen:
            raise Refused(f"Two responses have the id {key}. Write their runs one after the other.")
        seen.add(key)
    return ids


def _own_responses(session: Session, row: RunRow, into: _Rows, ids: dict[str, Any], left_out: list[str]) -> None:
    every = [each for each in imports.replied_items(session, row.id) if each.task in GENERATION_TASKS]
    further = rounds.of_items(session, [each.item_id for each in every])
    keys = [item_rounds[-1].request_hash for item_rounds in further.values()]
    corrections = items.stored_replies(session, keys)
    for item in every:
        item_rounds = further.get(item.item_id)
        correction = corrections.get(item_rounds[-1].request_hash) if item_rounds else None
        ids[item.item_id] = item.item_id
        into.cells.append(
            {
                "id": item.item_id,
                "sample_id": item.key,
                "model": item.model,
                "task_type": TASK_TYPE_OF[item.variant],
                "response_answer": item.text,
                "response_reasoning": item.reasoning,
                "corrected_answer": None if correction is None else correction.text,
                "valid_format": item.status == ItemStatus.ANSWERED.value and not item_rounds,
                "response_date": item.received_at.isoformat(),
            }
        )
    missing = len(imports.item_ids(session, row.id)) - len(every)
    if missing:
        left_out.append(f"Run {row.number}: {counted(missing, 'item')} without a reply.")


# --- evaluations --------------------------------------------------------------------------------------------------


def _evaluations(session: Session, row: RunRow, ids: Mapping[str, Any], into: _Rows, left_out: list[str]) -> None:
    imported = row.settings.get(IMPORTED)
    if imported is None:
        into.own = True
        answers: dict[tuple[str, str, int], list[imports.JudgedItem]] = {}
        for each in imports.judged_items(session, row.id):
            if not each.facts.get("control") and each.facts.get("item") in ids:
                answers.setdefault((each.facts["answer"], each.model, each.repeat), []).append(each)
        wording = wording_of(row.manifest)
        into.cells += [_evaluation(sections, ids, wording) for sections in answers.values()]
        return
    into.files[imported["file"]] = imported
    known, others = set(map(str, ids.values())), 0
    lines = [hash_of_row(imported["file"], line) for line in range(1, imported["rows"] + 1)]
    bodies = dict(imports.bodies(session, lines))
    for key in lines:
        if key not in bodies:  # a faulty row, which was left out
            continue
        cells = cells_of(bodies[key])
        if str(cells["response_id"]) in known:
            into.cells.append(cells)
        else:
            others += 1
    if others:
        left_out.append(f"Run {row.number}: {counted(others, 'evaluation')} of responses of other runs.")


def _evaluation(sections: list[imports.JudgedItem], ids: Mapping[str, Any], wording: int) -> Cells:
    """Return the sections of one answer as one verdict, its labels in the paper's meaning; JSON is YAML."""
    first = sections[0]
    verdict: dict[str, Any] = {}
    for judged in sections:
        if judged.parsed is not None:
            section, items = Section(judged.facts["section"]), judged.parsed.get("items")
            verdict[section.key] = (
                swap_abstraction(items) if section in RECALL and wording == EARLIER_WORDING else items
            )
    variant = first.facts["asked"].partition("/")[2]
    done = max((each.done_at for each in sections if each.done_at is not None), default=None)
    return {
        "id": first.item_id,
        "response_id": str(ids[first.facts["item"]]),
        "sample_id": first.facts["paper"],
        "model": first.facts["judged"],
        "task_type": TASK_TYPE_OF[variant],
        "evaluator_type": f"{FINE_GRAINED}_{first.model}",
        "score": recomputed(sections),
        "evaluation_answer": json.dumps(verdict, ensure_ascii=False) if verdict else None,
        "evaluation_reasoning": None,
        "evaluation_date": None if done is None else done.isoformat(),
    }


def _with_usual_columns(kind: PublicKind, cells: Cells) -> Cells:
    row = PublicRow(0, cells)
    usual: dict[str, Any] = {}
    for column in COLUMNS[kind]:
        if column.form == "string":
            value = cells.get(column.name)
            usual[column.name] = str(value) if isinstance(value, int | float) else row.text(column.name)
        else:
            usual[column.name] = row.is_valid if column.form == "bool" else row.score
    return usual


def recomputed(sections: list[imports.JudgedItem]) -> float | None:
    """Return the overall F1 as released; None unless every section is whole."""
    if any(each.status != ItemStatus.ANSWERED.value for each in sections):
        return None
    tallies = {Section(each.facts["section"]): read_tally(each.parts["tally"]) for each in sections}
    return score_tallies(tallies, sections[0].facts["nodes"]).as_released.overall_f1.value
