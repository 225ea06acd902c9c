"""Tables for papers: whatever stands in a cell stays text, and a table has the rules of booktabs."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from exchange.latex import HEADER, escaped, latex_table

ALONE = re.compile(r"(?<!\\)[&%#_]|[~^<>|\"]")


def test_a_table_has_caption_label_rules_and_notes() -> None:
    written = latex_table(
        ["elements", "F1", "κ"],
        [["nodes", "0.99 ± 0.01", "–"], ["Total", "1", "−0.2"]],
        caption="Agreement of A1 & A2",
        label="tab:agreement",
        notes=["– is undefined"],
        rule_before=[1],
    )
    assert written.decode() == HEADER + "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            r"\caption{Agreement of A1 \& A2}",
            r"\label{tab:agreement}",
            r"\begin{tabular}{lrr}",
            r"\toprule",
            r"elements & F1 & $\kappa$ \\",
            r"\midrule",
            r"nodes & 0.99 $\pm$ 0.01 & -- \\",
            r"\midrule",
            r"Total & 1 & $-$0.2 \\",
            r"\bottomrule",
            r"\end{tabular}",
            r"\par\footnotesize -- is undefined",
            r"\end{table}",
            "",
        ]
    )


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("50 % of A&B_2 #1 $5", r"50 \% of A\&B\_2 \#1 \$5"),
        (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("[optional]", "{[}optional{]}"),
        ("two\r\nlines\x00", "two lines "),
        ("~^<>", r"\textasciitilde{}\textasciicircum{}\textless{}\textgreater{}"),
        ("Größe 水", "Größe 水"),
    ],
)
def test_what_means_something_to_latex_is_spelled(text: str, spelled: str) -> None:
    assert escaped(text) == spelled


@given(st.text())
def test_no_text_ends_a_cell_or_a_row_or_begins_a_comment(text: str) -> None:
    found = escaped(text)
    outside_maths = found.replace("$^2$", "").replace("~", " " if "\u00a0" in text else "~")
    assert not ALONE.search(outside_maths)
    assert "\n" not in found and r"\\" not in found
    assert found.count("$") - found.count(r"\$") == 2 * sum(text.count(mark) for mark in "−±÷×·→καρτΣ√²≤≥")


def test_a_row_without_its_cells_and_a_label_that_is_none_are_refused() -> None:
    with pytest.raises(BadInput, match="Row 2 of the table has 1 cells"):
        latex_table(["a", "b"], [["1", "2"], ["1"]], caption="", label="tab:x")
    with pytest.raises(BadInput, match="The label “a}b”"):
        latex_table(["a"], [], caption="", label="a}b")
