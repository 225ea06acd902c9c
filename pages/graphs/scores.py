"""Scores of a comparison: sets, distance, agreement, and values of the released code."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from core.estimate import Estimate
from core.graphs.compare import Comparison
from core.people import Viewer
from core.words import sentence_case
from pages.graphs.parts import PAGE, Light, number, reasons
from services.graphs.comparing import GraphComparison

RIGHT = st.column_config.TextColumn(alignment="right")
Row = tuple[str, Estimate | int]


def show(_viewer: Viewer, comparison: GraphComparison) -> Light:
    result = comparison.result
    _sets(result)
    shd, over = result.shd, result.normalised
    rows: list[Row] = [
        ("SHD, a reversal counted once", shd.once),
        ("SHD, a reversal counted twice", shd.twice),
        ("missed, not reversed", shd.missing),
        ("spurious, not reversed", shd.extra),
        ("reversed", shd.reversed),
        (f"SHD ÷ pairs of the {comparison.ends.reference}", over.gold_pairs),
        ("SHD ÷ pairs of both", over.union_pairs),
        (f"SHD ÷ edges of the {comparison.ends.reference}", over.gold_edges),
        ("κ over ordered pairs", result.kappa),
    ]
    _table("distances", rows)
    scores = (("nodes", result.node), ("edges", result.edge))
    sets = {
        f"{word} of {what}": getattr(score, word) for what, score in scores for word in ("precision", "recall", "f1")
    }
    undefined = reasons({**sets, **{what: value for what, value in rows if isinstance(value, Estimate)}})
    if undefined:
        st.caption(f"– means undefined. {shell.escaped(undefined)}.")
    with st.expander("Scores of the released code (for table 4 of ReCITE only)"):
        _released(result)
    with st.expander("How this is computed"):
        st.markdown(HOW)
    return Light()


def _sets(result: Comparison) -> None:
    scores = {"nodes": result.node, "edges": result.edge}
    st.dataframe(
        {
            "": [sentence_case(what) for what in scores],
            "Matched": [score.tp for score in scores.values()],
            "Missed": [score.fn for score in scores.values()],
            "Spurious": [score.fp for score in scores.values()],
            "Precision": [number(score.precision) for score in scores.values()],
            "Recall": [number(score.recall) for score in scores.values()],
            "F1": [number(score.f1) for score in scores.values()],
        },
        hide_index=True,
        key=state.key(PAGE, "sets"),
        column_config=dict.fromkeys(("Precision", "Recall", "F1"), RIGHT),
    )
    signs = result.signs
    turned = result.shd.reversed
    st.caption(
        f"Of the spurious edges, {turned} {'is' if turned == 1 else 'are'} reversed. Signs of matched edges: "
        f"{signs.equal} equal, {signs.different} different, {signs.unknown} unknown."
    )


def _table(name: str, rows: list[Row]) -> None:
    values = [number(value) if isinstance(value, Estimate) else f"{value:,}" for _what, value in rows]
    st.dataframe(
        {"Measure": [sentence_case(what) for what, _value in rows], "Value": values},
        hide_index=True,
        height="content",
        key=state.key(PAGE, name),
        column_config={"Value": RIGHT},
    )


def _released(result: Comparison) -> None:
    st.warning(
        "The released code uses the area under the precision–recall curve as precision and the mean of the "
        "curve's points as recall. A perfect prediction has an F1 of about 0.82. Compare these scores with "
        "published ones only.",
        icon=":material/warning:",
    )
    scores = result.as_released
    rows: list[Row] = [
        ("“precision” (PR-curve area)", scores.precision),
        ("“recall” (mean of points)", scores.recall),
        ("“F1” of the two", scores.f1),
        ("SHD, a reversal counted twice", scores.shd),
        ("normalised SHD", scores.normalized_shd),
    ]
    _table("released", rows)
    undefined = reasons({what: value for what, value in rows if isinstance(value, Estimate)})
    if undefined:
        st.caption(f"{shell.escaped(undefined)}.")


HOW = """\
- **Precision** matched / (matched + spurious), **recall** matched / (matched + missed), **F1** their harmonic mean,
  over sets: nodes by name after the alignment, edges as ordered pairs. Signs are ignored.
- **SHD**, the structural Hamming distance, counts missed, spurious and reversed edges; a reversal once (the judge's
  scale) or twice (the released code's). A reversed edge is neither missed nor spurious here, but both in the table
  above. The normalised distances count a reversal once.
- **κ** is Cohen's, over all ordered pairs of distinct nodes of both graphs: edge or no edge.
- Several names aligned with one node count as one.
- Source: ReCITE, section 4 and appendix I.
"""
