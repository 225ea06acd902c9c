"""What steps make without a model: what extractions agree on, where it stands in the paper, what critics decide."""

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
from protocols.making import VECTORS, Inputs, Made, Making, Value

ACCEPTED, REJECTED, INCOMPLETE = "accepted", "rejected", "incomplete"
_RANK = {Match.VERBATIM: 0, Match.TYPOGRAPHY: 1, Match.NOT_FOUND: 2}


def paper_in(inputs: Inputs) -> SourcePaper:
    (given,) = inputs.values[PAPERS]
    return SourcePaper.from_json(given.value)


def phrases_of(inputs: Inputs) -> tuple[str, ...]:
    """Every treatment and outcome of a paper's extractions, once."""
    rows = (row for each in inputs.values[EXTRACT] for row in each.value["causal_relations"])
    return tuple(dict.fromkeys(phrase for row in rows for phrase in (row["treatment"], row["outcome"])))


# --- consensus ---------------------------------------------------------------------------------------------------


def make_consensus(inputs: Inputs, settings: Settings) -> Making:
    """One value: the groups of a paper that enough extractions have, and the others.

    Raises BadInput where fewer extractions could be read than the run wants, and as `consensus`.
    """
    runs = [each.value["causal_relations"] for each in inputs.values[EXTRACT]]
    wanted, least = int(chosen(settings, "consensus_runs")), int(chosen(settings, "least_runs"))
    if len(runs) < min(wanted, least):
        raise BadInput(
            f"{len(runs)} of {counted(wanted, 'extraction')} could be read; the rule needs {min(wanted, least)}. "
            "Redo the extraction, or set the number that must be readable."
        )
    vectors = {each.key: each.value for each in inputs.values.get(VECTORS, ())}
    given = [[_extracted(row, vectors) for row in run] for run in runs]
    rule, chosen_released = rule_of(settings, len(runs)), released(settings)
    found = grouped(given, rule, chosen_released)
    others = {name: changed(found, grouped(given, rule, chosen_released ^ {name})) for name in CHOICES}
    value = {
        "runs": len(runs),
        "kept": [_group(each, runs) for each in found.kept],
        "dropped": [_group(each, runs) for each in found.dropped],
        "mentions": sum(map(len, runs)),
        "changed": others,
    }
    return Making((Made(inputs.key, value),))


def _extracted(row: Mapping[str, Any], vectors: Mapping[str, Sequence[float]]) -> Extracted:
    return Extracted(row["treatment"], row["outcome"], row["sign"], vectors[row["treatment"]], vectors[row["outcome"]])


