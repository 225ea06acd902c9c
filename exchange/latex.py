"""Tables for papers: a LaTeX table float with booktabs rules, every text escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.errors import BadInput
from core.words import quoted

HEADER = "% Needs \\usepackage{booktabs}; UTF-8. Names in other scripts need LuaLaTeX or XeLaTeX.\n"

_SPELLED = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "[": "{[}",
    "]": "{]}",
    "–": "--",
    "—": "---",
    "−": "$-$",
    "±": r"$\pm$",
    "÷": r"$\div$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "→": r"$\rightarrow$",
    "κ": r"$\kappa$",
    "α": r"$\alpha$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "…": r"\ldots{}",
    "\u00a0": "~",
}
_TO_SPELL = re.compile("[" + re.escape("".join(_SPELLED)) + "]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


def escaped(text: str) -> str:
    r"""Return text for LaTeX, on one line. Brackets are wrapped, since a cell that starts with one would be parsed
    as the optional argument of the previous row.

    >>> escaped("P&L_1: 50 % ± 3")
    'P\\&L\\_1: 50 \\% $\\pm$ 3'
    """
    return _TO_SPELL.sub(lambda found: _SPELLED[found.group()], _CONTROL.sub(" ", text))


def latex_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    caption: str,
    label: str,
    notes: Sequence[str] = (),
    rule_before: Sequence[int] = (),
) -> bytes:
    """Return a float with a caption above, a rule below the headings, and notes below. The first column is
    left-aligned, the others right. `rule_before`: places of rows above which a rule is drawn, such as the total.
    `label` is an identifier such as "tab:agreement". Raises BadInput for an invalid label, and for rows without a
    cell per heading."""
    if not re.fullmatch(r"[A-Za-z0-9:-]+", label):
        raise BadInput(f"The label {quoted(label)} of a table is not letters, digits, colons and hyphens.")
    for number, row in enumerate(rows, 1):
        if len(row) != len(headings):
            raise BadInput(
                f"Row {number} of the table has {len(row)} cells, not one for each of {len(headings)} headings."
            )
    body = []
    for place, row in enumerate(rows):
        if place in rule_before:
            body.append(r"\midrule")
        body.append(_line(row))
    note_lines = [f"\\par\\footnotesize {escaped(note)}" for note in notes]
    lines = [
        r"\begin{table}",
        r"\centering",
        f"\\caption{{{escaped(caption)}}}",
        f"\\label{{{label}}}",
        f"\\begin{{tabular}}{{l{'r' * (len(headings) - 1)}}}",
        r"\toprule",
        _line(headings),
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        *note_lines,
        r"\end{table}",
    ]
    return (HEADER + "\n".join(lines) + "\n").encode()


def _line(cells: Sequence[str]) -> str:
    return " & ".join(map(escaped, cells)) + r" \\"
