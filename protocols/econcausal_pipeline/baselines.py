"""Baselines without a model, and without understanding. `cue-phrases` finds sentences with verbs of raising, lowering
and no effect; `plain-critic` scores what can be checked mechanically. Neither is a judgement."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from core.runs.options import Settings
from core.triplets.criteria import Criterion
from core.triplets.passages import Match
from core.triplets.triplet import MOST_CONTEXT_WORDS, MOST_WORDS
from protocols.baselines import BaselineAnswerer
from protocols.econcausal_pipeline.cues import metadata_in, methods_in, relations_in
from protocols.econcausal_pipeline.tasks import (
    CRITICS,
    CUE_PHRASES,
    EXTRACT,
    EXTRACTOR,
    LOCAL,
    METADATA,
    OF_CRITICS,
    PLAIN_CRITIC,
    READER,
)
from protocols.samples import Sample

FOUND, CUES = "cue_phrases", "cues"  # facts of a sample: results of cue phrases in its paper, and checks of a candidate


def facts_for(task: str, settings: Settings, facts: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Return the facts that a run's baselines need, since samples do not store the text of their paper."""
    roles = settings.get("roles") or {}
    readers = {*roles.get(EXTRACTOR, ()), *roles.get(READER, ())}
    if CUE_PHRASES in readers and task == EXTRACT:
        return {FOUND: relations_in(text)}
    if CUE_PHRASES in readers and task == METADATA:
        return {FOUND: metadata_in(text)}
    if task == CRITICS and PLAIN_CRITIC in roles.get(OF_CRITICS, ()):
        folded = _fold(text)
        early = folded[: len(folded) // 3]
        checks = {
            "phrases": [_fold(facts[name]) in folded for name in ("treatment", "outcome")],
            "designs": methods_in(text),
            "is_claim": bool(relations_in(" ".join(facts["evidence"]))),
            "is_early": any(_fold(each) in early for each in facts["evidence"]),
        }
        return {CUES: checks}
    return {}


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def _cue_phrases(sample: Sample, _of_all: str | None) -> str | None:
    if sample.task == EXTRACT:
        return json.dumps(sample.facts.get(FOUND, []), ensure_ascii=False)
    if sample.task == METADATA:
        return json.dumps(sample.facts.get(FOUND), ensure_ascii=False)
    if sample.task == LOCAL:
        return json.dumps({"context_selected": [], "id_method_selected": []})
    return None


def _plain_critic(sample: Sample, _of_all: str | None) -> str | None:
    if sample.task != CRITICS or CUES not in sample.facts:
        return None
    facts, cues = sample.facts, sample.facts[CUES]
    matches = [Match(each) for each in facts["matches"]]
    are_short = all(len(facts[name].split()) <= MOST_WORDS for name in ("treatment", "outcome"))
    in_paper, is_found = sum(cues["phrases"]), any(each is not Match.NOT_FOUND for each in matches)
    is_verbatim = Match.VERBATIM in matches
    words = len(facts["context"].split())
    results = {
        Criterion.VARIABLE_EXTRACTION: (
            3 if in_paper == 2 and are_short else 2 if in_paper and are_short else 0,
            f"{in_paper} of 2 phrases are in the paper, {'both' if are_short else 'not both'} under ten words.",
        ),
        Criterion.DIRECTION: _two_or_three(is_found, is_verbatim, "The evidence is in the paper"),
        Criterion.SIGN: _two_or_three(is_found, is_verbatim, "The evidence is in the paper"),
        Criterion.CAUSALITY: (
            3 if cues["designs"] else 2 if cues["is_claim"] else 0,
            f"The paper has words of {', '.join(cues['designs'])}."
            if cues["designs"]
            else "The evidence has a causal verb."
            if cues["is_claim"]
            else "Neither a design nor a causal verb is named.",
        ),
        Criterion.MAIN_CLAIM: (
            3 if cues["is_early"] else 2 if is_found else 0,
            f"The evidence is {'in the first third' if cues['is_early'] else 'elsewhere' if is_found else 'not'} "
            "in the paper.",
        ),
        Criterion.CONTEXT_APPROPRIATENESS: (
            3 if 0 < words <= MOST_CONTEXT_WORDS else 0,
            f"The context has {words} words.",
        ),
    }
    return json.dumps(
        {
            "scores": {name.value: score for name, (score, _) in results.items()},
            "reasons": {name.value: reason for name, (_, reason) in results.items()},
        }
    )


def _two_or_three(is_found: bool, is_verbatim: bool, words: str) -> tuple[int, str]:
    if not is_found:
        return 0, f"{words}: not found."
    return (3, f"{words} word for word.") if is_verbatim else (2, f"{words} but for typography.")


BASELINES: Mapping[str, BaselineAnswerer] = MappingProxyType(
    {
        CUE_PHRASES: BaselineAnswerer(
            title="Cue phrases (understands nothing): sentences with verbs of raising, lowering, no effect",
            reply=_cue_phrases,
            tasks=(EXTRACT, METADATA, LOCAL),
            no_answer="cue phrases score nothing",
        ),
        PLAIN_CRITIC: BaselineAnswerer(
            title="Plain critic (understands nothing): what can be checked without understanding",
            reply=_plain_critic,
            tasks=(CRITICS,),
            no_answer="the plain critic only scores",
        ),
    }
)
