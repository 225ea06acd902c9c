"""What a study tells of its runs, as plain JSON: lists, tables, filters, comparisons, dry runs and exports.

Items go by `run/place/model/repeat`, never by their ids, so that a study made a second time tells the same.
"""

from __future__ import annotations

import io
import json
import math
import re
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from core.analysis.slices import Slice
from core.analysis.tables import ResultCell, ResultTable
from core.estimate import Estimate
from core.people import Viewer
from core.runs.filters import ComparedOutcome, FailureFilters, ItemOrder, OutcomeFilter, Side
from core.runs.states import ItemStatus
from core.scoring.calibration import Calibration
from services.acting import consulting_once
from services.failures import failures
from services.results import results
from services.runs import planning, reading
from services.runs.exports import files
from services.runs.run_settings import config_of
from services.runs.settings import RunConfig
from services.runs.views import FailureChoices

Json = Any
Rows = list[dict[str, Json]]
Exports = dict[str, dict[str, Rows]]
"""Number of a run → file of its export → its rows."""
PARTS = ("runs", "tables", "reliability", "filters", "choices", "compared", "sheets", "dry runs")
PAGE = 25
DRAWN = ("jel", "year", "mismatch", "calibration", "1", "4")
"""Told with intervals: of all runs together these presets alone, and all presets of these runs."""
ADD_UP = ("jel", "year", "calibration")


