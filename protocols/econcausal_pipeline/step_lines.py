"""Import of files that the steps of another run wrote; each line is checked like an answer. A file's kind is identified
by its fields: `runs` (step1_runs.jsonl), `causal_relations` (step1.jsonl), `paper_metadata` (step2.jsonl), `selection`
(step3.jsonl), in addition `per_model_scores` (step4.jsonl)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.errors import BadRow
from core.labels import SIGN
from core.runs.options import Settings
from core.triplets.criteria import HIGHEST, Criterion
from protocols.econcausal_pipeline.readers import (
    EMPIRICAL,
    LONGEST_PARAGRAPH,
    LONGEST_PHRASE,
    META,
    MOST_RELATIONS,
    RELATIONS,
    SELECTION,
)
from protocols.econcausal_pipeline.tasks import STEP_FILES
from protocols.replies.checking import Check
from protocols.replies.shapes import Key, LabelShape, ListShape, NumberShape, ObjectShape, Shape, TextShape

MOST_RUNS = 20


class StepFile(StrEnum):
    """The step that wrote a file."""

    RUNS = "step1_runs"
    CONSENSUS = "step1"
    METADATA = "step2"
    CONTEXT = "step3"
    CRITICS = "step4"


_OF_CANDIDATES = (StepFile.CONTEXT, StepFile.CRITICS)
_PHRASE = TextShape(LONGEST_PHRASE, fewest=1)
_ID = Key("paper_id", TextShape(200, fewest=1))
_EVIDENCE = Key("supporting_evidence", ListShape(TextShape(LONGEST_PARAGRAPH, fewest=1), most=20))
_NAMED = (
    Key("treatment", _PHRASE),
    Key("outcome", _PHRASE),
    Key("sign", LabelShape(SIGN), is_nullable=True),
    _EVIDENCE,
)
_GROUP = ObjectShape(
    (
        *_NAMED,
        Key("_consensus_count", NumberShape(1, MOST_RUNS, is_whole=True)),
        Key(
            "_sign_votes",
            ObjectShape(
                tuple(Key(label, NumberShape(0, None, is_whole=True), is_required=False) for label in SIGN.classes)
            ),
        ),
    )
)
_GLOBAL = (
    Key("global_context", TextShape(LONGEST_PARAGRAPH), is_nullable=True),
    Key("global_identification_method", META.keys[2].shape),
)
_CANDIDATE = ObjectShape((_ID, *_NAMED, *_GLOBAL, Key("selection", SELECTION)))
SHAPES: Mapping[StepFile, Shape] = {
    StepFile.RUNS: ObjectShape((_ID, Key("runs", ListShape(RELATIONS, most=MOST_RUNS, fewest=1)))),
    StepFile.CONSENSUS: ObjectShape((_ID, Key("causal_relations", ListShape(_GROUP, most=MOST_RELATIONS)))),
    StepFile.METADATA: ObjectShape((_ID, Key("paper_metadata", META))),
    StepFile.CONTEXT: _CANDIDATE,
    StepFile.CRITICS: _CANDIDATE,
}
_SCORE = NumberShape(0, HIGHEST, is_whole=True)
_SCORES = ObjectShape(tuple(Key(each.value, _SCORE, is_required=False, is_nullable=True) for each in Criterion))
_REASONS = ObjectShape(tuple(Key(each.value, TextShape(2_000), is_required=False) for each in Criterion))


@dataclass(frozen=True, slots=True)
class StepLines:
    """Content of a file. `papers`: paper → the parts of its value (JSON), as the steps use them."""

    kind: StepFile
    papers: Mapping[str, Mapping[str, Any]]


def given_files(settings: Settings) -> tuple[StepFile, ...]:
    """Return the files that a run imports, in step order.

    >>> given_files({"step_files": "step2:ab,step1:cd"})
    (<StepFile.CONSENSUS: 'step1'>, <StepFile.METADATA: 'step2'>)
    """
    typed = str(settings.get(STEP_FILES) or "")
    named = {part.partition(":")[0].strip() for part in typed.split(",")}
    return tuple(each for each in StepFile if each.value in named)


def clash(files: Sequence[StepFile]) -> str:
    """Return why these files conflict; empty if they do not."""
    twice = next((each for each in files if files.count(each) > 1), None)
    if twice is not None:
        return f"Two files are of {twice.value}. Put their lines into one."
    own = [each for each in files if each is not StepFile.METADATA]
    if len(own) > 1:
        return f"{own[0].value} and {own[1].value} both say what is claimed. Leave one out."
    if own and own[0] in _OF_CANDIDATES and StepFile.METADATA in files:
        return f"{own[0].value} says what step2 says. Leave one out."
    return ""


def read_step_lines(name: str, content: bytes) -> StepLines:
    """Read a file of JSON lines. Raises BadRow for a line of no step, a faulty line, and an empty file."""
    rows = list(_rows(name, content))
    if not rows:
        raise BadRow(name, None, "", "", "it has no line; expected JSON lines that --output-dir wrote")
    kind = _find_kind(name, *rows[0])
    papers: dict[str, dict[str, Any]] = {}
    for line, row in rows:
        if (other := _find_kind(name, line, row)) is not kind:
            raise BadRow(name, line, "", "", f"a line of {other.value}; expected lines of {kind.value}, as line 1")
        checked = _check(name, line, "", row, SHAPES[kind])
        key = " ".join(checked["paper_id"].split())
        if kind in _OF_CANDIDATES:
            # Each candidate's line repeats the metadata of its paper.
            metadata = {
                "paper_type": EMPIRICAL,
                "context": checked["global_context"] or "",
                "identification_methods": checked["global_identification_method"],
            }
            paper = papers.setdefault(key, {"metadata": metadata, "candidates": []})
            if paper["metadata"] != metadata:
                raise BadRow(name, line, "global_context", "", f"another one than in an earlier line of paper {key}")
            imported: dict[str, Any] = {"selection": {each: checked["selection"][each] for each in SELECTION.names}}
            if kind is StepFile.CRITICS:
                imported |= _scores(name, line, row)
            paper["candidates"].append({**_claim(checked), "given": imported})
        elif key in papers:
            raise BadRow(name, line, "paper_id", key, "this paper has a line already; expected one")
        else:
            papers[key] = _paper_value(kind, checked)
    return StepLines(kind, papers)


def _rows(name: str, content: bytes) -> list[tuple[int, dict[str, Any]]]:
    rows = []
    for line, text in enumerate(content.decode("utf-8-sig", "replace").split("\n"), 1):
        if not text.strip():
            continue
        try:
            row = json.loads(text)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise BadRow(name, line, "", text[:60], "expected a JSON object in each line")
        rows.append((line, row))
    return rows


def _find_kind(name: str, line: int, row: Mapping[str, Any]) -> StepFile:
    for field, kind in (
        ("per_model_scores", StepFile.CRITICS),
        ("selection", StepFile.CONTEXT),
        ("runs", StepFile.RUNS),
        ("causal_relations", StepFile.CONSENSUS),
        ("paper_metadata", StepFile.METADATA),
    ):
        if field in row:
            return kind
    if "critics" in row or "identification_methods" in row:
        right = "these are triplets; import them with edgewise.py triplets import"
    else:
        right = "expected runs, causal_relations, paper_metadata, selection or per_model_scores beside paper_id"
    raise BadRow(name, line, "", ", ".join(list(row)[:6]), right)


def _check(name: str, line: int, place: str, answer: Any, shape: Shape) -> Any:
    check = Check()
    value = check.value(answer, shape)
    if check.faults:
        first, more = check.faults[0], len(check.faults) - 1
        right = f"found {first.found}; expected {first.right}" + (f" (and {more:,} more faults)" if more else "")
        raise BadRow(name, line, ".".join(filter(None, (place, first.path))), "", right)
    return value


def _paper_value(kind: StepFile, content: Mapping[str, Any]) -> dict[str, Any]:
    if kind is StepFile.RUNS:
        return {"runs": [{"causal_relations": [_claim(row) for row in run]} for run in content["runs"]]}
    if kind is StepFile.METADATA:
        meta = content["paper_metadata"]
        return {"metadata": {name: meta[name] for name in META.names} | {"context": meta["context"] or ""}}
    groups = [
        {
            "members": [{"run": 0, "item": number, **_claim(row)}],
            "runs": row["_consensus_count"],
            "votes": {label: count for label, count in row["_sign_votes"].items() if label in SIGN.classes},
            "sign": row["sign"],
        }
        for number, row in enumerate(content["causal_relations"], 1)
    ]
    return {"groups": groups}


def _claim(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("treatment", "outcome", "sign", "supporting_evidence")}


def _scores(name: str, line: int, row: Mapping[str, Any]) -> dict[str, Any]:
    scores, reasons = row["per_model_scores"], row.get("per_model_reasons") or {}
    if not isinstance(scores, dict) or not isinstance(reasons, dict):
        raise BadRow(name, line, "per_model_scores", "", "expected an object with the scores of each critic")
    valid_scores = {
        str(critic): _check(name, line, f"per_model_scores.{critic}", each, _SCORES) for critic, each in scores.items()
    }
    valid_reasons = {
        str(critic): _check(name, line, f"per_model_reasons.{critic}", each, _REASONS)
        for critic, each in reasons.items()
    }
    return {"scores": valid_scores, "reasons": {critic: valid_reasons.get(critic, {}) for critic in valid_scores}}
