"""Method notes of annotators' agreement, and the paper's tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import streamlit as st

from core.agreement import recite
from core.agreement.over_graphs import OverGraphs
from core.agreement.ratings import LEAST_UNITS
from core.agreement.study_tables import MOST_NODES, AgreementTable, DoubleTranscription, grid
from pages.agreement.parts import NO_VALUE, SHORT
from services.agreement.annotators import INTERVALS

HOW = f"""\
- **Which figures**: those with two submitted transcriptions; A is the first submitted, B the second. The
  reference is A unless you choose B. Every mean states its n.
- **Precision** TP / (TP + FP), **recall** TP / (TP + FN), **F1** 2 TP / (2 TP + FP + FN), over sets: nodes by
  name, edges as ordered pairs of nodes. Signs are ignored.
- **Printed names** (the paper's table 21): typos are corrected; a minor difference or a major mismatch of a name is
  one false positive node, so node precision is n / (n + FP). **Aligned names**: minor differences cost nothing. The
  alignment of nodes, and so every edge, is the same in both: names that are equal after folding, or that people
  aligned. A ruling aligns the names of its figure, so that agreement can rise though nobody drew again.
- **SHD**, the structural Hamming distance, is FP + FN: a reversed edge counts twice. **SHD ÷ reference** divides by
  the reference's nodes, edges, or both.
- **κ** (Cohen 1960), **α** (Krippendorff 2011, nominal), **AC1** (Gwet 2008) and raw agreement are over all n(n − 1)
  ordered pairs of distinct nodes of both graphs: edge or no edge. Nodes have no κ, because the number of things that
  are *not* nodes is unknown.
- **κ of delays** is over matched edges, **κ of signs** over those with a known sign in both graphs. Each is undefined
  with fewer than {LEAST_UNITS} such edges.
- **Loops** are compared by their edges; their kind is R, B, or undetermined where a sign is not printed.
- **Identical names** are shares of the aligned names: identical, identical except for typos, identical except for
  minor differences.
- **Mean ± sd** is over figures, sd the population's (÷ n); **pooled** adds up all counts, so that large figures
  weigh more.
- **Intervals**: 95%, bootstrap over figures, {INTERVALS.draws:,} draws, seed {INTERVALS.seed}; draws without a value
  are left out and counted; if they are more than {(1 - INTERVALS.share) / 2:.1%} of the draws, no interval is given.
- **Sizes** are by nodes of the reference: up to {MOST_NODES[0]}, {MOST_NODES[0] + 1}–{MOST_NODES[1]},
  over {MOST_NODES[1]}.
- **–** means undefined; the reason is given next to the open cell and in the CSV.
- Source: ReCITE, appendix I, tables 20 and 21. Conventions: docs/agreement.md.
"""


def paper_popover() -> None:
    """Draw table 20 recomputed from table 21, and totals that do not add up."""
    with st.popover("ReCITE's values", type="tertiary"):
        st.markdown(_paper())


@cache
def _paper() -> str:
    """Format the paper's values as Markdown; no input comes from outside."""
    table = grid(AgreementTable.TABLE_20, [DoubleTranscription("", "", counts) for counts in recite.graphs()], None)
    columns = [SHORT.get(cell.measure, cell.measure.value) for cell in table.lines[0].cells]
    rows = [[line.head, *(_mean_and_sd(cell) for cell in line.cells)] for line in table.lines]
    errors = [[error.what, error.printed, error.from_rows, error.why] for error in recite.published_errors()]
    return (
        "**Table 20 of the paper, computed here from the 37 rows of its table 21** (mean ± population sd)\n\n"
        f"{_table(['', *columns], rows)}\n\n**Totals that do not follow from the rows**\n\n"
        f"{_table(['', 'printed', 'from the rows', ''], errors)}"
    )


def _mean_and_sd(cell: OverGraphs) -> str:
    mean, sd = cell.mean.value, cell.sd.value
    return NO_VALUE if mean is None or sd is None else f"{mean:.4f} ± {sd:.4f}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