class Told:
    """What one open study tells `viewer`, part by part."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._only: Collection[str] | None = None
        self.lines = sorted(reading.runs(viewer, with_archived=True), key=lambda line: line.number)
        self.numbers = [str(line.number) for line in self.lines]
        self.exports: Exports = {str(line.number): exported(viewer, line.id) for line in self.lines}
        self._names = {
            row["item"]: f"{number}/{row['sample_place']}/{row['model']}/{row['repeat']}"
            for number, members in self.exports.items()
            for row in members["items.jsonl"]
        }
        self._facts = {
            row["item"]: facts[row["sample_place"]]
            for members in self.exports.values()
            for facts in [{sample["place"]: sample["facts"] for sample in members["samples.jsonl"]}]
            for row in members["items.jsonl"]
        }
        self._number_of = {line.id: str(line.number) for line in self.lines}
        self._ids = {number: run_id for run_id, number in self._number_of.items()}

    def tell(self, part: str, before: Json = None, *, only: Collection[str] | None = None) -> Json:
        """One of `PARTS`, as it is once it was written and read; only what was told `before`, where that is given; of
        tables, reliability, comparisons and sheets `only` those of these names."""
        self._only = only
        tells: dict[str, Callable[[], Json]] = {
            "runs": lambda: {number: self.run(number) for number in self.numbers},
            "tables": self.tables,
            "reliability": self.reliability,
            "filters": lambda: [self.filtered(each[0]) for each in before or [[said] for said in self.filters()]],
            "choices": self.choices,
            "compared": self.compared,
            "sheets": self.sheets,
            "dry runs": lambda: {number: self.dry_run(number) for number in self.numbers},
        }
        with consulting_once():
            answer = plain(tells[part]())
        if part in ("tables", "compared") and before:  # tables and outcomes that came since are no difference
            answer = {name: rows for name, rows in answer.items() if name in before}
        return answer

    # --- runs --------------------------------------------------------------------------------------------------------

    def run(self, number: str) -> Json:
        """The line of a run in lists, its progress and its card, without moments and ids."""
        run_id = self._ids[number]
        card, now = reading.card(self._viewer, run_id), reading.progress(self._viewer, run_id)
        line = card.run
        return {
            "title": line.title,
            "protocol": [line.protocol, line.protocol_version],
            "state": [line.state.value, line.reason],
            "tasks": list(line.tasks),
            "models": [list(line.models), list(line.baselines)],
            "samples": line.samples,
            "repeats": line.repeats,
            "total": line.total,
            "by_status": _statuses(line.by_status),
            "is_archived": line.is_archived,
            "cost_usd": line.cost_usd,
            "progress": {
                "by_status": _statuses(now.by_status),
                **{name: getattr(now, name) for name in OF_PROGRESS},
                "budget": [now.budget.usd, now.budget.tokens, now.budget.requests],
                "errors": [[each.kind, each.attempts, each.items, each.example] for each in now.errors],
            },
            "hashes": dict(card.hashes),
            "parameters": dict(card.parameters),
            "prompts": [[each.name, each.origin, each.hash, _short([each.system, each.user])] for each in card.prompts],
            "deviations": [[each.what, each.default, each.chosen] for each in card.deviations],
            "excluded": [list(each) for each in card.excluded],
            "repeated": card.repeated,
            "notices": list(card.notices),
            "of_models": {
                each.name: {
                    "kind": each.kind.value,
                    "by_status": _statuses(each.by_status),
                    **{name: getattr(each, name) for name in OF_MODEL},
                }
                for each in card.models
            },
            "acts": [words for _at, words in card.acts if not words.startswith("Re-scored")],
        }

    def dry_run(self, number: str) -> Json:
        """The same run, planned again."""
        planned = planning.plan(self._viewer, self.wanted(number))
        return {
            "faults": list(planned.faults),
            "samples": planned.samples,
            "items": planned.items,
            "requests": planned.requests,
            "cached": planned.cached,
            "tasks": [[each.task, each.variant, each.samples, dict(each.answers)] for each in planned.tasks],
            "models": {each.name: [each.items, each.requests, each.cached] for each in planned.models},
            "excluded": [[each.task, each.variant, each.key, each.reason] for each in planned.excluded],
            "deviations": [[each.what, each.default, each.chosen] for each in planned.deviations],
            "vectors_missing": planned.vectors_missing,
        }

    def wanted(self, number: str) -> RunConfig:
        """A run as somebody set it up."""
        return config_of(reading.card(self._viewer, self._ids[number]).settings["wanted"])

    # --- tables ------------------------------------------------------------------------------------------------------

    def tables(self) -> Json:
        """Every preset's own tables of each run, some of all runs together, and those of other slices."""
        by_name = {}
        for chosen in self._chosen():
            ids = [self._ids[number] for number in chosen]
            for preset in results.presets_of(self._viewer, ids):
                is_drawn = (preset.key if len(chosen) > 1 else chosen[0]) in DRAWN
                if not is_drawn and len(chosen) > 1:
                    continue
                for wanted in self._slices(ids, preset.key):
                    key = (
                        f"{'+'.join(chosen)} {preset.key} {'+'.join(wanted.tasks)} {'+'.join(wanted.variants)}".strip()
                    )
                    if self._is_left_out(key):
                        continue
                    found = results.results(self._viewer, ids, preset.key, wanted, with_interval=is_drawn)
                    by_name[key] = [self._table(table) for table in found]
        return by_name

    def _chosen(self) -> list[tuple[str, ...]]:
        """Each run, and all together."""
        return [*((number,) for number in self.numbers), tuple(self.numbers)]

    def _slices(self, ids: Sequence[str], preset: str) -> Iterator[Slice]:
        """The own one; all that there is in one, where a table adds it up; in the main table each further variant."""
        yield Slice()
        if preset not in ADD_UP and preset != "main":
            return
        known = results.slices(self._viewer, ids, preset)
        if preset == "main":
            yield from (Slice((), (variant,)) for variant in known.variants[1:])
        elif len(known.tasks) * len(known.variants) > 1:
            yield Slice(known.tasks, known.variants)

    def _table(self, table: ResultTable) -> Json:
        return {
            "table": [_variants(table.title), _variants(table.of), table.samples, table.metric.name, table.metric.unit],
            "rows": [table.row_title, *map(_row, table.row_labels)],
            "columns": [table.column_title, *map(_variants, table.column_labels)],
            "means": [_row(label) for label in table.means],
            "cells": {
                f"{_row(row)} | {_variants(column)}": self._cell(cell) for (row, column), cell in table.cells.items()
            },
        }

    def _cell(self, cell: ResultCell) -> Json:
        """[value, low, high, n, reason, scored, all, statuses, of which items]"""
        found = cell.estimate
        items = sorted(self._names[each] for each in cell.item_ids)
        return [
            *self._estimate(found),
            *(cell.n_scored, cell.n_total, _statuses(cell.statuses), _short(items)),
        ]

    def reliability(self) -> Json:
        bins = {}
        for chosen in self._chosen():
            name = f"{'+'.join(chosen)} "
            if self._only is not None and not any(key.startswith(name) for key in self._only):
                continue
            for row, found in results.reliability(self._viewer, [self._ids[each] for each in chosen]).items():
                if not self._is_left_out(name + row):
                    bins[name + row] = self._calibration(found)
        return bins

    def _is_left_out(self, key: str) -> bool:
        return self._only is not None and key not in self._only

    def _calibration(self, found: Calibration) -> Json:
        bins = [(each.low, each.high, each.n, each.accuracy, each.confidence) for each in found.bins]
        return {
            "error": self._estimate(found.ece),
            "by sign": {sign: self._estimate(each) for sign, each in found.per_gold.items()},
            "by label": {label: self._estimate(each) for label, each in found.per_predicted.items()},
            "bins": [[*edges, self._estimate(right), self._estimate(sure)] for *edges, right, sure in bins],
            "left out": _short(sorted(self._names[str(each)] for each in found.excluded)),
            "odd": [found.outside_top, found.over_one],
        }

    def _estimate(self, found: Estimate) -> Json:
        reason = found.reason.replace(" because the measure is undefined in them", ", in which it is undefined")
        reason = reason.replace("no interval: the measure is undefined in", "no interval: it is undefined in")
        return [found.value, found.low, found.high, found.n, reason]  # in the words of when this was told

    # --- failures ----------------------------------------------------------------------------------------------------

    def filters(self) -> list[dict[str, Json]]:
        """Filters as `filtered` reads them: each alone, right, wrong and unanswered of each run, some together."""
        known = failures.choices(self._viewer)
        alone = {
            "models": known.models,
            "tasks": known.tasks,
            "variants": known.variants,
            "expected": known.expected,
            "predicted": known.predicted,
            "jel": _values(known, "jel"),
            "domains": (*_values(known, "domain"), ""),
            "statuses": tuple(status.value for status in ItemStatus),
        }
        found: list[dict[str, Json]] = [{}, {"order": "hardest"}]
        found += [{name: [value]} for name, values in alone.items() for value in values]
        found += [{"runs": [number], "only": only.value} for number in self.numbers for only in OutcomeFilter if only]
        found += [{"only": "wrong", "jel": [row]} for row in _values(known, "jel")]
        found += [{"only": only, "expected": [sign]} for only in ("right", "wrong") for sign in known.expected]
        found += [{"years": [1990, 1995]}, {"years": [1996, 2020], "only": "wrong"}, {"search": "wage"}]
        found += [{"search": "w3 rate"}, {"runs": self.numbers, "order": "hardest", "only": "wrong"}]
        return found

    def filtered(self, said: Mapping[str, Json]) -> Json:
        """What a filter finds: how many of which status, and in which order which items with what is said of them."""
        page = failures.failures(self._viewer, self._filters(said), limit=PAGE)
        lines = [
            [
                self._names[line.item_id],
                *(plain(getattr(line, name)) for name in OF_LINE),
                *(_fact(self._facts[line.item_id], name) for name in OF_FACTS),
                *(plain(getattr(line, name)) for name in OF_LINE_LAST),
            ]
            for line in page.lines
        ]
        right_of = sorted([right, n] for right, n in page.right_of.values())
        return [dict(said), page.total, _statuses(page.by_status), _short(lines), _short(right_of)]

    def _filters(self, said: Mapping[str, Json]) -> FailureFilters:
        given: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in said.items()
        }
        if "runs" in given:
            given["runs"] = tuple(self._ids[number] for number in given["runs"])
        if "statuses" in given:
            given["statuses"] = tuple(map(ItemStatus, given["statuses"]))
        given["labels"] = tuple((label, given.pop(name)) for name, label in LABELS.items() if name in given)
        given["only"], given["order"] = OutcomeFilter(given.get("only", "")), ItemOrder(given.get("order", ""))
        return FailureFilters(**given)

    def choices(self) -> Json:
        found = failures.choices(self._viewer)
        runs = [[self._number_of[run_id], words] for run_id, words in found.runs]
        labels = {name: _values(found, label) for name, label in LABELS.items()}
        return {"runs": runs, **{name: getattr(found, name) for name in OF_CHOICES}, **labels}

    def compared(self) -> Json:
        """Each run's first model or baseline beside every other, also of its next repeat and of the next run."""
        told = {}
        for line, other in zip(self.lines, [*self.lines[1:], self.lines[0]], strict=True):
            names = [*line.models, *line.baselines]
            sides = [Side(line.id, name) for name in names[1:]] + [Side(line.id, names[0], 1)]
            sides += [Side(other.id, name) for name in (*other.models, *other.baselines)[:1]]
            for place, side in enumerate(sides):
                for which in ComparedOutcome if place == 0 else (ComparedOutcome.ANY,):
                    other_side = f"{self._number_of[side.run_id]} {side.model} {side.repeat}"
                    key = f"{line.number} {names[0]} | {other_side} {which}".strip()
                    if self._is_left_out(key):
                        continue
                    page = failures.compare(self._viewer, Side(line.id, names[0]), side, which=which, limit=PAGE)
                    told[key] = [
                        [page.cells.get((one, two), 0) for one in (True, False) for two in (True, False)],
                        *(page.unanswered, page.shared, page.only_first, page.only_second, page.total),
                        _short([[self._names[e.first.item_id], self._names[e.second.item_id]] for e in page.lines]),
                    ]
        return told

    def sheets(self) -> Json:
        """The first and the last item of each status in each run, whole."""
        told = {}
        for members in self.exports.values():
            by_status: dict[str, list[str]] = {}
            for row in members["items.jsonl"]:
                by_status.setdefault(row["status"], []).append(row["item"])
            for status, ids in by_status.items():
                for item_id in dict.fromkeys((ids[0], ids[-1])):
                    key = f"{self._names[item_id]} {status}"
                    if not self._is_left_out(key):
                        told[key] = self._sheet(item_id)
        return told

    def _sheet(self, item_id: str) -> Json:
        sheet = failures.item(self._viewer, item_id)
        return {
            **{name: getattr(sheet, name) for name in OF_SHEET},
            "rung": sheet.parse_stage,
            "said": _short([sheet.raw, sheet.text, sheet.reasoning, sheet.refusal]),
            "messages": _short([list(each) for each in sheet.messages]),
            "facts": _short({**sheet.facts, "collection": ""}),
            "attempts": [[each.number, each.state.value, each.kind, each.http_status] for each in sheet.attempts],
            "others": _short(sorted(self._names[each.item_id] for each in sheet.others)),
        }


