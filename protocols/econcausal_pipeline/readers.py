"""How the four answers of the pipeline are read: triplets of a paper, its metadata, a triplet's context, its scores.

Nothing is taken for what it does not say: a faulty row, a method outside the list, a score that is none of 0 to 3 or a
criterion that is missing make the whole answer faulty, and it is asked for again with its faults. What is unusual and
legal (a long phrase, a long context) is a flag.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from core.labels import SIGN, LabelSet
from core.runs.states import ItemStatus
from core.triplets.criteria import HIGHEST, Criterion
from core.triplets.triplet import MOST_CONTEXT_WORDS, MOST_EVIDENCE, MOST_WORDS, Flag, IdMethod
from protocols.replies.objects import ParsedObject, read_object
from protocols.replies.places import PlaceFault, in_words
from protocols.replies.shapes import ChoiceShape, Key, LabelShape, ListShape, NumberShape, ObjectShape, TextShape
from protocols.turns import Answered

MOST_LISTED = 20
"""Faults that a model is told at once."""
LONGEST_PHRASE, LONGEST_PARAGRAPH, MOST_RELATIONS = 400, 8_000, 200

METHODS = LabelSet(
    "identification method",
    tuple(IdMethod),
    MappingProxyType({method.lower(): method.value for method in IdMethod}),
)
EMPIRICAL, THEORETICAL = "empirical", "theoretical"

_PHRASE = TextShape(LONGEST_PHRASE, fewest=1)
_PARAGRAPHS = ListShape(TextShape(LONGEST_PARAGRAPH, fewest=1), most=20)
RELATIONS = ListShape(
    ObjectShape(
        (
            Key("treatment", _PHRASE),
            Key("outcome", _PHRASE),
            Key("sign", LabelShape(SIGN)),
            Key("supporting_evidence", _PARAGRAPHS),
        )
    ),
    most=MOST_RELATIONS,
)
META = ObjectShape(
    (
        Key("paper_type", ChoiceShape((EMPIRICAL, THEORETICAL))),
        Key("context", TextShape(LONGEST_PARAGRAPH), is_nullable=True),
        Key("identification_methods", ListShape(LabelShape(METHODS), most=len(IdMethod))),
    )
)
SELECTION = ObjectShape(
    (
        Key("context_selected", ListShape(TextShape(LONGEST_PARAGRAPH, fewest=1), most=20)),
        Key("id_method_selected", ListShape(LabelShape(METHODS), most=len(IdMethod))),
    )
)
_SCORE, _REASON = NumberShape(0, HIGHEST), TextShape(2_000, fewest=1)


def scores_shape(criteria: Collection[Criterion]) -> ObjectShape:
    """Scores and reasons of these criteria; the triplet that is scored may be said again."""
    echo = ObjectShape(tuple(Key(name, TextShape(LONGEST_PARAGRAPH), is_required=False) for name in ECHOED))
    return ObjectShape(
        (
            Key("triplet", echo, is_required=False),
            Key("scores", ObjectShape(tuple(Key(each.value, _SCORE) for each in criteria))),
            Key("reasons", ObjectShape(tuple(Key(each.value, _REASON) for each in criteria))),
        )
    )


ECHOED = ("treatment", "outcome", "sign")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAnswer:
    """What a reply says. `value` (JSON) only of an answered one, without `faults`; these are sentences without their
    stops. `is_object`: there was an object to read, so that parts of an answer are there."""

    status: ItemStatus
    value: Any = None
    faults: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    stage: str = ""
    repaired: str | None = None
    is_object: bool = False


def read_relations(reply: Answered) -> ReadAnswer:
    """A paper's triplets; an empty list says that it claims nothing.

    `value`: {"causal_relations": [{"treatment", "outcome", "sign", "supporting_evidence"}]}.
    """
    found = _object(reply, RELATIONS)
    if found.status is not ItemStatus.ANSWERED:
        return _faulty(found)
    faults = [
        PlaceFault((number, name), in_words(each[name]), "a phrase with a letter or a digit")
        for number, each in enumerate(found.value)
        for name in ("treatment", "outcome")
        if not any(character.isalnum() for character in each[name])
    ]
    if faults:
        return _faulty_value(found, faults)
    rows = [
        {
            "treatment": " ".join(each["treatment"].split()),
            "outcome": " ".join(each["outcome"].split()),
            "sign": each["sign"],
            "supporting_evidence": [text.strip() for text in each["supporting_evidence"]],
        }
        for each in found.value
    ]
    flags = [
        f"{number}: {flag}"
        for number, each in enumerate(rows, 1)
        for flag, is_so in (
            (Flag.LONG_TREATMENT, len(each["treatment"].split()) > MOST_WORDS),
            (Flag.LONG_OUTCOME, len(each["outcome"].split()) > MOST_WORDS),
            (Flag.MUCH_EVIDENCE, len(each["supporting_evidence"]) > MOST_EVIDENCE),
            (Flag.NO_EVIDENCE, not each["supporting_evidence"]),
        )
        if is_so
    ]
    return _read(found, {"causal_relations": rows}, flags)


def read_metadata(reply: Answered) -> ReadAnswer:
    """`value`: {"paper_type", "context" (text, "" for none), "identification_methods"}."""
    found = _object(reply, META)
    if found.status is not ItemStatus.ANSWERED:
        return _faulty(found)
    context = " ".join((found.value["context"] or "").split())
    value = {
        "paper_type": found.value["paper_type"],
        "context": context,
        "identification_methods": _once(found.value["identification_methods"]),
    }
    return _read(found, value, _long(context))


def read_selection(reply: Answered, *, is_last: bool) -> ReadAnswer:
    """A triplet's own context and methods; an empty list keeps those of the paper. More than one paragraph is a fault;
    in the last round they are joined, and flagged.

    `value`: {"context_selected": [at most one text], "id_method_selected": [methods]}.
    """
    found = _object(reply, SELECTION)
    if found.status is not ItemStatus.ANSWERED:
        return _faulty(found)
    texts = _once([" ".join(each.split()) for each in found.value["context_selected"]])
    flags = []
    if len(texts) > 1:
        if not is_last:
            right = "a list of one paragraph, or an empty one"
            return _faulty_value(found, [PlaceFault(("context_selected",), in_words(texts), right)])
        flags.append(f"{len(texts)} paragraphs of context were joined")
        texts = ["; ".join(texts)]
    methods = _once(found.value["id_method_selected"])
    return _read(found, {"context_selected": texts, "id_method_selected": methods}, [*flags, *_long(" ".join(texts))])


def read_scores(reply: Answered, asked: Mapping[str, str], criteria: Sequence[Criterion]) -> ReadAnswer:
    """A critic's scores, 0 to 3, with a reason each. `asked`: the triplet that was to be scored; another one that the
    reply says to have scored is a fault.

    `value`: {"scores": {criterion: number}, "reasons": {criterion: text}}.
    """
    found = _object(reply, scores_shape(criteria))
    if found.status is not ItemStatus.ANSWERED:
        return _faulty(found)
    scores, echo = found.value["scores"], found.value.get("triplet") or {}
    faults = [
        PlaceFault(("scores", each.value), in_words(scores[each.value]), f"one of 0 to {HIGHEST}")
        for each in criteria
        if scores[each.value] != int(scores[each.value])
    ]
    for name in ECHOED:
        if name in echo and not _is_same(name, echo[name], asked[name]):
            faults.append(PlaceFault(("triplet", name), in_words(echo[name]), in_words(asked[name])))
    if faults:
        return _faulty_value(found, faults)
    value = {
        "scores": {each.value: int(scores[each.value]) for each in criteria},
        "reasons": {each.value: found.value["reasons"][each.value].strip() for each in criteria},
    }
    return _read(found, value, [])


def _is_same(name: str, said: str, asked: str) -> bool:
    if name == "sign":
        return SIGN.parse(said) == asked
    return " ".join(said.split()).casefold() == " ".join(asked.split()).casefold()


def _object(reply: Answered, shape: ObjectShape | ListShape) -> ParsedObject:
    return read_object(reply.text, shape=shape, finish_reason=reply.finish_reason, refusal=reply.refusal)


def _read(found: ParsedObject, value: Any, flags: Sequence[str]) -> ReadAnswer:
    return ReadAnswer(
        status=ItemStatus.ANSWERED,
        value=value,
        flags=tuple(flags),
        stage=found.stage,
        repaired=found.repaired,
        is_object=True,
    )


def _faulty(found: ParsedObject) -> ReadAnswer:
    return ReadAnswer(
        status=found.status,
        faults=_listed(found.faults),
        stage=found.stage,
        repaired=found.repaired,
        is_object=isinstance(found.value, dict | list),
    )


def _faulty_value(found: ParsedObject, faults: Sequence[PlaceFault]) -> ReadAnswer:
    return ReadAnswer(
        status=ItemStatus.UNPARSABLE,
        faults=_listed(faults),
        stage=found.stage,
        repaired=found.repaired,
        is_object=True,
    )


def _listed(faults: Sequence[PlaceFault]) -> tuple[str, ...]:
    more = len(faults) - MOST_LISTED
    return (*map(str, faults[:MOST_LISTED]), *([f"{more:,} more faults"] if more > 0 else []))


def _long(context: str) -> list[str]:
    return [Flag.LONG_CONTEXT.value] if len(context.split()) > MOST_CONTEXT_WORDS else []


def _once(texts: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(texts))
