"""Tables for papers: a LaTeX table float with booktabs rules, every text escaped; and a document of several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

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
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "Σ": r"$\Sigma$",
    "√": r"$\surd$",
    "²": r"$^2$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "…": r"\ldots{}",
    "\u00a0": "~",
}
_TO_SPELL = re.compile("[" + re.escape("".join(_SPELLED)) + "]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")

_DOCUMENT = r"""\documentclass[a4paper]{report}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\usepackage{textcomp,booktabs,graphicx}
\usepackage[margin=2cm]{geometry}
\extrafloats{500}
\maxdeadcycles=1000
% A table that is wider than the page is made as wide as it.
\newsavebox{\drawntable}
\let\plaintabular\tabular
\let\endplaintabular\endtabular
\renewenvironment{tabular}[1]{\begin{lrbox}{\drawntable}\plaintabular{#1}}{\endplaintabular\end{lrbox}%
  \ifdim\wd\drawntable>\linewidth\resizebox{\linewidth}{!}{\usebox{\drawntable}}\else\usebox{\drawntable}\fi}
\begin{document}
"""


@dataclass(frozen=True, slots=True)
class LatexSection:
    """A heading, the file of its tables, and its figures: (file, caption). Files are relative to the document."""

    title: str
    tables: str
    figures: Sequence[tuple[str, str]]


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


def latex_document(title: str, sections: Sequence[LatexSection]) -> bytes:
    """Return a document that shows files of `latex_table` and figures, and compiles with pdfLaTeX as with others."""
    lines = [f"\\section*{{{escaped(title)}}}"]
    for section in sections:
        lines += [f"\\subsection*{{{escaped(section.title)}}}", f"\\input{{{section.tables}}}"]
        for file, caption in section.figures:
            lines += [
                r"\begin{figure}",
                r"\centering",
                f"\\includegraphics[width=.8\\linewidth,height=.8\\textheight,keepaspectratio]{{{file}}}",
                f"\\caption{{{escaped(caption)}}}",
                r"\end{figure}",
            ]
        lines.append(r"\clearpage")
    return (_DOCUMENT + "\n".join(lines) + "\n\\end{document}\n").encode()
