"""Shared by tables of judges: values with intervals, agreement columns, confusion of labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from components import links, shell, state
from components.widgets.cells import width_of
from components.widgets.choosing import choose_line
from components.widgets.number_table import number_table
from core.analysis.charts import Point
from core.estimate import Estimate
from core.verdicts.agreement import FieldAgreement, Place
from core.verdicts.label_words import SECTION_WORDS, field_title, label_word
from core.words import counted, ends
from pages.verdicts.acts import PAGE
from services.verdicts.behind import ItemBehind

NO_VALUE = "–"
MOST_ITEMS = 200


def format_estimate(estimate: Estimate, places: int = 2) -> str:
    """Format a value with its interval; a dash if undefined."""
    if estimate.value is None:
        return NO_VALUE
    between = _ends_of(estimate, places)
    return f"{_number(estimate.value, places)}{f' ({between})' if between else ''}"


def format_bounded(estimate: Estimate) -> str:
    """Format a value with its interval; a dash without one."""
    return NO_VALUE if estimate.low is None else format_estimate(estimate)


@dataclass(frozen=True, slots=True)
class EstimateColumns:
    """Columns of a table, without those of which no row has a value; `notes`: these, and why values are missing."""

    columns: dict[str, list[str]]
    notes: str

    def draw(self, *, key: str, words: Sequence[str]) -> None:
        right = st.column_config.TextColumn  # as wide as their longest value, not only as those of the first rows
        config = {
            name: right(alignment="right", width=width_of(name, texts))
            for name, texts in self.columns.items()
            if name not in words
        }
        number_table(self.columns, key=key, words=words, config=config)
        self.draw_notes()

    def draw_notes(self) -> None:
        if self.notes:
            st.caption(shell.escaped(self.notes))


def estimate_columns(
    columns: Mapping[str, Sequence[str] | Sequence[Estimate]], *, places: int = 2, bounded: Sequence[str] = ()
) -> EstimateColumns:
    """Format the columns of estimates among these, and leave out those without any value. `bounded`: columns whose
    values need an interval."""
    shown: dict[str, list[str]] = {}
    left_out: dict[str, str] = {}
    reasons: dict[str, list[str]] = {}
    for name, values in columns.items():
        estimates = [each for each in values if isinstance(each, Estimate)]
        if not estimates:
            shown[name] = list(map(str, values))
            continue
        is_shown = [each.value is not None and (name not in bounded or each.low is not None) for each in estimates]
        missing = dict.fromkeys(
            _in_words(each.reason) or "no interval"
            for each, has_value in zip(estimates, is_shown, strict=True)
            if not has_value
        )
        if any(is_shown):
            for reason in missing:
                reasons.setdefault(reason, []).append(name)
            texts = (format_bounded(each) if name in bounded else format_estimate(each, places) for each in estimates)
            shown[name] = list(texts)
        else:
            left_out[name] = "; ".join(missing)
    are_not = f"{counted(len(left_out), 'column')} without any value {'is' if len(left_out) == 1 else 'are'} not shown"
    parts = [f"{are_not}: {', '.join(f'{name} ({why})' for name, why in left_out.items())}."] if left_out else []
    parts += [f"{NO_VALUE} in {', '.join(names)}: {reason}." for reason, names in reasons.items()]
    return EstimateColumns(shown, " ".join(parts))


def _in_words(reason: str) -> str:
    """Write the labels that a reason names as the verdict sheet does."""
    return re.sub(r"\b[A-Z]+(?:_[A-Z]+)+\b", lambda label: f"“{label_word(label[0])}”", reason)


def estimate_point(row: str, column: str, estimate: Estimate, places: int = 2) -> Point:
    """Return the point of a chart, with value and interval as in tables."""
    text = NO_VALUE if estimate.value is None else _number(estimate.value, places)
    return Point.of(row, column, estimate, text, _ends_of(estimate, places))


def _ends_of(estimate: Estimate, places: int) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    return ends(_number(estimate.low, places), _number(estimate.high, places))


def _number(value: float, places: int) -> str:
    words = f"{value:.{places}f}".replace("-", "−")
    return words.removeprefix("−") if not float(f"{value:.{places}f}") else words


def agreement_columns(fields: Mapping[Place, FieldAgreement]) -> dict[str, list[str] | list[Estimate]]:
    """Return agreement of two raters, a row per field and section."""
    return {
        "Section": [SECTION_WORDS[section] for section, _block, _field in fields],
        "Field": [field_title(block, field) for _section, block, field in fields],
        "Items": [f"{each.n:,}" for each in fields.values()],
        "Equal": [each.raw for each in fields.values()],
        "κ": [each.kappa for each in fields.values()],
        "α": [each.alpha for each in fields.values()],
        "AC1": [each.ac1 for each in fields.values()],
    }


# Function that returns the items of a field with these two labels.
Behind = Callable[[Place, tuple[str, str]], Sequence[ItemBehind]]


def confusion(fields: Mapping[Place, FieldAgreement], first: str, second: str, name: str, behind: Behind) -> None:
    """Draw the confusion of labels in an expander; a line opens its items."""
    with st.expander(
        f"Labels: {first.lower()} and {second.lower()}", on_change="rerun", key=state.key(PAGE, f"{name}.open")
    ) as part:
        if not part.open:
            return
        pairs = [
            (place, one, other, many)
            for place, each in fields.items()
            for one, row in each.confusion.items()
            for other, many in row.items()
        ]
        by_id = {".".join([*place, one, other]): (place, (one, other)) for place, one, other, _many in pairs}
        places = [(SECTION_WORDS[place[0]], field_title(place[1], place[2])) for place, *_ in pairs]
        labels = [(label_word(one), label_word(other)) for _, one, other, _many in pairs]
        st.caption("Choose a line to list its items.")
        chosen = choose_line(
            list(by_id),
            {
                "Section": [section for section, _ in places],
                "Field": [field for _, field in places],
                first: [one for one, _ in labels],
                second: [other for _, other in labels],
                "Items": [f"{many:,}" for *_, many in pairs],
            },
            name=state.key(PAGE, name),
            columns={"Items": st.column_config.TextColumn(alignment="right")},
        )
        if chosen is not None:
            _items(behind(*by_id[chosen]), name)


def _items(items: Sequence[ItemBehind], name: str) -> None:
    shown = list({f"{each.item_id}.{each.number}": each for each in items}.items())[:MOST_ITEMS]
    chosen = choose_line(
        [key for key, _ in shown],
        {
            "Sample": [each.title for _, each in shown],
            "Number": [str(each.number) for _, each in shown],
            "Node or edge": [each.name for _, each in shown],
        },
        name=state.key(PAGE, f"{name}.item"),
        columns={
            "Number": st.column_config.TextColumn(alignment="right"),
            "Node or edge": st.column_config.TextColumn(width="medium"),
        },
    )
    if len(items) > len(shown):
        st.caption(f"{len(shown):,} of {len(items):,}.")
    if chosen is not None:
        item = dict(shown)[chosen]
        back = {key: value for key in ("show", "run", "against") if (value := state.read_param(key))}
        asks = back | {"judged": item.item_id, "item": str(item.number)}
        links.page_button("Open verdict", "verdicts", asks, key=state.key(PAGE, f"{name}.go"))