OF_PROGRESS: tuple[str, ...] = ("retrying", "cached", "in_flight", "uncertain", "requests", "unsent", "tokens_in")
OF_PROGRESS += ("tokens_out", "cost_usd", "unpriced", "would_stop")
OF_MODEL = ("requests", "cached", "tokens_in", "tokens_out", "tokens_cached", "tokens_reasoning", "cost_usd")
OF_CHOICES = ("models", "tasks", "variants", "expected", "predicted", "years")
LABELS = {"jel": "jel", "domains": "domain"}
"""Filters by labels: what they were called when this was told, and the label."""

OF_LINE = ("status", "fault", "answer", "predicted", "is_right", "key")
OF_FACTS = ("treatment", "outcome", "paper", "title", "year", "jel", "domain", "example_signs")
"""A line had them as fields of its own when this was told."""
OF_LINE_LAST = ("task", "variant", "run_number")
OF_SHEET: tuple[str, ...] = ("prompt", "prompt_hash", "sample_hash", "request_hash", "parameters", "finish_reason")
OF_SHEET += (
    "repaired",
    "parsed",
    "probabilities",
    "tokens_in",
    "tokens_out",
    "tokens_cached",
    "tokens_reasoning",
    "cost_usd",
)
OF_SHEET += ("was_cached", "provider_model", "is_baseline")


