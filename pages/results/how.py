"""How the figures of a table of results are computed, in the words of the measures themselves."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import shell
from core.results.table import ResultTable
from services.runs import results

COMMON = """\
- **In the score**: answers that are one of the labels, and answers that are none (unparsable), which are wrong. Answers
  that were cut off or refused, requests that failed, what was excluded and what is still pending stand beside the score
  with their numbers, and in no denominator.
- **Refused** is an answer that the provider marks as a refusal or as filtered, or that is one of a closed list of
  sentences and nothing else, such as “I’m sorry, but I cannot help with that.” Any other answer in words, “I cannot
  determine the sign” among them, is unparsable and wrong.
- **Intervals**: 95 %, bootstrap over papers, for the samples of one paper are not independent. A cell of a single
  paper has none, and says why.
- **–** is undefined, never 0; its reason stands below the table, beside the open cell and in the CSV.
- **Baselines** answer the same samples without a model and stand in the same rows.
- **Task and variant**: the heading says which samples a table is of; at first, those of the paper's own table. Several
  are added up only where they are chosen, and the heading then says *pooled*.
- A sample counts once in every line or column it belongs to: a paper with two JEL letters in both.
"""


def popover(tables: Sequence[ResultTable], preset: str) -> None:
    told = next(each.told for each in results.presets() if each.key == preset)
    metrics = {table.metric.title: table.metric.told for table in tables}
    with st.popover("How is this computed", type="tertiary"):
        st.markdown(shell.escaped(told))
        st.markdown(
            "\n".join(f"- **{shell.escaped(title)}**: {shell.escaped(each)}" for title, each in metrics.items())
        )
        st.markdown(COMMON)
        st.caption("Sources and our readings where the paper is silent: docs/runs.md.")
