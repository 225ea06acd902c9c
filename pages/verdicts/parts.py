"""What the tables of judges have in common."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components import state
from components.widgets.number_table import number_table
from core.estimate import Estimate
from core.verdicts.agreement import FieldAgreement, Place
from core.verdicts.label_words import SECTION_WORDS, field_title, label_word
from core.words import ends
from pages.verdicts.acts import PAGE

NO_VALUE = "–"


def told(found: Estimate, places: int = 2) -> str:
    """A value with its interval, a dash where there is none."""
    if found.value is None:
        return NO_VALUE
    between = ""
    if found.low is not None and found.high is not None:
        between = ends(_number(found.low, places), _number(found.high, places))
    return f"{_number(found.value, places)}{f' ({between})' if between else ''}"


def _number(value: float, places: int) -> str:
    words = f"{value:.{places}f}".replace("-", "−")
    return words.removeprefix("−") if not float(f"{value:.{places}f}") else words


def agreement_columns(fields: Mapping[Place, FieldAgreement]) -> dict[str, list[str]]:
    """How often two say the same, a row for each field of each section."""
    return {
        "Section": [SECTION_WORDS[section] for section, _block, _field in fields],
        "Field": [field_title(block, field) for _section, block, field in fields],
        "Items": [f"{each.n:,}" for each in fields.values()],
        "Equal": [told(each.raw) for each in fields.values()],
        "κ": [told(each.kappa) for each in fields.values()],
        "α": [told(each.alpha) for each in fields.values()],
        "AC1": [told(each.ac1) for each in fields.values()],
    }


def confusion(fields: Mapping[Place, FieldAgreement], first: str, second: str, name: str) -> None:
    """What one said where the other said what, folded up."""
    with st.expander(f"Labels: {first.lower()} and {second.lower()}"):
        pairs = [
            (place, one, other, many)
            for place, each in fields.items()
            for one, row in each.confusion.items()
            for other, many in row.items()
        ]
        number_table(
            {
                "Section": [SECTION_WORDS[place[0]] for place, *_ in pairs],
                "Field": [field_title(place[1], place[2]) for place, *_ in pairs],
                first: [label_word(one) for _, one, _other, _many in pairs],
                second: [label_word(other) for _, _one, other, _many in pairs],
                "Items": [f"{many:,}" for *_, many in pairs],
            },
            key=state.key(PAGE, name),
            words=("Section", "Field", first, second),
        )
