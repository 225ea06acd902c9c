"""Values of steps without a model: consensus, evidence in the paper, decisions of critics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from core.errors import BadInput
from core.runs.flow import parted
from core.runs.options import Settings
from core.steps import Span
from core.triplets.consensus import Consensus, Extracted, RunMember, TripletGroup
from core.triplets.passages import Match, PrintedWords
from core.triplets.rubric import Boundary, FilterRule, Floor, RubricDecision, Scores, decide
from core.triplets.triplet import MOST_EVIDENCE
from core.words import counted
from protocols.econcausal_pipeline.grouping import CHOICES, changed, grouped, released, rule_of
from protocols.econcausal_pipeline.papers import SourcePaper, words_of
from protocols.econcausal_pipeline.step_lines import StepFile, given_files
from protocols.econcausal_pipeline.tasks import (
    CONSENSUS,
    CRITICS,
    CRITICS_OF_RULE,
    DECIDE,
    EXTRACT,
    LOCAL,
    METADATA,
    NOT_FOUND,
    OF_CRITICS,
    PAPERS,
    PLAIN_CRITIC,
    TIE,
    chosen,
)
from protocols.step_values import VECTORS, Inputs, Making, StepOutput, Value

ACCEPTED, REJECTED, INCOMPLETE = "accepted", "rejected", "incomplete"
_RANK = {Match.VERBATIM: 0, Match.TYPOGRAPHY: 1, Match.NOT_FOUND: 2}


def paper_in(inputs: Inputs) -> SourcePaper:
    (paper,) = inputs.values[PAPERS]
    return SourcePaper.from_json(paper.value)


def phrases_of(inputs: Inputs) -> tuple[str, ...]:
    """Return the distinct treatments and outcomes of a paper's extractions."""
    rows = (row for each in inputs.values[EXTRACT] for row in each.value["causal_relations"])
    return tuple(dict.fromkeys(phrase for row in rows for phrase in (row["treatment"], row["outcome"])))


# --- consensus ---------------------------------------------------------------------------------------------------


def make_consensus(inputs: Inputs, settings: Settings) -> Making:
    """Return one value: the groups of a paper that enough extractions have, and the others. Raises BadInput if too few
    extractions could be read, and as `consensus`."""
    runs = [each.value["causal_relations"] for each in inputs.values[EXTRACT]]
    requested, least = int(chosen(settings, "consensus_runs")), int(chosen(settings, "least_runs"))
    if len(runs) < min(requested, least):
        raise BadInput(
            f"{len(runs)} of {counted(requested, 'extraction')} could be read; the rule needs {min(requested, least)}. "
            "Redo the extraction, or set the number that must be readable."
        )
    vectors = {each.key: each.value for each in inputs.values.get(VECTORS, ())}
    extractions = [
        [
            Extracted(row["treatment"], row["outcome"], row["sign"], vectors[row["treatment"]], vectors[row["outcome"]])
            for row in run
        ]
        for run in runs
    ]
    rule, chosen_released = rule_of(settings, len(runs)), released(settings)
    groups = grouped(extractions, rule, chosen_released)
    others = {name: changed(groups, grouped(extractions, rule, chosen_released ^ {name})) for name in CHOICES}
    value = {
        "runs": len(runs),
        "kept": [_group(each, runs) for each in groups.kept],
        "dropped": [_group(each, runs) for each in groups.dropped],
        "mentions": sum(map(len, runs)),
        "changed": others,
    }
    return Making((StepOutput(inputs.key, value),))


