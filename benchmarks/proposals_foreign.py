"""Proposals measured on figures that other programs drew, by family, for each part of the corpus and each variant.

EDGEWISE_FOREIGN names parts, variants and programs (as the files of the corpus begin) to measure instead of all, as in
"development scan tikz d3". A figure for which nothing is proposed counts as declined; its edges count as not found.
"Forgiven" takes a misread name for the nearest true one. A second table is by what the figures were taken for; "sure"
counts the edges that are certain, or would be in a kind of figure that has certain ones.
"""

from __future__ import annotations

import difflib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any, get_args

from benchmarks.harness import ROOT
from core.transcription.proposals import LIKELY, FigureKind, FigureProposals
from tests.documents.diagram_scores import Score, score
from tests.documents.foreign.corpus import FAMILIES, ForeignFigure, Part, figures

READER = ROOT / "tests" / "documents" / "foreign" / "readings.py"
PARTS: tuple[Part, ...] = ("development", "proof")
VARIANTS = ("vector", "outlined", "png", "jpeg", "scan")
SEED = 1
NEAREST = 0.8  # of difflib: the least likeness of a misread name
Reading = tuple[ForeignFigure, FigureProposals, float]
KIND_HEAD = (
    *("figures", "declined", "edges", "proposed", "right", "precision", "recall"),
    *("sure", "of these right", "share"),
)
HEAD = (
    *("figures", "declined", "edges", "proposed", "right", "precision", "recall", "reversed", "signs", "delays"),
    *("names", "certain", "of these right", "right, forgiven", "ms, median", "ms, largest"),
)


def measure() -> None:
    programs = os.environ.get("EDGEWISE_FOREIGN", "").split()
    known = (*PARTS, *VARIANTS, *FAMILIES)
    if unknown := [word for word in programs if word not in known]:
        sys.exit(f"EDGEWISE_FOREIGN: there is no {unknown[0]!r}; there are: {', '.join(known)}.")
    families = {FAMILIES[word] for word in programs if word in FAMILIES} or set(FAMILIES.values())
    for part in [part for part in PARTS if part in programs or not set(PARTS) & set(programs)]:
        for variant in [one for one in VARIANTS if one in programs or not set(VARIANTS) & set(programs)]:
            print(f"\n{part} part, {variant}\n")
            readings = read([one for one in figures(part) if one.family in families], variant)
            print(_table(readings), flush=True)
            print(f"\n{_by_kind(readings)}", flush=True)


def read(some: Sequence[ForeignFigure], variant: str) -> list[Reading]:
    """Each figure with its proposals and the milliseconds they took, read in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "readings.json"
        subprocess.run([sys.executable, READER, out, variant, str(SEED), *(one.path for one in some)], check=True)
        readings: Mapping[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return [
        (one, FigureProposals.from_json(readings[one.stem]["proposals"]), readings[one.stem]["milliseconds"])
        for one in some
    ]


def forgiven(proposals: FigureProposals, names: Sequence[str]) -> FigureProposals:
    """Replace every name that is nearly a true one by it."""
    matches = [difflib.get_close_matches(name.text, names, 1, NEAREST) for name in proposals.names]
    return replace(
        proposals,
        names=tuple(
            replace(name, text=near[0]) if near else name for name, near in zip(proposals.names, matches, strict=True)
        ),
    )


def _table(readings: Sequence[Reading]) -> str:
    lines = [f"| drawn by | {' | '.join(HEAD)} |", f"|---|{'---:|' * len(HEAD)}"]
    for family in (*sorted({one.family for one, _, _ in readings}, key=str.lower), "all"):
        own = [one for one in readings if family in ("all", one[0].family)]
        lines.append(f"| {family} | {' | '.join(_cells(own))} |")
    return "\n".join(lines)


def _by_kind(readings: Sequence[Reading]) -> str:
    """Return the counts of each kind of figure, which show the kinds with certain edges."""
    lines = [f"| taken for | {' | '.join(KIND_HEAD)} |", f"|---|{'---:|' * len(KIND_HEAD)}"]
    for kind in (*get_args(FigureKind), None):
        own = [one for one in readings if one[1].kind == kind]
        if not own:
            continue
        whole, sure = Score(), Score()
        for figure, proposals, _ in own:
            whole += score(proposals, figure.edges)
            edges = [edge for edge in proposals.edges if edge.confidence >= LIKELY and not edge.is_direction_doubtful]
            sure += score(
                replace(proposals, edges=tuple(replace(edge, confidence=1.0) for edge in edges)), figure.edges
            )
        cells = (len(own), sum(not proposals.edges for _, proposals, _ in own), whole.true, whole.found, whole.right)
        shares = f"{whole.precision:.3f}" if whole.found else "–", f"{whole.recall:.3f}"
        right = f"{sure.certain_precision:.3f}" if sure.certain else "–"
        row = (*map(str, cells), *shares, str(sure.certain), str(sure.certain_right), right)
        lines.append(f"| {kind or 'not read'} | {' | '.join(row)} |")
    return "\n".join(lines)


def _cells(readings: Sequence[Reading]) -> tuple[str, ...]:
    whole, kind = Score(), Score()
    for figure, proposals, took in readings:
        whole += score(proposals, figure.edges, took)
        kind += score(forgiven(proposals, figure.names), figure.edges)
    declined = sum(not proposals.edges for _, proposals, _ in readings)
    return (
        *(str(number) for number in (len(readings), declined, whole.true, whole.found, whole.right)),
        f"{whole.precision:.3f}" if whole.found else "–",
        f"{whole.recall:.3f}",
        str(whole.reversed),
        f"{whole.signs} of {whole.signed}",
        f"{whole.delays} of {whole.delayed}" + (f", {whole.false_delays} false" if whole.false_delays else ""),
        f"{whole.names_found} of {whole.names}",
        str(whole.certain),
        str(whole.certain_right),
        str(kind.right),
        f"{median(whole.milliseconds):.0f}",
        f"{max(whole.milliseconds):.0f}",
    )
