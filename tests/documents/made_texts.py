"""Texts made of long papers by the product's own reader, scored one by one."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.texts.markdown import make_text
from core.texts.sections import is_figure_caption
from documents.reader import Reader
from tests.documents.long_papers import LongPaper, long_paper
from tests.documents.text_scores import Score, score_text

ROOT = Path(__file__).resolve().parents[2]
AT_ONCE = 10  # papers set by one program


def scored_papers(reader: Reader, folder: Path, seeds: Sequence[str]) -> Iterator[tuple[LongPaper, Score]]:
    """The papers of `seeds` (“7”, or “7:9000:12” for 9,000 characters and 12 nodes), set, read page by page, scored."""
    for begin in range(0, len(seeds), AT_ONCE):
        some = seeds[begin : begin + AT_ONCE]
        program = [sys.executable, "-m", "tests.documents.typeset_papers", str(folder), *some]
        subprocess.run(program, check=True, timeout=1_800, cwd=ROOT)
        for each in some:
            seed, *sizes = (int(part) for part in each.split(":"))
            paper = long_paper(seed, characters=sizes[0], nodes=sizes[1]) if sizes else long_paper(seed)
            path = folder / f"{seed}.pdf"
            yield paper, _scored(reader, paper, path)
            path.unlink()


def _scored(reader: Reader, paper: LongPaper, path: Path) -> Score:
    content = path.read_bytes()
    sha256 = hashlib.sha256(content).hexdigest()
    pages = reader.inspect(content, path.name).page_count
    blocks = [block for page in range(1, pages + 1) for block in reader.markdown(path, sha256, page).blocks]
    captions = [each.block.text for each in blocks if is_figure_caption(each.block.text)]
    return score_text(paper, make_text(blocks), captions, pages)