def _group(group: TripletGroup, runs: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    return {
        "members": [_member(each, runs) for each in group.members],
        "runs": group.runs,
        "votes": dict(group.votes),
        "sign": group.sign,
    }


def _member(member: RunMember, runs: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    return {"run": member.run, "item": member.item, **runs[member.run - 1][member.item - 1]}


def consensus_of(value: Mapping[str, Any]) -> Consensus:
    """The groups as `core.triplets.consensus` has them."""

    def group(said: Mapping[str, Any]) -> TripletGroup:
        members = tuple(RunMember(each["run"], each["item"]) for each in said["members"])
        return TripletGroup(members, said["runs"], said["votes"], said["sign"], said["sign"] is None)

    return Consensus(tuple(map(group, value["kept"])), tuple(map(group, value["dropped"])))


# --- evidence ----------------------------------------------------------------------------------------------------


def make_evidence(inputs: Inputs, settings: Settings) -> Making:
    """One candidate for each kept group, with at most three paragraphs of evidence and how far each is in the paper."""
    paper = paper_in(inputs)
    (given,) = inputs.values[CONSENSUS]
    printed = printed_in(paper)
    made = []
    for number, group in enumerate(given.value["kept"], 1):
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
            "of_runs": given.value["runs"],
            "members": [
                {name: each[name] for name in ("run", "item", "treatment", "outcome", "sign")}
                for each in group["members"]
            ],
            "evidence": evidence,
        }
        flags = [TIE] if group["sign"] is None else []
        made.append(Made(inputs.key, value, flags=(*flags, *([] if is_found else [NOT_FOUND]))))
    return Making(tuple(made))


def printed_in(paper: SourcePaper) -> PrintedWords | None:
    """The words of a paper to look for evidence in; None for one that is not there."""
    return None if paper.trouble else PrintedWords(words_of(paper.pages))


def evidence_in(
    texts: Sequence[str], printed: PrintedWords | None, *, is_released: bool = False
) -> tuple[list[dict[str, Any]], bool]:
    """(at most three paragraphs, each with how far it is in the paper and on which pages; whether any is).

    Equal ones once, those found word for word first. As released: in the order of extraction, exact repeats out, the
    first three. Nothing can be looked for in a paper that is not there: `match` is None, and nothing is missing.
    """
    if is_released:
        once = list(dict.fromkeys(texts))[:MOST_EVIDENCE]
    else:
        once = list({" ".join(text.split()).casefold(): text for text in reversed(texts)}.values())[::-1]
    if printed is None:
        return [{"text": text, "match": None, "pages": []} for text in once[:MOST_EVIDENCE]], True
    found = [(text, printed.find(text)) for text in once]
    if not is_released:
        found.sort(key=lambda each: _RANK[each[1].match])
    return [
        {"text": text, "match": each.match.value, "pages": [passage.page for passage in each.passages]}
        for text, each in found[:MOST_EVIDENCE]
    ], any(each.match is not Match.NOT_FOUND for _, each in found[:MOST_EVIDENCE])


# --- what holds for a candidate ----------------------------------------------------------------------------------


def candidate_in(inputs: Inputs) -> Mapping[str, Any] | None:
    """The candidate that a group is about, as people left it; None where they left it out."""
    given = inputs.values[DECIDE]
    return given[0].value if given else None


def metadata_in(inputs: Inputs) -> Mapping[str, Any] | None:
    given = inputs.values[METADATA]
    return given[0].value if given else None


def context_of(metadata: Mapping[str, Any], local: Mapping[str, Any]) -> tuple[str, list[str]]:
    """(context, methods) that hold for a candidate: the local edit, else those of the paper."""
    texts, methods = local["context_selected"], local["id_method_selected"]
    return (texts[0] if texts else metadata["context"], list(methods or metadata["identification_methods"]))


# --- filter ------------------------------------------------------------------------------------------------------


def critics_of_rule(settings: Settings) -> int:
    """How many critics must have scored. The plain critic alone is its own rule: it says the same each time."""
    said = settings.get("rule_critics")
    if said:
        return int(said)
    critics = list((settings.get("roles") or {}).get(OF_CRITICS) or ())
    if StepFile.CRITICS in given_files(settings):
        return CRITICS_OF_RULE
    return 1 if critics == [PLAIN_CRITIC] else CRITICS_OF_RULE


def filter_rule(settings: Settings, **otherwise: Any) -> FilterRule:
    said = {
        "boundary": Boundary(chosen(settings, "boundary")),
        "floor": Floor(chosen(settings, "floor")),
        "critics": critics_of_rule(settings),
    }
    return FilterRule(**{**said, **otherwise})


def make_filter(inputs: Inputs, settings: Settings) -> Making:
    """One value: a candidate with all that was found about it, and what its critics decide."""
    candidate, metadata = candidate_in(inputs), metadata_in(inputs)
    (local,) = (each.value for each in inputs.values[LOCAL])
    assert candidate is not None and metadata is not None, "a candidate that is scored has both"
    context, methods = context_of(metadata, local)
    given: Sequence[Value] = inputs.values[CRITICS]
    scores = {_critic(each): each.value["scores"] for each in given}
    said: dict[str, Scores | None] = {name: dict(each) for name, each in scores.items()}
    found = decide(said, filter_rule(settings))
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
        "per_model_reasons": {_critic(each): each.value["reasons"] for each in given},
        "verdict": _verdict(found),
        "reason": found.reason,
        "means": {name.value: _fraction(mean) for name, mean in found.means.items()},
        "total": _fraction(found.total),
        "failing": [each.value for each in found.failing],
        "is_on_boundary": found.is_on_boundary,
        "otherwise": {
            "boundary": _verdict(decide(said, filter_rule(settings, boundary=others["gt"]))),
            "floor": _verdict(decide(said, filter_rule(settings, floor=others["floor"]))),
        },
    }
    return Making((Made(parted(inputs.key, Span.EACH)[0], value),))


def _critic(given: Value) -> str:
    """The card that answered; of scores from a file, whom it names."""
    return given.model or str(given.value["critic"])


def _verdict(found: RubricDecision) -> str:
    if found.retained is None:
        return INCOMPLETE
    return ACCEPTED if found.retained else REJECTED


def _fraction(number: Fraction | None) -> list[int] | None:
    """Exact, as JSON: numerator and denominator."""
    return None if number is None else [number.numerator, number.denominator]
