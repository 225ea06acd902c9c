"""A child that reads documents loads what Markdown needs when Markdown is asked for, and not at its start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WATCH = """
import sys
import documents.pages
from documents.pdf_library import pymupdf
heavy = {"pymupdf.layout", "pymupdf4llm", "onnxruntime"}
print(sorted(heavy & set(sys.modules)))
page = pymupdf.open().new_page()
page.insert_text((72, 72), "Rain fills the lake in spring.")
from documents.markdown import page_blocks
(block,), _ = page_blocks(page.parent, 1)
print(block["text"], sorted(heavy & set(sys.modules)))
"""


def test_the_layout_model_is_loaded_with_the_first_markdown() -> None:
    done = subprocess.run([sys.executable, "-c", WATCH], cwd=ROOT, capture_output=True, text=True, check=True)
    at_the_start, later = done.stdout.splitlines()
    assert at_the_start == "[]"
    assert later == "Rain fills the lake in spring. ['onnxruntime', 'pymupdf.layout', 'pymupdf4llm']"
