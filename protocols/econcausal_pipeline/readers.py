"""Reading of the pipeline's four answers: triplets of a paper, its metadata, a triplet's context, its scores. A faulty
row, a method outside the list, a score other than 0 to 3 or a missing criterion makes the whole answer faulty, and it
is requested again with its faults. Unusual legal content (a long phrase, a long context) is flagged."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from core.labels import SIGN, LabelSet
from core.runs.states import ItemStatus
from core.triplets.criteria import HIGHEST, Criterion
from core.triplets.triplet import MOST_CONTEXT_WORDS, MOST_EVIDENCE, MOST_WORDS, IdMethod, TripletFlag
from protocols.exchanges import Answered
from protocols.replies.objects import ParsedObject, read_object
from protocols.replies.places import PlaceFault, in_words
from protocols.replies.shapes import ChoiceShape, Key, LabelShape, ListShape, NumberShape, ObjectShape, TextShape

MOST_LISTED = 20  # faults listed to a model at once
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
    """Return the shape of scores and reasons for these criteria; the scored triplet may be repeated."""
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
    """Result of reading a reply."""

    status: ItemStatus
    value: Any = None  # JSON; only if answered
    faults: tuple[str, ...] = ()  # sentences without a full stop; only if not answered
    flags: tuple[str, ...] = ()
    stage: str = ""
    repaired: str | None = None
    is_object: bool = False  # an object could be read, so parts of an answer exist


def read_relations(reply: Answered) -> ReadAnswer:
    """Read {"causal_relations": [{"treatment", "outcome", "sign", "supporting_evidence"}]}. An empty list means that
    the paper claims nothing."""
    parsed = _object(reply, RELATIONS)
    if parsed.status is not ItemStatus.ANSWERED:
        return _faulty(parsed)
    faults = [
        PlaceFault((number, name), in_words(each[name]), "a phrase with a letter or a digit")
        for number, each in enumerate(parsed.value)
        for name in ("treatment", "outcome")
        if not any(character.isalnum() for character in each[name])
    ]
    if faults:
        return _faulty_value(parsed, faults)
    rows = [
        {
            "treatment": " ".join(each["treatment"].split()),
            "outcome": " ".join(each["outcome"].split()),
            "sign": each["sign"],
            "supporting_evidence": [text.strip() for text in each["supporting_evidence"]],
        }
        for each in parsed.value
    ]
    flags = [
        f"{number}: {flag}"
        for number, each in enumerate(rows, 1)
        for flag, is_so in (
            (TripletFlag.LONG_TREATMENT, len(each["treatment"].split()) > MOST_WORDS),
            (TripletFlag.LONG_OUTCOME, len(each["outcome"].split()) > MOST_WORDS),
            (TripletFlag.MUCH_EVIDENCE, len(each["supporting_evidence"]) > MOST_EVIDENCE),
            (TripletFlag.NO_EVIDENCE, not each["supporting_evidence"]),
        )
        if is_so
    ]
    return _read(parsed, {"causal_relations": rows}, flags)


def read_metadata(reply: Answered) -> ReadAnswer:
    """Read {"paper_type", "context" (text, "" for none), "identification_methods"}."""
    parsed = _object(reply, META)
    if parsed.status is not ItemStatus.ANSWERED:
        return _faulty(parsed)
    context = " ".join((parsed.value["context"] or "").split())
    value = {
        "paper_type": parsed.value["paper_type"],
        "context": context,
        "identification_methods": _once(parsed.value["identification_methods"]),
    }
    return _read(parsed, value, _long(context))


def read_selection(reply: Answered, *, is_last: bool) -> ReadAnswer:
    """Read {"context_selected": [at most one text], "id_method_selected": [methods]} of a triplet. Empty lists mean
    those of the paper. Several paragraphs are a fault; in the last round they are joined and flagged."""
    parsed = _object(reply, SELECTION)
    if parsed.status is not ItemStatus.ANSWERED:
        return _faulty(parsed)
    texts = _once([" ".join(each.split()) for each in parsed.value["context_selected"]])
    flags = []
    if len(texts) > 1:
        if not is_last:
            right = "a list of one paragraph, or an empty one"
            return _faulty_value(parsed, [PlaceFault(("context_selected",), in_words(texts), right)])
        flags.append(f"{len(texts)} paragraphs of context were joined")
        texts = ["; ".join(texts)]
    methods = _once(parsed.value["id_method_selected"])
    return _read(parsed, {"context_selected": texts, "id_method_selected": methods}, [*flags, *_long(" ".join(texts))])


def read_scores(reply: Answered, expected_triplet: Mapping[str, str], criteria: Sequence[Criterion]) -> ReadAnswer:
    """Read {"scores": {criterion: 0 to 3}, "reasons": {criterion: text}}. A triplet in the reply other than the
    expected one, which was to be scored, is a fault."""
    parsed = _object(reply, scores_shape(criteria))
    if parsed.status is not ItemStatus.ANSWERED:
        return _faulty(parsed)
    scores, echo = parsed.value["scores"], parsed.value.get("triplet") or {}
    faults = [
        PlaceFault(("scores", each.value), in_words(scores[each.value]), f"one of 0 to {HIGHEST}")
        for each in criteria
        if scores[each.value] != int(scores[each.value])
    ]
    for name in ECHOED:
        is_sign, expected = name == "sign", expected_triplet[name]
        if name in echo and (SIGN.parse(echo[name]) if is_sign else _fold(echo[name])) != (
            expected if is_sign else _fold(expected)
        ):
            faults.append(PlaceFault(("triplet", name), in_words(echo[name]), in_words(expected)))
    if faults:
        return _faulty_value(parsed, faults)
    value = {
        "scores": {each.value: int(scores[each.value]) for each in criteria},
        "reasons": {each.value: parsed.value["reasons"][each.value].strip() for each in criteria},
    }
    return _read(parsed, value, [])


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def _object(reply: Answered, shape: ObjectShape | ListShape) -> ParsedObject:
    return read_object(reply.text, shape=shape, finish_reason=reply.finish_reason, refusal=reply.refusal)


def _read(parsed: ParsedObject, value: Any, flags: Sequence[str]) -> ReadAnswer:
    return ReadAnswer(
        status=ItemStatus.ANSWERED,
        value=value,
        flags=tuple(flags),
        stage=parsed.stage,
        repaired=parsed.repaired,
        is_object=True,
    )


def _faulty(parsed: ParsedObject) -> ReadAnswer:
    return ReadAnswer(
        status=parsed.status,
        faults=_listed(parsed.faults),
        stage=parsed.stage,
        repaired=parsed.repaired,
        is_object=isinstance(parsed.value, dict | list),
    )


def _faulty_value(parsed: ParsedObject, faults: Sequence[PlaceFault]) -> ReadAnswer:
    return ReadAnswer(
        status=ItemStatus.UNPARSABLE,
        faults=_listed(faults),
        stage=parsed.stage,
        repaired=parsed.repaired,
        is_object=True,
    )


def _listed(faults: Sequence[PlaceFault]) -> tuple[str, ...]:
    more = len(faults) - MOST_LISTED
    return (*map(str, faults[:MOST_LISTED]), *([f"{more:,} more faults"] if more > 0 else []))


def _long(context: str) -> list[str]:
    return [TripletFlag.LONG_CONTEXT.value] if len(context.split()) > MOST_CONTEXT_WORDS else []


def _once(texts: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(texts))
