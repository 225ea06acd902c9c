"""Agreement of two labellers of the same items, such as a judge and a person: by field, and in the resulting scores.

A field's kappa is weighted by the distance of places where its labels have an order (presence, semantic closeness,
importance), and plain where they have none (direction, inference, abstraction).

Abstraction in recall leaves out items with a label of the earlier wording, under which it means the reverse."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from core.agreement.ac1 import gwet_ac1
from core.agreement.alpha import krippendorff_alpha
from core.agreement.kappa import Weights, cohen_kappa
from core.agreement.level import MeasurementLevel
from core.agreement.ratings import Ratings, raw_agreement
from core.estimate import Estimate, undefined
from core.scoring.interval import Resampling, with_interval
from core.verdicts.label_words import SECTION_WORDS
from core.verdicts.labels import (
    ABSTRACTION,
    EARLIER_WORDING,
    IMPORTANCE,
    LEGAL,
    PRESENCE,
    RECALL,
    SEMANTIC,
    LabelBlock,
    Section,
)
from core.verdicts.scores import NineFigures, score_verdict
from core.verdicts.verdict import InconsistencyReason, Verdict, VerdictItem
from core.words import counted

ORDERED = frozenset({PRESENCE, SEMANTIC, IMPORTANCE})  # fields whose labels go from most to least

Place = tuple[Section, LabelBlock, str]

# Every field of the form, in its order.
PLACES: tuple[Place, ...] = tuple(
    (section, block, field) for (section, block), legal in LEGAL.items() for field in legal
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldAgreement:
    """Agreement of one field over the items that both gave a legal label."""

    n: int
    raw: Estimate  # share of equal labels, 0–1
    kappa: Estimate
    alpha: Estimate
    ac1: Estimate
    confusion: Mapping[str, Mapping[str, int]]  # the first's label → the second's label → items, of labels that occur
    left_out: int = 0  # further items with a label that had the reverse meaning when given


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictAgreement:
    per_field: Mapping[Place, FieldAgreement]
    first: NineFigures  # scores over the items that both list, like `second`
    second: NineFigures
    difference: NineFigures  # first minus second
    only_first: tuple[tuple[Section, int], ...]  # items that only one of them lists
    only_second: tuple[tuple[Section, int], ...]


def agreement_of(first: Verdict, second: Verdict) -> VerdictAgreement:
    """Compare two verdicts of the same answer, on the items that both list by number; of a repeated number the first
    counts."""
    first_items, second_items = _items(first), _items(second)
    shared = first_items.keys() & second_items.keys()
    one, other = (score_verdict(_only(each, shared)).default for each in (first, second))
    difference = {}
    for figure in fields(NineFigures):
        own, others = getattr(one, figure.name), getattr(other, figure.name)
        if own.value is None or others.value is None:
            difference[figure.name] = undefined(own.reason if own.value is None else others.reason)
        else:
            difference[figure.name] = Estimate(own.value - others.value)
    return VerdictAgreement(
        per_field=field_agreement(
            [(first_items[key], second_items[key]) for key in sorted(shared)], [key[0] for key in sorted(shared)]
        ),
        first=one,
        second=other,
        difference=NineFigures(**difference),
        only_first=tuple(sorted(first_items.keys() - shared)),
        only_second=tuple(sorted(second_items.keys() - shared)),
    )


def field_agreement(
    pairs: Sequence[tuple[VerdictItem, VerdictItem]],
    sections: Sequence[Section],
    how: Resampling | None = None,
    clusters: Sequence[Hashable] | None = None,
) -> dict[Place, FieldAgreement]:
    """Return agreement in every field of the sections that occur. `sections` and `clusters` (samples, drawn whole for
    an interval) have one entry per pair."""
    by_place = {}
    for place in PLACES:
        section, block, field = place
        rows, drawn, left_out = [], [], 0
        for number, (one, other) in enumerate(pairs):
            labels = one.label(block, field), other.label(block, field)
            if sections[number] is not section or None in labels:
                continue
            if has_earlier_meaning(place, one, other):
                left_out += 1
                continue
            rows.append(labels)
            drawn.append(number if clusters is None else clusters[number])
        if section in sections:
            compared = _field(rows, LEGAL[section, block][field], field in ORDERED, how, drawn)
            by_place[place] = replace(compared, left_out=left_out)
    return by_place


def has_earlier_meaning(place: Place, one: VerdictItem, other: VerdictItem) -> bool:
    """Return True if one of the two labels of this place was given when it meant the reverse."""
    section, _block, field = place
    return field == ABSTRACTION and section in RECALL and EARLIER_WORDING in (one.wording, other.wording)


def format_left_out(between: str, fields: Mapping[Place, FieldAgreement]) -> str:
    """Return a sentence on what these fields leave out, and why; empty without omissions. `between`: who are compared.

    >>> format_left_out("People", {})
    ''
    """
    left_out = [
        f"{counted(each.left_out, 'item')} of {SECTION_WORDS[section]}"
        for (section, _block, _field), each in fields.items()
        if each.left_out
    ]
    why = "labelled when BROADER and NARROWER had the reverse meaning"
    return f"{between}: abstraction leaves out {' and '.join(left_out)}, {why}." if left_out else ""


def _field(
    rows: Sequence[tuple[str | None, str | None]],
    legal: Sequence[str],
    is_ordered: bool,
    how: Resampling | None,
    clusters: Sequence[Hashable],
) -> FieldAgreement:
    if not rows:
        nothing = undefined("no item has two labels here that can be compared", 0)
        return FieldAgreement(n=0, raw=nothing, kappa=nothing, alpha=nothing, ac1=nothing, confusion={})
    ratings = Ratings.of(rows, legal)
    level = MeasurementLevel.ORDINAL if is_ordered else MeasurementLevel.NOMINAL
    drawn = clusters if how is not None else None
    equal = np.array([(float(one == other), 1.0) for one, other in rows])
    confusion: dict[str, dict[str, int]] = {}
    for one, other in rows:
        row = confusion.setdefault(str(one), {})
        row[str(other)] = row.get(str(other), 0) + 1
    return FieldAgreement(
        n=len(rows),
        raw=with_interval(raw_agreement(ratings), equal, lambda sums: sums[:, 0] / sums[:, 1], how, drawn),
        kappa=cohen_kappa(ratings, Weights.LINEAR if is_ordered else Weights.NONE, how, drawn),
        alpha=krippendorff_alpha(ratings, level, how, drawn),
        ac1=gwet_ac1(ratings, how, drawn),
        confusion={
            one: {other: confusion[one][other] for other in legal if other in confusion[one]}
            for one in legal
            if one in confusion
        },
    )


def _items(verdict: Verdict) -> dict[tuple[Section, int], VerdictItem]:
    items: dict[tuple[Section, int], VerdictItem] = {}
    for section, section_verdict in verdict.sections.items():
        for item in section_verdict.items:
            if item.number is not None:
                items.setdefault((section, item.number), item)
    return items


def _only(verdict: Verdict, shared_items: frozenset[tuple[Section, int]] | set[tuple[Section, int]]) -> Verdict:
    sections = {}
    for section, section_verdict in verdict.sections.items():
        numbers = {number for each, number in shared_items if each is section}
        if not numbers or section_verdict.problem:
            continue
        places = [place for place, item in enumerate(section_verdict.items) if item.number in numbers]
        items = tuple(section_verdict.items[place] for place in places)
        about_others = (InconsistencyReason.MISSING_ITEM, InconsistencyReason.OUT_OF_RANGE)
        sections[section] = replace(
            section_verdict,
            items=items,
            raw=[
                {**section_verdict.raw[place], section.number_key: item.number}
                for place, item in zip(places, items, strict=True)
            ],
            n=len(numbers),
            faults=tuple(
                fault for fault in section_verdict.faults if fault.item in numbers and fault.why not in about_others
            ),
        )
    return replace(verdict, sections=sections)