def _fact(facts: Mapping[str, Json], name: str) -> Json:
    if name == "year":
        return facts.get(name)
    return list(facts.get(name) or ()) if name in ("jel", "example_signs") else str(facts.get(name) or "")


def exported(viewer: Viewer, run_id: str) -> dict[str, Rows]:
    """The files of a run's export with their rows; the manifest has one."""
    packed = io.BytesIO()
    files.export_run(viewer, run_id, packed)
    with zipfile.ZipFile(packed) as archive:
        contents = {name: archive.read(name).decode() for name in archive.namelist() if name != "README.txt"}
    return {
        name: [json.loads(line) for line in text.split("\n") if line] if name.endswith("l") else [json.loads(text)]
        for name, text in contents.items()
    }


def _row(label: str) -> str:
    """As rows were called when this was told."""
    return _variants(re.sub(r"^Mean of \d+ (\w+) models?$", r"mean of \1", label))


VARIANTS = {
    "(unknown allowed, without context": "(unknown-no-context",
    "unknown allowed (without context)": "unknown-no-context",
    "unknown allowed": "unknown",
    "without context": "no-context",
    "with context": "context",
    "as released": "as-released",
}
"""Names of variants in tables, as they are now and as they were when this was told."""


def _variants(label: str) -> str:
    if label in ("Accuracy, as released", "Macro-F1, as released"):
        return label
    return re.sub("|".join(map(re.escape, VARIANTS)), lambda found: VARIANTS[found[0]], label)


