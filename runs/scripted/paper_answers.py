"""Scripted answers to the four stages from a paper to triplets: cue words, with other omissions in each extraction.

    demo:reader   misses four relations in ten, and words the evidence of one in ten differently; demo:talker likewise
    demo:copier   misses nothing

As critics they draw scores, the copier the highest and the talker the lowest; one half of a draw is common to all.
Answers depend on the message and on the number of the repeat only, so that a run can be repeated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from core.triplets.criteria import Criterion
from protocols.econcausal_pipeline.cues import metadata_in, relations_in, sentences_of
from runs.scripted.replies import AskedRequest, ScriptedAnswer

MISSED = {"copier": 0.0, "reader": 0.4, "talker": 0.4}
REWORDED = 0.1
NARROWED = 0.25  # share of claims whose context loses its last sentence
LOWEST = ((0.08, 0), (0.2, 1), (0.45, 2))  # upper draw and score; above these 3
LENIENCE = {"copier": 0.2, "reader": 0.05, "talker": -0.05}
_PAPER = re.compile(r"<paper>\n(.*)\n</paper>\n", re.DOTALL)
_CONTEXT = re.compile(r"^context: (.*)$", re.MULTILINE)


def answer_of_paper(request: AskedRequest, habit: str) -> ScriptedAnswer | None:
    """Answer a stage; None if the message is of none."""
    paper = _PAPER.search(request.message)
    if paper is None:
        return None
    task = request.message[paper.end() :]
    for words, stage in STAGES.items():
        if words in task:
            value = stage(paper[1], task, habit, request.repeat)
            return ScriptedAnswer(text=json.dumps(value, ensure_ascii=False))
    return None


def _chance(*parts: object) -> float:
    digest = sha256("\n".join(map(str, parts)).encode("utf-8", "surrogatepass")).hexdigest()
    return int(digest[:12], 16) / 16**12


def _relations(paper: str, _task: str, habit: str, repeat: int) -> list[dict[str, Any]]:
    rows = []
    for row in relations_in(paper):
        pair = row["treatment"], row["outcome"]
        if _chance("missed", habit, repeat, *pair) < MISSED[habit]:
            continue
        if _chance("reworded", *pair) < REWORDED:
            row = {**row, "supporting_evidence": [f"The paper reports that {row['supporting_evidence'][0].lower()}"]}
        rows.append(row)
    return rows


def _metadata(paper: str, _task: str, _habit: str, _repeat: int) -> dict[str, Any]:
    return metadata_in(paper)


def _selection(_paper: str, task: str, _habit: str, _repeat: int) -> dict[str, Any]:
    context = _CONTEXT.search(task)
    sentences = sentences_of(context[1]) if context else []
    is_narrowed = len(sentences) > 1 and _chance("narrowed", task) < NARROWED
    return {"context_selected": [" ".join(sentences[:-1])] if is_narrowed else [], "id_method_selected": []}


def _scores(_paper: str, task: str, habit: str, _repeat: int) -> dict[str, Any]:
    scores = {}
    for criterion in Criterion:
        draw = (_chance(criterion, task) + _chance(criterion, habit, task)) / 2 + LENIENCE[habit]
        scores[criterion.value] = next((score for most, score in LOWEST if draw < most), 3)
    reasons = {name: f"A script drew a {score}; it has read nothing." for name, score in scores.items()}
    return {"scores": scores, "reasons": reasons}


STAGES: Mapping[str, Callable[[str, str, str, int], Any]] = {
    "List every causal claim": _relations,
    "Describe this paper in three fields": _metadata,
    "Does this setting hold for this claim?": _selection,
    "For every criterion give a score": _scores,
}