def _group(group: TripletGroup, runs: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    return {
        "members": [
            {"run": each.run, "item": each.item, **runs[each.run - 1][each.item - 1]} for each in group.members
        ],
        "runs": group.runs,
        "votes": dict(group.votes),
        "sign": group.sign,
    }


def consensus_of(value: Mapping[str, Any]) -> Consensus:
    """Read the groups into a `core.triplets.consensus.Consensus`."""

    def group(row: Mapping[str, Any]) -> TripletGroup:
        members = tuple(RunMember(each["run"], each["item"]) for each in row["members"])
        return TripletGroup(members, row["runs"], row["votes"], row["sign"], row["sign"] is None)

    return Consensus(tuple(map(group, value["kept"])), tuple(map(group, value["dropped"])))


# --- evidence ----------------------------------------------------------------------------------------------------


def make_evidence(inputs: Inputs, settings: Settings) -> Making:
    """Return one candidate per retained group, with at most three paragraphs of evidence and how well each matches the
    paper."""
    paper = paper_in(inputs)
    (groups,) = inputs.values[CONSENSUS]
    printed = printed_in(paper)
    candidates = []
    for number, group in enumerate(groups.value["kept"], 1):
        shown = group["members"][0]
        texts = [text for each in group["members"] for text in each["supporting_evidence"]]
        evidence, is_found = evidence_in(texts, printed, is_released="wording" in released(settings))
        value = {
            "number": number,
            "title": paper.title,
            "paper": paper.paper,
            "treatment": shown["treatment"],
            "outcome": shown["outcome"],
            "sign": group["sign"],
            "votes": group["votes"],
            "runs": group["runs"],
            "of_runs": groups.value["runs"],
            "members": [
                {name: each[name] for name in ("run", "item", "treatment", "outcome", "sign")}
                for each in group["members"]
            ],
            "evidence": evidence,
        }
        flags = [TIE] if group["sign"] is None else []
        candidates.append(StepOutput(inputs.key, value, flags=(*flags, *([] if is_found else [NOT_FOUND]))))
    return Making(tuple(candidates))


def printed_in(paper: SourcePaper) -> PrintedWords | None:
    """Return the words of a paper to search evidence in; None if it cannot be read."""
    return None if paper.trouble else PrintedWords(words_of(paper.pages))


def evidence_in(
    texts: Sequence[str], printed: PrintedWords | None, *, is_released: bool = False
) -> tuple[list[dict[str, Any]], bool]:
    """Return at most three paragraphs, each with its match and pages in the paper, and whether any is found. Duplicates
    are removed and verbatim matches come first. As released: the first three in the order of extraction, without exact
    repeats. If `printed` is None nothing can be searched: `match` is None, and nothing counts as missing."""
    if is_released:
        once = list(dict.fromkeys(texts))[:MOST_EVIDENCE]
    else:
        once = list({" ".join(text.split()).casefold(): text for text in reversed(texts)}.values())[::-1]
    if printed is None:
        return [{"text": text, "match": None, "pages": []} for text in once[:MOST_EVIDENCE]], True
    matches = [(text, printed.find(text)) for text in once]
    if not is_released:
        matches.sort(key=lambda each: _RANK[each[1].match])
    return [
        {"text": text, "match": each.match.value, "pages": [passage.page for passage in each.passages]}
        for text, each in matches[:MOST_EVIDENCE]
    ], any(each.match is not Match.NOT_FOUND for _, each in matches[:MOST_EVIDENCE])


# --- candidates --------------------------------------------------------------------------------------------------


def candidate_in(inputs: Inputs) -> Mapping[str, Any] | None:
    """Return the candidate of a group after people's decision; None if they excluded it."""
    decided = inputs.values[DECIDE]
    return decided[0].value if decided else None


def metadata_in(inputs: Inputs) -> Mapping[str, Any] | None:
    metadata = inputs.values[METADATA]
    return metadata[0].value if metadata else None


def context_of(metadata: Mapping[str, Any], local: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the context and methods of a candidate: the local edit, otherwise those of the paper."""
    texts, methods = local["context_selected"], local["id_method_selected"]
    return (texts[0] if texts else metadata["context"], list(methods or metadata["identification_methods"]))


# --- filter ------------------------------------------------------------------------------------------------------


def critics_of_rule(settings: Settings) -> int:
    """Return the number of critics that must have scored; 1 for the plain critic alone, which is deterministic."""
    option = settings.get("rule_critics")
    if option:
        return int(option)
    critics = list((settings.get("roles") or {}).get(OF_CRITICS) or ())
    if StepFile.CRITICS in given_files(settings):
        return CRITICS_OF_RULE
    return 1 if critics == [PLAIN_CRITIC] else CRITICS_OF_RULE


def filter_rule(settings: Settings, **overrides: Any) -> FilterRule:
    values = {
        "boundary": Boundary(chosen(settings, "boundary")),
        "floor": Floor(chosen(settings, "floor")),
        "critics": critics_of_rule(settings),
    }
    return FilterRule(**{**values, **overrides})


def make_filter(inputs: Inputs, settings: Settings) -> Making:
    """Return one value: a candidate with its metadata and scores, and the critics' decision."""
    candidate, metadata = candidate_in(inputs), metadata_in(inputs)
    (local,) = (each.value for each in inputs.values[LOCAL])
    assert candidate is not None and metadata is not None, "a candidate that is scored has both"
    context, methods = context_of(metadata, local)
    answers: Sequence[Value] = inputs.values[CRITICS]
    scores = {_critic(each): each.value["scores"] for each in answers}
    by_critic: dict[str, Scores | None] = {name: dict(each) for name, each in scores.items()}
    decision = decide(by_critic, filter_rule(settings))
    others = {
        "gt": Boundary.GT if filter_rule(settings).boundary is Boundary.GE else Boundary.GE,
        "floor": Floor.ANY_CRITIC if filter_rule(settings).floor is Floor.MEAN else Floor.MEAN,
    }
    value = {
        **{name: each for name, each in candidate.items() if name != "given"},
        "context": context,
        "methods": methods,
        "global_context": metadata["context"],
        "global_methods": list(metadata["identification_methods"]),
        "per_model_scores": scores,
        "per_model_reasons": {_critic(each): each.value["reasons"] for each in answers},
        "verdict": _verdict(decision),
        "reason": decision.reason,
        "means": {name.value: _fraction(mean) for name, mean in decision.means.items()},
        "total": _fraction(decision.total),
        "failing": [each.value for each in decision.failing],
        "is_on_boundary": decision.is_on_boundary,
        "otherwise": {
            "boundary": _verdict(decide(by_critic, filter_rule(settings, boundary=others["gt"]))),
            "floor": _verdict(decide(by_critic, filter_rule(settings, floor=others["floor"]))),
        },
    }
    return Making((StepOutput(parted(inputs.key, Span.EACH)[0], value),))


def _critic(answer: Value) -> str:
    return answer.model or str(answer.value["critic"])  # scores from a file name their critic


def _verdict(decision: RubricDecision) -> str:
    if decision.retained is None:
        return INCOMPLETE
    return ACCEPTED if decision.retained else REJECTED


def _fraction(number: Fraction | None) -> list[int] | None:
    """Return numerator and denominator, exact in JSON."""
    return None if number is None else [number.numerator, number.denominator]
