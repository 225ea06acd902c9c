"""Shared by the Agreement screen: chosen table, short names of measures, number formats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from components import state
from core.agreement.counts import Element, Measure
from core.agreement.edges import View
from core.agreement.over_graphs import OverGraphs
from core.agreement.study_tables import AgreementTable, is_distance
from core.estimate import Estimate
from core.words import ends, minus
from services.agreement.annotators import Reference
from services.files import TableForm

PAGE = "agreement"
NO_VALUE = "–"
# Next to the pseudonym of an annotator exposed to others' work or an import before submitting.
NOT_BLIND = "‡"
OVER = {"mean": "Mean ± sd", "pooled": "Pooled"}
FORMS = {TableForm.CSV: "CSV (all values)", TableForm.LATEX: "LaTeX (booktabs)", TableForm.XLSX: "Excel workbook"}
PARTS = {
    AgreementTable.TABLE_20: "ReCITE table 20",
    AgreementTable.TABLE_21: "ReCITE table 21",
    AgreementTable.MORE: "More measures",
    AgreementTable.PAIRS: "Pairs",
    AgreementTable.ANNOTATORS: "Annotators",
    AgreementTable.SIZES: "Sizes",
}
SHORT: Mapping[Measure, str] = {
    Measure.SHD: "SHD",
    Measure.NORMALISED_SHD: "SHD ÷ reference",
    Measure.SHD_ONCE: "SHD, reversals counted once",
    Measure.REVERSED: "reversals",
    Measure.KAPPA: "κ",
    Measure.ALPHA: "Krippendorff's α",
    Measure.AC1: "Gwet's AC1",
    Measure.RAW: "raw agreement",
    Measure.SIGN_KAPPA: "κ of signs",
    Measure.DELAY_KAPPA: "κ of delays",
    Measure.LOOPS: "loops in common",
    Measure.LOOP_KINDS: "loops in common of the same kind",
    Measure.LOOPS_R: "R loops in common",
    Measure.LOOPS_B: "B loops in common",
    Measure.LOOPS_U: "loops undetermined in both",
    Measure.LABELS_EXACT: "identical names",
    Measure.LABELS_TYPO: "names identical except for typos",
    Measure.LABELS_MINOR: "names identical except for minor differences",
}


@dataclass(frozen=True, slots=True)
class TableChoice:
    """Table, view, reference and aggregation named in the link."""

    part: AgreementTable
    view: View
    reference: Reference
    over: str


def chosen(label: str, options: Mapping[str, str], param: str, *, key: str = "") -> str:
    """Draw a choice of `options` (link value → label); the link omits the first."""
    linked, first = state.read_param(param), next(iter(options))
    value = (
        st.segmented_control(
            label,
            list(options),
            default=linked if linked in options else first,
            format_func=lambda word: options[word],
            key=state.key(PAGE, key or param),
            label_visibility="collapsed",
            required=True,
        )
        or first
    )
    state.write_param(param, "" if value == first else value)
    return value


def short(measure: Measure) -> str:
    return SHORT.get(measure, measure.value)


def of_element(measure: Measure, element: Element) -> str:
    """Return, for example, "F1 of edges"."""
    return f"{short(measure)} of {element.value}"


def is_count(measure: Measure) -> bool:
    return is_distance(measure) and measure is not Measure.NORMALISED_SHD


def number(estimate: Estimate, measure: Measure, *, is_total: bool = False) -> str:
    """Format with three decimals (shares and coefficients are below 1); mean counts with two, totals with none."""
    if estimate.value is None:
        return NO_VALUE
    decimals = (0 if is_total else 2) if is_count(measure) else 3
    return minus(f"{estimate.value:,.{decimals}f}")


def cell_text(cell: OverGraphs, over: str) -> str:
    if over == "pooled":
        return number(cell.pooled, cell.measure, is_total=True)
    mean = number(cell.mean, cell.measure)
    return mean if mean == NO_VALUE else f"{mean} ± {number(cell.sd, cell.measure)}"


def interval(estimate: Estimate, measure: Measure, *, is_total: bool = False) -> str:
    """Return, for example, "95%: 0.91–0.99"; empty if undefined."""
    between = ends_of(estimate, measure, is_total=is_total)
    return f"95%: {between}" if between else ""


def ends_of(estimate: Estimate, measure: Measure, *, is_total: bool = False) -> str:
    """Return, for example, "0.91–0.99"; empty if undefined."""
    if estimate.low is None or estimate.high is None:
        return ""
    return ends(*(number(Estimate(end), measure, is_total=is_total) for end in (estimate.low, estimate.high)))


def explain_undefined(texts: Iterable[Sequence[str]]) -> None:
    """Say below a table how to read the reason of a dash, if one of its lines of `texts` has one."""
    if any(NO_VALUE in line for line in texts):
        st.caption(f"{NO_VALUE} means undefined; choose the cell to see why.")
