"""Texts of 200 made papers: words kept, what else is gone, leaks found. Our papers, so an upper bound for others'."""

from __future__ import annotations

import tempfile
from pathlib import Path

from core.texts.leaks import STRUCTURAL
from documents.limits import Limits
from documents.pool import Pool
from documents.reader import Reader
from tests.documents.made_texts import scored_papers
from tests.documents.text_scores import Score

PAPERS = 200


def measure() -> None:
    total, sizes, nodes = Score(), list[int](), list[int]()
    with tempfile.TemporaryDirectory() as name, Pool(Limits(), 1, prestart=1, documents_per_child=1_000) as pool:
        folder = Path(name)
        for paper, score in scored_papers(Reader(pool, folder), folder, [str(seed) for seed in range(PAPERS)]):
            total.add(score)
            sizes.append(paper.characters)
            nodes.append(len(paper.graph.nodes))
    print(f"{total.papers} papers of {min(sizes):,}–{max(sizes):,} characters, {min(nodes)}–{max(nodes)} nodes")
    for what, n in (("kept", total.kept), ("kept in order", total.in_order), ("invented", total.invented)):
        print(f"{what:<22} {n:>9,} of {total.words:>9,} words   {100 * n / total.words:.3f} %")
    for kind, (n, gone) in sorted(total.removed.items()):
        print(f"{kind + ', gone':<22} {gone:>9,} of {n:>9,}         {100 * gone / n:.2f} %")
    for leak, (n, found) in sorted(total.leaks.items(), key=lambda each: (each[0] not in STRUCTURAL, each[0])):
        print(f"{leak + ', found':<22} {found:>9,} of {n:>9,}         {100 * found / n:.2f} %")
    print(f"planted leaks whose words a page cut: {total.cut}")
    print(f"structural findings on {total.clean} papers without leaks: {len(total.false_alarms)}")
    print(*total.false_alarms, sep="\n", end="\n" if total.false_alarms else "")