def _values(known: FailureChoices, label: str) -> tuple[str, ...]:
    return next(each.values for each in known.labels if each.name == label)


def plain(told: Json) -> Json:
    """As it is once it was written and read."""
    return json.loads(json.dumps(told))


# --- held beside what was told before ----------------------------------------------------------------------------


def differences(before: Json, now: Json, place: str = "") -> Iterator[str]:
    """Every place where two differ, in words. Numbers are the same up to their 12th digit, which another machine's
    arithmetic may move."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name in before.keys() | now.keys():
            where = f"{place} › {name}" if place else name
            if name not in now:
                yield f"{where}: is gone"
            elif name not in before:
                yield f"{where}: is new"
            else:
                yield from differences(before[name], now[name], where)
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for number, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from differences(one, other, f"{place}[{number}]")
    elif not _same(before, now):
        yield f"{place}: was {str(before)[:200]}, is {str(now)[:200]}"


def lost_of_export(before: dict[str, Rows], now: dict[str, Rows]) -> Iterator[str]:
    """What an export gives otherwise than before; rows may have further fields, and the manifest further entries."""
    for name, rows in before.items():
        if len(rows) != len(now.get(name, ())):
            yield f"{name}: had {len(rows)} rows, has {len(now.get(name, ()))}"
            continue
        for number, (one, other) in enumerate(zip(rows, now[name], strict=True)):
            where = f"{name}[{number}]"
            if name == "manifest.json":
                yield from _lost(_without_files(one), _without_files(other), where)
            else:
                yield from differences(one, {field: other[field] for field in one if field in other}, where)


def _lost(before: Json, now: Json, place: str) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(now, dict):
        for name, value in before.items():
            if name in now:
                yield from _lost(value, now[name], f"{place} › {name}")
            else:
                yield f"{place} › {name}: is gone"
    else:
        yield from differences(before, now, place)


def _without_files(manifest: dict[str, Json]) -> dict[str, Json]:
    """Without the hashes of the export's files, which change with every field that is added."""
    return {name: value for name, value in manifest.items() if name != "files"}


def _same(before: Json, now: Json) -> bool:
    if isinstance(before, float) and isinstance(now, float):
        return math.isclose(before, now, rel_tol=1e-12, abs_tol=1e-12)
    return type(before) is type(now) and bool(before == now)


def _statuses(counts: Mapping[Any, int]) -> dict[str, int]:
    """Without those that nothing has, so that a further status changes nothing."""
    return {str(status): n for status, n in sorted(counts.items()) if n}


def _digest(said: Json) -> str:
    return sha256(json.dumps(said, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()


def _short(said: Json) -> str:
    """Of what would be long: enough to see that it is another."""
    return _digest(said)[:12] if said else ""
